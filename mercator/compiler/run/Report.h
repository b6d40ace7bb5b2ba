// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What `mercator run` says of a program instead of its results: how long it took,
/// and whether the results are those that were expected. As text and as JSON
/// (`mercator.run/1`).

#ifndef MERCATOR_COMPILER_RUN_REPORT_H
#define MERCATOR_COMPILER_RUN_REPORT_H

#include "mercator/compiler/run/Compare.h"

namespace mercator {

struct RunReport {
  struct Compared {
    llvm::StringRef with; ///< `evaluator` or `files`
    std::vector<Difference> rows;
    [[nodiscard]] bool isEqual() const;
  };
  const RunResults *results;
  bool isTimed = false;
  std::vector<Compared> compared = {};
};

/// The median and the least of the runs' times.
void writeTimes(const RunResults &results, llvm::raw_ostream &os);
/// A line for each dispatch that ran: its time, and that of the estimate by cause.
void writeDispatches(const RunResults &results, llvm::raw_ostream &os);
/// A line for each dispatch that was measured: its time with the schedule that is chosen,
/// and with the best one.
void writeTuned(const RunResults &results, llvm::raw_ostream &os);
/// A line for each tensor.
void writeText(const RunReport::Compared &compared, llvm::raw_ostream &os);
/// The results have no elements, but `comparisons`.
void writeJson(const RunReport &report, llvm::raw_ostream &os);

} // namespace mercator

#endif // MERCATOR_COMPILER_RUN_REPORT_H
