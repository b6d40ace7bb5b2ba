// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reductions. GE has one operator for each kind of reduction, none with an
// initial value. An initial value other than the identity element is combined
// with the result.

#include "mercator/targets/ascend/lowering/Build.h"
#include "mercator/targets/ascend/lowering/Elements.h"
#include "mercator/targets/ascend/lowering/Reductions.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

//===--- Bodies -----------------------------------------------------------===//

/// Whether the wide type has every value of the narrow one.
static bool contains(Type wide, Type narrow) {
  if (wide == narrow)
    return true;
  auto wideFloat = dyn_cast<FloatType>(wide);
  auto narrowFloat = dyn_cast<FloatType>(narrow);
  if (wideFloat && narrowFloat)
    return llvm::APFloat::isRepresentableBy(narrowFloat.getFloatSemantics(),
                                            wideFloat.getFloatSemantics());
  auto wideInt = dyn_cast<IntegerType>(wide);
  auto narrowInt = dyn_cast<IntegerType>(narrow);
  if (!wideInt || !narrowInt)
    return false;
  bool isUnsigned = narrowInt.isUnsigned() || narrowInt.getWidth() == 1;
  if (wideInt.isUnsigned())
    return isUnsigned && wideInt.getWidth() > narrowInt.getWidth();
  return wideInt.getWidth() > narrowInt.getWidth();
}

/// The source of a value before conversions through types that have all values
/// of `element`, which do not change it.
static Value peelConverts(Value value, Type element) {
  while (auto convert = value.getDefiningOp<stablehlo::ConvertOp>()) {
    if (!contains(getElementTypeOrSelf(value), element))
      break;
    value = convert.getOperand();
  }
  return value;
}

std::optional<Reduction> ascend::reductionOf(Operation *op, Type element) {
  std::optional<Reduction> by =
      llvm::TypeSwitch<Operation *, std::optional<Reduction>>(op)
          .Case([](stablehlo::AddOp) { return Reduction::sum; })
          .Case([](stablehlo::MulOp) { return Reduction::product; })
          .Case([](stablehlo::MaxOp) { return Reduction::greatest; })
          .Case([](stablehlo::MinOp) { return Reduction::least; })
          .Case([](stablehlo::AndOp) { return Reduction::all; })
          .Case([](stablehlo::OrOp) { return Reduction::any; })
          .Default(std::nullopt);
  if (!by)
    return by;
  if (element.isInteger(1)) {
    bool isAny = *by == Reduction::sum || *by == Reduction::greatest ||
                 *by == Reduction::any;
    return isAny ? Reduction::any : Reduction::all;
  }
  if (*by == Reduction::all || *by == Reduction::any)
    return std::nullopt; // bitwise
  return by;
}

std::optional<Reduction> ascend::reductionOf(stablehlo::ReduceOp op,
                                             unsigned i) {
  Block &body = op.getBody().front();
  Value accumulator = body.getArgument(i),
        element = body.getArgument(op.getInputs().size() + i);
  Type type = getElementTypeOrSelf(op.getResult(i));
  if (getElementTypeOrSelf(accumulator) != type ||
      getElementTypeOrSelf(element) != type)
    return std::nullopt;
  // Converting back loses nothing that the type can represent.
  Operation *root =
      peelConverts(body.getTerminator()->getOperand(i), type).getDefiningOp();
  if (!root || root->getBlock() != &body || root->getNumOperands() != 2 ||
      !contains(getElementTypeOrSelf(root->getResult(0)), type))
    return std::nullopt;
  Value lhs = peelConverts(root->getOperand(0), type),
        rhs = peelConverts(root->getOperand(1), type);
  if (!(lhs == accumulator && rhs == element) &&
      !(lhs == element && rhs == accumulator))
    return std::nullopt;
  return reductionOf(root, type);
}

//===--- Initial values ---------------------------------------------------===//

bool ascend::isIdentity(Value value, Reduction by, Type element) {
  if (auto broadcast = value.getDefiningOp<stablehlo::BroadcastInDimOp>())
    value = broadcast.getOperand();
  DenseElementsAttr known;
  if (!matchPattern(value, m_Constant(&known)) || !known.isSplat() ||
      known.getElementType() != element)
    return false;
  if (isa<FloatType>(element)) {
    auto number = known.getSplatValue<APFloat>();
    switch (by) {
    case Reduction::sum:
      return number.isZero();
    case Reduction::product:
      return number.isExactlyValue(1);
    case Reduction::greatest:
      return number.isInfinity() && number.isNegative();
    case Reduction::least:
      return number.isInfinity() && !number.isNegative();
    default:
      return false;
    }
  }
  if (!isa<IntegerType>(element))
    return false;
  auto number = known.getSplatValue<APInt>();
  bool isUnsigned = element.isUnsignedInteger();
  switch (by) {
  case Reduction::sum:
  case Reduction::any:
    return number.isZero();
  case Reduction::product:
  case Reduction::all:
    return number.isOne();
  case Reduction::greatest:
    return isUnsigned ? number.isMinValue() : number.isMinSignedValue();
  case Reduction::least:
    return isUnsigned ? number.isMaxValue() : number.isMaxSignedValue();
  }
  return false;
}

/// The type to reduce in. Sums and products of integers have the same low bits
/// in every type. GE does not define overflow for integers below 32 bits.
static Type within(Reduction by, Type element) {
  bool isNarrow =
      isa<IntegerType>(element) && element.getIntOrFloatBitWidth() < 32;
  return isNarrow && (by == Reduction::sum || by == Reduction::product)
             ? IntegerType::get(element.getContext(), 32)
             : element;
}

static Value combine(ImplicitLocOpBuilder &b, Reduction by, Value lhs,
                     Value rhs) {
  Elements e(b);
  switch (by) {
  case Reduction::sum:
    return e.add(lhs, rhs);
  case Reduction::product:
    return e.multiply(lhs, rhs);
  case Reduction::greatest:
    return e.maximum(lhs, rhs);
  case Reduction::least:
    return e.minimum(lhs, rhs);
  case Reduction::all:
    return e.bitAnd(lhs, rhs);
  case Reduction::any:
    return e.bitOr(lhs, rhs);
  }
  llvm_unreachable("all kinds are handled");
}

//===--- Reductions -------------------------------------------------------===//

Value ascend::reduce(ImplicitLocOpBuilder &b, Reduction by, Value x,
                     ArrayRef<int64_t> dims, RankedTensorType type) {
  if (dims.empty())
    return x;
  Value axes = constantVector(b, dims);
  switch (by) {
  case Reduction::sum:
    return ReduceSumOp::create(b, type, x, axes);
  case Reduction::product:
    return ReduceProdOp::create(b, type, x, axes);
  case Reduction::greatest:
    return ReduceMaxOp::create(b, type, x, axes);
  case Reduction::least:
    return ReduceMinOp::create(b, type, x, axes);
  case Reduction::all:
    return ReduceAllOp::create(b, type, x, axes);
  case Reduction::any:
    return ReduceAnyOp::create(b, type, x, axes);
  }
  llvm_unreachable("all kinds are handled");
}

static FailureOr<Value> convertReduce(Conversion &c, stablehlo::ReduceOp op) {
  // All parts are checked before any operation is created.
  struct Part {
    Reduction by;
    bool isNeutral;
  };
  SmallVector<Part> parts;
  for (unsigned i = 0, count = op.getInputs().size(); i < count; ++i) {
    Type element = getElementTypeOrSelf(op.getResult(i));
    std::optional<Reduction> by = reductionOf(op, i);
    if (!by)
      return c.no("GE reduces by one sum, product, maximum, minimum, or by and "
                  "or or of booleans, and its body is a different computation");
    bool isNeutral = isIdentity(op.getInitValues()[i], *by, element);
    parts.push_back({*by, isNeutral});
  }
  SmallVector<int64_t> dims(op.getDimensions());
  llvm::sort(dims);
  SmallVector<Value> values;
  for (auto [i, part] : llvm::enumerate(parts)) {
    auto type = cast<RankedTensorType>(op.getResult(i).getType());
    Type element = within(part.by, type.getElementType());
    Elements e(c.b);
    Value init = op.getInitValues()[i], value;
    if (llvm::is_contained(typeOf(op.getInputs()[i]).getShape(), 0)) {
      value = broadcastTo(c.b, e.convert(init, type.getElementType()),
                          type.getShape());
    } else {
      value = reduce(c.b, part.by, e.convert(op.getInputs()[i], element), dims,
                     type.clone(element));
      if (!part.isNeutral)
        value = combine(c.b, part.by, value, e.convert(init, element));
    }
    values.push_back(e.convert(value, type.getElementType()));
  }
  c.others.assign(values.begin() + 1, values.end());
  return values.front();
}

FailureOr<Value> ascend::convertReduction(Conversion &c) {
  auto op = dyn_cast<stablehlo::ReduceOp>(c.op);
  if (!op)
    return failure();
  FailureOr<Value> place = convertArgReduction(c, op);
  if (succeeded(place) || !c.why.empty())
    return place;
  return convertReduce(c, op);
}
