// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of a sum of bounded variables, and how often the sum takes them.
//
//   8*a + b, a in [0, 124], b in [0, 7]    digits 8 and 1: a mixed radix. Each of
//                                          the values 0 to 999 occurs once
//   8*a + 4*b + c, a in [0, 3], b, c in [0, 1]
//                                          {0, 1} + 4*k, k in [0, 7]: two
//                                          translates of a progression
//
// Internal: counting uses it.

#ifndef MERCATOR_INDEXING_DECIDE_SUMVALUES_H
#define MERCATOR_INDEXING_DECIDE_SUMVALUES_H

#include "mercator/indexing/map/System.h"

namespace mercator::indexing {

using Int128 = __int128;

/// A bounded variable of a sum, counted from the bound where its term is least:
/// weight * t with t in [0, size - 1].
struct SumDigit {
  Int128 weight;
  Int128 size;
};

/// A sum: its offset and its digits.
struct SumDigits {
  llvm::SmallVector<SumDigit, 4> list; ///< by weight
  Int128 offset = 0;                   ///< the least value of the sum

  /// The sum as digits, or nothing if a term is not a bounded variable.
  static std::optional<SumDigits> of(const Arena &arena, Linear sum,
                                     const System &system);

  /// True if each value of the sum has only one choice of digits.
  [[nodiscard]] bool isRadix() const;

  /// The number of choices of digits whose sum is at most `bound`, or lies in
  /// the interval. Requires: isRadix().
  [[nodiscard]] Int128 countUpTo(Int128 bound) const;
  [[nodiscard]] Int128 countIn(Interval i) const;
};

/// { offset + step * k : 0 <= k < size }, in `copies` disjoint translates.
struct Progression {
  Int128 step = 1, size = 1, copies = 1;
};

/// The values of a sum with these digits, if their structure is regular.
///   8*a + 4*b + c, a in [0, 3], b in [0, 1], c in [0, 1]
///     {0, 1} + 4*k, k in [0, 7]: two translates of a progression of 8 values
/// The terms are added by increasing weight. A term continues the progression
/// if its weight is a multiple of the step and at most the length. A term
/// beyond the sum of all smaller ones starts a new progression, and makes
/// copies of the old values.
[[nodiscard]] std::optional<Progression> valuesOf(const SumDigits &digits);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_SUMVALUES_H
