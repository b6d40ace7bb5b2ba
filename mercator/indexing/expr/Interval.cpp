// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products, quotients and printing of intervals.

#include "mercator/indexing/expr/Interval.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::indexing {

namespace {
bool isInfinite(int64_t x) {
  return x == Interval::kMin || x == Interval::kMax;
}

/// x * y, where the extreme values are infinities and 0 * inf = 0.
int64_t saturatingMul(int64_t x, int64_t y) {
  if (x == 0 || y == 0)
    return 0;
  bool negative = (x < 0) != (y < 0);
  int64_t r;
  if (isInfinite(x) || isInfinite(y) || __builtin_mul_overflow(x, y, &r))
    return negative ? Interval::kMin : Interval::kMax;
  return r;
}

/// floor(x / y) for y != 0, infinities as above; inf / inf is infinite.
int64_t saturatingFloorDiv(int64_t x, int64_t y) {
  if (isInfinite(x))
    return (x < 0) != (y < 0) ? Interval::kMin : Interval::kMax;
  if (isInfinite(y))
    return x == 0 ? 0 : ((x < 0) != (y < 0) ? -1 : 0);
  if (y < 0) {
    x = -x; // x and y are finite, so neither is the smallest int64.
    y = -y;
  }
  return floorDivPositive(x, y);
}
/// True for a finite bound that the corner arithmetic below would take for an
/// infinity.
bool isExtreme(Interval i) {
  return i.lower == Interval::kMax || i.upper == Interval::kMin;
}
} // namespace

Interval Interval::operator*(Interval o) const {
  if (isEmpty() || o.isEmpty())
    return empty();
  if (isExtreme(*this) || isExtreme(o))
    return everything();
  int64_t corners[] = {
      saturatingMul(lower, o.lower), saturatingMul(lower, o.upper),
      saturatingMul(upper, o.lower), saturatingMul(upper, o.upper)};
  return {*std::min_element(corners, corners + 4),
          *std::max_element(corners, corners + 4)};
}

Interval Interval::floorDiv(Interval o) const {
  if (isEmpty() || o.isEmpty())
    return empty();
  if (o.contains(0) || isExtreme(*this) || isExtreme(o))
    return everything();
  // For divisors of one sign the quotient is monotone in each argument, so its
  // extremes are at the corners.
  int64_t corners[] = {
      saturatingFloorDiv(lower, o.lower), saturatingFloorDiv(lower, o.upper),
      saturatingFloorDiv(upper, o.lower), saturatingFloorDiv(upper, o.upper)};
  return {*std::min_element(corners, corners + 4),
          *std::max_element(corners, corners + 4)};
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Interval interval) {
  if (interval.isEmpty())
    return os << "[]";
  os << '[';
  interval.hasLower() ? os << interval.lower : os << "-inf";
  os << ", ";
  interval.hasUpper() ? os << interval.upper : os << "inf";
  return os << ']';
}

} // namespace mercator::indexing
