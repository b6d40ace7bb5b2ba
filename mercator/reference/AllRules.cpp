// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/AllRules.h"
#include "mercator/reference/ascend/Rules.h"
#include "mercator/reference/linalg/Rules.h"
#include "mercator/reference/stablehlo/Rules.h"

namespace mercator::reference {

const EvaluationRules &allRules() {
  static const EvaluationRules rules = [] {
    EvaluationRules all;
    addStablehloRules(all);
    addLinalgRules(all);
    addAscendRules(all);
    return all;
  }();
  return rules;
}

} // namespace mercator::reference
