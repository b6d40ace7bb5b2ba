// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The rules of StableHLO, and of the dialects that go with it: chlo, hlo, sdy,
/// check, interpreter. One function a file.

#ifndef MERCATOR_REFERENCE_STABLEHLO_RULES_H
#define MERCATOR_REFERENCE_STABLEHLO_RULES_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// All of them.
void addStablehloRules(Rules &rules);

void addBatchNormRules(Rules &rules);
void addBitcastRules(Rules &rules);
void addCheckRules(Rules &rules);
void addCollectiveRules(Rules &rules);
void addChloRules(Rules &rules);
void addControlRules(Rules &rules);
void addConvolutionRules(Rules &rules);
void addCustomCallRules(Rules &rules);
void addDataMovementRules(Rules &rules);
void addDotRules(Rules &rules);
void addElementwiseRules(Rules &rules);
void addFftRules(Rules &rules);
void addGatherRules(Rules &rules);
void addHloRules(Rules &rules);
void addInterpreterRules(Rules &rules);
void addLinearAlgebraRules(Rules &rules);
void addRandomRules(Rules &rules);
void addReductionRules(Rules &rules);
void addScatterRules(Rules &rules);
void addShardingRules(Rules &rules);
void addSortRules(Rules &rules);
void addTopKRules(Rules &rules);
void addWindowRules(Rules &rules);

/// In Collectives.cpp.
llvm::LogicalResult evaluateTupleAllToAll(Step &step);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_STABLEHLO_RULES_H
