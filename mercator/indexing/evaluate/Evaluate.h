// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of an expression at a point: the slow and obvious definition that
// all other code is tested against. CompiledExprs.h computes the same values fast.
//
// A point of a domain lists the values of its dimensions, then of its ranges,
// then of its runtime variables.
//
// ```cpp
// Arena arena;
// Domain domain;
// Expr d0 = domain.addDim(arena, {0, 9}), s0 = domain.addRange(arena, {0, 3});
// Expr e = arena.add(arena.floorDiv(d0, 3), s0);
// assert(evaluate(arena, e, domain, {7, 1}) == 3);
// assert(!contains(arena, domain, {10, 0}));
// ```
//
// There is no value if a divisor is zero or if the value of any subexpression
// leaves int64. Partial sums and products may leave int64.

#ifndef MERCATOR_INDEXING_EVALUATE_EVALUATE_H
#define MERCATOR_INDEXING_EVALUATE_EVALUATE_H

#include "mercator/indexing/map/Map.h"

#include <optional>

namespace mercator::indexing {

/// The value of e at the point, if it has one. Requires: the point has
/// domain.numVars() coordinates; e uses variables of the domain only.
/// Complexity: linear in the distinct subexpressions.
[[nodiscard]] std::optional<int64_t> evaluate(const Arena &arena, Expr e,
                                              const Domain &domain,
                                              llvm::ArrayRef<int64_t> point);

/// True if the point lies in the box and every constraint has a value at the
/// point, within its bounds. Does not depend on `knownEmpty`.
[[nodiscard]] bool contains(const Arena &arena, const Domain &domain,
                            llvm::ArrayRef<int64_t> point);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EVALUATE_EVALUATE_H
