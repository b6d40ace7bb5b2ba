// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Values inside a function as further results.
///
///   func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
///     %0 = stablehlo.add %x, %x : tensor<4xf32>
///     %1 = stablehlo.exponential %0 : tensor<4xf32>
///     return %1 : tensor<4xf32>
///   }
///
/// returns %1, %0 after returnValues(main, {%0}).

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_INTERFACE_RETURNVALUES_H
#define MERCATOR_TRANSFORMS_STABLEHLO_INTERFACE_RETURNVALUES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::stablehlo {

/// Requires: a function with one block, which nothing calls; values of this
/// block.
void returnValues(mlir::func::FuncOp function,
                  llvm::ArrayRef<mlir::Value> values);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_INTERFACE_RETURNVALUES_H
