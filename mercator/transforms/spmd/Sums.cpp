// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Sums.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;

std::optional<OperationName> mercator::spmd::combinationOf(Region &body) {
  if (!body.hasOneBlock() || body.getNumArguments() != 2)
    return std::nullopt;
  Block &block = body.front();
  if (!llvm::hasNItems(block, 2))
    return std::nullopt;
  Operation &op = block.front();
  Operation *returns = block.getTerminator();
  if (op.getNumOperands() != 2 || op.getNumResults() != 1 ||
      returns->getNumOperands() != 1 ||
      returns->getOperand(0) != op.getResult(0) ||
      !isa<stablehlo::AddOp, stablehlo::MulOp, stablehlo::MinOp,
           stablehlo::MaxOp, stablehlo::AndOp, stablehlo::OrOp,
           stablehlo::XorOp>(op))
    return std::nullopt;
  Value x = block.getArgument(0), y = block.getArgument(1);
  bool isInOrder = op.getOperand(0) == x && op.getOperand(1) == y;
  bool isSwapped = op.getOperand(0) == y && op.getOperand(1) == x;
  if (!isInOrder && !isSwapped)
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(x.getType());
  if (!type || op.getResult(0).getType() != type ||
      !identityOf(op.getName(), type.getElementType()))
    return std::nullopt;
  return op.getName();
}

Attribute mercator::spmd::identityOf(OperationName combine, Type element) {
  Builder b(element.getContext());
  StringRef name = combine.getStringRef();
  name.consume_front("stablehlo.");
  if (auto complex = dyn_cast<ComplexType>(element)) {
    auto part = cast<FloatType>(complex.getElementType());
    if (name == "add")
      return b.getArrayAttr(
          {b.getFloatAttr(part, 0.0), b.getFloatAttr(part, 0.0)});
    if (name == "multiply")
      return b.getArrayAttr(
          {b.getFloatAttr(part, 1.0), b.getFloatAttr(part, 0.0)});
    return {};
  }
  if (auto type = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    auto most = [&](bool isNegative) {
      return b.getFloatAttr(
          type, llvm::APFloat::semanticsHasInf(semantics)
                    ? llvm::APFloat::getInf(semantics, isNegative)
                    : llvm::APFloat::getLargest(semantics, isNegative));
    };
    if (name == "add")
      return b.getFloatAttr(type, 0.0);
    if (name == "multiply")
      return b.getFloatAttr(type, 1.0);
    if (name == "minimum")
      return most(false);
    if (name == "maximum")
      return most(true);
    return {};
  }
  auto type = dyn_cast<IntegerType>(element);
  if (!type)
    return {};
  unsigned width = type.getWidth();
  bool isUnsigned = type.isUnsigned() || width == 1;
  auto attribute = [&](const llvm::APInt &value) {
    return b.getIntegerAttr(type, value);
  };
  if (name == "add" || name == "or" || name == "xor")
    return attribute(llvm::APInt(width, 0));
  if (name == "multiply")
    return attribute(llvm::APInt(width, 1));
  if (name == "and")
    return attribute(llvm::APInt::getAllOnes(width));
  if (name == "minimum")
    return attribute(isUnsigned ? llvm::APInt::getMaxValue(width)
                                : llvm::APInt::getSignedMaxValue(width));
  if (name == "maximum")
    return attribute(isUnsigned ? llvm::APInt::getMinValue(width)
                                : llvm::APInt::getSignedMinValue(width));
  return {};
}

bool mercator::spmd::canDivideSum(Operation *op) {
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(dot.getResult().getType());
    return type && (type.getElementType().isIntOrFloat() ||
                    isa<ComplexType>(type.getElementType()));
  }
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
    return reduce.getInputs().size() == 1 && combinationOf(reduce.getBody());
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op))
    return scatter.getInputs().size() == 1 &&
           combinationOf(scatter.getUpdateComputation());
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op)) {
    Type element =
        cast<RankedTensorType>(gather.getResult().getType()).getElementType();
    return element.isIntOrFloat() || isa<ComplexType>(element);
  }
  return false;
}

bool mercator::spmd::canScatterSum(Operation *op) {
  return isa<stablehlo::DotGeneralOp, stablehlo::ReduceOp, stablehlo::GatherOp>(
      op);
}
