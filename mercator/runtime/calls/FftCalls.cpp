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

/// Transforms all lines along a dimension in place.
template <typename T>
static int32_t transformAlong(Complex<T> *data, const Tensor &shape,
                              int64_t dim, bool isInverse) {
  int64_t length = shape.sizes[dim], outer = product(shape, 0, dim),
          stride = product(shape, dim + 1, shape.rank);
  if (length == 1)
    return mercator_ok;
  // Neighboring lines are copied together: they share cache lines.
  int64_t together = std::min<int64_t>(stride, 8);
  Fft<T> fft(length);
  Memory<Complex<T>> lines = allocate<Complex<T>>(together * length),
                     work = allocate<Complex<T>>(fft.workSize());
  if (!fft.isValid() || !lines || !work)
    return mercator_no_memory;
  T scale = isInverse ? T(1) / T(length) : T(1);
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t first = 0; first < stride; first += together) {
      Complex<T> *at = data + i * length * stride + first;
      int64_t count = std::min(together, stride - first);
      for (int64_t j = 0; j < length; ++j)
        for (int64_t line = 0; line < count; ++line)
          lines[line * length + j] = at[j * stride + line];
      for (int64_t line = 0; line < count; ++line)
        fft.run(&lines[line * length], work.get(), isInverse);
      for (int64_t j = 0; j < length; ++j)
        for (int64_t line = 0; line < count; ++line)
          at[j * stride + line] = isInverse ? scale * lines[line * length + j]
                                            : lines[line * length + j];
    }
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
  copyElements(data, static_cast<const Complex<T> *>(from.data),
               elementCount(from));
  for (int64_t i = 0; i < count; ++i) {
    int64_t dim = isInverse ? from.rank - count + i : from.rank - 1 - i;
    if (int32_t status = transformAlong(data, to, dim, isInverse))
      return status;
  }
  return mercator_ok;
}

/// The first n / 2 + 1 results of a transform of n real numbers. For an even n
/// by a transform of n / 2 complex numbers, each made of two real ones.
template <typename T>
static int32_t transformReal(const T *from, Complex<T> *to, int64_t lines,
                             int64_t n) {
  bool isEven = n % 2 == 0;
  int64_t half = isEven ? n / 2 : n, width = n / 2 + 1;
  Fft<T> fft(half);
  Memory<Complex<T>> line = allocate<Complex<T>>(half),
                     work = allocate<Complex<T>>(fft.workSize()),
                     roots = makeRoots<T>(n);
  if (!fft.isValid() || !line || !work || !roots)
    return mercator_no_memory;
  for (int64_t i = 0; i < lines; ++i, from += n, to += width) {
    if (!isEven) {
      for (int64_t j = 0; j < n; ++j)
        line[j] = {from[j], 0};
      fft.run(line.get(), work.get(), /*isInverse=*/false);
      copyElements(to, line.get(), width);
      continue;
    }
    for (int64_t j = 0; j < half; ++j)
      line[j] = {from[2 * j], from[2 * j + 1]};
    fft.run(line.get(), work.get(), /*isInverse=*/false);
    for (int64_t k = 0; k <= half; ++k) {
      Complex<T> a = line[k % half], b = conjugate(line[(half - k) % half]);
      Complex<T> even = T(0.5) * (a + b), odd = T(0.5) * (a - b);
      // odd / i, turned by the root.
      to[k] = even + Complex<T>{odd.im, -odd.re} *
                         (k == half ? Complex<T>{-1, 0} : roots[k]);
    }
    to[0].im = to[half].im = 0;
  }
  return mercator_ok;
}

/// The inverse: lines of n / 2 + 1 numbers become n real ones.
template <typename T>
static int32_t transformToReal(const Complex<T> *from, T *to, int64_t lines,
                               int64_t n) {
  bool isEven = n % 2 == 0;
  int64_t half = isEven ? n / 2 : n, width = n / 2 + 1;
  Fft<T> fft(half);
  Memory<Complex<T>> line = allocate<Complex<T>>(half),
                     work = allocate<Complex<T>>(fft.workSize()),
                     roots = makeRoots<T>(n);
  if (!fft.isValid() || !line || !work || !roots)
    return mercator_no_memory;
  T scale = T(1) / T(n);
  for (int64_t i = 0; i < lines; ++i, from += width, to += n) {
    if (!isEven) {
      line[0] = {from[0].re, 0};
      for (int64_t j = 1; j < width; ++j) {
        line[j] = from[j];
        line[n - j] = conjugate(from[j]);
      }
      fft.run(line.get(), work.get(), /*isInverse=*/true);
      for (int64_t j = 0; j < n; ++j)
        to[j] = scale * line[j].re;
      continue;
    }
    auto at = [&](int64_t k) -> Complex<T> {
      return k == 0 || k == half ? Complex<T>{from[k].re, 0} : from[k];
    };
    for (int64_t k = 0; k < half; ++k) {
      Complex<T> a = at(k), b = conjugate(at(half - k));
      Complex<T> odd = (a - b) * conjugate(roots[k]);
      line[k] = a + b + Complex<T>{-odd.im, odd.re};
    }
    fft.run(line.get(), work.get(), /*isInverse=*/true);
    for (int64_t j = 0; j < half; ++j) {
      to[2 * j] = scale * line[j].re;
      to[2 * j + 1] = scale * line[j].im;
    }
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
    status = transformAlong(data, to, to.rank - 1 - i, /*isInverse=*/false);
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
    if (int32_t status = transformAlong(data.get(), from, from.rank - count + i,
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
