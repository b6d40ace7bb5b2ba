// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// HLO text after XLA's own passes says things that no graph of GE needs:
///
///   - fusions, which are what XLA would make one kernel:
///       %r = "hlo.fusion"(%a) ({ ^bb0(%p): %n = stablehlo.negate %p
///                                hlo.return %n })
///     becomes `%r = stablehlo.negate %a`;
///   - copies, which say where a value is to be: they are the value;
///   - tuples that a function returns: it returns their members.

#ifndef MERCATOR_TRANSFORMS_ASCEND_UNDOHLO_H
#define MERCATOR_TRANSFORMS_ASCEND_UNDOHLO_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::ascend {

/// Linear in the size of the program.
void undoHlo(mlir::ModuleOp module);

} // namespace mercator::ascend

#endif // MERCATOR_TRANSFORMS_ASCEND_UNDOHLO_H
