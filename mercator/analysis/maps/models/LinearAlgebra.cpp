// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on matrices and lines: factorization, triangular systems, Fourier
// transforms.

#include "mercator/analysis/maps/Model.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;

namespace {

/// True if the size of the matrices is static; their number may be dynamic.
bool isStaticMatrix(mlir::Type type) {
  auto tensor = llvm::cast<mlir::RankedTensorType>(type);
  return !tensor.isDynamicDim(tensor.getRank() - 1) &&
         !tensor.isDynamicDim(tensor.getRank() - 2);
}

MapSet choleskyMaps(stablehlo::CholeskyOp op, const Query &q) {
  if (!isStaticMatrix(q.inType) || !isStaticMatrix(q.outType))
    return q.dynamic();
  MapSet maps;
  for (Map &map : cholesky(q.arena, q.direction, q.in, op.getLower()))
    maps.insert({std::move(map)});
  return maps;
}

MapSet triangularSolveMaps(stablehlo::TriangularSolveOp op, const Query &q) {
  if (!isStaticMatrix(op.getA().getType()) ||
      !isStaticMatrix(op.getB().getType()) || !isStaticMatrix(q.outType))
    return q.dynamic();
  llvm::SmallVector<int64_t> a = sizesOf(op.getA().getType()),
                             b = sizesOf(op.getB().getType());
  bool transpose = op.getTransposeA() == stablehlo::Transpose::TRANSPOSE ||
                   op.getTransposeA() == stablehlo::Transpose::ADJOINT;
  TriangularSolve t{
      a, b, op.getLeftSide(), op.getLower(), op.getUnitDiagonal(), transpose};
  return q.operand == 0 ? triangularSolveMatrix(q.arena, q.direction, t)
                        : triangularSolveRightSide(q.arena, q.direction, t);
}

/// Every element of the transformed dimensions, which are the last ones. A real
/// transform omits the elements of its result that are conjugates of others.
/// Its inverse reads all elements of its operand.
MapSet fftMaps(stablehlo::FftOp op, const Query &q) {
  int64_t firstTransformed = q.in.size() - op.getFftLength().size();
  return q.along([&](int64_t dim) { return dim >= firstTransformed; });
}

} // namespace

void maps::attachLinearAlgebraMaps(mlir::MLIRContext *context) {
  attach<stablehlo::CholeskyOp, choleskyMaps>(context);
  attach<stablehlo::TriangularSolveOp, triangularSolveMaps>(context);
  attach<stablehlo::FftOp, fftMaps>(context);
}
