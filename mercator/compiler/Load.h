// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A program that a command was given: HLO text or StableHLO, as a module of
/// our dialects.

#ifndef MERCATOR_TOOLS_DRIVER_PROGRAM_H
#define MERCATOR_TOOLS_DRIVER_PROGRAM_H

#include "mercator/support/Diagnostic.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>

namespace mercator {

struct Program {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// That of the module; `module` where it has none.
  std::string name;
  std::string file; ///< as it was given on the command line
  bool isHlo = false;
};

/// Reads HLO text or StableHLO, told apart by content. Null after an error. Of
/// a file that holds several modules, these are nested in one without a name.
[[nodiscard]] std::unique_ptr<Program>
loadProgram(const SourceBuffer &source, DiagnosticEngine &diagnostics);

/// For a command that works on one module: makes a nested module that
/// `function` names, as in `inner/main`, the program, and leaves its own name
/// in `function`. Without that, the only module that has functions. Fails,
/// after an error, where there are several, or none.
llvm::LogicalResult keepOneModule(Program &program, llvm::StringRef &function,
                                  DiagnosticEngine &diagnostics,
                                  bool canChoose = true);

/// A context in which every dialect of ours is known, without threads.
[[nodiscard]] std::unique_ptr<mlir::MLIRContext> makeContext();

/// Spells in StableHLO what stands beside it (the dialect chlo), as the
/// reference evaluator wants it. Fails, after an error, where that cannot be
/// done.
llvm::LogicalResult spellInStablehlo(mlir::ModuleOp module);

/// Whether a function is where a program begins: HLO marks it, in StableHLO it
/// is called main.
[[nodiscard]] bool isEntry(mlir::Operation *function);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_PROGRAM_H
