// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The extents of tensors, as numbers or as values that do not need the
/// tensors: the operations of a dispatch have not run yet where the dispatch is
/// given the extents of its results.
///
///   %0 = tensor.empty(%n) : tensor<?x4xf32>
///   %1 = linalg.exp ins(%a) outs(%0) -> tensor<?x4xf32>
///
///   ExtentResolver extents(context);
///   extents.get(%1, 1)        // 4
///   extents.get(%1, 0)        // %n, the extent of its init %0
///   extents.origin(%1)        // %0
///
/// Sources of an extent, the first that applies:
///
///   the type                                          a number
///   tensor.empty                                      its operand
///   an operation that carries the extents of its results
///     (ShapeAwareOpInterface)                         its operand
///   an init, the operand of a tensor.cast,
///     a tensor that a loop updates (ScalarLoops.h)    the extent of that tensor
///   an operation that computes the extents of its results
///     (ReifyRankedShapedTypeOpInterface)              what it computes
///   anything else                                     a tensor.dim
///
/// A chain of n operations is followed in time n over all queries: each query
/// stops where an earlier one passed. A resolver is valid while values and
/// their extents stay; operations may be added.

#ifndef MERCATOR_TRANSFORMS_FLOW_EXTENTS_EXTENTS_H
#define MERCATOR_TRANSFORMS_FLOW_EXTENTS_EXTENTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/DenseMap.h"

namespace mercator::flow {

/// Whether `op` asks for an extent that is known without its operand, so that
/// it does not count as a use of it: tensor.dim of a constant dimension.
[[nodiscard]] bool isResolvableDim(mlir::Operation *op);

/// Whether two extents are known to be equal: both numbers, or the same
/// extent of one tensor, as the sizes of tensor.empty say. Looks through a
/// bounded number of operations.
[[nodiscard]] bool haveEqualExtents(mlir::Value a, int64_t axisOfA,
                                    mlir::Value b, int64_t axisOfB);

class ExtentResolver {
public:
  explicit ExtentResolver(mlir::MLIRContext *context);
  ~ExtentResolver();

  //===--- Queries that create nothing ------------------------------------===//

  /// The tensor at the start of the chain of inits that ends in `tensor`:
  /// `tensor` itself if it is not the result of an operation with inits.
  mlir::Value origin(mlir::Value tensor);

  /// A value that has the extent before the scf.for that carries `tensor`, as
  /// its argument or its result. Null if no loop carries it, the loop may
  /// change the extent, or no such value is known.
  mlir::Value findBeforeLoop(mlir::Value tensor, int64_t dim);

  //===--- Extents, with new operations where they need some --------------===//

  /// The extent, an attribute or a value that is available wherever `tensor`
  /// is. Put it into an operation before finish(), which may replace it.
  /// Requires: `tensor` is a ranked tensor with that dimension.
  mlir::OpFoldResult get(mlir::Value tensor, int64_t dim);

  /// One value for each `?` in the type of `tensor`.
  llvm::SmallVector<mlir::Value> getDynamic(mlir::Value tensor);

  /// The extent from the origin of `tensor` alone: a number, an operand of
  /// tensor.empty, or a new tensor.dim of the origin at the builder's place.
  mlir::OpFoldResult getFromOrigin(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::Value tensor, int64_t dim);

  //===--- tensor.dim of the program --------------------------------------===//

  /// Has `op` ask the origin of its operand, if the operand has another one.
  void askOrigin(mlir::tensor::DimOp op);

  /// Has finish() replace `op` by the extent, as far as this is known without
  /// its operand.
  void resolve(mlir::tensor::DimOp op);

  /// For new operations: each tensor.dim made with it is resolved by finish().
  mlir::OpBuilder &getBuilder() { return builder; }

  /// Resolves what is to be resolved. Operations may move afterwards; nothing
  /// is asked any more.
  void finish();

private:
  struct Listener;
  using Key = std::pair<mlir::Value, int64_t>;

  mlir::OpFoldResult follow(mlir::OpFoldResult extent);
  mlir::OpFoldResult compute(mlir::Value &tensor, int64_t dim,
                             llvm::SmallVectorImpl<mlir::Value> &path);
  mlir::OpFoldResult makeDim(mlir::Value tensor, int64_t dim);
  mlir::Value findOfLoop(mlir::scf::ForOp loop, unsigned number, int64_t dim);
  mlir::Value findInProgram(mlir::Value tensor, int64_t dim);

  std::unique_ptr<Listener> listener;
  mlir::OpBuilder builder;
  llvm::DenseMap<mlir::Value, mlir::Value> origins;
  llvm::DenseMap<Key, mlir::OpFoldResult> known;
  /// What finish() put in the place of the result of a tensor.dim.
  llvm::DenseMap<mlir::Value, mlir::Value> replaced;

  mlir::DominanceInfo dominance;
  /// The extents of the values that loops carry. While a query looks at a loop,
  /// it assumes that the loop keeps the extent.
  llvm::DenseMap<Key, mlir::Value> carried;
  /// The keys of `carried`, in the order in which they came.
  llvm::SmallVector<Key> trail;
};

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_EXTENTS_EXTENTS_H
