// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Which instructions of a program a question is about.
///
///   {}                               all
///   {.operation = "fusion"}          fusions
///   {.operation = "dynamic*"}        dynamic_slice, dynamic_update_slice, ...
///   {.computation = "main"}          the instructions of main
///   {.match = "%convolution.*"}      by name; the `%` may be omitted
///
/// The members are patterns of a shell: `*` any text, `?` one character, `[ab]`
/// one of these. All of them must fit.

#ifndef MERCATOR_COMPILER_PROGRAM_SELECTION_H
#define MERCATOR_COMPILER_PROGRAM_SELECTION_H

#include "mercator/support/Diagnostic.h"

#include "llvm/Support/GlobPattern.h"

#include <memory>
#include <optional>
#include <string>

namespace mercator {

struct Selection {
  std::optional<std::string> operation = {}, computation = {}, match = {};
};

/// A selection whose patterns were read.
class Selector {
public:
  /// All instructions.
  Selector() = default;
  /// None after an error: a pattern that cannot be read. The options are named
  /// --op, --computation and --match in it.
  [[nodiscard]] static std::optional<Selector>
  make(const Selection &selection, DiagnosticEngine &diagnostics);

  [[nodiscard]] bool hasComputation(llvm::StringRef name) const {
    return fits(computation, name);
  }
  /// `operation` is the name with its dialect, `stablehlo.add`. Patterns may
  /// omit the dialect.
  [[nodiscard]] bool hasInstruction(llvm::StringRef name,
                                    llvm::StringRef operation) const;

private:
  struct Pattern {
    std::shared_ptr<const std::string> text; ///< the glob refers to it
    std::optional<llvm::GlobPattern> glob;
  };
  static bool fits(const Pattern &pattern, llvm::StringRef text) {
    return !pattern.glob || pattern.glob->match(text);
  }

  Pattern operation, computation, match;
};

/// `add` of `stablehlo.add`.
[[nodiscard]] inline llvm::StringRef shortName(llvm::StringRef operation) {
  return operation.contains('.') ? operation.split('.').second : operation;
}

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_SELECTION_H
