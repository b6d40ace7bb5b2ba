// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The origin of the extents of linalg results.

#ifndef MERCATOR_TRANSFORMS_FLOW_EXTENTS_LINALGEXTENTS_H
#define MERCATOR_TRANSFORMS_FLOW_EXTENTS_LINALGEXTENTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>

namespace mercator::flow {

/// Follows the extents of linalg results through their inits to the first
/// tensor with these extents. In
///
///     %0 = linalg.generic ins(%a) outs(%init)
///     %1 = linalg.generic ins(%0) outs(%0)
///
/// each extent of %1 is that of %init. All queries on a chain of n operations
/// together take time O(n): a query records its path for later ones. Between
/// queries the program may change only in ways that keep the values and their
/// extents.
class LinalgExtents {
public:
  /// Extent `dim` of `tensor`: a number, an operand of its tensor.empty, or a
  /// new tensor.dim at the builder's insertion point.
  mlir::OpFoldResult get(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value tensor, int64_t dim);

  /// The first tensor with the extents of `tensor`.
  mlir::Value origin(mlir::Value tensor);

private:
  llvm::DenseMap<mlir::Value, mlir::Value> origins;
};

/// Makes each tensor.dim of a linalg result under `root` use the origin of its
/// extents.
void askOrigins(mlir::Operation *root);

/// `--mercator-flow-ask-origins`: the same as a pass. Run it before upstream's
/// `--resolve-shaped-type-result-dims`, which goes back one operation at a time
/// for each tensor.dim: 23 seconds for a chain of 2,000.
std::unique_ptr<mlir::Pass> createAskOriginsPass();

/// The same, and replaces each init that a linalg.generic does not read by a
/// tensor.empty. Upstream's conversion of elementwise operations passes the
/// first input as init, which looks like a read.
void detachUnreadInits(mlir::Operation *root);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_EXTENTS_LINALGEXTENTS_H
