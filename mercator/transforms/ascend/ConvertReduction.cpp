// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reductions. GE has one operator for each thing to reduce by, and none of them
// starts from a value: what a reduction starts from is combined with the result
// where that makes a difference.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/ascend/Build.h"
#include "mercator/transforms/ascend/Convert.h"
#include "mercator/transforms/ascend/Elements.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace {
enum class Kind { sum, product, greatest, least, all, any, bits };
} // namespace

//===--- Bodies -----------------------------------------------------------===//

/// Whether every value of a type is one of another, too.
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

/// What a value is converted from, through types that hold all values of
/// `element`, where that makes no difference.
static Value peelConverts(Value value, Type element) {
  while (auto convert = value.getDefiningOp<stablehlo::ConvertOp>()) {
    if (!contains(getElementTypeOrSelf(value), element))
      break;
    value = convert.getOperand();
  }
  return value;
}

static std::optional<Kind> kindOf(Operation *op, Type element) {
  std::optional<Kind> kind =
      llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
          .Case([](stablehlo::AddOp) { return Kind::sum; })
          .Case([](stablehlo::MulOp) { return Kind::product; })
          .Case([](stablehlo::MaxOp) { return Kind::greatest; })
          .Case([](stablehlo::MinOp) { return Kind::least; })
          .Case([](stablehlo::AndOp) { return Kind::all; })
          .Case([](stablehlo::OrOp) { return Kind::any; })
          .Default(std::nullopt);
  if (!kind)
    return kind;
  if (element.isInteger(1)) {
    bool isAny =
        *kind == Kind::sum || *kind == Kind::greatest || *kind == Kind::any;
    return isAny ? Kind::any : Kind::all;
  }
  return *kind == Kind::all || *kind == Kind::any ? Kind::bits : *kind;
}

/// What result `i` is reduced by, where its accumulator and its element are
/// combined by one operation; nothing else.
static std::optional<Kind> kindOf(stablehlo::ReduceOp op, unsigned i) {
  Block &body = op.getBody().front();
  Value accumulator = body.getArgument(i),
        element = body.getArgument(op.getInputs().size() + i);
  Type type = getElementTypeOrSelf(op.getResult(i));
  if (getElementTypeOrSelf(accumulator) != type ||
      getElementTypeOrSelf(element) != type)
    return std::nullopt;
  // Converting back loses nothing that the type could hold.
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
  return kindOf(root, type);
}

//===--- Initial values ---------------------------------------------------===//

/// Whether a value is known to be what leaves every other as it is.
static bool isIdentity(Value value, Kind kind, Type element) {
  DenseElementsAttr known;
  if (!matchPattern(value, m_Constant(&known)) || !known.isSplat() ||
      known.getElementType() != element)
    return false;
  if (isa<FloatType>(element)) {
    auto number = known.getSplatValue<APFloat>();
    switch (kind) {
    case Kind::sum:
      return number.isZero();
    case Kind::product:
      return number.isExactlyValue(1);
    case Kind::greatest:
      return number.isInfinity() && number.isNegative();
    case Kind::least:
      return number.isInfinity() && !number.isNegative();
    default:
      return false;
    }
  }
  if (!isa<IntegerType>(element))
    return false;
  auto number = known.getSplatValue<APInt>();
  bool isUnsigned = element.isUnsignedInteger();
  switch (kind) {
  case Kind::sum:
  case Kind::any:
    return number.isZero();
  case Kind::product:
  case Kind::all:
    return number.isOne();
  case Kind::greatest:
    return isUnsigned ? number.isMinValue() : number.isMinSignedValue();
  case Kind::least:
    return isUnsigned ? number.isMaxValue() : number.isMaxSignedValue();
  case Kind::bits:
    return false;
  }
  return false;
}

/// The type to reduce in. Sums and products of integers have the same low bits
/// in every type; what those of fewer than 32 bits do where there are more, GE
/// does not say.
static Type within(Kind kind, Type element) {
  bool isNarrow =
      isa<IntegerType>(element) && element.getIntOrFloatBitWidth() < 32;
  return isNarrow && (kind == Kind::sum || kind == Kind::product)
             ? IntegerType::get(element.getContext(), 32)
             : element;
}

static Value combine(ImplicitLocOpBuilder &b, Kind kind, Value lhs, Value rhs) {
  Elements e(b);
  switch (kind) {
  case Kind::sum:
    return e.add(lhs, rhs);
  case Kind::product:
    return e.multiply(lhs, rhs);
  case Kind::greatest:
    return e.maximum(lhs, rhs);
  case Kind::least:
    return e.minimum(lhs, rhs);
  case Kind::all:
    return e.bitAnd(lhs, rhs);
  case Kind::any:
  case Kind::bits:
    return e.bitOr(lhs, rhs);
  }
  llvm_unreachable("all kinds are handled");
}

//===--- Reductions -------------------------------------------------------===//

static Value reduce(ImplicitLocOpBuilder &b, Kind kind, Value x,
                    ArrayRef<int64_t> dims, RankedTensorType type) {
  if (dims.empty())
    return x;
  Value axes = constantVector(b, dims);
  switch (kind) {
  case Kind::sum:
    return ReduceSumOp::create(b, type, x, axes);
  case Kind::product:
    return ReduceProdOp::create(b, type, x, axes);
  case Kind::greatest:
    return ReduceMaxOp::create(b, type, x, axes);
  case Kind::least:
    return ReduceMinOp::create(b, type, x, axes);
  case Kind::all:
    return ReduceAllOp::create(b, type, x, axes);
  case Kind::any:
  case Kind::bits:
    return ReduceAnyOp::create(b, type, x, axes);
  }
  llvm_unreachable("all kinds are handled");
}

static FailureOr<Value> convertReduce(Conversion &c, stablehlo::ReduceOp op) {
  // Everything is looked at before anything is made.
  struct Part {
    Kind kind;
    bool isNeutral;
  };
  SmallVector<Part> parts;
  for (unsigned i = 0, count = op.getInputs().size(); i < count; ++i) {
    Type element = getElementTypeOrSelf(op.getResult(i));
    std::optional<Kind> kind = kindOf(op, i);
    if (!kind)
      return c.no("its body is more than one sum, product, greatest, least, "
                  "and, or");
    if (*kind == Kind::bits)
      return c.no("GE has no reduction of integers bit by bit");
    bool isNeutral = isIdentity(op.getInitValues()[i], *kind, element);
    parts.push_back({*kind, isNeutral});
  }
  SmallVector<int64_t> dims(op.getDimensions());
  llvm::sort(dims);
  SmallVector<Value> values;
  for (auto [i, part] : llvm::enumerate(parts)) {
    auto type = cast<RankedTensorType>(op.getResult(i).getType());
    Type element = within(part.kind, type.getElementType());
    Elements e(c.b);
    Value init = op.getInitValues()[i], value;
    if (typeOf(op.getInputs()[i]).getNumElements() == 0) {
      value = broadcastTo(c.b, e.convert(init, type.getElementType()),
                          type.getShape());
    } else {
      value = reduce(c.b, part.kind, e.convert(op.getInputs()[i], element),
                     dims, type.clone(element));
      if (!part.isNeutral)
        value = combine(c.b, part.kind, value, e.convert(init, element));
    }
    values.push_back(e.convert(value, type.getElementType()));
  }
  c.others.assign(values.begin() + 1, values.end());
  return values.front();
}

FailureOr<Value> ascend::convertReduction(Conversion &c) {
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(c.op))
    return convertReduce(c, reduce);
  return failure();
}
