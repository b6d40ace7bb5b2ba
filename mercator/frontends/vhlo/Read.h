// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Programs in binary form, as text.
///
///   portable artifacts    bytecode of VHLO, any version from 0.9.0 to 1.22.0:
///                         .mlirbc files, PJRT clients
///   exported programs     `jax.export.export(f)(x).serialize()`: a flatbuffer
///                         around a portable artifact
///   bytecode              of StableHLO itself, written by an MLIR of about our
///                         own age: it has no versions
///
/// The text is what `mercator-opt FILE` prints. It is parsed like a text that a
/// user wrote: all limits, names and places are those of the text, and a
/// diagnostic shows the line of the text that it speaks of. The file needs no
/// particular extension.

#ifndef MERCATOR_FRONTENDS_VHLO_READ_H
#define MERCATOR_FRONTENDS_VHLO_READ_H

#include "mercator/support/Diagnostic.h"

#include <optional>
#include <string>

namespace mercator::vhlo {

/// The bytecode in a file: the file itself, or the program of a jax.export file.
/// None for other files.
[[nodiscard]] std::optional<llvm::StringRef>
findBytecode(llvm::StringRef bytes);

/// The text of a file that holds bytecode. None after an error. The bytes may be
/// any.
[[nodiscard]] std::optional<std::string>
readBytecode(const SourceBuffer &source, DiagnosticEngine &diagnostics);

} // namespace mercator::vhlo

#endif // MERCATOR_FRONTENDS_VHLO_READ_H
