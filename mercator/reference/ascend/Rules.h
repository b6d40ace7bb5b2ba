// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The rules of the operators of Ascend's Graph Engine, GE. One function per file.

#ifndef MERCATOR_REFERENCE_ASCEND_RULES_H
#define MERCATOR_REFERENCE_ASCEND_RULES_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// All of them.
void addAscendRules(EvaluationRules &rules);

void addAscendDataMovementRules(EvaluationRules &rules);
void addAscendElementwiseRules(EvaluationRules &rules);
void addAscendGatherRules(EvaluationRules &rules);
void addAscendScatterRules(EvaluationRules &rules);
void addAscendLayerRules(EvaluationRules &rules);
void addAscendMatMulRules(EvaluationRules &rules);
void addAscendReductionRules(EvaluationRules &rules);
void addAscendSortRules(EvaluationRules &rules);
void addAscendWindowRules(EvaluationRules &rules);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_ASCEND_RULES_H
