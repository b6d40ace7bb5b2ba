// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The results of a program on concrete tensors, and their three forms: text,
/// JSON (`mercator.run/1`) and .npy files.

#ifndef MERCATOR_COMPILER_RESULTS_H
#define MERCATOR_COMPILER_RESULTS_H

#include "mercator/reference/core/Evaluator.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace mercator {

struct RunResults {
  std::string module, function;
  int64_t partitions = 1;
  /// Of each process, in the order of their numbers: replica 0 first, its
  /// partitions from 0 on.
  std::vector<std::vector<reference::Value>> values;
  reference::Evaluator::Checks checks;
  /// Of each run of machine code; empty if the program was evaluated.
  std::vector<double> seconds = {};
  /// From the program to machine code.
  double compileSeconds = 0;
};

/// A tensor or a token of the results. A member of a tuple has a number of two
/// parts, `0.1`.
struct ResultLeaf {
  const reference::Value *value;
  int64_t replica, partition;
  std::string number;

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

/// Writes each tensor to an .npy file: to the file `path` if there is one, or
/// to files such as `0.npy` in the folder `path`, which is created. Writes a
/// line for each file to `os`.
[[nodiscard]] llvm::Error saveNpy(const RunResults &results,
                                  llvm::StringRef path, bool isFolder,
                                  llvm::raw_ostream &os);

} // namespace mercator

#endif // MERCATOR_COMPILER_RESULTS_H
