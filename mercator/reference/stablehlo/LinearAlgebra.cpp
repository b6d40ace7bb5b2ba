// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Batches of matrices: cholesky and triangular_solve.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Matrices.h"
#include "mercator/reference/stablehlo/Rules.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

static LogicalResult give(Step &step, FailureOr<Tensor> result) {
  if (failed(result))
    return failure();
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateCholesky(CholeskyOp op, Step &step) {
  auto make = [&](ArrayRef<int64_t> shape) { return step.make(0, shape); };
  return give(step, cholesky(step, step.tensor(0), op.getLower(), make));
}

static LogicalResult evaluateTriangularSolve(TriangularSolveOp op, Step &step) {
  bool isAdjoint = op.getTransposeA() == Transpose::ADJOINT;
  Triangular flags{op.getLeftSide(), op.getLower(),
                   isAdjoint || op.getTransposeA() == Transpose::TRANSPOSE,
                   isAdjoint, op.getUnitDiagonal()};
  auto make = [&](ArrayRef<int64_t> shape) { return step.make(0, shape); };
  return give(
      step, solveTriangular(step, step.tensor(0), step.tensor(1), flags, make));
}

void addLinearAlgebraRules(EvaluationRules &rules) {
  rules.addOnFloats<CholeskyOp, evaluateCholesky>();
  rules.addOnFloats<TriangularSolveOp, evaluateTriangularSolve>();
}

} // namespace mercator::reference
