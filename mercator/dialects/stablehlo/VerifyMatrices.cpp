// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of factorizations, transforms and normalizations. Each check names
// its constraint of the specification.

#include "mercator/dialects/stablehlo/Verify.h"

using namespace mlir;
using namespace mercator::stablehlo;

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

static LogicalResult expectMatrices(Operation *op, StringRef what,
                                    RankedTensorType type) {
  if (type.getRank() >= 2)
    return success();
  return op->emitOpError() << "expected " << what << " of rank 2 or more, got "
                           << type;
}

static LogicalResult expectSquare(Operation *op, StringRef what,
                                  RankedTensorType type) {
  int64_t rank = type.getRank();
  if (extentsAgree(type.getDimSize(rank - 2), type.getDimSize(rank - 1)))
    return success();
  return op->emitOpError() << "expected " << what << " of square matrices, got "
                           << type;
}

LogicalResult CholeskyOp::verify() {
  auto a = getA().getType();
  return failure(
      // (cholesky C1)
      failed(expectBaseline(*this, "result", getType(), a)) ||
      failed(expectShape(*this, "result", getType(), a.getShape())) ||
      // (cholesky C2)
      failed(expectMatrices(*this, "a", a)) ||
      // (cholesky C3)
      failed(expectSquare(*this, "a", a)));
}

LogicalResult TriangularSolveOp::verify() {
  auto a = getA().getType(), b = getB().getType();
  int64_t rank = a.getRank();
  // (triangular_solve C1)
  if (failed(expectBaseline(*this, "b", b, a)) ||
      // (triangular_solve C2)
      failed(expectMatrices(*this, "a", a)))
    return failure();
  if (b.getRank() != rank)
    return emitOpError() << "expected a and b of the same rank, got " << a
                         << " and " << b;
  // (triangular_solve C3)
  if (failed(expectSquare(*this, "a", a)))
    return failure();
  SmallVector<int64_t> expected(a.getShape());
  expected[rank - (getLeftSide() ? 1 : 2)] = ShapedType::kDynamic;
  if (failed(expectShape(*this, "b", b, expected)))
    return failure();
  if (getTransposeA() == Transpose::TRANSPOSE_INVALID)
    return emitOpError() << "expected transpose_a NO_TRANSPOSE, TRANSPOSE or "
                            "ADJOINT, got "
                         << stringifyTranspose(getTransposeA());
  return failure(
      // (triangular_solve C4)
      failed(expectBaseline(*this, "result", getType(), b)) ||
      failed(expectShape(*this, "result", getType(), b.getShape())));
}

//===----------------------------------------------------------------------===//
// fft
//===----------------------------------------------------------------------===//

LogicalResult FftOp::verify() {
  auto operand = getOperand().getType(), result = getType();
  ArrayRef<int64_t> length = getFftLength();
  FftType kind = getFftType();
  bool fromReal = kind == FftType::RFFT, toReal = kind == FftType::IRFFT;
  // (fft C3)
  if (length.empty() || length.size() > 3)
    return emitOpError() << "expected fft_length of 1 to 3 entries, got "
                         << length.size();
  // (fft C1)
  if (int64_t(length.size()) > operand.getRank())
    return emitOpError() << "expected fft_length of at most "
                         << operand.getRank()
                         << " entries, one for each dimension, got "
                         << length.size();
  if (failed(expectAtLeast(*this, "fft_length", length, 0)))
    return failure();
  // (fft C2)
  auto complexOf = [](Type real) -> Type {
    return isa<FloatType>(real) ? ComplexType::get(real) : Type();
  };
  Type from = operand.getElementType(), to = result.getElementType();
  Type spectrumFrom = fromReal ? complexOf(from) : from;
  Type spectrumTo = toReal ? complexOf(to) : to;
  if (!isa_and_nonnull<ComplexType>(spectrumFrom) || spectrumFrom != spectrumTo)
    return emitOpError() << "expected " << stringifyFftType(kind) << " from "
                         << (fromReal ? "real" : "complex") << " to "
                         << (toReal ? "real" : "complex")
                         << " elements of the same format, got " << from
                         << " and " << to;
  // (fft C4)
  if (fromReal || toReal) {
    RankedTensorType real = fromReal ? operand : result;
    if (real.getRank() < int64_t(length.size()) ||
        !shapesAgree(real.getShape().take_back(length.size()), length))
      return emitOpError() << "expected "
                           << (fromReal ? "an operand" : "a result")
                           << " whose last dimensions are fft_length ["
                           << length << "], got " << real;
  }
  // (fft C5)
  SmallVector<int64_t> expected(operand.getShape());
  auto halved = [](int64_t extent) {
    return ShapedType::isDynamic(extent) || extent == 0 ? extent
                                                        : extent / 2 + 1;
  };
  if (fromReal)
    expected.back() = halved(expected.back());
  if (toReal) {
    if (!extentsAgree(operand.getShape().back(), halved(length.back())))
      return emitOpError() << "expected an operand of extent "
                           << halved(length.back())
                           << " along the last dimension, got " << operand;
    expected.back() = length.back();
  }
  return expectShape(*this, "result", result, expected);
}

//===----------------------------------------------------------------------===//
// Normalization over the feature dimension
//===----------------------------------------------------------------------===//

/// Expects that every value has the element type of the operand.
static LogicalResult expectElements(Operation *op, RankedTensorType type) {
  for (Value value : op->getOperands())
    if (failed(expectBaseline(op, "operand",
                              cast<RankedTensorType>(value.getType()), type)))
      return failure();
  for (Value value : op->getResults())
    if (failed(expectBaseline(op, "result",
                              cast<RankedTensorType>(value.getType()), type)))
      return failure();
  return success();
}

static LogicalResult expectFeatures(Operation *op, StringRef what, Value value,
                                    RankedTensorType operand, int64_t feature) {
  return expectShape(op, what, cast<RankedTensorType>(value.getType()),
                     {operand.getDimSize(feature)});
}

LogicalResult BatchNormInferenceOp::verify() {
  auto type = getOperand().getType();
  int64_t feature = getFeatureIndex();
  return failure(
      // (batch_norm_inference C1)
      failed(expectWithin(*this, "feature_index", {feature}, type.getRank())) ||
      // (batch_norm_inference C2)
      failed(expectElements(*this, type)) ||
      // (batch_norm_inference C3)
      failed(expectFeatures(*this, "scale", getScale(), type, feature)) ||
      // (batch_norm_inference C4)
      failed(expectFeatures(*this, "offset", getOffset(), type, feature)) ||
      // (batch_norm_inference C5)
      failed(expectFeatures(*this, "mean", getMean(), type, feature)) ||
      // (batch_norm_inference C6)
      failed(expectFeatures(*this, "variance", getVariance(), type, feature)) ||
      // (batch_norm_inference C7)
      failed(expectShape(*this, "result", getType(), type.getShape())));
}

LogicalResult BatchNormTrainingOp::verify() {
  auto type = getOperand().getType();
  int64_t feature = getFeatureIndex();
  return failure(
      // (batch_norm_training C1)
      failed(expectWithin(*this, "feature_index", {feature}, type.getRank())) ||
      // (batch_norm_training C2)
      failed(expectElements(*this, type)) ||
      // (batch_norm_training C3)
      failed(expectFeatures(*this, "scale", getScale(), type, feature)) ||
      // (batch_norm_training C4)
      failed(expectFeatures(*this, "offset", getOffset(), type, feature)) ||
      // (batch_norm_training C5)
      failed(
          expectFeatures(*this, "batch_mean", getBatchMean(), type, feature)) ||
      // (batch_norm_training C6)
      failed(
          expectFeatures(*this, "batch_var", getBatchVar(), type, feature)) ||
      // (batch_norm_training C7)
      failed(expectShape(*this, "output", getOutput().getType(),
                         type.getShape())));
}

LogicalResult BatchNormGradOp::verify() {
  auto type = getOperand().getType();
  int64_t feature = getFeatureIndex();
  // (batch_norm_grad C1)
  if (failed(expectWithin(*this, "feature_index", {feature}, type.getRank())) ||
      // (batch_norm_grad C2)
      failed(expectElements(*this, type)) ||
      // (batch_norm_grad C3)
      failed(expectShape(*this, "grad_output", getGradOutput().getType(),
                         type.getShape())) ||
      failed(expectShape(*this, "grad_operand", getGradOperand().getType(),
                         type.getShape())) ||
      // (batch_norm_grad C5)
      failed(expectFeatures(*this, "scale", getScale(), type, feature)))
    return failure();
  // (batch_norm_grad C4)
  auto scale = getScale().getType();
  for (auto [what, value] :
       {std::pair("mean", getMean()), std::pair("variance", getVariance()),
        std::pair("grad_scale", getGradScale()),
        std::pair("grad_offset", getGradOffset())})
    if (failed(expectShape(*this, what, value.getType(), scale.getShape())))
      return failure();
  return success();
}
