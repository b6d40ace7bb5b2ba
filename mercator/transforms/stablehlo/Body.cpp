// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The bodies of reductions, sorts, scatters and maps on numbers.

#include "mercator/transforms/stablehlo/Builders.h"
#include "mercator/transforms/stablehlo/Scalar.h"
#include "mercator/transforms/stablehlo/Translation.h"
#include "mercator/transforms/stablehlo/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {
/// The values of a body: each as a number, a tensor of rank 0, or both.
class BodyEmitter {
public:
  BodyEmitter(Lowering &l, ImplicitLocOpBuilder &b) : l(l), b(b) {}

  LogicalResult emit(Operation *op);
  Value number(Value old);

  DenseMap<Value, Value> numbers;

private:
  Lowering &l;
  ImplicitLocOpBuilder &b;
};
} // namespace

/// A value from outside of the body, or a result on tensors, is a tensor.
Value BodyEmitter::number(Value old) {
  Value &known = numbers[old];
  if (!known)
    known = scalarOf(b, l.translation.one(old));
  return known;
}

static bool isNumber(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0;
}

LogicalResult BodyEmitter::emit(Operation *op) {
  bool onNumbers = llvm::all_of(op->getOperandTypes(), isNumber) &&
                   llvm::all_of(op->getResultTypes(), isNumber);
  if (onNumbers && hasScalarForm(op)) {
    Values operands;
    for (Value operand : op->getOperands())
      operands.push_back(number(operand));
    FailureOr<Value> result = emitScalar(b, op, operands);
    if (failed(result))
      return failure();
    numbers[op->getResult(0)] = *result;
    return success();
  }
  // As tensors of rank 0.
  auto raise = [&](Value old) {
    if (Value known = numbers.lookup(old))
      l.translation.set(old, tensorOf(b, known));
  };
  for (Value operand : op->getOperands())
    raise(operand);
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      raise(operand);
  });
  return l.translation.operation(op, b);
}

FailureOr<Values> emitBody(Lowering &l, ImplicitLocOpBuilder &b, Block &block,
                           ValueRange given) {
  BodyEmitter emitter(l, b);
  for (auto [argument, number] : llvm::zip(block.getArguments(), given))
    emitter.numbers[argument] = number;
  for (Operation &op : block.without_terminator())
    if (failed(emitter.emit(&op)))
      return failure();
  Values results;
  for (Value result : block.getTerminator()->getOperands())
    results.push_back(emitter.number(result));
  return results;
}

} // namespace mercator::stablehlo
