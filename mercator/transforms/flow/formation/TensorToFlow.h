// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Tensor operations between dispatches, as flow operations that need no
/// dispatch: copies of contiguous parts, splats, reshapes, single elements.
///
///   tensor.extract_slice %t[2, 0] [3, 8] [1, 1]    flow.tensor.slice
///       : tensor<9x8xf32> to tensor<3x8xf32>
///   tensor.insert_slice                            flow.tensor.update
///   linalg.fill, tensor.splat, tensor.from_elements of equal elements
///                                                  flow.tensor.splat
///   tensor.cast, .collapse_shape, .expand_shape,
///   tensor.reshape                                 flow.tensor.reshape
///   tensor.bitcast                                 flow.tensor.bitcast
///   tensor.extract                                 flow.tensor.load
///   tensor.insert, each of the elements of another
///   tensor.from_elements                           flow.tensor.store
///
/// A part is contiguous if its elements follow one another in memory: all of
/// the inner dimensions, some of one, one index of each outer one. Offsets and
/// sizes must be known: one that is computed may come from the device, and the
/// host would have to wait for it.
///
/// What is inside of a dispatch, an executable or the body of an operation on
/// tensors is left alone.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_TENSORTOFLOW_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_TENSORTOFLOW_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mercator::flow {

/// Whether the program itself runs `op`: no dispatch does, and no operation on
/// tensors for each element.
bool isOutsideOfDispatches(mlir::Operation *op);

/// Whether a part of a tensor of shape `shape` is contiguous, surely.
bool isContiguous(llvm::ArrayRef<mlir::OpFoldResult> offsets,
                  llvm::ArrayRef<mlir::OpFoldResult> sizes,
                  llvm::ArrayRef<mlir::OpFoldResult> strides,
                  llvm::ArrayRef<int64_t> shape);

/// The part that the operation reads, or writes.
bool isContiguous(mlir::tensor::ExtractSliceOp op);
bool isContiguous(mlir::tensor::InsertSliceOp op);

/// Fails if the part is not contiguous, or the operation not outside.
llvm::LogicalResult convertToUpdate(mlir::tensor::InsertSliceOp op,
                                    mlir::RewriterBase &rewriter);
llvm::LogicalResult convertToSlice(mlir::tensor::ExtractSliceOp op,
                                   mlir::RewriterBase &rewriter);

/// All of the above.
void populateTensorToFlowPatterns(mlir::RewritePatternSet &patterns);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_TENSORTOFLOW_H
