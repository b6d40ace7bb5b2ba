// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Where the results of `mercator run` go: to a person, to a program
/// (`--json`), or into files (`-o`).

#ifndef MERCATOR_TOOLS_DRIVER_RUNRESULTS_H
#define MERCATOR_TOOLS_DRIVER_RUNRESULTS_H

#include "mercator/reference/Evaluator.h"
#include "mercator/tools/driver/Command.h"

#include <optional>

namespace mercator {

class RunOutput {
public:
  /// What the options ask for. Nothing after an error.
  static std::optional<RunOutput> choose(Invocation &invocation);

  /// Something that the program shows while it runs.
  void show(llvm::StringRef name, const reference::Tensor &tensor);

  /// Fails, after an error, where a file cannot be written.
  llvm::LogicalResult write(llvm::StringRef module, llvm::StringRef function,
                            llvm::ArrayRef<reference::Value> results,
                            reference::Evaluator::Checks checks);

private:
  explicit RunOutput(Invocation &invocation) : invocation(&invocation) {}
  void writeText(llvm::ArrayRef<reference::Value> results,
                 reference::Evaluator::Checks checks);
  void writeJson(llvm::raw_ostream &os, llvm::StringRef module,
                 llvm::StringRef function,
                 llvm::ArrayRef<reference::Value> results,
                 reference::Evaluator::Checks checks);

  Invocation *invocation;
};

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_RUNRESULTS_H
