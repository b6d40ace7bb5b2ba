// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reductions. GE has one operator for each kind of reduction, none with an
// initial value. An initial value other than the identity element is combined
// with the result.

#include "mercator/targets/ascend/operators/Build.h"
#include "mercator/targets/ascend/operators/Elements.h"
#include "mercator/targets/ascend/operators/Reductions.h"
#include "mercator/targets/ascend/rules/ArgReduction.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

/// The type to reduce in. Sums and products of integers have the same low bits
/// in every type. GE does not define overflow for integers below 32 bits.
static Type within(Reduction by, Type element) {
  bool isNarrow =
      isa<IntegerType>(element) && element.getIntOrFloatBitWidth() < 32;
  return isNarrow && (by == Reduction::Sum || by == Reduction::Product)
             ? IntegerType::get(element.getContext(), 32)
             : element;
}

static Value combine(ImplicitLocOpBuilder &b, Reduction by, Value lhs,
                     Value rhs) {
  Elements e(b);
  switch (by) {
  case Reduction::Sum:
    return e.add(lhs, rhs);
  case Reduction::Product:
    return e.multiply(lhs, rhs);
  case Reduction::Greatest:
    return e.maximum(lhs, rhs);
  case Reduction::Least:
    return e.minimum(lhs, rhs);
  case Reduction::All:
    return e.bitAnd(lhs, rhs);
  case Reduction::Any:
    return e.bitOr(lhs, rhs);
  }
  llvm_unreachable("all kinds are handled");
}

//===--- Reductions -------------------------------------------------------===//

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
