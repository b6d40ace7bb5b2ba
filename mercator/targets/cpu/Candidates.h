// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Schedules that are worth measuring: for each expensive dispatch, those that the
/// estimate takes for the best.
///
///   std::vector<DispatchCandidates> all =
///       *candidatesOf(*module, "main", machine, 50'000, 10); // at flow
///   for (const DispatchCandidates &dispatch : all)
///     applySchedule(dispatch.function, dispatch.candidates[1]);
///
/// The module has the schedules of the machine then (Schedules.h), and those of candidate
/// 1 in the expensive dispatches. A candidate differs from the schedule that is chosen
/// in one decision: the register tile and what is packed of one product, the rows and
/// parts of one loop over tiles, or of one loop over rows.
///
/// Laws. Candidate 0 is the schedule that is chosen. All candidates have its order of
/// sums, and so its bits. Each one is possible: its kernel was made.
///
/// Cost: that of about a hundred kernels for each decision of an expensive dispatch.

#ifndef MERCATOR_TARGETS_CPU_CANDIDATES_H
#define MERCATOR_TARGETS_CPU_CANDIDATES_H

#include "mercator/targets/cpu/machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mercator::cpu {

/// An attribute of an operation of a dispatched function.
struct ScheduleChange {
  unsigned operation; ///< its number among those of linalg
  llvm::StringRef name;
  mlir::Attribute value; ///< null: the compiler chooses
};

struct ScheduleCandidate {
  std::vector<ScheduleChange> changes; ///< of the schedule that is chosen
  double predicted = 0;                ///< in nanoseconds, of one call
  /// For people, what changes: `rows=14 vectors=2 parts=64`.
  std::string from, to;
};

struct DispatchCandidates {
  std::string kernel; ///< the symbol of its code
  mlir::func::FuncOp function;
  std::vector<ScheduleCandidate>
      candidates; ///< the best one of the estimate first,
                  ///< but for candidate 0
};

/// Writes schedules to the module (Schedules.h). The candidates of the dispatches that
/// take at least so long by the estimate, at most `most` of each. Fails after an error.
[[nodiscard]] llvm::FailureOr<std::vector<DispatchCandidates>>
candidatesOf(mlir::ModuleOp module, llvm::StringRef function,
             const Machine &machine, double leastNanoseconds, size_t most);

/// The attributes of a function, as a candidate without a prediction.
[[nodiscard]] ScheduleCandidate scheduleOf(mlir::func::FuncOp function);

/// Sets the attributes of the operations of the function, which may be a clone.
void applySchedule(mlir::func::FuncOp function,
                   const ScheduleCandidate &candidate);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_CANDIDATES_H
