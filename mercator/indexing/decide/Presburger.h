// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encoding of systems as integer polyhedra, for MLIR's Presburger library.
//
//   x floordiv 4 - y in [0, 0], x in [0, 15], y in [0, 9]
//
// becomes the polyhedron over the columns (x, y | q) with
//
//   0 <= x - 4*q <= 3,  q - y = 0,  0 <= x <= 15,  0 <= y <= 9
//
// The column q is a *local*: an existentially quantified variable. Each
// quotient or remainder by a positive constant adds one local, shared by all
// its uses. A ceildiv is the floordiv of x + c - 1. A minimum is not linear, so
// a system becomes a union of *cases*: one for each choice of the smallest
// (largest) operand of each min (max). Nested minima count as one minimum with
// more operands.
//
// Exact: the cases together contain the points of the system and no others,
// over all of Z. Coefficients do not overflow.
//
// Refused, with a reason: products of variables, divisors that are not positive
// constants, more cases or columns than the limits allow. The solver has no
// clock, and its time grows steeply with the number of columns, so the limit on
// columns bounds the time; Emptiness.h has measurements.
//
// Internal to this library.

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
  /// Columns: the variables of the system in order, then locals. Empty if
  /// refused.
  llvm::SmallVector<mlir::presburger::IntegerPolyhedron, 1> cases;
  /// The reason of a refusal, or null. Completes "because of ...".
  const char *refusal = nullptr;
};

/// The value as an int64, or nothing if it does not fit.
[[nodiscard]] std::optional<int64_t> toInt64(const llvm::DynamicAPInt &x);

[[nodiscard]] Encoding encode(const Arena &arena, const System &system,
                              EncodingLimits limits = {});

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_PRESBURGER_H
