// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that slide a window over a tensor.

#include "mercator/dialects/maps/Bodies.h"
#include "mercator/dialects/maps/Models.h"
#include "mercator/dialects/maps/Windows.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

namespace {

MapSet reduceWindowMaps(stablehlo::ReduceWindowOp op, const Query &q) {
  bool isInitial = q.operand >= op.getInputs().size();
  FoldReads reads = foldReads(op.getBody(), op.getInputs().size(), q.result,
                              FoldOrder::AnyTree);
  if (isInitial)
    return foldedMaps(reads.initial[q.operand - op.getInputs().size()],
                      q.everything(), q, op);
  if (reads.values[q.operand] == FoldReads::Of::None)
    return q.nothing();
  if (!q.isStatic)
    return q.dynamic();
  SmallVector<WindowDim> window =
      windowOf(op, op.getWindowDimensions(), op.getBaseDilations(),
               op.getWindowDilations());
  for (auto [w, in, out] : llvm::zip_equal(window, q.in, q.out))
    if (!windowFits(w, in, out))
      return q.tooLarge();
  return foldedMaps(reads.values[q.operand],
                    reduceWindow(q.arena, q.direction, q.in, q.out, window), q,
                    op);
}

MapSet convolutionMaps(stablehlo::ConvolutionOp op, const Query &q) {
  SmallVector<int64_t> input = sizesOf(op.getLhs().getType());
  SmallVector<int64_t> kernel = sizesOf(op.getRhs().getType());
  for (mlir::Value operand : op->getOperands())
    if (!llvm::cast<mlir::RankedTensorType>(operand.getType()).hasStaticShape())
      return q.dynamic();
  if (!q.isStatic)
    return q.dynamic();
  stablehlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  SmallVector<int64_t> windowSizes;
  for (int64_t dim : numbers.getKernelSpatialDimensions())
    windowSizes.push_back(kernel[dim]);
  SmallVector<WindowDim> window =
      windowOf(op, windowSizes, op.getLhsDilation(), op.getRhsDilation());
  if (auto reversal = op.getWindowReversal())
    for (auto [w, reversed] : llvm::zip_equal(window, *reversal))
      w.reversal = reversed;
  for (auto [i, w] : llvm::enumerate(window))
    if (!windowFits(w, input[numbers.getInputSpatialDimensions()[i]],
                    q.out[numbers.getOutputSpatialDimensions()[i]]))
      return kernel[numbers.getKernelSpatialDimensions()[i]] == 0
                 ? MapSet(q.nothing())
                 : q.tooLarge();
  Convolution c{
      .input = input,
      .kernel = kernel,
      .output = q.out,
      .dims = {.inputBatch = numbers.getInputBatchDimension(),
               .inputFeature = numbers.getInputFeatureDimension(),
               .inputSpatial = numbers.getInputSpatialDimensions(),
               .kernelInputFeature = numbers.getKernelInputFeatureDimension(),
               .kernelOutputFeature = numbers.getKernelOutputFeatureDimension(),
               .kernelSpatial = numbers.getKernelSpatialDimensions(),
               .outputBatch = numbers.getOutputBatchDimension(),
               .outputFeature = numbers.getOutputFeatureDimension(),
               .outputSpatial = numbers.getOutputSpatialDimensions()},
      .window = window,
      .featureGroups = (int64_t)op.getFeatureGroupCount(),
      .batchGroups = (int64_t)op.getBatchGroupCount()};
  return q.operand == 0 ? convolutionInput(q.arena, q.direction, c)
                        : convolutionKernel(q.arena, q.direction, c);
}

} // namespace

void maps::attachWindowMaps(mlir::MLIRContext *context) {
  attach<stablehlo::ReduceWindowOp, reduceWindowMaps>(context);
  attach<stablehlo::ConvolutionOp, convolutionMaps>(context);
}
