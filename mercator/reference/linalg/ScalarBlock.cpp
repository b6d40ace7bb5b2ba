// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/linalg/ScalarBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace mercator::reference {

static bool isNumber(Type type) {
  return type.isIntOrIndexOrFloat() || isa<ComplexType>(type);
}

/// The number in the attribute of a constant; nothing for other attributes.
static std::optional<Scalar> scalarOf(Attribute value, Type type) {
  std::optional<Element> element = Element::of(type);
  if (!element || !isNumber(type))
    return std::nullopt;
  auto elements =
      DenseElementsAttr::get(RankedTensorType::get({}, type), value);
  FailureOr<Tensor> tensor = Tensor::from(
      elements, [&] { return emitError(UnknownLoc::get(type.getContext())); });
  return succeeded(tensor) ? std::optional(tensor->scalar()) : std::nullopt;
}

std::optional<unsigned> ScalarBlock::slotOf(mlir::Value value, Block &block) {
  auto slot = known.find(value);
  if (slot != known.end())
    return slot->second;
  if (value.getParentBlock() == &block || !isNumber(value.getType()))
    return std::nullopt;
  outside.emplace_back(value, count);
  known[value] = count;
  return count++;
}

std::optional<ScalarBlock> ScalarBlock::make(Block &block) {
  ScalarBlock made;
  for (BlockArgument argument : block.getArguments())
    made.known[argument] = made.count++;
  for (Operation &op : block) {
    if (&op == &block.back()) {
      for (mlir::Value operand : op.getOperands()) {
        std::optional<unsigned> slot = made.slotOf(operand, block);
        if (!slot)
          return std::nullopt;
        made.results.push_back(*slot);
      }
      return made;
    }
    if (isa<arith::ConstantOp, complex::ConstantOp>(op)) {
      std::optional<Scalar> value =
          scalarOf(op.getAttr("value"), op.getResult(0).getType());
      if (!value)
        return std::nullopt;
      made.constants.emplace_back(*value, made.count);
      made.known[op.getResult(0)] = made.count++;
      continue;
    }
    ScalarStep next;
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      next.dim = index.getDim();
    } else {
      std::optional<ElementFunction> function = scalarFunction(&op);
      if (!function || op.getNumOperands() > 3 ||
          !isNumber(op.getResult(0).getType()))
        return std::nullopt;
      next.function = *function;
      for (mlir::Value operand : op.getOperands()) {
        std::optional<unsigned> slot = made.slotOf(operand, block);
        if (!slot)
          return std::nullopt;
        next.operands[next.count++] = *slot;
      }
    }
    next.result = made.count;
    made.known[op.getResult(0)] = made.count++;
    made.instructions.push_back(next);
  }
  return std::nullopt;
}

std::optional<SmallVector<Scalar>>
ScalarBlock::begin(const Evaluator &evaluator) const {
  SmallVector<Scalar> slots(count);
  for (const auto &[value, slot] : constants)
    slots[slot] = value;
  for (const auto &[value, slot] : outside) {
    const Value *held = evaluator.lookup(value);
    if (!held || !held->tensor())
      return std::nullopt;
    slots[slot] = held->tensor()->scalar();
  }
  return slots;
}

void ScalarBlock::run(MutableArrayRef<Scalar> slots,
                      ArrayRef<int64_t> index) const {
  for (const ScalarStep &next : instructions) {
    if (!next.function.call) {
      slots[next.result] = Scalar::whole(index[next.dim]);
      continue;
    }
    Scalar operands[3];
    for (unsigned i = 0; i < next.count; ++i)
      operands[i] = slots[next.operands[i]];
    slots[next.result] = next.function(operands);
  }
}

} // namespace mercator::reference
