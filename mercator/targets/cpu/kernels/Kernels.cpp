// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Kernels.h"
#include "mercator/targets/cpu/kernels/Splats.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mercator;

namespace {
/// Replaces the tensors of a dispatch by tensors over its parameters.
class ToBuffers {
public:
  explicit ToBuffers(func::FuncOp function) : function(function) {}
  LogicalResult run();

private:
  struct Parameter {
    BlockArgument buffer;
    bool isReadWrite;
    /// The current elements of a buffer that is read and written.
    mlir::Value tensor = nullptr;
  };

  Parameter *parameterOf(mlir::Value value);
  mlir::Value subviewOf(OpBuilder &builder, Location loc, Parameter &parameter,
                        OffsetSizeAndStrideOpInterface op,
                        RankedTensorType part);
  LogicalResult replace(flow::DispatchTensorLoadOp load);
  LogicalResult replace(flow::DispatchTensorStoreOp store);

  func::FuncOp function;
  llvm::MapVector<mlir::Value, Parameter> parameters;
};
} // namespace

ToBuffers::Parameter *ToBuffers::parameterOf(mlir::Value value) {
  while (auto tie = value.getDefiningOp<flow::DispatchTieShapeOp>())
    value = tie->getOperand(0);
  auto found = parameters.find(value);
  return found == parameters.end() ? nullptr : &found->second;
}

/// Whether the slice is the whole buffer in its order.
static bool isWhole(OffsetSizeAndStrideOpInterface op, MemRefType buffer,
                    RankedTensorType part) {
  if (!buffer.hasStaticShape() || buffer.getShape() != part.getShape())
    return false;
  return llvm::all_of(op.getMixedOffsets(),
                      [](OpFoldResult o) { return isConstantIntValue(o, 0); });
}

mlir::Value ToBuffers::subviewOf(OpBuilder &builder, Location loc,
                                 Parameter &parameter,
                                 OffsetSizeAndStrideOpInterface op,
                                 RankedTensorType part) {
  auto type = cast<MemRefType>(parameter.buffer.getType());
  if (isWhole(op, type, part))
    return parameter.buffer;
  auto view = memref::SubViewOp::inferRankReducedResultType(
      part.getShape(), type, op.getMixedOffsets(), op.getMixedSizes(),
      op.getMixedStrides());
  return memref::SubViewOp::create(builder, loc, view, parameter.buffer,
                                   op.getMixedOffsets(), op.getMixedSizes(),
                                   op.getMixedStrides());
}

LogicalResult ToBuffers::replace(flow::DispatchTensorLoadOp load) {
  Parameter *parameter = parameterOf(load->getOperand(0));
  if (!parameter)
    return load.emitOpError() << "loads from what is no parameter";
  OpBuilder builder(load);
  RankedTensorType type = load.getType();
  mlir::Value part;
  if (parameter->isReadWrite) {
    if (load->getParentOp() != function)
      return load.emitOpError() << "is in a loop: not supported for a CPU yet";
    part = tensor::ExtractSliceOp::create(
        builder, load.getLoc(), type, parameter->tensor, load.getMixedOffsets(),
        load.getMixedSizes(), load.getMixedStrides());
  } else {
    part = bufferization::ToTensorOp::create(
        builder, load.getLoc(), type,
        subviewOf(builder, load.getLoc(), *parameter, load, type),
        /*restrict=*/true, /*writable=*/false);
  }
  load.getResult().replaceAllUsesWith(part);
  load.erase();
  return success();
}

/// The tensor in whose buffer an operation makes its result, or null.
static mlir::Value destinationOf(mlir::Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  if (auto style = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
    return style.getTiedOpOperand(result)->get();
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    return loop.getInitArgs()[result.getResultNumber()];
  return {};
}

static bool isDestination(OpOperand &use) {
  if (auto style = dyn_cast<DestinationStyleOpInterface>(use.getOwner()))
    return style.isDpsInit(&use);
  return isa<LoopLikeOpInterface>(use.getOwner());
}

/// Whether a stored tensor would share its buffer with others that are needed,
/// too. It is computed where it is stored, and bufferization does not know that
/// the store writes there again.
static bool sharesBuffer(mlir::Value value) {
  // Those are made again for each use.
  auto isRepeated = [](mlir::Value tensor) {
    return isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(
        tensor.getDefiningOp());
  };
  if (isRepeated(value))
    return false;
  if (llvm::any_of(value.getUses(), isDestination))
    return true;
  for (value = destinationOf(value); value && !isRepeated(value);
       value = destinationOf(value))
    if (!value.hasOneUse())
      return true;
  return false;
}

static mlir::Value copyOf(OpBuilder &builder, Location loc, mlir::Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<mlir::Value> dims;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(unsigned(i)))
      dims.push_back(tensor::DimOp::create(builder, loc, value, i));
  mlir::Value empty = tensor::EmptyOp::create(builder, loc, type, dims);
  return linalg::CopyOp::create(builder, loc, value, empty).getResult(0);
}

LogicalResult ToBuffers::replace(flow::DispatchTensorStoreOp store) {
  Parameter *parameter = parameterOf(store->getOperand(1));
  if (!parameter)
    return store.emitOpError() << "stores to what is no parameter";
  OpBuilder builder(store);
  if (parameter->isReadWrite) {
    if (store->getParentOp() != function)
      return store.emitOpError() << "is in a loop: not supported for a CPU yet";
    parameter->tensor = tensor::InsertSliceOp::create(
        builder, store.getLoc(), store.getValue(), parameter->tensor,
        store.getMixedOffsets(), store.getMixedSizes(),
        store.getMixedStrides());
  } else {
    mlir::Value target =
        subviewOf(builder, store.getLoc(), *parameter, store,
                  cast<RankedTensorType>(store.getValue().getType()));
    mlir::Value value = store.getValue();
    if (sharesBuffer(value))
      value = copyOf(builder, store.getLoc(), value);
    bufferization::MaterializeInDestinationOp::create(
        builder, store.getLoc(), TypeRange(), value, target,
        /*restrict=*/true, /*writable=*/true);
  }
  store.erase();
  return success();
}

LogicalResult ToBuffers::run() {
  Block &entry = function.getBody().front();
  for (BlockArgument argument : entry.getArguments()) {
    auto type = dyn_cast<flow::DispatchTensorType>(argument.getType());
    if (!type)
      continue;
    parameters[argument] = {argument,
                            type.getAccess() == flow::TensorAccess::ReadWrite};
  }
  SmallVector<Operation *> accesses, ties;
  function.walk([&](Operation *op) {
    if (isa<flow::DispatchTensorLoadOp, flow::DispatchTensorStoreOp>(op))
      accesses.push_back(op);
    else if (isa<flow::DispatchTieShapeOp>(op))
      ties.push_back(op);
  });
  for (auto &[argument, parameter] : parameters) {
    auto type = cast<flow::DispatchTensorType>(argument.getType());
    parameter.buffer.setType(cpu::bufferOf(type.asRankedTensorType()));
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  for (auto &[argument, parameter] : parameters)
    if (parameter.isReadWrite) {
      auto buffer = cast<MemRefType>(parameter.buffer.getType());
      parameter.tensor = bufferization::ToTensorOp::create(
          builder, function.getLoc(),
          RankedTensorType::get(buffer.getShape(), buffer.getElementType()),
          parameter.buffer, /*restrict=*/true, /*writable=*/true);
    }
  for (Operation *op : accesses) {
    auto load = dyn_cast<flow::DispatchTensorLoadOp>(op);
    if (failed(load ? replace(load)
                    : replace(cast<flow::DispatchTensorStoreOp>(op))))
      return failure();
  }
  builder.setInsertionPoint(entry.getTerminator());
  for (auto &[argument, parameter] : parameters)
    if (parameter.isReadWrite)
      bufferization::MaterializeInDestinationOp::create(
          builder, function.getLoc(), TypeRange(), parameter.tensor,
          parameter.buffer, /*restrict=*/true, /*writable=*/true);
  for (Operation *tie : llvm::reverse(ties))
    tie->erase();
  function.setType(FunctionType::get(function.getContext(),
                                     entry.getArgumentTypes(),
                                     function.getResultTypes()));
  return success();
}

/// One workgroup covers the whole grid.
static void foldGrid(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  function.walk([&](Operation *op) {
    rewriter.setInsertionPoint(op);
    if (isa<flow::DispatchWorkgroupIDOp>(op))
      rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, 0);
    else if (isa<flow::DispatchWorkgroupCountOp, flow::DispatchWorkgroupSizeOp>(
                 op))
      rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, 1);
    else if (auto ordinal = dyn_cast<flow::DispatchWorkloadOrdinalOp>(op))
      rewriter.replaceOp(op, ordinal.getOperand());
  });
}

/// Two operations that begin with one filled tensor would fill it once, and copy
/// it. Each gets its own.
static void separateFills(func::FuncOp function) {
  SmallVector<linalg::FillOp> fills;
  function.walk([&](linalg::FillOp op) {
    if (op.hasPureTensorSemantics())
      fills.push_back(op);
  });
  for (linalg::FillOp op : fills)
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses()))
      if (!op->hasOneUse()) {
        OpBuilder builder(use.getOwner());
        use.set(builder.clone(*op)->getResult(0));
      }
}

/// Two loop-carried tensors that begin as one empty tensor would share its
/// buffer, since nothing is read from it. Each use gets its own.
static void separateEmptyTensors(func::FuncOp function) {
  SmallVector<tensor::EmptyOp> empties;
  function.walk([&](tensor::EmptyOp op) { empties.push_back(op); });
  for (tensor::EmptyOp op : empties)
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses()))
      if (!op->hasOneUse()) {
        OpBuilder builder(op);
        use.set(builder.clone(*op)->getResult(0));
      }
}

/// An error for an operation on tensors that cannot be on buffers.
static LogicalResult refuseOthers(func::FuncOp function) {
  WalkResult found = function.walk([](Operation *op) {
    auto isTensor = [](Type type) { return isa<TensorType>(type); };
    bool hasTensors = llvm::any_of(op->getOperandTypes(), isTensor) ||
                      llvm::any_of(op->getResultTypes(), isTensor);
    if (!hasTensors || isa<bufferization::BufferizableOpInterface>(op))
      return WalkResult::advance();
    op->emitOpError() << "has no code for a CPU yet";
    return WalkResult::interrupt();
  });
  return failure(found.wasInterrupted());
}

LogicalResult cpu::bufferizeKernel(func::FuncOp function) {
  foldGrid(function);
  if (failed(viewSplats(function)) || failed(ToBuffers(function).run()) ||
      failed(refuseOthers(function)))
    return failure();
  RewritePatternSet patterns(function.getContext());
  linalg::populateDecomposePadPatterns(patterns);
  if (failed(applyPatternsGreedily(function, std::move(patterns))))
    return failure();
  separateFills(function);
  separateEmptyTensors(function);
  // What is stored is computed in its place.
  IRRewriter rewriter(function.getContext());
  if (failed(bufferization::eliminateEmptyTensors(rewriter, function)))
    return failure();
  bufferization::OneShotBufferizationOptions options;
  options.allowReturnAllocsFromLoops = true;
  options.bufferAlignment = 64;
  options.setFunctionBoundaryTypeConversion(
      bufferization::LayoutMapOption::IdentityLayoutMap);
  bufferization::BufferizationState state;
  return bufferization::runOneShotBufferize(function, options, state);
}
