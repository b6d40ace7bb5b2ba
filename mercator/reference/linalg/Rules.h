// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The rules of MLIR's own dialects (arith, math, tensor, linalg, scf, affine),
/// and of those that linalg becomes on the way to dispatches: flow, util, hal.
/// One function per file.

#ifndef MERCATOR_REFERENCE_LINALG_RULES_H
#define MERCATOR_REFERENCE_LINALG_RULES_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// All of them.
void addLinalgRules(EvaluationRules &rules);

void addArithmeticRules(EvaluationRules &rules);
void addFlowDispatchRules(EvaluationRules &rules);
void addFlowTensorRules(EvaluationRules &rules);
void addGlobalRules(EvaluationRules &rules);
void addLibraryCallRules(EvaluationRules &rules);
void addScfRules(EvaluationRules &rules);
void addStructuredRules(EvaluationRules &rules);
void addTensorRules(EvaluationRules &rules);
void addTensorSliceRules(EvaluationRules &rules);
void addUtilRules(EvaluationRules &rules);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_LINALG_RULES_H
