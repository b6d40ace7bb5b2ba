// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the extents of linalg results come from.

#ifndef MERCATOR_TRANSFORMS_FLOW_EXTENTS_LINALGEXTENTS_H
#define MERCATOR_TRANSFORMS_FLOW_EXTENTS_LINALGEXTENTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace mercator::flow {

/// Follows the extents of linalg results through their inits to the tensor
/// that they are first those of. In
///
///     %0 = linalg.generic ins(%a) outs(%init)
///     %1 = linalg.generic ins(%0) outs(%0)
///
/// each extent of %1 is that of %init. A chain of n operations is followed in
/// time n over all queries, however many there are: what one query passes, the
/// next finds. The program may only change in ways that keep what was found:
/// values stay, and so do the extents of each.
class LinalgExtents {
public:
  /// Extent `dim` of `tensor`: a number, an operand of the tensor.empty that it
  /// comes from, or a new tensor.dim at the builder's place.
  mlir::OpFoldResult get(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value tensor, int64_t dim);

  /// The tensor that the extents of `tensor` are first those of.
  mlir::Value origin(mlir::Value tensor);

private:
  llvm::DenseMap<mlir::Value, mlir::Value> origins;
};

/// Has each tensor.dim under `root` ask for the extents of a linalg result
/// where they come from. As a pass, `--mercator-flow-ask-origins`, it belongs
/// before upstream's `--resolve-shaped-type-result-dims`, which goes back one
/// operation at a time for each tensor.dim: 23 seconds in a chain of 2,000.
void askOrigins(mlir::Operation *root);

/// Does that, and gives each linalg.generic a tensor.empty for an init that it
/// does not read: upstream's conversion of elementwise operations passes the
/// first input, which looks like a read.
void detachUnreadInits(mlir::Operation *root);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_EXTENTS_LINALGEXTENTS_H
