// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The globals of a program: the dialect util.

#include "mercator/reference/linalg/Globals.h"

#include "mercator/dialects/util/Util.h"
#include "mercator/reference/linalg/Rules.h"

using namespace mlir;

namespace mercator::reference {

LogicalResult initializeGlobals(Evaluator &evaluator) {
  for (auto initializer : evaluator.getModule().getOps<util::InitializerOp>())
    if (failed(evaluator.region(initializer.getBody(), {})))
      return failure();
  return success();
}

static FailureOr<Value> load(Step &step, util::GlobalOp global) {
  std::optional<Value> &held = step.evaluator.global(global);
  if (held)
    return *held;
  auto initial =
      dyn_cast_or_null<TypedAttr>(global.getInitialValue().value_or(nullptr));
  auto elements = dyn_cast_or_null<ElementsAttr>(initial);
  if (initial && !elements && initial.getType().isIntOrIndexOrFloat())
    elements = DenseElementsAttr::get(
        RankedTensorType::get({}, initial.getType()), Attribute(initial));
  if (!elements)
    return LogicalResult(step.error()
                         << "expected a global that has a value, got @"
                         << global.getSymName());
  FailureOr<Tensor> value = step.constant(elements);
  if (failed(value))
    return failure();
  held = *value;
  return *held;
}

static LogicalResult loadInto(Step &step, util::GlobalOp global) {
  FailureOr<Value> value = load(step, global);
  if (failed(value))
    return failure();
  Type type = step.op->getResult(0).getType();
  if (!step.evaluator.fits(*value, type))
    return step.error() << "expected a global that holds a " << type;
  step.results[0] = *value;
  return success();
}

static LogicalResult store(Step &step, util::GlobalOp global) {
  if (!step.evaluator.fits(step.operands[0], global.getType()))
    return step.error() << "expected a value for a global of type "
                        << global.getType();
  step.evaluator.global(global) = step.operands[0];
  return success();
}

/// The global with a name; the verifier checked that it exists.
static util::GlobalOp named(Operation *op, FlatSymbolRefAttr name) {
  return SymbolTable::lookupNearestSymbolFrom<util::GlobalOp>(op, name);
}

/// The global at an address, or null.
static util::GlobalOp pointedTo(const Value &value) {
  const auto *address = std::get_if<Address>(&value);
  return address ? cast<util::GlobalOp>(address->global) : util::GlobalOp();
}

static LogicalResult evaluateAddress(util::GlobalAddressOp op, Step &step) {
  step.results[0] = Address{named(op, op.getGlobalAttr())};
  return success();
}

static LogicalResult evaluateLoad(util::GlobalLoadOp op, Step &step) {
  return loadInto(step, named(op, op.getGlobalAttr()));
}

static LogicalResult evaluateStore(util::GlobalStoreOp op, Step &step) {
  return store(step, named(op, op.getGlobalAttr()));
}

static LogicalResult evaluateLoadIndirect(util::GlobalLoadIndirectOp op,
                                          Step &step) {
  util::GlobalOp global = pointedTo(step.operands[0]);
  return global ? loadInto(step, global)
                : step.unsupported("the address is not one of a global");
}

static LogicalResult evaluateStoreIndirect(util::GlobalStoreIndirectOp op,
                                           Step &step) {
  util::GlobalOp global = pointedTo(step.operands[1]);
  return global ? store(step, global)
                : step.unsupported("the address is not one of a global");
}

void addGlobalRules(EvaluationRules &rules) {
  rules.add<util::GlobalAddressOp, evaluateAddress>();
  rules.add<util::GlobalLoadOp, evaluateLoad>();
  rules.add<util::GlobalStoreOp, evaluateStore>();
  rules.add<util::GlobalLoadIndirectOp, evaluateLoadIndirect>();
  rules.add<util::GlobalStoreIndirectOp, evaluateStoreIndirect>();
}

} // namespace mercator::reference
