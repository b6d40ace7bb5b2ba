// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that slide a window over a tensor.

#include "mercator/analysis/maps/models/Model.h"
#include "mercator/analysis/maps/models/RegionReads.h"
#include "mercator/analysis/maps/models/Windows.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

namespace {

MapSet reduceWindowMaps(stablehlo::ReduceWindowOp op, const Query &q) {
  bool isInitial = q.operand >= op.getInputs().size();
  FoldReads reads = reductionReads(op, q.result);
  if (isInitial)
    return foldedMaps(reads.initial[q.operand - op.getInputs().size()],
                      q.everything(), q, op);
  if (reads.values[q.operand] == FoldReads::Of::None)
    return q.nothing();
  SmallVector<WindowDim> window =
      windowOf(op, op.getWindowDimensions(), op.getBaseDilations(),
               op.getWindowDilations());
  if (window.size() != q.in.size())
    return q.tooLarge();
  for (auto [dim, w] : llvm::enumerate(window)) {
    // A dimension along which nothing slides need not be known.
    if (isTrivial(w) && q.in[dim] == q.out[dim])
      continue;
    if (!q.isStaticDim(dim))
      return q.dynamic();
    if (!windowFits(w, q.in[dim], q.out[dim]))
      return q.tooLarge();
  }
  return foldedMaps(reads.values[q.operand],
                    reduceWindow(q.arena, q.direction, q.in, q.out, window), q,
                    op);
}

MapSet convolutionMaps(stablehlo::ConvolutionOp op, const Query &q) {
  SmallVector<int64_t> input = sizesOf(op.getLhs().getType());
  SmallVector<int64_t> kernel = sizesOf(op.getRhs().getType());
  stablehlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  // All sizes have to be known but that of a batch that is not split.
  auto isKnown = [&](mlir::Value value, int64_t batch) {
    auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim) &&
          (dim != batch || op.getBatchGroupCount() > 1))
        return false;
    return true;
  };
  if (!isKnown(op.getLhs(), numbers.getInputBatchDimension()) ||
      !isKnown(op.getRhs(), -1) ||
      !isKnown(op.getResult(), numbers.getOutputBatchDimension()))
    return q.dynamic();
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
