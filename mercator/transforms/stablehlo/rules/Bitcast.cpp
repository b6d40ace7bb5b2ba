// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bitcast_convert, hlo.bitcast, hlo.copy: other types and layouts for the same
// bits. Lowered tensors have no layout, so a new layout is a transpose of the
// dimensions if it moves elements, and nothing if it does not.

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Translation.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::stablehlo {

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

static unsigned widthOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  return element.getIntOrFloatBitWidth();
}

static Value bitcast(ImplicitLocOpBuilder &b, Value number, Type to) {
  return number.getType() == to
             ? number
             : Value(arith::BitcastOp::create(b, to, number));
}

static Value toBits(ImplicitLocOpBuilder &b, Value number) {
  return bitcast(b, number, b.getIntegerType(widthOf(number.getType())));
}

static Value shiftCount(ImplicitLocOpBuilder &b, int64_t dim, Type integer,
                        unsigned width) {
  Value place = arith::IndexCastOp::create(
      b, integer, linalg::IndexOp::create(b, uint64_t(dim)));
  return arith::MulIOp::create(b, place, stablehlo::integer(b, integer, width));
}

/// (d0, .., dn) -> (d0, .., dcount-1).
static AffineMap leadingDims(Builder &b, int64_t rank, int64_t count) {
  SmallVector<AffineExpr> dims;
  for (int64_t dim = 0; dim < count; ++dim)
    dims.push_back(b.getAffineDimExpr(unsigned(dim)));
  return AffineMap::get(unsigned(rank), 0, dims, b.getContext());
}

/// Parts of an element along a new last dimension, least significant first.
static Value splitElements(ImplicitLocOpBuilder &b, Value tensor, Type to) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type wide = b.getIntegerType(widthOf(type.getElementType())),
       narrow = b.getIntegerType(widthOf(to));
  int64_t rank = type.getRank();
  Sizes sizes = extentsOf(b, tensor);
  sizes.push_back(b.getIndexAttr(widthOf(wide) / widthOf(narrow)));
  return compute(
      b, sizes, to, {tensor}, leadingDims(b, rank + 1, rank),
      [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
        Value count = shiftCount(b, rank, wide, widthOf(narrow));
        Value part = arith::ShRUIOp::create(b, toBits(b, numbers[0]), count);
        return {bitcast(b, arith::TruncIOp::create(b, narrow, part), to)};
      });
}

/// The inverse: a reduction over the last dimension by or.
static Value joinElements(ImplicitLocOpBuilder &b, Value tensor, Type to) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type wide = b.getIntegerType(widthOf(to));
  unsigned narrow = widthOf(type.getElementType());
  int64_t rank = type.getRank();
  Sizes sizes = extentsOf(b, tensor);
  sizes.pop_back();
  SmallVector<Iterator> iterators(size_t(rank) - 1, Iterator::parallel);
  iterators.push_back(Iterator::reduction);
  Value bits =
      generic(b, {tensor}, {filled(b, sizes, zero(b, wide))},
              {leadingDims(b, rank, rank), leadingDims(b, rank, rank - 1)},
              iterators,
              [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
                Value part =
                    arith::ExtUIOp::create(b, wide, toBits(b, numbers[0]));
                part = arith::ShLIOp::create(
                    b, part, shiftCount(b, rank - 1, wide, narrow));
                return {arith::OrIOp::create(b, numbers[1], part)};
              })
          .front();
  if (wide == to)
    return bits;
  return computeEach(
      b, RankedTensorType::get(shapeOf(sizes), to), {bits},
      [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
        return {bitcast(b, numbers[0], to)};
      });
}

/// complex<f64> to two complex<f32>: the low and high half of the real part;
/// the low and high half of the imaginary part.
static Value splitComplex(ImplicitLocOpBuilder &b, Value tensor,
                          ComplexType to) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t rank = type.getRank();
  Sizes sizes = extentsOf(b, tensor);
  sizes.push_back(b.getIndexAttr(2));
  Type wide = b.getI64Type(), narrow = b.getI32Type();
  return compute(
      b, sizes, to, {tensor}, leadingDims(b, rank + 1, rank),
      [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
        Value isFirst = arith::CmpIOp::create(
            b, arith::CmpIPredicate::eq,
            linalg::IndexOp::create(b, uint64_t(rank)), indexConstant(b, 0));
        Value bits =
            toBits(b, arith::SelectOp::create(
                          b, isFirst, complex::ReOp::create(b, numbers[0]),
                          complex::ImOp::create(b, numbers[0])));
        Value high = arith::ShRUIOp::create(b, bits, integer(b, wide, 32));
        auto part = [&](Value half) {
          return bitcast(b, arith::TruncIOp::create(b, narrow, half),
                         to.getElementType());
        };
        return {complex::CreateOp::create(b, to, part(bits), part(high))};
      });
}

static Value joinComplex(ImplicitLocOpBuilder &b, Value tensor,
                         ComplexType to) {
  Sizes sizes = extentsOf(b, tensor);
  sizes.pop_back();
  auto rank = int64_t(sizes.size());
  Type wide = b.getI64Type();
  return compute(
      b, sizes, to, {}, {}, [&](ImplicitLocOpBuilder &b, ValueRange) -> Values {
        auto part = [&](int64_t which) -> Value {
          Values at;
          for (int64_t dim = 0; dim < rank; ++dim)
            at.push_back(linalg::IndexOp::create(b, uint64_t(dim)));
          at.push_back(indexConstant(b, which));
          Value pair = tensor::ExtractOp::create(b, tensor, at);
          auto half = [&](Value real) -> Value {
            return arith::ExtUIOp::create(b, wide, toBits(b, real));
          };
          Value high = arith::ShLIOp::create(
              b, half(complex::ImOp::create(b, pair)), integer(b, wide, 32));
          return bitcast(b,
                         arith::OrIOp::create(
                             b, half(complex::ReOp::create(b, pair)), high),
                         to.getElementType());
        };
        return {complex::CreateOp::create(b, to, part(0), part(1))};
      });
}

/// Elements of another type and the same bits. Elements of another width have
/// the parts of the wider ones along the last dimension.
static Value convertBits(ImplicitLocOpBuilder &b, Value tensor, Type to) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type from = type.getElementType();
  if (from == to)
    return tensor;
  unsigned fromWidth = widthOf(from), toWidth = widthOf(to);
  if (fromWidth > toWidth) {
    if (auto complex = dyn_cast<ComplexType>(to))
      return splitComplex(b, tensor, complex);
    return splitElements(b, tensor, to);
  }
  if (fromWidth < toWidth) {
    // The last dimension has the parts of an element.
    SmallVector<int64_t> shape(size_t(type.getRank()), ShapedType::kDynamic);
    shape.back() = toWidth / fromWidth;
    tensor = refine(b, tensor, shape);
    if (auto complex = dyn_cast<ComplexType>(to))
      return joinComplex(b, tensor, complex);
    return joinElements(b, tensor, to);
  }
  return computeEach(
      b, type.clone(to), {tensor},
      [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
        return {bitcast(b, numbers[0], to)};
      });
}

static Sizes staticSizes(Builder &b, ArrayRef<int64_t> shape) {
  Sizes sizes;
  for (int64_t extent : shape)
    sizes.push_back(b.getIndexAttr(extent));
  return sizes;
}

static FailureOr<Value> lowerBitcastConvert(BitcastConvertOp op,
                                            BitcastConvertOp::Adaptor in,
                                            Lowering &l) {
  RankedTensorType type = l.type();
  auto from = cast<RankedTensorType>(in.getOperand().getType());
  if (isa<ComplexType>(from.getElementType()) !=
      isa<ComplexType>(type.getElementType()))
    return l.refuse("expected operand and result both complex or neither");
  // The known extents of both; they differ by the last dimension at most.
  Value operand = refine(l.b, in.getOperand(), type.getShape());
  if (type.hasStaticShape() && hasNoElements(type.getShape()))
    return empty(l.b, staticSizes(l.b, type.getShape()), type.getElementType());
  return castTo(l.b, convertBits(l.b, operand, type.getElementType()), type);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// The dimensions of a tensor in memory, the slowest first.
static SmallVector<int64_t> orderInMemory(RankedTensorType type) {
  SmallVector<int64_t> order = hlo::minorToMajor(type);
  std::reverse(order.begin(), order.end());
  return order;
}

/// As orderInMemory, without the dimensions of extent 1.
static SmallVector<int64_t> dimsInMemory(RankedTensorType type) {
  SmallVector<int64_t> dims;
  for (int64_t dim : orderInMemory(type))
    if (type.getDimSize(dim) != 1)
      dims.push_back(dim);
  return dims;
}

static bool haveSameExtents(RankedTensorType x, ArrayRef<int64_t> xDims,
                            RankedTensorType y, ArrayRef<int64_t> yDims) {
  return xDims.size() == yDims.size() &&
         llvm::all_of(llvm::zip(xDims, yDims), [&](auto pair) {
           auto [i, j] = pair;
           return x.getDimSize(i) == y.getDimSize(j);
         });
}

/// The rank of each dimension among `dims`: {5, 2} to {1, 0}.
static SmallVector<int64_t> ranksOf(ArrayRef<int64_t> dims) {
  SmallVector<int64_t> sorted(dims), ranks;
  llvm::sort(sorted);
  for (int64_t dim : dims)
    ranks.push_back(llvm::find(sorted, dim) - sorted.begin());
  return ranks;
}

/// The static extents of `type` in memory order.
static SmallVector<int64_t> shapeInMemory(RankedTensorType type) {
  SmallVector<int64_t> shape;
  for (int64_t dim : orderInMemory(type))
    shape.push_back(type.getDimSize(dim));
  return shape;
}

/// The result has the dimensions of the operand in another order.
static Value permute(ImplicitLocOpBuilder &b, Value tensor,
                     ArrayRef<int64_t> fromDims, RankedTensorType to,
                     ArrayRef<int64_t> toDims) {
  // Dimension toDims[i] of the result is dimension fromDims[i].
  Sizes extents = extentsOf(b, tensor), kept, sizes;
  for (auto [dim, extent] : llvm::enumerate(extents))
    if (llvm::is_contained(fromDims, int64_t(dim)))
      kept.push_back(extent);
  SmallVector<int64_t> permutation(fromDims.size());
  for (auto [at, source] : llvm::zip(ranksOf(toDims), ranksOf(fromDims)))
    permutation[at] = source;
  for (auto [dim, extent] : llvm::enumerate(to.getShape())) {
    sizes.push_back(b.getIndexAttr(extent));
    if (ShapedType::isDynamic(extent))
      sizes.back() =
          extents[fromDims[llvm::find(toDims, int64_t(dim)) - toDims.begin()]];
  }
  Value squeezed = reshapeTensor(b, tensor, kept);
  return reshapeTensor(b, transposeTensor(b, squeezed, permutation), sizes);
}

/// Element n in memory order becomes element n in memory order.
static FailureOr<Value> lowerBitcast(hlo::BitcastOp op,
                                     hlo::BitcastOp::Adaptor in, Lowering &l) {
  auto from = cast<RankedTensorType>(op.getOperand().getType()),
       to = cast<RankedTensorType>(op.getResult().getType());
  Type element = l.type().getElementType();
  Value operand = in.getOperand();
  Type ownElement = cast<RankedTensorType>(operand.getType()).getElementType();
  SmallVector<int64_t> fromDims = dimsInMemory(from), toDims = dimsInMemory(to);
  if (element == ownElement && haveSameExtents(from, fromDims, to, toDims))
    return castTo(l.b, permute(l.b, operand, fromDims, to, toDims), l.type());
  std::optional<int64_t> count = numElements(from.getShape()),
                         toCount = numElements(to.getShape());
  if (!count || !toCount)
    return l.refuse("a bitcast that moves elements needs known extents");
  if (hasNoElements(to.getShape()))
    return empty(l.b, staticSizes(l.b, to.getShape()), element);

  Value memory = transposeTensor(l.b, operand, orderInMemory(from));
  if (element != ownElement) {
    unsigned fromWidth = widthOf(ownElement), toWidth = widthOf(element);
    // How elements of less than a byte lie in memory is not defined, except
    // that booleans have a byte.
    if (ownElement.isInteger(1) && toWidth % 8 == 0) {
      memory = computeEach(
          l.b, cast<RankedTensorType>(memory.getType()).clone(l.b.getI8Type()),
          {memory}, [](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
            return {arith::ExtUIOp::create(b, b.getI8Type(), numbers[0])};
          });
      fromWidth = 8;
    }
    if (fromWidth % 8 || toWidth % 8 || isa<ComplexType>(ownElement) ||
        isa<ComplexType>(element))
      return l.refuse("it is not defined for these element types");
    if (*count * fromWidth != *toCount * toWidth)
      return l.refuse("expected operand and result of the same size");
    if (fromWidth < toWidth)
      memory = reshapeTensor(l.b, memory,
                             staticSizes(l.b, {*count * fromWidth / toWidth,
                                               int64_t(toWidth / fromWidth)}));
    memory = convertBits(l.b, memory, element);
  } else if (count != toCount) {
    return l.refuse("expected operand and result of the same size");
  }
  memory = reshapeTensor(l.b, memory, staticSizes(l.b, shapeInMemory(to)));
  return castTo(
      l.b,
      transposeTensor(l.b, memory, invertPermutationVector(orderInMemory(to))),
      l.type());
}

/// Any value; a tensor may have another layout.
static FailureOr<Values> lowerCopy(hlo::CopyOp op, Lowering &l) {
  Values values = l.translation.all(op->getOperands());
  SmallVector<Type> types = lowerTypes(op->getResultTypes());
  for (auto [value, type] : llvm::zip(values, types))
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && value.getType() != type)
      value = castTo(l.b, value, tensor);
  return values;
}

void addBitcastRules(LoweringRules &rules) {
  rules.add<BitcastConvertOp, lowerBitcastConvert>();
  rules.add<hlo::BitcastOp, lowerBitcast>();
  rules.add<hlo::CopyOp, lowerCopy>();
}

} // namespace mercator::stablehlo
