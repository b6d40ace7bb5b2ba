// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Evaluator.h"
#include "mercator/reference/core/Quantize.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace mercator::reference {

//===----------------------------------------------------------------------===//
// Step
//===----------------------------------------------------------------------===//

Value Step::take(size_t i) {
  mlir::Value operand = op->getOperand(unsigned(i));
  if (!llvm::is_contained(lastOperands, operand))
    return operands[i];
  evaluator.forget(operand);
  return std::move(operands[i]);
}

std::vector<Value> Step::takeFrom(size_t begin) {
  std::vector<Value> values;
  for (size_t i = begin; i < operands.size(); ++i)
    values.push_back(take(i));
  return values;
}

FailureOr<Tensor> Step::takeForUpdate(size_t i) {
  Value operand = take(i);
  isCounted = true;
  if (!operand.tensor()->isShared())
    return std::get<Tensor>(std::move(operand));
  if (failed(charge(operand.tensor()->shape())))
    return failure();
  evaluator.copiedBytes += operand.tensor()->byteSize();
  return operand.tensor()->clone([&] { return error(); });
}

SmallVector<Tensor> Step::tensors(size_t begin, size_t count) const {
  SmallVector<Tensor> list;
  for (const Value &value : operands.slice(begin, count))
    list.push_back(*value.tensor());
  return list;
}

FailureOr<RankedTensorType> Step::type(size_t i,
                                       ArrayRef<int64_t> shape) const {
  auto declared = cast<RankedTensorType>(op->getResult(i).getType());
  Type element = declared.getElementType();
  auto type = RankedTensorType::get(shape, onFloats ? expressedElement(element)
                                                    : element);
  if (succeeded(verifyCompatibleShape(declared.getShape(), shape)))
    return type;
  error() << "expected result #" << i << " of type " << declared << ", got "
          << type;
  return failure();
}

FailureOr<Tensor> Step::make(size_t i) const {
  auto declared = cast<RankedTensorType>(op->getResult(i).getType());
  if (declared.hasStaticShape())
    return make(i, declared.getShape());
  return unsupported("its shape is known only at run time");
}

FailureOr<Tensor> Step::make(size_t i, ArrayRef<int64_t> shape) const {
  FailureOr<RankedTensorType> found = type(i, shape);
  if (failed(found))
    return failure();
  return zeros(*found);
}

FailureOr<Tensor> Step::zeros(RankedTensorType type) const {
  evaluator.overLimit |= Tensor::isTooLarge(type);
  return Tensor::zeros(type, [&] { return error(); });
}

FailureOr<Tensor> Step::unwritten(RankedTensorType type) const {
  FailureOr<Tensor> tensor = zeros(type);
  if (failed(tensor))
    return failure();
  const Evaluator::Unwritten &held = evaluator.getUnwritten();
  const Element &element = tensor->element();
  Scalar value = element.isReal() || element.isComplex()
                     ? Scalar::complex(held.real, held.real)
                     : Scalar::whole(held.whole);
  for (int64_t i = 0; i < tensor->size(); ++i)
    tensor->set(i, value);
  return tensor;
}

FailureOr<Tensor> Step::constant(ElementsAttr value) const {
  auto emitError = [&] { return error(); };
  auto type = dyn_cast<RankedTensorType>(value.getShapedType());
  bool isKnown = type && type.hasStaticShape();
  evaluator.overLimit |= isKnown && Tensor::isTooLarge(type);
  return isKnown && evaluator.fill && Tensor::isElided(value)
             ? evaluator.fill(op, type, emitError)
             : Tensor::from(value, emitError);
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
                     << " element operations, got more";
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

LogicalResult evaluateOnFloats(Step &step, EvaluationRule rule) {
  if (llvm::none_of(step.op->getOperandTypes(), isQuantized) &&
      llvm::none_of(step.op->getResultTypes(), isQuantized))
    return rule(step);
  auto emitError = [&] { return step.error(); };
  SmallVector<Value> operands;
  for (const Value &operand : step.operands) {
    FailureOr<Tensor> floats = dequantize(*operand.tensor(), emitError);
    if (failed(floats))
      return failure();
    operands.emplace_back(*floats);
  }
  Step inner{step.op, operands, step.results, step.evaluator, true};
  if (failed(rule(inner)))
    return failure();
  for (auto [result, type] :
       llvm::zip(step.results, step.op->getResultTypes())) {
    FailureOr<Tensor> quantized =
        quantize(*result.tensor(), cast<RankedTensorType>(type), emitError);
    if (failed(quantized))
      return failure();
    result = *quantized;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// The part that is the same in each evaluation of a block.
struct Evaluator::Plan {
  struct Entry {
    Operation *op;
    EvaluationRule rule;
    /// Values of this block that have no later use.
    SmallVector<mlir::Value> lastUses;
    /// Those of them that are operands, and that no region of `op` uses.
    SmallVector<mlir::Value> lastOperands;
  };
  std::vector<Entry> entries;
};

/// The values of one function call.
struct Evaluator::Frame {
  llvm::DenseMap<mlir::Value, Value> values;
};

Evaluator::Evaluator(ModuleOp module, const EvaluationRules &rules,
                     Limits limits)
    : module(module), rules(rules), limits(limits) {}

Evaluator::~Evaluator() = default;

const Evaluator::Plan &Evaluator::plan(Block &block) {
  if (auto known = plans.find(&block); known != plans.end())
    return *known->second;
  // Other blocks of the region may use values of this one.
  bool isAlone = block.getParent()->hasOneBlock();
  // A value from outside whose last use is an operation that evaluates this
  // region at most once has its last use in here.
  llvm::DenseSet<mlir::Value> outside;
  Operation *parent = block.getParentOp();
  if (isAlone && parent->getBlock() && rules.areRegionsEvaluatedOnce(parent))
    for (const Plan::Entry &entry : plan(*parent->getBlock()).entries)
      if (entry.op == parent)
        outside.insert(entry.lastUses.begin(), entry.lastUses.end());
  auto made = std::make_unique<Plan>();
  llvm::DenseSet<mlir::Value> seen;
  auto isLastUse = [&](mlir::Value value) {
    bool isOwn = value.getParentBlock() == &block;
    return (isOwn || outside.contains(value)) && seen.insert(value).second &&
           (isAlone || !value.isUsedOutsideOfBlock(&block));
  };
  for (Operation &op : llvm::reverse(block)) {
    Plan::Entry entry{&op, rules.find(&op), {}, {}};
    llvm::DenseSet<mlir::Value> inRegions;
    op.walk([&](Operation *inner) {
      for (mlir::Value operand : inner->getOperands()) {
        if (inner != &op)
          inRegions.insert(operand);
        if (isLastUse(operand))
          entry.lastUses.push_back(operand);
      }
    });
    for (mlir::Value value : entry.lastUses)
      if (!inRegions.contains(value))
        entry.lastOperands.push_back(value);
    for (mlir::Value result : op.getResults())
      if (isLastUse(result))
        entry.lastUses.push_back(result);
    made->entries.push_back(std::move(entry));
  }
  std::reverse(made->entries.begin(), made->entries.end());
  return *(plans[&block] = std::move(made));
}

/// The successor that a branch takes; nothing for an unknown branch.
static std::optional<unsigned> takenSuccessor(Operation *op,
                                              ArrayRef<Value> operands) {
  if (op->getNumSuccessors() == 1)
    return 0;
  auto flag = [&] { return operands[0].tensor()->scalar().integer; };
  if (isa<cf::CondBranchOp>(op))
    return flag() ? 0 : 1;
  auto choice = dyn_cast<cf::SwitchOp>(op);
  if (!choice)
    return std::nullopt;
  if (std::optional<DenseIntElementsAttr> cases = choice.getCaseValues())
    for (auto [i, value] : llvm::enumerate(cases->getValues<APInt>()))
      if (value.getSExtValue() == flag() ||
          (value.getBitWidth() == 1 && int64_t(value.getZExtValue()) == flag()))
        return i + 1;
  return 0;
}

/// The operands that a branch passes to the successor it takes, `next`.
static FailureOr<std::vector<Value>>
branch(Operation *op, ArrayRef<Value> operands, Block *&next) {
  auto terminator = dyn_cast<BranchOpInterface>(op);
  std::optional<unsigned> taken = takenSuccessor(op, operands);
  if (!terminator || !taken)
    return op->emitError("expected a branch");
  SuccessorOperands handed = terminator.getSuccessorOperands(*taken);
  if (handed.getProducedOperandCount() != 0)
    return op->emitError("expected a branch to one of its successors");
  next = op->getSuccessor(*taken);
  OperandRange forwarded = handed.getForwardedOperands();
  if (forwarded.empty())
    return std::vector<Value>();
  ArrayRef<Value> values =
      operands.slice(forwarded.getBeginOperandIndex(), forwarded.size());
  return std::vector<Value>(values.begin(), values.end());
}

const Value *Evaluator::elided(mlir::Value constant, ElementsAttr elements) {
  Step step{constant.getDefiningOp(), {}, {}, *this};
  FailureOr<Tensor> tensor = step.constant(elements);
  if (failed(tensor))
    return nullptr;
  Value &value = frame->values[constant];
  value = *tensor;
  return &value;
}

FailureOr<std::vector<Value>>
Evaluator::block(Block &block, std::vector<Value> arguments, Block *&next) {
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    if (!argument.use_empty())
      frame->values[argument] = std::move(value);
  arguments.clear();
  SmallVector<Value> operands, results;
  // A rule may create more plans. Existing plans do not move.
  for (const Plan::Entry &entry : plan(block).entries) {
    Operation *op = entry.op;
    if (++operationCount > limits.operations) {
      overLimit = true;
      return op->emitError() << "expected a program of at most "
                             << limits.operations << " operations, got more";
    }
    operands.clear();
    for (mlir::Value operand : op->getOperands()) {
      const Value *value = lookup(operand);
      if (!value)
        return op->emitError("expected operands that have been evaluated");
      if (const auto *constant = std::get_if<Elided>(value)) {
        value = elided(operand, constant->elements);
        if (!value)
          return failure();
      }
      operands.push_back(*value);
    }
    if (op->hasTrait<OpTrait::IsTerminator>() && !entry.rule) {
      FailureOr<std::vector<Value>> handed =
          op->getNumSuccessors() == 0
              ? std::vector<Value>(operands.begin(), operands.end())
              : branch(op, operands, next);
      for (mlir::Value value : entry.lastUses)
        frame->values.erase(value);
      return handed;
    }
    results.assign(op->getNumResults(), Value());
    Step step{op, operands, results, *this, false, entry.lastOperands};
    if (!entry.rule && !opaque)
      return step.unsupported("the evaluator does not know this operation");
    if (failed(entry.rule ? entry.rule(step)
                          : opaque(step, op->getName().getStringRef())))
      return failure();
    for (auto [result, value] : llvm::zip(op->getResults(), results)) {
      if (!step.isCounted && value.tensor() &&
          failed(step.charge(value.tensor()->size())))
        return failure();
      frame->values[result] = std::move(value);
    }
    for (mlir::Value value : entry.lastUses)
      frame->values.erase(value);
  }
  return block.getParentOp()->emitError("expected a block with a terminator");
}

LogicalResult Evaluator::tooDeep(Operation *op) {
  overLimit = true;
  return op->emitError() << "expected at most " << limits.calls
                         << " nested calls and regions, got one "
                            "more";
}

FailureOr<std::vector<Value>> Evaluator::region(Region &region,
                                                ArrayRef<Value> arguments) {
  return regionTaking(region, arguments.vec());
}

FailureOr<std::vector<Value>>
Evaluator::regionTaking(Region &region, std::vector<Value> arguments) {
  if (callDepth >= limits.calls)
    return tooDeep(region.getParentOp());
  Frame own; // if there is no outer region
  llvm::SaveAndRestore inFrame(frame, frame ? frame : &own);
  ++callDepth;
  Block *current = &region.front(), *next = nullptr;
  FailureOr<std::vector<Value>> values =
      block(*current, std::move(arguments), next);
  while (succeeded(values) && next) {
    current = std::exchange(next, nullptr);
    std::vector<Value> handed = std::move(*values);
    values = block(*current, std::move(handed), next);
  }
  --callDepth;
  return values;
}

FailureOr<std::vector<Value>>
Evaluator::isolated(Region &region, ArrayRef<Value> arguments,
                    ArrayRef<std::pair<mlir::Value, Value>> outside) {
  Frame own;
  for (const auto &[value, held] : outside)
    own.values[value] = held;
  llvm::SaveAndRestore inFrame(frame, &own);
  return this->region(region, arguments);
}

LogicalResult
Evaluator::single(Operation *op, ArrayRef<Value> operands,
                  MutableArrayRef<Value> results,
                  ArrayRef<std::pair<mlir::Value, Value>> outside) {
  Frame own;
  for (const auto &[value, held] : outside)
    own.values[value] = held;
  llvm::SaveAndRestore inFrame(frame, &own);
  SmallVector<Value> held(operands);
  Step step{op, held, results, *this};
  EvaluationRule rule = rules.find(op);
  return rule ? rule(step)
              : step.unsupported("the evaluator does not know this operation");
}

std::unique_ptr<Evaluator> Evaluator::forProcess(ProcessGrid &grid,
                                                 int64_t process) const {
  auto other = std::make_unique<Evaluator>(module, rules, limits);
  other->fill = fill;
  other->show = show;
  other->unwritten = unwritten;
  other->opaque = opaque;
  other->grid = &grid;
  other->process = process;
  other->callDepth = callDepth;
  return other;
}

void Evaluator::absorb(const Evaluator &other) {
  checks.passed += other.checks.passed;
  checks.failed += other.checks.failed;
  operationCount += other.operationCount;
  elementOperationCount += other.elementOperationCount;
  copiedBytes += other.copiedBytes;
  overLimit |= other.overLimit;
  if (whyUnsupported.empty())
    whyUnsupported = other.whyUnsupported;
}

void Evaluator::forget(mlir::Value value) { frame->values.erase(value); }

const Value *Evaluator::lookup(mlir::Value value) const {
  if (!frame)
    return nullptr;
  auto known = frame->values.find(value);
  return known == frame->values.end() ? nullptr : &known->second;
}

// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", 2014), with seed 0.
uint64_t Evaluator::randomBits() {
  randomState += 0x9E3779B97F4A7C15;
  uint64_t bits = randomState;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
  return bits ^ (bits >> 31);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool Evaluator::fits(const Value &value, Type type) const {
  if (type.isIntOrIndexOrFloat() || isa<ComplexType>(type))
    return value.tensor() && value.tensor()->rank() == 0 &&
           value.tensor()->type().getElementType() == type;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return value.tensor() &&
           value.tensor()->type().getElementType() == tensor.getElementType() &&
           succeeded(verifyCompatibleShape(value.tensor()->shape(),
                                           tensor.getShape()));
  return bool(value.tensor()) == rules.areHeldAsTensors(type);
}

LogicalResult Evaluator::checkArguments(Operation *at, StringRef callee,
                                        ArrayRef<Type> types,
                                        ArrayRef<Value> arguments) const {
  if (arguments.size() != types.size())
    return at->emitError() << "expected " << types.size() << " arguments for @"
                           << callee << ", got " << arguments.size();
  for (auto [i, value, type] : llvm::enumerate(arguments, types))
    if (!fits(value, type)) {
      InFlightDiagnostic error = at->emitError()
                                 << "expected argument #" << i << " of @"
                                 << callee << " of type " << type;
      if (value.tensor())
        error << ", got " << value.tensor()->type();
      return error;
    }
  return success();
}

FailureOr<std::vector<Value>> Evaluator::call(func::FuncOp function,
                                              ArrayRef<Value> arguments,
                                              Operation *caller) {
  return run(function, arguments.vec(),
             caller ? caller : function.getOperation());
}

FailureOr<std::vector<Value>> Evaluator::run(func::FuncOp function,
                                             std::vector<Value> arguments,
                                             Operation *at) {
  if (function.isExternal())
    return at->emitError() << "expected function @" << function.getName()
                           << " with a body";
  if (failed(checkArguments(at, function.getName(), function.getArgumentTypes(),
                            arguments)))
    return failure();
  if (callDepth >= limits.calls)
    return tooDeep(at);
  Frame own;
  llvm::SaveAndRestore inFrame(frame, &own);
  return regionTaking(function.getBody(), std::move(arguments));
}

FailureOr<std::vector<Value>> Evaluator::call(FlatSymbolRefAttr name,
                                              ArrayRef<Value> arguments,
                                              Operation *from) {
  return callTaking(name, arguments.vec(), from);
}

FailureOr<std::vector<Value>>
Evaluator::callTaking(FlatSymbolRefAttr name, std::vector<Value> arguments,
                      Operation *from) {
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(from, name.getAttr());
  if (!function)
    return from->emitError() << "expected a function called " << name;
  return run(function, std::move(arguments), from);
}

func::FuncOp Evaluator::findExternal(FlatSymbolRefAttr name, Operation *from) {
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(from, name.getAttr());
  return function && function.isExternal() ? function : func::FuncOp();
}

} // namespace mercator::reference
