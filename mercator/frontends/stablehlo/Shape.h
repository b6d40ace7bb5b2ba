// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Reads the operations of MLIR's dialect `shape` that programs with unknown
/// extents have, on tensors of extents:
///
///   %s = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
///   becomes  tensor.dim %x, %c0; tensor.from_elements of that and 4
///
///   shape_of, const_shape, broadcast, concat, get_extent, num_elements, dim,
///   rank, index_to_size, size_to_index, to_extent_tensor
///
/// Constraints (`cstr_broadcastable`, `assuming`, ..) are assumed to be true: the
/// operations that they guard check their operands themselves. Operations on
/// `!shape.shape` values of unknown rank are not converted.

#ifndef MERCATOR_FRONTENDS_STABLEHLO_SHAPE_H
#define MERCATOR_FRONTENDS_STABLEHLO_SHAPE_H

#include "mlir/IR/Operation.h"

namespace mercator::stablehlo {

/// Lets the parser read shape.
void loadShape(mlir::MLIRContext &context);

/// Replaces the operations above by those of tensor and arith. Fails after an
/// error: an operation that does not verify.
llvm::LogicalResult convertShape(mlir::Operation *root);

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_SHAPE_H
