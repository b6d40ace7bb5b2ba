// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of linalg.generic operations that are fused, and the fusion itself.

#ifndef MERCATOR_TRANSFORMS_FLOW_FUSION_FUSIONGROUPS_H
#define MERCATOR_TRANSFORMS_FLOW_FUSION_FUSIONGROUPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <vector>

namespace mercator::flow {

/// An operation in a group. Its body is computed in the loops of the group's
/// root; `loops` maps them to its own loops.
struct FusedMember {
  mlir::linalg::GenericOp op;
  mlir::AffineMap loops;
  /// `op` has other users: it stays, and its body is cloned.
  bool cloned = false;
  /// Results of `op` that remain results of the fused operation, because they
  /// have other users.
  llvm::SmallVector<unsigned> kept = {};
  /// For each operand the member that computes it, or -1.
  llvm::SmallVector<int> producers = {};
};

/// The root first, then its producers, each after all its users. In
///
///     %0 = linalg.generic { exp } ins(%a)
///     %1 = linalg.generic { add } ins(%0, %b)
///
/// the root is %1, and %0 is the only other member.
using FusionGroup = std::vector<FusedMember>;

/// Elementwise, on tensors alone, and without effects: computing an element
/// elsewhere, or again, gives the same value.
bool isElementwise(mlir::linalg::GenericOp op);

/// The loops of `producer` that compute the element that `map` reads of its
/// result, as a map from the loops of `map`; null if there is no such map.
mlir::AffineMap loopsOfProducer(mlir::OpResult result, mlir::AffineMap map);

/// Whether a computation in `from` may move to `to` without running more often.
/// Requires: `from` dominates `to`. Not if a loop is in between.
class ExecutionCounts {
public:
  bool isNoMoreOften(mlir::Block *from, mlir::Block *to);

private:
  bool runsOnce(mlir::Region *region);
  bool isInCycle(mlir::Block *block);

  llvm::DenseMap<mlir::Region *, bool> once;
  llvm::DenseMap<mlir::Region *, llvm::SmallPtrSet<mlir::Block *, 4>> cycles;
};

/// Creates one linalg.generic for the group, in place of its root. Bodies are
/// moved, except that cloned members are copied. The time is linear in the
/// operands and in linalg.index operations; the growing body is never walked.
/// The members are erased by eraseFused after all groups are fused, because
/// clones in other groups may still use them.
mlir::linalg::GenericOp fuse(mlir::IRRewriter &rewriter,
                             const FusionGroup &group);

/// Erases operations without users.
void eraseFused(llvm::ArrayRef<mlir::linalg::GenericOp> ops);

/// Fuses, under `root`, each elementwise linalg.generic into its user if
///   - it has one use, or all its uses are in one group that reads it alike, or
///   - it computes only booleans or indices, or only moves elements: then into each
///     user, if `mayClone`.
/// Unless `recompute`, an operation is not fused into a product or a
/// convolution that would compute an element of it several times.
/// The two together must have fewer than 32 different operands, nothing moves
/// into a loop, and a group has at most 16 clones. Returns the number of
/// operations fused.
///
/// The result is that of repeated pairwise fusion, but it is computed in one
/// sweep from the last operation to the first: all users of an operation are in
/// their groups before the operation is visited.
unsigned fuseElementwise(mlir::Operation *root, bool mayClone, bool recompute);
/// The same for some operations of a block alone, in their order, without clones.
unsigned fuseElementwise(llvm::ArrayRef<mlir::linalg::GenericOp> ops,
                         bool recompute);

/// Fuses, under `root`, elementwise linalg.generic operations with several
/// users into the first user. The other users take the additional result of the
/// fused operation. Each operation takes part once. Returns the number of
/// pairs.
unsigned fuseWithFirstUser(mlir::Operation *root);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FUSION_FUSIONGROUPS_H
