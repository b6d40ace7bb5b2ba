// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Outline.h"

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

#include <random>

using namespace mlir;

namespace mercator::testing {

/// A run of operations of one block, and the values that it uses and gives.
namespace {
struct Run {
  SmallVector<Operation *> operations;
  llvm::SetVector<Value> used, given;

  [[nodiscard]] bool has(Operation *op) const {
    return llvm::is_contained(operations, op);
  }
  void findValues() {
    for (Operation *op : operations) {
      for (Value operand : op->getOperands())
        if (!has(operand.getDefiningOp()))
          used.insert(operand);
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(),
                         [&](Operation *user) { return !has(user); }))
          given.insert(result);
    }
  }
};
} // namespace

/// True for an operation on tensors that a function can hold.
static bool canMove(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return op->getNumRegions() == 0 && op->getNumResults() > 0 &&
         isa<stablehlo::StablehloDialect>(op->getDialect()) &&
         llvm::all_of(op->getOperandTypes(), isTensor) &&
         llvm::all_of(op->getResultTypes(), isTensor);
}

/// Copies the run to the end of `block`, whose arguments are the values used.
/// The copies of the values given.
static SmallVector<Value> copyTo(const Run &run, Block &block) {
  IRMapping mapping;
  mapping.map(run.used.getArrayRef(), block.getArguments());
  OpBuilder inside = OpBuilder::atBlockEnd(&block);
  for (Operation *op : run.operations)
    inside.clone(*op, mapping);
  return llvm::map_to_vector(
      run.given, [&](Value value) { return mapping.lookup(value); });
}

static Operation *toFunction(const Run &run, ModuleOp module, unsigned number) {
  Location loc = run.operations.front()->getLoc();
  OpBuilder outside = OpBuilder::atBlockBegin(module.getBody());
  auto type =
      outside.getFunctionType(TypeRange(ValueRange(run.used.getArrayRef())),
                              TypeRange(ValueRange(run.given.getArrayRef())));
  auto function = func::FuncOp::create(
      outside, loc, "outlined" + std::to_string(number), type);
  function.setPrivate();
  Block *body = function.addEntryBlock();
  SmallVector<Value> results = copyTo(run, *body);
  OpBuilder end = OpBuilder::atBlockEnd(body);
  func::ReturnOp::create(end, loc, results);
  OpBuilder at(run.operations.back());
  return func::CallOp::create(at, loc, function, run.used.getArrayRef());
}

static Operation *toFusion(const Run &run, unsigned number) {
  Location loc = run.operations.front()->getLoc();
  OpBuilder at(run.operations.back());
  OperationState state(loc, hlo::FusionOp::getOperationName());
  state.addOperands(run.used.getArrayRef());
  state.addTypes(TypeRange(ValueRange(run.given.getArrayRef())));
  state.addAttribute("calls",
                     at.getStringAttr("outlined" + std::to_string(number)));
  state.addAttribute("kind", at.getStringAttr("kLoop"));
  state.addRegion();
  Operation *fusion = at.create(state);
  Block &body = fusion->getRegion(0).emplaceBlock();
  for (Value value : run.used)
    body.addArgument(value.getType(), loc);
  SmallVector<Value> results = copyTo(run, body);
  OpBuilder end = OpBuilder::atBlockEnd(&body);
  hlo::ReturnOp::create(end, loc, results);
  return fusion;
}

unsigned outlineSome(ModuleOp module, uint64_t seed) {
  auto function = module.lookupSymbol<func::FuncOp>("f");
  if (!function)
    return 0;
  module.getContext()->loadDialect<hlo::HloDialect>();
  std::mt19937_64 engine(seed * 0x9e3779b97f4a7c15 + 29);
  SmallVector<Run> runs;
  function.walk([&](Block *block) {
    for (auto it = block->begin(); it != block->end();) {
      if (engine() % 2 || !canMove(&*it)) {
        ++it;
        continue;
      }
      Run &run = runs.emplace_back();
      for (unsigned most = 1 + unsigned(engine() % 3);
           run.operations.size() < most && it != block->end() && canMove(&*it);
           ++it)
        run.operations.push_back(&*it);
    }
  });
  unsigned count = 0;
  for (Run &run : runs) {
    run.findValues();
    if (run.given.empty())
      continue;
    bool isInBody = run.operations.front()->getParentOp() != function;
    Operation *made = !isInBody && engine() % 2
                          ? toFusion(run, count)
                          : toFunction(run, module, count);
    ++count;
    for (auto [value, by] : llvm::zip_equal(run.given, made->getResults()))
      Value(value).replaceAllUsesWith(by);
    for (Operation *op : llvm::reverse(run.operations))
      op->erase();
  }
  return count;
}

} // namespace mercator::testing
