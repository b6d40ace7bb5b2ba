// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of an expression at a point: slow and obvious, the meaning that
// everything else is tested against. Program.h computes the same, fast.
//
// A point of a domain lists the values of its dimensions, then of its ranges,
// then of its runtime variables.
//
//   evaluate(arena, d0 / 3 + s0, domain, {7, 1})     2 + 1 = 3
//
// There is no value where a divisor is zero, or where the value of any
// subexpression leaves int64; a sum or product may leave it on the way.

#ifndef MERCATOR_INDEXING_EVALUATE_EVALUATE_H
#define MERCATOR_INDEXING_EVALUATE_EVALUATE_H

#include "mercator/indexing/map/Map.h"

#include <optional>

namespace mercator::indexing {

/// Requires: the point has domain.numVars() coordinates and the expression uses
/// variables of the domain only. Time: the distinct subexpressions.
[[nodiscard]] std::optional<int64_t> evaluate(const Arena &arena, Expr e,
                                              const Domain &domain,
                                              llvm::ArrayRef<int64_t> point);

/// Whether the point is in the box and every constraint has a value at it, in
/// bounds. `knownEmpty` is not looked at: it is a consequence.
[[nodiscard]] bool contains(const Arena &arena, const Domain &domain,
                            llvm::ArrayRef<int64_t> point);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EVALUATE_EVALUATE_H
