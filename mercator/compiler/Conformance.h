// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Test programs that carry their expected results, run by the reference
/// evaluator.
///
/// A file holds one program, or several with `// -----` lines between them. A
/// case is a function without arguments that nothing else names: it is called.
/// A program without any is read, verified, printed and read again.

#ifndef MERCATOR_TOOLS_DRIVER_CONFORMANCECASES_H
#define MERCATOR_TOOLS_DRIVER_CONFORMANCECASES_H

#include "mercator/support/Diagnostic.h"

#include <string>
#include <vector>

namespace mercator {

enum class Outcome { pass, fail, unsupported, roundTrip };

struct ConformanceCase {
  /// The operation whose result the checks are about.
  std::string operation = {};
  /// Empty where the whole program could not be read.
  std::string function = {};
  Outcome outcome = Outcome::pass;
  int64_t checks = 0;
  /// The first diagnostic, and its line (0: none).
  std::string reason = {};
  unsigned line = 0;
};

/// All cases of a file.
[[nodiscard]] std::vector<ConformanceCase>
runConformance(const SourceBuffer &source);

/// Whether whoever wrote the file turned its test off.
[[nodiscard]] bool isDisabled(const SourceBuffer &source);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_CONFORMANCECASES_H
