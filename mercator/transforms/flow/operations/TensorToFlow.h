// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Converts tensor operations between dispatches to flow operations that need
/// no dispatch: copies of contiguous slices, splats, reshapes, single elements.
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
/// A slice is contiguous if its elements are adjacent in memory: all of the
/// inner dimensions, a range of one dimension, one index of each outer
/// dimension. Offsets and sizes must be constant: a computed one may come from
/// the device, and the host would have to wait for it.
///
/// Operations inside a dispatch, an executable or the body of an operation on
/// tensors are not converted.

#ifndef MERCATOR_TRANSFORMS_FLOW_OPERATIONS_TENSORTOFLOW_H
#define MERCATOR_TRANSFORMS_FLOW_OPERATIONS_TENSORTOFLOW_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mercator::flow {

/// Whether the program itself runs `op`, outside of dispatches and of the
/// bodies of operations on tensors.
bool isOutsideOfDispatches(mlir::Operation *op);

/// Whether a slice of a tensor of shape `shape` is certainly contiguous.
bool isContiguous(llvm::ArrayRef<mlir::OpFoldResult> offsets,
                  llvm::ArrayRef<mlir::OpFoldResult> sizes,
                  llvm::ArrayRef<mlir::OpFoldResult> strides,
                  llvm::ArrayRef<int64_t> shape);

/// The slice that the operation reads or writes.
bool isContiguous(mlir::tensor::ExtractSliceOp op);
bool isContiguous(mlir::tensor::InsertSliceOp op);

/// Fails if the slice is not contiguous or the operation is not outside.
llvm::LogicalResult convertToUpdate(mlir::tensor::InsertSliceOp op,
                                    mlir::RewriterBase &rewriter);
llvm::LogicalResult convertToSlice(mlir::tensor::ExtractSliceOp op,
                                   mlir::RewriterBase &rewriter);

/// Adds all of the above.
void populateTensorToFlowPatterns(mlir::RewritePatternSet &patterns);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_OPERATIONS_TENSORTOFLOW_H
