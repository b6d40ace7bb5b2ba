// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions as integer polyhedra, for the questions that need a solver.
//
//   x floordiv 4 - y in [0, 0], x in [0, 15], y in [0, 9]
//
// becomes the polyhedron over the columns (x, y | q) with
//
//   0 <= x - 4*q <= 3,  q - y = 0,  0 <= x <= 15,  0 <= y <= 9
//
// where q is a *local*: a column that only has to exist. Each quotient or
// remainder by a positive constant adds one local, shared by all its uses; a
// ceildiv is the floordiv of x + c - 1. Since a minimum is not linear, a system
// becomes a union of *cases*: one for each choice of the smallest (largest)
// operand of each min (max), nested ones counted as one with more operands.
//
// Exact: the cases together hold the points of the system and no others, over
// all of Z; coefficients do not overflow.
//
// Refused, with the reason: products of variables, divisors that are not
// positive constants, more cases or columns than the limits allow. The solver
// behind it has no clock, and its time grows steeply with the columns, so the
// limit on columns is the promise to come back; figures are in Emptiness.h.
//
// Internal to the room.

#ifndef MERCATOR_INDEXING_DECIDE_PRESBURGER_H
#define MERCATOR_INDEXING_DECIDE_PRESBURGER_H

#include "mercator/indexing/map/System.h"

#include "mlir/Analysis/Presburger/PresburgerRelation.h"

namespace mercator::indexing {

struct EncodingLimits {
  unsigned maxColumns = 40; ///< variables and locals of one case
  unsigned maxCases = 32;
};

struct Encoding {
  /// Columns: the system's variables in order, then locals. Empty where
  /// refused.
  llvm::SmallVector<mlir::presburger::IntegerPolyhedron, 1> cases;
  /// Why the system was refused; null if it was not. Reads after "because of".
  const char *refusal = nullptr;
};

/// Nothing where the value leaves int64.
[[nodiscard]] std::optional<int64_t> toInt64(const llvm::DynamicAPInt &x);

[[nodiscard]] Encoding encode(const Arena &arena, const System &system,
                              EncodingLimits limits = {});

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_PRESBURGER_H
