// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A system is a list of variables with bounds, and constraints on these
// variables.
//
//   d0 in [0, 9], d1 in [0, 9], d2 in [0, 9], d0 + d2 in [0, 5]
//     splits into the systems { d0, d2; d0 + d2 in [0, 5] } and { d1; }
//
// The points of a domain are the product of the points of its independent
// parts. So a question about a domain (is it empty? how many points has it?) is
// answered for each part, which is smaller by orders of magnitude.
//
// `PointWalk` visits the points of a system depth first. It evaluates an
// expression as soon as the last of its variables has a value, and a constraint
// that fails cuts off the whole subtree: the cost of a walk is the number of
// assignments it tries, not the size of the box.
//
// Internal to this library.

#ifndef MERCATOR_INDEXING_MAP_SYSTEM_H
#define MERCATOR_INDEXING_MAP_SYSTEM_H

#include "mercator/indexing/map/Domain.h"

namespace mercator::indexing {

struct System {
  llvm::SmallVector<Var, 8> vars;
  llvm::SmallVector<Interval, 8> bounds;
  llvm::SmallVector<Constraint, 8> constraints;

  /// The system of all variables of a domain, in the order of the domain.
  static System of(const Domain &domain);
  /// The product of the sizes of the bounds, if it fits int64.
  [[nodiscard]] std::optional<int64_t> boxSize() const;
};

/// Each variable that e uses, once, in no particular order.
[[nodiscard]] llvm::SmallVector<Var, 8> usedVars(const Arena &arena, Expr e);

/// Position of a variable in the list dims, ranges, runtimes of a domain.
[[nodiscard]] uint32_t slotOf(const Domain &domain, Var v);

/// The finest split of a system such that each constraint and each expression
/// of `together` uses variables of one part only. Constraints without variables
/// belong to no part.
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
  /// The values of the system's variables and of the outputs, in order. Returns
  /// false to stop.
  using Visitor = llvm::function_ref<bool(llvm::ArrayRef<int64_t> values,
                                          llvm::ArrayRef<int64_t> outputs)>;

  /// Visits the points in lexicographic order. One unit of `fuel` pays for one
  /// assignment of a value to a variable, and for 64 subexpressions that it
  /// completes. Subtracts the units used from `fuel`.
  End run(int64_t &fuel, Visitor visit);
  /// The same on other bounds.
  End run(llvm::ArrayRef<Interval> bounds, int64_t &fuel, Visitor visit);

  /// The point at which the walk ended.
  [[nodiscard]] llvm::ArrayRef<int64_t> values() const {
    return llvm::ArrayRef<int64_t>(value).take_front(numVars);
  }

private:
  struct Op {
    ExprKind kind;
    uint32_t level;        ///< 1 + the last variable it depends on, or 0
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
  /// Evaluates the subexpressions that the variable at `level` completes.
  /// Returns nothing if all constraints there hold; else true for "cut off" and
  /// false for "undefined".
  std::optional<bool> enter(uint32_t level);

  unsigned numVars;
  llvm::SmallVector<Interval, 8> given;
  llvm::SmallVector<Op, 32> ops; ///< by level, operands first
  llvm::SmallVector<OpTerm, 32> terms;
  llvm::SmallVector<uint32_t, 12> firstOp, firstCheck; ///< by level
  llvm::SmallVector<Check, 8> checks;
  llvm::SmallVector<uint32_t, 8> outputs;
  /// Values of the variables, then of the ops; `defined` in the same order.
  llvm::SmallVector<int64_t, 32> value, outputValues;
  llvm::SmallVector<bool, 32> defined;
};

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_MAP_SYSTEM_H
