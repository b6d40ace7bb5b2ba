// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/Evaluator.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/Rules.h"

using namespace mlir;

namespace mercator::reference {

//===----------------------------------------------------------------------===//
// Step
//===----------------------------------------------------------------------===//

SmallVector<Tensor> Step::tensors(size_t begin, size_t count) const {
  SmallVector<Tensor> list;
  for (const Value &value : operands.slice(begin, count))
    list.push_back(*value.tensor());
  return list;
}

FailureOr<RankedTensorType> Step::type(size_t i,
                                       ArrayRef<int64_t> shape) const {
  auto declared = cast<RankedTensorType>(op->getResult(i).getType());
  auto type = RankedTensorType::get(shape, declared.getElementType());
  if (stablehlo::shapesAgree(declared.getShape(), shape))
    return type;
  error() << "expected result #" << i << " of type " << declared << ", got "
          << type;
  return failure();
}

FailureOr<Tensor> Step::make(size_t i) const {
  auto declared = cast<RankedTensorType>(op->getResult(i).getType());
  if (declared.hasStaticShape())
    return make(i, declared.getShape());
  return unsupported("its shape is known only when it runs");
}

FailureOr<Tensor> Step::make(size_t i, ArrayRef<int64_t> shape) const {
  FailureOr<RankedTensorType> found = type(i, shape);
  if (failed(found))
    return failure();
  return Tensor::zeros(*found, [&] { return error(); });
}

LogicalResult Step::expectShape(StringRef what, const Tensor &tensor,
                                ArrayRef<int64_t> expected) const {
  if (tensor.shape() == expected)
    return success();
  return error() << "expected " << what << " of type "
                 << RankedTensorType::get(expected,
                                          tensor.type().getElementType())
                 << ", got " << tensor.type();
}

LogicalResult Step::charge(ArrayRef<int64_t> extents) const {
  if (llvm::is_contained(extents, 0))
    return success();
  int64_t left = evaluator.limits.elementOperations -
                 evaluator.elementOperationCount,
          count = 1;
  for (int64_t extent : extents) {
    if (extent > left / count) {
      evaluator.overLimit = true;
      return error() << "expected a program of at most "
                     << evaluator.limits.elementOperations
                     << " element operations, this one goes on";
    }
    count *= extent;
  }
  evaluator.elementOperationCount += count;
  return success();
}

InFlightDiagnostic Step::error() const { return op->emitOpError(); }

LogicalResult Step::unsupported(const Twine &why) const {
  evaluator.whyUnsupported = (op->getName().getStringRef() + ": " + why).str();
  return error() << "cannot be evaluated: " << why;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// What is the same each time a block is evaluated.
struct Evaluator::Plan {
  struct Entry {
    Operation *op;
    Rule rule;
    /// Values of this block that nobody reads later.
    SmallVector<mlir::Value> lastUses;
  };
  std::vector<Entry> entries;
};

/// The values of one call of a function.
struct Evaluator::Frame {
  llvm::DenseMap<mlir::Value, Value> values;
};

Evaluator::Evaluator(ModuleOp module, Limits limits)
    : module(module), limits(limits) {}

Evaluator::~Evaluator() = default;

const Evaluator::Plan &Evaluator::plan(Block &block) {
  std::unique_ptr<Plan> &known = plans[&block];
  if (known)
    return *known;
  known = std::make_unique<Plan>();
  llvm::DenseSet<mlir::Value> seen;
  for (Operation &op : llvm::reverse(block)) {
    Plan::Entry entry{&op, allRules().find(&op), {}};
    op.walk([&](Operation *inner) {
      for (mlir::Value operand : inner->getOperands())
        if (operand.getParentBlock() == &block && seen.insert(operand).second)
          entry.lastUses.push_back(operand);
    });
    for (mlir::Value result : op.getResults())
      if (seen.insert(result).second)
        entry.lastUses.push_back(result);
    known->entries.push_back(std::move(entry));
  }
  std::reverse(known->entries.begin(), known->entries.end());
  return *known;
}

FailureOr<std::vector<Value>> Evaluator::block(Block &block,
                                               ArrayRef<Value> arguments) {
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    frame->values[argument] = value;
  SmallVector<Value> operands, results;
  // A rule may make more plans, but plans stay where they are.
  for (const Plan::Entry &entry : plan(block).entries) {
    Operation *op = entry.op;
    if (++operationCount > limits.operations) {
      overLimit = true;
      return op->emitError()
             << "expected a program of at most " << limits.operations
             << " operations, this one goes on";
    }
    operands.clear();
    for (mlir::Value operand : op->getOperands()) {
      const Value *value = lookup(operand);
      if (!value)
        return op->emitError("expected operands that have been evaluated");
      operands.push_back(*value);
    }
    if (op->hasTrait<OpTrait::IsTerminator>() && op->getNumSuccessors() == 0) {
      std::vector<Value> returned(operands.begin(), operands.end());
      for (mlir::Value value : entry.lastUses)
        frame->values.erase(value);
      return returned;
    }
    results.assign(op->getNumResults(), Value());
    Step step{op, operands, results, *this};
    if (!entry.rule)
      return step.unsupported("the evaluator does not know this operation");
    if (failed(entry.rule(step)))
      return failure();
    for (auto [result, value] : llvm::zip(op->getResults(), results))
      frame->values[result] = std::move(value);
    for (mlir::Value value : entry.lastUses)
      frame->values.erase(value);
  }
  return block.getParentOp()->emitError("expected a block with a terminator");
}

FailureOr<std::vector<Value>> Evaluator::region(Region &region,
                                                ArrayRef<Value> arguments) {
  return block(region.front(), arguments);
}

const Value *Evaluator::lookup(mlir::Value value) const {
  if (!frame)
    return nullptr;
  auto known = frame->values.find(value);
  return known == frame->values.end() ? nullptr : &known->second;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool fits(const Value &value, Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return value.tensor() &&
           value.tensor()->type().getElementType() == tensor.getElementType() &&
           stablehlo::shapesAgree(value.tensor()->shape(), tensor.getShape());
  return !value.tensor();
}

FailureOr<std::vector<Value>> Evaluator::call(func::FuncOp function,
                                              ArrayRef<Value> arguments,
                                              Operation *caller) {
  Operation *at = caller ? caller : function.getOperation();
  if (function.isExternal())
    return at->emitError() << "expected function @" << function.getName()
                           << " with a body";
  if (!function.getBody().hasOneBlock())
    return function.emitError("expected a function of one block");
  if (arguments.size() != function.getNumArguments())
    return at->emitError() << "expected " << function.getNumArguments()
                           << " arguments for @" << function.getName()
                           << ", got " << arguments.size();
  for (auto [i, value, type] :
       llvm::enumerate(arguments, function.getArgumentTypes()))
    if (!fits(value, type)) {
      InFlightDiagnostic error = at->emitError()
                                 << "expected argument #" << i << " of @"
                                 << function.getName() << " of type " << type;
      if (value.tensor())
        error << ", got " << value.tensor()->type();
      return error;
    }
  if (callDepth >= limits.calls) {
    overLimit = true;
    return at->emitError() << "expected at most " << limits.calls
                           << " calls within calls, got one more, of @"
                           << function.getName();
  }
  Frame own, *outer = frame;
  frame = &own;
  ++callDepth;
  FailureOr<std::vector<Value>> results =
      block(function.getBody().front(), arguments);
  --callDepth;
  frame = outer;
  return results;
}

FailureOr<std::vector<Value>> Evaluator::call(FlatSymbolRefAttr name,
                                              ArrayRef<Value> arguments,
                                              Operation *from) {
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(from, name.getAttr());
  if (!function)
    return from->emitError() << "expected a function called " << name;
  return call(function, arguments, from);
}

} // namespace mercator::reference
