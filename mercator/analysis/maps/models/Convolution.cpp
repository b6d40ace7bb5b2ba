// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convolution and dynamic_conv.

#include "mercator/analysis/maps/Loaded.h"
#include "mercator/analysis/maps/models/ShapeOperands.h"
#include "mercator/analysis/maps/models/Window.h"
#include "mercator/analysis/values/KnownValues.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// All sizes have to be known but that of a batch that is not split.
bool isKnownBut(mlir::RankedTensorType type, std::optional<int64_t> batch) {
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim) && dim != batch)
      return false;
  return true;
}

/// The padding is a list of (low, high), one for each spatial dimension. An
/// empty list pads nothing. `isInside`: without the kernel elements that meet
/// padding.
template <typename Op>
MapSet paddedConvolutionMaps(Op op, const Query &q, ArrayRef<int64_t> padding,
                             bool isInside = false) {
  SmallVector<int64_t> input = sizesOf(op.getLhs().getType());
  SmallVector<int64_t> kernel = sizesOf(op.getRhs().getType());
  stablehlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  SmallVector<int64_t> windowSizes;
  for (int64_t dim : numbers.getKernelSpatialDimensions())
    windowSizes.push_back(kernel[dim]);
  SmallVector<WindowDim> window =
      windowsOf({.sizes = windowSizes,
                 .strides = op.getWindowStrides(),
                 .baseDilations = op.getLhsDilation(),
                 .windowDilations = op.getRhsDilation(),
                 .padding = padding});
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
  if (isInside)
    return convolutionKernelInside(q.arena, c);
  return q.operand == 0 ? convolutionInput(q.arena, q.direction, c)
                        : convolutionKernel(q.arena, q.direction, c);
}

MapSet convolutionMaps(stablehlo::ConvolutionOp op, const Query &q) {
  stablehlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  auto batch = [&](int64_t dim) {
    return op.getBatchGroupCount() > 1 ? std::nullopt : std::optional(dim);
  };
  if (!isKnownBut(tensorOf(op.getLhs()),
                  batch(numbers.getInputBatchDimension())) ||
      !isKnownBut(tensorOf(op.getRhs()), std::nullopt) ||
      !isKnownBut(tensorOf(op.getResult()),
                  batch(numbers.getOutputBatchDimension())))
    return q.dynamic();
  return paddedConvolutionMaps(op, q, integersOf(op.getPaddingAttr()));
}

/// The padding of a dynamic_conv as far as its spatial dimensions go; none
/// where it is not known.
std::optional<SmallVector<int64_t>> knownPadding(stablehlo::DynamicConvOp op,
                                                 const Query &q) {
  size_t count =
      2 * op.getDimensionNumbers().getInputSpatialDimensions().size();
  mlir::RankedTensorType type = tensorOf(op.getPadding());
  auto padding = knownIntegers(q.arena, op.getPadding());
  if (!padding || type.getRank() != 2 || type.getDimSize(1) != 2 ||
      padding->size() < count)
    return std::nullopt;
  padding->truncate(count);
  if (!llvm::all_of(*padding, fits))
    return std::nullopt;
  return padding;
}

MapSet dynamicConvMaps(stablehlo::DynamicConvOp op, const Query &q) {
  // The padding at the beginning moves the windows, that at the end does not.
  if (q.operand == 2)
    return q.in.size() == 2
               ? MapSet(q.box({Interval::ofSize(q.in[0]), Interval::point(0)}))
               : q.dynamic();
  for (mlir::Value v : {op.getLhs(), op.getRhs(), op.getResult()})
    if (!tensorOf(v).hasStaticShape())
      return q.dynamic();
  if (auto padding = knownPadding(op, q))
    return paddedConvolutionMaps(op, q, *padding);
  // The kernel is read whole, also where it meets padding.
  if (q.operand == 1)
    return paddedConvolutionMaps(op, q, {});
  // Without groups no padding mixes the batches.
  stablehlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  int64_t inBatch = numbers.getInputBatchDimension(),
          outBatch = numbers.getOutputBatchDimension();
  bool back = q.direction == Direction::OutToIn;
  SmallVector<int64_t> source(q.to().size(), -1);
  if (op.getBatchGroupCount() == 1)
    source[back ? inBatch : outBatch] = back ? outBatch : inBatch;
  return q.approximate(
      selectDims(q.arena, q.from(), q.to(), source),
      "dynamic_conv: the padding is known only when the program runs");
}

} // namespace

std::optional<MapSet> maps::loadedOf(mlir::Operation *op, unsigned operand,
                                     Arena &arena) {
  auto convolution = llvm::dyn_cast<stablehlo::ConvolutionOp>(op);
  if (!convolution || operand != 1)
    return std::nullopt;
  Query q(op, arena, Direction::OutToIn, operand, /*result=*/0);
  if (!q.isStatic || !tensorOf(convolution.getLhs()).hasStaticShape())
    return std::nullopt;
  return paddedConvolutionMaps(convolution, q,
                               integersOf(convolution.getPaddingAttr()),
                               /*isInside=*/true);
}

void maps::attachConvolutionMaps(mlir::MLIRContext *context) {
  attach<stablehlo::ConvolutionOp, convolutionMaps>(context);
  attach<stablehlo::DynamicConvOp, dynamicConvMaps>(context);
}
