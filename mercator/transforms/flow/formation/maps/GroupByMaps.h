// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Dispatches from indexing maps.
///
/// Each operation begins as a group of its own, with a cell for each iteration
/// of its parallel loops. Two groups become one if
///
///   legality     no third group reads what the one computes and feeds the
///                other (GroupOrder.h), and both have no effects
///   cells        the maps along all edges between them leave common cells
///                (analysis/cells/Align.h); without any there is one cell.
///                Or the reader keeps its cells, and each tile of them computes
///                again what the writer does, if no one else needs that
///   feasibility  the part of the tensors between them that a cell needs fits
///                into the cache of a core
///   profit       one dispatch takes less time than two (Traffic.h): what is no
///                longer moved to and from memory is worth more than cores that
///                lose their cells and tensors that are read again
///
/// Edges are asked in the order of the bytes between the two; first those from
/// a producer to a consumer, then those between operations that read one tensor
/// by the same map and have the same cells, such as the three products of an
/// attention.
/// The maps go through reshapes, slices, pads and casts.
///
/// The objective is the time that Traffic.h estimates for the whole function.
/// No merge makes it longer.
///
/// Then the target reviews the result, if it knows how long its own schedules take
/// (DispatchTime.h). A group is divided again along its merges, the last one first,
/// where that is faster: cells that do not pay are given up.
///
/// Complexity: edges * log(edges), times the cost of composing two maps. The target is
/// asked about at most a constant number of operations for each of the function. The
/// search for a third group between two visits at most GroupOrder::kMaxVisits
/// groups, and says so in the reason where it stops.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_GROUPBYMAPS_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_GROUPBYMAPS_H

#include "mercator/transforms/flow/formation/DispatchGroups.h"
#include "mercator/transforms/flow/formation/DispatchTime.h"
#include "mercator/transforms/flow/formation/Reasons.h"
#include "mercator/transforms/flow/formation/maps/Traffic.h"

namespace mercator::flow {

/// Two operations that the user wants in one dispatch: their lines in the text,
/// and which of the edges between these lines, from 1.
struct FusedLines {
  unsigned producer, consumer, number = 1;
  bool operator==(const FusedLines &) const = default;
};

/// Groups the operations of a function; changes nothing. Operations of `fused`
/// share a dispatch at any cost, unless that is impossible. `reasons` receives the
/// reasons. `time`, if there is one, reviews the groups.
DispatchGroups groupByMaps(mlir::FunctionOpInterface function,
                           const Machine &machine,
                           llvm::ArrayRef<FusedLines> fused, Reasons &reasons,
                           DispatchTime *time = nullptr);

/// What other groups of the function take, by the same estimate.
Totals estimateGroups(mlir::FunctionOpInterface function,
                      const Machine &machine, const DispatchGroups &grouping,
                      Reasons &reasons);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_GROUPBYMAPS_H
