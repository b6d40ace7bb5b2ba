// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The words after `--print`: instructions whose values become further results
/// (transforms/stablehlo/interface/ReturnValues.h). Internal.

#ifndef MERCATOR_COMPILER_RUN_PRINTED_H
#define MERCATOR_COMPILER_RUN_PRINTED_H

#include "mercator/compiler/program/Instructions.h"

#include "llvm/Support/LogicalResult.h"

namespace mercator {

/// Rewrites a clone of one of the program's modules. The names are those of
/// InstructionTable::find. Fails after an error: there is no such instruction, it
/// is not in the function's own body, or it gives no single tensor.
llvm::LogicalResult returnValues(const LoadedProgram &program, OneModule module,
                                 llvm::StringRef function,
                                 llvm::ArrayRef<std::string> names,
                                 DiagnosticEngine &diagnostics);

} // namespace mercator

#endif // MERCATOR_COMPILER_RUN_PRINTED_H
