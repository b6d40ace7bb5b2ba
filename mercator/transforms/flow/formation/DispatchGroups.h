// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Which operations go into one dispatch. Nothing is changed yet: Regions.h
/// makes the dispatches.
///
///   %0 = linalg.fill ...                  in none: cloned where it is used
///   %1 = linalg.matmul outs(%0) ...       group 0
///   %2 = linalg.add ins(%1, %b) ...       group 0, its root
///   %3 = linalg.transpose ins(%2) ...     group 1
///
/// Block by block, the blocks of scf bodies included. In a block, roots
/// (Candidates.h) are taken from the last to the first, and each pulls in
/// producers as far as the questions say yes (Questions.h). Then each root,
/// again from the last, goes into its consumer, which becomes the root, as far
/// as they say yes. What is left and elementwise gets a dispatch of its own.
///
/// A dispatch stands where its root stands, so every user of a group that is
/// not of the group comes after the root: members can move down, and dispatches
/// do not wait for one another in a circle.
///
/// Source: the seed's createFormDispatchRegionsPass. Time is linear in the
/// operands and uses, but for the heaps: a factor of log n.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHGROUPS_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHGROUPS_H

#include "mercator/transforms/flow/formation/Reasons.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace mercator::flow {

struct Group {
  mlir::Operation *root = nullptr;
  /// All of them in the order of the program; the root is the last.
  llvm::SmallVector<mlir::Operation *> members;
};

struct DispatchGroups {
  /// In the order of their roots.
  llvm::SmallVector<Group> groups;
  /// The group of each member.
  llvm::DenseMap<mlir::Operation *, unsigned> groupOf;
  /// The operations that were looked at, block by block, in order.
  llvm::SmallVector<mlir::Operation *> operations;

  bool isMember(mlir::Operation *op) const { return groupOf.contains(op); }
};

/// The seed's heuristic. `reasons` is told why.
DispatchGroups groupByHeuristic(mlir::FunctionOpInterface function,
                                bool aggressive, Reasons &reasons);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHGROUPS_H
