// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk over all points of a bounded system, in lexicographic order.
//
//   PointWalk walk(arena, System::of(map.domain), map.results);
//   Budget budget{.steps = 1'000'000};
//   walk.run(budget, [&](llvm::ArrayRef<int64_t> point,
//                        llvm::ArrayRef<int64_t> results) {
//     ...                      // dims, ranges, runtimes; the results there
//     return true;             // false stops the walk
//   });
//
// The walk is depth first. An expression is evaluated as soon as its last
// variable has a value, and a constraint that fails cuts off everything below.
// So a walk costs the values it tries, not the box.
//
// The first points are tried one by one, since most walks end early. Then the
// values of the last variable are tried in blocks, by a compiled program
// (CompiledExprs.h), where intervals prove that every expression has a value. One by
// one a step takes about 5 ns for each subexpression that it completes, in
// blocks about a tenth of that.
//
// Internal to the room.

#ifndef MERCATOR_INDEXING_EVALUATE_POINTWALK_H
#define MERCATOR_INDEXING_EVALUATE_POINTWALK_H

#include "mercator/indexing/evaluate/Budget.h"
#include "mercator/indexing/map/System.h"

namespace mercator::indexing {

class PointWalk {
public:
  /// Requires: the arena outlives the walk.
  PointWalk(const Arena &arena, const System &system,
            llvm::ArrayRef<Expr> outputs = {});
  ~PointWalk();
  PointWalk(PointWalk &&) noexcept;

  enum class End {
    Complete,   ///< every point was visited
    Stopped,    ///< the visitor returned false
    OverBudget, ///< more steps than allowed
    Undefined,  ///< a division by zero or a value outside int64
    Unbounded,  ///< a variable has no bound: nothing was visited
  };
  /// Both by position: of the system's variables, of the outputs.
  using Visitor = llvm::function_ref<bool(llvm::ArrayRef<int64_t> values,
                                          llvm::ArrayRef<int64_t> outputs)>;

  /// Visits the points until the budget is spent, and takes off what it used.
  /// A step that completes 64 subexpressions counts twice, and so on. Where the
  /// visitor stops the walk, up to a block of steps more may be taken off.
  End run(Budget &budget, Visitor visit);
  /// The same on other bounds.
  End run(llvm::ArrayRef<Interval> bounds, Budget &budget, Visitor visit);

private:
  struct Op {
    ExprKind kind;
    uint32_t level;        ///< 1 + the last variable it depends on, 0 for none
    uint32_t a = 0, b = 0; ///< operands, or first and number of terms
    int64_t constant = 0;
  };
  struct OpTerm {
    uint32_t operand;
    int64_t coefficient;
  };
  struct Check {
    uint32_t operand;
    Interval bounds;
  };
  class Blocks;

  std::optional<int64_t> evaluate(const Op &op) const;
  /// Evaluates what the variable at `level` completes. Empty: all constraints
  /// there hold; else true for "cut off", false for "undefined".
  std::optional<bool> enter(uint32_t level);
  End runOneByOne(llvm::ArrayRef<Interval> bounds, Budget &budget,
                  Visitor visit);
  /// The values of the last variable from the present one to `last`, in blocks.
  /// Nothing if the walk goes on.
  std::optional<End> runBlocks(int64_t last, Budget &budget, Visitor visit);
  [[nodiscard]] bool canUseBlocks(llvm::ArrayRef<Interval> bounds);
  [[nodiscard]] int64_t cost(uint32_t level) const {
    return 1 + (firstOp[level + 1] - firstOp[level]) / 64;
  }

  const Arena &arena;
  System system;
  llvm::SmallVector<Expr, 8> outputExprs;
  uint32_t numVars;
  llvm::SmallVector<Op, 32> ops; ///< by level, operands first
  llvm::SmallVector<OpTerm, 32> terms;
  llvm::SmallVector<uint32_t, 12> firstOp, firstCheck; ///< by level
  llvm::SmallVector<Check, 8> checks;
  llvm::SmallVector<uint32_t, 8> outputs;
  /// The values of the variables, then of the ops. `defined` likewise.
  llvm::SmallVector<int64_t, 32> value, outputValues;
  llvm::SmallVector<bool, 32> defined;
  bool hasUnknown = false;        ///< an expression uses another variable
  std::unique_ptr<Blocks> blocks; ///< once they are wanted
};

/// How the walk ended where that is no answer. Reads after "because of".
[[nodiscard]] const char *reasonOf(PointWalk::End end);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EVALUATE_POINTWALK_H
