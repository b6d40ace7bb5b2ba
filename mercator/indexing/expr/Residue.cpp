// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of congruences: gcd, modular inverse, the Chinese remainder
// theorem.

#include "mercator/indexing/expr/Residue.h"

#include "llvm/Support/raw_ostream.h"

#include <utility>

namespace mercator::indexing {

namespace {
/// The gcd of the absolute values; 1 if an absolute value leaves int64.
int64_t gcdOrOne(int64_t a, int64_t b) {
  if (a == Interval::kMin || b == Interval::kMin)
    return 1;
  // Strides of a tensor mostly divide one another: Euclid's algorithm takes one
  // or two steps, the binary algorithm of std::gcd many.
  while (b != 0)
    a = std::exchange(b, a % b);
  return a < 0 ? -a : a;
}

/// The x with a * x = 1 (mod m). Requires: gcd(a, m) = 1, m >= 1.
int64_t inverseModulo(int64_t a, int64_t m) {
  __int128 r0 = m, r1 = modPositive(a, m), t0 = 0, t1 = 1;
  while (r1 != 0) {
    __int128 q = r0 / r1;
    __int128 r2 = r0 - q * r1, t2 = t0 - q * t1;
    r0 = r1, r1 = r2, t0 = t1, t1 = t2;
  }
  return static_cast<int64_t>(t0 < 0 ? t0 + m : t0);
}
} // namespace

Residue Residue::operator+(Residue o) const {
  int64_t m = gcdOrOne(modulus, o.modulus);
  if (m == 1)
    return everything();
  if (m != 0) {
    int64_t r = of(m, remainder).remainder - m + of(m, o.remainder).remainder;
    return {m, r < 0 ? r + m : r};
  }
  int64_t sum;
  if (__builtin_add_overflow(remainder, o.remainder, &sum))
    return everything();
  return constant(sum);
}

Residue Residue::operator*(int64_t k) const {
  if (k == 0)
    return constant(0);
  int64_t m, r;
  if (k == Interval::kMin || __builtin_mul_overflow(modulus, k, &m) ||
      __builtin_mul_overflow(remainder, k, &r) || m == Interval::kMin)
    return everything();
  return m == 0 ? constant(r) : of(m < 0 ? -m : m, r);
}

Residue Residue::unite(Residue o) const {
  int64_t difference;
  if (__builtin_sub_overflow(remainder, o.remainder, &difference))
    return everything();
  int64_t m = gcdOrOne(gcdOrOne(modulus, o.modulus), difference);
  return m == 0 ? *this : of(m, remainder);
}

std::optional<Residue> solveCongruence(int64_t a, int64_t r, int64_t m) {
  a = modPositive(a, m);
  r = modPositive(r, m);
  if (a == 1)
    return Residue{m, r};
  int64_t g = std::gcd(a, m);
  if (r % g != 0)
    return std::nullopt;
  int64_t n = m / g;
  __int128 x = (__int128)(r / g) * inverseModulo(a / g, n) % n;
  return Residue::of(n, (int64_t)x);
}

std::optional<Residue> Residue::intersect(Residue o) const {
  if (modulus == 0)
    return o.contains(remainder) ? std::optional(*this) : std::nullopt;
  if (o.modulus == 0)
    return contains(o.remainder) ? std::optional(o) : std::nullopt;
  if (isEverything() || o.isEverything())
    return isEverything() ? o : *this;
  int64_t g = std::gcd(modulus, o.modulus);
  if ((remainder - o.remainder) % g != 0)
    return std::nullopt;
  // x = remainder + modulus * t with modulus * t = o.remainder - remainder
  // (mod o.modulus); dividing by g makes modulus / g invertible.
  int64_t n = o.modulus / g;
  __int128 t = (__int128)((o.remainder - remainder) / g) *
               inverseModulo(modulus / g, n) % n;
  if (t < 0)
    t += n;
  __int128 lcm = (__int128)modulus * n;
  if (lcm > Interval::kMax)
    return modulus >= o.modulus ? *this : o;
  return Residue{(int64_t)lcm, (int64_t)(remainder + modulus * t)};
}

Interval Residue::clip(Interval interval) const {
  if (interval.isEmpty())
    return Interval::empty();
  if (modulus == 0)
    return interval.contains(remainder) ? Interval::point(remainder)
                                        : Interval::empty();
  if (modulus == 1)
    return interval;
  Interval r = interval;
  // A bound that leaves int64 becomes the nearest int64.
  if (interval.hasLower() &&
      __builtin_add_overflow(
          interval.lower,
          modPositive(remainder - modPositive(interval.lower, modulus),
                      modulus),
          &r.lower))
    r.lower = Interval::kMax;
  if (interval.hasUpper() &&
      __builtin_sub_overflow(
          interval.upper,
          modPositive(modPositive(interval.upper, modulus) - remainder,
                      modulus),
          &r.upper))
    r.upper = Interval::kMin;
  return r.isEmpty() ? Interval::empty() : r;
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Residue residue) {
  os << residue.remainder;
  return residue.isConstant() ? os : os << " mod " << residue.modulus;
}

} // namespace mercator::indexing
