// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that combine whole dimensions: reductions, products, sorting,
// matrices, transforms, normalisation.

#include "mercator/dialects/maps/Models.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

namespace {

/// Every result of a variadic reduction depends on every input and every
/// initial value.
MapSet reduceMaps(stablehlo::ReduceOp op, const Query &q) {
  if (q.operand >= op.getInputs().size())
    return q.everything();
  return reduce(q.arena, q.direction, q.in, op.getDimensions());
}

MapSet sortMaps(stablehlo::SortOp op, const Query &q) {
  int64_t rank = q.in.size(), sorted = op.getDimension();
  if (sorted < 0)
    sorted += rank;
  return q.approximate(q.along([&](int64_t dim) { return dim == sorted; }),
                       "sort: any element along dimension " +
                           llvm::Twine(sorted) + " may come here");
}

//===--- Products ---------------------------------------------------------===//

MapSet dotGeneralMaps(stablehlo::DotGeneralOp op, const Query &q) {
  stablehlo::DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
  DotDims dims{numbers.getLhsBatchingDimensions(),
               numbers.getRhsBatchingDimensions(),
               numbers.getLhsContractingDimensions(),
               numbers.getRhsContractingDimensions()};
  return dot(q.arena, q.direction, q.operand == 0 ? DotSide::Lhs : DotSide::Rhs,
             sizesOf(op.getLhs().getType()), sizesOf(op.getRhs().getType()),
             dims);
}

/// The last dimension of the left, the first of the right.
MapSet plainDotMaps(stablehlo::DotOp op, const Query &q) {
  SmallVector<int64_t> lhs = sizesOf(op.getLhs().getType());
  SmallVector<int64_t> rhs = sizesOf(op.getRhs().getType());
  if (lhs.empty() || rhs.empty())
    return q.everything("dot: expected vectors or matrices, got a scalar");
  int64_t last = lhs.size() - 1, first = 0;
  return dot(q.arena, q.direction, q.operand == 0 ? DotSide::Lhs : DotSide::Rhs,
             lhs, rhs, {{}, {}, last, first});
}

//===--- Matrices and transforms ------------------------------------------===//

/// The last two dimensions are a matrix; all others number the matrices.
MapSet matrixMaps(const Query &q, llvm::Twine reason) {
  if (q.in.size() != q.out.size())
    return q.everything(reason);
  int64_t rank = q.in.size();
  return q.approximate(q.along([&](int64_t dim) { return dim >= rank - 2; }),
                       reason);
}
MapSet choleskyMaps(stablehlo::CholeskyOp, const Query &q) {
  return matrixMaps(q, "cholesky: of a matrix, which elements are read is not "
                       "analysed");
}
MapSet triangularSolveMaps(stablehlo::TriangularSolveOp, const Query &q) {
  return matrixMaps(q, "triangular_solve: of a matrix, which elements are read "
                       "is not analysed");
}

/// All elements of the transformed dimensions, which come last.
MapSet fftMaps(stablehlo::FftOp op, const Query &q) {
  int64_t firstTransformed = q.in.size() - op.getFftLength().size();
  return q.along([&](int64_t dim) { return dim >= firstTransformed; });
}

//===--- Normalisation ----------------------------------------------------===//
//
// The operations speak of tensors with a feature dimension and of vectors with
// one element for each feature.

/// Everything that belongs to the same feature.
Map sameFeature(const Query &q, int64_t feature, size_t rank) {
  int64_t fromFeature = q.from().size() == rank ? feature : 0;
  SmallVector<int64_t> source(q.to().size(), -1);
  source[q.to().size() == rank ? feature : 0] = fromFeature;
  return selectDims(q.arena, q.from(), q.to(), source);
}

MapSet batchNormInferenceMaps(stablehlo::BatchNormInferenceOp op,
                              const Query &q) {
  return q.operand == 0 ? q.identity()
                        : sameFeature(q, op.getFeatureIndex(), q.out.size());
}

MapSet batchNormTrainingMaps(stablehlo::BatchNormTrainingOp op,
                             const Query &q) {
  // The mean and the variance do not depend on the scale and the offset.
  if (q.result > 0 && q.operand > 0)
    return q.nothing();
  size_t rank = sizesOf(op.getOperand().getType()).size();
  return sameFeature(q, op.getFeatureIndex(), rank);
}

MapSet batchNormGradMaps(stablehlo::BatchNormGradOp op, const Query &q) {
  enum { Operand, Scale, Mean, Variance, GradOutput };
  enum { GradOperand, GradScale, GradOffset };
  if ((q.result == GradScale && q.operand == Scale) ||
      (q.result == GradOffset && q.operand != GradOutput))
    return q.nothing();
  size_t rank = sizesOf(op.getOperand().getType()).size();
  return sameFeature(q, op.getFeatureIndex(), rank);
}

} // namespace

void maps::attachReductionMaps(mlir::MLIRContext *context) {
  attach<stablehlo::ReduceOp, reduceMaps>(context);
  attach<stablehlo::SortOp, sortMaps>(context);
  attach<stablehlo::DotGeneralOp, dotGeneralMaps>(context);
  attach<stablehlo::DotOp, plainDotMaps>(context);
  attach<stablehlo::CholeskyOp, choleskyMaps>(context);
  attach<stablehlo::TriangularSolveOp, triangularSolveMaps>(context);
  attach<stablehlo::FftOp, fftMaps>(context);
  attach<stablehlo::BatchNormInferenceOp, batchNormInferenceMaps>(context);
  attach<stablehlo::BatchNormTrainingOp, batchNormTrainingMaps>(context);
  attach<stablehlo::BatchNormGradOp, batchNormGradMaps>(context);
  attachUnknown<stablehlo::EinsumOp, stablehlo::UnaryEinsumOp>(context);
}
