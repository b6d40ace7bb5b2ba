// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f(move(x), move(y)) = move(f(x, y)), where f is elementwise and move is a
// broadcast, a transpose or a reshape: the function is computed on fewer
// elements, or next to its producer, and the move reaches an operation that can
// read through it. A splat is moved as any move moves it.
//
//   rsqrt(broadcast(v) + broadcast(e))  ->  broadcast(rsqrt(v + e))

#include "mercator/transforms/stablehlo/simplify/Simplify.h"

using namespace mlir;

namespace mercator::stablehlo {

using Builder = ImplicitLocOpBuilder;

static bool isMove(Operation *op) {
  return isa_and_nonnull<BroadcastInDimOp, TransposeOp, ReshapeOp>(op);
}

/// A broadcast of one element.
static bool isOfScalar(Operation *op) {
  return isa_and_nonnull<BroadcastInDimOp>(op) &&
         cast<RankedTensorType>(op->getOperand(0).getType()).getRank() == 0;
}

/// Whether the two move elements of tensors of one shape in one way.
static bool isSameMove(Operation *a, Operation *b) {
  auto shape = [](Operation *op) {
    return cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
  };
  return a->getName() == b->getName() && shape(a) == shape(b) &&
         a->getPropertiesAsAttribute() == b->getPropertiesAsAttribute();
}

static bool isUsable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding() &&
         isa<IntegerType, FloatType, ComplexType>(tensor.getElementType());
}

/// The operation again with other operands, for a result of another shape.
static Value again(Builder &b, Operation *op, ValueRange operands, Type type) {
  OperationState state(op->getLoc(), op->getName(), operands, type,
                       op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return b.create(state)->getResult(0);
}

namespace {
/// What an operand is to the equation.
enum class Part { Splat, Scalar, Move, Other };
} // namespace

static Part partOf(Value operand, RankedTensorType result) {
  if (splatOf(operand))
    return Part::Splat;
  // The pred of a select, say, which all elements share.
  if (tensorOf(operand).getRank() == 0 && result.getRank() != 0)
    return Part::Scalar;
  // A tensor with a layout is not one of the moved shapes.
  Operation *move = operand.getDefiningOp();
  return isMove(move) && isUsable(move->getOperand(0).getType()) ? Part::Move
                                                                 : Part::Other;
}

/// The move of all operands that are moved; null if there is none. A broadcast
/// of a scalar gives way to another move, by which the scalar can be broadcast
/// to a smaller shape.
static Operation *commonMove(ValueRange operands, ArrayRef<Part> parts) {
  Operation *move = nullptr;
  for (auto [operand, part] : llvm::zip_equal(operands, parts)) {
    Operation *producer = operand.getDefiningOp();
    if (part != Part::Move || (move && isOfScalar(producer)))
      continue;
    if (!move || isOfScalar(move))
      move = producer;
    else if (!isSameMove(producer, move))
      return nullptr;
  }
  return move;
}

static Value sinkMove(Operation *op, Builder &b) {
  Type type = op->getResult(0).getType();
  if (!isUsable(type) || !llvm::all_of(op->getOperandTypes(), isUsable))
    return {};
  auto result = cast<RankedTensorType>(type);
  SmallVector<Part> parts;
  for (Value operand : op->getOperands())
    parts.push_back(partOf(operand, result));
  if (llvm::is_contained(parts, Part::Other))
    return {};
  bool areSplats = llvm::all_equal(parts) && parts.front() == Part::Splat;
  Operation *move = commonMove(op->getOperands(), parts);
  if (areSplats ? result.getRank() == 0 : !move)
    return {};
  // One element stands for all elements of splats.
  ArrayRef<int64_t> shape;
  if (move)
    shape = tensorOf(move->getOperand(0)).getShape();

  SmallVector<Value> operands;
  for (auto [operand, part] : llvm::zip_equal(op->getOperands(), parts)) {
    RankedTensorType small = withShape(operand.getType(), shape);
    if (part == Part::Scalar) {
      operands.push_back(operand);
    } else if (part == Part::Splat) {
      operands.push_back(splat(b, small, splatOf(operand)));
    } else {
      Value source = operand.getDefiningOp()->getOperand(0);
      bool wasScalar = isOfScalar(operand.getDefiningOp()) && !shape.empty();
      operands.push_back(wasScalar ? BroadcastInDimOp::create(
                                         b, small, source, ArrayRef<int64_t>())
                                   : source);
    }
  }
  Value computed = again(b, op, operands, withShape(type, shape));
  if (areSplats)
    return BroadcastInDimOp::create(b, type, computed, ArrayRef<int64_t>());
  return again(b, move, computed, type);
}

void addBroadcastEquations(Equations &e) { e.addElementwise(sinkMove); }

} // namespace mercator::stablehlo
