// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/linalg/Rules.h"

namespace mercator::reference {

void addLinalgRules(EvaluationRules &rules) {
  addArithmeticRules(rules);
  addFlowDispatchRules(rules);
  addFlowTensorRules(rules);
  addGlobalRules(rules);
  addLibraryCallRules(rules);
  addScfRules(rules);
  addStructuredRules(rules);
  addTensorRules(rules);
  addTensorSliceRules(rules);
  addUtilRules(rules);
}

} // namespace mercator::reference
