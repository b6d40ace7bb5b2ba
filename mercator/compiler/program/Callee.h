// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The function that a command runs or compiles. Internal.
///
///   OneModule module;
///   Answer<Callee> callee = findCallee(program, "inner/main", module, diagnostics);

#ifndef MERCATOR_COMPILER_PROGRAM_CALLEE_H
#define MERCATOR_COMPILER_PROGRAM_CALLEE_H

#include "mercator/compiler/program/Answer.h"
#include "mercator/compiler/program/Inputs.h"
#include "mercator/compiler/program/Load.h"

namespace mercator {

/// The function or graph of that name, and its module; without a name the entry,
/// or the only one. A diagnostic otherwise.
[[nodiscard]] Answer<Callee> findCallee(const LoadedProgram &program,
                                        llvm::StringRef function,
                                        OneModule &module,
                                        DiagnosticEngine &diagnostics);

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_CALLEE_H
