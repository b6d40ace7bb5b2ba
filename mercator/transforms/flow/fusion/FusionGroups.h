// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of linalg.generic that become one, and how they do.

#ifndef MERCATOR_TRANSFORMS_FLOW_FUSION_FUSIONGROUPS_H
#define MERCATOR_TRANSFORMS_FLOW_FUSION_FUSIONGROUPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <vector>

namespace mercator::flow {

/// An operation in a group: its body is computed in the loops of the group's
/// root, at the point of its own loops that `loops` says.
struct FusedMember {
  mlir::linalg::GenericOp op;
  mlir::AffineMap loops;
  /// Others use `op` too: it stays, and its body is cloned.
  bool cloned = false;
  /// Results that stay results of the whole, because others use them.
  llvm::SmallVector<unsigned> kept = {};
  /// For each operand the member that computes it, or -1.
  llvm::SmallVector<int> producers = {};
};

/// The root first, then its producers, each after all that use it. In
///
///     %0 = linalg.generic { exp } ins(%a)
///     %1 = linalg.generic { add } ins(%0, %b)
///
/// the root is %1, and %0 the one other member.
using FusionGroup = std::vector<FusedMember>;

/// Elementwise, on tensors alone, and without effects: to compute an element
/// elsewhere, or again, gives what it gave.
bool isElementwise(mlir::linalg::GenericOp op);

/// The loops of `producer` at which it computes what `map` reads of its result,
/// as a map from the loops that `map` is from; null where there is no such map.
mlir::AffineMap loopsOfProducer(mlir::OpResult result, mlir::AffineMap map);

/// Whether what is computed in `from` may be computed in `to`, which it
/// dominates, and be computed no more often. Not where a loop is between.
class ExecutionCounts {
public:
  bool isNoMoreOften(mlir::Block *from, mlir::Block *to);

private:
  bool runsOnce(mlir::Region *region);
  bool isInCycle(mlir::Block *block);

  llvm::DenseMap<mlir::Region *, bool> once;
  llvm::DenseMap<mlir::Region *, llvm::SmallPtrSet<mlir::Block *, 4>> cycles;
};

/// One linalg.generic for the group, at the place of its root. Bodies are
/// moved, not copied, but for cloned members: the time is that of the operands
/// and of linalg.index, and the growing body is never walked. What the members
/// leave is for eraseFused, after all groups are fused: a member that was
/// cloned into others may still use it.
mlir::linalg::GenericOp fuse(mlir::IRRewriter &rewriter,
                             const FusionGroup &group);

/// Erases operations that nobody else uses any more.
void eraseFused(llvm::ArrayRef<mlir::linalg::GenericOp> ops);

/// Fuses, under `root`, each elementwise linalg.generic into the one that uses
/// it where it
///   - has one use, or all its uses end in one group that reads it alike, or
///   - gives booleans only, or only moves elements: then into each use, where
///     `mayClone`;
/// with fewer than 32 different operands for the two together, never from
/// outside a loop into it, and with at most 16 clones a group. Returns the
/// number of operations fused.
///
/// The result is that of fusing pair after pair until nothing is left to fuse,
/// but it is found in one sweep from the last operation to the first: all users
/// of an operation have their groups before it is asked for its own.
unsigned fuseElementwise(mlir::Operation *root, bool mayClone);

/// Fuses, under `root`, elementwise linalg.generic with several uses into the
/// user before all others, and lets the others use the second result that it
/// gets. Each operation takes part once. Returns the number of pairs.
unsigned fuseWithFirstUser(mlir::Operation *root);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FUSION_FUSIONGROUPS_H
