// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Normalization over all dimensions except the feature dimension. The
// specification defines these operations as programs of simpler ones, so each
// step is rounded to the element type. The order of sums is unspecified; they
// are rounded once.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Strides.h"
#include "mercator/reference/stablehlo/Rules.h"

#include <cmath>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

namespace {

/// The common part of the three operations. A number has the element type; a
/// vector has one number for each feature.
class BatchNorm {
public:
  using Vector = std::vector<double>;

  BatchNorm(Step &step, int64_t feature, const APFloat &epsilon)
      : step(step), operand(step.tensor(0)), feature(feature),
        features(operand.dim(feature)),
        stride(stridesOf(operand.shape())[feature]),
        epsilon(round(epsilon.convertToFloat())),
        count(features == 0
                  ? 0
                  : round(double(operand.size()) / double(features))) {}

  [[nodiscard]] double round(double value) const {
    return operand.element().round(Scalar::real(value)).re;
  }
  /// The feature of an element.
  [[nodiscard]] int64_t featureOf(int64_t place) const {
    return place / stride % features;
  }
  [[nodiscard]] double at(int64_t place) const { return operand.at(place).re; }

  /// Fails unless operand `i` is a vector with one element for each feature.
  [[nodiscard]] FailureOr<Vector> vector(size_t i) const {
    const Tensor &tensor = step.tensor(i);
    if (failed(step.expectShape("feature vector", tensor, {features})) ||
        failed(expectElement(tensor)))
      return failure();
    Vector values(features);
    for (int64_t f = 0; f < features; ++f)
      values[f] = tensor.at(f).re;
    return values;
  }
  LogicalResult expectElement(const Tensor &tensor) const {
    if (tensor.element() == operand.element() && tensor.element().isReal())
      return success();
    return step.unsupported("it is not defined for these element types");
  }

  /// The sum of `value(place)` for each feature.
  template <typename Function> Vector sum(Function value) const {
    Vector sums(features);
    for (int64_t place = 0; place < operand.size(); ++place) {
      double &sum = sums[featureOf(place)];
      sum += value(place);
      // A sum of f32 overflows where one of f64 does not.
      if (operand.element().bits <= 32 && std::isinf(float(sum)))
        sum = float(sum);
    }
    for (double &each : sums)
      each = round(each);
    return sums;
  }
  template <typename Function> Vector mean(Function value) const {
    Vector means = sum(value);
    for (double &each : means)
      each = round(each / count);
    return means;
  }

  [[nodiscard]] double centered(int64_t place, const Vector &mean) const {
    return round(at(place) - mean[featureOf(place)]);
  }
  /// The square roots of the variances plus epsilon.
  [[nodiscard]] Vector deviation(const Vector &variance) const {
    Vector values;
    for (double each : variance)
      values.push_back(round(std::sqrt(round(each + epsilon))));
    return values;
  }

  LogicalResult normalize(size_t result, const Vector &scale,
                          const Vector &offset, const Vector &mean,
                          const Vector &variance) const {
    Vector deviations = deviation(variance);
    return storeAll(result, [&](int64_t place) {
      int64_t f = featureOf(place);
      double normalized = round(centered(place, mean) / deviations[f]);
      return round(scale[f] * normalized) + offset[f];
    });
  }

  /// Sets result `i` to `value(place)` at each position of the operand.
  template <typename Function>
  LogicalResult storeAll(size_t i, Function value) const {
    FailureOr<Tensor> result = step.make(i, operand.shape());
    if (failed(result) || failed(expectElement(*result)))
      return failure();
    for (int64_t place = 0; place < operand.size(); ++place)
      result->set(place, Scalar::real(value(place)));
    step.results[i] = *result;
    return success();
  }
  LogicalResult store(size_t i, const Vector &values) const {
    FailureOr<Tensor> result = step.make(i, {features});
    if (failed(result) || failed(expectElement(*result)))
      return failure();
    for (int64_t f = 0; f < features; ++f)
      result->set(f, Scalar::real(values[f]));
    step.results[i] = *result;
    return success();
  }

  Step &step;
  const Tensor &operand;
  int64_t feature, features, stride;
  double epsilon, count;
};

} // namespace

static LogicalResult evaluateInference(BatchNormInferenceOp op, Step &step) {
  BatchNorm norm(step, int64_t(op.getFeatureIndex()), op.getEpsilon());
  FailureOr<BatchNorm::Vector> scale = norm.vector(1), offset = norm.vector(2),
                               mean = norm.vector(3), variance = norm.vector(4);
  if (failed(scale) || failed(offset) || failed(mean) || failed(variance))
    return failure();
  return norm.normalize(0, *scale, *offset, *mean, *variance);
}

static LogicalResult evaluateTraining(BatchNormTrainingOp op, Step &step) {
  BatchNorm norm(step, int64_t(op.getFeatureIndex()), op.getEpsilon());
  FailureOr<BatchNorm::Vector> scale = norm.vector(1), offset = norm.vector(2);
  if (failed(scale) || failed(offset))
    return failure();
  BatchNorm::Vector mean =
      norm.mean([&](int64_t place) { return norm.at(place); });
  BatchNorm::Vector variance = norm.mean([&](int64_t place) {
    double centered = norm.centered(place, mean);
    return norm.round(centered * centered);
  });
  return failure(failed(norm.normalize(0, *scale, *offset, mean, variance)) ||
                 failed(norm.store(1, mean)) ||
                 failed(norm.store(2, variance)));
}

static LogicalResult evaluateGrad(BatchNormGradOp op, Step &step) {
  BatchNorm norm(step, int64_t(op.getFeatureIndex()), op.getEpsilon());
  FailureOr<BatchNorm::Vector> scale = norm.vector(1), mean = norm.vector(2),
                               variance = norm.vector(3);
  const Tensor &gradOutput = step.tensor(4);
  if (failed(scale) || failed(mean) || failed(variance) ||
      failed(
          step.expectShape("grad_output", gradOutput, norm.operand.shape())) ||
      failed(norm.expectElement(gradOutput)))
    return failure();
  auto grad = [&](int64_t place) { return gradOutput.at(place).re; };
  BatchNorm::Vector deviation = norm.deviation(*variance);
  BatchNorm::Vector gradSum = norm.sum(grad);
  BatchNorm::Vector centeredSum = norm.sum([&](int64_t place) {
    return norm.round(grad(place) * norm.centered(place, *mean));
  });
  BatchNorm::Vector scaleSum = norm.sum([&](int64_t place) {
    double normalized = norm.round(norm.centered(place, *mean) /
                                   deviation[norm.featureOf(place)]);
    return norm.round(grad(place) * normalized);
  });

  LogicalResult stored = norm.storeAll(0, [&](int64_t place) {
    int64_t f = norm.featureOf(place);
    double byCentered =
        norm.round(centeredSum[f] * norm.centered(place, *mean));
    double byVariance =
        norm.round(byCentered / norm.round((*variance)[f] + norm.epsilon));
    double difference = norm.round(
        norm.round(norm.round(grad(place) * norm.count) - gradSum[f]) -
        byVariance);
    double factor =
        norm.round(norm.round((*scale)[f] / deviation[f]) / norm.count);
    return factor * difference;
  });
  return failure(failed(stored) || failed(norm.store(1, scaleSum)) ||
                 failed(norm.store(2, gradSum)));
}

void addBatchNormRules(EvaluationRules &rules) {
  rules.addOnFloats<BatchNormInferenceOp, evaluateInference>();
  rules.addOnFloats<BatchNormTrainingOp, evaluateTraining>();
  rules.addOnFloats<BatchNormGradOp, evaluateGrad>();
}

} // namespace mercator::reference
