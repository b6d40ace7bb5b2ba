// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The dynamic extents of tensors, as values that do not depend on the tensors.
/// The tensors computed in a dispatch do not exist yet when the dispatch
/// receives the extents of its results.
///
///   %0 = tensor.empty(%n) : tensor<?x4xf32>
///   %1 = linalg.exp ins(%a) outs(%0) -> tensor<?x4xf32>
///
///   extent 0 of %1 is extent 0 of its init %0, which is %n
///
/// An extent is followed through inits (which have the shape of the result),
/// operations with extents as operands (ShapeAwareOpInterface), casts, and
/// operations that compute their shape (ReifyRankedShapedTypeOpInterface), up
/// to a tensor.dim of an argument or of an unknown operation. Each tensor.dim
/// is created once.

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

  /// The extent: an attribute, or a value that is available wherever `value`
  /// is. Use it in an operation before finish(), which may replace it.
  /// Requires: `value` is a ranked tensor with that dimension.
  mlir::OpFoldResult get(mlir::Value value, int64_t dimension);

  /// One value for each `?` in the type of `value`.
  llvm::SmallVector<mlir::Value> getDynamic(mlir::Value value);

  /// Makes finish() replace `op` by the extent it asks for, as far as the
  /// extent is known without the tensor.
  void resolve(mlir::tensor::DimOp op);

  /// A builder for new operations. finish() resolves each tensor.dim created
  /// with it.
  mlir::OpBuilder &getBuilder() { return builder; }

  /// Resolves the recorded operations. Afterwards operations may move, and no
  /// query is allowed.
  void finish();

private:
  struct Listener;
  std::unique_ptr<Listener> listener;
  mlir::OpBuilder builder;
  using Key = std::pair<mlir::Value, int64_t>;
  llvm::DenseMap<Key, mlir::OpFoldResult> known;
  /// The replacement by finish() of the result of a tensor.dim.
  llvm::DenseMap<mlir::Value, mlir::Value> replaced;

  mlir::OpFoldResult follow(mlir::OpFoldResult extent);
  mlir::OpFoldResult compute(mlir::Value &value, int64_t dimension,
                             llvm::SmallVectorImpl<mlir::Value> &path);
  mlir::OpFoldResult makeDim(mlir::Value value, int64_t dimension);
};

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_EXTENTS_DISPATCHEXTENTS_H
