// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Which operations form a dispatch. The program is unchanged; Regions.h creates
/// the dispatches.
///
///   %0 = linalg.fill ...                  in no group: cloned into its users
///   %1 = linalg.matmul outs(%0) ...       group 0
///   %2 = linalg.add ins(%1, %b) ...       group 0, its root
///   %3 = linalg.transpose ins(%2) ...     group 1
///
/// maps/GroupByMaps.h makes the groups from indexing maps, seed/GroupByHeuristic.h
/// by the seed's rules.
///
/// A dispatch is placed at its root, so every user of a group outside of it
/// comes after the root. Members can therefore move down, and there are no
/// cyclic dependences between dispatches.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHGROUPS_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHGROUPS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace mercator::flow {

struct Group {
  mlir::Operation *root = nullptr;
  /// The members in program order; the root is the last.
  llvm::SmallVector<mlir::Operation *> members;
};

struct DispatchGroups {
  /// In the order of their roots.
  llvm::SmallVector<Group> groups;
  /// The group of each member.
  llvm::DenseMap<mlir::Operation *, unsigned> groupOf;
  /// The visited operations, block by block, in order.
  llvm::SmallVector<mlir::Operation *> operations;
  /// With groups from maps: for each member of a group of several the map from
  /// its iterations to the cell that they are in (analysis/cells/Align.h). Null
  /// if it is no affine map.
  llvm::DenseMap<mlir::Operation *, mlir::AffineMap> cells;
  /// Members that each cell needs whole, and no other dispatch: a cell, or a tile of
  /// cells, computes them again. They have no cells.
  llvm::DenseSet<mlir::Operation *> repeated;
  /// Operations that were in a group which needed another one in a circle
  /// (maps/Arrange.h). Each is alone.
  llvm::DenseSet<mlir::Operation *> apart;

  bool isMember(mlir::Operation *op) const { return groupOf.contains(op); }
};

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHGROUPS_H
