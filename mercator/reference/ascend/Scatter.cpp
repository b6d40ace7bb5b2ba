// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The scatters of GE. An index outside its dimension is an error here, although
// devices differ. Updates are applied in row-major order; GE defines none.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/ascend/Arithmetic.h"
#include "mercator/reference/ascend/Operands.h"
#include "mercator/reference/ascend/Rules.h"

#include <complex>

using namespace mlir;
using namespace mercator::ascend;

namespace mercator::reference {

/// With `combine`, the function of the old element and the update; else the
/// update replaces the element.
static LogicalResult scatter(Step &step,
                             const std::optional<Arithmetic> &combine) {
  const Tensor &x = step.tensor(0), &indices = step.tensor(1),
               &updates = step.tensor(2);
  int64_t width = indices.shape().back(), outer = indices.rank() - 1;
  FailureOr<Tensor> result = makeOf(step, x.shape());
  if (failed(result))
    return failure();
  for (int64_t i = 0; i < x.size(); ++i)
    result->copy(i, x, i);
  for (Index d(updates.shape()); d; ++d) {
    Ints at, which((*d).take_front(outer));
    which.push_back(0);
    for (int64_t k = 0; k < width; ++k) {
      which.back() = k;
      int64_t index = int64_t(indices.at(which).integer);
      if (index < 0 || index >= x.dim(k))
        return step.error()
               << "expected an index in [0, " << x.dim(k) << "), got " << index;
      at.push_back(index);
    }
    llvm::append_range(at, (*d).drop_front(outer));
    int64_t to = result->linear(at), from = updates.linear(*d);
    if (!combine) {
      result->copy(to, updates, from);
      continue;
    }
    Scalar operands[] = {result->at(to), updates.at(from)};
    if (combine->whyNot)
      if (StringRef why = combine->whyNot(combine->function, operands);
          !why.empty())
        return step.error() << "the result is not defined for " << why;
    result->set(to, combine->function(operands));
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateUpdate(TensorScatterUpdateOp, Step &step) {
  return scatter(step, std::nullopt);
}

template <typename Op>
static LogicalResult evaluateCombination(Op op, Step &step) {
  const Element &element = step.tensor(0).element();
  std::optional<Arithmetic> combine = ascendArithmetic(op, element, element);
  if (!combine)
    return step.error() << "expected elements that " << op->getName()
                        << " combines, got " << step.tensor(0).type();
  return scatter(step, combine);
}

/// A sum or a product. That of narrow integers must not overflow.
static FailureOr<Scalar> combined(Step &step, const Element &element,
                                  bool isSum, Scalar a, Scalar b) {
  std::complex<double> x(a.re, a.im), y(b.re, b.im);
  if (element.isReal())
    return Scalar::real(isSum ? a.re + b.re : a.re * b.re);
  if (element.isComplex()) {
    std::complex<double> z = isSum ? x + y : x * y;
    return Scalar::complex(z.real(), z.imag());
  }
  auto u = uint64_t(a.integer), v = uint64_t(b.integer);
  auto value = int64_t(isSum ? u + v : u * v);
  if (element.bits < 32 &&
      (value < element.lowest() || value > element.highest()))
    return step.error() << "the result is not defined for an overflow of "
                           "integers of fewer than 32 bits";
  return Scalar::whole(value);
}

static LogicalResult evaluateReplacement(ScatterNdUpdateOp, Step &step) {
  return scatter(step, std::nullopt);
}
static LogicalResult evaluateCopy(TensorMoveOp, Step &step) {
  step.results[0] = step.tensor(0);
  return success();
}

/// y[.., indices[d], ..] meets updates[d], where the index is along the axis.
static LogicalResult evaluateElements(ScatterElementsOp op, Step &step) {
  const Tensor &x = step.tensor(0), &indices = step.tensor(1),
               &updates = step.tensor(2);
  FailureOr<int64_t> axis = axisOf(step, op.getAxis(), x.rank());
  FailureOr<Tensor> result = makeOf(step, x.shape());
  if (failed(axis) || failed(result))
    return failure();
  StringRef reduction = op.getReduction();
  for (int64_t i = 0; i < x.size(); ++i)
    result->copy(i, x, i);
  for (Index d(updates.shape()); d; ++d) {
    Ints at(*d);
    at[*axis] = int64_t(indices.at(*d).integer);
    if (at[*axis] < 0 || at[*axis] >= x.dim(*axis))
      return step.error() << "expected an index in [0, " << x.dim(*axis)
                          << "), got " << at[*axis];
    int64_t to = result->linear(at), from = updates.linear(*d);
    if (reduction == "none") {
      result->copy(to, updates, from);
      continue;
    }
    FailureOr<Scalar> value = combined(step, x.element(), reduction == "add",
                                       result->at(to), updates.at(from));
    if (failed(value))
      return failure();
    result->set(to, *value);
  }
  step.results[0] = *result;
  return success();
}

void addAscendScatterRules(EvaluationRules &rules) {
  rules.add<ScatterElementsOp, evaluateElements>();
  rules.add<ScatterNdUpdateOp, evaluateReplacement>();
  rules.add<ScatterNdAddOp, evaluateCombination<ScatterNdAddOp>>();
  rules.add<TensorMoveOp, evaluateCopy>();
  rules.add<TensorScatterUpdateOp, evaluateUpdate>();
  rules.add<TensorScatterAddOp, evaluateCombination<TensorScatterAddOp>>();
  rules.add<TensorScatterMaxOp, evaluateCombination<TensorScatterMaxOp>>();
  rules.add<TensorScatterMinOp, evaluateCombination<TensorScatterMinOp>>();
}

} // namespace mercator::reference
