// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/flow/Flow.h"
#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/extents/Extents.h"

namespace mercator::flow {
#define GEN_PASS_DEF_CLEANUPTENSORSHAPES
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// Replaces each tensor.dim under `root` of a tensor that an scf.for carries by
/// the value that has the extent before the loop, if the loop keeps the extent:
///
///     %r = scf.for .. iter_args(%t = %init) -> (tensor<?xf32>) {
///       %n = tensor.dim %t, %c0                    // becomes %d
///       %1 = flow.dispatch @f(%t) .. -> tensor<?xf32>{%d}
///       scf.yield %1
///     }
///
/// where %d is the extent of %init. If %t has that extent before an iteration,
/// the yielded tensor has it too.
static void resolveLoopExtents(Operation *root) {
  flow::ExtentResolver extents(root->getContext());
  SmallVector<tensor::DimOp> queries;
  DenseMap<Value, Value> found;
  root->walk([&](tensor::DimOp op) {
    if (!flow::isResolvableDim(op))
      return;
    Value extent =
        extents.findBeforeLoop(op.getSource(), *op.getConstantIndex());
    if (!extent || extent == op.getResult())
      return;
    queries.push_back(op);
    found[op.getResult()] = extent;
  });
  for (tensor::DimOp op : queries) {
    Value extent = found.lookup(op.getResult());
    // What replaces it may be replaced, too; each comes before the last.
    while (Value earlier = found.lookup(extent))
      extent = earlier;
    op.getResult().replaceAllUsesWith(extent);
  }
  for (tensor::DimOp op : queries)
    op.erase();
}

/// The operation that alone knows the extent that `op` asks for: one that stays
/// what it is, and whose type does not state the extent. Null for any other.
static Operation *findOnlyKnower(Operation *op) {
  auto dim = dyn_cast<tensor::DimOp>(op);
  Operation *source = dim ? dim.getSource().getDefiningOp() : nullptr;
  if (!source || source->getName().getDialectNamespace() != "stablehlo")
    return nullptr;
  return source;
}

namespace {
struct CleanupTensorShapes
    : flow::impl::CleanupTensorShapesBase<CleanupTensorShapes> {
  using Base::Base;

  void runOnOperation() override {
    resolveLoopExtents(getOperation());
    bool asked = false;
    getOperation()->walk([&](Operation *op) {
      if (auto tie = dyn_cast<flow::TensorTieShapeOp>(op)) {
        // In a graph region an operation may be its own operand.
        if (tie.getOperand() == tie.getResult())
          return;
        tie.getResult().replaceAllUsesWith(tie.getOperand());
        tie.erase();
      } else if (isa<tensor::DimOp, tensor::RankOp>(op)) {
        asked = true;
        if (Operation *source = findOnlyKnower(op)) {
          source->emitOpError()
              << "cannot stand between dispatches: its result has an extent "
                 "that nothing else states, and a dispatch needs it";
          return;
        }
        op->emitOpError()
            << "unexpected during shape cleanup, where every extent is a value "
               "that something else computes";
      }
    });
    if (asked)
      signalPassFailure();
  }
};
} // namespace
