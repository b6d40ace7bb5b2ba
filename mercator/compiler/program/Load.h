// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// From a text to a module of Mercator's dialects. Internal: Compilation.h is
/// the interface.

#ifndef MERCATOR_COMPILER_PROGRAM_LOAD_H
#define MERCATOR_COMPILER_PROGRAM_LOAD_H

#include "mercator/support/Diagnostic.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <optional>
#include <string>

namespace mercator {

struct LoadedProgram {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The name of the module, `module` if it has none.
  std::string name;
  /// The name of the text; `-` for standard input.
  std::string file;
  bool isHlo = false;
  bool isAir = false;
  /// The text of a program in binary form, which places speak of; null for text.
  std::unique_ptr<const SourceBuffer> decoded;
};

struct LoadOptions {
  /// Accept an .air file, a graph of Ascend's Graph Engine, as well.
  bool air = false;
};

/// Loads HLO text, StableHLO as text or in binary form, or an .air file. The
/// content decides which it is.
/// Null after an error. If a text holds several modules, they become nested
/// modules of one module without a name.
[[nodiscard]] std::unique_ptr<LoadedProgram>
loadProgram(const SourceBuffer &source, DiagnosticEngine &diagnostics,
            const LoadOptions &options = {});

/// A new context that knows every dialect of Mercator and has no threads.
[[nodiscard]] std::unique_ptr<mlir::MLIRContext> makeContext();

/// Passes MLIR's diagnostics on to `diagnostics` while the handler lives.
/// Those about an .air file, which has no lines, name the node.
[[nodiscard]] std::unique_ptr<mlir::ScopedDiagnosticHandler>
forwardDiagnostics(mlir::MLIRContext &context, const SourceBuffer &source,
                   DiagnosticEngine &diagnostics, bool isAir = false);

/// One module of a program that may have several.
struct OneModule {
  mlir::ModuleOp module;
  std::string name;
};

/// The module that `function` names, as in `inner/main`; `function` then loses
/// the path. Without a path: the only module that has functions. None after an
/// error if there are several. `canChoose` says whether the user can name a
/// function.
[[nodiscard]] std::optional<OneModule> findModule(const LoadedProgram &program,
                                                  llvm::StringRef &function,
                                                  DiagnosticEngine &diagnostics,
                                                  bool canChoose = true);

/// Rewrites the operations of the dialect chlo in StableHLO, for the reference
/// evaluator. Fails after an error if one cannot be rewritten.
llvm::LogicalResult spellInStablehlo(mlir::ModuleOp module);

/// Gives each node of an ascend.graph that was read from text the name of its
/// value, without the `%`.
void nameNodes(mlir::ModuleOp module);

/// True if the program begins with this function: HLO marks it, in StableHLO it
/// is called main.
[[nodiscard]] bool isEntry(mlir::Operation *function);

/// `f.mlir:12`, or `?` for an unknown place.
[[nodiscard]] std::string placeOf(mlir::Location loc);
/// The line that a program was traced from, `model.py:12`: the first place in a
/// location that is in another file than placeOf. Empty if there is none.
[[nodiscard]] std::string originOf(mlir::Location loc);

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_LOAD_H
