// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Inputs of a function as constants, with the elements of an .npz file.
/// Internal.
///
/// An array `w` of the file binds the input `w`
/// (transforms/stablehlo/interface/BindWeights.h).
///
/// Laws.
/// - The other inputs keep their names and their order.
/// - The function computes what it computed with the arrays as these inputs.
/// - After an error the module is unchanged.
///
/// The names of an input are those of ascend::namesOf. Each array binds exactly
/// one input.

#ifndef MERCATOR_COMPILER_COMPILE_WEIGHTS_H
#define MERCATOR_COMPILER_COMPILE_WEIGHTS_H

#include "mercator/compiler/program/Answer.h"
#include "mercator/support/Diagnostic.h"

#include "mlir/IR/BuiltinOps.h"

namespace mercator {

/// Binds inputs of the only public function or graph of the module. Functions
/// that call it call a copy with all inputs. `done`, or an error was reported:
/// about the file and its arrays, or that several functions are public.
[[nodiscard]] ExitCode bindWeights(mlir::ModuleOp module, llvm::StringRef path,
                                   DiagnosticEngine &diagnostics);

} // namespace mercator

#endif // MERCATOR_COMPILER_COMPILE_WEIGHTS_H
