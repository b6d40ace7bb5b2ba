// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The role of an operation in dispatch formation.
///
///   linalg.matmul, linalg.conv_2d, a linalg.generic that reduces   a root
///   linalg.softmax, linalg.pack, linalg.winograd_...               a root
///   linalg.add, linalg.transpose, a parallel linalg.generic        elementwise
///   linalg.fill, tensor.extract_slice                              cloned
///   linalg.matmul on memrefs, tensor.concat, anything else         nothing
///
/// The role depends on the iteration space, not on the name: linalg.exp is an
/// elementwise linalg.generic.
///
/// Source: the seed's createFormDispatchRegionsPass. IREE made every named
/// operation a root at a time when linalg had no elementwise ones.

#ifndef MERCATOR_TRANSFORMS_FLOW_OPERATIONS_CANDIDATES_H
#define MERCATOR_TRANSFORMS_FLOW_OPERATIONS_CANDIDATES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mercator::flow {

/// `op` as a structured operation on tensors alone, or null.
mlir::linalg::LinalgOp asLinalgOnTensors(mlir::Operation *op);

/// Whether all loops of `op` are parallel.
bool isAllParallel(mlir::linalg::LinalgOp op);

/// Whether `op` is a linalg.generic or a named operation of that kind: an
/// elementwise operation or linalg.reduce. Contractions, convolutions and
/// pooling are not.
bool isGenericLike(mlir::linalg::LinalgOp op);

/// Whether `op` can be the root of a dispatch, which takes in its neighbors.
bool isRoot(mlir::Operation *op);

/// Whether `op` gets its own dispatch if no root took it in.
bool isElementwiseRoot(mlir::Operation *op);

/// Whether `op` has no effects besides its results.
bool hasNoEffects(mlir::Operation *op);

/// The number of leading parallel loops of `op`.
unsigned countOuterParallelLoops(mlir::linalg::LinalgOp op);

/// Whether values of this type can be operands and results of a dispatch: all
/// types except tensors of index and types of other dialects.
bool canCross(mlir::Type type);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_OPERATIONS_CANDIDATES_H
