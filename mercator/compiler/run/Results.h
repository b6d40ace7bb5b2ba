// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The results of a program on concrete tensors, and their three forms: text,
/// JSON (`mercator.run/1`) and .npy files.

#ifndef MERCATOR_COMPILER_RUN_RESULTS_H
#define MERCATOR_COMPILER_RUN_RESULTS_H

#include "mercator/compiler/native/Tune.h"
#include "mercator/reference/core/Evaluator.h"
#include "mercator/support/Phases.h"
#include "mercator/targets/cpu/estimate/Time.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator {

/// How long a dispatch took, and how long the estimate says.
struct DispatchTime {
  std::string name;  ///< the operations, as the user calls them
  int64_t calls = 0; ///< in one run
  /// Of all calls of one run: the least and the median of the runs, in nanoseconds.
  double least = 0, median = 0;
  std::optional<cpu::Time> predicted = {}; ///< of one call
};

struct RunResults {
  std::string module, function;
  int64_t partitions = 1;
  /// The results of each process, in the order of their numbers: replica 0 first,
  /// its partitions from 0 on.
  std::vector<std::vector<reference::Value>> values;
  reference::Evaluator::Checks checks;
  /// The names of the last values, which are no results of the function.
  std::vector<std::string> printed = {};
  /// With RunOptions::perturbation: the largest magnitude of a float that the
  /// evaluator rounded.
  double largest = 0;
  /// The time of each run of machine code; empty if the program was evaluated.
  std::vector<double> seconds = {};
  /// From the program to machine code.
  Phases phases = {};
  /// Whether the machine code was read from the cache.
  bool isCached = false;
  /// For machine code: the threads of a kernel, and the CPU as LLVM calls it.
  int64_t threads = 0;
  std::string cpu = {};
  /// In the form of runtime/Trace.h; empty without RunOptions::trace.
  std::string trace = {};
  /// With RunOptions::tunes, if the machine code was not read from the cache.
  std::vector<TunedDispatch> tuned = {};
  /// With RunOptions::explains.
  std::vector<DispatchTime> dispatches = {};
};

/// A tensor or a token of the results. A member of a tuple has a number of two
/// parts, `0.1`. A printed value has its name instead.
struct ResultLeaf {
  const reference::Value *value;
  int64_t replica, partition;
  std::string number;
  bool isPrinted = false;
  bool isOfSeveral = false; ///< processes

  /// `result 0`, or the name of a printed value; `process (0, 1), result 0`.
  [[nodiscard]] std::string title() const {
    std::string own = isPrinted ? number : "result " + number;
    if (!isOfSeveral)
      return own;
    return "process (" + std::to_string(replica) + ", " +
           std::to_string(partition) + "), " + own;
  }

  /// Null for a token.
  [[nodiscard]] const reference::Tensor *tensor() const {
    return value->tensor();
  }
};
/// Requires: `results` outlives the leaves.
[[nodiscard]] std::vector<ResultLeaf> leavesOf(const RunResults &results);

/// The text of a tensor after a title, shortened if it has more than a thousand
/// elements.
void writeText(llvm::StringRef title, const reference::Tensor &tensor,
               llvm::raw_ostream &os);
void writeText(const RunResults &results, llvm::raw_ostream &os);
void writeJson(const RunResults &results, llvm::raw_ostream &os);

/// The members of the JSON before the results, and of a result before its elements.
void writeHead(const RunResults &results, llvm::json::OStream &json);
void writeHead(const ResultLeaf &leaf, llvm::json::OStream &json);

/// Writes all tensors to one .npz file, under names such as `0`. If the only result is
/// a tuple, its members are `0`, `1` and so on.
[[nodiscard]] llvm::Error saveNpz(const RunResults &results,
                                  llvm::StringRef path, llvm::raw_ostream &os);

/// Writes each tensor to an .npy file: to the file `path` if there is one, or
/// to files such as `0.npy` in the folder `path`, which is created. Writes a
/// line for each file to `os`.
[[nodiscard]] llvm::Error saveNpy(const RunResults &results,
                                  llvm::StringRef path, bool isFolder,
                                  llvm::raw_ostream &os);

} // namespace mercator

#endif // MERCATOR_COMPILER_RUN_RESULTS_H
