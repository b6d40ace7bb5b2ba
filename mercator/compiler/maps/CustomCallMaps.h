// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The file of `--custom-call-maps`: the maps of custom calls. Internal.
///
///   // a line for each pair of a result and an operand
///   @rows  result 0 -> operand 0: (d0)[s0] -> (d0, s0)
///
/// analysis/maps/models/CustomCalls.h has the grammar of a statement.

#ifndef MERCATOR_COMPILER_MAPS_CUSTOMCALLMAPS_H
#define MERCATOR_COMPILER_MAPS_CUSTOMCALLMAPS_H

#include "mercator/support/Diagnostic.h"

#include "mlir/IR/BuiltinOps.h"

namespace mercator {

/// States the maps of the file in the custom calls of the module. Warns of a
/// target that the module does not call. Fails, after errors, where the text
/// is wrong.
[[nodiscard]] llvm::LogicalResult
stateCustomCallMaps(mlir::ModuleOp module, const SourceBuffer &source,
                    DiagnosticEngine &diagnostics);

} // namespace mercator

#endif // MERCATOR_COMPILER_MAPS_CUSTOMCALLMAPS_H
