// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What part an operation can play when dispatches are formed.
///
///   linalg.matmul, linalg.conv_2d, a linalg.generic that reduces   a root
///   linalg.softmax, linalg.pack, linalg.winograd_...               a root
///   linalg.add, linalg.transpose, a parallel linalg.generic        elementwise
///   linalg.fill, tensor.extract_slice                              cloned
///   linalg.matmul on memrefs, tensor.concat, anything else         nothing
///
/// What counts is how an operation iterates, not whether it has a name:
/// linalg.exp is the elementwise linalg.generic that it stands for.
///
/// Source: the seed's createFormDispatchRegionsPass; IREE made a root of every
/// named operation when linalg had no elementwise ones.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_CANDIDATES_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_CANDIDATES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mercator::flow {

/// `op` as a structured operation on tensors alone; null if it is none.
mlir::linalg::LinalgOp asLinalgOnTensors(mlir::Operation *op);

/// Whether all loops of `op` are parallel.
bool isAllParallel(mlir::linalg::LinalgOp op);

/// Whether `op` is a linalg.generic, or is named but no more than one: an
/// elementwise operation, linalg.reduce. Contractions, convolutions and
/// pooling are not.
bool isGenericLike(mlir::linalg::LinalgOp op);

/// Whether dispatches are built around `op`, taking its neighbours in.
bool isRoot(mlir::Operation *op);

/// Whether `op` gets a dispatch of its own where no root took it in.
bool isElementwiseRoot(mlir::Operation *op);

/// Whether `op` does no more than make its results.
bool hasNoEffects(mlir::Operation *op);

/// How many loops of `op` are parallel before the first that is not.
unsigned countOuterParallelLoops(mlir::linalg::LinalgOp op);

/// Whether a dispatch can be handed, or can give back, values of this type:
/// everything but tensors of index and of types that only other dialects know.
bool canCross(mlir::Type type);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_CANDIDATES_H
