// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Inline.h"

#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;

namespace {

class Inliner {
public:
  explicit Inliner(ModuleOp module) : symbols(module) {}

  LogicalResult run(Operation *in) {
    SmallVector<Operation *> calls;
    in->walk([&](Operation *op) {
      if (op != in &&
          isa<func::CallOp, stablehlo::CompositeOp, sdy::NamedComputationOp>(
              op))
        calls.push_back(op);
    });
    for (Operation *call : calls)
      if (failed(replace(call)))
        return failure();
    return success();
  }

private:
  LogicalResult replace(Operation *call);

  SymbolTable symbols;
  SmallVector<Operation *> active; ///< the callees around
  size_t made = 0;
};

} // namespace

LogicalResult Inliner::replace(Operation *call) {
  constexpr size_t kMost = 1'000'000;
  Region *body = nullptr;
  Operation *callee = call;
  if (isa<sdy::NamedComputationOp>(call)) {
    body = &call->getRegion(0);
  } else {
    StringRef name =
        isa<func::CallOp>(call)
            ? cast<func::CallOp>(call).getCallee()
            : cast<stablehlo::CompositeOp>(call).getDecomposition();
    auto function = symbols.lookup<func::FuncOp>(name);
    if (!function || !function.getBody().hasOneBlock())
      return call->emitError() << "expected a callee with a body of one block, "
                                  "got @"
                               << name;
    callee = function;
    body = &function.getBody();
  }
  if (llvm::is_contained(active, callee))
    return call->emitError()
           << "expected a program without recursion, got a call of a function "
              "inside of itself";
  OpBuilder b(call);
  IRMapping mapping;
  mapping.map(body->getArguments(), call->getOperands());
  SmallVector<Operation *> cloned;
  for (Operation &op : body->front().without_terminator()) {
    op.walk([&](Operation *) { ++made; });
    if (made > kMost)
      return call->emitError() << "expected at most " << kMost
                               << " operations after calls are inlined";
    cloned.push_back(b.clone(op, mapping));
  }
  Operation *returns = body->front().getTerminator();
  for (auto [result, value] :
       llvm::zip_equal(call->getResults(), returns->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  active.push_back(callee);
  for (Operation *op : cloned) {
    SmallVector<Operation *> calls;
    op->walk([&](Operation *inner) {
      if (isa<func::CallOp, stablehlo::CompositeOp, sdy::NamedComputationOp>(
              inner))
        calls.push_back(inner);
    });
    for (Operation *inner : calls)
      if (failed(replace(inner)))
        return failure();
  }
  active.pop_back();
  call->erase();
  return success();
}

LogicalResult mercator::spmd::inlineCalls(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitError()
           << "expected a function with a body of one block";
  return Inliner(function->getParentOfType<ModuleOp>()).run(function);
}
