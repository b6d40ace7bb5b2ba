// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Broadcast_in_dim, broadcast, dynamic_broadcast_in_dim: a linalg.generic that
// reads the operand at a projected permutation. Dimensions of extent 1 are
// collapsed first:
//
//   1x5 -> 3x5    collapse_shape to 5, read at (d0, d1) -> (d1)
//
// If only the program knows whether a dimension has extent 1, the body reads
// the operand by tensor.extract.

#include "mercator/transforms/stablehlo/lowering/Builders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {
/// Operand dimension `dim` becomes dimension `at` of the result.
struct Kept {
  int64_t dim, at;
};

struct Broadcasting {
  ImplicitLocOpBuilder &b;
  Value operand;
  ArrayRef<int64_t> dims;
  Sizes sizes;
  /// Operand dimensions that are known to be expanded, or not to be.
  ArrayRef<int64_t> expanding, nonexpanding;

  /// Nothing unless the operand is a constant of equal elements.
  Value ofConstant();
  Value create();
  /// Whether dimension `dim` of the operand is expanded; nothing if unknown.
  std::optional<bool> isExpanded(int64_t dim);
  Value readAnywhere();
};
} // namespace

Value Broadcasting::ofConstant() {
  SplatElementsAttr splat;
  if (!matchPattern(operand, m_Constant(&splat)))
    return {};
  SmallVector<int64_t> shape = shapeOf(sizes);
  if (ShapedType::isDynamicShape(shape))
    return filled(b, sizes,
                  scalarOf(b, arith::ConstantOp::create(
                                  b, splat.resizeSplat(RankedTensorType::get(
                                         {}, splat.getElementType())))));
  return arith::ConstantOp::create(b, splat.resizeSplat(RankedTensorType::get(
                                          shape, splat.getElementType())));
}

std::optional<bool> Broadcasting::isExpanded(int64_t dim) {
  int64_t extent = cast<RankedTensorType>(operand.getType()).getDimSize(dim);
  std::optional<int64_t> size = getConstantIntValue(sizes[dims[dim]]);
  if (ShapedType::isStatic(extent))
    return extent == 1 && size != 1;
  if (llvm::is_contained(nonexpanding, dim) || size == 1)
    return false;
  if (llvm::is_contained(expanding, dim))
    return true;
  if (areEqualSizes(sizes[dims[dim]], extentOf(b, operand, dim)))
    return false;
  return std::nullopt;
}

/// Reads at 0 where the operand turns out to have extent 1.
Value Broadcasting::readAnywhere() {
  Type element = cast<RankedTensorType>(operand.getType()).getElementType();
  Sizes extents = extentsOf(b, operand);
  Value one = indexConstant(b, 1), zero = indexConstant(b, 0);
  SmallVector<Value> isOne;
  for (OpFoldResult extent : extents)
    isOne.push_back(b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                                  valueOf(b, extent), one));
  return compute(b, sizes, element, {}, {},
                 [&](ImplicitLocOpBuilder &b, ValueRange) -> Values {
                   Values index;
                   for (auto [at, single] : llvm::zip(dims, isOne))
                     index.push_back(b.createOrFold<arith::SelectOp>(
                         single, zero, linalg::IndexOp::create(b, at)));
                   return {tensor::ExtractOp::create(b, operand, index)};
                 });
}

Value Broadcasting::create() {
  if (hasNoElements(shapeOf(sizes)))
    return empty(b, sizes,
                 cast<RankedTensorType>(operand.getType()).getElementType());
  if (Value constant = ofConstant())
    return constant;
  SmallVector<Kept> kept;
  SmallVector<int64_t> known(
      cast<RankedTensorType>(operand.getType()).getShape());
  Sizes keptSizes;
  for (auto [dim, at] : llvm::enumerate(dims)) {
    std::optional<bool> expanded = isExpanded(int64_t(dim));
    if (!expanded)
      return readAnywhere();
    if (*expanded) {
      known[dim] = 1;
      continue;
    }
    kept.push_back({int64_t(dim), at});
    std::optional<int64_t> size = getConstantIntValue(sizes[at]);
    if (ShapedType::isDynamic(known[dim]) && size)
      known[dim] = *size;
    // The extent of the operand, which a view of it has, too.
    sizes[at] = ShapedType::isStatic(known[dim])
                    ? OpFoldResult(b.getIndexAttr(known[dim]))
                    : extentOf(b, operand, int64_t(dim));
    keptSizes.push_back(sizes[at]);
  }
  Value source = refine(b, operand, known);
  // New dimensions of extent 1 only: a view.
  SmallVector<bool> isNew(sizes.size(), true);
  for (Kept k : kept)
    isNew[k.at] = false;
  bool isView =
      llvm::is_sorted(kept, [](Kept x, Kept y) { return x.at < y.at; });
  for (auto [size, isNew] : llvm::zip(sizes, isNew))
    isView &= !isNew || isConstantIntValue(size, 1);
  if (isView)
    return reshapeTensor(b, source, sizes);
  if (kept.size() < dims.size())
    source = reshapeTensor(b, source, keptSizes);
  SmallVector<AffineExpr> reads;
  for (Kept k : kept)
    reads.push_back(b.getAffineDimExpr(unsigned(k.at)));
  return compute(
      b, sizes, cast<RankedTensorType>(operand.getType()).getElementType(),
      {source},
      {AffineMap::get(unsigned(sizes.size()), 0, reads, b.getContext())},
      [](ImplicitLocOpBuilder &, ValueRange numbers) -> Values {
        return {numbers[0]};
      });
}

static FailureOr<Value> lowerBroadcast(BroadcastOp op, BroadcastOp::Adaptor in,
                                       Lowering &l) {
  Sizes sizes;
  for (int64_t size : op.getBroadcastSizes())
    sizes.push_back(l.b.getIndexAttr(size));
  SmallVector<int64_t> dims, all;
  for (OpFoldResult extent : extentsOf(l.b, in.getOperand())) {
    all.push_back(int64_t(dims.size()));
    dims.push_back(int64_t(sizes.size()));
    sizes.push_back(extent);
  }
  if (failed(expectResultElement(l, in.getOperand())))
    return failure();
  Broadcasting broadcasting{l.b, in.getOperand(), dims, sizes, {}, all};
  return castTo(l.b, broadcasting.create(), l.type());
}

/// A dynamic extent of the result is one of the operand.
static FailureOr<Value> lowerBroadcastInDim(BroadcastInDimOp op,
                                            BroadcastInDimOp::Adaptor in,
                                            Lowering &l) {
  RankedTensorType type = l.type();
  ArrayRef<int64_t> dims = op.getBroadcastDimensions();
  Sizes sizes(size_t(type.getRank()));
  SmallVector<int64_t> kept;
  for (auto [dim, at] : llvm::enumerate(dims)) {
    sizes[at] = extentOf(l.b, in.getOperand(), int64_t(dim));
    if (type.isDynamicDim(at))
      kept.push_back(int64_t(dim));
  }
  for (auto [size, extent] : llvm::zip(sizes, type.getShape())) {
    if (ShapedType::isStatic(extent))
      size = l.b.getIndexAttr(extent);
    else if (!size || isConstantIntValue(size, 1))
      return l.refuse("an extent of the result is not known");
  }
  if (failed(expectResultElement(l, in.getOperand())))
    return failure();
  Broadcasting broadcasting{l.b, in.getOperand(), dims, sizes, {}, kept};
  return castTo(l.b, broadcasting.create(), type);
}

static FailureOr<Value>
lowerDynamicBroadcastInDim(DynamicBroadcastInDimOp op,
                           DynamicBroadcastInDimOp::Adaptor in, Lowering &l) {
  auto listed = [](std::optional<ArrayRef<int64_t>> dims) {
    return dims.value_or(ArrayRef<int64_t>());
  };
  FailureOr<Sizes> sizes =
      resultSizesIn(l, op.getOutputDimensions(), in.getOutputDimensions());
  if (failed(sizes) || failed(expectResultElement(l, in.getOperand())))
    return failure();
  Broadcasting broadcasting{l.b,
                            in.getOperand(),
                            op.getBroadcastDimensions(),
                            *sizes,
                            listed(op.getKnownExpandingDimensions()),
                            listed(op.getKnownNonexpandingDimensions())};
  return castTo(l.b, broadcasting.create(), l.type());
}

void addBroadcastRules(LoweringRules &rules) {
  rules.add<BroadcastOp, lowerBroadcast>();
  rules.add<BroadcastInDimOp, lowerBroadcastInDim>();
  rules.add<DynamicBroadcastInDimOp, lowerDynamicBroadcastInDim>();
}

} // namespace mercator::stablehlo
