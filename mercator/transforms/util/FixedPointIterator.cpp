// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Runs a pipeline repeatedly until the operation no longer changes. Changes
/// are detected by a hash of the operation. A pass may also request another run
/// with the attribute `iree.fixedpoint.modified`. During the run,
/// `iree.fixedpoint.iteration` holds the number of the iteration.

#include "mercator/transforms/util/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/SHA1.h"

namespace mercator::util {
#define GEN_PASS_DEF_FIXEDPOINTITERATOR
#include "mercator/transforms/util/Passes.h.inc"
} // namespace mercator::util

using namespace mlir;
using namespace mercator;

static constexpr StringLiteral kIteration = "iree.fixedpoint.iteration";
static constexpr StringLiteral kModified = "iree.fixedpoint.modified";

namespace {
/// A hash of the operation's structure. Locations and addresses of operations
/// are not part of it; attributes and types are, because a context uniques
/// them. Constants are hashed by value and not by position: one pass moves
/// loads before them, and the greedy driver reverses their order when it moves
/// them back.
class Fingerprint {
public:
  static std::array<uint8_t, 20> of(Operation *op) {
    Fingerprint fingerprint;
    fingerprint.add(op);
    return fingerprint.hash.final();
  }

private:
  void add(const void *pointer) { add(reinterpret_cast<uintptr_t>(pointer)); }
  void add(uint64_t number) {
    uint8_t bytes[sizeof(number)];
    std::memcpy(bytes, &number, sizeof(number));
    hash.update(ArrayRef(bytes));
  }
  void add(Operation *root) {
    root->walk<WalkOrder::PreOrder>([this](Operation *op) { addOne(op); });
  }
  /// Values and blocks are numbered in the order of their first occurrence.
  void addNumber(const void *object) {
    add(uint64_t(numbers.try_emplace(object, numbers.size()).first->second));
  }
  void addConstant(Operation *op) {
    add(op->getName().getAsOpaquePointer());
    add(op->getDiscardableAttrDictionary().getAsOpaquePointer());
    add(uint64_t(op->hashProperties()));
    add(op->getResult(0).getType().getAsOpaquePointer());
  }
  void addOne(Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>())
      return;
    add(op->getName().getAsOpaquePointer());
    // The block encodes the nesting of the operations before it.
    addNumber(op->getBlock());
    add(op->getDiscardableAttrDictionary().getAsOpaquePointer());
    add(uint64_t(op->hashProperties()));
    add(uint64_t(op->getNumOperands()));
    for (Value operand : op->getOperands()) {
      Operation *from = operand.getDefiningOp();
      if (from && from->hasTrait<OpTrait::ConstantLike>())
        addConstant(from);
      else
        addNumber(operand.getAsOpaquePointer());
    }
    for (Block *successor : op->getSuccessors())
      addNumber(successor);
    addDefinitions(op->getResults());
    for (Region &region : op->getRegions()) {
      add(uint64_t(std::distance(region.begin(), region.end())));
      for (Block &block : region) {
        addNumber(&block);
        addDefinitions(block.getArguments());
      }
    }
  }
  void addDefinitions(ValueRange values) {
    add(uint64_t(values.size()));
    for (Value value : values) {
      addNumber(value.getAsOpaquePointer());
      add(value.getType().getAsOpaquePointer());
    }
  }

  llvm::SHA1 hash;
  DenseMap<const void *, size_t> numbers;
};

struct FixedPointIterator
    : util::impl::FixedPointIteratorBase<FixedPointIterator> {
  using Base::Base;

  LogicalResult
  initializeOptions(StringRef options,
                    function_ref<LogicalResult(const Twine &)> error) override {
    if (failed(Pass::initializeOptions(options, error)))
      return failure();
    if (failed(parse()))
      return error("expected a pipeline as in pipeline=builtin.module(cse), "
                   "got '" +
                   Twine(pipeline) + "'");
    return success();
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    if (succeeded(parse()))
      body->getDependentDialects(registry);
  }

  void runOnOperation() override;

private:
  LogicalResult parse() const;

  mutable std::optional<OpPassManager> body;
};
} // namespace

LogicalResult FixedPointIterator::parse() const {
  if (body)
    return success();
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, llvm::nulls());
  if (failed(parsed))
    return failure();
  body = std::move(*parsed);
  return success();
}

void FixedPointIterator::runOnOperation() {
  Operation *op = getOperation();
  for (Operation *around = op; around; around = around->getParentOp())
    if (around->hasAttr(kIteration)) {
      op->emitError("expected no fixed point inside another, got one at "
                    "iteration ")
          << around->getAttr(kIteration);
      return signalPassFailure();
    }
  if (failed(parse()) || body->getOpName() != op->getName().getStringRef()) {
    op->emitError("expected a pipeline for ")
        << op->getName() << ", got '" << pipeline << "'";
    return signalPassFailure();
  }

  Builder builder(op->getContext());
  op->removeAttr(kModified);
  std::array<uint8_t, 20> before = Fingerprint::of(op);
  for (int i = 0; i < maxIterations; ++i) {
    op->setAttr(kIteration, builder.getIndexAttr(i));
    LogicalResult result = runPipeline(*body, op);
    op->removeAttr(kIteration);
    bool modified = bool(op->removeAttr(kModified));
    if (failed(result))
      return signalPassFailure();
    std::array<uint8_t, 20> after = Fingerprint::of(op);
    if (!modified && after == before)
      return;
    before = after;
  }
  op->emitError("expected a fixed point within ")
      << maxIterations.getValue() << " iterations, got changes in the last";
  signalPassFailure();
}
