// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The discrete Fourier transform of lines of n numbers:
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
/// Vectors hold numbers of as many lines as they have lanes. A line that is long
/// and that the number of lanes divides is taken apart into that many lines first
/// (Bailey, "FFTs in external or hierarchical memory", 1990), so that it stays in
/// the cache. The vectors are those of the CPU that runs the code.
///
/// Roots of unity are computed with more digits than those of T.

#ifndef MERCATOR_RUNTIME_CALLS_FFT_H
#define MERCATOR_RUNTIME_CALLS_FFT_H

#include "mercator/runtime/calls/Batch.h"

namespace mercator::calls {

/// std::complex multiplies with checks for NaN, which are slow. T may be a vector.
template <typename T> struct Complex {
  T re, im;

  [[gnu::always_inline]] friend Complex operator+(Complex a, Complex b) {
    return {a.re + b.re, a.im + b.im};
  }
  [[gnu::always_inline]] friend Complex operator-(Complex a, Complex b) {
    return {a.re - b.re, a.im - b.im};
  }
  [[gnu::always_inline]] friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

template <typename T> Complex<T> conjugate(Complex<T> a) {
  return {a.re, -a.im};
}

/// The roots e^(-2 pi i k / n) for k in [0, n). Null without memory.
template <typename T> Memory<Complex<T>> makeRoots(int64_t n);

/// Prime factors above this one are too slow by definition.
inline constexpr int maxFactor = 31;

/// The factors of a length and the roots of unity that they need.
template <typename T> struct Stages {
  /// Requires: all prime factors are at most maxFactor.
  explicit Stages(int64_t length);

  static constexpr int maxFactors = 64;
  int64_t length;
  bool valid = false; ///< false without memory
  int factorCount = 0;
  int factors[maxFactors] = {};
  int64_t twiddleCount = 0, rootCount = 0;
  /// The factors of the results, one factor of the length after the other.
  Memory<Complex<T>> twiddles;
  /// The roots of unity of the factors.
  Memory<Complex<T>> roots;
};

/// Number j of line i is from[i * apart + j * step], and its result stands there in
/// `to`, times `scale`. `from` and `to` may be one array.
template <typename T> struct FftLines {
  const Complex<T> *from;
  Complex<T> *to;
  int64_t count, step, apart;
  T scale;
  /// workSize() elements.
  Complex<T> *work;
};

/// The lines that a transform is for.
enum class FftUse {
  Lines,   ///< the numbers of a line are neighbors
  Strided, ///< the lines are neighbors
  Real,    ///< as `Lines`, each number two real ones
  OddReal, ///< as `Lines`, an odd number of real numbers
};

template <typename T> struct FftKernels;

template <typename T> class Fft {
public:
  /// `kind` counts the kinds of vectors of this CPU, the best one first: a test runs all.
  Fft(int64_t length, FftUse use, int kind = 0);
  [[nodiscard]] static int kindCount();
  /// False without memory.
  [[nodiscard]] bool isValid() const { return valid; }

  void run(FftLines<T> lines, bool isInverse) const;
  [[nodiscard]] int64_t workSize() const;
  /// How many lines fill the vectors.
  [[nodiscard]] int64_t linesTogether() const;

  /// Of n complex numbers, each of which is two real ones: the n + 1 results of a
  /// transform of the 2 n real numbers from the transform of the complex ones.
  /// Requires: the use is `real`.
  void splitReal(const Complex<T> *line, Complex<T> *to) const;
  /// From such results, n numbers whose inverse transform has the real ones, times
  /// 2 n.
  void joinReal(const Complex<T> *from, Complex<T> *line) const;

  /// Whether realToHalf and halfToReal are possible: the use is `OddReal`, and the
  /// prime factors of the length are small.
  [[nodiscard]] bool takesOddReal() const { return isOddReal; }
  /// Lines of n real numbers to the first (n + 1) / 2 results of each. `work` has
  /// workSize() elements.
  void realToHalf(const T *from, Complex<T> *to, int64_t count,
                  Complex<T> *work) const;
  /// From such results to the real numbers, times `scale` and n.
  void halfToReal(const Complex<T> *from, T *to, int64_t count, T scale,
                  Complex<T> *work) const;

private:
  void makeConvolution(int kind);
  void makeRootsAcross();
  void convolve(const FftLines<T> &lines, bool isInverse) const;

  int64_t length;
  bool valid = false, isOddReal = false;
  const FftKernels<T> *kernels;
  /// Of the length, or of its part in each lane.
  std::unique_ptr<Stages<T>> stages;
  /// Root j k of the length for each lane j of number k, if the stages are those of a
  /// part: vectors of real parts, then of imaginary ones.
  Memory<T> across;
  const T *alignedAcross = nullptr;
  Memory<Complex<T>> realRoots;

  // For a length with a large prime factor.
  std::unique_ptr<Fft> convolution;
  Memory<Complex<T>> chirp, chirpTransform;
};

/// A transform of this length, kept for later calls of this process if the length is
/// ordinary. Null or invalid without memory.
template <typename T>
std::shared_ptr<const Fft<T>> findFft(int64_t length, FftUse use);

extern template class Fft<float>;
extern template class Fft<double>;

} // namespace mercator::calls

#endif // MERCATOR_RUNTIME_CALLS_FFT_H
