// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/extents/Extents.h"
#include "mercator/dialects/util/UtilInterfaces.h"
#include "mercator/transforms/flow/operations/ScalarLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

/// Hears of each tensor.dim that is made, be it by us or by an operation that
/// is asked for its shape.
struct ExtentResolver::Listener : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    if (auto dim = dyn_cast<tensor::DimOp>(op))
      pending.push_back(dim);
  }
  SmallVector<tensor::DimOp> pending;
  /// Those of values of which nothing is known.
  DenseSet<Operation *> final;
};

ExtentResolver::ExtentResolver(MLIRContext *context)
    : listener(std::make_unique<Listener>()), builder(context, listener.get()) {
}
ExtentResolver::~ExtentResolver() = default;

bool flow::isResolvableDim(Operation *op) {
  auto dim = dyn_cast<tensor::DimOp>(op);
  if (!dim || !isa<RankedTensorType>(dim.getSource().getType()))
    return false;
  std::optional<int64_t> index = dim.getConstantIndex();
  return index && *index >= 0 &&
         *index < cast<RankedTensorType>(dim.getSource().getType()).getRank();
}

/// Whether `op` asks for an extent that its operand's type does not say.
static bool asksDynamicExtent(tensor::DimOp op) {
  return isResolvableDim(op) && cast<RankedTensorType>(op.getSource().getType())
                                    .isDynamicDim(*op.getConstantIndex());
}

//===--- Inits ------------------------------------------------------------===//

/// The init that decides the shape of `tensor`, or null.
static Value initOf(Value tensor) {
  auto op = tensor.getDefiningOp<DestinationStyleOpInterface>();
  return op && op.hasPureTensorSemantics() &&
                 isa<RankedTensorType>(tensor.getType())
             ? op.getTiedOpOperand(cast<OpResult>(tensor))->get()
             : Value();
}

Value ExtentResolver::origin(Value tensor) {
  SmallVector<Value> path;
  Value at = tensor;
  while (true) {
    // What is on the path stands for itself until the end is known: in a graph
    // region a value may be its own init.
    auto [it, isNew] = origins.try_emplace(at, at);
    if (!isNew) {
      at = it->second;
      break;
    }
    path.push_back(at);
    Value init = initOf(at);
    if (!init)
      break;
    at = init;
  }
  for (Value passed : path)
    origins[passed] = at;
  return at;
}

OpFoldResult ExtentResolver::getFromOrigin(OpBuilder &builder, Location loc,
                                           Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return builder.getIndexAttr(type.getDimSize(dim));
  Value from = origin(tensor);
  if (auto empty = from.getDefiningOp<tensor::EmptyOp>())
    return empty.getDynamicSize(dim);
  return tensor::DimOp::create(builder, loc, from, dim).getResult();
}

void ExtentResolver::askOrigin(tensor::DimOp op) {
  if (!asksDynamicExtent(op) || !initOf(op.getSource()))
    return;
  Value from = origin(op.getSource());
  if (auto empty = from.getDefiningOp<tensor::EmptyOp>())
    op.replaceAllUsesWith(empty.getDynamicSize(*op.getConstantIndex()));
  else
    op.getSourceMutable().assign(from);
}

/// An extent that is surely that of `axis` of `tensor`: of a tensor further
/// up, or, with axis -1, a number that the program computes.
static std::pair<Value, int64_t> extentOrigin(Value tensor, int64_t axis) {
  // Results are shaped as their inits; few steps lead to a tensor.empty, or
  // none does.
  constexpr int kMaxSteps = 16;
  for (int step = 0; step != kMaxSteps; ++step) {
    if (Value init = initOf(tensor)) {
      tensor = init;
      continue;
    }
    auto empty = tensor.getDefiningOp<tensor::EmptyOp>();
    if (!empty)
      break;
    auto size = dyn_cast<Value>(empty.getMixedSizes()[axis]);
    if (!size)
      break;
    auto dim = size.getDefiningOp<tensor::DimOp>();
    if (!dim || !isResolvableDim(dim))
      return {size, -1};
    tensor = dim.getSource();
    axis = *dim.getConstantIndex();
  }
  return {tensor, axis};
}

bool flow::haveEqualExtents(Value a, int64_t axisOfA, Value b,
                            int64_t axisOfB) {
  int64_t x = cast<RankedTensorType>(a.getType()).getDimSize(axisOfA);
  int64_t y = cast<RankedTensorType>(b.getType()).getDimSize(axisOfB);
  if (!ShapedType::isDynamic(x) && !ShapedType::isDynamic(y))
    return x == y;
  return extentOrigin(a, axisOfA) == extentOrigin(b, axisOfB);
}

//===--- Any tensor -------------------------------------------------------===//

/// A tensor.dim as early as it can be.
OpFoldResult ExtentResolver::makeDim(Value tensor, int64_t dim) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(tensor);
  auto op = tensor::DimOp::create(builder, tensor.getLoc(), tensor, dim);
  listener->final.insert(op);
  return op.getResult();
}

OpFoldResult ExtentResolver::follow(OpFoldResult extent) {
  while (auto value = dyn_cast_if_present<Value>(extent)) {
    Value next = replaced.lookup(value);
    if (!next)
      break;
    extent = next;
  }
  return extent;
}

/// The extent, or nothing; then `tensor` becomes what to make a tensor.dim of.
/// `path` gets the values with the same extent.
OpFoldResult ExtentResolver::compute(Value &tensor, int64_t dim,
                                     SmallVectorImpl<Value> &path) {
  // Values use themselves where control does not come.
  SmallPtrSet<void *, 4> seen;
  while (seen.insert(tensor.getAsOpaquePointer()).second) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(dim))
      return builder.getIndexAttr(type.getDimSize(dim));
    if (OpFoldResult extent = known.lookup({tensor, dim}))
      return follow(extent);
    path.push_back(tensor);
    auto result = dyn_cast<OpResult>(tensor);
    if (!result)
      return {};
    Operation *op = result.getOwner();
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return empty.getDynamicSize(dim);
    if (auto aware = dyn_cast<util::ShapeAwareOpInterface>(op)) {
      ValueRange dims = aware.getResultDynamicDims(result.getResultNumber());
      unsigned index = type.getDynamicDimIndex(dim);
      return index < dims.size() ? OpFoldResult(dims[index]) : OpFoldResult();
    }
    if (initOf(tensor)) {
      tensor = origin(tensor);
      continue;
    }
    if (Value updated = updatedByLoop(result)) {
      tensor = updated;
      continue;
    }
    if (auto cast = dyn_cast<tensor::CastOp>(op))
      if (isa<RankedTensorType>(cast.getSource().getType())) {
        tensor = cast.getSource();
        continue;
      }
    if (!isa<ReifyRankedShapedTypeOpInterface>(op))
      return {};
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    FailureOr<OpFoldResult> extent =
        reifyDimOfResult(builder, op, result.getResultNumber(), dim);
    return succeeded(extent) ? *extent : OpFoldResult();
  }
  return {};
}

OpFoldResult ExtentResolver::get(Value tensor, int64_t dim) {
  SmallVector<Value> path;
  OpFoldResult extent = compute(tensor, dim, path);
  if (!extent)
    extent = makeDim(tensor, dim);
  for (Value same : path)
    known[{same, dim}] = extent;
  return extent;
}

SmallVector<Value> ExtentResolver::getDynamic(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> extents;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (!type.isDynamicDim(i))
      continue;
    OpFoldResult extent = get(tensor, i);
    OpBuilder::InsertionGuard guard(builder);
    // A number must come before the operation: that may go into a region whose
    // result has this extent.
    if (Operation *op = tensor.getDefiningOp())
      builder.setInsertionPoint(op);
    else
      builder.setInsertionPointAfterValue(tensor);
    extents.push_back(
        getValueOrCreateConstantIndexOp(builder, tensor.getLoc(), extent));
  }
  return extents;
}

void ExtentResolver::resolve(tensor::DimOp op) {
  listener->pending.push_back(op);
}

void ExtentResolver::finish() {
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

//===--- Loops ------------------------------------------------------------===//

/// The loop that carries `tensor`, as its argument or its result.
static std::pair<scf::ForOp, unsigned> carrierOf(Value tensor) {
  if (auto result = dyn_cast<OpResult>(tensor))
    return {dyn_cast<scf::ForOp>(result.getOwner()), result.getResultNumber()};
  auto argument = cast<BlockArgument>(tensor);
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument == loop.getInductionVar())
    return {nullptr, 0};
  return {loop, argument.getArgNumber() - 1};
}

/// An extent of `tensor` that an operation which reads it states. Null if none
/// of the first users states it.
static Value extentOfUsers(Value tensor, unsigned number) {
  // All users state the same extents, so a few of them are enough.
  constexpr unsigned kMaxUses = 16;
  unsigned seen = 0;
  for (OpOperand &use : tensor.getUses()) {
    if (++seen > kMaxUses)
      break;
    auto aware = dyn_cast<util::ShapeAwareOpInterface>(use.getOwner());
    if (!aware)
      continue;
    ValueRange dims = aware.getOperandDynamicDims(use.getOperandNumber());
    if (number < dims.size())
      return dims[number];
  }
  return {};
}

Value ExtentResolver::findBeforeLoop(Value tensor, int64_t dim) {
  auto [loop, number] = carrierOf(tensor);
  if (!loop || !cast<RankedTensorType>(tensor.getType()).isDynamicDim(dim))
    return {};
  return findOfLoop(loop, number, dim);
}

/// What findBeforeLoop() says of the loop's operand of that number.
Value ExtentResolver::findOfLoop(scf::ForOp loop, unsigned number,
                                 int64_t dim) {
  Key key = {loop.getRegionIterArg(number), dim};
  if (auto it = carried.find(key); it != carried.end())
    return it->second;
  Value before = findInProgram(loop.getInitArgs()[number], dim);
  if (before && !dominance.properlyDominates(before, loop))
    before = {};
  carried[key] = before;
  trail.push_back(key);
  size_t mark = trail.size();
  if (before && findInProgram(loop.getYieldedValues()[number], dim) != before) {
    // What was found on the way held only if the loop kept it.
    for (const Key &inner : ArrayRef(trail).drop_front(mark))
      carried.erase(inner);
    trail.truncate(mark);
    carried[key] = Value();
  }
  return carried[key];
}

/// A value of the program that is the extent, or null. It need not dominate
/// the definition of `tensor`.
Value ExtentResolver::findInProgram(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return {};
  if (carrierOf(tensor).first)
    return findBeforeLoop(tensor, dim);
  unsigned number = type.getDynamicDimIndex(dim);
  std::optional<ValueRange> dims = util::findDynamicDims(tensor);
  Value extent = dims ? (*dims)[number] : extentOfUsers(tensor, number);
  // The extent may be that of a value which a loop carries.
  if (extent)
    if (auto query = extent.getDefiningOp<tensor::DimOp>();
        query && asksDynamicExtent(query))
      if (Value before =
              findBeforeLoop(query.getSource(), *query.getConstantIndex()))
        return before;
  return extent;
}
