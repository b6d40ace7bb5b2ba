// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Fourier transforms along the last dimensions of tensors.

#include "mercator/runtime/calls/Fft.h"

#include <algorithm>

namespace mercator::calls {

/// Whether the last `count` dimensions of `tensor` are those of `sizes`, but
/// for the last one, which is `last`; and the dimensions before agree.
static bool fits(const Tensor &tensor, const Tensor &like, int64_t last) {
  if (tensor.rank != like.rank || tensor.sizes[tensor.rank - 1] != last)
    return false;
  return std::equal(tensor.sizes, tensor.sizes + tensor.rank - 1, like.sizes);
}

/// Transforms all lines along a dimension. `from` and `to` may be one array.
template <typename T>
static int32_t transformAlong(const Complex<T> *from, Complex<T> *to,
                              const Tensor &shape, int64_t dim,
                              bool isInverse) {
  int64_t length = shape.sizes[dim], outer = product(shape, 0, dim),
          stride = product(shape, dim + 1, shape.rank);
  auto fft = findFft<T>(length, stride > 1 ? FftUse::Strided : FftUse::Lines);
  if (!fft || !fft->isValid())
    return mercator_no_memory;
  Memory<Complex<T>> work = allocate<Complex<T>>(fft->workSize());
  if (!work)
    return mercator_no_memory;
  T scale = isInverse ? T(1) / T(length) : T(1);
  if (stride == 1) {
    fft->run({from, to, outer, 1, length, scale, work.get()}, isInverse);
    return mercator_ok;
  }
  for (int64_t i = 0, at = 0; i < outer; ++i, at += length * stride)
    fft->run({from + at, to + at, stride, stride, 1, scale, work.get()},
             isInverse);
  return mercator_ok;
}

/// The number of transformed dimensions; 0 if it is wrong.
static int64_t countOf(const Tensor &tensor, const int64_t *numbers) {
  return numbers[0] >= 1 && numbers[0] <= tensor.rank ? numbers[0] : 0;
}

template <typename T, bool isInverse>
static int32_t complexToComplex(const Tensor &from, const int64_t *numbers,
                                const Tensor &to) {
  int64_t count = countOf(from, numbers);
  if (count == 0)
    return mercator_wrong_number;
  if (!fits(to, from, from.sizes[from.rank - 1]))
    return mercator_wrong_sizes;
  if (elementCount(from) == 0)
    return mercator_ok;
  auto *data = static_cast<Complex<T> *>(to.data);
  const auto *source = static_cast<const Complex<T> *>(from.data);
  for (int64_t i = 0; i < count; ++i, source = data) {
    int64_t dim = isInverse ? from.rank - count + i : from.rank - 1 - i;
    if (int32_t status = transformAlong(source, data, to, dim, isInverse))
      return status;
  }
  return mercator_ok;
}

/// The first n / 2 + 1 results of a transform of n real numbers. For an even n
/// by a transform of n / 2 complex numbers, each made of two real ones; for an odd n
/// with a large prime factor by one of n complex numbers.
template <typename T>
static int32_t transformReal(const T *from, Complex<T> *to, int64_t lines,
                             int64_t n) {
  bool isEven = n % 2 == 0;
  int64_t half = isEven ? n / 2 : n, width = n / 2 + 1;
  auto fft = findFft<T>(half, isEven ? FftUse::Real : FftUse::OddReal);
  if (!fft || !fft->isValid())
    return mercator_no_memory;
  Memory<Complex<T>> work = allocate<Complex<T>>(fft->workSize());
  if (!work)
    return mercator_no_memory;
  if (fft->takesOddReal()) {
    fft->realToHalf(from, to, lines, work.get());
    return mercator_ok;
  }
  int64_t together = std::min(lines, fft->linesTogether());
  Memory<Complex<T>> block = allocate<Complex<T>>(together * half);
  if (!block)
    return mercator_no_memory;
  Complex<T> *line = block.get();
  for (int64_t i = 0; i < lines; i += together) {
    int64_t count = std::min(together, lines - i);
    FftLines<T> both = {line, line, count, 1, half, T(1), work.get()};
    if (isEven)
      both.from = reinterpret_cast<const Complex<T> *>(from);
    else
      for (int64_t j = 0; j < count * n; ++j)
        line[j] = {from[j], 0};
    fft->run(both, /*isInverse=*/false);
    for (int64_t j = 0; j < count; ++j, to += width)
      if (isEven)
        fft->splitReal(line + j * half, to);
      else
        copyElements(to, line + j * half, width);
    from += count * n;
  }
  return mercator_ok;
}

/// The inverse: lines of n / 2 + 1 numbers become n real ones.
template <typename T>
static int32_t transformToReal(const Complex<T> *from, T *to, int64_t lines,
                               int64_t n) {
  bool isEven = n % 2 == 0;
  int64_t half = isEven ? n / 2 : n, width = n / 2 + 1;
  auto fft = findFft<T>(half, isEven ? FftUse::Real : FftUse::OddReal);
  if (!fft || !fft->isValid())
    return mercator_no_memory;
  Memory<Complex<T>> work = allocate<Complex<T>>(fft->workSize());
  if (!work)
    return mercator_no_memory;
  if (fft->takesOddReal()) {
    fft->halfToReal(from, to, lines, T(1) / T(n), work.get());
    return mercator_ok;
  }
  int64_t together = std::min(lines, fft->linesTogether());
  Memory<Complex<T>> block = allocate<Complex<T>>(together * half);
  if (!block)
    return mercator_no_memory;
  Complex<T> *first = block.get();
  for (int64_t i = 0; i < lines; i += together) {
    int64_t count = std::min(together, lines - i);
    for (int64_t line = 0; line < count; ++line, from += width) {
      Complex<T> *at = first + line * half;
      if (isEven) {
        fft->joinReal(from, at);
        continue;
      }
      at[0] = {from[0].re, 0};
      for (int64_t j = 1; j < width; ++j) {
        at[j] = from[j];
        at[n - j] = conjugate(from[j]);
      }
    }
    FftLines<T> both = {first, first, count, 1, half, T(1) / T(n), work.get()};
    if (isEven)
      both.to = reinterpret_cast<Complex<T> *>(to);
    fft->run(both, /*isInverse=*/true);
    if (!isEven)
      for (int64_t j = 0; j < count * n; ++j)
        to[j] = first[j].re;
    to += count * n;
  }
  return mercator_ok;
}

template <typename T>
static int32_t realToComplex(const Tensor &from, const int64_t *numbers,
                             const Tensor &to) {
  int64_t count = countOf(from, numbers);
  if (count == 0)
    return mercator_wrong_number;
  int64_t n = from.sizes[from.rank - 1];
  if (!fits(to, from, n == 0 ? 0 : n / 2 + 1))
    return mercator_wrong_sizes;
  if (elementCount(from) == 0)
    return mercator_ok;
  auto *data = static_cast<Complex<T> *>(to.data);
  int32_t status = transformReal(static_cast<const T *>(from.data), data,
                                 elementCount(from) / n, n);
  for (int64_t i = 1; i < count && status == mercator_ok; ++i)
    status =
        transformAlong(data, data, to, to.rank - 1 - i, /*isInverse=*/false);
  return status;
}

template <typename T>
static int32_t complexToReal(const Tensor &from, const int64_t *numbers,
                             const Tensor &to) {
  int64_t count = countOf(from, numbers);
  if (count == 0)
    return mercator_wrong_number;
  int64_t n = to.rank == from.rank ? to.sizes[to.rank - 1] : -1;
  if (n < 0 || !fits(from, to, n == 0 ? 0 : n / 2 + 1))
    return mercator_wrong_sizes;
  if (elementCount(from) == 0)
    return mercator_ok;
  Memory<Complex<T>> data = allocate<Complex<T>>(elementCount(from));
  if (!data)
    return mercator_no_memory;
  copyElements(data.get(), static_cast<const Complex<T> *>(from.data),
               elementCount(from));
  for (int64_t i = 0; i + 1 < count; ++i)
    if (int32_t status =
            transformAlong(data.get(), data.get(), from, from.rank - count + i,
                           /*isInverse=*/true))
      return status;
  return transformToReal(data.get(), static_cast<T *>(to.data),
                         elementCount(to) / n, n);
}

} // namespace mercator::calls

#define FFT(name, suffix, ...)                                                 \
  extern "C" int32_t mercator_##name##_##suffix(                               \
      const mercator_tensor *operands, const int64_t *numbers,                 \
      const mercator_tensor *results) {                                        \
    return mercator::calls::__VA_ARGS__(operands[0], numbers, results[0]);     \
  }
FFT(fft, c64, complexToComplex<float, false>)
FFT(fft, c128, complexToComplex<double, false>)
FFT(ifft, c64, complexToComplex<float, true>)
FFT(ifft, c128, complexToComplex<double, true>)
FFT(rfft, f32, realToComplex<float>)
FFT(rfft, f64, realToComplex<double>)
FFT(irfft, c64, complexToReal<float>)
FFT(irfft, c128, complexToReal<double>)
