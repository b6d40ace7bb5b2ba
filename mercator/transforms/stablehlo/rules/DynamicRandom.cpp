// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `custom_call @stablehlo.dynamic_rng_bit_generator`, which programs for all
// sizes contain: rng_bit_generator with the shape of the bits as an operand.
// Each element computes the words of its counter and takes its part of them.
// Elements and counters correspond as in Random.cpp.

#include "mercator/transforms/stablehlo/lowering/RandomWords.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mercator::stablehlo {

static RngAlgorithmAttr algorithmOf(Operation *op) {
  if (auto own = op->getAttrOfType<RngAlgorithmAttr>("rng_algorithm"))
    return own;
  auto config = op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  return config ? config.getAs<RngAlgorithmAttr>("rng_algorithm")
                : RngAlgorithmAttr();
}

static bool isDynamicRandom(Operation *op) {
  auto call = dyn_cast<CustomCallOp>(op);
  if (!call ||
      call.getCallTargetName() != "stablehlo.dynamic_rng_bit_generator" ||
      op->getNumOperands() != 2 || op->getNumResults() != 2 || !algorithmOf(op))
    return false;
  auto state = dyn_cast<RankedTensorType>(op->getOperand(0).getType()),
       shape = dyn_cast<RankedTensorType>(op->getOperand(1).getType()),
       bits = dyn_cast<RankedTensorType>(op->getResult(1).getType());
  bool isThreefry = algorithmOf(op).getValue() == RngAlgorithm::THREE_FRY;
  return state && shape && bits &&
         op->getResult(0).getType() == op->getOperand(0).getType() &&
         state.getRank() == 1 && state.getElementType().isInteger(64) &&
         (state.getDimSize(0) == 2 ||
          (!isThreefry && state.getDimSize(0) == 3)) &&
         shape.getRank() == 1 && shape.getElementType().isInteger() &&
         shape.getDimSize(0) == bits.getRank() &&
         bits.getElementType().isIntOrFloat();
}

static Value isEqual(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y);
}
static Value toWide(ImplicitLocOpBuilder &b, Value index) {
  return arith::IndexCastOp::create(b, b.getI64Type(), index);
}
static Value quotient(ImplicitLocOpBuilder &b, Value x, int64_t by) {
  return arith::DivUIOp::create(b, x, indexConstant(b, by));
}
static Value remainder(ImplicitLocOpBuilder &b, Value x, int64_t by) {
  return arith::RemUIOp::create(b, x, indexConstant(b, by));
}

/// The row-major position of an index.
static Value positionOf(ImplicitLocOpBuilder &b, ValueRange index,
                        ValueRange extents) {
  Value sum = indexConstant(b, 0);
  for (auto [i, extent] : llvm::zip(index, extents))
    sum = arith::AddIOp::create(b, arith::MulIOp::create(b, sum, extent), i);
  return sum;
}

static Values currentIndex(ImplicitLocOpBuilder &b, size_t rank) {
  Values index;
  for (size_t dim = 0; dim < rank; ++dim)
    index.push_back(linalg::IndexOp::create(b, int64_t(dim)));
  return index;
}

static Value product(ImplicitLocOpBuilder &b, ValueRange extents) {
  Value all = indexConstant(b, 1);
  for (Value extent : extents)
    all = arith::MulIOp::create(b, all, extent);
  return all;
}

namespace {
/// One call.
struct Generator {
  Lowering &l;
  Value state;
  Type element;
  Sizes sizes;
  Values extents;

  [[nodiscard]] bool isWide() const {
    return element.getIntOrFloatBitWidth() == 64;
  }
  Value compute(PointFn body);
  /// Each gives the bits and the number of counters.
  std::pair<Value, Value> threefryBits();
  std::pair<Value, Value> philoxBits();
  SmallVector<Value> findSplit();
};
} // namespace

/// The body takes the words of the state.
Value Generator::compute(PointFn body) {
  Values words;
  int64_t count = cast<RankedTensorType>(state.getType()).getDimSize(0);
  for (int64_t i = 0; i < count; ++i)
    words.push_back(elementOf(l.b, state, i));
  SmallVector<AffineMap> maps(
      words.size(),
      AffineMap::get(unsigned(sizes.size()), 0, l.b.getContext()));
  return stablehlo::compute(l.b, sizes, element, words, maps, body);
}

std::pair<Value, Value> Generator::philoxBits() {
  int64_t each = isWide() ? 2 : 4;
  // With two words, the first is both the key and the high half of the counter.
  bool hasHigh = cast<RankedTensorType>(state.getType()).getDimSize(0) == 3;
  auto body = [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
    Value place = positionOf(b, currentIndex(b, extents.size()), extents);
    Value low = add(b, numbers[1], toWide(b, quotient(b, place, each)));
    Value high = add(b, numbers[hasHigh ? 2 : 0], carry(b, low, numbers[1]));
    Values words = philox(b, numbers[0], low, high);
    Value which = remainder(b, place, each), chosen;
    for (int64_t i = 0; i < each; ++i) {
      Value part = asElement(
          b, isWide() ? join(b, words[2 * i], words[2 * i + 1]) : words[i],
          element);
      chosen =
          i == 0
              ? part
              : Value(arith::SelectOp::create(
                    b, isEqual(b, which, indexConstant(b, i)), part, chosen));
    }
    return {chosen};
  };
  Value bits = compute(body);
  Value count = arith::AddIOp::create(l.b, product(l.b, extents),
                                      indexConstant(l.b, each - 1));
  return {bits, quotient(l.b, count, each)};
}

/// For each dimension whether its neighbors share a counter: the first of an
/// even extent, or else the first of the longest.
SmallVector<Value> Generator::findSplit() {
  ImplicitLocOpBuilder &b = l.b;
  Value none = integer(b, b.getI1Type(), 0);
  SmallVector<Value> isEven, isFirstEven, isLongest, isSplit;
  Value anyEven = none;
  for (Value extent : extents) {
    isEven.push_back(isEqual(b, remainder(b, extent, 2), indexConstant(b, 0)));
    Value isLater = anyEven;
    anyEven = arith::OrIOp::create(b, anyEven, isEven.back());
    isFirstEven.push_back(
        arith::AndIOp::create(b, isEven.back(), isEqual(b, isLater, none)));
  }
  for (auto [i, extent] : llvm::enumerate(extents)) {
    Value longest = integer(b, b.getI1Type(), 1);
    for (auto [k, other] : llvm::enumerate(extents))
      if (k != i)
        longest = arith::AndIOp::create(
            b, longest,
            arith::CmpIOp::create(b,
                                  k < i ? arith::CmpIPredicate::sgt
                                        : arith::CmpIPredicate::sge,
                                  extent, other));
    isSplit.push_back(
        arith::SelectOp::create(b, anyEven, isFirstEven[i], longest));
  }
  return isSplit;
}

std::pair<Value, Value> Generator::threefryBits() {
  if (isWide() || extents.empty()) {
    auto body = [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
      Value place = positionOf(b, currentIndex(b, extents.size()), extents);
      Values words =
          threefry(b, numbers[0], add(b, numbers[1], toWide(b, place)));
      return {asElement(b, join(b, words[0], words[1]), element)};
    };
    Value bits = compute(body);
    return {bits, product(l.b, extents)};
  }
  SmallVector<Value> isSplit = findSplit();
  Values halved;
  for (auto [extent, split] : llvm::zip(extents, isSplit))
    halved.push_back(arith::SelectOp::create(
        l.b, split,
        quotient(l.b, arith::AddIOp::create(l.b, extent, indexConstant(l.b, 1)),
                 2),
        extent));
  auto body = [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
    Values index = currentIndex(b, extents.size());
    Value which = indexConstant(b, 0);
    for (auto [i, split] : llvm::zip(index, isSplit)) {
      which = arith::SelectOp::create(b, split, remainder(b, i, 2), which);
      i = arith::SelectOp::create(b, split, quotient(b, i, 2), i);
    }
    Value place = positionOf(b, index, halved);
    Values words =
        threefry(b, numbers[0], add(b, numbers[1], toWide(b, place)));
    return {arith::SelectOp::create(b, isEqual(b, which, indexConstant(b, 0)),
                                    asElement(b, words[0], element),
                                    asElement(b, words[1], element))};
  };
  Value bits = compute(body);
  return {bits, product(l.b, halved)};
}

static FailureOr<Values> lowerDynamicRandom(Lowering &l) {
  Values operands = operandsOf(l);
  RankedTensorType type = l.type(1);
  Generator generator{l, operands[0], type.getElementType(), {}, {}};
  generator.sizes = elementsOf(
      l.b, operands[1], type.getRank(),
      isUnsigned(getElementTypeOrSelf(l.op->getOperand(1).getType())));
  for (auto [size, extent] : llvm::zip(generator.sizes, type.getShape())) {
    if (ShapedType::isStatic(extent))
      size = l.b.getIndexAttr(extent);
    generator.extents.push_back(valueOf(l.b, size));
  }
  if (anyNegative(generator.sizes))
    return l.refuse("expected extents of at least 0");
  auto [bits, counters] =
      algorithmOf(l.op).getValue() == RngAlgorithm::THREE_FRY
          ? generator.threefryBits()
          : generator.philoxBits();
  return Values{castTo(l.b, nextState(l.b, operands[0], toWide(l.b, counters)),
                       l.type(0)),
                castTo(l.b, bits, type)};
}

void addDynamicRandomRules(LoweringRules &rules) {
  rules.addWhere(isDynamicRandom, lowerDynamicRandom);
}

} // namespace mercator::stablehlo
