// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/rules/Windows.h"

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
  tensor = refine(b, tensor);
  return tensor::InsertSliceOp::create(b, tensor, filled(b, sizes, number),
                                       offsets, extentsOf(b, tensor), strides);
}

/// The elements that negative padding leaves. `low` and `high` become the
/// padding of what is left, so that there are `padded` elements.
static Value cut(ImplicitLocOpBuilder &b, Value tensor,
                 ArrayRef<Window> windows, ArrayRef<OpFoldResult> padded,
                 Sizes &low, Sizes &high) {
  OpFoldResult none = b.getIndexAttr(0);
  Sizes begins, sizes = extentsOf(b, tensor), strides;
  for (auto [i, window] : llvm::enumerate(windows)) {
    begins.push_back(none);
    strides.push_back(b.getIndexAttr(1));
    if (!cuts(window))
      continue;
    OpFoldResult begin = none, end = sizes[i];
    if (window.low < 0) {
      begin = smallest(b, b.getIndexAttr(-window.low), end);
      // A slice begins at an element, also if it is empty.
      begins[i] = smallest(b, begin, largest(b, add(b, end, -1), none));
    }
    if (window.high < 0)
      end = largest(b, add(b, end, window.high), begin);
    sizes[i] = subSizes(b, end, begin);
    low[i] =
        smallest(b, largest(b, add(b, begin, window.low), none), padded[i]);
    high[i] = subSizes(b, subSizes(b, padded[i], sizes[i]), low[i]);
  }
  return tensor::ExtractSliceOp::create(b, tensor, begins, sizes, strides);
}

Value padForWindows(ImplicitLocOpBuilder &b, Value tensor,
                    ArrayRef<Window> windows, Value number) {
  Sizes padded = paddedSizes(b, tensor, windows), extents, low, high;
  bool isCut = llvm::any_of(windows, cuts);
  for (auto [i, window] : llvm::enumerate(windows)) {
    extents.push_back(dilated(b, window, extentOf(b, tensor, int64_t(i))));
    low.push_back(b.getIndexAttr(window.low));
    high.push_back(b.getIndexAttr(window.high));
  }
  auto is = [](int64_t number) {
    return [number](OpFoldResult size) {
      return isConstantIntValue(size, number);
    };
  };
  if (llvm::any_of(extents, is(0)))
    return filled(b, padded, number);
  if (llvm::any_of(windows, [](const Window &window) {
        return window.baseDilation != 1;
      })) {
    if (!isCut)
      return addHoles(b, tensor, windows, number, low, padded);
    Sizes begins(windows.size(), b.getIndexAttr(0));
    tensor = addHoles(b, tensor, windows, number, begins, extents);
  }
  if (isCut)
    tensor = cut(b, tensor, windows, padded, low, high);
  if (llvm::all_of(low, is(0)) && llvm::all_of(high, is(0)))
    return tensor;
  return tensor::PadOp::create(b, Type(), tensor, low, high, number);
}

void trimWindows(ArrayRef<int64_t> extents, MutableArrayRef<Window> windows) {
  for (auto [extent, window] : llvm::zip(extents, windows)) {
    if (ShapedType::isDynamic(extent))
      continue;
    int64_t inner = extent == 0 ? 0 : (extent - 1) * window.baseDilation + 1;
    int64_t rest = inner + window.low + window.high - window.reach();
    if (rest >= 0)
      window.high -= rest % window.stride;
  }
}

Value trimPadded(ImplicitLocOpBuilder &b, Value tensor,
                 ArrayRef<Window> windows, ArrayRef<OpFoldResult> counts) {
  Sizes begins, sizes = extentsOf(b, tensor), strides;
  bool isTrimmed = false;
  for (auto [i, window] : llvm::enumerate(windows)) {
    begins.push_back(b.getIndexAttr(0));
    strides.push_back(b.getIndexAttr(1));
    if (window.stride == 1)
      continue;
    AffineExpr covered =
        (b.getAffineDimExpr(0) - 1) * window.stride + window.reach();
    OpFoldResult size = affine::makeComposedFoldedAffineApply(
        b, b.getLoc(), AffineMap::get(1, 0, covered), {counts[i]});
    // There may be no window.
    size = smallest(b, largest(b, size, begins[i]), sizes[i]);
    isTrimmed |= size != sizes[i];
    sizes[i] = size;
  }
  if (!isTrimmed)
    return tensor;
  return tensor::ExtractSliceOp::create(b, tensor, begins, sizes, strides);
}

} // namespace mercator::stablehlo
