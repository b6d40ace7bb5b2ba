// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/stablehlo/scalars/Quantize.h"
#include "mercator/transforms/stablehlo/scalars/Scalar.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace mercator::stablehlo {

static bool isQuantizedTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor &&
         isa<quant::UniformQuantizedType, quant::UniformQuantizedPerAxisType>(
             tensor.getElementType());
}

static Type expressedType(Type type) {
  if (!isQuantizedTensor(type))
    return type;
  auto tensor = cast<RankedTensorType>(type);
  return tensor.clone(
      cast<quant::QuantizedType>(tensor.getElementType()).getExpressedType());
}

/// True if the operation computes with elements. Others move them, or have a
/// region that computes.
static bool computes(Operation *op) {
  if (isa<UniformDequantizeOp, BitcastConvertOp>(op))
    return false;
  // A choice between values of one type moves them.
  if (auto select = dyn_cast<SelectOp>(op))
    return select.getOnTrue().getType().getElementType() !=
               select.getResult().getType().getElementType() ||
           select.getOnFalse().getType().getElementType() !=
               select.getResult().getType().getElementType();
  return hasScalarForm(op) ||
         isa<BatchNormGradOp, BatchNormInferenceOp, BatchNormTrainingOp,
             CholeskyOp, ConvolutionOp, DotGeneralOp, DynamicConvOp,
             DynamicIotaOp, IotaOp, TriangularSolveOp>(op);
}

static Value dequantized(ImplicitLocOpBuilder &b, Value value) {
  return UniformDequantizeOp::create(b, expressedType(value.getType()), value);
}

static void onFloats(Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isQuantizedTensor(operand.getType()) && !mapping.contains(operand))
      mapping.map(operand, dequantized(b, operand));
  Operation *floats = b.clone(*op, mapping);
  for (auto [result, old] : llvm::zip(floats->getResults(), op->getResults())) {
    Value value = result;
    if (isQuantizedTensor(old.getType())) {
      result.setType(expressedType(old.getType()));
      value = UniformQuantizeOp::create(b, old.getType(), result);
    }
    old.replaceAllUsesWith(value);
  }
  op->erase();
}

/// The body of a reduction may compute on another quantized type than that of
/// the inputs.
static void convertInputs(Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  // The scatter of select_and_scatter takes the source and the initial value.
  bool scatters = isa<SelectAndScatterOp>(op);
  Block &body = op->getRegion(scatters ? 1 : 0).front();
  auto inputs = op->getOpOperands().drop_front(scatters ? 1 : 0);
  for (auto [operand, argument] : llvm::zip(inputs, body.getArguments())) {
    auto from = cast<RankedTensorType>(operand.get().getType());
    Type to = cast<RankedTensorType>(argument.getType()).getElementType();
    if (from.getElementType() == to ||
        expressedType(from) != expressedType(from.clone(to)))
      continue;
    Value value = operand.get();
    if (isQuantizedTensor(from))
      value = dequantized(b, value);
    if (isQuantizedTensor(argument.getType()))
      value = UniformQuantizeOp::create(b, from.clone(to), value);
    operand.set(value);
  }
}

void quantizedToFloats(Operation *root) {
  SmallVector<Operation *> computing, reducing;
  root->walk([&](Operation *op) {
    if (llvm::none_of(op->getOperandTypes(), isQuantizedTensor) &&
        llvm::none_of(op->getResultTypes(), isQuantizedTensor))
      return;
    if (isa<ReduceOp, ReduceWindowOp, SelectAndScatterOp>(op))
      reducing.push_back(op);
    else if (isa<UniformQuantizeOp>(op)
                 ? isQuantizedTensor(op->getOperand(0).getType())
                 : computes(op))
      computing.push_back(op);
  });
  for (Operation *op : reducing)
    convertInputs(op);
  for (Operation *op : computing) {
    if (!isa<UniformQuantizeOp>(op)) {
      onFloats(op);
      continue;
    }
    ImplicitLocOpBuilder b(op->getLoc(), op);
    op->setOperand(0, dequantized(b, op->getOperand(0)));
  }
}

} // namespace mercator::stablehlo
