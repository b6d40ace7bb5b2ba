// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/RegionToWorkgroups.h"
#include "mercator/transforms/flow/formation/Regions.h"
#include "mercator/transforms/flow/script/Script.h"

#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Tensor/TransformOps/TensorTransformOps.h"
#include "mlir/IR/OpImplementation.h"

#define GET_OP_CLASSES
#include "mercator/transforms/flow/script/ScriptOps.cpp.inc"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;
using namespace mercator::flow::script;
using transform::TransformResults;
using transform::TransformRewriter;
using transform::TransformState;

#ifndef NDEBUG
// MLIR's library is built without assertions and lacks the functions they call.
void mlir::transform::detail::checkImplementsTransformOpInterface(
    StringRef, MLIRContext *) {}
void mlir::transform::detail::checkImplementsTransformHandleTypeInterface(
    TypeID, MLIRContext *) {}
#endif

namespace {
struct ScriptExtension : transform::TransformDialectExtension<ScriptExtension> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ScriptExtension)

  void init() {
    declareDependentDialect<FlowDialect>();
    declareGeneratedDialect<FlowDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "mercator/transforms/flow/script/ScriptOps.cpp.inc"
        >();
  }
};
} // namespace

void flow::registerScripts(DialectRegistry &registry) {
  registry.insert<transform::TransformDialect>();
  registry.addExtensions<ScriptExtension>();
  linalg::registerTransformDialectExtension(registry);
  scf::registerTransformDialectExtension(registry);
  tensor::registerTransformDialectExtension(registry);
}

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

/// The effects: the first operands are read, those from `consumed` on are
/// replaced.
static void appendEffects(Operation *op, unsigned consumed, Effects &effects) {
  transform::onlyReadsHandle(op->getOpOperands().take_front(consumed), effects);
  transform::consumesHandle(op->getOpOperands().drop_front(consumed), effects);
  transform::producesHandle(op->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

//===--- Each operation separately ----------------------------------------===//

void WrapInDispatchRegionOp::getEffects(Effects &effects) {
  appendEffects(*this, 1, effects);
}

DiagnosedSilenceableFailure WrapInDispatchRegionOp::applyToOne(
    TransformRewriter &rewriter, Operation *target,
    transform::ApplyToEachResultList &results, TransformState &state) {
  FailureOr<DispatchRegionOp> region =
      wrapInRegion(rewriter, target, getGenerateWorkload());
  if (failed(region)) {
    DiagnosedSilenceableFailure failure =
        emitSilenceableError()
        << "expected an operation on ranked tensors"
        << (getGenerateWorkload() ? " with known loops" : "");
    failure.attachNote(target->getLoc()) << "got this one";
    return failure;
  }
  results.push_back(*region);
  return DiagnosedSilenceableFailure::success();
}

void RegionToWorkgroupsOp::getEffects(Effects &effects) {
  appendEffects(*this, 0, effects);
}

DiagnosedSilenceableFailure RegionToWorkgroupsOp::applyToOne(
    TransformRewriter &rewriter, DispatchRegionOp target,
    transform::ApplyToEachResultList &results, TransformState &state) {
  FailureOr<DispatchWorkgroupsOp> workgroups =
      convertToWorkgroups(target, rewriter);
  if (failed(workgroups))
    return emitDefaultDefiniteFailure(target);
  results.push_back(*workgroups);
  return DiagnosedSilenceableFailure::success();
}

void ForallToFlowOp::getEffects(Effects &effects) {
  appendEffects(*this, 0, effects);
}

DiagnosedSilenceableFailure
ForallToFlowOp::applyToOne(TransformRewriter &rewriter, scf::ForallOp target,
                           transform::ApplyToEachResultList &results,
                           TransformState &state) {
  std::string why;
  FailureOr<DispatchWorkgroupsOp> workgroups =
      convertForallToWorkgroups(rewriter, target, why);
  if (failed(workgroups)) {
    DiagnosedSilenceableFailure failure = emitSilenceableError() << why;
    failure.attachNote(target->getLoc()) << "in this loop";
    return failure;
  }
  results.push_back(*workgroups);
  return DiagnosedSilenceableFailure::success();
}

//===--- Operations into a region -----------------------------------------===//

/// The single region of a handle, and the operations of another handle in block
/// order. Fails if an operation is not ordered relative to the region.
static DiagnosedSilenceableFailure
collect(transform::TransformOpInterface script, TransformState &state,
        Value target, Value handle, bool precede, DispatchRegionOp &region,
        SmallVectorImpl<Operation *> &ops) {
  auto regions = llvm::to_vector(state.getPayloadOps(handle));
  if (regions.size() != 1 || !isa<DispatchRegionOp>(regions.front()))
    return emitDefiniteFailure(script)
           << "expected one flow.dispatch.region, got " << regions.size()
           << " operations";
  region = cast<DispatchRegionOp>(regions.front());
  for (Operation *op : state.getPayloadOps(target)) {
    bool isBeside = op->getBlock() == region->getBlock() && op != region;
    if (!isBeside || op->isBeforeInBlock(region) != precede) {
      DiagnosedSilenceableFailure failure = emitSilenceableFailure(script)
                                            << "expected operations "
                                            << (precede ? "before" : "after")
                                            << " the region in its block";
      failure.attachNote(op->getLoc()) << "got this one";
      return failure;
    }
    if (!llvm::is_contained(ops, op))
      ops.push_back(op);
  }
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return DiagnosedSilenceableFailure::success();
}

static DiagnosedSilenceableFailure
cannotMove(transform::TransformOpInterface script, Operation *op) {
  DiagnosedSilenceableFailure failure =
      emitSilenceableFailure(script)
      << "expected an operation that can move into the region: its operands "
         "precede the region, its users follow it, and its results are tensors";
  failure.attachNote(op->getLoc()) << "got this one";
  return failure;
}

void ClonePrecedingOpIntoDispatchRegionOp::getEffects(Effects &effects) {
  appendEffects(*this, 2, effects);
}

DiagnosedSilenceableFailure
ClonePrecedingOpIntoDispatchRegionOp::apply(TransformRewriter &rewriter,
                                            TransformResults &results,
                                            TransformState &state) {
  DispatchRegionOp region;
  SmallVector<Operation *> ops, copies;
  DiagnosedSilenceableFailure done =
      collect(*this, state, getTarget(), getDispatchRegion(),
              /*precede=*/true, region, ops);
  if (done.succeeded())
    for (Operation *op : llvm::reverse(ops))
      copies.push_back(clonePrecedingOpIntoRegion(rewriter, op, region));
  std::reverse(copies.begin(), copies.end());
  results.set(cast<OpResult>(getTransformed()), copies);
  return done;
}

void MovePrecedingOpIntoDispatchRegionOp::getEffects(Effects &effects) {
  appendEffects(*this, 1, effects);
}

DiagnosedSilenceableFailure
MovePrecedingOpIntoDispatchRegionOp::apply(TransformRewriter &rewriter,
                                           TransformResults &results,
                                           TransformState &state) {
  DispatchRegionOp region;
  SmallVector<Operation *> ops;
  DiagnosedSilenceableFailure done =
      collect(*this, state, getTarget(), getDispatchRegion(),
              /*precede=*/true, region, ops);
  for (Operation *op : llvm::reverse(ops)) {
    if (!done.succeeded())
      break;
    FailureOr<DispatchRegionOp> bigger =
        movePrecedingOpIntoRegion(rewriter, op, region);
    if (succeeded(bigger))
      region = *bigger;
    else
      done = cannotMove(*this, op);
  }
  results.set(cast<OpResult>(getTransformed()),
              region ? ArrayRef<Operation *>(region.getOperation())
                     : ArrayRef<Operation *>());
  return done;
}

/// The value inside the region for a result of the region.
static Value insideOf(DispatchRegionOp region, Value value) {
  auto result = dyn_cast<OpResult>(value);
  return result && result.getOwner() == region
             ? region.getBody().front().getTerminator()->getOperand(
                   result.getResultNumber())
             : value;
}

void CloneSucceedingOpIntoDispatchRegionOp::getEffects(Effects &effects) {
  appendEffects(*this, 2, effects);
}

/// Whether all operands of `op` are available in the region: results of the
/// region, results of operations in `copied`, and values defined before the
/// region.
static bool usesOnlyBefore(Operation *op, DispatchRegionOp region,
                           llvm::function_ref<bool(Value)> copied) {
  bool all = true;
  op->walk([&](Operation *inner) {
    for (Value value : inner->getOperands()) {
      Operation *maker = value.getDefiningOp();
      Operation *beside =
          maker ? region->getBlock()->findAncestorOpInBlock(*maker) : nullptr;
      all &= !beside || beside == op || beside == region ||
             beside->isBeforeInBlock(region) || copied(value);
      // A region inside that uses a result is not examined further.
      all &= beside != region || inner == op;
    }
  });
  return all;
}

DiagnosedSilenceableFailure
CloneSucceedingOpIntoDispatchRegionOp::apply(TransformRewriter &rewriter,
                                             TransformResults &results,
                                             TransformState &state) {
  DispatchRegionOp region;
  SmallVector<Operation *> ops, copies;
  DiagnosedSilenceableFailure done =
      collect(*this, state, getTarget(), getDispatchRegion(),
              /*precede=*/false, region, ops);
  IRMapping copied;
  for (Operation *op : ops) {
    if (!done.succeeded())
      break;
    if (!usesOnlyBefore(op, region,
                        [&](Value value) { return copied.contains(value); })) {
      done = cannotMove(*this, op);
      break;
    }
    for (Value operand : op->getOperands())
      if (Value inside = insideOf(region, operand); inside != operand)
        copied.map(operand, inside);
    rewriter.setInsertionPoint(region.getBody().front().getTerminator());
    copies.push_back(rewriter.clone(*op, copied));
  }
  results.set(cast<OpResult>(getTransformed()), copies);
  return done;
}

void MoveSucceedingOpIntoDispatchRegionOp::getEffects(Effects &effects) {
  appendEffects(*this, 1, effects);
}

/// Moves the operation to the end of the region, which is replaced.
static DiagnosedSilenceableFailure
moveSucceeding(transform::TransformOpInterface script, RewriterBase &rewriter,
               Operation *op, DispatchRegionOp &region) {
  if (!usesOnlyBefore(op, region, [](Value) { return false; }) ||
      !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return cannotMove(script, op);
  ExtentResolver extents(op->getContext());
  SmallVector<SmallVector<Value>> dims;
  for (Value result : op->getResults())
    dims.push_back(extents.getDynamic(result));
  unsigned first = region.getNumResults();
  rewriter.modifyOpInPlace(op, [&] {
    for (OpOperand &operand : op->getOpOperands())
      operand.set(insideOf(region, operand.get()));
  });
  rewriter.moveOpBefore(op, region.getBody().front().getTerminator());
  region = appendResults(rewriter, region, op->getResults(), dims);
  extents.finish();
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    rewriter.replaceUsesWithIf(
        result, region.getResults()[first + i], [&](OpOperand &use) {
          return !region->isProperAncestor(use.getOwner());
        });
  // Extents that only the operation itself defines come too late.
  for (Value dim : region.getResultDims())
    if (Operation *maker = dim.getDefiningOp();
        maker && (region->isAncestor(maker) ||
                  (maker->getBlock() == region->getBlock() &&
                   !maker->isBeforeInBlock(region))))
      return emitDefiniteFailure(script)
             << "expected extents that are known before the region, got those "
                "of an operation in it";
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure
MoveSucceedingOpIntoDispatchRegionOp::apply(TransformRewriter &rewriter,
                                            TransformResults &results,
                                            TransformState &state) {
  DispatchRegionOp region;
  SmallVector<Operation *> ops;
  DiagnosedSilenceableFailure done =
      collect(*this, state, getTarget(), getDispatchRegion(),
              /*precede=*/false, region, ops);
  for (Operation *op : ops) {
    if (!done.succeeded())
      break;
    done = moveSucceeding(*this, rewriter, op, region);
  }
  results.set(cast<OpResult>(getTransformed()),
              region ? ArrayRef<Operation *>(region.getOperation())
                     : ArrayRef<Operation *>());
  return done;
}
