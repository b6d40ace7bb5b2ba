// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Parses StableHLO text into a module.
///
/// ```cpp (mlir::MLIRContext &context)
/// mercator::DiagnosticEngine diagnostics(llvm::errs());
/// SourceBuffer source("f.mlir", "func.func @f() { return }");
/// auto module = parseStablehlo(source, context, diagnostics);
/// assert(module); // else an error was reported
/// ```
///
/// The text is in the pretty or the generic form and uses the dialects of the
/// context. Refused, each with a diagnostic:
///
///   - text beyond a limit of Limits.h
///   - text that does not parse or verify
///
/// Constants without data (`dense_resource<__elided__>`) are accepted. Boolean
/// elements in hex are read in both of their forms (BoolElements.h).

#ifndef MERCATOR_FRONTENDS_STABLEHLO_PARSE_H
#define MERCATOR_FRONTENDS_STABLEHLO_PARSE_H

#include "mercator/support/Diagnostic.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace mercator::stablehlo {

/// Whether a text is MLIR and not HLO: its first word after comments cannot begin
/// HLO text.
[[nodiscard]] bool looksLikeStablehlo(llvm::StringRef text);

/// The limit on the lines before the modules of a file, counted for all modules
/// together.
inline constexpr size_t kMaxLinesBeforeModules = size_t(1) << 28;

/// Parses a file. Several modules, separated by lines `// -----`, are nested in
/// one module without a name. Returns null after an error. Ensures: the module
/// is verified; its locations hold the names of values and the places of
/// operations in the text (Names.h, Places.h).
mlir::OwningOpRef<mlir::ModuleOp> parseStablehlo(const SourceBuffer &source,
                                                 mlir::MLIRContext &context,
                                                 DiagnosticEngine &diagnostics);

/// The single module, or a module that contains them all. If two modules have
/// the same name, the second becomes `name.1`.
mlir::OwningOpRef<mlir::ModuleOp>
joinModules(std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules,
            llvm::StringRef file, mlir::MLIRContext &context);

/// While it is alive, MLIR's diagnostics go to `diagnostics`, in the form of
/// `tell` in Places.h. parseStablehlo installs its own.
mlir::ScopedDiagnosticHandler forwardDiagnostics(mlir::MLIRContext &context,
                                                 const SourceBuffer &source,
                                                 DiagnosticEngine &diagnostics);

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_PARSE_H
