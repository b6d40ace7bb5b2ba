// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Whether two programs, one derived from the other by passes, mean the same.
/// Both are run by the reference evaluator on random arguments.
///
///   Meaning meaning(*before, *after, {.seed = 7});
///   for (const FunctionVerdict &verdict : meaning.compare())
///     if (verdict.kind == FunctionVerdict::Differs) ..
///
/// The observable behavior is the results, the values stored in globals, and
/// the operands of unknown operations and functions, with their order. Each
/// program is run twice, with different contents of unwritten elements
/// (`tensor.empty`). Where the first program depends on these, it is undefined,
/// and the second program may do anything.

#ifndef MERCATOR_TESTS_TRANSFORMS_MEANING_MEANING_H
#define MERCATOR_TESTS_TRANSFORMS_MEANING_MEANING_H

#include "mercator/reference/core/Evaluator.h"

#include <random>

namespace mercator::testing {

/// The required shape of a parameter of the first program, if it has one.
inline constexpr llvm::StringLiteral kShapeAttribute = "test.shape";

/// The required value of an integer parameter of the first program.
inline constexpr llvm::StringLiteral kValueAttribute = "test.value";

struct Tolerance {
  /// The tolerance of floats, in units of the last place of the largest one of
  /// their tensor. 0: bit for bit, but any NaN matches a NaN.
  double ulps = 0;
};

struct MeaningOptions {
  uint64_t seed = 1;
  Tolerance tolerance;
  /// Whether a global without an initial value may hold anything (the same in
  /// both programs). Otherwise it is undefined: its loads cannot become a later
  /// stored value.
  bool globalsHoldSomething = true;
  /// Whether arguments have NaN, infinities, -0.0, and the extremes of integers.
  bool hasSpecials = false;
  /// The limit on element operations of a run.
  int64_t work = 3'000'000;
  /// The number of argument lists for each function.
  int runs = 3;
};

struct FunctionVerdict {
  /// `silent`: it ran, but none of its results is defined.
  enum Kind { Same, Differs, NotRun, Silent } kind;
  std::string function;
  /// Why it differs, or could not be run.
  std::string why;
};

class Meaning {
public:
  Meaning(mlir::ModuleOp before, mlir::ModuleOp after, MeaningOptions options)
      : before(before), after(after), options(options) {}

  /// One verdict for each function with a body in the program before; and one,
  /// with the name "(all)", for calling all of them in order, twice.
  std::vector<FunctionVerdict> compare();

private:
  struct Call {
    mlir::func::FuncOp before, after;
    std::vector<reference::Value> arguments;
  };
  struct Event;
  struct Outcome;
  /// The failure of a run without results.
  struct Failure {
    bool isUnsupported = false;
    std::string why;
  };

  std::optional<Outcome> run(bool isAfter, llvm::ArrayRef<Call> calls,
                             bool second, Failure &failure);
  FunctionVerdict compare(llvm::StringRef name, llvm::ArrayRef<Call> calls);
  std::optional<std::vector<reference::Value>>
  drawArguments(mlir::func::FuncOp function, int attempt, std::string &whyNot);

  mlir::ModuleOp before, after;
  MeaningOptions options;
};

} // namespace mercator::testing

#endif // MERCATOR_TESTS_TRANSFORMS_MEANING_MEANING_H
