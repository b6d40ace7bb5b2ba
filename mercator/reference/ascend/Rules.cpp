// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/ascend/Rules.h"

namespace mercator::reference {

void addAscendRules(EvaluationRules &rules) {
  addAscendDataMovementRules(rules);
  addAscendElementwiseRules(rules);
  addAscendGatherRules(rules);
  addAscendLayerRules(rules);
  addAscendMatMulRules(rules);
  addAscendReductionRules(rules);
  addAscendScatterRules(rules);
  addAscendSortRules(rules);
  addAscendWindowRules(rules);
}

} // namespace mercator::reference
