// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Whether two programs, one made from the other by passes, mean the same: both
/// are run by the reference evaluator on random arguments.
///
///   Meaning meaning(*before, *after, {.seed = 7});
///   for (const FunctionVerdict &verdict : meaning.compare())
///     if (verdict.kind == FunctionVerdict::differs) ..
///
/// What counts is what the program gives back, what it stores in globals, and
/// what it hands to operations and functions that nothing is known of (with
/// their order). Each program is run twice, with different elements in what
/// nobody has written (`tensor.empty`); what these make a difference to in the
/// first program has no meaning, and the second may do there as it likes.

#ifndef MERCATOR_TESTS_TRANSFORMS_MEANING_MEANING_H
#define MERCATOR_TESTS_TRANSFORMS_MEANING_MEANING_H

#include "mercator/reference/core/Evaluator.h"

#include <random>

namespace mercator::testing {

/// The shape that a parameter of the first program is to have, for those that
/// know it.
inline constexpr llvm::StringLiteral kShapeAttribute = "test.shape";

/// The value that a parameter of the first program, a whole number, is to have.
inline constexpr llvm::StringLiteral kValueAttribute = "test.value";

struct Tolerance {
  /// How far floats may be apart, in units of the last place of the largest one
  /// of their tensor. 0: bit for bit, but any NaN for any NaN.
  double ulps = 0;
};

struct MeaningOptions {
  uint64_t seed = 1;
  Tolerance tolerance;
  /// Whether a global without an initial value may hold anything (it is the
  /// same in both programs), and not nothing at all: its loads cannot become
  /// what is stored later.
  bool globalsHoldSomething = true;
  /// Element operations that a run may take.
  int64_t work = 3'000'000;
  /// How many lists of arguments each function is run with.
  int runs = 3;
};

struct FunctionVerdict {
  /// `silent`: it ran, but nothing that it gives is defined.
  enum Kind { same, differs, notRun, silent } kind;
  std::string function;
  /// Why it differs, or could not be run.
  std::string why;
};

class Meaning {
public:
  Meaning(mlir::ModuleOp before, mlir::ModuleOp after, MeaningOptions options)
      : before(before), after(after), options(options) {}

  /// One verdict for each function with a body in the program before; and one,
  /// called "(all)", for calling all of them one after the other, twice.
  std::vector<FunctionVerdict> compare();

private:
  struct Call {
    mlir::func::FuncOp before, after;
    std::vector<reference::Value> arguments;
  };
  struct Event;
  struct Outcome;
  /// How a run ended that gave nothing.
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
