// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Fourier transforms of as many lines at once as a vector has lanes. Internal to
/// Fft.cpp, which compiles this code for several kinds of CPUs.
///
///   Complex<V> a[4] = ..;   // V: a vector of floats, or one float
///   dft<4>(a);              // four numbers of each lane
///
/// All functions are inlined into one that knows the CPU. Vectors are handed on as parts
/// of Complex only: how a function gets a vector itself depends on the CPU.

#ifndef MERCATOR_RUNTIME_CALLS_FFTLANES_H
#define MERCATOR_RUNTIME_CALLS_FFTLANES_H

#include "mercator/runtime/calls/Fft.h"

#include <numbers>
#include <utility>

namespace mercator::calls::lanes {

#define MERCATOR_INLINE [[gnu::always_inline]] inline

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// A vector of `bytes` bytes of T; T itself if that is its size.
template <typename T, size_t bytes> struct VectorOf {
  typedef T type __attribute__((vector_size(bytes)));
};
template <> struct VectorOf<float, sizeof(float)> {
  using type = float;
};
template <> struct VectorOf<double, sizeof(double)> {
  using type = double;
};

template <typename V, typename T>
inline constexpr int64_t lanesOf =
    int64_t(sizeof(V) / sizeof(T)); // NOLINT(bugprone-sizeof-expression)

/// The value times -i.
template <typename V> MERCATOR_INLINE Complex<V> turned(const Complex<V> &a) {
  return {a.im, -a.re};
}
template <typename V, typename T>
MERCATOR_INLINE Complex<V> times(const Complex<V> &a, const Complex<T> &root) {
  return {a.re * root.re - a.im * root.im, a.re * root.im + a.im * root.re};
}
template <typename V, typename T>
MERCATOR_INLINE Complex<V> scaled(const Complex<V> &a, T factor) {
  return {a.re * factor, a.im * factor};
}
template <typename V> MERCATOR_INLINE Complex<V> swapped(const Complex<V> &a) {
  return {a.im, a.re};
}

template <typename V, size_t... i>
MERCATOR_INLINE Complex<V> apart(const Complex<V> &both,
                                 std::index_sequence<i...>) {
  return {__builtin_shufflevector(both.re, both.im, (2 * i)...),
          __builtin_shufflevector(both.re, both.im, (2 * i + 1)...)};
}
template <typename V, size_t... i>
MERCATOR_INLINE Complex<V> zipped(const Complex<V> &a,
                                  std::index_sequence<i...>) {
  constexpr size_t n = sizeof...(i);
  return {
      __builtin_shufflevector(a.re, a.im, (i / 2 + (i % 2) * n)...),
      __builtin_shufflevector(a.re, a.im, (n / 2 + i / 2 + (i % 2) * n)...)};
}
template <typename V, size_t... i>
MERCATOR_INLINE Complex<V> reversed(const Complex<V> &a,
                                    std::index_sequence<i...>) {
  constexpr size_t n = sizeof...(i);
  return {__builtin_shufflevector(a.re, a.re, (n - 1 - i)...),
          __builtin_shufflevector(a.im, a.im, (n - 1 - i)...)};
}

/// As many numbers as there are lanes, from memory.
template <typename V, typename T>
MERCATOR_INLINE Complex<V> load(const Complex<T> *from) {
  Complex<V> both;
  std::memcpy(&both, from, sizeof(both));
  if constexpr (std::is_same_v<V, T>)
    return both;
  else
    return apart(both, std::make_index_sequence<lanesOf<V, T>>());
}
template <typename V, typename T>
MERCATOR_INLINE void store(Complex<T> *to, const Complex<V> &a) {
  if constexpr (std::is_same_v<V, T>) {
    *to = a;
  } else {
    Complex<V> both = zipped(a, std::make_index_sequence<lanesOf<V, T>>());
    std::memcpy(static_cast<void *>(to), &both, sizeof(both));
  }
}

/// Exchanges lanes and numbers: lane i of a[k] becomes lane k of a[i]. Each round puts
/// the lanes of a[i] and a[i + n / 2] in turn.
template <size_t n, typename V>
MERCATOR_INLINE void transpose(Complex<V> (&a)[n]) {
  for (size_t round = 1; round < n; round *= 2) {
    Complex<V> next[n];
#pragma clang loop unroll(full)
    for (size_t i = 0; i < n / 2; ++i) {
      Complex<V> re = zipped(Complex<V>{a[i].re, a[i + n / 2].re},
                             std::make_index_sequence<n>()),
                 im = zipped(Complex<V>{a[i].im, a[i + n / 2].im},
                             std::make_index_sequence<n>());
      next[2 * i] = {re.re, im.re};
      next[2 * i + 1] = {re.im, im.im};
    }
#pragma clang loop unroll(full)
    for (size_t i = 0; i < n; ++i)
      a[i] = next[i];
  }
}

//===----------------------------------------------------------------------===//
// Transforms of a few numbers
//===----------------------------------------------------------------------===//

template <typename V> MERCATOR_INLINE void dft(Complex<V> (&a)[2]) {
  Complex<V> sum = a[0] + a[1];
  a[1] = a[0] - a[1];
  a[0] = sum;
}

template <typename V> MERCATOR_INLINE void dft(Complex<V> (&a)[4]) {
  Complex<V> even = a[0] + a[2], odd = a[1] + a[3], evenSide = a[0] - a[2],
             oddSide = turned(a[1] - a[3]);
  a[0] = even + odd;
  a[1] = evenSide + oddSide;
  a[2] = even - odd;
  a[3] = evenSide - oddSide;
}

/// (1 - i) a / sqrt(2), and (-1 - i) a / sqrt(2).
template <typename T, typename V>
MERCATOR_INLINE Complex<V> eighth(const Complex<V> &a) {
  constexpr T root = T(std::numbers::sqrt2_v<long double> / 2);
  return {(a.re + a.im) * root, (a.im - a.re) * root};
}
template <typename T, typename V>
MERCATOR_INLINE Complex<V> threeEighths(const Complex<V> &a) {
  constexpr T root = T(std::numbers::sqrt2_v<long double> / 2);
  return {(a.im - a.re) * root, (a.re + a.im) * -root};
}

template <typename T, typename V>
MERCATOR_INLINE void dft8(Complex<V> (&a)[8]) {
  Complex<V> even[4] = {a[0] + a[4], a[1] + a[5], a[2] + a[6], a[3] + a[7]};
  Complex<V> odd[4] = {a[0] - a[4], eighth<T>(a[1] - a[5]), turned(a[2] - a[6]),
                       threeEighths<T>(a[3] - a[7])};
  dft(even);
  dft(odd);
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; ++k) {
    a[2 * k] = even[k];
    a[2 * k + 1] = odd[k];
  }
}

/// Four transforms of every fourth number, then four of their results.
template <typename T, typename V>
MERCATOR_INLINE void dft16(Complex<V> (&a)[16]) {
  constexpr T cosine = T(0.923879532511286756128183189396788287L),
              sine = T(0.382683432365089771728459984030398867L);
  constexpr Complex<T> one = {cosine, -sine}, three = {sine, -cosine},
                       nine = {-cosine, sine};
  Complex<V> columns[4][4];
#pragma clang loop unroll(full)
  for (int j = 0; j < 4; ++j) {
    Complex<V> column[4] = {a[j], a[j + 4], a[j + 8], a[j + 12]};
    dft(column);
#pragma clang loop unroll(full)
    for (int k = 0; k < 4; ++k)
      columns[k][j] = column[k];
  }
  // Number j of row k is turned by j k sixteenths.
  columns[1][1] = times(columns[1][1], one);
  columns[1][2] = eighth<T>(columns[1][2]);
  columns[1][3] = times(columns[1][3], three);
  columns[2][1] = eighth<T>(columns[2][1]);
  columns[2][2] = turned(columns[2][2]);
  columns[2][3] = threeEighths<T>(columns[2][3]);
  columns[3][1] = times(columns[3][1], three);
  columns[3][2] = threeEighths<T>(columns[3][2]);
  columns[3][3] = times(columns[3][3], nine);
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; ++k) {
    dft(columns[k]);
#pragma clang loop unroll(full)
    for (int j = 0; j < 4; ++j)
      a[k + 4 * j] = columns[k][j];
  }
}

template <typename T, typename V>
MERCATOR_INLINE void dft3(Complex<V> (&a)[3]) {
  constexpr T sine = T(0.866025403784438646763723170752936183L);
  Complex<V> sum = a[1] + a[2], middle = a[0] - scaled(sum, T(0.5)),
             side = scaled(turned(a[1] - a[2]), sine);
  a[0] = a[0] + sum;
  a[1] = middle + side;
  a[2] = middle - side;
}

template <typename T, typename V>
MERCATOR_INLINE void dft5(Complex<V> (&a)[5]) {
  constexpr T cosine1 = T(0.309016994374947424102293417182819059L),
              cosine2 = T(-0.809016994374947424102293417182819059L),
              sine1 = T(0.951056516295153572116439333379382143L),
              sine2 = T(0.587785252292473129168705954639072769L);
  Complex<V> sum1 = a[1] + a[4], sum2 = a[2] + a[3],
             side1 = turned(a[1] - a[4]), side2 = turned(a[2] - a[3]);
  Complex<V> middle1 = a[0] + scaled(sum1, cosine1) + scaled(sum2, cosine2),
             middle2 = a[0] + scaled(sum1, cosine2) + scaled(sum2, cosine1),
             turn1 = scaled(side1, sine1) + scaled(side2, sine2),
             turn2 = scaled(side1, sine2) - scaled(side2, sine1);
  a[0] = a[0] + sum1 + sum2;
  a[1] = middle1 + turn1;
  a[2] = middle2 + turn2;
  a[3] = middle2 - turn2;
  a[4] = middle1 - turn1;
}

/// The transform of n numbers in place.
template <typename T, size_t n, typename V>
MERCATOR_INLINE void transform(Complex<V> (&a)[n]) {
  if constexpr (n == 16)
    dft16<T>(a);
  else if constexpr (n == 8)
    dft8<T>(a);
  else if constexpr (n == 5)
    dft5<T>(a);
  else if constexpr (n == 3)
    dft3<T>(a);
  else
    dft(a);
}

//===----------------------------------------------------------------------===//
// One factor
//===----------------------------------------------------------------------===//

/// Transforms of length `factor`. The values stand in an array of the extents
/// [groups][factor][inner], the results in one of [factor][groups][inner].
template <typename T, typename V> struct Pass {
  const Complex<V> *from;
  Complex<V> *to;
  int64_t inner, groups;
  /// Their extents are [inner][factor - 1].
  const Complex<T> *twiddles;
};

template <int factor, bool isLast, typename T, typename V>
MERCATOR_INLINE void passOf(const Pass<T, V> &p) {
  int64_t inner = isLast ? 1 : p.inner;
  for (int64_t group = 0; group < p.groups; ++group)
    for (int64_t i = 0; i < inner; ++i) {
      Complex<V> a[factor];
      const Complex<V> *from = p.from + i + inner * factor * group;
#pragma clang loop unroll(full)
      for (int j = 0; j < factor; ++j)
        a[j] = from[inner * j];
      transform<T>(a);
      Complex<V> *to = p.to + i + inner * group;
      to[0] = a[0];
#pragma clang loop unroll(full)
      for (int j = 1; j < factor; ++j)
        to[inner * p.groups * j] =
            isLast ? a[j] : times(a[j], p.twiddles[i * (factor - 1) + j - 1]);
    }
}

/// The transform of an odd number of values in place, by definition. The values j and
/// factor - j, and so the results, are taken together.
template <typename T, typename V>
MERCATOR_INLINE void dftOfAny(Complex<V> *a, int factor,
                              const Complex<T> *roots) {
  Complex<V> sums[maxFactor], sides[maxFactor];
  int half = factor / 2;
  Complex<V> first = a[0], total = first;
  for (int j = 1; j <= half; ++j) {
    sums[j] = a[j] + a[factor - j];
    sides[j] = turned(a[j] - a[factor - j]);
    total = total + sums[j];
  }
  a[0] = total;
  for (int k = 1; k <= half; ++k) {
    Complex<V> even = first, odd = scaled(sides[1], -roots[k].im);
    even = even + scaled(sums[1], roots[k].re);
    for (int j = 2, at = 2 * k; j <= half; ++j, at += k) {
      at -= at >= factor ? factor : 0;
      even = even + scaled(sums[j], roots[at].re);
      odd = odd - scaled(sides[j], roots[at].im);
    }
    a[k] = even + odd;
    a[factor - k] = even - odd;
  }
}

template <typename T, typename V>
MERCATOR_INLINE void passOfAny(const Pass<T, V> &p, int factor,
                               const Complex<T> *roots) {
  for (int64_t group = 0; group < p.groups; ++group)
    for (int64_t i = 0; i < p.inner; ++i) {
      const Complex<V> *from = p.from + i + p.inner * factor * group;
      Complex<V> *to = p.to + i + p.inner * group;
      const Complex<T> *twiddles = p.twiddles + i * (factor - 1) - 1;
      int64_t step = p.inner * p.groups;
      Complex<V> a[maxFactor];
      for (int j = 0; j < factor; ++j)
        a[j] = from[p.inner * j];
      dftOfAny(a, factor, roots);
      to[0] = a[0];
      for (int k = 1; k < factor; ++k)
        to[step * k] = times(a[k], twiddles[k]);
    }
}

template <bool isLast, typename T, typename V>
MERCATOR_INLINE void passOf(const Pass<T, V> &p, int factor,
                            const Complex<T> *roots) {
  switch (factor) {
  case 2:
    return passOf<2, isLast>(p);
  case 3:
    return passOf<3, isLast>(p);
  case 4:
    return passOf<4, isLast>(p);
  case 5:
    return passOf<5, isLast>(p);
  case 8:
    return passOf<8, isLast>(p);
  default:
    return passOfAny(p, factor, roots);
  }
}

/// All factors. Returns where the results stand, one of the two arrays.
template <typename T, typename V>
MERCATOR_INLINE Complex<V> *runStages(const Stages<T> &stages, Complex<V> *from,
                                      Complex<V> *to) {
  const Complex<T> *twiddles = stages.twiddles.get(),
                   *roots = stages.roots.get();
  int64_t before = 1;
  for (int f = 0; f < stages.factorCount; ++f) {
    int factor = stages.factors[f];
    int64_t inner = stages.length / (before * factor);
    Pass<T, V> pass{from, to, inner, before, twiddles};
    if (inner == 1)
      passOf<true>(pass, factor, roots);
    else
      passOf<false>(pass, factor, roots);
    std::swap(from, to);
    twiddles += (factor - 1) * inner;
    roots += factor;
    before *= factor;
  }
  return from;
}

//===----------------------------------------------------------------------===//
// Lines in lanes
//===----------------------------------------------------------------------===//

/// Lines that are not neighbors are transposed, what is left of them number by number, a
/// cache line at a time.
template <bool isInverse, typename T, typename V>
MERCATOR_INLINE void loadLines(const FftLines<T> &lines, int64_t length,
                               Complex<V> *work) {
  constexpr int64_t n = lanesOf<V, T>, block = 8;
  if (lines.count == n && (n == 1 || lines.apart == 1)) {
    for (int64_t j = 0; j < length; ++j) {
      Complex<V> a = load<V>(lines.from + j * lines.step);
      work[j] = isInverse ? swapped(a) : a;
    }
    return;
  }
  int64_t begin = 0;
  if constexpr (n > 1)
    if (lines.count == n && lines.step == 1)
      for (; begin + n <= length; begin += n) {
        Complex<V> a[n];
#pragma clang loop unroll(full)
        for (int64_t line = 0; line < n; ++line)
          a[line] = load<V>(lines.from + begin + line * lines.apart);
        transpose(a);
#pragma clang loop unroll(full)
        for (int64_t j = 0; j < n; ++j)
          work[begin + j] = isInverse ? swapped(a[j]) : a[j];
      }
  T *to = reinterpret_cast<T *>(work);
  for (int64_t first = begin; first < length; first += block) {
    int64_t end = first + block < length ? first + block : length;
    for (int64_t line = 0; line < n; ++line) {
      // Lanes without a line repeat the first one.
      const Complex<T> *from =
          lines.from + (line < lines.count ? line : 0) * lines.apart;
      for (int64_t j = first; j < end; ++j) {
        Complex<T> a = from[j * lines.step];
        to[2 * n * j + line] = isInverse ? a.im : a.re;
        to[2 * n * j + n + line] = isInverse ? a.re : a.im;
      }
    }
  }
}

template <bool isInverse, typename T, typename V>
MERCATOR_INLINE void storeLines(const FftLines<T> &lines, int64_t length,
                                const Complex<V> *work) {
  constexpr int64_t n = lanesOf<V, T>, block = 8;
  if (lines.count == n && (n == 1 || lines.apart == 1)) {
    for (int64_t j = 0; j < length; ++j) {
      Complex<V> a = scaled(work[j], lines.scale);
      store(lines.to + j * lines.step, isInverse ? swapped(a) : a);
    }
    return;
  }
  int64_t begin = 0;
  if constexpr (n > 1)
    if (lines.count == n && lines.step == 1)
      for (; begin + n <= length; begin += n) {
        Complex<V> a[n];
#pragma clang loop unroll(full)
        for (int64_t j = 0; j < n; ++j) {
          Complex<V> result = scaled(work[begin + j], lines.scale);
          a[j] = isInverse ? swapped(result) : result;
        }
        transpose(a);
#pragma clang loop unroll(full)
        for (int64_t line = 0; line < n; ++line)
          store(lines.to + begin + line * lines.apart, a[line]);
      }
  const T *from = reinterpret_cast<const T *>(work);
  for (int64_t first = begin; first < length; first += block) {
    int64_t end = first + block < length ? first + block : length;
    for (int64_t line = 0; line < lines.count; ++line) {
      Complex<T> *to = lines.to + line * lines.apart;
      for (int64_t j = first; j < end; ++j) {
        T re = lines.scale * from[2 * n * j + line],
          im = lines.scale * from[2 * n * j + n + line];
        to[j * lines.step] =
            isInverse ? Complex<T>{im, re} : Complex<T>{re, im};
      }
    }
  }
}

template <bool isInverse, size_t bytes, typename T>
MERCATOR_INLINE void runLines(const Stages<T> &stages,
                              const FftLines<T> &lines) {
  using V = typename VectorOf<T, bytes>::type;
  auto *work = reinterpret_cast<Complex<V> *>(lines.work);
  loadLines<isInverse>(lines, stages.length, work);
  work = runStages(stages, work, work + stages.length);
  storeLines<isInverse>(lines, stages.length, work);
}

//===----------------------------------------------------------------------===//
// One line
//===----------------------------------------------------------------------===//

/// A line of m * n numbers, n lanes: lane l has the numbers l, l + n, .. Of the
/// transforms of the lanes, number k of all lanes, each turned by its root, becomes the
/// results k, k + m, ..
template <bool isInverse, size_t bytes, typename T>
MERCATOR_INLINE void runLine(const Stages<T> &stages, const T *across,
                             const FftLines<T> &lines) {
  using V = typename VectorOf<T, bytes>::type;
  constexpr size_t n = lanesOf<V, T>;
  int64_t m = stages.length;
  auto *work = reinterpret_cast<Complex<V> *>(lines.work);
  for (int64_t j = 0; j < m; ++j) {
    Complex<V> a = load<V>(lines.from + j * int64_t(n));
    work[j] = isInverse ? swapped(a) : a;
  }
  const Complex<V> *rows = runStages(stages, work, work + m);
  const auto *roots = reinterpret_cast<const Complex<V> *>(across);
  for (int64_t k = 0; k < m; k += n, roots += n) {
    Complex<V> a[n];
    int64_t count = m - k < int64_t(n) ? m - k : int64_t(n);
    if (count == int64_t(n)) {
#pragma clang loop unroll(full)
      for (size_t i = 0; i < n; ++i)
        a[i] = rows[k + int64_t(i)];
    } else {
      for (size_t i = 0; i < n; ++i)
        a[i] = rows[k + (int64_t(i) < count ? int64_t(i) : 0)];
    }
    transpose(a);
#pragma clang loop unroll(full)
    for (size_t i = 1; i < n; ++i)
      a[i] = a[i] * roots[i];
    transform<T>(a);
    if (count == int64_t(n)) {
#pragma clang loop unroll(full)
      for (size_t i = 0; i < n; ++i) {
        Complex<V> result = scaled(a[i], lines.scale);
        store(lines.to + k + m * int64_t(i),
              isInverse ? swapped(result) : result);
      }
      continue;
    }
    for (size_t i = 0; i < n; ++i) {
      Complex<T> row[n];
      Complex<V> result = scaled(a[i], lines.scale);
      store(row, isInverse ? swapped(result) : result);
      copyElements(lines.to + k + m * int64_t(i), row, count);
    }
  }
}

/// Products of two lines. `from` and `to` may be one array.
template <bool swapsFrom, bool swapsTo, size_t bytes, typename T>
MERCATOR_INLINE void multiplyLines(const Complex<T> *from,
                                   const Complex<T> *factors, Complex<T> *to,
                                   int64_t count) {
  using V = typename VectorOf<T, bytes>::type;
  constexpr int64_t n = lanesOf<V, T>;
  int64_t j = 0;
  for (; j + n <= count; j += n) {
    Complex<V> a = load<V>(from + j);
    Complex<V> b = (swapsFrom ? swapped(a) : a) * load<V>(factors + j);
    store(to + j, swapsTo ? swapped(b) : b);
  }
  for (; j < count; ++j) {
    Complex<T> b = (swapsFrom ? swapped(from[j]) : from[j]) * factors[j];
    to[j] = swapsTo ? swapped(b) : b;
  }
}

//===----------------------------------------------------------------------===//
// Real lines
//===----------------------------------------------------------------------===//

/// The transform of 2 n real numbers from that of the n complex ones that they are in
/// memory: results k and n - k are made together.
template <typename V, typename T>
MERCATOR_INLINE void splitPair(const Complex<V> &a, const Complex<V> &mirror,
                               const Complex<V> &root, Complex<V> &low,
                               Complex<V> &high) {
  Complex<V> b = {mirror.re, -mirror.im};
  Complex<V> even = scaled(a + b, T(0.5)), odd = scaled(a - b, T(0.5));
  // odd / i, turned by the root.
  Complex<V> side = Complex<V>{odd.im, -odd.re} * root;
  low = even + side;
  high = {even.re - side.re, side.im - even.im};
}

template <size_t bytes, typename T>
MERCATOR_INLINE void splitReal(const Complex<T> *line, const Complex<T> *roots,
                               Complex<T> *to, int64_t n) {
  using V = typename VectorOf<T, bytes>::type;
  constexpr int64_t lanes = lanesOf<V, T>;
  constexpr auto order = std::make_index_sequence<size_t(lanes)>();
  to[0] = {line[0].re + line[0].im, 0};
  to[n] = {line[0].re - line[0].im, 0};
  int64_t k = 1;
  for (; k + lanes <= n / 2; k += lanes) {
    int64_t mirror = n - k - lanes + 1;
    Complex<V> low, high;
    splitPair<V, T>(load<V>(line + k), reversed(load<V>(line + mirror), order),
                    load<V>(roots + k), low, high);
    store(to + k, low);
    store(to + mirror, reversed(high, order));
  }
  for (; k <= n / 2; ++k) {
    Complex<T> low, high;
    splitPair<T, T>(line[k], line[n - k], roots[k], low, high);
    to[n - k] = high;
    to[k] = low;
  }
}

/// The other way round: complex numbers whose inverse transform has the real ones,
/// times 2.
template <typename V>
MERCATOR_INLINE void joinPair(const Complex<V> &a, const Complex<V> &mirror,
                              const Complex<V> &root, Complex<V> &low,
                              Complex<V> &high) {
  Complex<V> b = {mirror.re, -mirror.im};
  Complex<V> even = a + b, odd = (a - b) * Complex<V>{root.re, -root.im};
  Complex<V> side = {-odd.im, odd.re};
  low = even + side;
  high = {even.re - side.re, side.im - even.im};
}

template <size_t bytes, typename T>
MERCATOR_INLINE void joinReal(const Complex<T> *from, const Complex<T> *roots,
                              Complex<T> *line, int64_t n) {
  using V = typename VectorOf<T, bytes>::type;
  constexpr int64_t lanes = lanesOf<V, T>;
  constexpr auto order = std::make_index_sequence<size_t(lanes)>();
  line[0] = {from[0].re + from[n].re, from[0].re - from[n].re};
  int64_t k = 1;
  for (; k + lanes <= n / 2; k += lanes) {
    int64_t mirror = n - k - lanes + 1;
    Complex<V> low, high;
    joinPair<V>(load<V>(from + k), reversed(load<V>(from + mirror), order),
                load<V>(roots + k), low, high);
    store(line + k, low);
    store(line + mirror, reversed(high, order));
  }
  for (; k <= n / 2; ++k) {
    Complex<T> low, high;
    joinPair<T>(from[k], from[n - k], roots[k], low, high);
    line[n - k] = high;
    line[k] = low;
  }
}

} // namespace mercator::calls::lanes

#endif // MERCATOR_RUNTIME_CALLS_FFTLANES_H
