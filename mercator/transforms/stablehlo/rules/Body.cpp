// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The bodies of reductions, sorts, scatters and maps on numbers.
//
// A tensor with one element, of any rank, is a number. A body of such tensors
// becomes arithmetic in a loop; an operation on tensors in it would be a loop of
// its own, and a dispatch.

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Translation.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"
#include "mercator/transforms/stablehlo/scalars/Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {
/// The values of a body: each as a number, a tensor, or both.
class BodyEmitter {
public:
  BodyEmitter(Lowering &l, ImplicitLocOpBuilder &b) : l(l), b(b) {}

  /// The numbers that the block returns for these arguments.
  FailureOr<Values> emit(Block &block, ValueRange given);

private:
  LogicalResult emit(Operation *op);
  LogicalResult onTensors(Operation *op);
  FailureOr<Values> onNumbers(Operation *op, ValueRange x);
  Value number(Value old);
  void raise(Value old);

  Lowering &l;
  ImplicitLocOpBuilder &b;
  DenseMap<Value, Value> numbers;
};
} // namespace

static bool isNumber(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 1;
}

/// A value from outside of the body, or a result on tensors, is a tensor.
Value BodyEmitter::number(Value old) {
  if (Value known = numbers.lookup(old))
    return known;
  Value tensor = l.translation.one(old);
  auto rank = size_t(cast<RankedTensorType>(tensor.getType()).getRank());
  Value zero = rank ? indexConstant(b, 0) : Value();
  Value element =
      b.createOrFold<tensor::ExtractOp>(tensor, ValueRange(Values(rank, zero)));
  return numbers[old] = element;
}

void BodyEmitter::raise(Value old) {
  if (Value known = numbers.lookup(old))
    l.translation.set(old, Value(tensor::FromElementsOp::create(
                               b, loweredTensor(old.getType()), known)));
}

/// Whether the only element of the result is that of the first operand.
static bool isMovement(Operation *op) {
  return isa<ReshapeOp, BroadcastInDimOp, BroadcastOp, TransposeOp, ReverseOp,
             SliceOp, DynamicSliceOp, DynamicReshapeOp, DynamicBroadcastInDimOp,
             hlo::CopyOp, hlo::ElementOp>(op);
}

/// The results of an operation on numbers; no values if it has another form.
FailureOr<Values> BodyEmitter::onNumbers(Operation *op, ValueRange x) {
  if (hasScalarForm(op)) {
    FailureOr<Value> result = emitScalar(b, op, x);
    return failed(result) ? FailureOr<Values>() : Values{*result};
  }
  if (isMovement(op))
    return Values{x[0]};
  if (isa<OptimizationBarrierOp>(op))
    return Values(x);
  if (auto bitcast = dyn_cast<hlo::BitcastOp>(op)) {
    Type from = x[0].getType(),
         to = loweredTensor(bitcast.getType()).getElementType();
    if (from == to)
      return Values{x[0]};
    if (from.isIntOrFloat() && to.isIntOrFloat() && !from.isInteger(1) &&
        !to.isInteger(1) &&
        from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth())
      return Values{arith::BitcastOp::create(b, to, x[0])};
    return Values();
  }
  if (auto fusion = dyn_cast<hlo::FusionOp>(op))
    return emit(fusion.getBody().front(), x);
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    size_t count = reduce.getInputs().size();
    Values arguments(x.drop_front(count));
    llvm::append_range(arguments, x.take_front(count));
    return emit(reduce.getBody().front(), arguments);
  }
  return Values();
}

LogicalResult BodyEmitter::onTensors(Operation *op) {
  for (Value operand : op->getOperands())
    raise(operand);
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      raise(operand);
  });
  return l.translation.operation(op, b);
}

LogicalResult BodyEmitter::emit(Operation *op) {
  if (!llvm::all_of(op->getOperandTypes(), isNumber) ||
      !llvm::all_of(op->getResultTypes(), isNumber) ||
      op->getNumOperands() == 0)
    return onTensors(op);
  Values operands;
  for (Value operand : op->getOperands())
    operands.push_back(number(operand));
  FailureOr<Values> results = onNumbers(op, operands);
  if (failed(results))
    return failure();
  if (results->empty())
    return onTensors(op);
  for (auto [old, result] : llvm::zip_equal(op->getResults(), *results))
    numbers[old] = result;
  return success();
}

FailureOr<Values> BodyEmitter::emit(Block &block, ValueRange given) {
  for (auto [argument, number] : llvm::zip_equal(block.getArguments(), given))
    numbers[argument] = number;
  for (Operation &op : block.without_terminator())
    if (failed(emit(&op)))
      return failure();
  Values results;
  for (Value result : block.getTerminator()->getOperands())
    results.push_back(number(result));
  return results;
}

FailureOr<Values> emitBody(Lowering &l, ImplicitLocOpBuilder &b, Block &block,
                           ValueRange given) {
  return BodyEmitter(l, b).emit(block, given);
}

} // namespace mercator::stablehlo
