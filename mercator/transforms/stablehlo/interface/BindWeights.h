// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Inputs of a function as constants.
///
///   func.func @main(%x: tensor<2xf32>, %w: tensor<2xf32>) -> tensor<2xf32> {
///     %0 = stablehlo.add %x, %w : tensor<2xf32>
///     return %0 : tensor<2xf32>
///   }
///
/// becomes, with the elements [1.0, 2.0] for the second input,
///
///   func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
///     %w = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
///     %0 = stablehlo.add %x, %w : tensor<2xf32>
///     return %0 : tensor<2xf32>
///   }

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_INTERFACE_BINDWEIGHTS_H
#define MERCATOR_TRANSFORMS_STABLEHLO_INTERFACE_BINDWEIGHTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::stablehlo {

/// `elements` has an entry for each input; null: the input stays. Functions that
/// call this one call a copy with all inputs. Requires: a function with a body;
/// elements of the type of their input.
void bindWeights(mlir::func::FuncOp function,
                 llvm::ArrayRef<mlir::ElementsAttr> elements);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_INTERFACE_BINDWEIGHTS_H
