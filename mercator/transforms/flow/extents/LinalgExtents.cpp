// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/extents/LinalgExtents.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mercator::flow;

/// The init that determines the shape of `tensor`, or null.
static Value initOf(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  return op && isa<RankedTensorType>(tensor.getType())
             ? op.getTiedOpOperand(cast<OpResult>(tensor))->get()
             : Value();
}

Value LinalgExtents::origin(Value tensor) {
  SmallVector<Value> path;
  Value at = tensor;
  while (true) {
    // Values on the path map to themselves until the end is known: in a graph
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

OpFoldResult LinalgExtents::get(OpBuilder &builder, Location loc, Value tensor,
                                int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return builder.getIndexAttr(type.getDimSize(dim));
  Value from = origin(tensor);
  if (auto empty = from.getDefiningOp<tensor::EmptyOp>())
    return empty.getDynamicSize(dim);
  return tensor::DimOp::create(builder, loc, from, dim).getResult();
}

static bool hasUnreadInit(linalg::GenericOp op, OpOperand &init) {
  auto type = dyn_cast<RankedTensorType>(init.get().getType());
  return type && !type.getEncoding() && !op.payloadUsesValueFromOperand(&init);
}

static void askOrigin(LinalgExtents &extents, tensor::DimOp dim) {
  std::optional<int64_t> index = dim.getConstantIndex();
  auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
  if (!type || !index || *index < 0 || *index >= type.getRank() ||
      !type.isDynamicDim(*index) || !initOf(dim.getSource()))
    return;
  Value from = extents.origin(dim.getSource());
  if (auto empty = from.getDefiningOp<tensor::EmptyOp>())
    dim.replaceAllUsesWith(empty.getDynamicSize(*index));
  else
    dim.getSourceMutable().assign(from);
}

void mercator::flow::askOrigins(Operation *root) {
  LinalgExtents extents;
  root->walk([&](tensor::DimOp dim) { askOrigin(extents, dim); });
}

namespace {
struct AskOriginsPass : PassWrapper<AskOriginsPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AskOriginsPass)
  StringRef getArgument() const override { return "mercator-flow-ask-origins"; }
  StringRef getDescription() const override {
    return "reads extents of linalg results from their origin";
  }
  void runOnOperation() override { askOrigins(getOperation()); }
};
} // namespace

std::unique_ptr<Pass> mercator::flow::createAskOriginsPass() {
  return std::make_unique<AskOriginsPass>();
}

void mercator::flow::detachUnreadInits(Operation *root) {
  LinalgExtents extents;
  SmallVector<std::pair<OpOperand *, Value>> detached;
  OpBuilder builder(root->getContext());
  root->walk([&](Operation *op) {
    builder.setInsertionPoint(op);
    if (auto dim = dyn_cast<tensor::DimOp>(op))
      return askOrigin(extents, dim);
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic)
      return;
    for (OpOperand &init : generic.getDpsInitsMutable()) {
      if (!hasUnreadInit(generic, init) ||
          init.get().getDefiningOp<tensor::EmptyOp>())
        continue;
      auto type = cast<RankedTensorType>(init.get().getType());
      SmallVector<OpFoldResult> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        sizes.push_back(extents.get(builder, op->getLoc(), init.get(), dim));
      detached.emplace_back(
          &init, tensor::EmptyOp::create(builder, op->getLoc(), sizes,
                                         type.getElementType()));
    }
  });
  // Last, so that the extents found before remain valid.
  for (auto [init, empty] : detached)
    init->set(empty);
}
