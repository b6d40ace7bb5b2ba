// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the operations that combine elements: the shape of the result,
// the signature of the regions, the pairing of dimensions.

#include "mercator/dialects/stablehlo/Verify.h"

using namespace mlir;
using namespace mercator::stablehlo;

//===----------------------------------------------------------------------===//
// Reductions and windows
//===----------------------------------------------------------------------===//

/// Inputs of one shape, a scalar init value each, results of `expected` shape.
static LogicalResult verifyReduction(Operation *op, OperandRange inputs,
                                     OperandRange inits, Region &body,
                                     ArrayRef<int64_t> expected) {
  if (failed(expectCount(op, "results", op->getNumResults(), inputs.size())) ||
      failed(expectScalarRegion(op, "body", body, 2 * inputs.size(),
                                inputs.size())))
    return failure();
  auto first = cast<RankedTensorType>(inputs[0].getType());
  for (auto [input, init, result] :
       llvm::zip(inputs, inits, op->getResults())) {
    auto type = cast<RankedTensorType>(input.getType());
    auto initType = cast<RankedTensorType>(init.getType());
    auto resultType = cast<RankedTensorType>(result.getType());
    if (failed(expectShape(op, "input", type, first.getShape())) ||
        failed(expectScalar(op, "init value", initType)) ||
        failed(expectShape(op, "result", resultType, expected)))
      return failure();
  }
  return success();
}

static LogicalResult expectPairs(Operation *op) {
  if (op->getNumOperands() > 0 && op->getNumOperands() % 2 == 0)
    return success();
  return op->emitOpError() << "expected as many init values as inputs, got "
                           << op->getNumOperands() << " operands";
}

LogicalResult ReduceOp::verify() {
  if (failed(expectPairs(*this)))
    return failure();
  auto first = cast<RankedTensorType>(getInputs()[0].getType());
  if (failed(expectDims(*this, "dimensions", getDimensions(), first.getRank())))
    return failure();
  SmallVector<int64_t> expected;
  for (auto [i, extent] : llvm::enumerate(first.getShape()))
    if (!llvm::is_contained(getDimensions(), int64_t(i)))
      expected.push_back(extent);
  return verifyReduction(*this, getInputs(), getInitValues(), getBody(),
                         expected);
}

LogicalResult ReduceWindowOp::verify() {
  if (failed(expectPairs(*this)))
    return failure();
  auto first = cast<RankedTensorType>(getInputs()[0].getType());
  if (failed(expectCount(*this, "window_dimensions",
                         getWindowDimensions().size(), first.getRank())))
    return failure();
  FailureOr<SmallVector<WindowSpec>> window =
      readWindow(*this, getWindowDimensions(), getWindowStrides(),
                 getBaseDilations(), getWindowDilations(), getPaddingAttr());
  if (failed(window))
    return failure();
  SmallVector<int64_t> expected;
  for (auto [extent, dim] : llvm::zip(first.getShape(), *window))
    expected.push_back(windowExtent(extent, dim));
  return verifyReduction(*this, getInputs(), getInitValues(), getBody(),
                         expected);
}

LogicalResult SortOp::verify() {
  if (getInputs().empty())
    return emitOpError() << "expected at least one input, got none";
  auto first = cast<RankedTensorType>(getInputs()[0].getType());
  int64_t rank = first.getRank(), dim = int64_t(getDimension());
  if (rank > 0 && failed(expectDims(*this, "dimension",
                                    {dim < 0 ? dim + rank : dim}, rank)))
    return failure();
  for (Type type : getInputs().getTypes())
    if (failed(expectShape(*this, "input", cast<RankedTensorType>(type),
                           first.getShape())))
      return failure();
  return failure(failed(expectTypes(*this, "results", getResultTypes(),
                                    getInputs().getTypes())) ||
                 failed(expectScalarRegion(*this, "comparator", getComparator(),
                                           2 * getInputs().size(), 1)));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Dimensions paired one to one, of one extent.
static LogicalResult verifyPairs(Operation *op, StringRef name,
                                 RankedTensorType lhs,
                                 ArrayRef<int64_t> lhsDims,
                                 RankedTensorType rhs,
                                 ArrayRef<int64_t> rhsDims) {
  if (lhsDims.size() != rhsDims.size())
    return op->emitOpError() << "expected as many " << name
                             << " dimensions of rhs as of lhs, got "
                             << rhsDims.size() << " and " << lhsDims.size();
  for (auto [l, r] : llvm::zip(lhsDims, rhsDims))
    if (!extentsAgree(lhs.getDimSize(l), rhs.getDimSize(r)))
      return op->emitOpError()
             << "expected " << name << " dimensions of one extent, got "
             << lhs.getDimSize(l) << " and " << rhs.getDimSize(r);
  return success();
}

LogicalResult DotGeneralOp::verify() {
  auto lhs = getLhs().getType(), rhs = getRhs().getType();
  DotDimensionNumbersAttr dims = getDotDimensionNumbers();
  auto used = [](ArrayRef<int64_t> batching, ArrayRef<int64_t> contracting) {
    SmallVector<int64_t> all(batching);
    llvm::append_range(all, contracting);
    return all;
  };
  auto lhsUsed =
      used(dims.getLhsBatchingDimensions(), dims.getLhsContractingDimensions());
  auto rhsUsed =
      used(dims.getRhsBatchingDimensions(), dims.getRhsContractingDimensions());
  if (failed(expectDims(*this, "lhs dimensions", lhsUsed, lhs.getRank())) ||
      failed(expectDims(*this, "rhs dimensions", rhsUsed, rhs.getRank())) ||
      failed(verifyPairs(*this, "batching", lhs,
                         dims.getLhsBatchingDimensions(), rhs,
                         dims.getRhsBatchingDimensions())) ||
      failed(verifyPairs(*this, "contracting", lhs,
                         dims.getLhsContractingDimensions(), rhs,
                         dims.getRhsContractingDimensions())))
    return failure();
  SmallVector<int64_t> expected;
  for (int64_t dim : dims.getLhsBatchingDimensions())
    expected.push_back(lhs.getDimSize(dim));
  auto appendFree = [&](RankedTensorType type, ArrayRef<int64_t> usedDims) {
    for (auto [i, extent] : llvm::enumerate(type.getShape()))
      if (!llvm::is_contained(usedDims, int64_t(i)))
        expected.push_back(extent);
  };
  appendFree(lhs, lhsUsed);
  appendFree(rhs, rhsUsed);
  return expectShape(*this, "result", getType(), expected);
}

LogicalResult DotOp::verify() {
  auto lhs = getLhs().getType(), rhs = getRhs().getType();
  for (auto [what, rank] :
       {std::pair("lhs", lhs.getRank()), std::pair("rhs", rhs.getRank())})
    if (rank != 1 && rank != 2)
      return emitOpError() << "expected " << what
                           << " of rank 1 or 2, got rank " << rank;
  if (failed(verifyPairs(*this, "contracting", lhs, {lhs.getRank() - 1}, rhs,
                         {0})))
    return failure();
  SmallVector<int64_t> expected(lhs.getShape().drop_back());
  llvm::append_range(expected, rhs.getShape().drop_front());
  return expectShape(*this, "result", getType(), expected);
}

/// Batch, feature and spatial are together a permutation of the dimensions.
static LogicalResult verifyConvSide(Operation *op, StringRef name,
                                    RankedTensorType type, int64_t first,
                                    int64_t second, ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> all{first, second};
  llvm::append_range(all, spatial);
  return failure(failed(expectCount(op, name, all.size(), type.getRank())) ||
                 failed(expectDims(op, name, all, type.getRank())));
}

LogicalResult ConvolutionOp::verify() {
  auto lhs = getLhs().getType(), rhs = getRhs().getType();
  ConvDimensionNumbersAttr dims = getDimensionNumbers();
  if (failed(verifyConvSide(
          *this, "input dimensions", lhs, dims.getInputBatchDimension(),
          dims.getInputFeatureDimension(), dims.getInputSpatialDimensions())) ||
      failed(verifyConvSide(*this, "kernel dimensions", rhs,
                            dims.getKernelInputFeatureDimension(),
                            dims.getKernelOutputFeatureDimension(),
                            dims.getKernelSpatialDimensions())) ||
      failed(verifyConvSide(
          *this, "output dimensions", getType(), dims.getOutputBatchDimension(),
          dims.getOutputFeatureDimension(), dims.getOutputSpatialDimensions())))
    return failure();
  if (getType().getRank() != lhs.getRank() || rhs.getRank() != lhs.getRank())
    return emitOpError() << "expected lhs, rhs and result of one rank, got "
                         << lhs.getRank() << ", " << rhs.getRank() << " and "
                         << getType().getRank();
  int64_t features = int64_t(getFeatureGroupCount()),
          batches = int64_t(getBatchGroupCount());
  if (failed(expectAtLeast(*this, "group counts", {features, batches}, 1)))
    return failure();
  if (features > 1 && batches > 1)
    return emitOpError() << "expected one group count of 1, got " << features
                         << " and " << batches;

  int64_t batch = lhs.getDimSize(dims.getInputBatchDimension());
  int64_t inputFeatures = lhs.getDimSize(dims.getInputFeatureDimension());
  int64_t kernelInput = rhs.getDimSize(dims.getKernelInputFeatureDimension());
  int64_t kernelOutput = rhs.getDimSize(dims.getKernelOutputFeatureDimension());
  if (!ShapedType::isDynamic(inputFeatures) && inputFeatures % features)
    return emitOpError()
           << "expected input features divisible by feature_group_count "
           << features << ", got " << inputFeatures;
  if (!ShapedType::isDynamic(batch) && batch % batches)
    return emitOpError() << "expected a batch divisible by batch_group_count "
                         << batches << ", got " << batch;
  for (int64_t groups : {features, batches})
    if (!ShapedType::isDynamic(kernelOutput) && kernelOutput % groups)
      return emitOpError()
             << "expected output features divisible by the group count "
             << groups << ", got " << kernelOutput;
  if (!ShapedType::isDynamic(inputFeatures) &&
      !extentsAgree(kernelInput, inputFeatures / features))
    return emitOpError() << "expected a kernel of " << inputFeatures / features
                         << " input features, got " << kernelInput;

  SmallVector<int64_t> sizes;
  for (int64_t dim : dims.getKernelSpatialDimensions())
    sizes.push_back(rhs.getDimSize(dim));
  bool dynamicWindow = llvm::is_contained(sizes, ShapedType::kDynamic);
  SmallVector<int64_t> readSizes(sizes);
  if (dynamicWindow)
    llvm::fill(readSizes, 0);
  FailureOr<SmallVector<WindowSpec>> window =
      readWindow(*this, readSizes, getWindowStrides(), getLhsDilation(),
                 getRhsDilation(), getPaddingAttr());
  if (failed(window))
    return failure();
  if (std::optional<ArrayRef<bool>> reversal = getWindowReversal())
    if (failed(expectCount(*this, "window_reversal", reversal->size(),
                           sizes.size())))
      return failure();

  SmallVector<int64_t> expected(lhs.getRank());
  expected[dims.getOutputBatchDimension()] =
      ShapedType::isDynamic(batch) ? batch : batch / batches;
  expected[dims.getOutputFeatureDimension()] = kernelOutput;
  for (auto [i, dim] : llvm::enumerate(dims.getOutputSpatialDimensions()))
    expected[dim] =
        ShapedType::isDynamic(sizes[i])
            ? ShapedType::kDynamic
            : windowExtent(lhs.getDimSize(dims.getInputSpatialDimensions()[i]),
                           (*window)[i]);
  return expectShape(*this, "result", getType(), expected);
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

/// `like` have the shape of the operand, `vectors` that of its feature
/// dimension.
static LogicalResult verifyBatchNorm(Operation *op, Value operand,
                                     int64_t feature, ValueRange like,
                                     ValueRange vectors) {
  auto type = cast<RankedTensorType>(operand.getType());
  if (failed(expectDims(op, "feature_index", {feature}, type.getRank())))
    return failure();
  for (Value value : like)
    if (failed(expectShape(op, "value", cast<RankedTensorType>(value.getType()),
                           type.getShape())))
      return failure();
  for (Value value : vectors)
    if (failed(expectShape(op, "feature vector",
                           cast<RankedTensorType>(value.getType()),
                           {type.getDimSize(feature)})))
      return failure();
  return success();
}

LogicalResult BatchNormInferenceOp::verify() {
  return verifyBatchNorm(*this, getOperand(), getFeatureIndex(), {getResult()},
                         {getScale(), getOffset(), getMean(), getVariance()});
}

LogicalResult BatchNormTrainingOp::verify() {
  return verifyBatchNorm(
      *this, getOperand(), getFeatureIndex(), {getOutput()},
      {getScale(), getOffset(), getBatchMean(), getBatchVar()});
}

LogicalResult BatchNormGradOp::verify() {
  return verifyBatchNorm(
      *this, getOperand(), getFeatureIndex(),
      {getGradOutput(), getGradOperand()},
      {getScale(), getMean(), getVariance(), getGradScale(), getGradOffset()});
}
