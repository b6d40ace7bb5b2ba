// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The sorts of GE. A NaN is greater than every number; +0 and -0 are equal. The
// order of equal elements is not defined for Sort without `stable`: here it is
// reversed, so that a program that depends on it gives a wrong result.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/ascend/Operands.h"
#include "mercator/reference/ascend/Rules.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mercator::ascend;

namespace mercator::reference {

static bool isBefore(const Element &type, Scalar a, Scalar b) {
  if (type.isReal())
    return std::isnan(b.re) ? !std::isnan(a.re) : a.re < b.re;
  return type.kind == ElementKind::UnsignedInt
             ? uint64_t(a.integer) < uint64_t(b.integer)
             : a.integer < b.integer;
}

/// The first `count` elements along an axis in the order, and their indices.
static LogicalResult sort(Step &step, int64_t givenAxis,
                          std::optional<int64_t> givenCount, bool descending,
                          bool isStable = true) {
  const Tensor &x = step.tensor(0);
  FailureOr<int64_t> axis = axisOf(step, givenAxis, x.rank());
  if (failed(axis))
    return failure();
  int64_t extent = x.dim(*axis), count = givenCount.value_or(extent);
  if (count < 0 || count > extent)
    return step.error() << "expected k in [0, " << extent << "], got " << count;
  Ints shape(x.shape());
  shape[*axis] = count;
  FailureOr<Tensor> values = makeOf(step, shape);
  FailureOr<Tensor> indices = step.make(1, shape);
  if (failed(values) || failed(indices))
    return failure();
  Ints lines(shape);
  lines[*axis] = count ? 1 : 0;
  for (Index line(lines); line; ++line) {
    Ints at(*line);
    auto element = [&](int64_t i) {
      at[*axis] = i;
      return x.at(at);
    };
    std::vector<int64_t> order(extent);
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](int64_t i, int64_t j) {
      Scalar a = element(descending ? j : i), b = element(descending ? i : j);
      return isBefore(x.element(), a, b) ||
             (!isBefore(x.element(), b, a) && (isStable ? i < j : j < i));
    });
    Ints to(*line);
    for (int64_t i = 0; i < count; ++i) {
      to[*axis] = i;
      at[*axis] = order[i];
      values->copy(values->linear(to), x, x.linear(at));
      indices->set(to, Scalar::whole(order[i]));
    }
  }
  step.results[0] = *values;
  step.results[1] = *indices;
  return success();
}

static LogicalResult evaluateSort(SortOp op, Step &step) {
  return sort(step, op.getAxis(), std::nullopt, op.getDescending(),
              op.getStable());
}

static LogicalResult evaluateTopK(TopKV2Op op, Step &step) {
  FailureOr<int64_t> count = scalarOf(step, 1);
  if (failed(count))
    return failure();
  return sort(step, op.getDim(), *count, op.getLargest());
}

void addAscendSortRules(EvaluationRules &rules) {
  rules.add<SortOp, evaluateSort>();
  rules.add<TopKV2Op, evaluateTopK>();
}

} // namespace mercator::reference
