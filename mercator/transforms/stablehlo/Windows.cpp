// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/Windows.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::stablehlo {

SmallVector<Window> readWindows(size_t rank,
                                const WindowAttributes &attributes) {
  SmallVector<Window> windows(rank);
  auto read = [&](std::optional<ArrayRef<int64_t>> values,
                  int64_t Window::*member) {
    if (values)
      for (auto [window, value] : llvm::zip(windows, *values))
        window.*member = value;
  };
  read(attributes.sizes, &Window::size);
  read(attributes.strides, &Window::stride);
  read(attributes.baseDilations, &Window::baseDilation);
  read(attributes.windowDilations, &Window::windowDilation);
  if (attributes.padding) {
    auto values = llvm::to_vector(attributes.padding->getValues<int64_t>());
    for (auto [i, window] : llvm::enumerate(windows)) {
      window.low = values[2 * i];
      window.high = values[2 * i + 1];
    }
  }
  return windows;
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

static OpFoldResult largest(ImplicitLocOpBuilder &b, OpFoldResult x,
                            OpFoldResult y) {
  std::optional<int64_t> a = getConstantIntValue(x), c = getConstantIntValue(y);
  if (a && c)
    return b.getIndexAttr(std::max(*a, *c));
  return b.createOrFold<arith::MaxSIOp>(valueOf(b, x), valueOf(b, y));
}

static OpFoldResult smallest(ImplicitLocOpBuilder &b, OpFoldResult x,
                             OpFoldResult y) {
  std::optional<int64_t> a = getConstantIntValue(x), c = getConstantIntValue(y);
  if (a && c)
    return b.getIndexAttr(std::min(*a, *c));
  return b.createOrFold<arith::MinSIOp>(valueOf(b, x), valueOf(b, y));
}

static OpFoldResult add(ImplicitLocOpBuilder &b, OpFoldResult x, int64_t y) {
  return y == 0 ? x : addSizes(b, x, b.getIndexAttr(y));
}

/// The extent with the holes.
static OpFoldResult dilated(ImplicitLocOpBuilder &b, const Window &window,
                            OpFoldResult extent) {
  if (window.baseDilation == 1)
    return extent;
  OpFoldResult by = b.getIndexAttr(window.baseDilation);
  return largest(b, add(b, mulSizes(b, extent, by), 1 - window.baseDilation),
                 b.getIndexAttr(0));
}

/// Whether the extent with the padding may be less than 0.
static bool cuts(const Window &window) {
  return window.low < 0 || window.high < 0;
}

Sizes paddedSizes(ImplicitLocOpBuilder &b, Value tensor,
                  ArrayRef<Window> windows) {
  Sizes sizes;
  for (auto [i, window] : llvm::enumerate(windows)) {
    OpFoldResult extent = dilated(b, window, extentOf(b, tensor, int64_t(i)));
    extent = add(b, extent, window.low + window.high);
    sizes.push_back(cuts(window) ? largest(b, extent, b.getIndexAttr(0))
                                 : extent);
  }
  return sizes;
}

OpFoldResult countWindows(ImplicitLocOpBuilder &b, const Window &window,
                          OpFoldResult padded) {
  if (window.reach() == 1 && window.stride == 1)
    return padded;
  AffineExpr count =
      (b.getAffineDimExpr(0) - window.reach()).floorDiv(window.stride) + 1;
  OpFoldResult windows = affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), AffineMap::get(1, 0, count), {padded});
  return largest(b, windows, b.getIndexAttr(0));
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// The elements in a tensor of `sizes` filled with `number`, from `offsets` on.
static Value addHoles(ImplicitLocOpBuilder &b, Value tensor,
                      ArrayRef<Window> windows, Value number,
                      ArrayRef<OpFoldResult> offsets,
                      ArrayRef<OpFoldResult> sizes) {
  Sizes strides;
  for (const Window &window : windows)
    strides.push_back(b.getIndexAttr(window.baseDilation));
  return tensor::InsertSliceOp::create(b, tensor, filled(b, sizes, number),
                                       offsets, extentsOf(b, tensor), strides);
}

Value padForWindows(ImplicitLocOpBuilder &b, Value tensor,
                    ArrayRef<Window> windows, Value number) {
  Sizes padded = paddedSizes(b, tensor, windows);
  if (llvm::any_of(windows, [](const Window &window) {
        return window.baseDilation != 1;
      })) {
    bool isCut = llvm::any_of(windows, cuts);
    Sizes offsets, sizes;
    for (auto [i, window] : llvm::enumerate(windows)) {
      offsets.push_back(b.getIndexAttr(isCut ? 0 : window.low));
      sizes.push_back(dilated(b, window, extentOf(b, tensor, int64_t(i))));
    }
    tensor =
        addHoles(b, tensor, windows, number, offsets, isCut ? sizes : padded);
    if (!isCut)
      return tensor;
  }

  // The elements from `begin` up to `end` are kept.
  Sizes begins, sizes = extentsOf(b, tensor), strides, low, high;
  bool isCut = false, isPadded = false;
  OpFoldResult none = b.getIndexAttr(0);
  for (auto [window, size, whole] : llvm::zip(windows, sizes, padded)) {
    begins.push_back(none);
    strides.push_back(b.getIndexAttr(1));
    low.push_back(b.getIndexAttr(window.low));
    high.push_back(b.getIndexAttr(window.high));
    isPadded |= window.low > 0 || window.high > 0;
    if (!cuts(window))
      continue;
    isCut = true;
    OpFoldResult &begin = begins.back();
    if (window.low < 0)
      begin = smallest(b, b.getIndexAttr(-window.low), size);
    OpFoldResult end = size;
    if (window.high < 0)
      end = largest(b, add(b, size, window.high), begin);
    size = subSizes(b, end, begin);
    low.back() =
        smallest(b, largest(b, add(b, begin, window.low), none), whole);
    high.back() = subSizes(b, subSizes(b, whole, size), low.back());
    // A slice begins within the tensor, also if it is known to be empty.
    if (getConstantIntValue(size) == 0)
      begin = none;
    isPadded |= getConstantIntValue(low.back()) != 0 ||
                getConstantIntValue(high.back()) != 0;
  }
  if (isCut)
    tensor = tensor::ExtractSliceOp::create(b, tensor, begins, sizes, strides);
  if (isPadded)
    tensor = tensor::PadOp::create(b, Type(), tensor, low, high, number);
  return tensor;
}

} // namespace mercator::stablehlo
