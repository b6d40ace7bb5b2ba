// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// HLO text after XLA's own passes is full of fusions, which say what XLA would
/// make one kernel. GE decides that for itself, so they are undone first:
///
///   %r = "hlo.fusion"(%a) ({ ^bb0(%p): %n = stablehlo.negate %p
///                            hlo.return %n })
///
/// becomes `%r = stablehlo.negate %a`. A copy, which only says where a value
/// is to be, is the value.

#ifndef MERCATOR_TRANSFORMS_ASCEND_INLINEFUSIONS_H
#define MERCATOR_TRANSFORMS_ASCEND_INLINEFUSIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::ascend {

/// Linear in the size of the program.
void inlineFusions(mlir::ModuleOp module);

} // namespace mercator::ascend

#endif // MERCATOR_TRANSFORMS_ASCEND_INLINEFUSIONS_H
