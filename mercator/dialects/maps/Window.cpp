// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that slide a window over a tensor.

#include "mercator/dialects/maps/Models.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/dialects/stablehlo/Verify.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

namespace {

/// The window of an operation; its verifier has checked the attributes.
template <typename Op>
SmallVector<WindowDim>
windowOf(Op op, llvm::ArrayRef<int64_t> sizes,
         std::optional<llvm::ArrayRef<int64_t>> baseDilations,
         std::optional<llvm::ArrayRef<int64_t>> windowDilations) {
  auto specs =
      stablehlo::readWindow(op, sizes, op.getWindowStrides(), baseDilations,
                            windowDilations, op.getPaddingAttr());
  SmallVector<WindowDim> window;
  if (llvm::succeeded(specs))
    for (const stablehlo::WindowSpec &s : *specs)
      window.push_back(
          {s.size, s.stride, s.low, s.high, s.baseDilation, s.windowDilation});
  return window;
}

/// True if the window's arithmetic over these sizes stays in int64.
bool windowFits(const WindowDim &w, int64_t in, int64_t out) {
  return w.size >= 1 && w.stride >= 1 && w.baseDilation >= 1 &&
         w.windowDilation >= 1 && fits(w.low) && fits(w.high) &&
         productFits({in, w.baseDilation}) && productFits({out, w.stride}) &&
         productFits({w.size, w.windowDilation});
}

MapSet reduceWindowMaps(stablehlo::ReduceWindowOp op, const Query &q) {
  if (q.operand >= op.getInputs().size())
    return q.everything();
  if (!q.isStatic)
    return q.dynamic();
  SmallVector<WindowDim> window =
      windowOf(op, op.getWindowDimensions(), op.getBaseDilations(),
               op.getWindowDilations());
  for (auto [w, in, out] : llvm::zip_equal(window, q.in, q.out))
    if (!windowFits(w, in, out))
      return q.tooLarge();
  return reduceWindow(q.arena, q.direction, q.in, q.out, window);
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

MapSet selectAndScatterMaps(stablehlo::SelectAndScatterOp, const Query &q) {
  enum { Operand, Source, InitialValue };
  if (q.operand == InitialValue)
    return q.everything();
  return q.everything("select_and_scatter: which elements are selected is not "
                      "analysed");
}

MapSet scatterMaps(stablehlo::ScatterOp op, const Query &q) {
  size_t inputs = op.getInputs().size();
  if (q.operand < inputs)
    return q.approximate(q.identity(),
                         "scatter: elements that updates replace are not told "
                         "apart");
  return q.everything(
      "scatter: which updates reach an element is not analysed");
}

} // namespace

void maps::attachWindowMaps(mlir::MLIRContext *context) {
  attach<stablehlo::ReduceWindowOp, reduceWindowMaps>(context);
  attach<stablehlo::ConvolutionOp, convolutionMaps>(context);
  attach<stablehlo::SelectAndScatterOp, selectAndScatterMaps>(context);
  attach<stablehlo::ScatterOp, scatterMaps>(context);
}
