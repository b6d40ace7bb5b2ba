// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Files that hold a program in binary form: which format it is. vhlo/Read.h reads
/// the first, hlo/Proto.h the second.
///
///   bytecode of MLIR     begins with "ML\xEFR": VHLO, or MLIR's own
///   HLO protos           an HloModuleProto or an HloProto (.pb)
///   other binary data    another proto, a compressed file

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

/// If the bytes are no text, reports how to get text and fails.
llvm::LogicalResult refuseBinary(const SourceBuffer &source,
                                 DiagnosticEngine &diagnostics);

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_BINARY_H
