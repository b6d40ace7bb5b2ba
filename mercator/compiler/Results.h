// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Where the results of `mercator run` go: to a person, to a program
/// (`--json`), or into files (`-o`).

#ifndef MERCATOR_TOOLS_DRIVER_RUNRESULTS_H
#define MERCATOR_TOOLS_DRIVER_RUNRESULTS_H

#include "mercator/reference/core/Evaluator.h"
#include "mercator/tools/driver/Command.h"

#include <optional>

namespace mercator {

/// What a program gave.
struct RunResults {
  llvm::StringRef module, function;
  int64_t partitions = 1;
  /// Of each process, in the order of their numbers.
  std::vector<std::vector<reference::Value>> values;
  reference::Evaluator::Checks checks;
};

class RunOutput {
public:
  /// What the options ask for. Nothing after an error.
  static std::optional<RunOutput> choose(Invocation &invocation);

  /// Fails, after an error, where there is no place for so many tensors.
  llvm::LogicalResult expect(size_t tensors);

  /// Something that the program shows while it runs.
  void show(llvm::StringRef name, const reference::Tensor &tensor);

  /// Fails, after an error, where a file cannot be written.
  llvm::LogicalResult write(const RunResults &results);

private:
  /// Where `-o` leads.
  enum class Form { stream, jsonFile, npyFile, npyFolder };

  RunOutput(Invocation &invocation, Form form)
      : invocation(&invocation), form(form) {}
  llvm::LogicalResult save(const RunResults &results);

  Invocation *invocation;
  Form form;
};

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_RUNRESULTS_H
