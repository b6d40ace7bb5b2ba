// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of dots and convolutions. Each check names its constraint of the
// specification; convolution and dynamic_conv share one numbering.

#include "mercator/dialects/stablehlo/Verify.h"

using namespace mlir;
using namespace mercator::stablehlo;

//===----------------------------------------------------------------------===//
// Checks of all of them
//===----------------------------------------------------------------------===//

/// Expects equally many dimensions on both sides: they are paired.
static LogicalResult expectPaired(Operation *op, StringRef name,
                                  ArrayRef<int64_t> lhs,
                                  ArrayRef<int64_t> rhs) {
  if (lhs.size() == rhs.size())
    return success();
  return op->emitOpError() << "expected as many " << name
                           << " dimensions of rhs as of lhs, got " << rhs.size()
                           << " and " << lhs.size();
}

/// Expects that paired dimensions have the same extent.
static LogicalResult expectOneExtent(Operation *op, StringRef name,
                                     RankedTensorType lhs,
                                     ArrayRef<int64_t> lhsDims,
                                     RankedTensorType rhs,
                                     ArrayRef<int64_t> rhsDims) {
  for (auto [l, r] : llvm::zip(lhsDims, rhsDims))
    if (!extentsAgree(lhs.getDimSize(l), rhs.getDimSize(r)))
      return op->emitOpError()
             << "expected " << name << " dimensions of the same extent, got "
             << lhs.getDimSize(l) << " and " << rhs.getDimSize(r);
  return success();
}

/// Expects at most one precision for each operand; the others have the default.
static LogicalResult expectPrecisions(Operation *op,
                                      std::optional<ArrayAttr> precisions) {
  if (!precisions || precisions->size() <= 2)
    return success();
  return op->emitOpError()
         << "expected a precision_config of 2 entries, one for each operand, got "
         << precisions->size();
}

/// `L`, `R` and `S` name the constraints in the order of the specification;
/// `is_quantized(x)` and the like refer to the element type.
static LogicalResult verifyQuantised(Operation *op, Type lhs, Type rhs,
                                     Type result) {
  auto lhsQuant = dyn_cast<quant::QuantizedType>(lhs),
       rhsQuant = dyn_cast<quant::QuantizedType>(rhs),
       resultQuant = dyn_cast<quant::QuantizedType>(result);
  // (dot_general C14), (convolution C28), (dynamic_conv C28)
  if (!rhsQuant || bool(lhsQuant) != bool(resultQuant))
    return op->emitOpError() << "expected a quantized rhs, and lhs and result "
                                "both quantized or both not, got "
                             << lhs << ", " << rhs << " and " << result;
  if (lhsQuant) {
    // (dot_general C17), (convolution C31), (dynamic_conv C31)
    if (!storedAlike(lhsQuant, rhsQuant))
      return op->emitOpError() << "expected lhs and rhs of one storage type, "
                                  "got "
                               << lhs << " and " << rhs;
    // (dot_general C18), (convolution C32), (dynamic_conv C32)
    if (lhsQuant.getExpressedType() != rhsQuant.getExpressedType() ||
        lhsQuant.getExpressedType() != resultQuant.getExpressedType())
      return op->emitOpError()
             << "expected lhs, rhs and result of one expressed type, got "
             << lhsQuant.getExpressedType() << ", "
             << rhsQuant.getExpressedType() << " and "
             << resultQuant.getExpressedType();
    // (dot_general C19), (convolution C33), (dynamic_conv C33)
    if (isa<quant::UniformQuantizedType>(rhsQuant) &&
        !isa<quant::UniformQuantizedType>(resultQuant))
      return op->emitOpError() << "expected a result quantized per tensor, as "
                                  "rhs is, got "
                               << result;
    return success();
  }
  // (dot_general C20), (convolution C34), (dynamic_conv C34)
  if (lhs != rhsQuant.getExpressedType() || lhs != result)
    return op->emitOpError()
           << "expected lhs, result and the expressed type of rhs to be one "
              "type, got "
           << lhs << ", " << result << " and " << rhsQuant.getExpressedType();
  return success();
}

static bool anyQuantised(ArrayRef<RankedTensorType> types) {
  return llvm::any_of(types, [](RankedTensorType type) {
    return isa<quant::QuantizedType>(type.getElementType());
  });
}

//===----------------------------------------------------------------------===//
// dot_general and dot
//===----------------------------------------------------------------------===//

/// The algorithms that hardware offers. For operands that are split into parts,
/// XLA's presets count one component; the specification's example counts all.
static bool isKnownAlgorithm(DotAlgorithmAttr algorithm) {
  Type lhs = algorithm.getLhsPrecisionType(),
       rhs = algorithm.getRhsPrecisionType(),
       accumulator = algorithm.getAccumulationType();
  int64_t components = algorithm.getLhsComponentCount(),
          products = algorithm.getNumPrimitiveOperations();
  if (components != algorithm.getRhsComponentCount())
    return false;
  auto isF8 = [](Type type) {
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
  };
  if (isF8(lhs) && isF8(rhs))
    return accumulator.isF32() && components == 1 && products == 1;
  if (lhs != rhs || algorithm.getAllowImpreciseAccumulation())
    return false;
  if (components == 1 && products == 1)
    return lhs.isF16()    ? accumulator.isF16() || accumulator.isF32()
           : lhs.isBF16() ? accumulator.isBF16() || accumulator.isF32()
           : lhs.isTF32() || lhs.isF32() ? accumulator.isF32()
                                         : lhs.isF64() && accumulator.isF64();
  if (!accumulator.isF32() || !(lhs.isBF16() || lhs.isTF32()))
    return false;
  switch (products) {
  case 3:
    return components == 1 || components == 2;
  case 6:
  case 9:
    return lhs.isBF16() && (components == 1 || components == 3);
  default:
    return false;
  }
}

static LogicalResult verifyAlgorithm(DotGeneralOp op) {
  DotAlgorithmAttr algorithm = op.getAlgorithmAttr();
  if (!algorithm)
    return success();
  // (dot_general C21)
  if (std::optional<ArrayAttr> precisions = op.getPrecisionConfig())
    for (auto precision : precisions->getAsRange<PrecisionAttr>())
      if (precision.getValue() != Precision::DEFAULT)
        return op.emitOpError()
               << "expected precision DEFAULT with an algorithm, got "
               << stringifyPrecision(precision.getValue());
  for (auto [name, count] :
       {// (dot_general C22)
        std::pair("lhs_component_count", algorithm.getLhsComponentCount()),
        // (dot_general C23)
        std::pair("rhs_component_count", algorithm.getRhsComponentCount()),
        // (dot_general C24)
        std::pair("num_primitive_operations",
                  algorithm.getNumPrimitiveOperations())})
    if (failed(expectAtLeast(op, name, {count}, 1)))
      return failure();
  if (!isKnownAlgorithm(algorithm))
    return op.emitOpError()
           << "expected an algorithm that some hardware supports, got "
           << algorithm;
  return success();
}

LogicalResult DotGeneralOp::verify() {
  auto lhs = getLhs().getType(), rhs = getRhs().getType();
  DotDimensionNumbersAttr dims = getDotDimensionNumbers();
  ArrayRef<int64_t> lhsBatching = dims.getLhsBatchingDimensions(),
                    rhsBatching = dims.getRhsBatchingDimensions(),
                    lhsContracting = dims.getLhsContractingDimensions(),
                    rhsContracting = dims.getRhsContractingDimensions();
  auto used = [](ArrayRef<int64_t> batching, ArrayRef<int64_t> contracting) {
    SmallVector<int64_t> all(batching);
    llvm::append_range(all, contracting);
    return all;
  };
  auto lhsUsed = used(lhsBatching, lhsContracting),
       rhsUsed = used(rhsBatching, rhsContracting);
  if ( // (dot_general C1)
      failed(expectPaired(*this, "batching", lhsBatching, rhsBatching)) ||
      // (dot_general C2)
      failed(
          expectPaired(*this, "contracting", lhsContracting, rhsContracting)) ||
      // (dot_general C3)
      failed(expectUnique(*this, "lhs dimensions", lhsUsed)) ||
      // (dot_general C4)
      failed(expectUnique(*this, "rhs dimensions", rhsUsed)) ||
      // (dot_general C5)
      failed(expectWithin(*this, "lhs_batching_dimensions", lhsBatching,
                          lhs.getRank())) ||
      // (dot_general C6)
      failed(expectWithin(*this, "lhs_contracting_dimensions", lhsContracting,
                          lhs.getRank())) ||
      // (dot_general C7)
      failed(expectWithin(*this, "rhs_batching_dimensions", rhsBatching,
                          rhs.getRank())) ||
      // (dot_general C8)
      failed(expectWithin(*this, "rhs_contracting_dimensions", rhsContracting,
                          rhs.getRank())) ||
      // (dot_general C9)
      failed(expectOneExtent(*this, "batching", lhs, lhsBatching, rhs,
                             rhsBatching)) ||
      // (dot_general C10)
      failed(expectOneExtent(*this, "contracting", lhs, lhsContracting, rhs,
                             rhsContracting)) ||
      // (dot_general C11)
      failed(expectPrecisions(*this, getPrecisionConfig())))
    return failure();
  // (dot_general C12)
  SmallVector<int64_t> expected;
  for (auto [l, r] : llvm::zip(lhsBatching, rhsBatching))
    expected.push_back(lhs.isDynamicDim(l) ? rhs.getDimSize(r)
                                           : lhs.getDimSize(l));
  auto appendFree = [&](RankedTensorType type, ArrayRef<int64_t> usedDims) {
    for (auto [i, extent] : llvm::enumerate(type.getShape()))
      if (!llvm::is_contained(usedDims, int64_t(i)))
        expected.push_back(extent);
  };
  appendFree(lhs, lhsUsed);
  appendFree(rhs, rhsUsed);
  if (failed(expectShape(*this, "result", getType(), expected)) ||
      failed(verifyAlgorithm(*this)))
    return failure();

  Type left = lhs.getElementType(), right = rhs.getElementType();
  if (!anyQuantised({lhs, rhs, getType()})) {
    // (dot_general C13), as far as programs follow it. JAX multiplies floats of
    // two formats, and integers with floats, but complex numbers only with
    // complex numbers.
    if (isa<ComplexType>(left) != isa<ComplexType>(right))
      return emitOpError() << "expected rhs of element type " << left
                           << " as lhs has, got " << right;
    return success();
  }
  // (dot_general C15)
  auto hasZeroPoint = [](Type type) {
    if (auto tensor = dyn_cast<quant::UniformQuantizedType>(type))
      return tensor.getZeroPoint() != 0;
    auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(type);
    return axis && llvm::any_of(axis.getZeroPoints(),
                                [](int64_t point) { return point != 0; });
  };
  if (hasZeroPoint(right))
    return emitOpError() << "expected rhs with zero points 0, got " << right;
  // (dot_general C16)
  if (auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(right);
      axis && llvm::is_contained(rhsContracting, axis.getQuantizedDimension()))
    return emitOpError() << "expected rhs quantized along a dimension that is "
                            "not contracted, got "
                         << axis.getQuantizedDimension();
  return verifyQuantised(*this, left, right, getType().getElementType());
}

LogicalResult DotOp::verify() {
  auto lhs = getLhs().getType(), rhs = getRhs().getType();
  for (auto [what, rank] :
       {std::pair("lhs", lhs.getRank()), std::pair("rhs", rhs.getRank())})
    if (rank != 1 && rank != 2)
      return emitOpError() << "expected " << what
                           << " of rank 1 or 2, got rank " << rank;
  if (failed(expectOneExtent(*this, "contracting", lhs, {lhs.getRank() - 1},
                             rhs, {0})) ||
      failed(expectPrecisions(*this, getPrecisionConfig())))
    return failure();
  SmallVector<int64_t> expected(lhs.getShape().drop_back());
  llvm::append_range(expected, rhs.getShape().drop_front());
  return expectShape(*this, "result", getType(), expected);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Expects that batch, feature and spatial dimensions together are a
/// permutation of the tensor's dimensions.
static LogicalResult expectPermutation(Operation *op, StringRef name,
                                       int64_t rank, int64_t first,
                                       int64_t second,
                                       ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> all{first, second};
  llvm::append_range(all, spatial);
  return expectDims(op, name, all, rank);
}

static LogicalResult expectDivisible(Operation *op, StringRef what,
                                     int64_t extent, StringRef by,
                                     int64_t groups) {
  if (ShapedType::isDynamic(extent) || extent % groups == 0)
    return success();
  return op->emitOpError() << "expected " << what << " divisible by " << by
                           << " " << groups << ", got " << extent;
}

static LogicalResult verifyConvNumbers(Operation *op,
                                       ConvDimensionNumbersAttr dims,
                                       RankedTensorType lhs,
                                       RankedTensorType rhs,
                                       RankedTensorType result) {
  int64_t rank = lhs.getRank();
  if (rank < 2)
    return op->emitOpError() << "expected lhs of rank 2 or more, got " << rank;
  // (convolution C1), (dynamic_conv C1)
  if (rhs.getRank() != rank)
    return op->emitOpError() << "expected lhs and rhs of the same rank, got "
                             << rank << " and " << rhs.getRank();
  // (convolution C26), (dynamic_conv C26)
  if (result.getRank() != rank)
    return op->emitOpError() << "expected a result of rank " << rank << ", got "
                             << result.getRank();
  return failure(
      // (convolution C12), (dynamic_conv C12)
      failed(expectCount(op, "input_spatial_dimensions",
                         dims.getInputSpatialDimensions().size(), rank - 2)) ||
      // (convolution C13), (dynamic_conv C13)
      failed(expectPermutation(
          op, "input dimensions", rank, dims.getInputBatchDimension(),
          dims.getInputFeatureDimension(), dims.getInputSpatialDimensions())) ||
      // (convolution C17), (dynamic_conv C17)
      failed(expectCount(op, "kernel_spatial_dimensions",
                         dims.getKernelSpatialDimensions().size(), rank - 2)) ||
      // (convolution C18), (dynamic_conv C18)
      failed(expectPermutation(op, "kernel dimensions", rank,
                               dims.getKernelInputFeatureDimension(),
                               dims.getKernelOutputFeatureDimension(),
                               dims.getKernelSpatialDimensions())) ||
      // (convolution C19), (dynamic_conv C19)
      failed(expectCount(op, "output_spatial_dimensions",
                         dims.getOutputSpatialDimensions().size(), rank - 2)) ||
      // (convolution C20), (dynamic_conv C20)
      failed(expectPermutation(op, "output dimensions", rank,
                               dims.getOutputBatchDimension(),
                               dims.getOutputFeatureDimension(),
                               dims.getOutputSpatialDimensions())));
}

/// Expects that batches and features are divisible into groups.
template <typename ConvOp> static LogicalResult verifyConvGroups(ConvOp op) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  auto lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  int64_t features = int64_t(op.getFeatureGroupCount()),
          batches = int64_t(op.getBatchGroupCount());
  if ( // (convolution C21), (dynamic_conv C21)
      failed(expectAtLeast(op, "feature_group_count", {features}, 1)) ||
      // (convolution C22), (dynamic_conv C22)
      failed(expectAtLeast(op, "batch_group_count", {batches}, 1)))
    return failure();
  // (convolution C23), (dynamic_conv C23)
  if (features > 1 && batches > 1)
    return op.emitOpError() << "expected one group count of 1, got " << features
                            << " and " << batches;
  int64_t inputFeatures = lhs.getDimSize(dims.getInputFeatureDimension());
  int64_t kernelInput = rhs.getDimSize(dims.getKernelInputFeatureDimension());
  int64_t kernelOutput = rhs.getDimSize(dims.getKernelOutputFeatureDimension());
  if ( // (convolution C10), (dynamic_conv C10)
      failed(expectDivisible(op, "a batch",
                             lhs.getDimSize(dims.getInputBatchDimension()),
                             "batch_group_count", batches)) ||
      // (convolution C11), (dynamic_conv C11)
      failed(expectDivisible(op, "input features", inputFeatures,
                             "feature_group_count", features)) ||
      // (convolution C15), (dynamic_conv C15)
      failed(expectDivisible(op, "output features", kernelOutput,
                             "batch_group_count", batches)) ||
      // (convolution C16), (dynamic_conv C16)
      failed(expectDivisible(op, "output features", kernelOutput,
                             "feature_group_count", features)))
    return failure();
  // (convolution C14), (dynamic_conv C14)
  if (!ShapedType::isDynamic(inputFeatures) &&
      !extentsAgree(kernelInput, inputFeatures / features))
    return op.emitOpError()
           << "expected a kernel of " << inputFeatures / features
           << " input features, got " << kernelInput;
  return success();
}

/// Verifies both convolutions. `paddingKnown` says that `padding` is complete.
template <typename ConvOp>
static LogicalResult verifyConvolution(ConvOp op, DenseIntElementsAttr padding,
                                       bool paddingKnown) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  auto lhs = op.getLhs().getType(), rhs = op.getRhs().getType(),
       result = op.getType();
  if (failed(verifyConvNumbers(op, dims, lhs, rhs, result)) ||
      failed(verifyConvGroups(op)))
    return failure();

  SmallVector<int64_t> extents, sizes;
  for (int64_t dim : dims.getInputSpatialDimensions())
    extents.push_back(lhs.getDimSize(dim));
  for (int64_t dim : dims.getKernelSpatialDimensions())
    sizes.push_back(rhs.getDimSize(dim));
  for (int64_t size : sizes)
    if (size == 0)
      return op.emitOpError() << "expected a kernel that is not empty along a "
                                 "spatial dimension, got "
                              << rhs;
  // (convolution C2, C3, C4, C5, C6, C7, C8),
  // (dynamic_conv C2, C3, C5, C6, C7, C8): strides, padding, dilation of lhs,
  // dilation of rhs.
  // JAX sometimes exports dynamic_conv with an extra entry. While the padding
  // is unknown, no other tool checks these lists.
  auto entries = [&](std::optional<ArrayRef<int64_t>> values) {
    if (values && !paddingKnown)
      return std::optional(values->take_front(sizes.size()));
    return values;
  };
  FailureOr<SmallVector<WindowSpec>> window = readWindow(
      op, sizes, entries(op.getWindowStrides()), entries(op.getLhsDilation()),
      entries(op.getRhsDilation()), padding);
  if (failed(window))
    return failure();
  // (convolution C9), (dynamic_conv C9)
  if (std::optional<ArrayRef<bool>> reversal = op.getWindowReversal())
    if (failed(
            expectCount(op, "window_reversal", reversal->size(), sizes.size())))
      return failure();
  // (convolution C24), (dynamic_conv C24)
  if (failed(expectPrecisions(op, op.getPrecisionConfig())))
    return failure();

  // (convolution C25), (dynamic_conv C25)
  FailureOr<SmallVector<int64_t>> places =
      paddingKnown ? expectWindows(op, extents, *window)
                   : SmallVector<int64_t>(sizes.size(), ShapedType::kDynamic);
  if (failed(places))
    return failure();
  SmallVector<int64_t> expected(lhs.getRank());
  int64_t batch = lhs.getDimSize(dims.getInputBatchDimension());
  expected[dims.getOutputBatchDimension()] =
      ShapedType::isDynamic(batch) ? batch
                                   : batch / int64_t(op.getBatchGroupCount());
  expected[dims.getOutputFeatureDimension()] =
      rhs.getDimSize(dims.getKernelOutputFeatureDimension());
  for (auto [dim, count] :
       llvm::zip(dims.getOutputSpatialDimensions(), *places))
    expected[dim] = count;
  if (failed(expectShape(op, "result", result, expected)))
    return failure();

  Type left = lhs.getElementType(), right = rhs.getElementType();
  if (!anyQuantised({lhs, rhs, result})) {
    // (convolution C27), (dynamic_conv C27), except that the result may have
    // its own type: JAX requests it as `preferred_element_type`.
    if (left != right)
      return op.emitOpError() << "expected rhs of element type " << left
                              << " as lhs has, got " << right;
    return success();
  }
  auto axisOf = [](Type type) -> std::optional<int64_t> {
    if (auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(type))
      return axis.getQuantizedDimension();
    return std::nullopt;
  };
  // (convolution C29), (dynamic_conv C29)
  int64_t kernelOutput = dims.getKernelOutputFeatureDimension();
  if (std::optional<int64_t> axis = axisOf(right);
      axis && *axis != kernelOutput)
    return op.emitOpError()
           << "expected rhs quantized along its output features, dimension "
           << kernelOutput << ", got " << *axis;
  // (convolution C30), (dynamic_conv C30)
  int64_t output = dims.getOutputFeatureDimension();
  if (std::optional<int64_t> axis = axisOf(result.getElementType());
      axis && *axis != output)
    return op.emitOpError()
           << "expected a result quantized along its features, dimension "
           << output << ", got " << *axis;
  return verifyQuantised(op, left, right, result.getElementType());
}

LogicalResult ConvolutionOp::verify() {
  return verifyConvolution(*this, getPaddingAttr(), /*paddingKnown=*/true);
}

LogicalResult DynamicConvOp::verify() {
  // (dynamic_conv C4)
  int64_t spatial = std::max<int64_t>(getLhs().getType().getRank() - 2, 0);
  if (failed(
          expectShape(*this, "padding", getPadding().getType(), {spatial, 2})))
    return failure();
  std::optional<SmallVector<int64_t>> padding = constantIntegers(getPadding());
  DenseIntElementsAttr attr;
  if (padding)
    attr = DenseIntElementsAttr::get(
        RankedTensorType::get({int64_t(padding->size()) / 2, 2},
                              IntegerType::get(getContext(), 64)),
        *padding);
  return verifyConvolution(*this, attr, padding.has_value());
}

//===----------------------------------------------------------------------===//
// einsum
//===----------------------------------------------------------------------===//

/// `config` names each dimension of each operand and of the result by a letter.
/// An ellipsis stands for any dimensions; then only the arrow and the comma are
/// checked.
static LogicalResult verifyEinsum(Operation *op, StringRef config,
                                  StringRef example) {
  auto [inputs, output] = config.split("->");
  SmallVector<StringRef> names;
  inputs.split(names, ',');
  if (!config.contains("->") || output.contains("->") ||
      names.size() != op->getNumOperands())
    return op->emitOpError() << "expected einsum_config such as '" << example
                             << "', got '" << config << "'";
  if (config.contains('.'))
    return success();
  names.push_back(output);
  std::array<int64_t, 256> extents;
  extents.fill(ShapedType::kDynamic);
  std::array<bool, 256> known{};
  for (auto [i, letters] : llvm::enumerate(names)) {
    bool isResult = i == op->getNumOperands();
    Value value = isResult ? Value(op->getResult(0)) : op->getOperand(i);
    auto type = cast<RankedTensorType>(value.getType());
    letters = letters.trim();
    if (failed(expectCount(op, "einsum_config part", letters.size(),
                           type.getRank())))
      return failure();
    for (auto [letter, extent] : llvm::zip(letters, type.getShape())) {
      auto index = static_cast<unsigned char>(letter);
      if (isResult && !known[index])
        return op->emitOpError() << "expected a dimension of the result that "
                                    "an operand has, got '"
                                 << StringRef(&letter, 1) << "'";
      if (!extentsAgree(extents[index], extent))
        return op->emitOpError()
               << "expected dimensions '" << StringRef(&letter, 1)
               << "' of the same extent, got " << extents[index] << " and "
               << extent;
      known[index] = true;
      if (!ShapedType::isDynamic(extent))
        extents[index] = extent;
    }
  }
  return success();
}

LogicalResult EinsumOp::verify() {
  return verifyEinsum(*this, getEinsumConfig(), "ab,bc->ac");
}

LogicalResult UnaryEinsumOp::verify() {
  return verifyEinsum(*this, getEinsumConfig(), "ab->a");
}
