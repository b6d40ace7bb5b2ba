// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/calls/Fft.h"

#include <numbers>

namespace mercator::calls {

/// Prime factors above this one are too slow by definition.
static constexpr int maxFactor = 31;

//===----------------------------------------------------------------------===//
// Roots of unity
//===----------------------------------------------------------------------===//

using Long = Complex<long double>;

static Long rootOf(int64_t k, int64_t n) {
  long double angle = -2 * std::numbers::pi_v<long double> * (long double)(k) /
                      (long double)(n);
  return {std::cos(angle), std::sin(angle)};
}

// Each root is a product of one of about sqrt(n) small powers and one of as
// many large powers.
template <typename T> Memory<Complex<T>> makeRoots(int64_t n) {
  int64_t side = 1;
  while (side * side < n)
    side *= 2;
  int64_t rows = (n + side - 1) / side;
  Memory<Complex<T>> roots = allocate<Complex<T>>(n);
  Memory<Long> small = allocate<Long>(side), large = allocate<Long>(rows);
  if (!roots || !small || !large)
    return nullptr;
  for (int64_t i = 0; i < side; ++i)
    small[i] = rootOf(i, n);
  for (int64_t i = 0; i < rows; ++i)
    large[i] = rootOf(i * side, n);
  for (int64_t i = 0; i < n; ++i) {
    Long root = large[i / side] * small[i % side];
    roots[i] = {T(root.re), T(root.im)};
  }
  return roots;
}

template Memory<Complex<float>> makeRoots(int64_t n);
template Memory<Complex<double>> makeRoots(int64_t n);

//===----------------------------------------------------------------------===//
// One factor
//===----------------------------------------------------------------------===//

namespace {
/// Transforms of length `factor`. The values stand in an array of the extents
/// [groups][factor][inner], the results in one of [factor][groups][inner].
template <typename T> struct Pass {
  const Complex<T> *from;
  Complex<T> *to;
  int64_t inner, groups;
  /// Their extents are [factor - 1][inner].
  const Complex<T> *twiddles;

  [[nodiscard]] const Complex<T> &in(int64_t i, int factor, int j,
                                     int64_t group) const {
    return from[i + inner * (j + factor * group)];
  }
  void put(int64_t i, int j, int64_t group, Complex<T> value) const {
    to[i + inner * (group + groups * j)] =
        j == 0 ? value : value * twiddles[(j - 1) * inner + i];
  }
};
} // namespace

/// The value times -i.
template <typename T> static Complex<T> turn(Complex<T> a) {
  return {a.im, -a.re};
}

template <typename T> static void pass2(const Pass<T> &p) {
  for (int64_t group = 0; group < p.groups; ++group)
    for (int64_t i = 0; i < p.inner; ++i) {
      Complex<T> a = p.in(i, 2, 0, group), b = p.in(i, 2, 1, group);
      p.put(i, 0, group, a + b);
      p.put(i, 1, group, a - b);
    }
}

template <typename T> static void pass3(const Pass<T> &p) {
  const T half = T(-0.5), sine = T(0.866025403784438646763723170752936183L);
  for (int64_t group = 0; group < p.groups; ++group)
    for (int64_t i = 0; i < p.inner; ++i) {
      Complex<T> a = p.in(i, 3, 0, group), b = p.in(i, 3, 1, group),
                 c = p.in(i, 3, 2, group);
      Complex<T> sum = b + c, middle = a + half * sum,
                 side = sine * turn(b - c);
      p.put(i, 0, group, a + sum);
      p.put(i, 1, group, middle + side);
      p.put(i, 2, group, middle - side);
    }
}

template <typename T> static void pass4(const Pass<T> &p) {
  for (int64_t group = 0; group < p.groups; ++group)
    for (int64_t i = 0; i < p.inner; ++i) {
      Complex<T> a = p.in(i, 4, 0, group), b = p.in(i, 4, 1, group),
                 c = p.in(i, 4, 2, group), d = p.in(i, 4, 3, group);
      Complex<T> even = a + c, odd = b + d, evenSide = a - c,
                 oddSide = turn(b - d);
      p.put(i, 0, group, even + odd);
      p.put(i, 1, group, evenSide + oddSide);
      p.put(i, 2, group, even - odd);
      p.put(i, 3, group, evenSide - oddSide);
    }
}

template <typename T> static void pass5(const Pass<T> &p) {
  const T cosine1 = T(0.309016994374947424102293417182819059L),
          cosine2 = T(-0.809016994374947424102293417182819059L),
          sine1 = T(0.951056516295153572116439333379382143L),
          sine2 = T(0.587785252292473129168705954639072769L);
  for (int64_t group = 0; group < p.groups; ++group)
    for (int64_t i = 0; i < p.inner; ++i) {
      Complex<T> a = p.in(i, 5, 0, group), b = p.in(i, 5, 1, group),
                 c = p.in(i, 5, 2, group), d = p.in(i, 5, 3, group),
                 e = p.in(i, 5, 4, group);
      Complex<T> sum1 = b + e, sum2 = c + d, side1 = turn(b - e),
                 side2 = turn(c - d);
      Complex<T> middle1 = a + cosine1 * sum1 + cosine2 * sum2,
                 middle2 = a + cosine2 * sum1 + cosine1 * sum2,
                 turn1 = sine1 * side1 + sine2 * side2,
                 turn2 = sine2 * side1 - sine1 * side2;
      p.put(i, 0, group, a + sum1 + sum2);
      p.put(i, 1, group, middle1 + turn1);
      p.put(i, 2, group, middle2 + turn2);
      p.put(i, 3, group, middle2 - turn2);
      p.put(i, 4, group, middle1 - turn1);
    }
}

/// An odd factor by definition; `roots` are those of the factor. The values j
/// and factor - j, and so the results, are taken together.
template <typename T>
static void passAny(const Pass<T> &p, int factor, const Complex<T> *roots) {
  Complex<T> sums[maxFactor], sides[maxFactor];
  int half = factor / 2;
  for (int64_t group = 0; group < p.groups; ++group)
    for (int64_t i = 0; i < p.inner; ++i) {
      Complex<T> first = p.in(i, factor, 0, group), total = first;
      for (int j = 1; j <= half; ++j) {
        Complex<T> a = p.in(i, factor, j, group),
                   b = p.in(i, factor, factor - j, group);
        sums[j] = a + b;
        sides[j] = turn(a - b);
        total = total + sums[j];
      }
      p.put(i, 0, group, total);
      for (int k = 1; k <= half; ++k) {
        Complex<T> even = first, odd = {0, 0};
        for (int j = 1, at = k; j <= half; ++j) {
          even = even + roots[at].re * sums[j];
          odd = odd - roots[at].im * sides[j];
          at += k;
          at -= at >= factor ? factor : 0;
        }
        p.put(i, k, group, even + odd);
        p.put(i, factor - k, group, even - odd);
      }
    }
}

//===----------------------------------------------------------------------===//
// Whole lines
//===----------------------------------------------------------------------===//

template <typename T> Fft<T>::Fft(int64_t length) : length(length) {
  int64_t left = length;
  auto divide = [&](int factor) {
    for (; left % factor == 0; left /= factor)
      factors[factorCount++] = factor;
  };
  divide(4);
  for (int factor = 2; factor <= maxFactor; ++factor)
    divide(factor);
  if (left > 1) {
    // A product of length 2 n - 1 in a transform of a power of two.
    factorCount = 0;
    int64_t padded = 1;
    while (padded < 2 * length - 1)
      padded *= 2;
    convolution = std::unique_ptr<Fft>(new (std::nothrow) Fft(padded));
    Memory<Complex<T>> half = makeRoots<T>(2 * length);
    chirp = allocate<Complex<T>>(length);
    chirpTransform = allocate<Complex<T>>(padded);
    if (!convolution || !convolution->isValid() || !half || !chirp ||
        !chirpTransform)
      return;
    Memory<Complex<T>> work = allocate<Complex<T>>(convolution->workSize());
    if (!work)
      return;
    // chirp[j] = e^(-pi i j^2 / n); the square is reduced step by step.
    for (int64_t j = 0, square = 0; j < length; ++j) {
      chirp[j] = half[square];
      square = (square + 2 * j + 1) % (2 * length);
    }
    chirpTransform[0] = conjugate(chirp[0]);
    for (int64_t j = 1; j < length; ++j)
      chirpTransform[j] = chirpTransform[padded - j] = conjugate(chirp[j]);
    convolution->forward(chirpTransform.get(), work.get());
    for (int64_t j = 0; j < padded; ++j)
      chirpTransform[j] = T(1) / T(padded) * chirpTransform[j];
    valid = true;
    return;
  }

  // Twiddle (j, i) of a pass is the root of j * i * (product of the factors
  // before).
  int64_t count = 0, before = 1, rootCount = 0;
  for (int f = 0; f < factorCount; ++f) {
    before *= factors[f];
    count += (factors[f] - 1) * (length / before);
    rootCount += factors[f];
  }
  Memory<Complex<T>> all = makeRoots<T>(length);
  twiddles = allocate<Complex<T>>(count);
  roots = allocate<Complex<T>>(rootCount);
  if (!all || !twiddles || !roots)
    return;
  Complex<T> *twiddle = twiddles.get(), *root = roots.get();
  before = 1;
  for (int f = 0; f < factorCount; ++f) {
    int64_t inner = length / (before * factors[f]);
    for (int64_t j = 1; j < factors[f]; ++j)
      for (int64_t i = 0; i < inner; ++i)
        *twiddle++ = all[j * i * before];
    for (int64_t j = 0; j < factors[f]; ++j)
      *root++ = all[j * (length / factors[f])];
    before *= factors[f];
  }
  valid = true;
}

template <typename T> int64_t Fft<T>::workSize() const {
  if (!convolution)
    return length;
  return int64_t(2) * convolution->length;
}

template <typename T>
void Fft<T>::forward(Complex<T> *line, Complex<T> *work) const {
  if (convolution) {
    int64_t padded = convolution->length;
    for (int64_t j = 0; j < length; ++j)
      work[j] = line[j] * chirp[j];
    for (int64_t j = length; j < padded; ++j)
      work[j] = {0, 0};
    convolution->run(work, work + padded, /*isInverse=*/false);
    for (int64_t j = 0; j < padded; ++j)
      work[j] = work[j] * chirpTransform[j];
    convolution->run(work, work + padded, /*isInverse=*/true);
    for (int64_t j = 0; j < length; ++j)
      line[j] = work[j] * chirp[j];
    return;
  }
  Complex<T> *from = line, *to = work;
  const Complex<T> *twiddle = twiddles.get(), *root = roots.get();
  int64_t before = 1;
  for (int f = 0; f < factorCount; ++f) {
    int factor = factors[f];
    int64_t inner = length / (before * factor);
    Pass<T> pass{from, to, inner, before, twiddle};
    switch (factor) {
    case 2:
      pass2(pass);
      break;
    case 3:
      pass3(pass);
      break;
    case 4:
      pass4(pass);
      break;
    case 5:
      pass5(pass);
      break;
    default:
      passAny(pass, factor, root);
    }
    std::swap(from, to);
    twiddle += (factor - 1) * inner;
    root += factor;
    before *= factor;
  }
  if (from != line)
    copyElements(line, from, length);
}

// The inverse, without the division by n, is the transform of the conjugates,
// conjugated.
template <typename T>
void Fft<T>::run(Complex<T> *line, Complex<T> *work, bool isInverse) const {
  if (isInverse)
    for (int64_t i = 0; i < length; ++i)
      line[i] = conjugate(line[i]);
  forward(line, work);
  if (isInverse)
    for (int64_t i = 0; i < length; ++i)
      line[i] = conjugate(line[i]);
}

template class Fft<float>;
template class Fft<double>;

} // namespace mercator::calls
