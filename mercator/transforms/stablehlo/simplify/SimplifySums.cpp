// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of constants that depend on indices. The gradient of a slice is a pad with
// zeros; where it is a choice by an index (SimplifyMovement.cpp) and its rows are
// summed, all rows have the same sum.

#include "mercator/transforms/stablehlo/simplify/Simplify.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace mlir;

namespace mercator::stablehlo {

using Builder = ImplicitLocOpBuilder;

namespace {
/// A tensor that is one number where each index is in its range, and another
/// elsewhere.
struct Choice {
  struct Range {
    int64_t first, end;
  };
  SmallVector<Range> ranges; ///< of each dimension
  Attribute inside, outside;
};

/// Numbers of one type, and how often each is a term of a sum.
struct Term {
  Attribute number;
  int64_t count;
};
} // namespace

/// Narrows the ranges to where the condition holds. False if it is another
/// condition.
static bool narrowTo(Value condition, MutableArrayRef<Choice::Range> ranges) {
  if (auto both = condition.getDefiningOp<AndOp>())
    return narrowTo(both.getLhs(), ranges) && narrowTo(both.getRhs(), ranges);
  auto compared = condition.getDefiningOp<CompareOp>();
  auto index = compared ? compared.getLhs().getDefiningOp<IotaOp>() : IotaOp();
  auto bound = compared
                   ? dyn_cast_or_null<IntegerAttr>(splatOf(compared.getRhs()))
                   : IntegerAttr();
  if (!index || !bound || bound.getValue().getBitWidth() > 64 ||
      bound.getType().isUnsignedInteger())
    return false;
  Choice::Range &range = ranges[index.getIotaDimension()];
  // A larger index would wrap around.
  unsigned bits = bound.getValue().getBitWidth();
  if (bits < 64 && range.end > (int64_t(1) << (bits - 1)))
    return false;
  int64_t number = bound.getValue().getSExtValue();
  if (number == std::numeric_limits<int64_t>::max())
    return false;
  switch (compared.getComparisonDirection()) {
  case ComparisonDirection::LT:
    range.end = std::min(range.end, number);
    return true;
  case ComparisonDirection::LE:
    range.end = std::min(range.end, number + 1);
    return true;
  case ComparisonDirection::GE:
    range.first = std::max(range.first, number);
    return true;
  case ComparisonDirection::GT:
    range.first = std::max(range.first, number + 1);
    return true;
  case ComparisonDirection::EQ:
    range.first = std::max(range.first, number);
    range.end = std::min(range.end, number + 1);
    return true;
  case ComparisonDirection::NE:
    return false;
  }
  return false;
}

static std::optional<Choice> choiceOf(Value value) {
  Choice choice;
  for (int64_t extent : tensorOf(value).getShape())
    choice.ranges.push_back({0, extent});
  if (Attribute all = splatOf(value)) {
    choice.inside = choice.outside = all;
    return choice;
  }
  auto select = value.getDefiningOp<SelectOp>();
  if (!select || tensorOf(select.getPred()).getRank() == 0 ||
      !narrowTo(select.getPred(), choice.ranges))
    return std::nullopt;
  choice.inside = splatOf(select.getOnTrue());
  choice.outside = splatOf(select.getOnFalse());
  return choice.inside && choice.outside ? std::optional(choice) : std::nullopt;
}

/// Whether the body adds its two arguments.
static bool adds(Block &body) {
  auto sum = dyn_cast<AddOp>(body.front());
  return sum && body.getNumArguments() == 2 &&
         body.getOperations().size() == 2 &&
         llvm::is_contained(sum->getOperands(), body.getArgument(0)) &&
         llvm::is_contained(sum->getOperands(), body.getArgument(1)) &&
         body.getTerminator()->getOperand(0) == sum.getResult();
}

static Attribute sumOfIntegers(ArrayRef<Term> terms) {
  auto type = cast<IntegerAttr>(terms.front().number).getType();
  APInt sum(type.getIntOrFloatBitWidth(), 0);
  for (const Term &term : terms)
    sum += cast<IntegerAttr>(term.number).getValue() *
           APInt(sum.getBitWidth(), uint64_t(term.count), /*isSigned=*/false,
                 /*implicitTrunc=*/true);
  return IntegerAttr::get(type, sum);
}

/// The sum, if it is the same in every order: all partial sums are then integers
/// below 2^precision, times one power of two.
static Attribute sumOfFloats(ArrayRef<Term> terms) {
  auto type = cast<FloatType>(cast<FloatAttr>(terms.front().number).getType());
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  auto precision = int(APFloat::semanticsPrecision(semantics));
  if (precision > 53)
    return {};
  int unit = 0;
  bool hasUnit = false, isNegativeZero = true;
  for (const Term &term : terms) {
    if (term.count == 0)
      continue;
    APFloat number = cast<FloatAttr>(term.number).getValue();
    if (!number.isZero() && !number.isNormal())
      return {};
    isNegativeZero &= number.isNegZero();
    if (number.isZero())
      continue;
    int exponent = 0;
    double rest = std::frexp(number.convertToDouble(), &exponent);
    while (rest != std::floor(rest)) {
      rest *= 2;
      --exponent;
    }
    unit = hasUnit ? std::min(unit, exponent) : exponent;
    hasUnit = true;
  }
  double sum = 0, size = 0;
  for (const Term &term : terms) {
    if (term.count == 0)
      continue;
    double number = std::ldexp(
        cast<FloatAttr>(term.number).getValue().convertToDouble(), -unit);
    sum += number * double(term.count);
    size += std::abs(number) * double(term.count);
  }
  if (!(size < std::ldexp(1.0, precision)) ||
      unit + precision > APFloat::semanticsMaxExponent(semantics))
    return {};
  return FloatAttr::get(type, isNegativeZero ? -0.0 : std::ldexp(sum, unit));
}

// a sum of one number here and another elsewhere is a number, if no order of the
// terms changes it
static Value sumOfChoice(ReduceOp op, Builder &b) {
  if (op.getInputs().size() != 1 || !adds(op.getBody().front()))
    return {};
  Value operand = op.getInputs().front(), init = op.getInitValues().front();
  bool isNegated = false;
  while (auto negated = operand.getDefiningOp<NegOp>()) {
    operand = negated.getOperand();
    isNegated = !isNegated;
  }
  Type result = op->getResult(0).getType();
  if (!isPlain(operand.getType()) || !isStatic(operand.getType()) ||
      !isStatic(result) || tensorOf(operand).getEncoding() ||
      cast<RankedTensorType>(result).getElementType() !=
          tensorOf(operand).getElementType() ||
      op.getBody().front().getArgument(0).getType() != init.getType() ||
      tensorOf(operand).getElementType().isInteger(1))
    return {};
  Attribute first = splatOf(init);
  std::optional<Choice> choice = first ? choiceOf(operand) : std::nullopt;
  if (!choice)
    return {};
  // Numbers that differ along a dimension that is kept make different sums.
  int64_t inside = 1, all = 1;
  for (auto [dim, extent] : llvm::enumerate(tensorOf(operand).getShape())) {
    auto [from, end] = choice->ranges[dim];
    int64_t count = std::max<int64_t>(0, end - from);
    if (llvm::is_contained(op.getDimensions(), int64_t(dim))) {
      inside *= count;
      all *= extent;
    } else if (count != extent && choice->inside != choice->outside) {
      return {};
    }
  }
  auto signedOf = [&](Attribute number) -> Attribute {
    if (!isNegated)
      return number;
    if (auto real = dyn_cast<FloatAttr>(number))
      return FloatAttr::get(real.getType(), -real.getValue());
    auto integer = cast<IntegerAttr>(number);
    return IntegerAttr::get(integer.getType(), -integer.getValue());
  };
  Term terms[] = {{first, 1},
                  {signedOf(choice->inside), inside},
                  {signedOf(choice->outside), all - inside}};
  Attribute sum =
      isFloat(operand.getType()) ? sumOfFloats(terms) : sumOfIntegers(terms);
  return sum ? splat(b, result, sum) : Value();
}

void addSumEquations(Equations &e) { e.add<ReduceOp, sumOfChoice>(); }

} // namespace mercator::stablehlo
