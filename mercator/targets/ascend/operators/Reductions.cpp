// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/operators/Reductions.h"

#include "mercator/targets/ascend/operators/Build.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
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
          .Case([](stablehlo::AddOp) { return Reduction::Sum; })
          .Case([](stablehlo::MulOp) { return Reduction::Product; })
          .Case([](stablehlo::MaxOp) { return Reduction::Greatest; })
          .Case([](stablehlo::MinOp) { return Reduction::Least; })
          .Case([](stablehlo::AndOp) { return Reduction::All; })
          .Case([](stablehlo::OrOp) { return Reduction::Any; })
          .Default(std::nullopt);
  if (!by)
    return by;
  if (element.isInteger(1)) {
    bool isAny = *by == Reduction::Sum || *by == Reduction::Greatest ||
                 *by == Reduction::Any;
    return isAny ? Reduction::Any : Reduction::All;
  }
  if (*by == Reduction::All || *by == Reduction::Any)
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
    case Reduction::Sum:
      return number.isZero();
    case Reduction::Product:
      return number.isExactlyValue(1);
    case Reduction::Greatest:
      return number.isInfinity() && number.isNegative();
    case Reduction::Least:
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
  case Reduction::Sum:
  case Reduction::Any:
    return number.isZero();
  case Reduction::Product:
  case Reduction::All:
    return number.isOne();
  case Reduction::Greatest:
    return isUnsigned ? number.isMinValue() : number.isMinSignedValue();
  case Reduction::Least:
    return isUnsigned ? number.isMaxValue() : number.isMaxSignedValue();
  }
  return false;
}

//===--- Operators --------------------------------------------------------===//

Value ascend::reduce(ImplicitLocOpBuilder &b, Reduction by, Value x,
                     ArrayRef<int64_t> dims, RankedTensorType type) {
  if (dims.empty())
    return x;
  Value axes = constantVector(b, dims);
  switch (by) {
  case Reduction::Sum:
    return ReduceSumOp::create(b, type, x, axes);
  case Reduction::Product:
    return ReduceProdOp::create(b, type, x, axes);
  case Reduction::Greatest:
    return ReduceMaxOp::create(b, type, x, axes);
  case Reduction::Least:
    return ReduceMinOp::create(b, type, x, axes);
  case Reduction::All:
    return ReduceAllOp::create(b, type, x, axes);
  case Reduction::Any:
    return ReduceAnyOp::create(b, type, x, axes);
  }
  llvm_unreachable("all kinds are handled");
}
