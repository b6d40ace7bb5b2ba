// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The rules of every dialect that the evaluator knows.
///
///   Evaluator evaluator(module, allRules());

#ifndef MERCATOR_REFERENCE_ALLRULES_H
#define MERCATOR_REFERENCE_ALLRULES_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

[[nodiscard]] const EvaluationRules &allRules();

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_ALLRULES_H
