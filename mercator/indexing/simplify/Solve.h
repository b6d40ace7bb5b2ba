// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equations of a domain, solved for its range variables.
//
// A range variable only has to exist, so one that an equality constraint
// determines can be replaced by what it is equal to:
//
//   (d0)[s0, s1], s0 in [0, 3], s1 in [0, 7], 8*s0 + s1 - d0 in [0, 0]
//     s0 := d0 floordiv 8,  s1 := d0 mod 8,  with d0 in [0, 31]
//
// The steps, in order of preference, each exact (the same points over what
// stays):
//   one      c*s = r                 s := r floordiv c; r mod c in [0, 0]
//   residue  8*s0 - s1 = r           s1 := -r mod 8; the equation stays
//   digits   8*s0 + s1 = r           s0 := r floordiv 8, s1 := r mod 8:
//            whenever each coefficient is more than what the smaller terms can
//            add up to, signs and lower bounds taken off first
//   split    X floordiv 8 + ... = r  two range variables q and t in [0, 7] for
//            the quotient and the remainder of X, with X - 8*q - t = 0
//   unit     s0 + 3*s1 - r = 0       s0 := r - 3*s1, the widest such variable
// A replaced variable leaves its bounds behind as constraints on what replaced
// it.
//
// What fits none (2*s0 + 3*s1 = r, a min or max, a product) stays a constraint.
//
// In between, the whole is simplified: what replaces a variable often cancels.
//
// Terminates: each step but `split` removes a range variable; `split` removes a
// division that holds a range variable from the equations and is limited to
// `kMaxSplits`.
//
// Internal to the room: inverse() and prove() are built on it.

#ifndef MERCATOR_INDEXING_SIMPLIFY_SOLVE_H
#define MERCATOR_INDEXING_SIMPLIFY_SOLVE_H

#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

inline constexpr unsigned kMaxSplits = 32;

/// Solves the equations of map.domain for range variables, in the results, the
/// constraints and the elements of the runtime variables.
/// Ensures: the same relation.
[[nodiscard]] Map solveRanges(const Map &map);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_SIMPLIFY_SOLVE_H
