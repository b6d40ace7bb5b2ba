// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/ExtremeSearch.h"

using namespace mlir;
using Comparison = mercator::stablehlo::ComparisonDirection;

namespace mercator::stablehlo {

static Comparison flipped(Comparison direction) {
  switch (direction) {
  case Comparison::LT:
    return Comparison::GT;
  case Comparison::GT:
    return Comparison::LT;
  default:
    return direction;
  }
}

static bool isCompare(Value value, Comparison direction, Value x, Value y) {
  auto op = value.getDefiningOp<CompareOp>();
  if (!op || op.getCompareType() == ComparisonType::TOTALORDER)
    return false;
  Comparison got = op.getComparisonDirection();
  return (got == direction && op.getLhs() == x && op.getRhs() == y) ||
         (got == flipped(direction) && op.getLhs() == y && op.getRhs() == x);
}

/// Whether a value is `Op` of two values that satisfy the predicates, in either
/// order.
template <typename Op>
static bool isEither(Value value, llvm::function_ref<bool(Value)> one,
                     llvm::function_ref<bool(Value)> other) {
  auto op = value.getDefiningOp<Op>();
  return op && ((one(op.getLhs()) && other(op.getRhs())) ||
                (one(op.getRhs()) && other(op.getLhs())));
}

static bool isSelect(Value value, Value x, Value y) {
  auto op = value.getDefiningOp<SelectOp>();
  return op && op.getOnTrue() == x && op.getOnFalse() == y;
}

namespace {
/// The body's arguments: the kept element and its index, the next element and
/// its index.
struct Arguments {
  Value kept, place, next, nextPlace;

  /// Whether the kept element wins regardless of the indices: it is further
  /// `towards`, or a NaN.
  bool goesBefore(Value value, Comparison towards) const {
    auto isFurther = [&](Value it) {
      return isCompare(it, towards, kept, next);
    };
    auto isNaN = [&](Value it) {
      return isCompare(it, Comparison::NE, kept, kept);
    };
    bool hasNaN = isa<FloatType>(getElementTypeOrSelf(kept));
    return isEither<OrOp>(value, isFurther, isNaN) ||
           (!hasNaN && isFurther(value));
  }
  /// Whether it wins, or is equal and has the lower index.
  bool comesFirst(Value value, Comparison towards) const {
    auto isBefore = [&](Value it) { return goesBefore(it, towards); };
    auto isEqualAndFirst = [&](Value it) {
      return isEither<AndOp>(
          it,
          [&](Value part) {
            return isCompare(part, Comparison::EQ, kept, next);
          },
          [&](Value part) {
            return isCompare(part, Comparison::LT, place, nextPlace);
          });
    };
    return isEither<OrOp>(value, isBefore, isEqualAndFirst);
  }
};
} // namespace

std::optional<Extreme> searchedExtreme(ReduceOp op) {
  Block &body = op.getBody().front();
  if (op.getInputs().size() != 2 || body.getNumArguments() != 4)
    return std::nullopt;
  Arguments arguments{body.getArgument(0), body.getArgument(1),
                      body.getArgument(2), body.getArgument(3)};
  Value most = body.getTerminator()->getOperand(0),
        place = body.getTerminator()->getOperand(1);
  if (!isSelect(most, arguments.kept, arguments.next) ||
      !isSelect(place, arguments.place, arguments.nextPlace))
    return std::nullopt;
  Value keepsElement = most.getDefiningOp()->getOperand(0),
        keepsPlace = place.getDefiningOp()->getOperand(0);
  for (auto [direction, by] : {std::pair(Comparison::GT, Extreme::Greatest),
                               std::pair(Comparison::LT, Extreme::Least)})
    if (arguments.goesBefore(keepsElement, direction) &&
        arguments.comesFirst(keepsPlace, direction))
      return by;
  return std::nullopt;
}

} // namespace mercator::stablehlo
