// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/stablehlo/Reducer.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mlir;

namespace mercator::reference {

Reducer::Reducer(Region &region, Evaluator &evaluator)
    : region(region), evaluator(evaluator), compiled(compile()) {}

static bool isScalar(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 &&
         !isa<quant::QuantizedType>(tensor.getElementType());
}

bool Reducer::compile() {
  llvm::DenseMap<mlir::Value, unsigned> places;
  auto addSlot = [&](mlir::Value value, Scalar scalar) {
    places[value] = slots.size();
    slots.push_back(scalar);
  };
  Block &block = region.front();
  for (BlockArgument argument : block.getArguments()) {
    if (!isScalar(argument.getType()))
      return false;
    addSlot(argument, {});
  }

  // The slot of a value of this block or from outside.
  auto place = [&](mlir::Value value) -> std::optional<unsigned> {
    if (auto known = places.find(value); known != places.end())
      return known->second;
    const Value *outside = evaluator.lookup(value);
    if (!outside || !outside->tensor() || !isScalar(value.getType()))
      return std::nullopt;
    addSlot(value, outside->tensor()->scalar());
    return places[value];
  };

  for (Operation &op : block) {
    SmallVector<unsigned, 3> operands;
    for (mlir::Value operand : op.getOperands()) {
      std::optional<unsigned> at = place(operand);
      if (!at)
        return false;
      operands.push_back(*at);
    }
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      returned.assign(operands.begin(), operands.end());
      return true;
    }
    if (op.getNumResults() != 1 || !isScalar(op.getResult(0).getType()))
      return false;
    if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
      if (constant.isElided())
        return false; // evaluated like any region, it reports why
      FailureOr<Tensor> value =
          Tensor::from(constant.getValue(), [&] { return op.emitError(); });
      if (failed(value))
        return false;
      addSlot(constant.getResult(), value->scalar());
      continue;
    }
    std::optional<ElementFunction> function = elementFunction(&op);
    if (!function)
      return false;
    addSlot(op.getResult(0), {});
    steps.push_back({*function, operands, unsigned(slots.size() - 1)});
  }
  return false;
}

LogicalResult Reducer::operator()(ArrayRef<Scalar> arguments,
                                  MutableArrayRef<Scalar> results) {
  if (!compiled)
    return interpret(arguments, results);
  std::copy(arguments.begin(), arguments.end(), slots.begin());
  for (const ScalarStep &step : steps) {
    Scalar operands[3];
    for (size_t i = 0; i < step.operands.size(); ++i)
      operands[i] = slots[step.operands[i]];
    slots[step.result] = step.function(operands);
  }
  for (size_t i = 0; i < returned.size(); ++i)
    results[i] = slots[returned[i]];
  return success();
}

LogicalResult Reducer::interpret(ArrayRef<Scalar> arguments,
                                 MutableArrayRef<Scalar> results) {
  Block &block = region.front();
  SmallVector<Value> values;
  for (auto [argument, scalar] : llvm::zip(block.getArguments(), arguments)) {
    FailureOr<Tensor> tensor =
        Tensor::zeros(cast<RankedTensorType>(argument.getType()),
                      [&] { return region.getParentOp()->emitError(); });
    if (failed(tensor))
      return failure();
    tensor->set(0, scalar);
    values.push_back(*tensor);
  }
  FailureOr<std::vector<Value>> returnedValues =
      evaluator.region(region, values);
  if (failed(returnedValues))
    return failure();
  for (size_t i = 0; i < returnedValues->size(); ++i)
    results[i] = (*returnedValues)[i].tensor()->scalar();
  return success();
}

} // namespace mercator::reference
