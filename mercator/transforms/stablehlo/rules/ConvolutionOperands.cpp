// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/rules/ConvolutionOperands.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::stablehlo {

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// `expr` of one size, as d0.
static OpFoldResult apply(ImplicitLocOpBuilder &b, AffineExpr expr,
                          OpFoldResult size) {
  return affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), AffineMap::get(1, 0, expr), {size});
}

static OpFoldResult atLeastZero(ImplicitLocOpBuilder &b, OpFoldResult size) {
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return b.getIndexAttr(std::max<int64_t>(*known, 0));
  return b.createOrFold<arith::MaxSIOp>(valueOf(b, size), indexConstant(b, 0));
}

static OpFoldResult negated(ImplicitLocOpBuilder &b, OpFoldResult size) {
  return apply(b, -b.getAffineDimExpr(0), size);
}

/// The distance from the first of `count` elements to behind the last.
static OpFoldResult dilated(ImplicitLocOpBuilder &b, OpFoldResult count,
                            int64_t dilation) {
  if (dilation == 1)
    return count;
  return atLeastZero(
      b, apply(b, (b.getAffineDimExpr(0) - 1) * dilation + 1, count));
}

static OpFoldResult paddedSize(ImplicitLocOpBuilder &b,
                               const ConvWindow &window, Value lhs) {
  OpFoldResult inner =
      dilated(b, extentOf(b, lhs, window.lhsDim), window.lhsDilation);
  return addSizes(b, addSizes(b, window.low, inner), window.high);
}

/// How far the last element of the first window is from the end of lhs.
static OpFoldResult restOf(ImplicitLocOpBuilder &b, const ConvWindow &window,
                           Value lhs, Value kernel) {
  OpFoldResult reach =
      dilated(b, extentOf(b, kernel, window.kernelDim), window.rhsDilation);
  return subSizes(b, paddedSize(b, window, lhs), reach);
}

// The verifier refuses kernels that are known to be empty.
OpFoldResult positionsOf(ImplicitLocOpBuilder &b, const ConvWindow &window,
                         Value lhs, Value kernel) {
  OpFoldResult rest = restOf(b, window, lhs, kernel);
  AffineExpr d = b.getAffineDimExpr(0);
  return atLeastZero(b, apply(b, d.floorDiv(window.stride) + 1, rest));
}

static bool isZero(OpFoldResult size) {
  return getConstantIntValue(size) == int64_t(0);
}

void fitPadding(ImplicitLocOpBuilder &b, ConvWindow &window, Value lhs,
                Value kernel, OpFoldResult positions) {
  OpFoldResult atEnd = restOf(b, window, lhs, kernel);
  std::optional<int64_t> rest = getConstantIntValue(atEnd),
                         count = getConstantIntValue(positions),
                         high = getConstantIntValue(window.high);
  // linalg-fold-unit-extent-dims wants a single position to read all.
  if (count == int64_t(1)) {
    window.high = subSizes(b, window.high, atEnd);
    return;
  }
  if (!rest || !count || !high)
    return;
  int64_t unread = *rest - (*count - 1) * window.stride;
  window.high =
      b.getIndexAttr(std::max(*high - unread, std::min<int64_t>(*high, 0)));
}

//===----------------------------------------------------------------------===//
// lhs
//===----------------------------------------------------------------------===//

Value padded(ImplicitLocOpBuilder &b, Value lhs, ArrayRef<ConvWindow> windows) {
  auto type = cast<RankedTensorType>(lhs.getType());
  OpFoldResult none = b.getIndexAttr(0), one = b.getIndexAttr(1);
  size_t rank = size_t(type.getRank());
  Sizes extents = extentsOf(b, lhs), sizes(extents), inner(extents);
  // What is added on both sides, and what is cut off afterwards.
  Sizes low(rank, none), high(rank, none), cut(rank, none), strides(rank, one);
  Sizes left(extents);
  bool isDilated = false, isPadded = false, isCut = false, isEmpty = false;
  for (const ConvWindow &window : windows) {
    auto dim = size_t(window.lhsDim);
    low[dim] = atLeastZero(b, window.low);
    high[dim] = atLeastZero(b, window.high);
    cut[dim] = atLeastZero(b, negated(b, window.low));
    OpFoldResult cutHigh = atLeastZero(b, negated(b, window.high));
    inner[dim] = dilated(b, extents[dim], window.lhsDilation);
    sizes[dim] = addSizes(b, addSizes(b, low[dim], inner[dim]), high[dim]);
    left[dim] =
        atLeastZero(b, subSizes(b, subSizes(b, sizes[dim], cut[dim]), cutHigh));
    strides[dim] = b.getIndexAttr(window.lhsDilation);
    isDilated |= window.lhsDilation != 1;
    isPadded |= !isZero(low[dim]) || !isZero(high[dim]);
    isCut |= !isZero(cut[dim]) || !isZero(cutHigh);
    isEmpty |= isZero(extents[dim]);
  }

  Value number = isDilated || isPadded ? zero(b, type.getElementType()) : lhs;
  if (isEmpty && isPadded)
    lhs = filled(b, sizes, number);
  else if (isDilated)
    lhs = tensor::InsertSliceOp::create(b, lhs, filled(b, sizes, number), low,
                                        extents, strides);
  else if (isPadded) {
    SmallVector<int64_t> shape;
    for (OpFoldResult size : sizes)
      shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    lhs = tensor::PadOp::create(b, type.clone(shape), lhs, low, high, number);
  }
  if (!isCut)
    return lhs;
  // A cut behind the end leaves nothing.
  for (auto [begin, size] : llvm::zip_equal(cut, sizes))
    if (!getConstantIntValue(begin) || !getConstantIntValue(size))
      if (!isZero(begin))
        begin =
            b.createOrFold<arith::MinSIOp>(valueOf(b, begin), valueOf(b, size));
  return tensor::ExtractSliceOp::create(b, lhs, cut, left, Sizes(rank, one));
}

//===----------------------------------------------------------------------===//
// Kernel and groups
//===----------------------------------------------------------------------===//

Value reversed(ImplicitLocOpBuilder &b, Value kernel,
               ArrayRef<ConvWindow> windows) {
  auto type = cast<RankedTensorType>(kernel.getType());
  llvm::SmallDenseSet<int64_t, 4> dims;
  for (const ConvWindow &window : windows)
    if (window.isReversed && type.getDimSize(unsigned(window.kernelDim)) != 1)
      dims.insert(window.kernelDim);
  if (dims.empty())
    return kernel;

  // A map cannot depend on an extent that is unknown.
  Sizes sizes = extentsOf(b, kernel);
  bool isKnown = llvm::none_of(
      dims, [&](int64_t dim) { return type.isDynamicDim(unsigned(dim)); });
  if (isKnown) {
    SmallVector<AffineExpr> exprs;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      AffineExpr d = b.getAffineDimExpr(unsigned(dim));
      exprs.push_back(
          dims.contains(dim) ? type.getDimSize(unsigned(dim)) - 1 - d : d);
    }
    AffineMap map =
        AffineMap::get(unsigned(type.getRank()), 0, exprs, b.getContext());
    return compute(b, sizes, type.getElementType(), kernel, map,
                   [](ImplicitLocOpBuilder &, ValueRange numbers) -> Values {
                     return {numbers[0]};
                   });
  }
  llvm::SmallDenseMap<int64_t, Value> last;
  for (int64_t dim : dims)
    last[dim] = valueOf(b, subSizes(b, sizes[size_t(dim)], b.getIndexAttr(1)));
  return compute(b, sizes, type.getElementType(), {}, {},
                 [&](ImplicitLocOpBuilder &inside, ValueRange) -> Values {
                   Values index;
                   for (int64_t dim = 0; dim < type.getRank(); ++dim) {
                     Value i = linalg::IndexOp::create(inside, uint64_t(dim));
                     index.push_back(dims.contains(dim)
                                         ? Value(arith::SubIOp::create(
                                               inside, last[dim], i))
                                         : i);
                   }
                   return {tensor::ExtractOp::create(inside, kernel, index)};
                 });
}

static SmallVector<ReassociationIndices> pairAt(int64_t rank, int64_t dim) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i < rank; ++i) {
    if (i == dim + 1)
      groups.back().push_back(i);
    else
      groups.push_back({i});
  }
  return groups;
}

Value splitDim(ImplicitLocOpBuilder &b, Value tensor, int64_t dim,
               int64_t groups) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Sizes sizes = extentsOf(b, tensor);
  SmallVector<int64_t> shape(type.getShape());
  OpFoldResult &size = sizes[size_t(dim)];
  size = apply(b, b.getAffineDimExpr(0).floorDiv(groups), size);
  if (!type.isDynamicDim(unsigned(dim)))
    shape[size_t(dim)] /= groups;
  else // An extent that folds is no part of the type.
    size = valueOf(b, size);
  sizes.insert(sizes.begin() + dim, b.getIndexAttr(groups));
  shape.insert(shape.begin() + dim, groups);
  return tensor::ExpandShapeOp::create(
      b, RankedTensorType::get(shape, type.getElementType()), tensor,
      ArrayRef<ReassociationIndices>(pairAt(type.getRank() + 1, dim)),
      ArrayRef<OpFoldResult>(sizes));
}

Value mergeDims(ImplicitLocOpBuilder &b, Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return tensor::CollapseShapeOp::create(
      b, tensor, ArrayRef<ReassociationIndices>(pairAt(type.getRank(), dim)));
}

} // namespace mercator::stablehlo
