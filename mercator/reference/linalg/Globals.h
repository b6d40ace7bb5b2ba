// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The globals of a program.

#ifndef MERCATOR_REFERENCE_LINALG_GLOBALS_H
#define MERCATOR_REFERENCE_LINALG_GLOBALS_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// Runs the initializers of the program's globals, in order. To be called
/// before the functions of a program that has some.
llvm::LogicalResult initializeGlobals(Evaluator &evaluator);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_LINALG_GLOBALS_H
