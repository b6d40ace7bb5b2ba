// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batch normalization. The operations have tensors with a feature dimension,
// and vectors with one element per feature.

#include "mercator/analysis/maps/Model.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

namespace {

/// All elements of the same feature.
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

void maps::attachBatchNormMaps(mlir::MLIRContext *context) {
  attach<stablehlo::BatchNormInferenceOp, batchNormInferenceMaps>(context);
  attach<stablehlo::BatchNormTrainingOp, batchNormTrainingMaps>(context);
  attach<stablehlo::BatchNormGradOp, batchNormGradMaps>(context);
}
