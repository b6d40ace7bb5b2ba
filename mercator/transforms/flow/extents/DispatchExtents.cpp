// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/extents/DispatchExtents.h"
#include "mercator/dialects/util/UtilInterfaces.h"
#include "mercator/transforms/flow/formation/Grouping.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

/// Records each new tensor.dim, also those that an operation creates when it is
/// asked for its shape.
struct Extents::Listener : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    if (auto dim = dyn_cast<tensor::DimOp>(op))
      pending.push_back(dim);
  }
  SmallVector<tensor::DimOp> pending;
  /// The tensor.dim of values with unknown extents.
  DenseSet<Operation *> final;
};

Extents::Extents(MLIRContext *context)
    : listener(std::make_unique<Listener>()), builder(context, listener.get()) {
}
Extents::~Extents() = default;

/// The value with the same extents as `value`; null if there is none.
static Value sameShape(OpResult value) {
  Operation *op = value.getOwner();
  if (auto destinationStyle = dyn_cast<DestinationStyleOpInterface>(op))
    if (destinationStyle.hasPureTensorSemantics())
      return destinationStyle.getTiedOpOperand(value)->get();
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    if (isa<RankedTensorType>(cast.getSource().getType()))
      return cast.getSource();
  return {};
}

/// A tensor.dim at the earliest possible place.
OpFoldResult Extents::makeDim(Value value, int64_t dimension) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  auto dim = tensor::DimOp::create(builder, value.getLoc(), value, dimension);
  listener->final.insert(dim);
  return dim.getResult();
}

OpFoldResult Extents::follow(OpFoldResult extent) {
  while (auto value = dyn_cast_if_present<Value>(extent)) {
    Value next = replaced.lookup(value);
    if (!next)
      break;
    extent = next;
  }
  return extent;
}

/// The extent. If there is none, `value` becomes the operand for a tensor.dim.
/// `path` receives the values with the same extent.
OpFoldResult Extents::compute(Value &value, int64_t dimension,
                              SmallVectorImpl<Value> &path) {
  // In unreachable code values may use themselves.
  SmallPtrSet<void *, 4> seen;
  while (seen.insert(value.getAsOpaquePointer()).second) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!type.isDynamicDim(dimension))
      return builder.getIndexAttr(type.getDimSize(dimension));
    if (OpFoldResult extent = known.lookup({value, dimension}))
      return follow(extent);
    path.push_back(value);
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return {};
    Operation *op = result.getOwner();
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return empty.getDynamicSize(dimension);
    if (auto aware = dyn_cast<util::ShapeAwareOpInterface>(op)) {
      ValueRange dims = aware.getResultDynamicDims(result.getResultNumber());
      unsigned index = type.getDynamicDimIndex(dimension);
      return index < dims.size() ? OpFoldResult(dims[index]) : OpFoldResult();
    }
    if (Value same = sameShape(result)) {
      value = same;
      continue;
    }
    if (!isa<ReifyRankedShapedTypeOpInterface>(op))
      return {};
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    FailureOr<OpFoldResult> extent =
        reifyDimOfResult(builder, op, result.getResultNumber(), dimension);
    return succeeded(extent) ? *extent : OpFoldResult();
  }
  return {};
}

OpFoldResult Extents::get(Value value, int64_t dimension) {
  SmallVector<Value> path;
  OpFoldResult extent = compute(value, dimension, path);
  if (!extent)
    extent = makeDim(value, dimension);
  // For all values of the path: a chain of inits is walked once for all users.
  for (Value same : path)
    known[{same, dimension}] = extent;
  return extent;
}

SmallVector<Value> Extents::getDynamic(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<Value> extents;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (!type.isDynamicDim(i))
      continue;
    OpFoldResult extent = get(value, i);
    OpBuilder::InsertionGuard guard(builder);
    // A number must precede the operation, which may move into a region whose
    // result has this extent.
    if (Operation *op = value.getDefiningOp())
      builder.setInsertionPoint(op);
    else
      builder.setInsertionPointAfterValue(value);
    extents.push_back(
        getValueOrCreateConstantIndexOp(builder, value.getLoc(), extent));
  }
  return extents;
}

void Extents::resolve(tensor::DimOp op) { listener->pending.push_back(op); }

void Extents::finish() {
  SmallVector<Operation *> dead;
  while (!listener->pending.empty()) {
    tensor::DimOp op = listener->pending.pop_back_val();
    if (listener->final.contains(op) || replaced.contains(op.getResult()) ||
        !isResolvableDim(op))
      continue;
    OpFoldResult extent = get(op.getSource(), *op.getConstantIndex());
    auto value = dyn_cast<Value>(extent);
    if (!value) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(op);
      value = getValueOrCreateConstantIndexOp(builder, op.getLoc(), extent);
    }
    if (value == op.getResult())
      continue;
    replaced[op.getResult()] = value;
    op.getResult().replaceAllUsesWith(value);
    dead.push_back(op);
  }
  for (Operation *op : dead)
    op->erase();
}
