// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An indexing map says which elements of one tensor an element of another
// tensor reads.
//
//   (d0)[s0]{rt0} -> (s0, d0 + rt0),
//     domain: d0 in [0, 9], s0 in [0, 255], rt0 in [0, 3]
//
// Element (d0) reads the elements (s0, d0 + rt0) for every s0 in [0, 255]. The
// value of rt0 is known only when the program runs.
//
// Begin here. The folders and headers of this library are listed in reading
// order in mercator/indexing/README.md.
//
// Where the idea comes from
// -------------------------
// The polyhedral model describes the accesses of a loop nest by integer
// relations with linear bounds (P. Feautrier, "Dataflow analysis of array and
// scalar references", 1991). Its decision procedures are those of Presburger
// arithmetic: integers with addition, comparison and division by constants
// (M. Presburger, 1929; W. Pugh, "The Omega test", 1991). The library isl
// (S. Verdoolaege, 2010) is its best known implementation. XLA brought the idea
// to tensor programs: its *indexing maps* relate whole tensors instead of
// statements, and have variables for the offsets that a program computes. The
// notation is XLA's. The algebra is our own.
//
// What a map is
// -------------
// A map is a relation between the elements of two tensors, written as a
// function of variables:
//
//   d0, d1, ...    dimensions: the index of the element that reads
//   s0, s1, ...    ranges: the map reads an element for every value of them
//   rt0, rt1, ...  runtime variables: one value, computed by the program
//   p0, p1, ...    parameters: one value, chosen by the user of the map
//
// with a domain, which says for which values of the variables the map holds:
//
//   reads(d, rt) = { results(d, s, rt) : s with (d, s, rt) in the domain }
//
// Two maps mean the same if these sets are equal for all d and rt (Prove.h).
//
// Three maps, cell by cell
// ------------------------
// Let A be a tensor of 4x4 elements. "21" stands for its element (2, 1), and
// each cell below lists the elements that this element of the result reads.
//
// A transpose. The results exchange the two dimensions:
//
//   (d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 3]
//
//            d1 = 0     1     2     3
//   d0 = 0       00    10    20    30
//        1       01    11    21    31
//        2       02    12    22    32
//        3       03    13    23    33
//
// For the cell (1, 2), replace d0 by 1 and d1 by 2: (d1, d0) is (2, 1).
//
// A window of two columns that slides to the right. Each cell reads two
// elements, one for each value of the range variable s0. We begin with row 0:
//
//            d1 = 0      1      2      3
//   d0 = 0    00 01  01 02  02 03   03 ?
//
// The window of the last cell leaves the tensor: element (0, 4) is padding, and
// padding is not read. A constraint removes it from the domain:
//
//   (d0, d1)[s0] -> (d0, d1 + s0),
//     domain: d0 in [0, 3], d1 in [0, 3], s0 in [0, 1], d1 + s0 in [0, 3]
//
//            d1 = 0      1      2      3
//   d0 = 0    00 01  01 02  02 03     03
//        1    10 11  11 12  12 13     13
//        2    20 21  21 22  22 23     23
//        3    30 31  31 32  32 33     33
//
// A gather of rows. Row d0 of the result is the row of A whose number is
// element d0 of another tensor, `rows`:
//
//   (d0, d1){rt0} -> (rt0, d1),
//     domain: d0 in [0, 3], d1 in [0, 3], rt0 in [0, 3]
//     rt0 is element (d0) of `rows`
//
// Before the program runs, only the columns are known. Suppose that `rows`
// holds 2, 0, 2 and 3:
//
//            d1 = 0     1     2     3                     0     1     2     3
//   d0 = 0       ?0    ?1    ?2    ?3    rt0 = 2         20    21    22    23
//        1       ?0    ?1    ?2    ?3    rt0 = 0         00    01    02    03
//        2       ?0    ?1    ?2    ?3    rt0 = 2         20    21    22    23
//        3       ?0    ?1    ?2    ?3    rt0 = 3         30    31    32    33
//
// What you can do with a map
// --------------------------
//   1. Make it from shapes and attributes       operations/TensorMaps.h
//      or from text                             notation/Notation.h
//      or from an instruction of a program      mercator/analysis/maps
//   2. Print it                                 notation/Notation.h
//   3. Compose it with another map              compose(), below
//   4. Invert it: which elements read this one? simplify/Inverse.h
//   5. Simplify it                              simplify/Simplify.h
//   6. Prove that two maps mean the same        decide/Prove.h
//   7. Decide whether its domain is empty       decide/Emptiness.h
//   8. Count its points and the elements read   decide/Count.h
//   9. Evaluate it at a point                   evaluate/Evaluate.h
//  10. Collect several maps of one operand      decide/MapSet.h
//      and measure what they read too much      decide/Footprint.h
//
// In C++:
//
// ```cpp
// Arena arena;
// Map window(arena); // the second map above
// Expr d0 = window.domain.addDim(arena, {0, 3});
// Expr d1 = window.domain.addDim(arena, {0, 3});
// Expr s0 = window.domain.addRange(arena, {0, 1});
// Expr column = arena.add(d1, s0);
// window.results = {d0, column};
// window.domain.addConstraint(column, {0, 3});
//
// Map transpose = Map::identity(arena, {4, 4});
// std::swap(transpose.results[0], transpose.results[1]);
// assert(compose(transpose, transpose).isIdentity());
//
// // The windows of the transposed tensor: (d0, d1)[s0] -> (d1 + s0, d0).
// Map both = compose(window, transpose);
// assert(both.results[0] == column && both.results[1] == d0);
// ```
//
// From identity to broadcast
// --------------------------
// From an element of the result to the elements of an operand. The bounds of
// the dimensions are left out where they are the sizes of the result.
//
//   negate               (d0, d1) -> (d0, d1)
//   transpose            (d0, d1) -> (d1, d0)
//   reverse [10]         (d0) -> (-d0 + 9)
//   slice [1:20:2]       (d0) -> (d0 * 2 + 1)
//   reshape [4,8]->[32]  (d0) -> (d0 / 8, d0 mod 8)
//   pad by 1, [4]->[6]   (d0) -> (d0 - 1), domain: d0 in [1, 4]
//   reduce               (d0)[s0] -> (s0, d0)
//   dot, left operand    (d0, d1)[s0] -> (d0, s0)
//   dynamic-slice        (d0){rt0} -> (d0 + rt0)
//   broadcast of a row   (d0, d1) -> (d1)
//   of a scalar          (d0, d1) -> ()
//
// Questions and answers
// ---------------------
// Why this direction, from the result to the operand? An element of the result
// reads a known set of elements; the set may have any size, which a range
// variable says. The other direction is `inverse` (Inverse.h): the same
// relation, seen from the operand.
//
// Why three lists of variables? They differ in meaning. A dimension is given. A
// range variable takes all values, so a map may rename, merge or drop it
// without changing the relation. A runtime variable has one value that the map
// does not choose, so only the source says when two of them are equal. With
// separate lists, adding a dimension renumbers no range variable. A parameter
// has one value that the map does not choose either. It stands at the end of
// the list of runtime variables, and its name says which one it is.
//
// Why is a runtime variable inside the map? It describes itself: its bounds,
// the value it is read from, and the element of that value as expressions over
// the other variables. Composing and renumbering change these expressions
// together with the results. If the descriptions are in a second list, each
// operation on maps must keep two lists consistent, and a mistake gives a map
// that reads the right tensor at the wrong offset.
//
// Why arenas? Equal expressions of one arena have equal handles, so comparing
// and hashing are one comparison, and results of analyses are stored by handle.
// An arena belongs to one analysis: it takes no locks, and its memory is freed
// at once. The price is that maps of different arenas do not mix.
//
// Why a box and constraints? The domains of most operations are boxes, and a
// box answers most questions in constant time: interval analysis, sizes,
// corners. Constraints say the rest: strides, padding, the border between two
// pieces. They cost only where there are some. Unlike a system of inequalities,
// a box keeps the name and the meaning of each variable.
//
// How does it compare?
//   mlir::AffineMap has dimensions and symbols, but no domain, no min and no
//     max. It rewrites a remainder into a difference when the remainder is
//     made, which loses its bounds. Its expressions live in a global table
//     until the context is destroyed. It is the form that the transformations
//     of MLIR expect: AffineBridge.h of mercator/analysis/maps converts.
//   XLA's IndexingMap (read in August 2026) is our model, in notation and in
//     the three kinds of variables. It has many users and serves tiling for
//     GPUs, which we do not have yet. It compares maps by structure after
//     simplification, builds each direction separately, and keeps the sources
//     of runtime variables in a separate list.
//   isl is exact on all of Presburger arithmetic: unions of relations,
//     projection and counting, without a limit on time. We decide less: where
//     our procedures reach a limit, the answer is *unknown*, with a reason. In
//     return every call ends after a bounded amount of work, products of
//     variables are allowed, and maps stay in a form that a person reads. For
//     hard questions we use MLIR's Presburger library, which follows isl
//     (Presburger.h).
//
// Limits
// ------
// A map describes one operand in one way; operands that are read in several
// ways have a MapSet. A map holds no values of elements. Sizes and coefficients
// are int64; what leaves int64 stays unsimplified (Expr.h).

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

  /// (d0, ..., dn-1) -> (d0, ..., dn-1), domain: d_i in [0, sizes[i] - 1].
  /// Ensures: known empty exactly if a size is 0.
  [[nodiscard]] static Map identity(Arena &arena,
                                    llvm::ArrayRef<int64_t> sizes);
  /// (d0, ..., dn-1) -> () on the same box: every element reads the scalar.
  [[nodiscard]] static Map toScalar(Arena &arena,
                                    llvm::ArrayRef<int64_t> sizes);
  /// The known empty map of the given ranks: no element reads anything.
  [[nodiscard]] static Map makeEmpty(Arena &arena, unsigned numDims,
                                     unsigned numResults);

  [[nodiscard]] unsigned numDims() const { return domain.dims.size(); }
  [[nodiscard]] unsigned numResults() const { return results.size(); }
  [[nodiscard]] bool isKnownEmpty() const { return domain.knownEmpty; }
  /// True exactly if the results are (d0, ..., dn-1) with n = numDims(). The
  /// domain does not matter.
  [[nodiscard]] bool isIdentity() const;

  /// Equal handles, bounds, constraints, names and sources. For equality of
  /// meaning, see Prove.h.
  bool operator==(const Map &) const = default;

  /// Prints the map to stderr, for the debugger.
  LLVM_DUMP_METHOD void dump() const;
};

/// The one-line form of the notation (notation/Notation.h), which defines it.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Map &map);

/// The replacement of each variable. A variable past the end of its list, or
/// with an empty handle, stays.
struct Substitution {
  llvm::ArrayRef<Expr> dims, ranges, runtimes;
};

/// e with its variables replaced.
/// Ensures: substitute(e, by)(p) = e(by(p)) for every point p.
/// Complexity: linear in the distinct nodes of e.
[[nodiscard]] Expr substitute(Arena &arena, Expr e, const Substitution &by);
/// The same for several expressions, which share the work.
void substitute(Arena &arena, llvm::MutableArrayRef<Expr> exprs,
                const Substitution &by);
/// In place, as a map is large to move: the results, the constraints and the
/// indices of the runtime variables. The lists of variables stay: the caller
/// changes or removes the entry of a variable that it replaces.
void substitute(Map &map, const Substitution &by);

/// second after first: where `first` maps A to B and `second` maps B to C, the
/// composition maps A to C.
///
///   first   (d0) -> (d0 + 2), domain: d0 in [0, 9]
///   second  (d0)[s0] -> (d0, s0), domain: d0 in [0, 5], s0 in [0, 7]
///   result  (d0)[s0] -> (d0 + 2, s0),
///             domain: d0 in [0, 9], s0 in [0, 7], d0 + 2 in [0, 5]
///
/// An index outside the box of `second` reads nothing: the constraint keeps the
/// box, as needed behind a pad or a concatenate.
///
/// Requires: one arena; first.numResults() == second.numDims().
/// Ensures: reads_result(d) = union of reads_second(b), b in reads_first(d).
///   Ranges and runtime variables of the result are those of `first`, then
///   those of `second`; runtime variables are merged (mergeRuntimes). Nothing
///   is simplified.
/// Complexity: linear in the distinct nodes of both maps, also where the
///   composed expressions would be exponentially long if written out.
[[nodiscard]] Map compose(const Map &first, const Map &second);

/// Merges runtime variables that read the same element of the same source. The
/// merged variable is clamped to the hull of their bounds; a use whose own
/// bounds are narrower clamps it further.
///
///   (d0){rt0, rt1} -> (rt0, rt1), domain: rt0 in [0, 5], rt1 in [0, 9]
///     both are element (d0) of %i
///   becomes
///   (d0){rt0} -> (min(rt0, 5), rt0), domain: rt0 in [0, 9]
///
/// A parameter that occurs twice is limited by both bounds; parameters move
/// behind the other variables. Variables without a source are not changed.
/// Called by `compose` and `simplify`. In place, as a map is large to move.
/// Ensures: the same results at each point, for every value that the sources may
/// have.
void mergeRuntimes(Map &map);

/// Moves the parameters behind the other runtime variables, where the notation
/// has them. For maps whose lists of variables were joined by hand.
void moveParametersLast(Map &map);

/// Which unused variables to drop.
enum class UnusedVars { Ranges, RangesAndRuntimes };

/// Drops range (and runtime) variables that no result uses, and the constraints
/// that use dropped variables only. Such constraints are kept unless they can
/// be shown to have a solution. Dimensions are never dropped: they are the
/// coordinates of a tensor.
///
///   (d0)[s0, s1] -> (s1), domain: d0 in [0, 9], s0 in [0, 3], s1 in [0, 7]
///   becomes (d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 7]
///
/// Ensures: the same relation.
[[nodiscard]] Map
removeUnused(const Map &map, UnusedVars which = UnusedVars::RangesAndRuntimes);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_MAP_MAP_H
