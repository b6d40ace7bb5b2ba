// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/Rules.h"
#include "mercator/reference/stablehlo/CustomCalls.h"

namespace mercator::reference {

const Rules &allRules() {
  static const Rules rules = [] {
    Rules all;
    addAscendDataMovementRules(all);
    addAscendElementwiseRules(all);
    addAscendGatherRules(all);
    addAscendProductRules(all);
    addBatchNormRules(all);
    addBitcastRules(all);
    addCheckRules(all);
    addCollectiveRules(all);
    addChloRules(all);
    addControlRules(all);
    addConvolutionRules(all);
    addCustomCallRules(all);
    addDataMovementRules(all);
    addDivisionRules(all);
    addDotRules(all);
    addElementwiseRules(all);
    addFftRules(all);
    addGatherScatterRules(all);
    addHloRules(all);
    addInterpreterRules(all);
    addLinearAlgebraRules(all);
    addOtherDialectRules(all);
    addRandomRules(all);
    addReductionRules(all);
    addSortRules(all);
    addTopKRules(all);
    addWindowRules(all);
    addFlowDispatchRules(all);
    addFlowTensorRules(all);
    addScalarRules(all);
    addScfRules(all);
    addStructuredRules(all);
    addTensorRules(all);
    addTensorSliceRules(all);
    addUtilRules(all);
    return all;
  }();
  return rules;
}

} // namespace mercator::reference
