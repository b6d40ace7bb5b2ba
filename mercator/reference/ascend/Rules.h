// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The rules of the operators of Ascend's Graph Engine, GE. One function a file.

#ifndef MERCATOR_REFERENCE_ASCEND_RULES_H
#define MERCATOR_REFERENCE_ASCEND_RULES_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// All of them.
void addAscendRules(Rules &rules);

void addAscendDataMovementRules(Rules &rules);
void addAscendElementwiseRules(Rules &rules);
void addAscendGatherRules(Rules &rules);
void addAscendMatMulRules(Rules &rules);
void addAscendReductionRules(Rules &rules);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_ASCEND_RULES_H
