// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/verify/InlineDispatches.h"

#include "mercator/dialects/flow/DispatchTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mercator;

/// The operation as one of tensor, in its place; null if there is none.
static Value asTensorOperation(Operation *op, OpBuilder &builder) {
  Location loc = op->getLoc();
  auto ones = [&](size_t count) {
    return SmallVector<OpFoldResult>(count, builder.getIndexAttr(1));
  };
  // Constants are part of a slice, not operands of it.
  auto folded = [](ValueRange values) { return getAsOpFoldResult(values); };
  if (isa<flow::TensorTieShapeOp, flow::TensorCloneOp>(op))
    return op->getOperand(0);
  if (auto slice = dyn_cast<flow::TensorSliceOp>(op)) {
    auto made = tensor::ExtractSliceOp::create(
        builder, loc, slice.getSource(), folded(slice.getStartIndices()),
        folded(slice.getLengths()), ones(slice.getStartIndices().size()));
    return made.getType() == slice.getType()
               ? made.getResult()
               : tensor::CastOp::create(builder, loc, slice.getType(), made)
                     .getResult();
  }
  if (auto update = dyn_cast<flow::TensorUpdateOp>(op)) {
    auto type = cast<RankedTensorType>(update.getUpdate().getType());
    if (!type.hasStaticShape())
      return {};
    return tensor::InsertSliceOp::create(
               builder, loc, update.getUpdate(), update.getTarget(),
               folded(update.getStartIndices()),
               getAsIndexOpFoldResult(builder.getContext(), type.getShape()),
               ones(type.getRank()))
        .getResult();
  }
  if (auto reshape = dyn_cast<flow::TensorReshapeOp>(op)) {
    auto from = cast<RankedTensorType>(reshape.getSource().getType());
    auto to = cast<RankedTensorType>(reshape.getResult().getType());
    if (!from.hasStaticShape() || !to.hasStaticShape())
      return {};
    Value flat = reshape.getSource();
    auto all = [](int64_t rank) {
      return SmallVector<ReassociationIndices>{
          llvm::to_vector(llvm::seq<int64_t>(rank))};
    };
    if (from.getRank() == 0)
      flat = tensor::ExpandShapeOp::create(
          builder, loc, RankedTensorType::get({1}, from.getElementType()), flat,
          ArrayRef<ReassociationIndices>{});
    else if (from.getRank() > 1)
      flat = tensor::CollapseShapeOp::create(builder, loc, flat,
                                             all(from.getRank()));
    if (to.getRank() == 0)
      return tensor::CollapseShapeOp::create(builder, loc, to, flat,
                                             ArrayRef<ReassociationIndices>{});
    if (to.getRank() == 1)
      return flat;
    return tensor::ExpandShapeOp::create(builder, loc, to, flat,
                                         all(to.getRank()));
  }
  if (auto splat = dyn_cast<flow::TensorSplatOp>(op))
    return tensor::SplatOp::create(builder, loc, splat.getValue(),
                                   cast<RankedTensorType>(splat.getType()),
                                   splat->getOperands().drop_front())
        .getResult();
  if (auto load = dyn_cast<flow::TensorLoadOp>(op))
    return tensor::ExtractOp::create(builder, loc, load.getSource(),
                                     load.getIndices());
  if (auto store = dyn_cast<flow::TensorStoreOp>(op))
    return tensor::InsertOp::create(builder, loc, store.getValue(),
                                    store.getTarget(), store.getIndices());
  return {};
}

/// The body that a dispatch runs; null if it is not straight code with loads
/// and stores.
static Block *bodyOf(Operation *op, func::FuncOp original) {
  Region *region = nullptr;
  if (auto groups = dyn_cast<flow::DispatchWorkgroupsOp>(op)) {
    region = &groups.getWorkgroupBody();
  } else if (auto dispatch = dyn_cast<flow::DispatchOp>(op)) {
    func::FuncOp function = flow::targetOf(dispatch, original).function;
    if (function && !function.isExternal())
      region = &function.getBody();
  }
  if (!region || !region->hasOneBlock())
    return nullptr;
  Block *block = &region->front();
  bool isStraight = true;
  region->walk([&](Operation *inner) {
    bool isAccess = isa<flow::DispatchTensorLoadOp, flow::DispatchTensorStoreOp,
                        flow::DispatchTieShapeOp>(inner);
    isStraight &= !isAccess || inner->getBlock() == block;
    // Workgroups that know their number have parts of the work.
    isStraight &= isAccess || inner == block->getTerminator() ||
                  !isa<flow::FlowDialect>(inner->getDialect());
  });
  return isStraight ? block : nullptr;
}

/// Inlines a dispatch before itself; its results, or nothing if it stays.
template <typename Op>
static std::optional<SmallVector<Value>> inlined(Op op, Block *body,
                                                 OpBuilder &builder) {
  Location loc = op.getLoc();
  IRMapping values;
  /// The tensor that each parameter of the body stands for now.
  DenseMap<Value, Value> tensors;
  SmallVector<int64_t> tied = op.getTiedArguments();
  size_t next = 0;
  for (Value argument : op.getArguments()) {
    if (next >= body->getNumArguments())
      return std::nullopt;
    Value parameter = body->getArgument(next++);
    if (isa<flow::DispatchTensorType>(parameter.getType()))
      tensors[parameter] = argument;
    else
      values.map(parameter, argument);
  }
  SmallVector<Value> targets;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      return std::nullopt;
    if (i < tied.size() && tied[i] >= 0) {
      targets.push_back(body->getArgument(tied[i]));
      continue;
    }
    if (next >= body->getNumArguments())
      return std::nullopt;
    Value parameter = body->getArgument(next++);
    targets.push_back(parameter);
    tensors[parameter] = tensor::EmptyOp::create(
        builder, loc, type.getShape(), type.getElementType(),
        op.getResultDynamicDims(unsigned(i)));
  }
  auto place = [](Value handle) -> Value {
    while (auto tie = handle.getDefiningOp<flow::DispatchTieShapeOp>())
      handle = tie.getOperand();
    return handle;
  };
  auto mixed = [&](ArrayRef<OpFoldResult> list) {
    return llvm::map_to_vector(list, [&](OpFoldResult each) -> OpFoldResult {
      auto value = dyn_cast<Value>(each);
      return value ? OpFoldResult(values.lookupOrDefault(value)) : each;
    });
  };
  auto isWhole = [](auto access, RankedTensorType part, Value whole) {
    return part == whole.getType() &&
           llvm::all_of(access.getMixedOffsets(), isZeroInteger) &&
           llvm::all_of(access.getMixedStrides(), isOneInteger);
  };
  for (Operation &inner : body->without_terminator()) {
    if (isa<flow::DispatchTieShapeOp>(inner))
      continue;
    if (auto load = dyn_cast<flow::DispatchTensorLoadOp>(inner)) {
      Value whole = tensors.lookup(place(load.getSource()));
      auto type = cast<RankedTensorType>(load.getType());
      values.map(load.getResult(), isWhole(load, type, whole)
                                       ? whole
                                       : tensor::ExtractSliceOp::create(
                                             builder, loc, type, whole,
                                             mixed(load.getMixedOffsets()),
                                             mixed(load.getMixedSizes()),
                                             mixed(load.getMixedStrides()))
                                             .getResult());
      continue;
    }
    if (auto store = dyn_cast<flow::DispatchTensorStoreOp>(inner)) {
      Value handle = place(store.getTarget());
      Value &whole = tensors[handle];
      Value part = values.lookupOrDefault(store.getValue());
      whole =
          isWhole(store, cast<RankedTensorType>(part.getType()), whole)
              ? part
              : tensor::InsertSliceOp::create(builder, loc, part, whole,
                                              mixed(store.getMixedOffsets()),
                                              mixed(store.getMixedSizes()),
                                              mixed(store.getMixedStrides()))
                    .getResult();
      continue;
    }
    builder.clone(inner, values);
  }
  return llvm::map_to_vector(targets,
                             [&](Value target) { return tensors[target]; });
}

func::FuncOp verify::copyWithoutDispatches(func::FuncOp function) {
  // With unknown extents, an operation would seem to read elements that do not
  // exist: the extents of its operands say which do, and a dispatch hides them.
  bool hasFlow = false, isStatic = true;
  function.walk([&](Operation *op) {
    hasFlow |= isa<flow::FlowDialect>(op->getDialect());
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        isStatic &= tensor.hasStaticShape();
  });
  if (!hasFlow || !isStatic || !function->getBlock())
    return {};
  OpBuilder builder(function);
  builder.setInsertionPointAfter(function);
  func::FuncOp copy = cast<func::FuncOp>(builder.clone(*function));
  copy.setName((function.getName() + ".without_dispatches").str());
  copy.setPrivate();
  SmallVector<Operation *> ops;
  copy.walk([&](Operation *op) {
    // What is inside of a dispatch is inlined with it.
    if (isa<flow::FlowDialect>(op->getDialect()) &&
        !op->getParentOfType<flow::DispatchWorkgroupsOp>())
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    if (Block *body = bodyOf(op, function)) {
      auto groups = dyn_cast<flow::DispatchWorkgroupsOp>(op);
      auto results = groups
                         ? inlined(groups, body, builder)
                         : inlined(cast<flow::DispatchOp>(op), body, builder);
      if (!results)
        continue;
      op->replaceAllUsesWith(*results);
      op->erase();
    } else if (Value value = asTensorOperation(op, builder)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }
  return copy;
}

verify::FunctionReads verify::readsThroughDispatches(func::FuncOp function,
                                                     indexing::Arena &arena,
                                                     ReadsOptions options) {
  func::FuncOp copy = copyWithoutDispatches(function);
  FunctionReads reads = readsOf(copy ? copy : function, arena, options);
  if (copy)
    copy.erase();
  return reads;
}
