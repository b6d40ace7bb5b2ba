// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/prepare/Views.h"

#include "mercator/dialects/chlo/Chlo.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

//===--- Numbers ----------------------------------------------------------===//

static unsigned precisionOf(Type type) {
  constexpr unsigned kDouble = 53;
  auto real = dyn_cast<FloatType>(type);
  return real ? std::min(real.getFPMantissaWidth(), kDouble) : kDouble;
}

static double roundTo(double value, Type type) {
  auto real = dyn_cast<FloatType>(type);
  if (!real)
    return value;
  APFloat number(value);
  bool isInexact = false;
  number.convert(real.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &isInexact);
  return number.convertToDouble();
}

static std::optional<Known> knownConstant(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return std::nullopt;
  Type type = elements.getElementType();
  auto real = dyn_cast<FloatType>(type);
  if (real && real.getWidth() <= 64)
    return Known{
        roundTo(elements.getSplatValue<APFloat>().convertToDouble(), type),
        precisionOf(type)};
  if (type.isSignlessInteger())
    return Known{double(elements.getSplatValue<APInt>().getSExtValue()),
                 precisionOf(type)};
  return std::nullopt;
}

static std::optional<double> combine(Operation *op, double a, double b) {
  return llvm::TypeSwitch<Operation *, std::optional<double>>(op)
      .Case([&](sh::AddOp) { return a + b; })
      .Case([&](sh::SubtractOp) { return a - b; })
      .Case([&](sh::MulOp) { return a * b; })
      .Case([&](sh::DivOp) { return a / b; })
      .Case([&](sh::CompareOp compare) -> std::optional<double> {
        switch (compare.getComparisonDirection()) {
        case sh::ComparisonDirection::GT:
          return a > b;
        case sh::ComparisonDirection::GE:
          return a >= b;
        case sh::ComparisonDirection::LT:
          return a < b;
        case sh::ComparisonDirection::LE:
          return a <= b;
        case sh::ComparisonDirection::EQ:
          return a == b;
        case sh::ComparisonDirection::NE:
          return a != b;
        }
        return std::nullopt;
      })
      .Default(std::nullopt);
}

std::optional<Known> ascend::knownNumber(Value value, int depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return std::nullopt;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return knownConstant(value);
  Type type = getElementTypeOrSelf(value);
  if (isa<sh::BroadcastInDimOp, sh::ReshapeOp, sh::ConvertOp, sh::NegOp>(op)) {
    std::optional<Known> x = knownNumber(op->getOperand(0), depth - 1);
    if (!x || (!isa<FloatType>(type) && isa<sh::ConvertOp>(op)))
      return std::nullopt;
    if (isa<sh::NegOp>(op))
      x->value = -x->value;
    return Known{roundTo(x->value, type),
                 std::min(x->precision, precisionOf(type))};
  }
  // A quotient of integers is truncated.
  if (op->getNumOperands() != 2 ||
      (isa<sh::DivOp>(op) && !isa<FloatType>(type)))
    return std::nullopt;
  std::optional<Known> a = knownNumber(op->getOperand(0), depth - 1);
  if (!a)
    return std::nullopt;
  std::optional<Known> b = knownNumber(op->getOperand(1), depth - 1);
  if (!b)
    return std::nullopt;
  std::optional<double> result = combine(op, a->value, b->value);
  if (!result)
    return std::nullopt;
  return Known{roundTo(*result, type),
               std::min({a->precision, b->precision, precisionOf(type)})};
}

bool ascend::isRounded(Known known, double number) {
  if (known.value == number || number == 0 || !std::isfinite(number))
    return known.value == number;
  // The nearest number of this precision. A product or a quotient of constants
  // of float32 may be off by a unit more.
  constexpr unsigned kFloat = 24;
  double unit = std::ldexp(1.0, std::ilogb(number) + 1 - int(known.precision)),
         nearest = std::nearbyint(number / unit) * unit;
  if (known.precision < kFloat)
    return known.value == nearest;
  // A whole number has no such error.
  if (number == std::floor(number) && std::fabs(number) < 1 << kFloat)
    return false;
  return std::fabs(known.value - number) <=
         std::fabs(number) * std::ldexp(1.0, 2 - int(kFloat));
}

std::optional<double> Views::number(const View &view) const {
  std::optional<Known> known = knownNumber(view.value);
  return known ? std::optional(known->value) : std::nullopt;
}

bool Views::isNumber(const View &view, double number) const {
  std::optional<Known> known = knownNumber(view.value);
  return known && isRounded(*known, number);
}

//===--- Views ------------------------------------------------------------===//

int64_t Views::count(ArrayRef<int64_t> dims) const {
  int64_t product = 1;
  for (int64_t dim : dims)
    product *= shape()[dim];
  return product;
}

bool Views::isWhole(Value value) const {
  auto own = dyn_cast<RankedTensorType>(value.getType());
  return own && own.getShape() == shape();
}

View Views::whole(Value value) const {
  View view{value, {}};
  for (auto [dim, extent] : llvm::enumerate(shape()))
    view.origin.push_back(extent == 1 ? -1 : int64_t(dim));
  return view;
}

/// Replaces each dimension of a value by that of its source, or by -1.
static void follow(View &view, Value source, ArrayRef<int64_t> sourceOf) {
  for (int64_t &dim : view.origin)
    if (dim >= 0) {
      dim = sourceOf[dim];
      if (dim >= 0 && shapeOf(source)[dim] == 1)
        dim = -1;
    }
  view.value = source;
}

/// The dimensions of the source of a reshape that only adds and removes extents
/// of 1; nothing for another one.
static std::optional<SmallVector<int64_t, 4>>
sourceOfReshape(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t, 4> sourceOf(to.size(), -1);
  size_t at = 0;
  for (auto [dim, extent] : llvm::enumerate(to)) {
    if (extent == 1)
      continue;
    while (at < from.size() && from[at] == 1)
      ++at;
    if (at == from.size() || from[at] != extent)
      return std::nullopt;
    sourceOf[dim] = int64_t(at++);
  }
  while (at < from.size() && from[at] == 1)
    ++at;
  return at == from.size() ? std::optional(sourceOf) : std::nullopt;
}

static bool isShort(Type type) { return type.isBF16() || type.isF16(); }

View Views::strip(View view) const {
  while (Operation *op = view.op()) {
    if (op->hasTrait<OpTrait::ConstantLike>() || op->getNumOperands() == 0)
      break;
    Value source = op->getOperand(0);
    if (auto broadcast = dyn_cast<sh::BroadcastInDimOp>(op)) {
      SmallVector<int64_t, 4> sourceOf(shapeOf(view.value).size(), -1);
      for (auto [from, to] :
           llvm::enumerate(broadcast.getBroadcastDimensions()))
        sourceOf[to] = int64_t(from);
      follow(view, source, sourceOf);
    } else if (isa<sh::ReshapeOp>(op)) {
      auto sourceOf = sourceOfReshape(shapeOf(source), shapeOf(view.value));
      if (!sourceOf)
        break;
      follow(view, source, *sourceOf);
    } else if (isa<sh::OptimizationBarrierOp>(op)) {
      view.value = op->getOperand(cast<OpResult>(view.value).getResultNumber());
    } else if (isa<sh::ConvertOp>(op)) {
      Type from = getElementTypeOrSelf(source),
           to = getElementTypeOrSelf(view.value);
      bool isExact = from == to || (isShort(from) && to.isF32());
      bool isToResult =
          mayRound && from.isF32() && isShort(to) && to == element();
      if (!isExact && !isToResult)
        break;
      view.value = source;
    } else if (isa<sh::SelectOp>(op)) {
      std::optional<Known> condition = knownNumber(source);
      if (!condition)
        break;
      view.value = op->getOperand(condition->value != 0 ? 1 : 2);
    } else {
      break;
    }
  }
  return view;
}

View Views::operand(const View &view, unsigned i) const {
  return strip({view.op()->getOperand(i), view.origin});
}

bool Views::variesOnlyAlong(const View &view, ArrayRef<int64_t> dims) const {
  for (auto [dim, origin] : llvm::enumerate(view.origin))
    if (origin >= 0 && !llvm::is_contained(dims, int64_t(dim)))
      return false;
  return true;
}

/// Whether each element of the result is computed from those of the operands at
/// the same index.
static bool isElementwise(Operation *op) {
  return op->hasTrait<sh::Elementwise>() && op->getNumResults() == 1 &&
         op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isa<RankedTensorType>(operand.getType()) &&
                  shapeOf(operand) == shapeOf(op->getResult(0));
         });
}

bool Views::same(const View &a, const View &b, int depth) const {
  View x = strip(a), y = strip(b);
  if (x == y)
    return true;
  Operation *one = x.op(), *other = y.op();
  std::optional<double> number = this->number(x);
  if (number && number == this->number(y))
    return true;
  if (depth == 0 || !one || !other || one->getName() != other->getName() ||
      one->getNumOperands() != other->getNumOperands() || !isElementwise(one) ||
      !isElementwise(other) ||
      one->getAttrDictionary() != other->getAttrDictionary())
    return false;
  auto agree = [&](unsigned i, unsigned j) {
    return same(operand(x, i), operand(y, j), depth - 1);
  };
  bool isSame = true;
  for (unsigned i = 0; i < one->getNumOperands() && isSame; ++i)
    isSame = agree(i, i);
  return isSame ||
         (isa<sh::AddOp, sh::MulOp>(one) && agree(0, 1) && agree(1, 0));
}

Value Views::inType(Value value) const {
  if (getElementTypeOrSelf(value) == element())
    return value;
  auto convert = value.getDefiningOp<sh::ConvertOp>();
  if (convert && getElementTypeOrSelf(value).isF32() &&
      getElementTypeOrSelf(convert.getOperand()) == element())
    return convert.getOperand();
  return nullptr;
}

bool ascend::isLowest(double number, FloatType type) {
  return number <=
         APFloat::getLargest(type.getFloatSemantics(), /*Negative=*/true)
             .convertToDouble();
}

//===--- Statistics -------------------------------------------------------===//

std::optional<Reduced> Views::reduced(const View &view, Reduction by) const {
  View stripped = strip(view);
  auto reduce = stripped.as<sh::ReduceOp>();
  if (!reduce || reduce.getInputs().size() != 1 ||
      !isWhole(reduce.getInputs()[0]))
    return std::nullopt;
  std::optional<Known> init = knownNumber(reduce.getInitValues()[0]);
  if (reductionOf(reduce, 0) != by || !init)
    return std::nullopt;
  auto type = cast<FloatType>(getElementTypeOrSelf(stripped.value));
  if (by == Reduction::Greatest ? !isLowest(init->value, type)
                                : init->value != 0)
    return std::nullopt;
  Reduced out{reduce.getInputs()[0], {}};
  llvm::append_range(out.dims, reduce.getDimensions());
  llvm::sort(out.dims);
  // The result has the other dimensions, in their order.
  int64_t left = 0;
  for (auto [dim, extent] : llvm::enumerate(shape())) {
    bool isReduced = llvm::is_contained(out.dims, int64_t(dim));
    int64_t origin = isReduced || extent == 1 ? -1 : left;
    if (stripped.origin[dim] != origin)
      return std::nullopt;
    left += !isReduced;
  }
  return out;
}

std::optional<Reduced> Views::mean(const View &view) const {
  View stripped = strip(view);
  auto is = [&](unsigned sum, bool isQuotient) -> std::optional<Reduced> {
    std::optional<Reduced> out =
        reduced(operand(stripped, sum), Reduction::Sum);
    if (!out)
      return std::nullopt;
    auto n = double(count(out->dims));
    if (!isNumber(operand(stripped, 1 - sum), isQuotient ? n : 1 / n))
      return std::nullopt;
    return out;
  };
  if (stripped.as<sh::DivOp>())
    return is(0, true);
  if (!stripped.as<sh::MulOp>())
    return std::nullopt;
  std::optional<Reduced> out = is(0, false);
  return out ? out : is(1, false);
}

std::optional<View> Views::square(const View &view) const {
  View stripped = strip(view);
  if (stripped.as<chlo::SquareOp>())
    return operand(stripped, 0);
  bool isPower = bool(stripped.as<sh::PowOp>());
  if (!isPower && !stripped.as<sh::MulOp>())
    return std::nullopt;
  View x = operand(stripped, 0), y = operand(stripped, 1);
  if (isPower ? !isNumber(y, 2) : !same(x, y))
    return std::nullopt;
  return x;
}
