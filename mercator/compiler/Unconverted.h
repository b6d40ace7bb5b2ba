// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A program on its way to graphs of Ascend's Graph Engine: read, converted,
/// and what of it stays, told.

#ifndef MERCATOR_TOOLS_DRIVER_ASCENDPROGRAM_H
#define MERCATOR_TOOLS_DRIVER_ASCENDPROGRAM_H

#include "mercator/targets/ascend/lowering/Convert.h"
#include "mercator/tools/driver/Program.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>
#include <vector>

namespace mercator {

/// Whether a file is a model of GE (.air) and no text: by its name, or by its
/// first bytes.
[[nodiscard]] bool looksLikeAir(const SourceBuffer &source);

/// Reads StableHLO, HLO text, MLIR with graphs, or an .air file, told apart by
/// content or by name. Null after an error.
[[nodiscard]] std::unique_ptr<Program>
loadAscendProgram(const SourceBuffer &source, DiagnosticEngine &diagnostics);

/// For as long as it lives, what MLIR has to say goes to `diagnostics`, with a
/// place where the source has one.
[[nodiscard]] std::unique_ptr<mlir::ScopedDiagnosticHandler>
forwardAscendDiagnostics(const Program &program, const SourceBuffer &source,
                         DiagnosticEngine &diagnostics);

/// The operations of a function that no graph can hold, in their order, each
/// with the reason. `left` is what the conversion says of some of them.
[[nodiscard]] std::vector<ascend::Unconverted>
operationsThatStay(mlir::FunctionOpInterface function,
                   llvm::ArrayRef<ascend::Unconverted> left);

/// Tells what stays, as errors or as notes: twenty places, at least one of each
/// kind as far as that goes, and how many more there are of each kind.
void tellWhatStays(llvm::ArrayRef<ascend::Unconverted> stays, bool asErrors,
                   DiagnosticEngine &diagnostics);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_ASCENDPROGRAM_H
