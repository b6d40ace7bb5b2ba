// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The discrete Fourier transform of one line of n numbers:
///
///   out[k] = sum over j of in[j] e^(-+ 2 pi i j k / n)
///
/// A length whose prime factors are small is transformed factor by factor
/// (Cooley and Tukey, "An algorithm for the machine calculation of complex
/// Fourier series", 1965; the order of Stockham, which needs no permutation).
/// Any other length becomes a convolution of a length with small factors
/// (Bluestein, "A linear filtering approach to the computation of discrete
/// Fourier transform", 1970). Both take O(n log n) steps.
///
/// Roots of unity are computed with more digits than those of T.

#ifndef MERCATOR_RUNTIME_CALLS_FFT_H
#define MERCATOR_RUNTIME_CALLS_FFT_H

#include "mercator/runtime/calls/Batch.h"

namespace mercator::calls {

/// std::complex multiplies with checks for NaN, which are slow.
template <typename T> struct Complex {
  T re, im;

  friend Complex operator+(Complex a, Complex b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend Complex operator-(Complex a, Complex b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend Complex operator*(T a, Complex b) { return {a * b.re, a * b.im}; }
};

template <typename T> Complex<T> conjugate(Complex<T> a) {
  return {a.re, -a.im};
}

/// The roots e^(-2 pi i k / n) for k in [0, n). Null without memory.
template <typename T> Memory<Complex<T>> makeRoots(int64_t n);

template <typename T> class Fft {
public:
  explicit Fft(int64_t length);
  /// False without memory.
  [[nodiscard]] bool isValid() const { return valid; }

  /// Transforms a line in place; `work` has workSize() elements.
  void run(Complex<T> *line, Complex<T> *work, bool isInverse) const;
  [[nodiscard]] int64_t workSize() const;

private:
  void forward(Complex<T> *line, Complex<T> *work) const;

  static constexpr int maxFactors = 64;
  int64_t length;
  bool valid = false;
  int factorCount = 0;
  int factors[maxFactors] = {};
  /// The factors of the results, one factor of the length after the other.
  Memory<Complex<T>> twiddles;
  /// The roots of unity of the factors without a loop of their own.
  Memory<Complex<T>> roots;

  // For a length with a large prime factor.
  std::unique_ptr<Fft> convolution;
  Memory<Complex<T>> chirp, chirpTransform;
};

extern template class Fft<float>;
extern template class Fft<double>;

} // namespace mercator::calls

#endif // MERCATOR_RUNTIME_CALLS_FFT_H
