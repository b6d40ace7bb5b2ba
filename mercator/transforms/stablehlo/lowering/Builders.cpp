// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mercator::stablehlo {

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

OpFoldResult extentOf(ImplicitLocOpBuilder &b, Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(unsigned(dim)))
    return b.getIndexAttr(type.getDimSize(unsigned(dim)));
  // It may be known through a cast.
  return getAsOpFoldResult(b.createOrFold<tensor::DimOp>(tensor, dim));
}

Sizes extentsOf(ImplicitLocOpBuilder &b, Value tensor) {
  Sizes sizes;
  for (int64_t i = 0; i < cast<RankedTensorType>(tensor.getType()).getRank();
       ++i)
    sizes.push_back(extentOf(b, tensor, i));
  return sizes;
}

Sizes sizesOf(ImplicitLocOpBuilder &b, RankedTensorType type, Value like) {
  Sizes sizes;
  for (auto [i, extent] : llvm::enumerate(type.getShape()))
    sizes.push_back(ShapedType::isDynamic(extent)
                        ? extentOf(b, like, int64_t(i))
                        : OpFoldResult(b.getIndexAttr(extent)));
  return sizes;
}

Value valueOf(ImplicitLocOpBuilder &b, OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
}

Value indexConstant(ImplicitLocOpBuilder &b, int64_t number) {
  return arith::ConstantIndexOp::create(b, number);
}

Value toIndex(ImplicitLocOpBuilder &b, Value integer, bool isUnsigned) {
  if (integer.getType().isIndex())
    return integer;
  if (isUnsigned)
    return b.createOrFold<arith::IndexCastUIOp>(b.getIndexType(), integer);
  return b.createOrFold<arith::IndexCastOp>(b.getIndexType(), integer);
}

Value clampIndex(ImplicitLocOpBuilder &b, Value index, Value upper) {
  Value least = indexConstant(b, 0);
  Value raised = b.createOrFold<arith::MaxSIOp>(index, least);
  return b.createOrFold<arith::MinSIOp>(raised, upper);
}

static OpFoldResult apply(ImplicitLocOpBuilder &b, AffineExpr expr,
                          OpFoldResult x, OpFoldResult y) {
  return affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), AffineMap::get(2, 0, expr), {x, y});
}

OpFoldResult addSizes(ImplicitLocOpBuilder &b, OpFoldResult x, OpFoldResult y) {
  return apply(b, b.getAffineDimExpr(0) + b.getAffineDimExpr(1), x, y);
}

OpFoldResult subSizes(ImplicitLocOpBuilder &b, OpFoldResult x, OpFoldResult y) {
  return apply(b, b.getAffineDimExpr(0) - b.getAffineDimExpr(1), x, y);
}

OpFoldResult mulSizes(ImplicitLocOpBuilder &b, OpFoldResult x, OpFoldResult y) {
  std::optional<int64_t> a = getConstantIntValue(x), c = getConstantIntValue(y);
  if (a)
    return apply(b, b.getAffineDimExpr(1) * *a, x, y);
  if (c)
    return apply(b, b.getAffineDimExpr(0) * *c, x, y);
  return b.createOrFold<arith::MulIOp>(valueOf(b, x), valueOf(b, y));
}

static std::optional<std::pair<int64_t, int64_t>> bothKnown(OpFoldResult x,
                                                            OpFoldResult y) {
  std::optional<int64_t> a = getConstantIntValue(x), c = getConstantIntValue(y);
  if (!a || !c)
    return std::nullopt;
  return std::pair(*a, *c);
}

OpFoldResult minSizes(ImplicitLocOpBuilder &b, OpFoldResult x, OpFoldResult y) {
  if (auto known = bothKnown(x, y))
    return b.getIndexAttr(std::min(known->first, known->second));
  return b.createOrFold<arith::MinSIOp>(valueOf(b, x), valueOf(b, y));
}

OpFoldResult maxSizes(ImplicitLocOpBuilder &b, OpFoldResult x, OpFoldResult y) {
  if (auto known = bothKnown(x, y))
    return b.getIndexAttr(std::max(known->first, known->second));
  return b.createOrFold<arith::MaxSIOp>(valueOf(b, x), valueOf(b, y));
}

OpFoldResult ceilDivSizes(ImplicitLocOpBuilder &b, OpFoldResult x,
                          OpFoldResult y) {
  if (std::optional<int64_t> by = getConstantIntValue(y); by && *by > 0)
    return apply(b, b.getAffineDimExpr(0).ceilDiv(*by), x, y);
  return b.createOrFold<arith::CeilDivSIOp>(valueOf(b, x), valueOf(b, y));
}

OpFoldResult productOf(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes) {
  OpFoldResult product = b.getIndexAttr(1);
  for (OpFoldResult size : sizes)
    product = mulSizes(b, product, size);
  return product;
}

/// The value before casts of integers and indices. Extents fit in the integers
/// of get_dimension_size.
static Value withoutCasts(Value size) {
  while (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(
      size.getDefiningOp()))
    size = size.getDefiningOp()->getOperand(0);
  return size;
}

Sizes elementsOf(ImplicitLocOpBuilder &b, Value vector, int64_t count,
                 bool isUnsigned) {
  Sizes sizes;
  DenseIntElementsAttr known;
  if (matchPattern(vector, m_Constant(&known))) {
    for (const APInt &element : known.getValues<APInt>())
      sizes.push_back(b.getIndexAttr(
          isUnsigned ? int64_t(element.getLimitedValue(INT64_MAX))
                     : element.getSExtValue()));
    return sizes;
  }
  for (int64_t i = 0; i < count; ++i) {
    Value element =
        b.createOrFold<tensor::ExtractOp>(vector, indexConstant(b, i));
    Value whole = withoutCasts(element);
    sizes.push_back(getAsOpFoldResult(
        whole.getType().isIndex() ? whole : toIndex(b, element, isUnsigned)));
  }
  return sizes;
}

FailureOr<Sizes> resultSizesIn(Lowering &l, Value old, Value shape) {
  RankedTensorType type = l.type();
  auto given = cast<RankedTensorType>(old.getType());
  Sizes sizes = elementsOf(l.b, shape, type.getRank(),
                           isUnsigned(given.getElementType()));
  for (auto [size, extent] : llvm::zip(sizes, type.getShape()))
    if (ShapedType::isStatic(extent))
      size = l.b.getIndexAttr(extent);
  if (anyNegative(sizes))
    return l.refuse("expected extents of at least 0");
  return sizes;
}

Value clampStart(ImplicitLocOpBuilder &b, Value integer, bool isUnsigned,
                 OpFoldResult upper) {
  Value index = toIndex(b, integer, isUnsigned);
  if (isConstantIntValue(upper, 0))
    return indexConstant(b, 0);
  // An index of 64 unsigned bits may look negative.
  if (isUnsigned)
    return b.createOrFold<arith::MinUIOp>(index, valueOf(b, upper));
  return clampIndex(b, index, valueOf(b, upper));
}

SmallVector<int64_t> shapeOf(ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return shape;
}

bool areEqualSizes(OpFoldResult x, OpFoldResult y) {
  if (x == y)
    return true;
  auto a = dyn_cast<Value>(x), c = dyn_cast<Value>(y);
  if (!a || !c)
    return false;
  a = withoutCasts(a);
  c = withoutCasts(c);
  auto first = a.getDefiningOp<tensor::DimOp>(),
       second = c.getDefiningOp<tensor::DimOp>();
  return a == c ||
         (first && second && first.getSource() == second.getSource() &&
          first.getConstantIndex() &&
          first.getConstantIndex() == second.getConstantIndex());
}

bool anyNegative(ArrayRef<OpFoldResult> sizes) {
  return llvm::any_of(sizes, [](OpFoldResult size) {
    return getConstantIntValue(size).value_or(0) < 0;
  });
}

std::optional<int64_t> numElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (ShapedType::isDynamic(extent) ||
        llvm::MulOverflow(count, extent, count))
      return std::nullopt;
  return count;
}

bool hasNoElements(ArrayRef<int64_t> shape) {
  return llvm::is_contained(shape, 0);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value castTo(ImplicitLocOpBuilder &b, Value tensor, RankedTensorType type) {
  if (tensor.getType() == type)
    return tensor;
  return b.createOrFold<tensor::CastOp>(type, tensor);
}

Value empty(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
            Type element) {
  return tensor::EmptyOp::create(b, sizes, element);
}

Value filled(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
             Value number) {
  Value init = empty(b, sizes, number.getType());
  return linalg::FillOp::create(b, number, init).getResult(0);
}

Value scalarOf(ImplicitLocOpBuilder &b, Value tensor) {
  return b.createOrFold<tensor::ExtractOp>(tensor, ValueRange{});
}

Value tensorOf(ImplicitLocOpBuilder &b, Value number) {
  return tensor::FromElementsOp::create(
      b, RankedTensorType::get({}, number.getType()), number);
}

Value refine(ImplicitLocOpBuilder &b, Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> known(type.getShape());
  for (auto [own, other] : llvm::zip(known, shape))
    if (ShapedType::isDynamic(own))
      own = other;
  return castTo(b, tensor, type.clone(known));
}

Value refine(ImplicitLocOpBuilder &b, Value tensor) {
  return refine(b, tensor, shapeOf(extentsOf(b, tensor)));
}

LogicalResult expectResultElement(Lowering &l, Value operand) {
  Type own = cast<RankedTensorType>(operand.getType()).getElementType();
  if (own == l.type().getElementType())
    return success();
  return l.refuse("expected elements of one type");
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value zero(ImplicitLocOpBuilder &b, Type element) {
  return number(b, element, 0);
}

Value number(ImplicitLocOpBuilder &b, Type element, double value) {
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Type part = complex.getElementType();
    return complex::ConstantOp::create(
        b, complex,
        b.getArrayAttr({b.getFloatAttr(part, value), b.getFloatAttr(part, 0)}));
  }
  if (isa<FloatType>(element))
    return arith::ConstantOp::create(b, b.getFloatAttr(element, value));
  return integer(b, element, int64_t(value));
}

Value integer(ImplicitLocOpBuilder &b, Type element, int64_t value) {
  if (element.isIndex())
    return indexConstant(b, value);
  unsigned width = element.getIntOrFloatBitWidth();
  APInt bits(64, uint64_t(value), /*isSigned=*/true);
  return arith::ConstantOp::create(
      b, b.getIntegerAttr(element, bits.sextOrTrunc(width)));
}

//===----------------------------------------------------------------------===//
// linalg.generic
//===----------------------------------------------------------------------===//

Values generic(ImplicitLocOpBuilder &b, ValueRange inputs, ValueRange inits,
               ArrayRef<AffineMap> maps, ArrayRef<Iterator> iterators,
               PointFn body) {
  auto op = linalg::GenericOp::create(
      b, inits.getTypes(), inputs, inits, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange numbers) {
        ImplicitLocOpBuilder inside(loc, nested);
        linalg::YieldOp::create(inside, ValueRange(body(inside, numbers)));
      });
  return Values(op.getResults());
}

Value compute(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
              Type element, ValueRange inputs, ArrayRef<AffineMap> maps,
              PointFn body) {
  Value init = empty(b, sizes, element);
  SmallVector<AffineMap> all(maps);
  all.push_back(b.getMultiDimIdentityMap(unsigned(sizes.size())));
  SmallVector<Iterator> iterators(sizes.size(), Iterator::parallel);
  return generic(b, inputs, {init}, all, iterators,
                 [&](ImplicitLocOpBuilder &inside, ValueRange numbers) {
                   return body(inside, numbers.drop_back());
                 })
      .front();
}

static int64_t rankOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getRank();
}

/// The extents that are known of any of the types.
static SmallVector<int64_t> knownShape(RankedTensorType type,
                                       ValueRange tensors) {
  SmallVector<int64_t> shape(type.getShape());
  for (Value tensor : tensors)
    for (auto [extent, own] :
         llvm::zip(shape, cast<RankedTensorType>(tensor.getType()).getShape()))
      if (ShapedType::isDynamic(extent))
        extent = own;
  return shape;
}

Value computeEach(ImplicitLocOpBuilder &b, RankedTensorType type,
                  ValueRange inputs, PointFn body) {
  // Inputs of rank 0 say nothing of the shape.
  SmallVector<int64_t> shape = knownShape(type, inputs);
  RankedTensorType known = type.clone(shape);
  auto rank = unsigned(shape.size());
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  Value like;
  for (Value input : inputs) {
    if (rankOf(input) == 0) {
      operands.push_back(input);
      maps.push_back(AffineMap::get(rank, 0, b.getContext()));
      continue;
    }
    Type element = cast<RankedTensorType>(input.getType()).getElementType();
    operands.push_back(castTo(b, input, known.clone(element)));
    maps.push_back(b.getMultiDimIdentityMap(rank));
    like = operands.back();
  }
  Sizes sizes = sizesOf(b, known, like);
  return castTo(
      b, compute(b, sizes, type.getElementType(), operands, maps, body), type);
}

} // namespace mercator::stablehlo
