// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A system is some variables with bounds, and constraints that speak of no
// others.
//
//   d0 in [0, 9], d1 in [0, 9], d2 in [0, 9], d0 + d2 in [0, 5]
//     falls apart into the systems { d0, d2; d0 + d2 in [0, 5] } and { d1; }
//
// The points of a domain are the product of the points of its independent
// parts, so what is asked of a domain (is it empty? how many points?) is asked
// of each part, where it is smaller by orders of magnitude.
//
// `PointWalk` visits the points of a system depth first. An expression is
// evaluated as soon as its last variable has a value, and a constraint that
// fails cuts off everything below: a walk costs the assignments it tries, not
// the box.
//
// Internal to the room.

#ifndef MERCATOR_INDEXING_MAP_SYSTEM_H
#define MERCATOR_INDEXING_MAP_SYSTEM_H

#include "mercator/indexing/map/Domain.h"

namespace mercator::indexing {

struct System {
  llvm::SmallVector<Var, 8> vars;
  llvm::SmallVector<Interval, 8> bounds;
  llvm::SmallVector<Constraint, 8> constraints;

  /// The whole of a domain. Variables in the domain's order.
  static System of(const Domain &domain);
  /// The product of the sizes of the bounds, where it fits int64.
  [[nodiscard]] std::optional<int64_t> boxSize() const;
};

/// Each variable that e uses, once, in no particular order.
[[nodiscard]] llvm::SmallVector<Var, 8> usedVars(const Arena &arena, Expr e);

/// Position of a variable in the list dims, ranges, runtimes of a domain.
[[nodiscard]] uint32_t slotOf(const Domain &domain, Var v);

/// The finest split of a system such that no constraint and no expression of
/// `together` uses variables of two parts. Constraints without variables are in
/// no part.
[[nodiscard]] llvm::SmallVector<System, 4>
independentParts(const Arena &arena, const System &system,
                 llvm::ArrayRef<Expr> together = {});

/// Visits the points of a system and the values of some expressions there.
class PointWalk {
public:
  PointWalk(const Arena &arena, const System &system,
            llvm::ArrayRef<Expr> outputs = {});

  enum class End {
    Complete,  ///< every point was visited
    Stopped,   ///< the visitor returned false
    OutOfFuel, ///< more assignments than allowed
    Undefined, ///< a division by zero or a value outside int64, at `values()`
    Unbounded, ///< a variable has no bound: nothing was visited
  };
  /// Both by position: of the system's variables, of the outputs.
  using Visitor = llvm::function_ref<bool(llvm::ArrayRef<int64_t> values,
                                          llvm::ArrayRef<int64_t> outputs)>;

  /// Tries at most `fuel` assignments of a value to a variable (fewer where one
  /// completes more than 64 subexpressions); takes off `fuel` what it used.
  /// Points come in lexicographic order.
  End run(int64_t &fuel, Visitor visit);
  /// The same on other bounds.
  End run(llvm::ArrayRef<Interval> bounds, int64_t &fuel, Visitor visit);

  /// The point that the walk ended at.
  [[nodiscard]] llvm::ArrayRef<int64_t> values() const {
    return llvm::ArrayRef<int64_t>(value).take_front(numVars);
  }

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

  std::optional<int64_t> evaluate(const Op &op) const;
  /// Evaluates what the variable at `level` completes. Empty: all constraints
  /// there hold; else true for "cut off", false for "undefined".
  std::optional<bool> enter(uint32_t level);

  unsigned numVars;
  llvm::SmallVector<Interval, 8> given;
  llvm::SmallVector<Op, 32> ops; ///< by level, operands first
  llvm::SmallVector<OpTerm, 32> terms;
  llvm::SmallVector<uint32_t, 12> firstOp, firstCheck; ///< by level
  llvm::SmallVector<Check, 8> checks;
  llvm::SmallVector<uint32_t, 8> outputs;
  /// Of the variables, then of the ops. `defined` likewise.
  llvm::SmallVector<int64_t, 32> value, outputValues;
  llvm::SmallVector<bool, 32> defined;
};

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_MAP_SYSTEM_H
