// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Periods: by how much a variable may move without another picture.
///
/// An expression e has the growth g in a variable v, for steps of P, if
///
///   e(v + P) = e(v) + g * P      for all values of all variables
///
/// Divisions allow some steps only:
///
///   (128 * w + lane) / 777   growth 128 / 777, for steps that are multiples of 777
///   (128 * w + lane) mod 777 growth 0, for the same steps
///
/// ```cpp (Arena &arena, Expr w, Var v)
/// Period period;
/// Expr x = arena.scale(w, 128);
/// assert(period.add(arena, arena.mod(x, 777), v, /*modulus=*/1));
/// assert(period.step == 777);
/// ```
///
/// The lanes of a warp touch the same sectors, moved as a whole, after a step
/// for which the address grows by a multiple of the line.

#ifndef MERCATOR_ANALYSIS_ACCESS_PERIODS_H
#define MERCATOR_ANALYSIS_ACCESS_PERIODS_H

#include "mercator/indexing/expr/Expr.h"

#include <optional>

namespace mercator::access {

/// A fraction in lowest terms; the denominator is positive.
struct Growth {
  int64_t numerator = 0, denominator = 1;
  bool operator==(const Growth &) const = default;
};

/// The steps of one variable that several expressions allow.
struct Period {
  int64_t step = 1; ///< every multiple of it is allowed

  /// The growth of e in v, for multiples of the new step. None if no step is
  /// found; `step` is then not changed.
  /// Complexity: linear in the nodes of e, as a tree.
  [[nodiscard]] std::optional<Growth> growth(indexing::Arena &arena,
                                             indexing::Expr e, indexing::Var v);
  /// Allows only steps by which e grows by a multiple of `modulus`. False if
  /// none is found.
  [[nodiscard]] bool add(indexing::Arena &arena, indexing::Expr e,
                         indexing::Var v, int64_t modulus);
  /// Allows only steps for which g * step is a multiple of `modulus`.
  [[nodiscard]] bool require(Growth g, int64_t modulus);

private:
  std::optional<Growth> walk(indexing::Arena &arena, indexing::Expr e,
                             indexing::Var v);
};

} // namespace mercator::access

#endif // MERCATOR_ANALYSIS_ACCESS_PERIODS_H
