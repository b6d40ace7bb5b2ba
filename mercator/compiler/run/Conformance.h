// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Test programs that carry their expected results, run by the reference
/// evaluator.
///
///   func.func @add() {                              one case
///     %sum = stablehlo.add %a, %b : tensor<2xi32>   its operation
///     check.expect_eq_const %sum, dense<[3, 5]> : tensor<2xi32>
///     return                                        its only check
///   }
///
/// A file holds one program, or several separated by `// -----` lines. A case
/// is a function without arguments that no operation refers to: it is called. A
/// program without such a function is read, verified, printed and read again.

#ifndef MERCATOR_COMPILER_RUN_CONFORMANCE_H
#define MERCATOR_COMPILER_RUN_CONFORMANCE_H

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Answer.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/support/Diagnostic.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace mercator {

enum class Outcome { Pass, Fail, Unsupported, RoundTrip };
inline constexpr size_t kOutcomes = 4;

struct ConformanceCase {
  /// The operation whose result is checked.
  std::string operation = {};
  /// Empty if the program could not be read.
  std::string function = {};
  Outcome outcome = Outcome::Pass;
  int64_t checks = 0;
  /// Whether its machine code was read from the cache.
  bool isCached = false;
  /// The first diagnostic, and its line (0: none).
  std::string reason = {};
  unsigned line = 0;
};

/// The number of cases with each outcome.
struct ConformanceTally {
  std::array<int64_t, kOutcomes> counts{};
  int64_t checks = 0;

  int64_t &operator[](Outcome outcome) { return counts[size_t(outcome)]; }
  int64_t operator[](Outcome outcome) const { return counts[size_t(outcome)]; }
  void add(const ConformanceCase &c);
};

struct ConformanceFile {
  std::string path;
  /// Its author disabled the test: it is run, but not counted.
  bool disabled = false;
  std::vector<ConformanceCase> cases;
};

struct ConformanceReport {
  std::vector<ConformanceFile> files;
  std::map<std::string, ConformanceTally> operations;
  ConformanceTally total;
  /// Cases whose machine code was read from the cache.
  int64_t cached = 0;
};

struct ConformanceOptions {
  /// Each case is lowered to this stage before it is evaluated, or run as machine
  /// code.
  Stage through = Stage::Source;
  LoweringOptions lowering = {};
  NativeOptions native = {};
  /// Where machine code is kept (CompileCache.h); empty: it is compiled anew.
  std::string cache = {};
};

/// The cases of one file.
[[nodiscard]] ConformanceFile
runConformance(const SourceBuffer &source,
               const ConformanceOptions &options = {});

/// Runs the file at each path, or all .mlir files in and below the folder, ordered
/// by name. Fails with `inputRejected` after an error if a path cannot be read
/// or a folder has no .mlir file.
Answer<ConformanceReport>
runConformance(llvm::ArrayRef<std::string> paths, DiagnosticEngine &diagnostics,
               const ConformanceOptions &options = {});

/// Writes `mercator.conformance/1`.
void writeJson(const ConformanceReport &report, llvm::raw_ostream &os);

} // namespace mercator

#endif // MERCATOR_COMPILER_RUN_CONFORMANCE_H
