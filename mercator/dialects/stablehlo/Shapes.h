// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Constraints that reshape and broadcast_in_dim share with their dynamic
/// forms.

#ifndef MERCATOR_DIALECTS_STABLEHLO_SHAPES_H
#define MERCATOR_DIALECTS_STABLEHLO_SHAPES_H

#include "mercator/dialects/stablehlo/Verify.h"

namespace mercator::stablehlo {

/// Expects the element type of the operand. The dimension of a per-axis
/// quantization may differ.
llvm::LogicalResult expectQuantizedAlike(mlir::Operation *op,
                                         mlir::RankedTensorType operand,
                                         mlir::RankedTensorType result);

/// All constraints of broadcast_in_dim. They are the first ones of
/// dynamic_broadcast_in_dim.
llvm::LogicalResult verifyBroadcastInDim(mlir::Operation *op,
                                         mlir::RankedTensorType operand,
                                         mlir::RankedTensorType result,
                                         llvm::ArrayRef<int64_t> dims);

/// All constraints of reshape. They are the first ones of dynamic_reshape.
llvm::LogicalResult verifyReshape(mlir::Operation *op,
                                  mlir::RankedTensorType operand,
                                  mlir::RankedTensorType result);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_SHAPES_H
