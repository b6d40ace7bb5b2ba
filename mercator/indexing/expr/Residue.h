// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of an integer modulo something.
//
// A Residue denotes { x : x = remainder (mod modulus) } with 0 <= remainder <
// modulus; modulus 1 says nothing, and modulus 0 denotes the single value
// `remainder` (then of any sign). `everything()` is the top of the lattice and
// each operation is conservative upwards: if x is in A and y in B then x op y
// is in (A op B).
//
//   6 * d0 + 3            {modulus 6, remainder 3}
//   its product with 2    {modulus 12, remainder 6}
//   {6, 3}.unite({4, 1})  {2, 1}
//   {6, 3}.intersect({4, 1})  {12, 9}, by the Chinese remainder theorem
//
// Source: P. Granger, "Static analysis of arithmetical congruences", 1989.

#ifndef MERCATOR_INDEXING_EXPR_RESIDUE_H
#define MERCATOR_INDEXING_EXPR_RESIDUE_H

#include "mercator/indexing/expr/Interval.h"

#include <numeric>
#include <optional>

namespace mercator::indexing {

struct Residue {
  int64_t modulus = 1;
  int64_t remainder = 0;

  static constexpr Residue everything() { return {1, 0}; }
  static constexpr Residue constant(int64_t x) { return {0, x}; }
  /// x = r (mod m). Requires: m >= 1.
  static constexpr Residue of(int64_t m, int64_t r) {
    return {m, 0 <= r && r < m ? r : modPositive(r, m)};
  }

  constexpr bool operator==(const Residue &) const = default;
  [[nodiscard]] constexpr bool isConstant() const { return modulus == 0; }
  [[nodiscard]] constexpr bool isEverything() const { return modulus == 1; }
  [[nodiscard]] constexpr bool contains(int64_t x) const {
    if (modulus == 0)
      return x == remainder;
    return modPositive(x, modulus) == remainder;
  }
  /// The remainder modulo m, where this set has only one. Requires: m >= 1.
  [[nodiscard]] constexpr std::optional<int64_t> modulo(int64_t m) const {
    if (modulus == 0 || modulus % m == 0)
      return modPositive(remainder, m);
    return std::nullopt;
  }

  [[nodiscard]] Residue operator+(Residue o) const;
  [[nodiscard]] Residue operator*(int64_t k) const;
  /// The smallest residue set that contains both.
  [[nodiscard]] Residue unite(Residue o) const;
  /// Ensures: x in the result exactly if x in both; nothing if there is none.
  /// A combined modulus that overflows is given up: one of the two is returned,
  /// which is a superset.
  [[nodiscard]] std::optional<Residue> intersect(Residue o) const;

  /// The part of `interval` that can hold elements of this set: both ends moved
  /// inwards to the nearest element. Empty if there is none.
  [[nodiscard]] Interval clip(Interval interval) const;
};

/// Prints `r mod m`, or the single value.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Residue residue);

/// { x : a * x = r (mod m) }, or nothing if there is none. Requires: m >= 1.
///   3 * x = 2 (mod 7)  gives x = 3 (mod 7);  4 * x = 2 (mod 8) gives nothing.
[[nodiscard]] std::optional<Residue> solveCongruence(int64_t a, int64_t r,
                                                     int64_t m);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EXPR_RESIDUE_H
