// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An indexing map says which elements of one tensor an element of another
// reads.
//
//   (d0)[s0]{rt0} -> (s0, d0 + rt0),
//     domain: d0 in [0, 9], s0 in [0, 255], rt0 in [0, 3]
//
// reads: element (d0) uses the elements (s0, d0 + rt0) for *every* s0 in [0,
// 255], where rt0 is one value that the program computes. As a relation:
//
//   reads(d, rt) = { results(d, s, rt) : s with (d, s, rt) in the domain }.
//
// Two maps mean the same when these sets are equal for every d and rt
// (Prove.h).
//
//   Arena arena;
//   Map transpose = Map::identity(arena, {10, 20});     // (d0, d1) -> (d0, d1)
//   std::swap(transpose.results[0], transpose.results[1]);
//   Map twice = compose(transpose, ...);
//
// Compose. compose(first, second) is "second after first": first maps A to B,
// second maps B to C, and the result maps A to C:
//
//   reads_result(d) = union of reads_second(b) over b in reads_first(d).
//
// A value b outside second's box reads nothing: that is how the domain of a pad
// or of a concatenate restricts what stands before it. Ranges and runtime
// variables of the result are first's, then second's. The arguments are not
// simplified; composing takes time linear in the expressions of `second`, not
// in their expansion.

#ifndef MERCATOR_INDEXING_MAP_MAP_H
#define MERCATOR_INDEXING_MAP_MAP_H

#include "mercator/indexing/map/Domain.h"

#include <string>

namespace mercator::indexing {

struct Map {
  Arena *arena = nullptr;
  Domain domain;
  llvm::SmallVector<Expr, 6> results;

  Map() = default;
  explicit Map(Arena &arena) : arena(&arena) {}

  /// (d0, ..., dn-1) -> (d0, ..., dn-1) on [0, sizes[i] - 1]; known empty where
  /// a size is 0.
  [[nodiscard]] static Map identity(Arena &arena,
                                    llvm::ArrayRef<int64_t> sizes);
  /// (d0, ..., dn-1) -> () with the same box: the whole of a scalar is read.
  [[nodiscard]] static Map toScalar(Arena &arena,
                                    llvm::ArrayRef<int64_t> sizes);
  /// The map with no point in its domain, of the given ranks.
  [[nodiscard]] static Map makeEmpty(Arena &arena, unsigned numDims,
                                     unsigned numResults);

  [[nodiscard]] unsigned numDims() const { return domain.dims.size(); }
  [[nodiscard]] unsigned numResults() const { return results.size(); }
  [[nodiscard]] bool isKnownEmpty() const { return domain.knownEmpty; }
  /// True for results (d0, ..., dn-1) with n the number of dimensions.
  [[nodiscard]] bool isIdentity() const;

  /// Equal handles, bounds, constraints, names and sources.
  bool operator==(const Map &) const = default;

  /// Prints the map to stderr, for the debugger.
  LLVM_DUMP_METHOD void dump() const;
};

/// The one-line form of the notation (notation/Notation.h), which defines it.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Map &map);

/// What replaces each variable; a variable past the end of its list, or with an
/// empty handle, stays.
struct Substitution {
  llvm::ArrayRef<Expr> dims, ranges, runtimes;
};

/// e with its variables replaced. Ensures: value of the result at p = value of
/// e at the point whose coordinates are the replacements' values at p.
/// Complexity: linear in the distinct nodes of e.
[[nodiscard]] Expr substitute(Arena &arena, Expr e, const Substitution &by);
/// Several expressions at once, sharing the work.
void substitute(Arena &arena, llvm::MutableArrayRef<Expr> exprs,
                const Substitution &by);
/// Everything in a map that uses variables: the results, the constraints and
/// the indices of the runtime variables. The lists of variables stay: whoever
/// replaces a variable changes or removes its entry.
[[nodiscard]] Map substitute(Map map, const Substitution &by);

/// second after first; see the top of this file.
/// Requires: one arena; first.numResults() == second.numDims().
[[nodiscard]] Map compose(const Map &first, const Map &second);

/// Runtime variables that read the same element of the same source are one: it
/// is clamped to the hull of their bounds, and each use clamps further where
/// its own bounds are narrower.
///
///   {rt0, rt1}, both the element (d0) of "e/i", rt0 in [0, 5], rt1 in [0, 9]
///   -> (rt0, rt1)   becomes   {rt0} -> (min(rt0, 5), rt0), rt0 in [0, 9]
///
/// Variables without a source stay as they are. Ensures: the same results at
/// each point, for every value that the sources may have. `compose` and
/// `simplify` do this.
[[nodiscard]] Map mergeRuntimes(Map map);

/// Which unused variables to drop.
enum class UnusedVars { Ranges, RangesAndRuntimes };

/// Drops range (and runtime) variables that no result uses, with the
/// constraints that speak only of dropped variables. Ensures: the same
/// relation, provided the dropped constraints can be satisfied; where this
/// cannot be shown they are kept. Dimensions are never dropped: they are the
/// coordinates of a tensor.
[[nodiscard]] Map
removeUnused(const Map &map, UnusedVars which = UnusedVars::RangesAndRuntimes);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_MAP_MAP_H
