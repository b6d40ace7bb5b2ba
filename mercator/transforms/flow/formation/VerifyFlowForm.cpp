// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Verifies flow form: between dispatches, tensors are only passed on.
// Operations that compute or create tensors are in a dispatch or are operations
// of flow. An operation that no pass converted is an error with a reason.

#include "mercator/dialects/hal/Hal.h"
#include "mercator/transforms/KeptOperations.h"
#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/operations/Candidates.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mercator::flow {
#define GEN_PASS_DEF_VERIFYFLOWFORM
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

static bool handlesTensors(Operation *op) {
  auto isTensor = llvm::IsaPred<TensorType>;
  return isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect>(
             op->getDialect()) ||
         llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

/// Operations that pass tensors on, and unknown operations.
static bool isFlowForm(Operation *op) {
  if (!op->isRegistered())
    return true;
  if (isa<flow::FlowDialect, util::UtilDialect, hal::HalDialect,
          func::FuncDialect, cf::ControlFlowDialect, ub::UBDialect>(
          op->getDialect()))
    return true;
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return select.getCondition().getType().isInteger(1);
  return isa<arith::ConstantOp, scf::IfOp, scf::ForOp, scf::WhileOp,
             scf::IndexSwitchOp, scf::ExecuteRegionOp, scf::YieldOp,
             scf::ConditionOp>(op) ||
         // The users of an empty tensor are reported; the clean-up of shapes
         // reports the others.
         isa<tensor::EmptyOp, tensor::DimOp, tensor::RankOp>(op);
}

static StringRef whyNot(Operation *op) {
  auto refused = [](Type type) {
    return isa<ShapedType>(type) && !flow::canCross(type);
  };
  if (isa<scf::ForallOp, scf::ParallelOp, scf::ReduceOp, scf::InParallelOp>(op))
    return "a parallel loop does not become a dispatch";
  for (Type type : llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                                      SmallVector<Type>(op->getResultTypes())))
    if (refused(type))
      return isa<BaseMemRefType>(type) ? "it works on buffers"
             : isa<RankedTensorType>(type)
                 ? "a dispatch cannot take tensors of its element type"
                 : "a dispatch cannot take tensors without a rank";
  return "no rule converts it to a dispatch or an operation of flow";
}

namespace {
struct VerifyFlowForm : flow::impl::VerifyFlowFormBase<VerifyFlowForm> {
  using Base::Base;

  void runOnOperation() override {
    // One error for each kind of operation: a program may have thousands.
    llvm::SmallPtrSet<const void *, 4> kinds;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      // The body of a collective belongs to it.
      if (isa<flow::ExecutableOp, flow::DispatchWorkgroupsOp>(op) ||
          isKept(op->getName()))
        return WalkResult::skip();
      if (!handlesTensors(op) || isFlowForm(op))
        return WalkResult::advance();
      if (kinds.insert(op->getName().getAsOpaquePointer()).second)
        op->emitError() << "expected only dispatches and operations of flow "
                           "between dispatches, got "
                        << op->getName() << ": " << whyNot(op);
      // Its regions belong to it.
      return WalkResult::skip();
    });
    markAllAnalysesPreserved();
    if (!kinds.empty())
      signalPassFailure();
  }
};
} // namespace
