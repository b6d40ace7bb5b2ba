// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The schedules of a program, measured on this machine.
///
///   auto tuned = tune(*module, "main", options, {1, arguments}); // at flow
///   for (const TunedDispatch &dispatch : tuned->dispatches)
///     os << dispatch.name << ": " << dispatch.from << " => " << dispatch.to;
///   auto native = NativeProgram::link(std::move(tuned->code), ..);
///
/// Dispatches of 50 microseconds and more by the estimate are measured with the ten
/// schedules that the estimate takes for the best (targets/cpu/Candidates.h). Program k
/// has schedule k in all of these dispatches, so ten programs are compiled, however many
/// dispatches there are. At the end, the program of all winners runs in turn with that
/// of the schedules that are chosen, and a dispatch keeps its winner only if it is
/// faster again.
///
/// Law. The results have the bits of the program that is not tuned.
///
/// Cost: the time to compile about a dozen programs, and to run each for 50 milliseconds
/// or three times.

#ifndef MERCATOR_COMPILER_NATIVE_TUNE_H
#define MERCATOR_COMPILER_NATIVE_TUNE_H

#include "mercator/compiler/native/Native.h"

namespace mercator {

/// A dispatch that was measured. Times are those of all calls in one run, the least of
/// several runs, in nanoseconds.
struct TunedDispatch {
  std::string name;       ///< the operations, as the user calls them
  int64_t candidates = 0; ///< schedules that were measured
  double chosen = 0;      ///< with the schedule that is chosen
  double best = 0;        ///< with the winner; equal to `chosen` if that won
  std::string from = {}, to = {}; ///< what the winner changes; empty if nothing
};

struct Tuned {
  NativeCode code;
  std::vector<TunedDispatch> dispatches;
};

struct TuningRun {
  int64_t threads = 1;
  /// The arguments of a function of this type at flow; fails after an error.
  llvm::function_ref<llvm::FailureOr<std::vector<reference::Value>>(
      mlir::FunctionType)>
      arguments;
};

/// Rewrites the module. Fails after an error.
[[nodiscard]] llvm::FailureOr<Tuned>
tune(mlir::ModuleOp module, llvm::StringRef function,
     const NativeOptions &options, const TuningRun &run,
     Phases *phases = nullptr, ElementsOfConstant elements = nullptr);

} // namespace mercator

#endif // MERCATOR_COMPILER_NATIVE_TUNE_H
