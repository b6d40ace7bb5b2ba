// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Dispatches by the seed's rules.
///
///   %1 = linalg.matmul outs(%0) ...       group 0
///   %2 = linalg.add ins(%1, %b) ...       group 0, its root
///   %3 = linalg.transpose ins(%2) ...     group 1
///
/// Each outermost loop on numbers is a group (ScalarLoops.h). Other blocks are
/// processed one by one, including the bodies of other scf operations. In
/// a block, roots (Candidates.h) are processed from the last to the first. Each
/// root pulls in producers as long as the questions allow it (Questions.h).
/// Then each root, again from the last, moves into its consumer, which becomes
/// the new root, as long as the questions allow it. Remaining elementwise
/// operations get their own dispatches.
///
/// Source: the seed's createFormDispatchRegionsPass. Time is O(n log n) in the
/// number of operands and uses; the factor log n comes from heaps.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_SEED_GROUPBYHEURISTIC_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_SEED_GROUPBYHEURISTIC_H

#include "mercator/transforms/flow/formation/DispatchGroups.h"
#include "mercator/transforms/flow/formation/Reasons.h"

namespace mercator::flow {

/// `reasons` is told why.
DispatchGroups groupByHeuristic(mlir::FunctionOpInterface function,
                                bool aggressive, Reasons &reasons);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_SEED_GROUPBYHEURISTIC_H
