// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solving the equations of a domain for its range variables.
//
// A range variable is bound by "there is". If an equality constraint determines
// its value, the value replaces the variable:
//
//   (d0)[s0, s1], s0 in [0, 3], s1 in [0, 7], 8*s0 + s1 - d0 in [0, 0]
//     s0 := d0 floordiv 8,  s1 := d0 mod 8,  with d0 in [0, 31]
//
// The steps, in order of preference. Each is exact: the projection on the other
// variables does not change.
//   one      c*s = r                 s := r floordiv c; r mod c in [0, 0]
//   residue  8*s0 - s1 = r           s1 := -r mod 8; the equation stays
//   digits   8*s0 + s1 = r           s0 := r floordiv 8, s1 := r mod 8:
//            if each coefficient exceeds the sum of the smaller terms, after
//            removing signs and lower bounds
//   split    X floordiv 8 + ... = r  two range variables q and t in [0, 7] for
//            the quotient and the remainder of X, with X - 8*q - t = 0
//   unit     s0 + 3*s1 - r = 0       s0 := r - 3*s1, for the variable with
//            coefficient 1 or -1 and the largest bounds
// The bounds of a replaced variable become constraints on its value. Equations
// that fit no step (2*s0 + 3*s1 = r, a min or max, a product) stay constraints.
//
// After each step the map is simplified: the value of a variable often cancels
// with other terms.
//
// Termination. Each step except `split` removes a range variable. `split`
// removes a division with a range variable from the equations, and is applied
// at most `kMaxSplits` times.
//
// Internal: inverse() and prove() are built on it, and the maps of loops.

#ifndef MERCATOR_INDEXING_SIMPLIFY_SOLVE_H
#define MERCATOR_INDEXING_SIMPLIFY_SOLVE_H

#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

inline constexpr unsigned kMaxSplits = 32;

/// Solves the equations of map.domain for range variables, and replaces these
/// in the results, the constraints and the indices of the runtime variables.
/// Ensures: the same relation.
[[nodiscard]] Map solveRanges(const Map &map);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_SIMPLIFY_SOLVE_H
