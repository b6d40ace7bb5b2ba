// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// HLO text after XLA's own passes says things that no graph of GE needs:
///
///   - fusions, which are what XLA would make one kernel:
///       %r = "hlo.fusion"(%a) ({ ^bb0(%p): %n = stablehlo.negate %p
///                                hlo.return %n })
///     becomes `%r = stablehlo.negate %a`;
///   - bitcasts, which see the bytes of a tensor in another shape or layout:
///     a transpose to the order in memory, a reshape, a transpose back;
///   - copies and tuple elements, which are the value itself;
///   - layouts: a value of GE is row-major, so types lose them;
///   - tuples that a function returns: it returns their members.
///
/// A bitcast stays where its bytes are not known: elements of less than a byte,
/// tiles, extents that are not static. Then all bitcasts and layouts of the
/// module stay, and the copies between layouts.

#ifndef MERCATOR_TARGETS_ASCEND_LOWERING_UNDOHLO_H
#define MERCATOR_TARGETS_ASCEND_LOWERING_UNDOHLO_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::ascend {

/// Linear in the size of the program.
void undoHlo(mlir::ModuleOp module);

/// Why undoHlo leaves the operation; empty for an operation that it does not
/// know.
[[nodiscard]] llvm::StringRef whyHloStays(mlir::Operation *op);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_LOWERING_UNDOHLO_H
