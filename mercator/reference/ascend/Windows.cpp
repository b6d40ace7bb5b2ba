// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The convolutions, poolings and cumulative sums of GE. It leaves open in which
// order floats are summed: here, row-major, and in f32 where they are no wider.
// A NaN in a window is taken to be the maximum of the window. Cumulative sums of
// integers of fewer than 32 bits that exceed their type are an error.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/ascend/Operands.h"
#include "mercator/reference/ascend/Rules.h"
#include "mercator/reference/core/SumOfProducts.h"

#include <cmath>

using namespace mlir;
using namespace mercator::ascend;

namespace mercator::reference {

/// The number of windows of `reach` elements, `stride` apart.
static FailureOr<int64_t> countOf(Step &step, int64_t extent, int64_t before,
                                  int64_t after, int64_t reach,
                                  int64_t stride) {
  int64_t padded = extent + before + after;
  if (padded < reach)
    return step.error() << "expected windows of at most " << padded
                        << " elements, got " << reach;
  return (padded - reach) / stride + 1;
}

//===--- Convolutions -----------------------------------------------------===//

template <typename Op> static LogicalResult convolve(Op op, Step &step) {
  const Tensor &x = step.tensor(0), &filter = step.tensor(1);
  size_t spatial = x.rank() - 2;
  int64_t groups = op.getGroups(), channels = filter.dim(1);
  if (x.rank() != filter.rank() || x.dim(1) != channels * groups ||
      filter.dim(0) % groups != 0)
    return step.error() << "expected " << groups << " groups of channels, got "
                        << x.type() << " and " << filter.type();
  Ints shape{x.dim(0), filter.dim(0)}, window{channels};
  for (size_t i = 0; i < spatial; ++i) {
    int64_t size = filter.dim(2 + i);
    FailureOr<int64_t> count = countOf(
        step, x.dim(2 + i), op.getPads()[2 * i], op.getPads()[2 * i + 1],
        (size - 1) * op.getDilations()[2 + i] + 1, op.getStrides()[2 + i]);
    if (failed(count))
      return failure();
    shape.push_back(*count);
    window.push_back(size);
  }
  FailureOr<Tensor> result = makeOf(step, shape);
  Ints all(shape);
  all.append(window);
  if (failed(result) || failed(step.charge(all)))
    return failure();
  FailureOr<SumOfProducts> sum = SumOfProducts::make(
      step, x.element(), filter.element(), result->element());
  if (failed(sum))
    return failure();
  for (Index y(shape); y; ++y) {
    int64_t group = y[1] / (filter.dim(0) / groups);
    sum->start();
    for (Index k(window); k; ++k) {
      Ints at{y[0], group * channels + k[0]}, tap{y[1], k[0]};
      bool isInside = true;
      for (size_t i = 0; i < spatial; ++i) {
        int64_t place = y[2 + i] * op.getStrides()[2 + i] +
                        k[1 + i] * op.getDilations()[2 + i] -
                        op.getPads()[2 * i];
        isInside &= place >= 0 && place < x.dim(2 + i);
        at.push_back(place);
        tap.push_back(k[1 + i]);
      }
      if (isInside)
        sum->add(x.at(at), filter.at(tap));
    }
    result->set(*y, sum->value());
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateConv2D(Conv2DOp op, Step &step) {
  return convolve(op, step);
}
static LogicalResult evaluateConv3D(Conv3DOp op, Step &step) {
  return convolve(op, step);
}

//===--- Poolings ---------------------------------------------------------===//

/// Calls `reduce` with the elements of each window that are not padding, and
/// the number of all its elements.
template <typename Op>
static LogicalResult
pool(Op op, Step &step,
     llvm::function_ref<FailureOr<Scalar>(ArrayRef<Scalar>, int64_t)> reduce) {
  const Tensor &x = step.tensor(0);
  Ints shape(x.shape()), window(op.getKsize());
  for (size_t i = 2; i < 4; ++i) {
    FailureOr<int64_t> count =
        countOf(step, x.dim(i), op.getPads()[2 * i - 4],
                op.getPads()[2 * i - 3], window[i], op.getStrides()[i]);
    if (failed(count))
      return failure();
    shape[i] = *count;
  }
  FailureOr<Tensor> result = makeOf(step, shape);
  Ints all(shape);
  all.append(window);
  if (failed(result) || failed(step.charge(all)))
    return failure();
  for (Index y(shape); y; ++y) {
    SmallVector<Scalar> elements;
    for (Index k(window); k; ++k) {
      Ints at(*y);
      bool isInside = true;
      for (size_t i = 2; i < 4; ++i) {
        at[i] = y[i] * op.getStrides()[i] + k[i] - op.getPads()[2 * i - 4];
        isInside &= at[i] >= 0 && at[i] < x.dim(i);
      }
      if (isInside)
        elements.push_back(x.at(at));
    }
    FailureOr<Scalar> value = reduce(elements, window[2] * window[3]);
    if (failed(value))
      return failure();
    result->set(*y, *value);
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateMaxPool(MaxPoolV3Op op, Step &step) {
  const Element &type = step.tensor(0).element();
  auto isLess = [&](Scalar a, Scalar b) {
    if (type.isReal())
      return std::isnan(b.re) || a.re < b.re;
    return type.kind == ElementKind::UnsignedInt
               ? uint64_t(a.integer) < uint64_t(b.integer)
               : a.integer < b.integer;
  };
  return pool(
      op, step, [&](ArrayRef<Scalar> window, int64_t) -> FailureOr<Scalar> {
        if (window.empty())
          return step.error() << "expected windows with elements";
        Scalar most = window.front();
        for (Scalar next : window)
          if (!(type.isReal() && std::isnan(most.re)) && isLess(most, next))
            most = next;
        return most;
      });
}

static LogicalResult evaluateAvgPool(AvgPoolV2Op op, Step &step) {
  bool isWide = step.tensor(0).element().bits > 32;
  return pool(op, step,
              [&](ArrayRef<Scalar> window, int64_t size) -> FailureOr<Scalar> {
                if (window.empty() && op.getExclusive())
                  return step.error() << "expected windows with elements";
                double sum = 0;
                for (Scalar next : window)
                  sum = isWide ? sum + next.re : double(float(sum + next.re));
                return Scalar::real(sum / double(op.getExclusive()
                                                     ? int64_t(window.size())
                                                     : size));
              });
}

//===--- Cumulative sums --------------------------------------------------===//

static LogicalResult evaluateCumsum(CumsumOp op, Step &step) {
  const Tensor &x = step.tensor(0);
  const Element &type = x.element();
  FailureOr<int64_t> given = scalarOf(step, 1);
  if (failed(given))
    return failure();
  FailureOr<int64_t> axis = axisOf(step, *given, x.rank());
  FailureOr<Tensor> result = makeOf(step, x.shape());
  if (failed(axis) || failed(result))
    return failure();
  int64_t extent = x.dim(*axis);
  bool isFloat = type.isReal() || type.isComplex();
  auto add = [&](Scalar a, Scalar b) {
    if (!isFloat)
      return Scalar::whole(int64_t(uint64_t(a.integer) + uint64_t(b.integer)));
    Scalar sum = Scalar::complex(a.re + b.re, a.im + b.im);
    return type.bits > 32
               ? sum
               : Scalar::complex(double(float(sum.re)), double(float(sum.im)));
  };
  Ints lines(x.shape());
  lines[*axis] = extent ? 1 : 0;
  for (Index line(lines); line; ++line) {
    Scalar sum = isFloat ? Scalar::real(0) : Scalar::whole(0);
    for (int64_t i = 0; i < extent; ++i) {
      Ints at(*line);
      at[*axis] = op.getReverse() ? extent - 1 - i : i;
      Scalar before = sum;
      sum = add(sum, x.at(at));
      const Scalar &shown = op.getExclusive() ? before : sum;
      if (!isFloat && type.bits < 32 &&
          type.round(shown).integer != shown.integer)
        return step.error() << "expected sums that fit in " << type.bits
                            << " bits, got " << shown.integer;
      result->set(at, shown);
    }
  }
  step.results[0] = *result;
  return success();
}

void addAscendWindowRules(EvaluationRules &rules) {
  rules.add<Conv2DOp, evaluateConv2D>();
  rules.add<Conv3DOp, evaluateConv3D>();
  rules.add<MaxPoolV3Op, evaluateMaxPool>();
  rules.add<AvgPoolV2Op, evaluateAvgPool>();
  rules.add<CumsumOp, evaluateCumsum>();
}

} // namespace mercator::reference
