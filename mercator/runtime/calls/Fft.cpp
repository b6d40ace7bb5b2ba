// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/calls/FftLanes.h"
#include "mercator/runtime/calls/FftOddLanes.h"

#include <algorithm>
#include <mutex>

#ifdef __x86_64__
#define _Bool bool // NOLINT: glibc 2.36 has C in this header
#include <sys/platform/x86.h>
#undef _Bool
#endif

namespace mercator::calls {

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
// Kinds of CPUs
//===----------------------------------------------------------------------===//

/// The functions of FftLanes.h, compiled for a kind of CPU. Of two, the second is that
/// of the inverse.
template <typename T> struct FftKernels {
  int64_t lanes;
  /// Shorter vectors that are as fast for lines that are taken apart, or null.
  const FftKernels *shorter;
  void (*line[2])(const Stages<T> &, const T *across, const FftLines<T> &);
  void (*lines[2])(const Stages<T> &, const FftLines<T> &);
  /// One line, in no vectors.
  void (*single[2])(const Stages<T> &, const FftLines<T> &);
  /// Lines times factors: as they are, of a line to be inverted, and to be inverted.
  void (*multiply[3])(const Complex<T> *, const Complex<T> *, Complex<T> *,
                      int64_t);
  void (*splitReal)(const Complex<T> *, const Complex<T> *, Complex<T> *,
                    int64_t);
  void (*joinReal)(const Complex<T> *, const Complex<T> *, Complex<T> *,
                   int64_t);
  /// Of lines in vectors, and of one line in none.
  void (*odd[2])(const Stages<T> &, const T *, Complex<T> *, int64_t,
                 Complex<T> *);
  void (*oddInverse[2])(const Stages<T> &, const Complex<T> *, T *, int64_t, T,
                        Complex<T> *);
};

#define MERCATOR_FFT_KERNELS(NAME, BYTES, SHORTER, ...)                        \
  namespace {                                                                  \
  template <typename T> struct NAME {                                          \
    template <bool isInverse>                                                  \
    __VA_ARGS__ static void line(const Stages<T> &stages, const T *across,     \
                                 const FftLines<T> &lines) {                   \
      lanes::runLine<isInverse, BYTES>(stages, across, lines);                 \
    }                                                                          \
    template <bool isInverse>                                                  \
    __VA_ARGS__ static void all(const Stages<T> &stages,                       \
                                const FftLines<T> &lines) {                    \
      lanes::runLines<isInverse, BYTES>(stages, lines);                        \
    }                                                                          \
    template <bool isInverse>                                                  \
    __VA_ARGS__ static void single(const Stages<T> &stages,                    \
                                   const FftLines<T> &lines) {                 \
      lanes::runLines<isInverse, sizeof(T)>(stages, lines);                    \
    }                                                                          \
    template <bool swapsFrom, bool swapsTo>                                    \
    __VA_ARGS__ static void multiply(const Complex<T> *from,                   \
                                     const Complex<T> *factors,                \
                                     Complex<T> *to, int64_t count) {          \
      lanes::multiplyLines<swapsFrom, swapsTo, BYTES>(from, factors, to,       \
                                                      count);                  \
    }                                                                          \
    __VA_ARGS__ static void split(const Complex<T> *line,                      \
                                  const Complex<T> *roots, Complex<T> *to,     \
                                  int64_t n) {                                 \
      lanes::splitReal<BYTES>(line, roots, to, n);                             \
    }                                                                          \
    __VA_ARGS__ static void join(const Complex<T> *from,                       \
                                 const Complex<T> *roots, Complex<T> *line,    \
                                 int64_t n) {                                  \
      lanes::joinReal<BYTES>(from, roots, line, n);                            \
    }                                                                          \
    template <size_t bytes>                                                    \
    __VA_ARGS__ static void odd(const Stages<T> &stages, const T *from,        \
                                Complex<T> *to, int64_t count,                 \
                                Complex<T> *work) {                            \
      lanes::runOdd<bytes>(stages, from, to, count, work);                     \
    }                                                                          \
    template <size_t bytes>                                                    \
    __VA_ARGS__ static void                                                    \
    oddInverse(const Stages<T> &stages, const Complex<T> *from, T *to,         \
               int64_t count, T scale, Complex<T> *work) {                     \
      lanes::runOddInverse<bytes>(stages, from, to, count, scale, work);       \
    }                                                                          \
    static constexpr FftKernels<T> kernels = {                                 \
        BYTES / sizeof(T),                                                     \
        SHORTER,                                                               \
        {line<false>, line<true>},                                             \
        {all<false>, all<true>},                                               \
        {single<false>, single<true>},                                         \
        {multiply<false, false>, multiply<true, false>,                        \
         multiply<false, true>},                                               \
        split,                                                                 \
        join,                                                                  \
        {odd<BYTES>, odd<sizeof(T)>},                                          \
        {oddInverse<BYTES>, oddInverse<sizeof(T)>}};                           \
  };                                                                           \
  }

MERCATOR_FFT_KERNELS(FftOfAny, 16, nullptr, )
#ifdef __x86_64__
#define MERCATOR_V4                                                            \
  [[gnu::target("arch=x86-64-v4"), clang::min_vector_width(512)]]
MERCATOR_FFT_KERNELS(FftOfV3, 32, nullptr, [[gnu::target("arch=x86-64-v3")]])
MERCATOR_FFT_KERNELS(FftOfHalfV4, 32, nullptr, MERCATOR_V4)
MERCATOR_FFT_KERNELS(FftOfV4, 64, &FftOfHalfV4<T>::kernels, MERCATOR_V4)
#endif

namespace {
/// The kinds that this CPU runs, the best one first.
template <typename T> struct KindsOfThisCpu {
  const FftKernels<T> *kinds[3];
  int count = 0;

  KindsOfThisCpu() {
#ifdef __x86_64__
    // Of glibc: the builtins of compilers need libgcc.a, which a linker of a shared
    // library may not have.
    bool isV3 = CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(FMA) &&
                CPU_FEATURE_ACTIVE(BMI1) && CPU_FEATURE_ACTIVE(BMI2) &&
                CPU_FEATURE_ACTIVE(F16C) && CPU_FEATURE_ACTIVE(LZCNT) &&
                CPU_FEATURE_ACTIVE(MOVBE);
    bool isV4 = isV3 && CPU_FEATURE_ACTIVE(AVX512F) &&
                CPU_FEATURE_ACTIVE(AVX512BW) && CPU_FEATURE_ACTIVE(AVX512CD) &&
                CPU_FEATURE_ACTIVE(AVX512DQ) && CPU_FEATURE_ACTIVE(AVX512VL);
    if (isV4)
      kinds[count++] = &FftOfV4<T>::kernels;
    if (isV3)
      kinds[count++] = &FftOfV3<T>::kernels;
#endif
    kinds[count++] = &FftOfAny<T>::kernels;
  }
};
} // namespace

template <typename T> static const KindsOfThisCpu<T> &kindsOfThisCpu() {
  static const KindsOfThisCpu<T> kinds;
  return kinds;
}
template <typename T> int Fft<T>::kindCount() {
  return kindsOfThisCpu<T>().count;
}

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

static bool hasSmallFactors(int64_t length) {
  for (int factor = 2; factor <= maxFactor; ++factor)
    while (length % factor == 0)
      length /= factor;
  return length == 1;
}

// Twiddle (i, j) of a factor is the root of i * j * (product of the factors before).
template <typename T> Stages<T>::Stages(int64_t length) : length(length) {
  int64_t left = length;
  auto take = [&](int factor) {
    factors[factorCount++] = factor;
    return left / factor;
  };
  // Eights, and at the end what is left of a power of two: 2, 4, or 4 * 4.
  while (left % 32 == 0 || left % 16 == 8)
    left = take(8);
  while (left % 4 == 0)
    left = take(4);
  for (int factor = 2; factor <= maxFactor; ++factor)
    while (left % factor == 0)
      left = take(factor);

  int64_t before = 1;
  for (int f = 0; f < factorCount; ++f) {
    before *= factors[f];
    twiddleCount += (factors[f] - 1) * (length / before);
    rootCount += factors[f];
  }
  Memory<Complex<T>> all = makeRoots<T>(length);
  twiddles = allocate<Complex<T>>(twiddleCount);
  roots = allocate<Complex<T>>(rootCount);
  if (!all || !twiddles || !roots)
    return;
  Complex<T> *twiddle = twiddles.get(), *root = roots.get();
  before = 1;
  for (int f = 0; f < factorCount; ++f) {
    int64_t inner = length / (before * factors[f]);
    for (int64_t i = 0; i < inner; ++i)
      for (int64_t j = 1; j < factors[f]; ++j)
        *twiddle++ = all[i * j * before];
    for (int64_t j = 0; j < factors[f]; ++j)
      *root++ = all[j * (length / factors[f])];
    before *= factors[f];
  }
  valid = true;
}

/// The first element at a multiple of 64 bytes.
template <typename T> static T *aligned(T *at) {
  constexpr uintptr_t line = 64;
  return reinterpret_cast<T *>((reinterpret_cast<uintptr_t>(at) + line - 1) /
                               line * line);
}
/// What alignment may cost, in elements.
template <typename T> static constexpr int64_t slack = 64 / sizeof(T);

template <typename T>
Fft<T>::Fft(int64_t length, FftUse use, int kind)
    : length(length), kernels(kindsOfThisCpu<T>().kinds[kind]) {
  if (hasSmallFactors(length)) {
    const FftKernels<T> *wide = kernels;
    auto isApart = [&] {
      return length % kernels->lanes == 0 &&
             length >= kernels->lanes * kernels->lanes;
    };
    while (kernels && !isApart())
      kernels = kernels->shorter;
    bool takesApart = kernels && use != FftUse::Strided;
    if (!takesApart)
      kernels = wide;
    stages = std::unique_ptr<Stages<T>>(new (std::nothrow) Stages<T>(
        takesApart ? length / kernels->lanes : length));
    valid = stages && stages->valid;
    isOddReal = use == FftUse::OddReal && length % 2 == 1 && length > 1;
    if (valid && takesApart)
      makeRootsAcross();
  } else {
    makeConvolution(kind);
  }
  if (valid && use == FftUse::Real) {
    realRoots = makeRoots<T>(2 * length);
    valid = bool(realRoots);
  }
}

template <typename T> void Fft<T>::makeRootsAcross() {
  int64_t lanes = kernels->lanes;
  int64_t rows = (stages->length + lanes - 1) / lanes * lanes;
  Memory<Complex<T>> all = makeRoots<T>(length);
  across = allocate<T>(2 * rows * lanes + slack<T>);
  valid = all && across;
  if (!valid)
    return;
  T *at = aligned(across.get());
  alignedAcross = at;
  for (int64_t first = 0; first < rows; first += lanes)
    for (int64_t lane = 0; lane < lanes; ++lane, at += 2 * lanes)
      for (int64_t k = 0; k < lanes && first + k < stages->length; ++k) {
        Complex<T> root = all[(first + k) * lane];
        at[k] = root.re;
        at[lanes + k] = root.im;
      }
}

// A product of length 2 n - 1 in a transform of a length with small factors, which is
// long enough to be taken apart.
template <typename T> void Fft<T>::makeConvolution(int kind) {
  int64_t lanes = kernels->lanes, padded = 0;
  for (int64_t factor : {1, 3, 5}) {
    int64_t candidate = factor * lanes * lanes;
    while (candidate < 2 * length - 1)
      candidate *= 2;
    if (padded == 0 || candidate < padded)
      padded = candidate;
  }
  convolution =
      std::unique_ptr<Fft>(new (std::nothrow) Fft(padded, FftUse::Lines, kind));
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
  convolution->run({chirpTransform.get(), chirpTransform.get(), 1, 1, padded,
                    T(1) / T(padded), work.get()},
                   /*isInverse=*/false);
  valid = true;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

template <typename T> int64_t Fft<T>::workSize() const {
  if (convolution)
    return convolution->length + convolution->workSize();
  return 2 * length * linesTogether() + slack<Complex<T>>;
}

template <typename T> int64_t Fft<T>::linesTogether() const {
  return convolution || alignedAcross ? 1 : kernels->lanes;
}

template <typename T>
void Fft<T>::convolve(const FftLines<T> &lines, bool isInverse) const {
  int64_t padded = convolution->length;
  Complex<T> *line = lines.work;
  for (int64_t i = 0; i < lines.count; ++i) {
    const Complex<T> *from = lines.from + i * lines.apart;
    Complex<T> *to = lines.to + i * lines.apart;
    if (lines.step != 1) {
      for (int64_t j = 0; j < length; ++j)
        line[j] = from[j * lines.step];
      from = line;
    }
    kernels->multiply[isInverse ? 1 : 0](from, chirp.get(), line, length);
    for (int64_t j = length; j < padded; ++j)
      line[j] = {0, 0};
    FftLines<T> whole = {line, line, 1, 1, padded, T(1), line + padded};
    convolution->run(whole, /*isInverse=*/false);
    kernels->multiply[0](line, chirpTransform.get(), line, padded);
    whole.scale = lines.scale;
    convolution->run(whole, /*isInverse=*/true);
    kernels->multiply[isInverse ? 2 : 0](line, chirp.get(),
                                         lines.step == 1 ? to : line, length);
    if (lines.step != 1)
      for (int64_t j = 0; j < length; ++j)
        to[j * lines.step] = line[j];
  }
}

template <typename T>
void Fft<T>::run(FftLines<T> lines, bool isInverse) const {
  if (convolution)
    return convolve(lines, isInverse);
  int64_t together = linesTogether();
  FftLines<T> next = lines;
  next.work = aligned(lines.work);
  for (int64_t i = 0; i < lines.count; i += together) {
    next.from = lines.from + i * lines.apart;
    next.to = lines.to + i * lines.apart;
    next.count = std::min(together, lines.count - i);
    if (alignedAcross)
      kernels->line[isInverse](*stages, alignedAcross, next);
    else if (next.count == 1)
      kernels->single[isInverse](*stages, next);
    else
      kernels->lines[isInverse](*stages, next);
  }
}

template <typename T>
void Fft<T>::splitReal(const Complex<T> *line, Complex<T> *to) const {
  kernels->splitReal(line, realRoots.get(), to, length);
}
template <typename T>
void Fft<T>::joinReal(const Complex<T> *from, Complex<T> *line) const {
  kernels->joinReal(from, realRoots.get(), line, length);
}

template <typename T>
void Fft<T>::realToHalf(const T *from, Complex<T> *to, int64_t count,
                        Complex<T> *work) const {
  int64_t together = linesTogether();
  for (int64_t i = 0; i < count; i += together) {
    int64_t lines = std::min(together, count - i);
    kernels->odd[lines == 1](*stages, from + i * length,
                             to + i * (length / 2 + 1), lines, aligned(work));
  }
}
template <typename T>
void Fft<T>::halfToReal(const Complex<T> *from, T *to, int64_t count, T scale,
                        Complex<T> *work) const {
  int64_t together = linesTogether();
  for (int64_t i = 0; i < count; i += together) {
    int64_t lines = std::min(together, count - i);
    kernels->oddInverse[lines == 1](*stages, from + i * (length / 2 + 1),
                                    to + i * length, lines, scale,
                                    aligned(work));
  }
}

//===----------------------------------------------------------------------===//
// Transforms that are kept
//===----------------------------------------------------------------------===//

namespace {
/// The transforms that were asked for last, the last one first.
template <typename T> class KeptFfts {
public:
  std::shared_ptr<const Fft<T>> find(int64_t length, FftUse use) {
    {
      std::lock_guard lock(mutex);
      for (size_t i = 0; i < std::size(entries); ++i)
        if (entries[i].fft && entries[i].length == length &&
            entries[i].use == use) {
          std::rotate(entries, entries + i, entries + i + 1);
          return entries[0].fft;
        }
    }
    std::shared_ptr<const Fft<T>> made(new (std::nothrow) Fft<T>(length, use));
    if (!made || !made->isValid() || length > maxLength)
      return made;
    std::lock_guard lock(mutex);
    std::move_backward(entries, std::end(entries) - 1, std::end(entries));
    entries[0] = {length, use, made};
    return made;
  }

private:
  /// A transform has about 4 numbers for each one of a line.
  static constexpr int64_t maxLength = 1 << 16;
  struct Entry {
    int64_t length;
    FftUse use;
    std::shared_ptr<const Fft<T>> fft;
  };
  std::mutex mutex;
  Entry entries[8] = {};
};
} // namespace

template <typename T>
std::shared_ptr<const Fft<T>> findFft(int64_t length, FftUse use) {
  static KeptFfts<T> kept;
  return kept.find(length, use);
}

template std::shared_ptr<const Fft<float>> findFft(int64_t, FftUse);
template std::shared_ptr<const Fft<double>> findFft(int64_t, FftUse);
template struct Stages<float>;
template struct Stages<double>;
template class Fft<float>;
template class Fft<double>;

} // namespace mercator::calls
