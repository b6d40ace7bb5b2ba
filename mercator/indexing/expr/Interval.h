// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A closed interval of int64 values, and arithmetic that never wraps.
//
// An Interval denotes { x : lower <= x <= upper }. The smallest int64 as
// `lower` means that there is no lower bound, the largest int64 as `upper` that
// there is no upper bound. A bound that would overflow becomes a missing bound.
// Every operation over-approximates: if x is in A and y is in B, then x op y is
// in (A op B).
//
// ```cpp
// Interval x{0, 9};
// assert(x + Interval::point(5) == (Interval{5, 14}));
// assert(x * -2 == (Interval{-18, 0}));
// assert(Interval({-3, 7}).floorDiv(4) == (Interval{-1, 1}));
// assert(x.intersect({4, 20}) == (Interval{4, 9}));
// ```
//
// An interval with lower > upper is empty. Operations on empty intervals give
// empty intervals.

#ifndef MERCATOR_INDEXING_EXPR_INTERVAL_H
#define MERCATOR_INDEXING_EXPR_INTERVAL_H

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

namespace llvm {
class raw_ostream;
}

namespace mercator::indexing {

/// floor(a / b). Requires: b > 0.
constexpr int64_t floorDivPositive(int64_t a, int64_t b) {
  int64_t q = a / b;
  return q - (a % b < 0);
}
/// ceil(a / b). Requires: b > 0.
constexpr int64_t ceilDivPositive(int64_t a, int64_t b) {
  int64_t q = a / b;
  return q + (a % b > 0);
}
/// a - b * floor(a / b), in [0, b). Requires: b > 0.
constexpr int64_t modPositive(int64_t a, int64_t b) {
  int64_t r = a % b;
  return r < 0 ? r + b : r;
}

struct Interval {
  static constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

  int64_t lower = kMin;
  int64_t upper = kMax;

  /// All integers.
  static constexpr Interval everything() { return {kMin, kMax}; }
  /// No integer: the canonical empty interval.
  static constexpr Interval empty() { return {0, -1}; }
  static constexpr Interval point(int64_t x) { return {x, x}; }
  /// The indices of a dimension of `size` elements: [0, size - 1].
  static constexpr Interval ofSize(int64_t size) { return {0, size - 1}; }

  constexpr bool operator==(const Interval &) const = default;

  [[nodiscard]] constexpr bool isEmpty() const { return lower > upper; }
  /// True for one value. The extreme int64 values stand for missing bounds, so
  /// they are never points.
  [[nodiscard]] constexpr bool isPoint() const {
    return lower == upper && isBounded();
  }
  [[nodiscard]] constexpr bool hasLower() const { return lower != kMin; }
  [[nodiscard]] constexpr bool hasUpper() const { return upper != kMax; }
  [[nodiscard]] constexpr bool isBounded() const {
    return hasLower() && hasUpper();
  }
  [[nodiscard]] constexpr bool contains(int64_t x) const {
    return lower <= x && x <= upper;
  }
  /// Ensures: true exactly if every element of `other` is in this interval.
  [[nodiscard]] constexpr bool contains(Interval other) const {
    return other.isEmpty() || (lower <= other.lower && other.upper <= upper);
  }
  /// The number of elements, or nothing if it does not fit int64.
  [[nodiscard]] constexpr std::optional<int64_t> size() const {
    if (isEmpty())
      return 0;
    if (!isBounded())
      return std::nullopt;
    int64_t n;
    if (__builtin_sub_overflow(upper, lower, &n) ||
        __builtin_add_overflow(n, 1, &n))
      return std::nullopt;
    return n;
  }

  /// Ensures: x is in the result exactly if x is in both.
  [[nodiscard]] constexpr Interval intersect(Interval o) const {
    Interval r{std::max(lower, o.lower), std::min(upper, o.upper)};
    return r.isEmpty() ? empty() : r;
  }
  /// The smallest interval that contains both.
  [[nodiscard]] constexpr Interval hull(Interval o) const {
    if (isEmpty())
      return o;
    if (o.isEmpty())
      return *this;
    return {std::min(lower, o.lower), std::max(upper, o.upper)};
  }

  [[nodiscard]] constexpr Interval operator-() const {
    if (isEmpty())
      return empty();
    // x <= kMin implies -x > kMax; the nearest int64 bound is kMax.
    int64_t lowest = upper == kMin ? kMax : -upper;
    return {hasUpper() ? lowest : kMin, hasLower() ? -lower : kMax};
  }
  [[nodiscard]] constexpr Interval operator+(Interval o) const {
    if (isEmpty() || o.isEmpty())
      return empty();
    Interval r;
    if (!hasLower() || !o.hasLower() ||
        __builtin_add_overflow(lower, o.lower, &r.lower))
      r.lower = kMin;
    if (!hasUpper() || !o.hasUpper() ||
        __builtin_add_overflow(upper, o.upper, &r.upper))
      r.upper = kMax;
    return r;
  }
  [[nodiscard]] constexpr Interval operator-(Interval o) const {
    return *this + (-o);
  }
  /// Contains k * x for every x.
  [[nodiscard]] constexpr Interval operator*(int64_t k) const {
    if (isEmpty())
      return empty();
    if (k == 0)
      return point(0);
    int64_t atLower = k > 0 ? lower : upper, atUpper = k > 0 ? upper : lower;
    Interval r;
    if (atLower == kMin || atLower == kMax ||
        __builtin_mul_overflow(atLower, k, &r.lower))
      r.lower = kMin;
    if (atUpper == kMin || atUpper == kMax ||
        __builtin_mul_overflow(atUpper, k, &r.upper))
      r.upper = kMax;
    return r;
  }
  /// Contains x * y for every x and every y of `o`.
  [[nodiscard]] Interval operator*(Interval o) const;
  /// Contains floor(x / d) for every x. Requires: d > 0.
  [[nodiscard]] constexpr Interval floorDiv(int64_t d) const {
    if (isEmpty())
      return empty();
    return {hasLower() ? floorDivPositive(lower, d) : kMin,
            hasUpper() ? floorDivPositive(upper, d) : kMax};
  }
  /// Contains floor(x / y) for every x and every y of `o`; everything if `o`
  /// contains zero.
  [[nodiscard]] Interval floorDiv(Interval o) const;
  [[nodiscard]] constexpr Interval min(Interval o) const {
    if (isEmpty() || o.isEmpty())
      return empty();
    return {std::min(lower, o.lower), std::min(upper, o.upper)};
  }
  [[nodiscard]] constexpr Interval max(Interval o) const {
    if (isEmpty() || o.isEmpty())
      return empty();
    return {std::max(lower, o.lower), std::max(upper, o.upper)};
  }
};

/// Prints `[lower, upper]`, with -inf and inf for missing bounds.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Interval interval);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EXPR_INTERVAL_H
