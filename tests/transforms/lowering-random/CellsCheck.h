// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The law of dispatches from maps, by enumeration: an iteration and each element
/// of another member that it reads are in one cell (analysis/cells/Align.h). A member
/// that every cell computes reads no member with cells, and only members read it.
///
/// The elements are found from the affine maps of linalg and the definition of
/// each view, not from indexing maps.

#ifndef MERCATOR_TESTS_TRANSFORMS_LOWERING_RANDOM_CELLSCHECK_H
#define MERCATOR_TESTS_TRANSFORMS_LOWERING_RANDOM_CELLSCHECK_H

#include "mlir/Pass/PassInstrumentation.h"

#include <memory>
#include <string>

namespace mercator::testing {

struct CellsTally {
  int64_t edges = 0;      ///< within groups of several members, checked
  int64_t repeated = 0;   ///< of these from members that every cell computes
  int64_t unchecked = 0;  ///< too large, dynamic, or not of linalg
  std::string wrong = {}; ///< the first edge that breaks the law
};

/// Before each function's dispatches are formed, groups its operations by maps
/// for several devices, and checks each edge within a group. Requires: the
/// tally outlives the pass manager.
[[nodiscard]] std::unique_ptr<mlir::PassInstrumentation>
createCellsCheck(CellsTally &tally);

} // namespace mercator::testing

#endif // MERCATOR_TESTS_TRANSFORMS_LOWERING_RANDOM_CELLSCHECK_H
