// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The rules of MLIR's own dialects (arith, math, tensor, linalg, scf, affine),
/// and of those that linalg becomes on the way to dispatches: flow, util, hal.
/// One function a file.

#ifndef MERCATOR_REFERENCE_LINALG_RULES_H
#define MERCATOR_REFERENCE_LINALG_RULES_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// All of them.
void addLinalgRules(Rules &rules);

void addArithmeticRules(Rules &rules);
void addFlowDispatchRules(Rules &rules);
void addFlowTensorRules(Rules &rules);
void addGlobalRules(Rules &rules);
void addScfRules(Rules &rules);
void addStructuredRules(Rules &rules);
void addTensorRules(Rules &rules);
void addTensorSliceRules(Rules &rules);
void addUtilRules(Rules &rules);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_LINALG_RULES_H
