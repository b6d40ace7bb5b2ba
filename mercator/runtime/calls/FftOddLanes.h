// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Fourier transforms of an odd number n of real numbers, of as many lines at once as a
/// vector has lanes. Internal to Fft.cpp.
///
/// Results k and n - k are conjugate, so half of them are computed. The factors are
/// taken as in FftLanes.h, but from the last one to the first (decimation in time). A
/// step for the factor f begins with f transforms of m numbers; (m + 1) / 2 results of
/// each are stored. Their results k give the results k, k + m, .. of f * m numbers; those
/// of the second half are stored as their conjugates. Each step reads and writes half of what a step of complex numbers does.
/// The inverse goes back step by step. (H. Sorensen, D. Jones, M. Heideman and
/// C. Burrus, "Real-valued fast Fourier transform algorithms", 1987.)

#ifndef MERCATOR_RUNTIME_CALLS_FFTODDLANES_H
#define MERCATOR_RUNTIME_CALLS_FFTODDLANES_H

#include "mercator/runtime/calls/FftLanes.h"

namespace mercator::calls::lanes {

/// One factor. Results k of the transforms of m numbers stand in an array of the extents
/// [(m + 1) / 2][factor][apart], those of factor * m numbers in one of
/// [(factor * m + 1) / 2][apart].
template <typename T> struct OddPass {
  int factor;
  int64_t m, apart;
  const Complex<T> *twiddles; ///< their extents are [m][factor - 1]
  const Complex<T> *roots;    ///< of the factor
};

/// A factor that the compiler knows, or 0: then it is that of the pass.
template <int known> inline constexpr int sizeOf = known ? known : maxFactor;

/// The first half of the transform of real numbers.
template <typename T, typename V>
MERCATOR_INLINE void dftOfReal(const V *a, int factor, const Complex<T> *roots,
                               Complex<V> *to) {
  V total = a[0];
  for (int j = 1; j < factor; ++j)
    total = total + a[j];
  to[0] = {total, V{}};
  for (int k = 1; k <= factor / 2; ++k) {
    V re = a[0], im = (a[1] - a[factor - 1]) * roots[k].im;
    re = re + (a[1] + a[factor - 1]) * roots[k].re;
    for (int j = 2; j <= factor / 2; ++j) {
      const Complex<T> &root = roots[j * k % factor];
      re = re + (a[j] + a[factor - j]) * root.re;
      im = im + (a[j] - a[factor - j]) * root.im;
    }
    to[k] = {re, im};
  }
}

/// The inverse of dftOfReal, times the factor.
template <typename T, typename V>
MERCATOR_INLINE void dftToReal(const Complex<V> *a, int factor,
                               const Complex<T> *roots, V *to) {
  Complex<V> twice[maxFactor];
  V total = a[0].re;
  for (int k = 1; k <= factor / 2; ++k) {
    twice[k] = a[k] + a[k];
    total = total + twice[k].re;
  }
  to[0] = total;
  for (int j = 1; j <= factor / 2; ++j) {
    V even = a[0].re + twice[1].re * roots[j].re,
      odd = twice[1].im * roots[j].im;
    for (int k = 2; k <= factor / 2; ++k) {
      const Complex<T> &root = roots[j * k % factor];
      even = even + twice[k].re * root.re;
      odd = odd + twice[k].im * root.im;
    }
    to[j] = even + odd;
    to[factor - j] = even - odd;
  }
}

template <int known, typename T, typename V>
MERCATOR_INLINE void dftOfOdd(Complex<V> (&a)[sizeOf<known>], int factor,
                              const Complex<T> *roots) {
  if constexpr (known == 3 || known == 5)
    transform<T>(a);
  else
    dftOfAny(a, factor, roots);
}

template <typename V> MERCATOR_INLINE Complex<V> mirrored(const Complex<V> &a) {
  return {a.re, -a.im};
}

/// `real` are the numbers themselves, where m is 1.
template <int known, typename T, typename V>
MERCATOR_INLINE void passOfOdd(const OddPass<T> &p, const V *real,
                               const Complex<V> *from, Complex<V> *to) {
  int factor = known ? known : p.factor;
  int64_t apart = p.apart, step = p.m * apart;
  for (int64_t i = 0; i < apart; ++i) {
    V a[sizeOf<known>];
    Complex<V> half[sizeOf<known> / 2 + 1];
    for (int j = 0; j < factor; ++j)
      a[j] = real ? real[i + apart * j] : from[i + apart * j].re;
    dftOfReal(a, factor, p.roots, half);
    for (int k = 0; k <= factor / 2; ++k)
      to[i + step * k] = half[k];
  }
  for (int64_t k = 1; k <= p.m / 2; ++k) {
    const Complex<V> *row = from + k * factor * apart;
    const Complex<T> *twiddles = p.twiddles + k * (factor - 1) - 1;
    Complex<V> *low = to + k * apart, *high = to + (p.m - k) * apart;
    for (int64_t i = 0; i < apart; ++i) {
      Complex<V> a[sizeOf<known>];
      a[0] = row[i];
      for (int j = 1; j < factor; ++j)
        a[j] = times(row[i + apart * j], twiddles[j]);
      dftOfOdd<known>(a, factor, p.roots);
      for (int j = 0; j <= factor / 2; ++j)
        low[i + step * j] = a[j];
      for (int j = 0; j < factor / 2; ++j)
        high[i + step * j] = mirrored(a[factor - 1 - j]);
    }
  }
}

/// From the results to those of the parts, times the factor.
template <int known, typename T, typename V>
MERCATOR_INLINE void passToOdd(const OddPass<T> &p, const Complex<V> *from,
                               Complex<V> *to, V *real) {
  int factor = known ? known : p.factor;
  int64_t apart = p.apart, step = p.m * apart;
  for (int64_t i = 0; i < apart; ++i) {
    V a[sizeOf<known>];
    Complex<V> half[sizeOf<known> / 2 + 1];
    for (int k = 0; k <= factor / 2; ++k)
      half[k] = from[i + step * k];
    dftToReal(half, factor, p.roots, a);
    for (int j = 0; j < factor; ++j) {
      if (real)
        real[i + apart * j] = a[j];
      else
        to[i + apart * j] = {a[j], a[j]}; // the second is not read
    }
  }
  for (int64_t k = 1; k <= p.m / 2; ++k) {
    Complex<V> *row = to + k * factor * apart;
    const Complex<T> *twiddles = p.twiddles + k * (factor - 1) - 1;
    const Complex<V> *low = from + k * apart, *high = from + (p.m - k) * apart;
    for (int64_t i = 0; i < apart; ++i) {
      // An inverse transform is one of numbers with parts exchanged.
      Complex<V> a[sizeOf<known>];
      for (int j = 0; j <= factor / 2; ++j)
        a[j] = swapped(low[i + step * j]);
      for (int j = 0; j < factor / 2; ++j)
        a[factor - 1 - j] = swapped(mirrored(high[i + step * j]));
      dftOfOdd<known>(a, factor, p.roots);
      row[i] = swapped(a[0]);
      for (int j = 1; j < factor; ++j)
        row[i + apart * j] = swapped(times(a[j], twiddles[j]));
    }
  }
}

/// Calls `pass` with the factor as a constant if it is a usual one. `pass` must be
/// always_inline: a lambda does not inherit the instructions of its function.
template <typename F>
MERCATOR_INLINE void withFactor(int factor, const F &pass) {
  switch (factor) {
  case 3:
    return pass.template operator()<3>();
  case 5:
    return pass.template operator()<5>();
  case 7:
    return pass.template operator()<7>();
  default:
    return pass.template operator()<0>();
  }
}

/// Numbers of lines, one line after the other, to number after number; two vectors of
/// each line at once.
template <typename V, typename T>
MERCATOR_INLINE void loadReal(const T *from, int64_t count, int64_t length,
                              V *real) {
  constexpr int64_t n = lanesOf<V, T>;
  int64_t begin = 0;
  if constexpr (n > 1)
    if (count == n)
      for (; begin + 2 * n <= length; begin += 2 * n) {
        Complex<V> a[n];
#pragma clang loop unroll(full)
        for (int64_t line = 0; line < n; ++line)
          std::memcpy(&a[line], from + begin + line * length, sizeof(a[line]));
        transpose(a);
#pragma clang loop unroll(full)
        for (int64_t j = 0; j < n; ++j) {
          real[begin + j] = a[j].re;
          real[begin + n + j] = a[j].im;
        }
      }
  // Lanes without a line repeat the first one.
  T *to = reinterpret_cast<T *>(real);
  for (int64_t line = 0; line < n; ++line)
    for (int64_t j = begin; j < length; ++j)
      to[n * j + line] = from[(line < count ? line : 0) * length + j];
}

template <typename V, typename T>
MERCATOR_INLINE void storeReal(const V *real, int64_t count, int64_t length,
                               T scale, T *to) {
  constexpr int64_t n = lanesOf<V, T>;
  int64_t begin = 0;
  if constexpr (n > 1)
    if (count == n)
      for (; begin + 2 * n <= length; begin += 2 * n) {
        Complex<V> a[n];
#pragma clang loop unroll(full)
        for (int64_t j = 0; j < n; ++j)
          a[j] =
              scaled(Complex<V>{real[begin + j], real[begin + n + j]}, scale);
        transpose(a);
#pragma clang loop unroll(full)
        for (int64_t line = 0; line < n; ++line)
          std::memcpy(to + begin + line * length, &a[line], sizeof(a[line]));
      }
  const T *from = reinterpret_cast<const T *>(real);
  for (int64_t line = 0; line < count; ++line)
    for (int64_t j = begin; j < length; ++j)
      to[line * length + j] = scale * from[n * j + line];
}

/// The transforms of `count` lines, at most one for each lane.
template <size_t bytes, typename T>
MERCATOR_INLINE void runOdd(const Stages<T> &stages, const T *from,
                            Complex<T> *to, int64_t count, Complex<T> *work) {
  using V = typename VectorOf<T, bytes>::type;
  int64_t n = stages.length, width = n / 2 + 1, m = 1;
  auto *now = reinterpret_cast<Complex<V> *>(work), *next = now + n;
  V *real = reinterpret_cast<V *>(now);
  loadReal(from, count, n, real);
  const Complex<T> *twiddles = stages.twiddles.get() + stages.twiddleCount,
                   *roots = stages.roots.get() + stages.rootCount;
  for (int f = stages.factorCount; f-- > 0;) {
    int factor = stages.factors[f];
    twiddles -= (factor - 1) * m;
    roots -= factor;
    OddPass<T> pass{factor, m, n / (m * factor), twiddles, roots};
    withFactor(factor, [&]<int known>() __attribute__((always_inline)) {
      passOfOdd<known>(pass, m == 1 ? real : nullptr, now, next);
    });
    std::swap(now, next);
    m *= factor;
  }
  storeLines<false>(FftLines<T>{nullptr, to, count, 1, width, T(1), nullptr},
                    width, now);
}

/// The inverse of runOdd, times `scale`.
template <size_t bytes, typename T>
MERCATOR_INLINE void runOddInverse(const Stages<T> &stages,
                                   const Complex<T> *from, T *to, int64_t count,
                                   T scale, Complex<T> *work) {
  using V = typename VectorOf<T, bytes>::type;
  int64_t n = stages.length, width = n / 2 + 1, m = n;
  auto *now = reinterpret_cast<Complex<V> *>(work), *next = now + n;
  loadLines<false>(FftLines<T>{from, nullptr, count, 1, width, T(1), nullptr},
                   width, now);
  const Complex<T> *twiddles = stages.twiddles.get(),
                   *roots = stages.roots.get();
  for (int f = 0; f < stages.factorCount; ++f) {
    int factor = stages.factors[f];
    m /= factor;
    OddPass<T> pass{factor, m, n / (m * factor), twiddles, roots};
    withFactor(factor, [&]<int known>() __attribute__((always_inline)) {
      passToOdd<known>(pass, now, next,
                       m == 1 ? reinterpret_cast<V *>(next) : nullptr);
    });
    std::swap(now, next);
    twiddles += (factor - 1) * m;
    roots += factor;
  }
  storeReal(reinterpret_cast<const V *>(now), count, n, scale, to);
}

} // namespace mercator::calls::lanes

#endif // MERCATOR_RUNTIME_CALLS_FFTODDLANES_H
