// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The effect of the RUN lines of a lit test, for programs that run passes in
/// process.
///
///   for (RunLine &line : readRunLines(text))     // `// RUN: mercator-opt ..`
///     if (line.pipeline)                        // "builtin.module(cse)"
///       ...
///   for (Chunk &chunk : splitChunks(text))      // at lines `// -----`

#ifndef MERCATOR_TESTS_TRANSFORMS_MEANING_RUNLINES_H
#define MERCATOR_TESTS_TRANSFORMS_MEANING_RUNLINES_H

#include "mlir/Pass/PassManager.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator::testing {

struct RunLine {
  /// The passes in the syntax of mlir::parsePassPipeline; nothing if the line
  /// runs anything but mercator-opt with passes.
  std::optional<std::string> pipeline;
  /// Command line options of passes: name and value.
  std::vector<std::pair<std::string, std::string>> flags;
};

struct Chunk {
  std::string text;
  /// The number of its first line, from 1.
  unsigned line = 1;
};

std::vector<RunLine> readRunLines(llvm::StringRef text);

/// The programs of a file; a single one unless a RUN line has
/// `split-input-file`.
std::vector<Chunk> splitChunks(llvm::StringRef text);

/// Sets the options of a RUN line during its lifetime.
class WithFlags {
public:
  explicit WithFlags(const RunLine &line);
  ~WithFlags();
  /// Whether this program has all of those options.
  [[nodiscard]] bool isKnown() const { return known; }

private:
  std::vector<std::string> set;
  bool known = true;
};

} // namespace mercator::testing

#endif // MERCATOR_TESTS_TRANSFORMS_MEANING_RUNLINES_H
