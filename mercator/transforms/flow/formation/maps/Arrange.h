// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Brings the members of each group together.
///
///   %0 = matmul ...        group 0        %0 = matmul ...
///   %1 = matmul ...        group 1        %v = expand_shape %0   a copy
///   %2 = expand_shape %0   a view         %3 = exp ins(%v)
///   %3 = exp ins(%2)       group 0        %1 = matmul ...
///
/// Then each group can become a region at the place of its last member.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_ARRANGE_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_ARRANGE_H

#include "mercator/transforms/flow/formation/Blocks.h"
#include "mercator/transforms/flow/formation/DispatchGroups.h"
#include "mercator/transforms/flow/formation/maps/GroupOrder.h"

namespace mercator::flow {

/// Whether `op` only says where to look in the tensor that is its first operand:
/// a reshape, a slice, a cast, or a pad with a constant.
[[nodiscard]] bool isView(mlir::Operation *op);

/// What each operation of the blocks needs, by its number in `operations`: the
/// operations of its block that it uses, and, if it has effects, the last one
/// before it that has. Terminators need nothing and stay where they are.
[[nodiscard]] Dependences dependencesOf(const FormationBlocks &blocks);

/// Takes groups that need each other in a circle apart: each of their operations
/// becomes a group of its own. Grouping makes no circles; this is for the case
/// that it has a fault. Ensures: the groups can be arranged.
/// Complexity: linear in the operations and their operands, for each round in
/// which a group is taken apart.
void takeCirclesApart(mlir::FunctionOpInterface function,
                      DispatchGroups &grouping);

/// Moves the operations of each block so that the members of a group follow one
/// another, the root last, and gives each group copies of the views between its
/// members. Operations with effects keep their order, and others keep it as far
/// as possible. Pads that remain get a group each. Groups in a circle are taken
/// apart first. Complexity: n log n in the operations and their operands.
void arrange(mlir::FunctionOpInterface function, DispatchGroups &grouping);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_ARRANGE_H
