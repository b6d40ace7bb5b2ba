// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A congruence: knowledge of an integer modulo another one.
//
// A Residue denotes { x : x = remainder (mod modulus) } with 0 <= remainder <
// modulus. Modulus 1 says nothing. Modulus 0 denotes the single value
// `remainder`, of any sign. Residues form a lattice with `everything()` at the
// top. Every operation over-approximates: if x is in A and y is in B, then
// x op y is in (A op B).
//
// ```cpp
// Residue x = Residue::of(6, 3); // 6 * d0 + 3
// assert(x * 2 == (Residue{12, 6}));
// assert(x.unite({4, 1}) == (Residue{2, 1}));
// // By the Chinese remainder theorem.
// assert(*x.intersect({4, 1}) == (Residue{12, 9}));
// ```
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
  /// The remainder modulo m if it is the same for all elements; else nothing.
  /// Requires: m >= 1.
  [[nodiscard]] constexpr std::optional<int64_t> modulo(int64_t m) const {
    if (modulus == 0 || modulus % m == 0)
      return modPositive(remainder, m);
    return std::nullopt;
  }

  [[nodiscard]] Residue operator+(Residue o) const;
  [[nodiscard]] Residue operator*(int64_t k) const;
  /// The smallest residue that contains both.
  [[nodiscard]] Residue unite(Residue o) const;
  /// Ensures: contains every x that is in both, and no other x unless the
  /// combined modulus overflows; then the result is one of the two. Nothing if
  /// no x is in both.
  [[nodiscard]] std::optional<Residue> intersect(Residue o) const;

  /// `interval` with both ends moved inwards to the nearest elements of this
  /// residue. Empty if the interval contains no such element.
  [[nodiscard]] Interval clip(Interval interval) const;
};

/// Prints `r mod m`, or the single value.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Residue residue);

/// { x : a * x = r (mod m) }, or nothing if it is empty. Requires: m >= 1.
///   3 * x = 2 (mod 7)  gives x = 3 (mod 7)
///   4 * x = 2 (mod 8)  gives nothing
[[nodiscard]] std::optional<Residue> solveCongruence(int64_t a, int64_t r,
                                                     int64_t m);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EXPR_RESIDUE_H
