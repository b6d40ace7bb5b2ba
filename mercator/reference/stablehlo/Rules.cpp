// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/stablehlo/Rules.h"

namespace mercator::reference {

void addStablehloRules(EvaluationRules &rules) {
  addBatchNormRules(rules);
  addBitcastRules(rules);
  addCheckRules(rules);
  addCollectiveRules(rules);
  addChloRules(rules);
  addControlRules(rules);
  addConvolutionRules(rules);
  addCustomCallRules(rules);
  addDataMovementRules(rules);
  addDotRules(rules);
  addElementwiseRules(rules);
  addFftRules(rules);
  addGatherRules(rules);
  addHloRules(rules);
  addInterpreterRules(rules);
  addLinearAlgebraRules(rules);
  addRandomRules(rules);
  addReductionRules(rules);
  addScatterRules(rules);
  addShardingRules(rules);
  addSortRules(rules);
  addTopKRules(rules);
  addWindowRules(rules);
}

} // namespace mercator::reference
