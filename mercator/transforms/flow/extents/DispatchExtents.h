// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The dynamic extents of tensors, as values that do not need the tensors: what
/// the operations of a dispatch make is not there yet where the dispatch is
/// told how large it will be.
///
///   %0 = tensor.empty(%n) : tensor<?x4xf32>
///   %1 = linalg.exp ins(%a) outs(%0) -> tensor<?x4xf32>
///
///   extent 0 of %1 is extent 0 of its init %0, which is %n
///
/// An extent goes back through inits (which have the shape of the result),
/// operations that carry their extents (ShapeAwareOpInterface), casts, and what
/// operations say of themselves (ReifyRankedShapedTypeOpInterface), down to a
/// tensor.dim of an argument or of something unknown. Each is made once.

#ifndef MERCATOR_TRANSFORMS_FLOW_EXTENTS_DISPATCHEXTENTS_H
#define MERCATOR_TRANSFORMS_FLOW_EXTENTS_DISPATCHEXTENTS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace mercator::flow {

class Extents {
public:
  explicit Extents(mlir::MLIRContext *context);
  ~Extents();

  /// The extent, an attribute or a value that is available wherever `value` is.
  /// Put it into an operation before finish(), which may replace it. Requires:
  /// `value` is a ranked tensor with that dimension.
  mlir::OpFoldResult get(mlir::Value value, int64_t dimension);

  /// One value for each `?` in the type of `value`.
  llvm::SmallVector<mlir::Value> getDynamic(mlir::Value value);

  /// Has finish() replace `op` by what it asks for, as far as this is known
  /// without its operand.
  void resolve(mlir::tensor::DimOp op);

  /// For new operations: each tensor.dim made with it is resolved by finish().
  mlir::OpBuilder &getBuilder() { return builder; }

  /// Resolves what is to be resolved. Operations may move afterwards; nothing
  /// is asked any more.
  void finish();

private:
  struct Listener;
  std::unique_ptr<Listener> listener;
  mlir::OpBuilder builder;
  using Key = std::pair<mlir::Value, int64_t>;
  llvm::DenseMap<Key, mlir::OpFoldResult> known;
  /// What finish() put in the place of the result of a tensor.dim.
  llvm::DenseMap<mlir::Value, mlir::Value> replaced;

  mlir::OpFoldResult follow(mlir::OpFoldResult extent);
  mlir::OpFoldResult compute(mlir::Value &value, int64_t dimension,
                             llvm::SmallVectorImpl<mlir::Value> &path);
  mlir::OpFoldResult makeDim(mlir::Value value, int64_t dimension);
};

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_EXTENTS_DISPATCHEXTENTS_H
