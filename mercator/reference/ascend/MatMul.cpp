// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The matrix products of GE. It leaves open in which order floats are summed:
// here, row-major, and in f32 where they are no wider.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/ascend/Operands.h"
#include "mercator/reference/ascend/Rules.h"
#include "mercator/reference/core/Strides.h"
#include "mercator/reference/core/SumOfProducts.h"

using namespace mlir;
using namespace mercator::ascend;

namespace mercator::reference {

/// The last two dimensions are a matrix, those before batches, of which one of
/// extent 1 goes with each of the other operand's.
static LogicalResult multiply(Step &step, bool transposeLhs,
                              bool transposeRhs) {
  const Tensor &lhs = step.tensor(0), &rhs = step.tensor(1);
  if (lhs.rank() < 2 || lhs.rank() != rhs.rank())
    return step.error() << "expected two matrices of the same rank, got ranks "
                        << lhs.rank() << " and " << rhs.rank();
  size_t batches = lhs.rank() - 2;
  size_t lhsRow = batches + transposeLhs, lhsColumn = batches + !transposeLhs,
         rhsRow = batches + transposeRhs, rhsColumn = batches + !transposeRhs;
  int64_t inner = lhs.dim(lhsColumn);
  if (inner != rhs.dim(rhsRow))
    return step.error() << "expected as many columns as rows, got " << inner
                        << " and " << rhs.dim(rhsRow);
  Ints lhsStrides = stridesOf(lhs.shape()), rhsStrides = stridesOf(rhs.shape()),
       shape;
  for (size_t i = 0; i < batches; ++i) {
    if (lhs.dim(i) != rhs.dim(i) && lhs.dim(i) != 1 && rhs.dim(i) != 1)
      return step.error() << "expected batches of the same size, got "
                          << lhs.dim(i) << " and " << rhs.dim(i);
    shape.push_back(lhs.dim(i) == 1 ? rhs.dim(i) : lhs.dim(i));
    lhsStrides[i] = lhs.dim(i) == 1 ? 0 : lhsStrides[i];
    rhsStrides[i] = rhs.dim(i) == 1 ? 0 : rhsStrides[i];
  }
  shape.append({lhs.dim(lhsRow), rhs.dim(rhsColumn)});
  FailureOr<Tensor> result = makeOf(step, shape);
  Ints all(shape);
  all.push_back(inner);
  if (failed(result) || failed(step.charge(all)))
    return failure();
  FailureOr<SumOfProducts> sum = SumOfProducts::make(
      step, lhs.element(), rhs.element(), result->element());
  if (failed(sum))
    return failure();
  int64_t place = 0;
  for (Index d(shape); d; ++d, ++place) {
    ArrayRef<int64_t> batch = (*d).take_front(batches);
    int64_t i = offset(batch, ArrayRef(lhsStrides).take_front(batches)) +
                d[batches] * lhsStrides[lhsRow],
            j = offset(batch, ArrayRef(rhsStrides).take_front(batches)) +
                d[batches + 1] * rhsStrides[rhsColumn];
    sum->start();
    for (int64_t k = 0; k < inner; ++k)
      sum->add(lhs.at(i + k * lhsStrides[lhsColumn]),
               rhs.at(j + k * rhsStrides[rhsRow]));
    result->set(place, sum->value());
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateMatMul(MatMulOp op, Step &step) {
  return multiply(step, op.getTransposeX1(), op.getTransposeX2());
}
static LogicalResult evaluateBatchMatMul(BatchMatMulOp op, Step &step) {
  return multiply(step, op.getAdjX1(), op.getAdjX2());
}

void addAscendMatMulRules(EvaluationRules &rules) {
  rules.add<MatMulOp, evaluateMatMul>();
  rules.add<BatchMatMulOp, evaluateBatchMatMul>();
}

} // namespace mercator::reference
