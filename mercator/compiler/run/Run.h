// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What `mercator run` is asked.

#ifndef MERCATOR_COMPILER_RUN_RUN_H
#define MERCATOR_COMPILER_RUN_RUN_H

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Inputs.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/compiler/run/Results.h"
#include "mercator/reference/core/Perturbation.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mercator {

class Processes;

struct RunOptions {
  /// The function or graph to run, as in `inner/main`; empty for the entry.
  std::string function = {};
  /// One for each parameter: `random:SEED[:SCALE]`, `dense<..> : tensor<..>`, or the
  /// name of an .npy file. A last `random:SEED` stands for all that follow.
  std::vector<std::string> inputs = {};
  /// For the first parameters; `inputs` are then for those that follow.
  std::vector<GivenArray> arrays = {};
  int64_t replicas = 1, partitions = 1;
  /// All of them; 0: replicas * partitions. Where these are 1, the program says them
  /// (Grid.h).
  int64_t processes = 0;
  /// For machine code: the processes that run the program, of which this is one. At
  /// process 0, the results are those of all; the others have none.
  Processes *mpi = nullptr;
  /// Draws the elements of constants that the text leaves out.
  std::optional<RandomElements> fillSeed = {};
  /// Lower the program to this stage, and evaluate the lowered program. Inputs
  /// and results have the types of the source at any stage.
  Stage through = Stage::Source;
  LoweringOptions lowering = {};
  /// How often machine code runs.
  int64_t repeat = 1;
  /// How many threads run a kernel; 0: the runtime's default.
  int64_t threads = 0;
  /// How machine code is made and run. Results have the trace of the last run.
  NativeOptions native = {};
  /// Results say how long each dispatch took. Requires: native.isTraced.
  bool explains = false;
  /// Measure schedules, and take the best (native/Tune.h). Results say which.
  bool tunes = false;
  /// Where machine code is kept; empty: it is compiled anew.
  std::string cache = {};
  /// Keep the machine code with the compilation, for runs that follow. One code is
  /// kept, with its memory.
  bool keepsCode = false;
  /// Round up or down at random in the evaluator (Perturbation.h).
  std::optional<reference::Perturbation::Options> perturbation = {};
  /// Instructions of the function whose values are shown after the results.
  std::vector<std::string> print = {};
  /// Called when a phase of machine code begins.
  std::function<void(const char *phase)> onPhase = {};
  /// Called for each tensor that the program shows while it runs.
  std::function<void(llvm::StringRef name, const reference::Tensor &)> show =
      {};
};

/// What the machine code of a program depends on.
void addTo(CacheKey &key, const RunOptions &options);

} // namespace mercator

#endif // MERCATOR_COMPILER_RUN_RUN_H
