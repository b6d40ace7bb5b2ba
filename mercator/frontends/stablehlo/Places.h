// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The places of operations in a text, kept as locations.
///
///   "f"(%x) : ... loc("f.py":3:0)   is at
///   loc(fused["t.mlir":7:5, "f.py":3:0])
///
/// MLIR forgets the place of an operation whose text gives it a location. An
/// error should show the line of the file first, and then the location.

#ifndef MERCATOR_FRONTENDS_STABLEHLO_PLACES_H
#define MERCATOR_FRONTENDS_STABLEHLO_PLACES_H

#include "mercator/support/Diagnostic.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace mercator::stablehlo {

/// Puts the place in the text before the location of each operation, and of
/// each block argument, that has a location in the text. Requires: `state` was
/// made from a living text that contains at `text` the bytes of `source` from
/// `from` on.
void keepPlaces(const mlir::AsmParserState &state, mlir::Operation *root,
                const SourceBuffer &source, const char *text, size_t from = 0);

/// The locations that the text gives, without what keepPlaces and nameValues (Names.h)
/// put around them: for a module that is printed, not asked about.
void restoreLocations(mlir::Operation *root, const SourceBuffer &source);

/// Prints an MLIR diagnostic with its notes. The first place of the location in
/// `source` is shown. If the location holds another place too, a note says so:
/// "written at f.py:3". With `text`, this text stands in place of the message
/// and its notes.
void tell(const mlir::Diagnostic &diagnostic, const SourceBuffer &source,
          DiagnosticEngine &diagnostics);
void tell(const mlir::Diagnostic &diagnostic, const std::string &text,
          const SourceBuffer &source, DiagnosticEngine &diagnostics);

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_PLACES_H
