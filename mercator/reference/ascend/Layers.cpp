// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Softmax, the normalizations and GELU, by the formulas of GE's prototypes. GE
// does not say in which precision it computes: here, in doubles, which are
// rounded once to the type of the result.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/ascend/Operands.h"
#include "mercator/reference/ascend/Rules.h"
#include "mercator/reference/core/Strides.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace mercator::ascend;

namespace mercator::reference {

/// The elements of a tensor along some dimensions, one row for each index of
/// the others.
static std::vector<std::vector<int64_t>> rowsOf(const Tensor &x,
                                                ArrayRef<int64_t> dims) {
  Ints left = otherDims(x.rank(), dims), strides = stridesOf(x.shape());
  Ints along = otherDims(x.rank(), left); // ascending
  std::vector<std::vector<int64_t>> rows;
  for (Index l(pick(x.shape(), left)); l; ++l) {
    std::vector<int64_t> &row = rows.emplace_back();
    for (Index a(pick(x.shape(), along)); a; ++a)
      row.push_back(offset(*l, pick(strides, left)) +
                    offset(*a, pick(strides, along)));
  }
  return rows;
}

static LogicalResult evaluate(SoftmaxV2Op op, Step &step) {
  const Tensor &x = step.tensor(0);
  Ints axes;
  for (int64_t given : op.getAxes()) {
    FailureOr<int64_t> axis = axisOf(step, given, x.rank());
    if (failed(axis))
      return failure();
    axes.push_back(*axis);
  }
  FailureOr<Tensor> y = makeOf(step, x.shape());
  if (failed(y) || failed(step.charge(x.shape())))
    return failure();
  for (const std::vector<int64_t> &row : rowsOf(x, axes)) {
    double greatest = -INFINITY, sum = 0;
    for (int64_t place : row)
      greatest = std::fmax(greatest, x.at(place).re);
    for (int64_t place : row)
      sum += std::exp(x.at(place).re - greatest); // NaN for inf - inf
    for (int64_t place : row)
      y->set(place, Scalar::real(std::exp(x.at(place).re - greatest) / sum));
  }
  step.results[0] = *y;
  return success();
}

/// Normalizes x over the dimensions from `begin` on. The factors repeat along
/// the dimensions that they do not have.
static LogicalResult normalize(Step &step, int64_t begin, double epsilon,
                               bool isCentered) {
  const Tensor &x = step.tensor(0), &gamma = step.tensor(1);
  Ints dims, statistics(x.shape());
  for (int64_t dim = begin; dim < x.rank(); ++dim) {
    dims.push_back(dim);
    statistics[dim] = 1;
  }
  FailureOr<Tensor> y = makeOf(step, x.shape());
  FailureOr<Tensor> rstds = step.make(isCentered ? 2 : 1, statistics);
  FailureOr<Tensor> means = isCentered ? step.make(1, statistics) : rstds;
  if (failed(y) || failed(means) || failed(rstds) ||
      failed(step.charge(x.shape())))
    return failure();
  for (auto [i, row] : llvm::enumerate(rowsOf(x, dims))) {
    double mean = 0, squares = 0;
    if (isCentered) {
      for (int64_t place : row)
        mean += x.at(place).re;
      mean /= double(row.size());
      means->set(int64_t(i), Scalar::real(mean));
    }
    for (int64_t place : row)
      squares += (x.at(place).re - mean) * (x.at(place).re - mean);
    double rstd = 1 / std::sqrt(squares / double(row.size()) + epsilon);
    rstds->set(int64_t(i), Scalar::real(rstd));
    for (int64_t place : row) {
      double value = (x.at(place).re - mean) * rstd;
      value *= gamma.at(place % gamma.size()).re;
      if (isCentered)
        value += step.tensor(2).at(place % gamma.size()).re;
      y->set(place, Scalar::real(value));
    }
  }
  step.results[0] = *y;
  if (isCentered)
    step.results[1] = *means;
  step.results[isCentered ? 2 : 1] = *rstds;
  return success();
}

static LogicalResult evaluate(LayerNormV3Op op, Step &step) {
  FailureOr<int64_t> begin =
      axisOf(step, op.getBeginNormAxis(), step.tensor(0).rank());
  if (failed(begin))
    return failure();
  return normalize(step, *begin, op.getEpsilon().convertToDouble(),
                   /*isCentered=*/true);
}

static LogicalResult evaluate(RmsNormOp op, Step &step) {
  return normalize(step, step.tensor(0).rank() - step.tensor(1).rank(),
                   op.getEpsilon().convertToDouble(), /*isCentered=*/false);
}

static LogicalResult evaluate(GeluV2Op op, Step &step) {
  if (op.getApproximate() != "none" && op.getApproximate() != "tanh")
    return step.error() << "expected the approximation none or tanh, got "
                        << op.getApproximate();
  const Tensor &x = step.tensor(0);
  FailureOr<Tensor> y = makeOf(step, x.shape());
  if (failed(y))
    return failure();
  for (int64_t i = 0; i < x.size(); ++i) {
    double value = x.at(i).re;
    if (op.getApproximate() == "none") {
      value *= std::erfc(-value / std::numbers::sqrt2) / 2;
    } else {
      double inner = std::sqrt(2 / std::numbers::pi) *
                     (value + 0.044715 * value * value * value);
      value *= (1 + std::tanh(inner)) / 2;
    }
    y->set(i, Scalar::real(value));
  }
  step.results[0] = *y;
  return success();
}

template <typename Op>
static LogicalResult evaluateLayersOp(Op op, Step &step) {
  return evaluate(op, step);
}

void addAscendLayerRules(EvaluationRules &rules) {
  rules.add<SoftmaxV2Op, evaluateLayersOp<SoftmaxV2Op>>();
  rules.add<LayerNormV3Op, evaluateLayersOp<LayerNormV3Op>>();
  rules.add<RmsNormOp, evaluateLayersOp<RmsNormOp>>();
  rules.add<GeluV2Op, evaluateLayersOp<GeluV2Op>>();
}

} // namespace mercator::reference
