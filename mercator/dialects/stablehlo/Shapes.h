// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What reshapes and broadcasts have in common with those whose shape is known
/// when the program runs.

#ifndef MERCATOR_DIALECTS_STABLEHLO_SHAPES_H
#define MERCATOR_DIALECTS_STABLEHLO_SHAPES_H

#include "mercator/dialects/stablehlo/Verify.h"

namespace mercator::stablehlo {

/// The element type of the operand, except that the dimension of a quantisation
/// may differ.
llvm::LogicalResult expectQuantizedAlike(mlir::Operation *op,
                                         mlir::RankedTensorType operand,
                                         mlir::RankedTensorType result);

/// All constraints of broadcast_in_dim, which are the first of
/// dynamic_broadcast_in_dim.
llvm::LogicalResult verifyBroadcastInDim(mlir::Operation *op,
                                         mlir::RankedTensorType operand,
                                         mlir::RankedTensorType result,
                                         llvm::ArrayRef<int64_t> dims);

/// All constraints of reshape, which are the first of dynamic_reshape.
llvm::LogicalResult verifyReshape(mlir::Operation *op,
                                  mlir::RankedTensorType operand,
                                  mlir::RankedTensorType result);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_SHAPES_H
