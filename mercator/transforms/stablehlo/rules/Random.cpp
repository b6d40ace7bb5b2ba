// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rng and rng_bit_generator.
//
// rng_bit_generator becomes two elementwise operations. The first one computes
// the words of each counter: two of Threefry-2x32, four of Philox-4x32 (Salmon,
// Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011).
// The second one interleaves the words, which become elements. Elements and
// counters correspond as in XLA.
//
// rng has a hidden state, so its random bits come from a library function.

#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/LibraryCalls.h"
#include "mercator/transforms/stablehlo/lowering/RandomWords.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <numbers>

using namespace mlir;

namespace mercator::stablehlo {

//===----------------------------------------------------------------------===//
// Tensors of words
//===----------------------------------------------------------------------===//

static Sizes knownSizes(OpBuilder &b, ArrayRef<int64_t> shape) {
  return getAsIndexOpFoldResult(b.getContext(), shape);
}

/// `count` tensors of one shape, computed from scalars: the body takes the
/// numbers of the scalars and gives one number for each tensor.
static Values computeSeveral(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                             Type element, size_t count, ValueRange scalars,
                             PointFn body) {
  auto rank = unsigned(shape.size());
  Values inits;
  SmallVector<AffineMap> maps(scalars.size(),
                              AffineMap::get(rank, 0, b.getContext()));
  for (size_t i = 0; i < count; ++i) {
    inits.push_back(empty(b, knownSizes(b, shape), element));
    maps.push_back(b.getMultiDimIdentityMap(rank));
  }
  SmallVector<Iterator> iterators(rank, Iterator::parallel);
  return generic(b, scalars, inits, maps, iterators, body);
}

/// The row-major position of the current point in a tensor of this shape.
static Value position(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape) {
  Value sum;
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (shape[dim] != 1) {
      Value term = arith::IndexCastOp::create(
          b, b.getI64Type(), linalg::IndexOp::create(b, int64_t(dim)));
      if (stride != 1)
        term = arith::MulIOp::create(b, term, wide(b, uint64_t(stride)));
      sum = sum ? add(b, sum, term) : term;
    }
    stride *= shape[dim];
  }
  return sum ? sum : wide(b, 0);
}

/// Tensors of one shape beside each other, along a new dimension `dim`.
static Value stackAlong(ImplicitLocOpBuilder &b, ValueRange tensors,
                        int64_t dim) {
  auto type = cast<RankedTensorType>(tensors.front().getType());
  auto rank = unsigned(type.getRank() + 1);
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + dim, int64_t(tensors.size()));
  SmallVector<AffineMap> maps(
      tensors.size(), b.getMultiDimIdentityMap(rank).dropResult(unsigned(dim)));
  auto select = [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
    Value which = linalg::IndexOp::create(b, dim), chosen = numbers.front();
    for (size_t i = 1; i < tensors.size(); ++i) {
      Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, which,
                                       indexConstant(b, int64_t(i)));
      chosen = arith::SelectOp::create(b, is, numbers[i], chosen);
    }
    return {chosen};
  };
  return compute(b, knownSizes(b, shape), type.getElementType(), tensors, maps,
                 select);
}

/// The first `extent` elements along a dimension.
static Value firstAlong(ImplicitLocOpBuilder &b, Value tensor, int64_t dim,
                        int64_t extent) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getDimSize(unsigned(dim)) == extent)
    return tensor;
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = extent;
  Sizes offsets(shape.size(), b.getIndexAttr(0)),
      strides(shape.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, tensor, offsets,
                                        knownSizes(b, shape), strides);
}

//===----------------------------------------------------------------------===//
// rng_bit_generator
//===----------------------------------------------------------------------===//

namespace {
/// The bits of a generator and the number of counters that they took.
struct Generated {
  Value bits;
  int64_t counters = 0;
};
} // namespace

Value elementOf(ImplicitLocOpBuilder &b, Value tensor, int64_t i) {
  Sizes offset = {b.getIndexAttr(i)}, one = {b.getIndexAttr(1)};
  return tensor::ExtractSliceOp::create(
      b, RankedTensorType::get({}, getElementTypeOrSelf(tensor.getType())),
      tensor, offset, one, one);
}

// A counter gives 64 bits: one element, or two narrower ones that are neighbors
// along the first dimension of an even extent, or else along the longest one.
static Generated generateThreefry(ImplicitLocOpBuilder &b, Value state,
                                  RankedTensorType type) {
  Type element = type.getElementType();
  Values scalars = {elementOf(b, state, 0), elementOf(b, state, 1)};
  bool isWhole = element.getIntOrFloatBitWidth() == 64 || type.getRank() == 0;
  SmallVector<int64_t> shape(type.getShape());
  int64_t split = 0;
  if (!isWhole) {
    for (auto [dim, extent] : llvm::enumerate(type.getShape()))
      if (extent > type.getDimSize(unsigned(split)))
        split = int64_t(dim);
    for (int64_t dim = type.getRank(); dim-- > 0;)
      if (type.getDimSize(unsigned(dim)) % 2 == 0)
        split = dim;
    shape[split] = (shape[split] + 1) / 2;
  }
  auto body = [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
    Values words =
        threefry(b, numbers[0], add(b, numbers[1], position(b, shape)));
    if (isWhole)
      return {asElement(b, join(b, words[0], words[1]), element)};
    return {asElement(b, words[0], element), asElement(b, words[1], element)};
  };
  Values words =
      computeSeveral(b, shape, element, isWhole ? 1 : 2, scalars, body);
  int64_t counters = ShapedType::getNumElements(shape);
  if (isWhole)
    return {words.front(), counters};
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0, from = 0; dim < type.getRank(); ++dim) {
    groups.push_back({from++});
    if (dim == split)
      groups.back().push_back(from++);
  }
  Value pairs = stackAlong(b, words, split + 1);
  Value all = tensor::CollapseShapeOp::create(b, pairs, groups);
  return {firstAlong(b, all, split, type.getDimSize(unsigned(split))),
          counters};
}

Value carry(ImplicitLocOpBuilder &b, Value sum, Value term) {
  return arith::ExtUIOp::create(
      b, b.getI64Type(),
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, sum, term));
}

// A counter of 128 bits gives four words: four elements, or two of 64 bits.
static Generated generatePhilox(ImplicitLocOpBuilder &b, Value state,
                                RankedTensorType type) {
  Type element = type.getElementType();
  bool isWide = element.getIntOrFloatBitWidth() == 64;
  int64_t each = isWide ? 2 : 4, size = type.getNumElements(),
          count = (size + each - 1) / each;
  // With two words, the first is both the key and the high half of the counter.
  bool hasHigh = cast<RankedTensorType>(state.getType()).getDimSize(0) == 3;
  Values scalars = {elementOf(b, state, 0), elementOf(b, state, 1)};
  if (hasHigh)
    scalars.push_back(elementOf(b, state, 2));
  auto body = [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
    Value low = add(b, numbers[1], position(b, {count}));
    Value high = add(b, numbers[hasHigh ? 2 : 0], carry(b, low, numbers[1]));
    Values words = philox(b, numbers[0], low, high), elements;
    for (int64_t i = 0; i < each; ++i)
      elements.push_back(asElement(
          b, isWide ? join(b, words[2 * i], words[2 * i + 1]) : words[i],
          element));
    return elements;
  };
  Values words =
      computeSeveral(b, {count}, element, size_t(each), scalars, body);
  Value all = tensor::CollapseShapeOp::create(
      b, stackAlong(b, words, 1), ArrayRef<ReassociationIndices>{{0, 1}});
  all = firstAlong(b, all, 0, size);
  if (type.getRank() == 0)
    return {tensor::CollapseShapeOp::create(b, type, all,
                                            ArrayRef<ReassociationIndices>{}),
            count};
  if (type.getRank() == 1)
    return {all, count};
  ReassociationIndices group =
      llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()));
  return {tensor::ExpandShapeOp::create(b, type, all,
                                        ArrayRef<ReassociationIndices>{group}),
          count};
}

Value nextState(ImplicitLocOpBuilder &b, Value state, Value counters) {
  auto type = cast<RankedTensorType>(state.getType());
  AffineMap all = b.getMultiDimIdentityMap(1),
            none = AffineMap::get(1, 0, b.getContext());
  auto body = [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
    Value low = add(b, numbers[1], counters),
          index = linalg::IndexOp::create(b, 0);
    auto isWord = [&](int64_t i) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, index,
                                   indexConstant(b, i));
    };
    Value result = arith::SelectOp::create(b, isWord(1), low, numbers[0]);
    if (type.getDimSize(0) == 3) {
      Value high = add(b, numbers[0], carry(b, low, counters));
      result = arith::SelectOp::create(b, isWord(2), high, result);
    }
    return {result};
  };
  return compute(b, knownSizes(b, type.getShape()), type.getElementType(),
                 {state, elementOf(b, state, 1)}, {all, none}, body);
}

static FailureOr<Values> lowerRngBitGenerator(RngBitGeneratorOp op,
                                              RngBitGeneratorOp::Adaptor in,
                                              Lowering &l) {
  Value state = in.getInitialState();
  auto stateType = cast<RankedTensorType>(state.getType());
  RankedTensorType type = l.type(1);
  bool isThreefry = op.getRngAlgorithm() == RngAlgorithm::THREE_FRY;
  if (!type.hasStaticShape())
    return l.refuse("its result has a shape that is known only at run time");
  if (!type.getElementType().isIntOrFloat())
    return l.refuse("its elements are not integers or floats");
  if (stateType.getRank() != 1 || !stateType.getElementType().isInteger(64) ||
      (stateType.getDimSize(0) != 2 &&
       (isThreefry || stateType.getDimSize(0) != 3)))
    return l.refuse("its state is not two or three words of 64 bits");
  Generated generated = isThreefry ? generateThreefry(l.b, state, type)
                                   : generatePhilox(l.b, state, type);
  return Values{
      castTo(l.b,
             nextState(l.b, state, wide(l.b, uint64_t(generated.counters))),
             l.type(0)),
      castTo(l.b, generated.bits, type)};
}

//===----------------------------------------------------------------------===//
// rng
//===----------------------------------------------------------------------===//

/// A number in [0, 1) with 53 random bits.
static Value fraction(ImplicitLocOpBuilder &b, Value bits) {
  Value kept = arith::ShRUIOp::create(b, bits, wide(b, 11)),
        real = arith::UIToFPOp::create(b, b.getF64Type(), kept);
  return arith::MulFOp::create(b, real, number(b, b.getF64Type(), 0x1p-53));
}

static Value toDouble(ImplicitLocOpBuilder &b, Value real) {
  return real.getType().isF64()
             ? real
             : arith::ExtFOp::create(b, b.getF64Type(), real);
}
static Value fromDouble(ImplicitLocOpBuilder &b, Value real, Type type) {
  return type.isF64() ? real : arith::TruncFOp::create(b, type, real);
}

static Value uniformReal(ImplicitLocOpBuilder &b, Value low, Value high,
                         Value bits) {
  Value from = toDouble(b, low), to = toDouble(b, high),
        width = arith::SubFOp::create(b, to, from),
        step = arith::MulFOp::create(b, fraction(b, bits), width),
        sum = arith::AddFOp::create(b, from, step),
        value = fromDouble(b, sum, low.getType());
  // Rounding may give the upper bound, which is not in the interval.
  Value isInside =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, value, high);
  return arith::SelectOp::create(b, isInside, value, low);
}

static Value uniformInteger(ImplicitLocOpBuilder &b, Value low, Value high,
                            Value bits, bool isUnsigned) {
  Type type = low.getType(), i64 = b.getI64Type();
  auto extend = [&](Value x) -> Value {
    if (type == i64)
      return x;
    return isUnsigned ? Value(arith::ExtUIOp::create(b, i64, x))
                      : Value(arith::ExtSIOp::create(b, i64, x));
  };
  Value from = extend(low),
        range = arith::SubIOp::create(b, extend(high), from),
        isEmpty = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, range,
                                        wide(b, 0)),
        divisor = arith::SelectOp::create(b, isEmpty, wide(b, 1), range),
        sum = add(b, from, arith::RemUIOp::create(b, bits, divisor));
  return type == i64 ? sum : arith::TruncIOp::create(b, type, sum);
}

// The Box-Muller transform, 1958.
static Value normal(ImplicitLocOpBuilder &b, Value mean, Value deviation,
                    Value first, Value second) {
  Type f64 = b.getF64Type();
  // At least 2^-53, also after f64 has been demoted to f32.
  Value rest = arith::MaximumFOp::create(
      b, arith::SubFOp::create(b, number(b, f64, 1), fraction(b, first)),
      number(b, f64, 0x1p-53));
  Value log = math::LogOp::create(b, rest);
  Value radius = math::SqrtOp::create(
      b, arith::MulFOp::create(b, number(b, f64, -2), log));
  Value angle = arith::MulFOp::create(b, number(b, f64, 2 * std::numbers::pi),
                                      fraction(b, second));
  Value scaled = arith::MulFOp::create(b, toDouble(b, deviation), radius);
  Value offset =
      arith::MulFOp::create(b, scaled, math::CosOp::create(b, angle));
  Value sum = arith::AddFOp::create(b, toDouble(b, mean), offset);
  return fromDouble(b, sum, mean.getType());
}

static FailureOr<Value> lowerRng(RngOp op, RngOp::Adaptor in, Lowering &l) {
  RankedTensorType type = l.type();
  Type element = type.getElementType();
  bool isNormal = op.getRngDistribution() == RngDistribution::NORMAL;
  if (!element.isIntOrFloat() || (isNormal && !isa<FloatType>(element)))
    return l.refuse("it is not defined for these element types");
  bool isUnsigned = stablehlo::isUnsigned(
      cast<RankedTensorType>(op->getResult(0).getType()).getElementType());
  Sizes sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    sizes.push_back(
        type.isDynamicDim(unsigned(i))
            ? OpFoldResult(toIndex(
                  l.b,
                  tensor::ExtractOp::create(l.b, in.getShape(),
                                            ValueRange{indexConstant(l.b, i)}),
                  /*isUnsigned=*/false))
            : OpFoldResult(l.b.getIndexAttr(type.getDimSize(unsigned(i)))));

  // One word for each element, or two beside each other.
  Sizes wordSizes = sizes;
  if (isNormal)
    wordSizes.push_back(l.b.getIndexAttr(2));
  Value words = callLibrary(l, "mercator_random_bits", {},
                            {{wordSizes, l.b.getI64Type()}}, {})
                    .front();
  Values inputs = {in.getA(), in.getB()};
  if (!isNormal)
    inputs.push_back(words);
  auto rank = unsigned(type.getRank());
  for (int64_t i = 0; isNormal && i < 2; ++i) {
    Sizes offsets(rank, l.b.getIndexAttr(0)),
        extents = sizes, strides(rank + 1, l.b.getIndexAttr(1));
    offsets.push_back(l.b.getIndexAttr(i));
    extents.push_back(l.b.getIndexAttr(1));
    inputs.push_back(tensor::ExtractSliceOp::create(
        l.b, type.clone(l.b.getI64Type()), words, offsets, extents, strides));
  }
  AffineMap none = AffineMap::get(rank, 0, l.b.getContext()),
            all = l.b.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps(inputs.size(), all);
  maps[0] = maps[1] = none;
  auto body = [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
    if (isNormal)
      return {normal(b, numbers[0], numbers[1], numbers[2], numbers[3])};
    if (isa<FloatType>(element))
      return {uniformReal(b, numbers[0], numbers[1], numbers[2])};
    return {uniformInteger(b, numbers[0], numbers[1], numbers[2], isUnsigned)};
  };
  return castTo(l.b, compute(l.b, sizes, element, inputs, maps, body), type);
}

void addRandomRules(LoweringRules &rules) {
  rules.add<RngOp, lowerRng>();
  rules.add<RngBitGeneratorOp, lowerRngBitGenerator>();
}

} // namespace mercator::stablehlo
