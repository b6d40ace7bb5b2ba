// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/operations/Candidates.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mercator;

linalg::LinalgOp flow::asLinalgOnTensors(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  bool onTensors =
      linalgOp && linalgOp.hasPureTensorSemantics() && op->getNumResults() > 0;
  return onTensors ? linalgOp : linalg::LinalgOp();
}

bool flow::isAllParallel(linalg::LinalgOp op) {
  return op.getNumParallelLoops() == op.getNumLoops();
}

bool flow::isGenericLike(linalg::LinalgOp op) {
  return isa<linalg::GenericOp, linalg::ReduceOp>(op) || isAllParallel(op);
}

bool flow::canCross(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return !isa<ShapedType>(type);
  Type element = tensor.getElementType();
  return isa<IntegerType, FloatType, ComplexType>(element);
}

bool flow::isRoot(Operation *op) {
  if (linalg::LinalgOp linalgOp = asLinalgOnTensors(op))
    return !isAllParallel(linalgOp);
  // Pads are cloned where they are used: see GroupByHeuristic.cpp for those that are
  // not.
  return isa<TilingInterface>(op) &&
         !isa<linalg::LinalgOp, tensor::PadOp>(op) && op->getNumResults() > 0 &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>) &&
         llvm::none_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
}

bool flow::isElementwiseRoot(Operation *op) {
  linalg::LinalgOp linalgOp = asLinalgOnTensors(op);
  return linalgOp && isAllParallel(linalgOp) && !isa<linalg::FillOp>(op);
}

bool flow::hasNoEffects(Operation *op) {
  // Some operations of linalg do not declare that they have no effects on
  // tensors.
  auto destinationStyle = dyn_cast<DestinationStyleOpInterface>(op);
  if (destinationStyle && destinationStyle.hasPureTensorSemantics() &&
      isa<linalg::LinalgDialect>(op->getDialect()) && op->getNumRegions() == 0)
    return true;
  return isMemoryEffectFree(op);
}

unsigned flow::countOuterParallelLoops(linalg::LinalgOp op) {
  unsigned count = 0;
  for (utils::IteratorType iterator : op.getIteratorTypesArray()) {
    if (iterator != utils::IteratorType::parallel)
      break;
    ++count;
  }
  return count;
}
