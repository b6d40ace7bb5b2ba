// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Removes parts of optimized HLO text that a graph of GE does not need:
///
///   - fusions, which XLA compiles to one kernel:
///       %r = "hlo.fusion"(%a) ({ ^bb0(%p): %n = stablehlo.negate %p
///                                hlo.return %n })
///     becomes `%r = stablehlo.negate %a`;
///   - bitcasts, which give the bytes of a tensor another shape or layout: a
///     transpose to the order in memory, a reshape, a transpose back;
///   - copies and tuple elements, which equal their operand;
///   - layouts: values of GE are row-major, so types lose their layouts;
///   - tuples returned by functions: the function returns their members.
///
/// A bitcast stays if its bytes are unknown: elements of less than a byte,
/// tiles, dynamic extents. Then all bitcasts and layouts of the module stay,
/// and so do copies between layouts.

#ifndef MERCATOR_TARGETS_ASCEND_PREPARE_UNDOHLO_H
#define MERCATOR_TARGETS_ASCEND_PREPARE_UNDOHLO_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::ascend {

/// Linear in the size of the program.
void undoHlo(mlir::ModuleOp module);

/// Replaces each member of a tuple that is assembled in the same function, and
/// erases tuples without uses. Loops and calls of HLO take tuples, so this is
/// needed again after calls are inlined. Linear in the size of the program.
void foldTuples(mlir::ModuleOp module);

/// Why undoHlo leaves the operation in place; empty for an unknown operation.
[[nodiscard]] llvm::StringRef whyHloStays(mlir::Operation *op);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_PREPARE_UNDOHLO_H
