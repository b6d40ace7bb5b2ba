// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The families of rules, one function for each file. The Evaluator uses them.

#ifndef MERCATOR_REFERENCE_RULES_H
#define MERCATOR_REFERENCE_RULES_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// All rules.
[[nodiscard]] const Rules &allRules();

/// In Collectives.cpp.
llvm::LogicalResult evaluateTupleAllToAll(Step &step);

void addAscendDataMovementRules(Rules &rules);
void addAscendElementwiseRules(Rules &rules);
void addAscendGatherRules(Rules &rules);
void addAscendProductRules(Rules &rules);
void addBatchNormRules(Rules &rules);
void addBitcastRules(Rules &rules);
void addCheckRules(Rules &rules);
void addCollectiveRules(Rules &rules);
void addChloRules(Rules &rules);
void addControlRules(Rules &rules);
void addConvolutionRules(Rules &rules);
void addDataMovementRules(Rules &rules);
void addDotRules(Rules &rules);
void addElementwiseRules(Rules &rules);
void addFftRules(Rules &rules);
void addFlowDispatchRules(Rules &rules);
void addFlowTensorRules(Rules &rules);
void addGatherScatterRules(Rules &rules);
void addHloRules(Rules &rules);
void addInterpreterRules(Rules &rules);
void addLinearAlgebraRules(Rules &rules);
void addOtherDialectRules(Rules &rules);
void addRandomRules(Rules &rules);
void addReductionRules(Rules &rules);
void addScalarRules(Rules &rules);
void addScfRules(Rules &rules);
void addSortRules(Rules &rules);
void addStructuredRules(Rules &rules);
void addTensorRules(Rules &rules);
void addTensorSliceRules(Rules &rules);
void addUtilRules(Rules &rules);
void addWindowRules(Rules &rules);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_RULES_H
