// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/graph/Tidy.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/ascend/Infer.h"
#include "mercator/targets/ascend/operators/Build.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

/// Operators that GE documents to broadcast as in NumPy.
static bool broadcasts(Operation *op) {
  return isa<AddOp, SubOp, MulOp, RealDivOp, TruncateDivOp, PowOp, MinimumOp,
             MaximumOp, BitwiseAndOp, BitwiseOrOp, BitwiseXorOp, LogicalAndOp,
             LogicalOrOp, EqualOp, NotEqualOp, GreaterOp, GreaterEqualOp,
             LessOp, LessEqualOp, SelectV2Op>(op);
}

/// The value before a broadcast to the shape of `value`, or a scalar for a
/// uniform value; null without a broadcast.
static Value beforeSpread(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || typeOf(value).getRank() == 0)
    return nullptr;
  if (auto broadcast = dyn_cast<BroadcastToOp>(op))
    return broadcast.getX();
  if (auto fill = dyn_cast<FillOp>(op))
    return typeOf(fill.getValue()).getRank() == 0 ? fill.getValue() : Value();
  auto constant = dyn_cast<ConstOp>(op);
  auto splat =
      constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : nullptr;
  if (!splat)
    return nullptr;
  ImplicitLocOpBuilder b(op->getLoc(), op);
  RankedTensorType number = typeOf(value).clone(ArrayRef<int64_t>());
  return ConstOp::create(b, number, splat.resizeSplat(number));
}

/// Whether values of these shapes broadcast to `shape`. Each dimension must
/// come from one of them. An unknown extent of a value before its broadcast
/// (`isNarrow`) may be 1.
static bool broadcastTo(ArrayRef<Value> values, ArrayRef<bool> isNarrow,
                        ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 8> reached(shape.size(), 1);
  size_t rank = 0;
  for (auto [value, narrow] : llvm::zip_equal(values, isNarrow)) {
    ArrayRef<int64_t> own = typeOf(value).getShape();
    rank = std::max(rank, own.size());
    for (auto [to, extent] :
         llvm::zip_equal(MutableArrayRef(reached).take_back(own.size()), own))
      if (extent != 1 && !(narrow && ShapedType::isDynamic(extent)))
        to = extent;
  }
  return rank == shape.size() && ArrayRef<int64_t>(reached) == shape;
}

/// Replaces broadcast operands by their sources, as long as the result keeps
/// its shape.
static void takeNarrow(Operation *op) {
  ArrayRef<int64_t> shape = typeOf(op->getResult(0)).getShape();
  SmallVector<Value, 3> operands(op->getOperands());
  SmallVector<bool, 3> isNarrow(operands.size());
  for (auto [operand, taken] : llvm::zip_equal(operands, isNarrow)) {
    Value narrow = beforeSpread(operand);
    if (!narrow)
      continue;
    Value wide = std::exchange(operand, narrow);
    taken = true;
    if (!broadcastTo(operands, isNarrow, shape)) {
      operand = wide;
      taken = false;
    }
  }
  op->setOperands(operands);
}

/// Merges two transpositions.
static void mergeTransposes(TransposeOp op) {
  auto first = op.getX().getDefiningOp<TransposeOp>();
  std::optional<Shape> second = constantInts(op.getPerm());
  std::optional<Shape> axes =
      first ? constantInts(first.getPerm()) : std::nullopt;
  if (!axes || !second)
    return;
  Shape merged;
  for (int64_t axis : *second)
    merged.push_back((*axes)[axis]);
  if (llvm::equal(merged, llvm::seq<int64_t>(0, merged.size()))) {
    op.getResult().replaceAllUsesWith(first.getX());
    return;
  }
  ImplicitLocOpBuilder b(op.getLoc(), op);
  op.getResult().replaceAllUsesWith(transpose(b, first.getX(), merged));
}

/// A sort of which only the first elements are used becomes a TopKV2.
static void takeFirst(SortOp op) {
  RankedTensorType type = typeOf(op.getX());
  Type element = type.getElementType();
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    return;
  int64_t axis = op.getAxis();
  axis = axis < 0 ? axis + type.getRank() : axis;
  std::optional<int64_t> count;
  for (Operation *user : op->getUsers()) {
    auto slice = dyn_cast<SliceOp>(user);
    std::optional<Shape> from =
        slice ? constantInts(slice.getOffsets()) : std::nullopt;
    if (!from || llvm::any_of(*from, [](int64_t i) { return i != 0; }))
      return;
    Shape cut(type.getShape());
    cut[axis] = typeOf(slice.getResult()).getDimSize(axis);
    if (ArrayRef<int64_t>(cut) != typeOf(slice.getResult()).getShape() ||
        (count && *count != cut[axis]))
      return;
    count = cut[axis];
  }
  if (!count)
    return;
  Shape shape(type.getShape());
  shape[axis] = *count;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Type results[] = {type.clone(shape), typeOf(op.getY2()).clone(shape)};
  auto top = TopKV2Op::create(b, results, op.getX(),
                              constantScalar(b, b.getI32Type(), *count),
                              b.getBoolAttr(true), b.getI64IntegerAttr(axis),
                              b.getBoolAttr(op.getDescending()));
  for (auto [sorted, first] :
       llvm::zip_equal(op.getResults(), top.getResults()))
    for (Operation *user : llvm::make_early_inc_range(sorted.getUsers()))
      user->getResult(0).replaceAllUsesWith(first);
}

void ascend::tidy(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (broadcasts(&op)) {
      takeNarrow(&op);
    } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
      mergeTransposes(transpose);
    } else if (auto sort = dyn_cast<SortOp>(op)) {
      takeFirst(sort);
    } else if (isa<ReshapeOp, BroadcastToOp>(op)) {
      // Two broadcasts or reshapes in a row become one.
      Operation *before = op.getOperand(0).getDefiningOp();
      if (before && before->getName() == op.getName())
        op.setOperand(0, before->getOperand(0));
      // The same type with unknown extents may be another shape.
      if (op.getOperand(0).getType() == op.getResult(0).getType() &&
          typeOf(op.getOperand(0)).hasStaticShape())
        op.getResult(0).replaceAllUsesWith(op.getOperand(0));
    }
  }
}
