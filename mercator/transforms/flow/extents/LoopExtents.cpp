// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/extents/LoopExtents.h"

#include "mercator/dialects/util/UtilInterfaces.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mercator;

namespace {
class LoopExtents {
public:
  explicit LoopExtents(Operation *root) : dominance(root) {}

  /// A value that equals extent `dim` of `tensor`, or null.
  Value find(Value tensor, int64_t dim);

private:
  using Key = std::pair<Value, int64_t>;

  Value ofUsers(Value tensor, unsigned number);
  Value ofLoop(scf::ForOp loop, unsigned carried, int64_t dim);

  DominanceInfo dominance;
  /// For values carried by loops. During a query: the extent under the
  /// assumption that the loop keeps it.
  DenseMap<Key, Value> known;
  /// The keys of `known`, in the order of insertion.
  SmallVector<Key> trail;
};
} // namespace

/// The loop that carries `tensor`, as an argument or a result.
static std::pair<scf::ForOp, unsigned> carrierOf(Value tensor) {
  if (auto result = dyn_cast<OpResult>(tensor))
    return {dyn_cast<scf::ForOp>(result.getOwner()), result.getResultNumber()};
  auto argument = cast<BlockArgument>(tensor);
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument == loop.getInductionVar())
    return {nullptr, 0};
  return {loop, argument.getArgNumber() - 1};
}

/// Whether it asks for an unknown extent of a value carried by a loop.
static bool isOfLoop(tensor::DimOp op) {
  if (!op)
    return false;
  auto type = dyn_cast<RankedTensorType>(op.getSource().getType());
  std::optional<int64_t> dim = op.getConstantIndex();
  return type && dim && *dim >= 0 && *dim < type.getRank() &&
         type.isDynamicDim(*dim) && carrierOf(op.getSource()).first;
}

/// The extent according to operations that read `tensor`.
Value LoopExtents::ofUsers(Value tensor, unsigned number) {
  // All readers agree, so a bounded number is enough.
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

Value LoopExtents::ofLoop(scf::ForOp loop, unsigned carried, int64_t dim) {
  Key key = {loop.getRegionIterArg(carried), dim};
  if (auto it = known.find(key); it != known.end())
    return it->second;
  Value before = find(loop.getInitArgs()[carried], dim);
  if (before && !dominance.properlyDominates(before, loop))
    before = {};
  known[key] = before;
  trail.push_back(key);
  size_t mark = trail.size();
  if (before && find(loop.getYieldedValues()[carried], dim) != before) {
    // The entries found on the way assumed that the loop keeps the extent.
    for (const Key &inner : ArrayRef(trail).drop_front(mark))
      known.erase(inner);
    trail.truncate(mark);
    known[key] = Value();
  }
  return known[key];
}

Value LoopExtents::find(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return {};
  unsigned number = type.getDynamicDimIndex(dim);
  if (auto [loop, carried] = carrierOf(tensor); loop)
    return ofLoop(loop, carried, dim);
  std::optional<ValueRange> dims = util::findDynamicDims(tensor);
  Value extent = dims ? (*dims)[number] : ofUsers(tensor, number);
  // It may itself ask for the extent of a carried value.
  if (extent)
    if (auto query = extent.getDefiningOp<tensor::DimOp>(); isOfLoop(query))
      if (Value known = find(query.getSource(), *query.getConstantIndex()))
        return known;
  return extent;
}

void flow::resolveLoopExtents(Operation *root) {
  SmallVector<tensor::DimOp> queries;
  root->walk([&](tensor::DimOp op) {
    if (isOfLoop(op))
      queries.push_back(op);
  });
  if (queries.empty())
    return;
  LoopExtents extents(root);
  DenseMap<Value, Value> found;
  for (tensor::DimOp op : queries)
    if (Value extent = extents.find(op.getSource(), *op.getConstantIndex());
        extent && extent != op.getResult())
      found[op.getResult()] = extent;
  for (tensor::DimOp op : queries) {
    Value extent = found.lookup(op.getResult());
    if (!extent)
      continue;
    // The replacement may be replaced too; each precedes the one before.
    while (Value earlier = found.lookup(extent))
      extent = earlier;
    op.getResult().replaceAllUsesWith(extent);
  }
  for (tensor::DimOp op : queries)
    if (found.contains(op.getResult()))
      op.erase();
}
