// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A domain is the set of points on which a map holds. A point gives each
// variable a value.
//
//   d0 in [0, 9], s0 in [0, 255], d0 + s0 in [0, 100], d0 mod 2 in [0, 0]
//
// A domain is a box, one interval for each variable, cut by constraints
// `lower <= expression <= upper`. There are three lists of variables:
// dimensions, ranges and runtime variables. Variable number i of a list is
// `arena.dim(i)`, `arena.range(i)` or `arena.runtime(i)` in expressions.
//
// A runtime variable describes itself: the interval that its value is clamped
// to, the value it is read from, and the element of that value, as expressions
// over the variables of the same domain. So composing and renumbering cannot
// separate a variable from its source.
//
// `Bounds` is the *interval analysis*: it bounds the values of an expression on
// a domain. Results are memoized in the arena by (domain, expression); domains
// with equal bounds and constraints share them.
//
// ```cpp
// Arena arena;
// Domain domain;
// Expr d0 = domain.addDim(arena, {0, 9});
// Expr s0 = domain.addRange(arena, {0, 255});
// domain.addConstraint(arena.add(d0, s0), {0, 100});
// domain.addConstraint(arena.mod(d0, 2), {0, 0});
//
// Bounds bounds(arena, domain);
// assert(bounds.interval(s0) == (Interval{0, 100})); // by the first constraint
// assert(bounds.interval(d0) == (Interval{0, 8}));   // by the second
// assert(bounds.residue(d0) == (Residue{2, 0}));
// ```
//
// Laws. For every point p of the domain, the value of e at p lies in
// interval(e) and in residue(e). Both are over-approximations. interval(e) uses
// the box, the residues, every constraint on e itself, on a multiple of e or on
// a part of the sum e, and the correlation of x with the quotients of x in one
// sum.

#ifndef MERCATOR_INDEXING_MAP_DOMAIN_H
#define MERCATOR_INDEXING_MAP_DOMAIN_H

#include "mercator/indexing/expr/Expr.h"

namespace mercator::indexing {

/// A dimension or a range variable.
struct Variable {
  Interval bounds;
  uint32_t name = 0; ///< interned in the arena; 0 prints as d<i> or s<i>
  bool operator==(const Variable &) const = default;
};

/// A value known only when the program runs.
struct RuntimeVariable {
  Interval bounds;      ///< the value is clamped to this before it is used
  uint32_t name = 0;    ///< interned; 0 prints as rt<i>
  uint32_t source = 0;  ///< interned: the value it is read from, as "entry/of1"
  int32_t element = -1; ///< number of the element if the source is a tuple
  llvm::SmallVector<Expr, 2> index =
      {}; ///< index into the source, over the variables of the domain
  bool operator==(const RuntimeVariable &) const = default;
};

/// bounds.lower <= expr <= bounds.upper.
struct Constraint {
  Expr expr;
  Interval bounds;
  bool operator==(const Constraint &) const = default;
};

struct Domain {
  llvm::SmallVector<Variable, 6> dims;
  llvm::SmallVector<Variable, 4> ranges;
  llvm::SmallVector<RuntimeVariable, 1> runtimes;
  llvm::SmallVector<Constraint, 4> constraints;
  /// True only if the domain contains no point. For the converse, see isEmpty
  /// in Emptiness.h.
  bool knownEmpty = false;

  /// Adds a variable and returns its expression.
  Expr addDim(Arena &arena, Interval bounds) {
    dims.push_back({bounds});
    return arena.dim(dims.size() - 1);
  }
  Expr addRange(Arena &arena, Interval bounds) {
    ranges.push_back({bounds});
    return arena.range(ranges.size() - 1);
  }
  Expr addRuntime(Arena &arena, RuntimeVariable v) {
    runtimes.push_back(std::move(v));
    return arena.runtime(runtimes.size() - 1);
  }
  void addConstraint(Expr expr, Interval bounds) {
    constraints.push_back({expr, bounds});
  }

  [[nodiscard]] unsigned numVars() const {
    return dims.size() + ranges.size() + runtimes.size();
  }
  /// Requires: v is a variable of the domain.
  [[nodiscard]] Interval &bounds(Var v) {
    switch (v.kind) {
    case VarKind::Dim:
      return dims[v.index].bounds;
    case VarKind::Range:
      return ranges[v.index].bounds;
    case VarKind::Runtime:
      break;
    }
    return runtimes[v.index].bounds;
  }
  [[nodiscard]] const Interval &bounds(Var v) const {
    return const_cast<Domain *>(this)->bounds(v);
  }
  [[nodiscard]] bool has(Var v) const {
    return v.index < (v.kind == VarKind::Dim     ? dims.size()
                      : v.kind == VarKind::Range ? ranges.size()
                                                 : runtimes.size());
  }
  /// Calls f(var) for every variable: dims, ranges, runtimes, each in order.
  template <typename F> void forEachVar(F f) const {
    for (uint32_t i = 0; i < dims.size(); ++i)
      f(Var{VarKind::Dim, i});
    for (uint32_t i = 0; i < ranges.size(); ++i)
      f(Var{VarKind::Range, i});
    for (uint32_t i = 0; i < runtimes.size(); ++i)
      f(Var{VarKind::Runtime, i});
  }
  /// Equal text, names included. For equality of meaning, see Prove.h.
  bool operator==(const Domain &) const = default;
};

/// The interval analysis of expressions on one domain. Cheap to construct if
/// the arena has seen an equal domain before.
class Bounds {
public:
  /// Copies the bounds and constraints into the arena: `domain` may be changed
  /// or destroyed afterwards.
  Bounds(Arena &arena, const Domain &domain);

  /// Ensures: e(p) lies in the interval for every point p of the domain.
  [[nodiscard]] Interval interval(Expr e);
  /// Ensures: e(p) lies in the residue for every point p of the domain.
  [[nodiscard]] Residue residue(Expr e);
  /// The same for constant + sum of terms, without making the sum.
  [[nodiscard]] Interval interval(llvm::ArrayRef<Term> terms, int64_t constant);
  [[nodiscard]] Residue residue(llvm::ArrayRef<Term> terms, int64_t constant);

  [[nodiscard]] Arena &arena() const { return *theArena; }
  /// Equal for equal domains of one arena, never 0.
  [[nodiscard]] uint32_t epoch() const { return theEpoch; }
  [[nodiscard]] bool isKnownEmpty() const;

  struct Data; ///< the arena's copy of the domain
  [[nodiscard]] Data &data() const { return *theData; }

private:
  Interval memoisedInterval(Expr e);
  Interval computeInterval(Expr e);
  Interval naiveInterval(llvm::ArrayRef<Term> terms, int64_t constant);
  Arena *theArena;
  Data *theData;
  uint32_t theEpoch;
};

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_MAP_DOMAIN_H
