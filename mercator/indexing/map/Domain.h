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
// to, the value it is read from (a name given by whoever made the map) and the
// element of that value, as expressions over the variables of the same domain.
// Composing and renumbering therefore cannot separate a variable from its
// source.
//
// A parameter is a runtime variable that is read from no tensor: a tile size, a
// tile offset, an unknown extent. Whoever uses the map chooses its value. All
// parameters of one name are one variable, in one map and across maps. They
// stand behind the other runtime variables and print in angle brackets:
//
//   (d0)[s0]<p0, p1> -> (d0 * p0 + s0, p1),
//     domain: d0 in [0, 9], s0 in [0, 3], p0 in [1, 64], p0 mod 4 in [0, 0]
//
// Why a parameter is not a list of its own: whatever holds for the value of a
// slice offset holds for a tile size. Both are one number for the whole map,
// and equal maps are equal for every value of both.

#ifndef MERCATOR_INDEXING_MAP_DOMAIN_H
#define MERCATOR_INDEXING_MAP_DOMAIN_H

#include "mercator/indexing/expr/Expr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace mercator::indexing {

/// A dimension or a range variable.
struct Variable {
  Interval bounds;
  uint32_t name = 0; ///< interned in the arena; 0 prints as d<i> or s<i>
  bool operator==(const Variable &) const = default;
};

/// A value known only when the program runs, or a parameter.
struct RuntimeVariable {
  /// The value is clamped to this before it is used. A map with a parameter
  /// holds for the values in its bounds.
  Interval bounds;
  uint32_t name = 0;    ///< interned; 0 prints as rt<i>
  uint32_t source = 0;  ///< interned: the value it is read from, as "entry/of1"
  int32_t element = -1; ///< number of the element if the source is a tuple
  llvm::SmallVector<Expr, 2> index =
      {}; ///< index into the source, over the variables of the domain
  /// Read from nothing: the name says which parameter it is, and `source` is
  /// the number of "<name>".
  bool isParameter = false;
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
  /// Requires: no parameters yet, unless v is one.
  Expr addRuntime(Arena &arena, RuntimeVariable v) {
    assert((v.isParameter || numParameters() == 0) && "parameters come last");
    runtimes.push_back(std::move(v));
    return arena.runtime(runtimes.size() - 1);
  }
  /// Adds a parameter. Requires: no other parameter has the name.
  Expr addParameter(Arena &arena, llvm::StringRef name, Interval bounds) {
    return addRuntime(
        arena, {.bounds = bounds,
                .name = arena.intern(name),
                .source = arena.intern(("<" + llvm::Twine(name) + ">").str()),
                .isParameter = true});
  }
  void addConstraint(Expr expr, Interval bounds) {
    constraints.push_back({expr, bounds});
  }

  [[nodiscard]] unsigned numParameters() const {
    unsigned n = 0;
    while (n < runtimes.size() && runtimes[runtimes.size() - 1 - n].isParameter)
      ++n;
    return n;
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
  /// True if the domain is known empty, or the bounds of a variable are empty.
  [[nodiscard]] bool hasEmptyBounds() const {
    auto isEmpty = [](const auto &v) { return v.bounds.isEmpty(); };
    return knownEmpty || llvm::any_of(dims, isEmpty) ||
           llvm::any_of(ranges, isEmpty) || llvm::any_of(runtimes, isEmpty);
  }
  /// Equal text, names included. For equality of meaning, see Prove.h.
  bool operator==(const Domain &) const = default;
};

/// `d0 + s0 in [0, 99]`, its variables by their default names.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Printed<Constraint> c);
/// `d0 in [0, 9], s0 in [0, 255], d0 + s0 in [0, 99]`, or `KNOWN EMPTY`.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Printed<Domain> domain);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_MAP_DOMAIN_H
