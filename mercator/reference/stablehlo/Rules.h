// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The rules of StableHLO, and of the dialects that go with it: chlo, hlo, sdy,
/// check, interpreter. One function per file.

#ifndef MERCATOR_REFERENCE_STABLEHLO_RULES_H
#define MERCATOR_REFERENCE_STABLEHLO_RULES_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// All of them.
void addStablehloRules(EvaluationRules &rules);

void addBatchNormRules(EvaluationRules &rules);
void addBitcastRules(EvaluationRules &rules);
void addCheckRules(EvaluationRules &rules);
void addCollectiveRules(EvaluationRules &rules);
void addChloRules(EvaluationRules &rules);
void addControlRules(EvaluationRules &rules);
void addConvolutionRules(EvaluationRules &rules);
void addCustomCallRules(EvaluationRules &rules);
void addDataMovementRules(EvaluationRules &rules);
void addDotRules(EvaluationRules &rules);
void addElementwiseRules(EvaluationRules &rules);
void addFftRules(EvaluationRules &rules);
void addGatherRules(EvaluationRules &rules);
void addHloRules(EvaluationRules &rules);
void addInterpreterRules(EvaluationRules &rules);
void addLinearAlgebraRules(EvaluationRules &rules);
void addRandomRules(EvaluationRules &rules);
void addReductionRules(EvaluationRules &rules);
void addScatterRules(EvaluationRules &rules);
void addShardingRules(EvaluationRules &rules);
void addSortRules(EvaluationRules &rules);
void addTopKRules(EvaluationRules &rules);
void addWindowRules(EvaluationRules &rules);

/// In Collectives.cpp.
llvm::LogicalResult evaluateTupleAllToAll(Step &step);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_STABLEHLO_RULES_H
