// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/MhloCalls.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::stablehlo;

static constexpr StringLiteral kPrefix = "mhlo.";
static constexpr StringLiteral kAttributes = "mhlo.attributes";
static constexpr StringLiteral kVersion = "mhlo.version";

/// The attributes of the operation, in the dictionary of the call.
static DictionaryAttr attributesOf(CustomCallOp op) {
  auto attributes = op->getAttrOfType<DictionaryAttr>(kAttributes);
  return attributes ? attributes : DictionaryAttr::get(op.getContext());
}

/// The operation of this name; null if no such operation accepts the operands.
static Operation *sameName(CustomCallOp op, OpBuilder &b) {
  StringRef name = op.getCallTargetName().drop_front(kPrefix.size());
  for (StringRef dialect : {"chlo.", "stablehlo."}) {
    auto known = RegisteredOperationName::lookup((dialect + name).str(),
                                                 op.getContext());
    if (!known)
      continue;
    OperationState state(op.getLoc(), *known);
    state.addOperands(op->getOperands());
    state.addTypes(op->getResultTypes());
    for (NamedAttribute own : op->getDiscardableAttrs())
      if (own.getName() != kAttributes && own.getName() != kVersion)
        state.attributes.append(own.getName(), own.getValue());
    for (NamedAttribute attribute : attributesOf(op))
      state.attributes.set(attribute.getName(), attribute.getValue());
    Operation *made = b.create(state);
    if (succeeded(verify(made)))
      return made;
    made->erase();
  }
  return nullptr;
}

/// The values and indices of the largest elements, or of the smallest.
static SmallVector<Value> topK(CustomCallOp op, OpBuilder &b) {
  DictionaryAttr attributes = attributesOf(op);
  auto k = attributes.getAs<IntegerAttr>("k");
  auto largest = attributes.getAs<BoolAttr>("largest");
  unsigned count = op->getNumResults();
  if (!k || op->getNumOperands() != 1 || count < 1 || count > 2)
    return {};
  Value operand = op->getOperand(0);
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  auto values = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !values || !type.getElementType().isIntOrFloat())
    return {};
  Type indices = count == 2 ? op->getResult(1).getType()
                            : Type(values.clone(b.getI32Type()));
  // Negation reverses the order of floats, the complement that of integers.
  SmallVector<Operation *> made;
  auto reverse = [&](Value value) -> Value {
    if (!largest || largest.getValue())
      return value;
    StringRef name = isa<FloatType>(type.getElementType())
                         ? NegOp::getOperationName()
                         : NotOp::getOperationName();
    OperationState state(op.getLoc(), name);
    state.addOperands(value);
    state.addTypes(value.getType());
    made.push_back(b.create(state));
    return made.back()->getResult(0);
  };
  auto top = chlo::TopKOp::create(
      b, op.getLoc(), TypeRange{values, indices}, reverse(operand),
      b.getI64IntegerAttr(k.getValue().getSExtValue()), BoolAttr());
  made.push_back(top);
  SmallVector<Value> results = {reverse(top->getResult(0)), top->getResult(1)};
  if (!llvm::all_of(made,
                    [](Operation *it) { return succeeded(verify(it)); })) {
    for (Operation *it : llvm::reverse(made))
      it->erase();
    return {};
  }
  results.truncate(count);
  return results;
}

void stablehlo::spellMhloCalls(ModuleOp module) {
  SmallVector<CustomCallOp> calls;
  module.walk([&](CustomCallOp op) {
    ArrayAttr called = op.getCalledComputationsAttr();
    if (op.getCallTargetName().starts_with(kPrefix) &&
        (!called || called.empty()))
      calls.push_back(op);
  });
  if (calls.empty())
    return;
  module.getContext()->getOrLoadDialect<chlo::ChloDialect>();
  // A call that does not fit is no error.
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  for (CustomCallOp op : calls) {
    OpBuilder b(op);
    SmallVector<Value> results;
    if (op.getCallTargetName() == "mhlo.topk")
      results = topK(op, b);
    else if (Operation *made = sameName(op, b))
      results = SmallVector<Value>(made->getResults());
    if (results.size() != op->getNumResults() || results.empty())
      continue;
    op->replaceAllUsesWith(results);
    op->erase();
  }
}
