// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decision table of gathers, row by row: the row of a plan.

#ifndef MERCATOR_TESTS_TARGETS_ASCEND_GATHER_ROWS_H
#define MERCATOR_TESTS_TARGETS_ASCEND_GATHER_ROWS_H

#include "mercator/targets/ascend/gather/Planner.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <cstdio>

namespace mercator::gather {

/// The roles of the operand's dimensions: points P and windows W are indexed, B
/// follows the batch, F is taken whole.
inline constexpr std::array<const char *, 17> rowNames = {
    "a result without elements: empty",
    "one slice, constant start: static slice",
    "one slice: Slice",
    "no P, W, B: Reshape, BroadcastTo",
    "B only: Transpose, BroadcastTo",
    "1 P: GatherV2",
    "1 W: GatherV2 of start + Range",
    "1 P + B: GatherV2 with batch_dims",
    "1 W + B: GatherV2 with batch_dims of start + Range",
    "1 P + B, no F: GatherElements",
    "2 P and more: GatherNd",
    "2 P, W and more, one a W: GatherNd of starts + Ranges",
    "1 and more of P, W, + B: GatherNd with coordinates of the batch",
    "anything: flat GatherV2",
    "constant starts of several slices: clamped at compile time",
    "a column of an iota: B",
    "P and W around F: IndexByTensor",
};

/// The rows of a gather's strategy: one, and additional properties.
inline Ints rowsOf(const GatherProblem &problem, Strategy strategy) {
  llvm::SmallVector<Role, 4> roles = problem.roles();
  bool batching = llvm::is_contained(roles, Role::Batching),
       windows = llvm::is_contained(roles, Role::Window);
  Ints rows;
  switch (strategy) {
  case Strategy::Constant:
    return {llvm::is_contained(problem.resultShape, 0) ? 0 : 1};
  case Strategy::NoGather:
    rows.push_back(batching ? 4 : 3);
    break;
  case Strategy::Slice:
    rows.push_back(2);
    break;
  case Strategy::GatherV2:
    rows.push_back(5 + windows + 2 * batching);
    break;
  case Strategy::GatherElements:
    rows.push_back(9);
    break;
  case Strategy::GatherNd:
    rows.push_back(batching ? 12 : windows ? 11 : 10);
    break;
  case Strategy::FlatGatherV2:
    rows.push_back(13);
    break;
  case Strategy::IndexByTensor:
    rows.push_back(16);
    break;
  }
  if (problem.constantStarts && problem.batchSize().number() > 1 &&
      strategy != Strategy::NoGather)
    rows.push_back(14);
  Ints paired = problem.batchingAxes();
  for (const Column &column : problem.columns)
    if (paired[column.dim] >= 0) {
      rows.push_back(15);
      break;
    }
  return rows;
}

using RowCounts = std::array<int64_t, rowNames.size()>;

inline void print(const RowCounts &counts) {
  for (auto [name, count] : llvm::zip_equal(rowNames, counts))
    std::printf("  %8ld  %s\n", long(count), name);
}

} // namespace mercator::gather

#endif // MERCATOR_TESTS_TARGETS_ASCEND_GATHER_ROWS_H
