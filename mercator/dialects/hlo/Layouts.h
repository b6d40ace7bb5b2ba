// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Programs without layouts.
///
///   %1 = "hlo.copy"(%0) : (tensor<4x8xf32, #hlo.layout<[0, 1]>>) -> tensor<4x8xf32>
///
/// becomes a copy between equal types. A layout is how elements lie in memory, so
/// no element changes, except where bytes are read as elements of another order:
/// an `hlo.bitcast` must be spelled by other operations before.

#ifndef MERCATOR_DIALECTS_HLO_LAYOUTS_H
#define MERCATOR_DIALECTS_HLO_LAYOUTS_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::hlo {

/// The type with its elements in row-major order. Bounds are kept.
[[nodiscard]] mlir::RankedTensorType rowMajor(mlir::RankedTensorType type);

/// Makes all types of the module row-major. Requires: no `hlo.bitcast`.
/// Linear in the size of the program.
void dropLayouts(mlir::ModuleOp module);

} // namespace mercator::hlo

#endif // MERCATOR_DIALECTS_HLO_LAYOUTS_H
