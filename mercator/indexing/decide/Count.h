// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many points a domain has, and how many elements a map touches.
//
//   d0 in [0, 999], d1 in [0, 999], 8*d0 + d1 in [0, 500]        points 15,939
//   (d0)[s0] -> (d0 + s0), d0 in [0, 99], s0 in [0, 2]           elements 102
//   (d0) -> (d0 floordiv 8, d0 mod 8), d0 in [0, 10^15 - 1]      elements 10^15
//
// The second is the footprint: elements counted once, however often they are
// read. Utilisation is the footprint over the size of the tensor, and reads per
// element the points over the footprint.
//
// Exact or no number at all. Closed forms first, on independent parts:
//   - a box is the product of its sides; a residue x = r (mod m) divides a side
//   - bounds on a sum whose coefficients exceed what the smaller terms add up
//     to (a mixed radix: 8*d0 + d1, d1 in [0, 7]) are counted digit by digit
//   - one variable that all constraints use linearly is counted, not enumerated
//   - the values of a sum: sorted by coefficient, each term either continues
//     the progression of the smaller ones or copies it
//   - quotients and remainders of a progression; (x floordiv c, x mod c) is x
//   - results that determine the variables: as many elements as points
// then enumeration up to a limit, else "unknown", with the reason.
//
// Runtime variables count like the others: the elements that some value of them
// reaches. For one value, replace the variable by it first.

#ifndef MERCATOR_INDEXING_DECIDE_COUNT_H
#define MERCATOR_INDEXING_DECIDE_COUNT_H

#include "mercator/indexing/evaluate/Budget.h"
#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

struct Count {
  enum class Kind : uint8_t {
    Exact,
    TooLarge, ///< finite or not, but above the largest int64
    Infinite,
    Unknown,
  };
  Kind kind = Kind::Unknown;
  int64_t value = 0; ///< where Exact
  /// Where Unknown: why. Reads after "because of".
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
