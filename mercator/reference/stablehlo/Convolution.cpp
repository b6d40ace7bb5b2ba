// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Convolutions: each element of the result is the sum, over a window, of
// elements of lhs times those of the kernel rhs.

#include "mercator/reference/core/Strides.h"
#include "mercator/reference/core/SumOfProducts.h"
#include "mercator/reference/stablehlo/Rules.h"
#include "mercator/reference/stablehlo/Window.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

/// Checks the constraints that the verifier cannot check for dynamic shapes,
/// and returns the windows over the spatial dimensions.
template <typename Op>
static FailureOr<SmallVector<Window>>
prepare(Op op, Step &step, std::optional<SmallVector<int64_t>> padding) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  const Tensor &lhs = step.tensor(0), &rhs = step.tensor(1);
  auto featureGroups = int64_t(op.getFeatureGroupCount()),
       batchGroups = int64_t(op.getBatchGroupCount());
  int64_t batch = lhs.dim(dims.getInputBatchDimension()),
          features = lhs.dim(dims.getInputFeatureDimension()),
          outputs = rhs.dim(dims.getKernelOutputFeatureDimension());
  if (featureGroups < 1 || batchGroups < 1 || batch % batchGroups ||
      features % featureGroups || outputs % featureGroups ||
      outputs % batchGroups)
    return LogicalResult(step.error()
                         << "expected batch and features divisible by the "
                            "group counts, got "
                         << lhs.type() << " and " << rhs.type());
  Ints kernelShape(rhs.shape());
  kernelShape[dims.getKernelInputFeatureDimension()] = features / featureGroups;
  if (failed(step.expectShape("rhs", rhs, kernelShape)))
    return failure();
  Ints sizes = pick(rhs.shape(), dims.getKernelSpatialDimensions());
  return readWindows(step,
                     {sizes, op.getWindowStrides(), op.getLhsDilation(),
                      op.getRhsDilation(), std::move(padding)},
                     pick(lhs.shape(), dims.getInputSpatialDimensions()));
}

/// The strides in a tensor along the dimensions of each kind.
struct ConvStrides {
  int64_t first, second;
  Ints spatial;

  ConvStrides(const Tensor &tensor, int64_t first, int64_t second,
              ArrayRef<int64_t> spatial) {
    Ints strides = stridesOf(tensor.shape());
    this->first = strides[first];
    this->second = strides[second];
    this->spatial = pick(strides, spatial);
  }
};

template <typename Op>
static LogicalResult evaluateConv(Op op, Step &step,
                                  std::optional<SmallVector<int64_t>> padding) {
  FailureOr<SmallVector<Window>> windows = prepare(op, step, padding);
  if (failed(windows))
    return failure();
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  const Tensor &lhs = step.tensor(0), &rhs = step.tensor(1);
  auto featureGroups = int64_t(op.getFeatureGroupCount()),
       batchGroups = int64_t(op.getBatchGroupCount());
  int64_t batch = lhs.dim(dims.getInputBatchDimension()) / batchGroups,
          outputs = rhs.dim(dims.getKernelOutputFeatureDimension()),
          features = rhs.dim(dims.getKernelInputFeatureDimension());
  Ints extents = pick(lhs.shape(), dims.getInputSpatialDimensions());
  Ints positions, sizes;
  for (auto [window, extent] : llvm::zip(*windows, extents)) {
    positions.push_back(window.positions(extent));
    sizes.push_back(window.size);
  }

  Ints shape(lhs.rank());
  shape[dims.getOutputBatchDimension()] = batch;
  shape[dims.getOutputFeatureDimension()] = outputs;
  for (auto [dim, count] :
       llvm::zip(dims.getOutputSpatialDimensions(), positions))
    shape[dim] = count;
  FailureOr<Tensor> result = step.make(0, shape);
  Ints work(shape);
  work.push_back(std::max<int64_t>(features, 1));
  llvm::append_range(work, sizes);
  if (failed(result) || failed(step.charge(work)))
    return failure();
  FailureOr<SumOfProducts> sum = SumOfProducts::make(
      step, lhs.element(), rhs.element(), result->element());
  if (failed(sum))
    return failure();

  ConvStrides lhsStrides(lhs, dims.getInputBatchDimension(),
                         dims.getInputFeatureDimension(),
                         dims.getInputSpatialDimensions());
  ConvStrides rhsStrides(rhs, dims.getKernelInputFeatureDimension(),
                         dims.getKernelOutputFeatureDimension(),
                         dims.getKernelSpatialDimensions());
  std::optional<ArrayRef<bool>> reversal = op.getWindowReversal();
  // The position of the window's element for kernel element k; -1 for padding
  // and holes.
  auto windowPlace = [&](ArrayRef<int64_t> position,
                         ArrayRef<int64_t> k) -> int64_t {
    int64_t place = 0;
    for (size_t i = 0; i < k.size(); ++i) {
      bool isReversed = reversal && (*reversal)[i];
      int64_t element = (*windows)[i].element(
          position[i], isReversed ? sizes[i] - 1 - k[i] : k[i], extents[i]);
      if (element < 0)
        return -1;
      place += element * lhsStrides.spatial[i];
    }
    return place;
  };

  int64_t place = 0;
  for (Index d(shape); d; ++d, ++place) {
    int64_t output = d[dims.getOutputFeatureDimension()],
            n = d[dims.getOutputBatchDimension()];
    int64_t featureGroup = output / (outputs / featureGroups),
            batchGroup = output / (outputs / batchGroups);
    int64_t lhsFirst = (batchGroup * batch + n) * lhsStrides.first +
                       featureGroup * features * lhsStrides.second,
            rhsFirst = output * rhsStrides.second;
    Ints position = pick(*d, dims.getOutputSpatialDimensions());
    sum->start();
    for (Index k(sizes); k; ++k) {
      int64_t window = windowPlace(position, *k),
              kernel = rhsFirst + offset(*k, rhsStrides.spatial);
      for (int64_t c = 0; c < features; ++c)
        // Padding is zero, and it is multiplied like any other element.
        sum->add(window < 0 ? Scalar()
                            : lhs.at(lhsFirst + window + c * lhsStrides.second),
                 rhs.at(kernel + c * rhsStrides.first));
    }
    result->set(place, sum->value());
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateConvolution(ConvolutionOp op, Step &step) {
  return evaluateConv(op, step, readPadding(op.getPadding()));
}

static LogicalResult evaluateDynamicConv(DynamicConvOp op, Step &step) {
  const Tensor &tensor = step.tensor(2);
  SmallVector<int64_t> padding;
  if (failed(
          step.expectShape("padding", tensor, {step.tensor(0).rank() - 2, 2})))
    return failure();
  for (int64_t i = 0; i < tensor.size(); ++i)
    padding.push_back(tensor.at(i).integer);
  return evaluateConv(op, step, padding);
}

void addConvolutionRules(EvaluationRules &rules) {
  rules.addOnFloats<ConvolutionOp, evaluateConvolution>();
  rules.addOnFloats<DynamicConvOp, evaluateDynamicConv>();
}

} // namespace mercator::reference
