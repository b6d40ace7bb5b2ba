// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Quantize.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"

#include <cmath>

using namespace mlir;

namespace mercator::reference {

bool isQuantized(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<quant::QuantizedType>(tensor.getElementType());
}

Type expressedElement(Type type) {
  auto quantized = dyn_cast<quant::QuantizedType>(type);
  return quantized ? quantized.getExpressedType() : type;
}

RankedTensorType expressedType(RankedTensorType type) {
  return isQuantized(type)
             ? RankedTensorType::get(type.getShape(),
                                     expressedElement(type.getElementType()))
             : type;
}

namespace {
/// The scales and zero points of a type for the elements of a shape.
class Parameters {
public:
  /// Fails with an error unless the type has one scale for each slice.
  static FailureOr<Parameters> of(Type type, ArrayRef<int64_t> shape,
                                  EmitError emitError);

  double scale(int64_t place) const { return scales[slice(place)]; }
  double zeroPoint(int64_t place) const { return zeroPoints[slice(place)]; }

  double lowest, highest;

private:
  size_t slice(int64_t place) const { return place / inner % scales.size(); }

  SmallVector<double, 1> scales, zeroPoints;
  /// The number of consecutive elements with the same parameters.
  int64_t inner = 1;
};
} // namespace

FailureOr<Parameters> Parameters::of(Type type, ArrayRef<int64_t> shape,
                                     EmitError emitError) {
  Parameters result;
  auto quantized = cast<quant::QuantizedType>(type);
  std::optional<Element> expressed;
  if (Type real = quantized.getExpressedType())
    expressed = Element::of(real);
  auto add = [&](double scale, int64_t zeroPoint) {
    result.scales.push_back(expressed->round(Scalar::real(scale)).re);
    result.zeroPoints.push_back(double(zeroPoint));
  };
  auto perTensor = dyn_cast<quant::UniformQuantizedType>(type);
  auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(type);
  if (!expressed || !expressed->isReal() || (!perTensor && !perAxis)) {
    emitError() << "expected a uniformly quantized type of the StableHLO "
                   "specification, got "
                << type;
    return failure();
  }
  result.lowest = double(quantized.getStorageTypeMin());
  result.highest = double(quantized.getStorageTypeMax());
  if (perTensor) {
    add(perTensor.getScale(), perTensor.getZeroPoint());
    return result;
  }
  int64_t dim = perAxis.getQuantizedDimension();
  ArrayRef<double> scales = perAxis.getScales();
  if (dim < 0 || dim >= int64_t(shape.size()) ||
      shape[dim] != int64_t(scales.size())) {
    emitError() << "expected as many scales as the quantized dimension " << dim
                << " has indices, got " << scales.size();
    return failure();
  }
  for (auto [scale, zeroPoint] : llvm::zip(scales, perAxis.getZeroPoints()))
    add(scale, zeroPoint);
  for (int64_t extent : shape.drop_front(dim + 1))
    result.inner *= extent;
  return result;
}

FailureOr<Tensor> dequantize(const Tensor &tensor, EmitError emitError) {
  if (!isQuantized(tensor.type()))
    return tensor;
  FailureOr<Parameters> parameters =
      Parameters::of(tensor.type().getElementType(), tensor.shape(), emitError);
  if (failed(parameters))
    return failure();
  FailureOr<Tensor> result =
      Tensor::zeros(expressedType(tensor.type()), emitError);
  if (failed(result))
    return failure();
  const Element &real = result->element();
  for (int64_t i = 0; i < tensor.size(); ++i) {
    // Exact, because the storage type has at most 32 bits.
    double steps = double(tensor.at(i).integer) - parameters->zeroPoint(i);
    result->set(i, Scalar::real(real.round(Scalar::real(steps)).re *
                                parameters->scale(i)));
  }
  return result;
}

FailureOr<Tensor> quantize(const Tensor &tensor, RankedTensorType type,
                           EmitError emitError) {
  if (!isQuantized(type))
    return tensor;
  FailureOr<Parameters> parameters =
      Parameters::of(type.getElementType(), tensor.shape(), emitError);
  if (failed(parameters))
    return failure();
  FailureOr<Tensor> result = Tensor::zeros(
      RankedTensorType::get(tensor.shape(), type.getElementType()), emitError);
  if (failed(result))
    return failure();
  const Element &real = tensor.element();
  auto round = [&](double value) { return real.round(Scalar::real(value)).re; };
  for (int64_t i = 0; i < tensor.size(); ++i) {
    double scaled = round(tensor.at(i).re / parameters->scale(i));
    double moved = round(scaled + round(parameters->zeroPoint(i)));
    // Also if rounding the bounds to the expressed type would change them.
    double clamped =
        std::fmin(std::fmax(moved, parameters->lowest), parameters->highest);
    if (std::isnan(moved))
      clamped = 0;
    result->set(i, Scalar::whole(int64_t(std::nearbyint(clamped))));
  }
  return result;
}

} // namespace mercator::reference
