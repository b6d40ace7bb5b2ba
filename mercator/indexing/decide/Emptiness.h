// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emptiness: does a domain contain a point?
//
//   d0 in [0, 9], d0 mod 8 in [6, 7], d0 * 3 in [19, 20]     empty
//   d0 in [0, 10^9], d1 in [0, 10^9], d0 * 6 - d1 * 9 in [1, 1]   empty (gcd)
//   d0 in [0, 10^9], d0 floordiv 7 - d0 floordiv 8 in [5, 5]  contains d0 = 280
//
// ```cpp
// Arena arena;
// Domain domain;
// Expr d0 = domain.addDim(arena, {0, 1000000000});
// Expr difference = arena.sub(arena.floorDiv(d0, 7), arena.floorDiv(d0, 8));
// domain.addConstraint(difference, {5, 5});
// Emptiness answer = isEmpty(arena, domain);
// assert(answer.isNo() && answer.witness.size() == 1);
// ```
//
// Four methods, the cheap ones first, on each independent part of the domain
// (System.h):
//   1. intervals and residues of the variables, by propagating constraints;
//   2. a few likely points: the corners, the middle;
//   3. a depth-first search with a limit on the values tried;
//   4. integer programming (Presburger.h) with a limit on columns: the
//      variables plus one for each division.
//
// The answer is never wrong: "unknown" is an answer, with a reason. It always
// comes: method 3 counts steps, and method 4, which has no clock, is limited by
// size. Rational emptiness is decided up to 24 columns, in microseconds. For
// integer points, dense random constraints with bounds up to 10^6 took (one
// core):
//
//   columns    median     99 %     worst of 200
//      4       0.06 ms    26 ms       32 ms
//      6       0.4 ms    270 ms      370 ms
//      8       3 ms      1.1 s       1.2 s
//
// The constraints of tensor operations are sparse and much faster.

#ifndef MERCATOR_INDEXING_DECIDE_EMPTINESS_H
#define MERCATOR_INDEXING_DECIDE_EMPTINESS_H

#include "mercator/indexing/decide/Decision.h"
#include "mercator/indexing/evaluate/Budget.h"
#include "mercator/indexing/map/Domain.h"

namespace mercator::indexing {

/// Whether there is no point. The reason of an unknown reads after "because of".
struct Emptiness : Decision {
  /// Where the answer is no: a point of the domain, dims, ranges, runtimes.
  llvm::SmallVector<int64_t, 8> witness = {};
  /// The columns of the largest polyhedron that was searched for integer
  /// points; 0 if none was. Callers with many questions can add up the cost.
  unsigned columns = 0;

  static Emptiness yes() { return {{Kind::Yes}}; }
  static Emptiness no(llvm::ArrayRef<int64_t> point) {
    return {{Kind::No}, {point.begin(), point.end()}};
  }
  static Emptiness unknown(llvm::StringRef why) {
    return {{Kind::Unknown, why.str()}};
  }
};

/// The decision, and the witness of a no.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Emptiness &answer);

/// Ensures: no only with a witness that satisfies every bound and constraint;
/// yes only if there is none. A constraint that divides by zero at a point, or
/// leaves int64, is taken as undecided there. The walk of each independent part
/// has all the steps of the budget.
[[nodiscard]] Emptiness isEmpty(Arena &arena, const Domain &domain,
                                Budget budget = {.steps = 100000});

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_EMPTINESS_H
