// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting: the points of a domain, and the elements that a map reads.
//
//   d0 in [0, 999], d1 in [0, 999], 8*d0 + d1 in [0, 500]        points 15,939
//   (d0)[s0] -> (d0 + s0), d0 in [0, 99], s0 in [0, 2]           elements 102
//   (d0) -> (d0 floordiv 8, d0 mod 8), d0 in [0, 10^15 - 1]      elements 10^15
//
// The second number is the *footprint*: each element counts once, even if it is
// read many times. *Utilization* is the footprint divided by the size of the
// tensor; *reads per element* is the points divided by the footprint.
//
// ```cpp
// Arena arena;
// Map window(arena);
// Expr d0 = window.domain.addDim(arena, {0, 99});
// Expr s0 = window.domain.addRange(arena, {0, 2});
// window.results = {arena.add(d0, s0)};
// assert(countPoints(arena, window.domain).exact() == 300);
// assert(countImage(window).exact() == 102);
// ```
//
// The answer is the exact number or "unknown" with a reason, never an estimate.
// Closed forms come first, on independent parts:
//   - A box is the product of its sides. A residue x = r (mod m) divides a
//   side.
//   - Bounds on a sum whose coefficients exceed the sum of the smaller terms (a
//     mixed radix: 8*d0 + d1, d1 in [0, 7]) are counted digit by digit.
//   - A variable that all constraints use linearly is counted, not enumerated.
//   - The values of a sum: by coefficient, each term either continues the
//     progression of the smaller ones or copies it.
//   - Quotients and remainders of a progression. (x floordiv c, x mod c) has as
//     many values as x.
//   - Results that determine the variables: as many elements as points.
// Then the points are enumerated, up to a limit.
//
// A runtime variable counts like the others: the elements that any of its
// values reaches. To count for one value, replace the variable by the value
// first.

#ifndef MERCATOR_INDEXING_DECIDE_COUNT_H
#define MERCATOR_INDEXING_DECIDE_COUNT_H

#include "mercator/indexing/evaluate/Budget.h"
#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

struct Count {
  enum class Kind : uint8_t {
    Exact,
    TooLarge, ///< above the largest int64, perhaps infinite
    Infinite,
    Unknown,
  };
  Kind kind = Kind::Unknown;
  int64_t value = 0; ///< if Exact
  /// If Unknown: the reason. Completes "because of ...".
  std::string reason = {};

  static Count unknown(llvm::StringRef why) {
    return {Kind::Unknown, 0, why.str()};
  }
  [[nodiscard]] std::optional<int64_t> exact() const {
    return kind == Kind::Exact ? std::optional(value) : std::nullopt;
  }
};

/// The number, `more than int64`, `infinite`, or `unknown` and the reason.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Count &count);

/// The number of points of the domain: dims, ranges and runtimes together. The
/// budget limits enumeration.
[[nodiscard]] Count countPoints(Arena &arena, const Domain &domain,
                                Budget budget = {});

/// The number of distinct results over all points of the domain.
[[nodiscard]] Count countImage(const Map &map, Budget budget = {});

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_COUNT_H
