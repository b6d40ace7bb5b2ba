// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Files that hold a program in binary form: which format it is, and how to get
/// the text.
///
///   bytecode of MLIR           begins with "ML\xEFR": VHLO, or MLIR's own
///   a program of jax.export    the result of `exported.serialize()`: a
///                              flatbuffer that holds bytecode
///   other binary data          a serialized HLO module (.pb), for example

#ifndef MERCATOR_FRONTENDS_STABLEHLO_BINARY_H
#define MERCATOR_FRONTENDS_STABLEHLO_BINARY_H

#include "mercator/support/Diagnostic.h"

#include <optional>

namespace mercator::stablehlo {

/// Whether the bytes begin like no text does.
[[nodiscard]] bool isBinary(llvm::StringRef bytes);

/// The producer of a file of MLIR bytecode ("StableHLO_v1.9.0", "MLIR22.1.8",
/// ""); none if the bytes are not bytecode.
[[nodiscard]] std::optional<llvm::StringRef>
bytecodeProducer(llvm::StringRef bytes);

/// If the bytes are MLIR bytecode, reports how to get text and fails.
llvm::LogicalResult refuseBytecode(const SourceBuffer &source,
                                   DiagnosticEngine &diagnostics);

/// The same for any bytes that are not text.
llvm::LogicalResult refuseBinary(const SourceBuffer &source,
                                 DiagnosticEngine &diagnostics);

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_BINARY_H
