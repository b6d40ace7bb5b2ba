// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Eigenvalues, singular values, and the reductions on the way to them. All
// matrices are transposed for LAPACK. Iterations may not end where elements are
// not finite, so such matrices are not given to them.

#include "mercator/runtime/calls/Batch.h"
#include "mercator/runtime/calls/Lapack.h"

#include <algorithm>

namespace mercator::calls {

static constexpr int notFinite = -4;

template <typename T>
static int32_t gehrd(const Tensor *operands, const int64_t *numbers,
                     const Tensor *results) {
  const Tensor &a = operands[0], &h = results[0], &tau = results[1],
               &info = results[2];
  Batch batch(a, 2);
  if (!batch.isValid())
    return mercator_wrong_sizes;
  int64_t n = batch.extent(0), less = std::max<int64_t>(n - 1, 0);
  if (!batch.fits(a, {n, n}) || !batch.fits(h, {n, n}) ||
      !batch.fits(tau, {less}) || !batch.fits(info, {}))
    return mercator_wrong_sizes;
  int64_t low = numbers[0], high = numbers[1];
  if (n > 0 && (low < 1 || low > high || high > n))
    return mercator_wrong_number;
  if (n == 0)
    low = 1, high = 0;
  T size = 0;
  gehrd(int(n), int(low), int(high), static_cast<T *>(nullptr), atLeastOne(n),
        static_cast<T *>(nullptr), &size, -1);
  int workSize = std::max(sizeFrom(size), atLeastOne(n));
  Memory<T> columns = allocate<T>(n * n), work = allocate<T>(workSize);
  if (!columns || !work)
    return mercator_no_memory;
  for (int64_t i = 0; i < batch.count(); ++i) {
    transpose(columns.get(), batch.member<T>(a, i), n, n);
    *batch.member<int32_t>(info, i) =
        gehrd(int(n), int(low), int(high), columns.get(), atLeastOne(n),
              batch.member<T>(tau, i), work.get(), workSize);
    transpose(batch.member<T>(h, i), columns.get(), n, n);
  }
  return mercator_ok;
}
MERCATOR_DEFINE_CALLS(gehrd)

template <typename T>
static int32_t sytrd(const Tensor *operands, const int64_t *numbers,
                     const Tensor *results) {
  const Tensor &a = operands[0], &to = results[0], &d = results[1],
               &e = results[2], &tau = results[3], &info = results[4];
  if (!isOneOf(numbers[0], "LU"))
    return mercator_wrong_number;
  Batch batch(a, 2);
  if (!batch.isValid())
    return mercator_wrong_sizes;
  int64_t n = batch.extent(0), less = std::max<int64_t>(n - 1, 0);
  if (!batch.fits(a, {n, n}) || !batch.fits(to, {n, n}) ||
      !batch.fits(d, {n}) || !batch.fits(e, {less}) ||
      !batch.fits(tau, {less}) || !batch.fits(info, {}))
    return mercator_wrong_sizes;
  auto *none = static_cast<Real<T> *>(nullptr);
  T size = 0;
  sytrd(char(numbers[0]), int(n), static_cast<T *>(nullptr), atLeastOne(n),
        none, none, static_cast<T *>(nullptr), &size, -1);
  int workSize = sizeFrom(size);
  Memory<T> columns = allocate<T>(n * n), work = allocate<T>(workSize);
  if (!columns || !work)
    return mercator_no_memory;
  for (int64_t i = 0; i < batch.count(); ++i) {
    transpose(columns.get(), batch.member<T>(a, i), n, n);
    *batch.member<int32_t>(info, i) =
        sytrd(char(numbers[0]), int(n), columns.get(), atLeastOne(n),
              batch.member<Real<T>>(d, i), batch.member<Real<T>>(e, i),
              batch.member<T>(tau, i), work.get(), workSize);
    transpose(batch.member<T>(to, i), columns.get(), n, n);
  }
  return mercator_ok;
}
MERCATOR_DEFINE_CALLS(sytrd)

template <typename T>
static int32_t syevd(const Tensor *operands, const int64_t *numbers,
                     const Tensor *results) {
  const Tensor &a = operands[0], &v = results[0], &w = results[1],
               &info = results[2];
  if (!isOneOf(numbers[0], "NV") || !isOneOf(numbers[1], "LU"))
    return mercator_wrong_number;
  char mode = char(numbers[0]), uplo = char(numbers[1]);
  Batch batch(a, 2);
  if (!batch.isValid())
    return mercator_wrong_sizes;
  int64_t n = batch.extent(0);
  if (!batch.fits(a, {n, n}) || !batch.fits(v, {n, n}) || !batch.fits(w, {n}) ||
      !batch.fits(info, {}) || n > maxWorkExtent)
    return mercator_wrong_sizes;
  T size = 0;
  Real<T> realSize = 0;
  int intSize = 0;
  syevd(mode, uplo, int(n), static_cast<T *>(nullptr), atLeastOne(n),
        static_cast<Real<T> *>(nullptr), &size, -1, &realSize, -1, &intSize,
        -1);
  int workSize = sizeFrom(size), realWorkSize = sizeFrom(realSize);
  intSize = std::max(intSize, 1);
  Memory<T> columns = allocate<T>(n * n), work = allocate<T>(workSize);
  Memory<Real<T>> realWork = allocate<Real<T>>(realWorkSize);
  Memory<int> intWork = allocate<int>(intSize);
  if (!columns || !work || !realWork || !intWork)
    return mercator_no_memory;
  for (int64_t i = 0; i < batch.count(); ++i) {
    T *to = batch.member<T>(v, i);
    auto *values = batch.member<Real<T>>(w, i);
    int32_t &status = *batch.member<int32_t>(info, i);
    // Only one triangle is read.
    transpose(columns.get(), batch.member<T>(a, i), n, n);
    for (int64_t column = 0; column < n; ++column)
      for (int64_t row = 0; row < n; ++row)
        if (uplo == 'L' ? row < column : row > column)
          columns[column * n + row] = 0;
    if (!isFinite(columns.get(), n * n)) {
      fillElements(to, n * n, notANumber<T>());
      fillElements(values, n, notANumber<Real<T>>());
      status = notFinite;
      continue;
    }
    status = syevd(mode, uplo, int(n), columns.get(), atLeastOne(n), values,
                   work.get(), workSize, realWork.get(), realWorkSize,
                   intWork.get(), intSize);
    transpose(to, columns.get(), n, n);
  }
  return mercator_ok;
}
MERCATOR_DEFINE_CALLS(syevd)

/// gesdd and gesvd differ in the algorithm only.
template <typename T, bool isDivided>
static int32_t singularValues(const Tensor *operands, const int64_t *numbers,
                              const Tensor *results) {
  const Tensor &a = operands[0], &left = results[0], &s = results[1],
               &u = results[2], &vt = results[3], &info = results[4];
  if (!isOneOf(numbers[0], "ASN"))
    return mercator_wrong_number;
  char mode = char(numbers[0]);
  Batch batch(a, 2), ofU(u, 2), ofVt(vt, 2);
  if (!batch.isValid() || !ofU.isValid() || !ofVt.isValid())
    return mercator_wrong_sizes;
  int64_t m = batch.extent(0), n = batch.extent(1), less = std::min(m, n);
  int64_t uColumns = ofU.extent(1), vtRows = ofVt.extent(0);
  if (!batch.fits(a, {m, n}) || !batch.fits(left, {m, n}) ||
      !batch.fits(s, {less}) || !batch.fits(u, {m, uColumns}) ||
      !batch.fits(vt, {vtRows, n}) || !batch.fits(info, {}) ||
      less > maxWorkExtent)
    return mercator_wrong_sizes;
  if (mode != 'N' && (uColumns != (mode == 'A' ? m : less) ||
                      vtRows != (mode == 'A' ? n : less)))
    return mercator_wrong_sizes;
  auto compute = [&](T *matrix, Real<T> *values, T *uTo, T *vtTo, T *work,
                     int workSize, Real<T> *realWork, int *intWork) -> int {
    if (isDivided)
      return gesdd(mode, int(m), int(n), matrix, atLeastOne(m), values, uTo,
                   atLeastOne(m), vtTo, atLeastOne(vtRows), work, workSize,
                   realWork, intWork);
    return gesvd(mode, int(m), int(n), matrix, atLeastOne(m), values, uTo,
                 atLeastOne(m), vtTo, atLeastOne(vtRows), work, workSize,
                 realWork, intWork);
  };
  // LAPACK's manual; the first case holds for all versions since 3.7.
  int64_t greater = std::max(m, n);
  int64_t realSize = std::max(5 * less * less + 5 * less,
                              2 * greater * less + 2 * less * less + less);
  Memory<int> intWork = allocate<int>(8 * less);
  Memory<Real<T>> realWork = allocate<Real<T>>(isComplex<T> ? realSize : 1);
  Memory<T> columns = allocate<T>(m * n), uTo = allocate<T>(m * uColumns),
            vtTo = allocate<T>(vtRows * n);
  if (!intWork || !realWork || !columns || !uTo || !vtTo)
    return mercator_no_memory;
  T size = 0;
  compute(columns.get(), static_cast<Real<T> *>(nullptr), uTo.get(), vtTo.get(),
          &size, -1, realWork.get(), intWork.get());
  int workSize = sizeFrom(size);
  Memory<T> work = allocate<T>(workSize);
  if (!work)
    return mercator_no_memory;
  for (int64_t i = 0; i < batch.count(); ++i) {
    const T *from = batch.member<T>(a, i);
    auto *values = batch.member<Real<T>>(s, i);
    int32_t &status = *batch.member<int32_t>(info, i);
    copyElements(batch.member<T>(left, i), from, m * n);
    if (!isFinite(from, m * n)) {
      fillElements(values, less, notANumber<Real<T>>());
      fillElements(batch.member<T>(u, i), m * uColumns, notANumber<T>());
      fillElements(batch.member<T>(vt, i), vtRows * n, notANumber<T>());
      status = notFinite;
      continue;
    }
    transpose(columns.get(), from, m, n);
    // For an empty matrix LAPACK leaves the square one unwritten.
    fillElements(uTo.get(), m * uColumns, T(0));
    fillElements(vtTo.get(), vtRows * n, T(0));
    if (less == 0 && mode != 'N') {
      for (int64_t j = 0; j < std::min(m, uColumns); ++j)
        uTo[j * m + j] = 1;
      for (int64_t j = 0; j < std::min(vtRows, n); ++j)
        vtTo[j * vtRows + j] = 1;
      status = 0;
    } else {
      status = compute(columns.get(), values, uTo.get(), vtTo.get(), work.get(),
                       workSize, realWork.get(), intWork.get());
    }
    transpose(batch.member<T>(u, i), uTo.get(), uColumns, m);
    transpose(batch.member<T>(vt, i), vtTo.get(), n, vtRows);
  }
  return mercator_ok;
}
template <typename T>
static int32_t gesdd(const Tensor *operands, const int64_t *numbers,
                     const Tensor *results) {
  return singularValues<T, true>(operands, numbers, results);
}
MERCATOR_DEFINE_CALLS(gesdd)
template <typename T>
static int32_t gesvd(const Tensor *operands, const int64_t *numbers,
                     const Tensor *results) {
  return singularValues<T, false>(operands, numbers, results);
}
MERCATOR_DEFINE_CALLS(gesvd)

/// LAPACK writes the eigenvectors of a pair of conjugate eigenvalues as their
/// real and their imaginary part, one column each. Both are column-major; `to`
/// is row-major.
template <typename R>
static void unpackVectors(int64_t n, const R *imaginary, const R *packed,
                          std::complex<R> *to) {
  for (int64_t column = 0; column < n; ++column) {
    bool isPair = imaginary[column] != 0 && column + 1 < n;
    for (int64_t row = 0; row < n; ++row) {
      R real = packed[column * n + row];
      R other = isPair ? packed[(column + 1) * n + row] : R(0);
      to[row * n + column] = {real, other};
      if (isPair)
        to[row * n + column + 1] = {real, -other};
    }
    column += isPair ? 1 : 0;
  }
}

template <typename T>
static int32_t geev(const Tensor *operands, const int64_t *numbers,
                    const Tensor *results) {
  if (!isOneOf(numbers[0], "NV") || !isOneOf(numbers[1], "NV"))
    return mercator_wrong_number;
  char modes[2] = {char(numbers[0]), char(numbers[1])};
  constexpr int64_t valueCount = isComplex<T> ? 1 : 2;
  const Tensor &a = operands[0], *vectors = results + valueCount,
               &info = vectors[2];
  Batch batch(a, 2);
  if (!batch.isValid())
    return mercator_wrong_sizes;
  int64_t n = batch.extent(0);
  if (!batch.fits(a, {n, n}) || !batch.fits(results[0], {n}) ||
      !batch.fits(results[valueCount - 1], {n}) ||
      !batch.fits(vectors[0], {n, n}) || !batch.fits(vectors[1], {n, n}) ||
      !batch.fits(info, {}))
    return mercator_wrong_sizes;
  auto *none = static_cast<T *>(nullptr);
  T size = 0;
  Real<T> realSize = 0; // written by complex routines
  geev(modes[0], modes[1], int(n), none, atLeastOne(n), none, none, none, none,
       &size, -1, &realSize);
  int workSize = std::max(sizeFrom(size), atLeastOne(4 * n));
  Memory<T> columns = allocate<T>(n * n), work = allocate<T>(workSize),
            packed[2] = {allocate<T>(n * n), allocate<T>(n * n)};
  Memory<Real<T>> realWork = allocate<Real<T>>(2 * n);
  if (!columns || !work || !packed[0] || !packed[1] || !realWork)
    return mercator_no_memory;
  using Vector = std::complex<Real<T>>;
  for (int64_t i = 0; i < batch.count(); ++i) {
    const T *from = batch.member<T>(a, i);
    T *values[2] = {batch.member<T>(results[0], i),
                    batch.member<T>(results[valueCount - 1], i)};
    int32_t &status = *batch.member<int32_t>(info, i);
    if (!isFinite(from, n * n)) {
      for (int side = 0; side < 2; ++side) {
        fillElements(values[side], n, notANumber<T>());
        fillElements(batch.member<Vector>(vectors[side], i), n * n,
                     notANumber<Vector>());
      }
      status = notFinite;
      continue;
    }
    transpose(columns.get(), from, n, n);
    status = geev(modes[0], modes[1], int(n), columns.get(), atLeastOne(n),
                  values[0], values[1], packed[0].get(), packed[1].get(),
                  work.get(), workSize, realWork.get());
    for (int side = 0; side < 2; ++side) {
      auto *to = batch.member<Vector>(vectors[side], i);
      if (modes[side] == 'N')
        fillElements(to, n * n, Vector(0));
      else if constexpr (isComplex<T>)
        transpose(to, packed[side].get(), n, n);
      else
        unpackVectors(n, values[1], packed[side].get(), to);
    }
  }
  return mercator_ok;
}
MERCATOR_DEFINE_CALLS(geev)

template <typename T>
static int32_t gees(const Tensor *operands, const int64_t *numbers,
                    const Tensor *results) {
  // Sorted by a function: a call has none.
  if (!isOneOf(numbers[0], "NV") || numbers[1] != 'N')
    return mercator_wrong_number;
  constexpr int64_t valueCount = isComplex<T> ? 1 : 2;
  const Tensor &a = operands[0], &t = results[0], &z = results[1],
               *w = results + 2, &selected = w[valueCount],
               &info = w[valueCount + 1];
  Batch batch(a, 2);
  if (!batch.isValid())
    return mercator_wrong_sizes;
  int64_t n = batch.extent(0);
  if (!batch.fits(a, {n, n}) || !batch.fits(t, {n, n}) ||
      !batch.fits(z, {n, n}) || !batch.fits(w[0], {n}) ||
      !batch.fits(w[valueCount - 1], {n}) || !batch.fits(selected, {}) ||
      !batch.fits(info, {}))
    return mercator_wrong_sizes;
  char mode = char(numbers[0]);
  auto *none = static_cast<T *>(nullptr);
  T size = 0;
  gees(mode, int(n), none, atLeastOne(n), none, none, none, &size, -1,
       static_cast<Real<T> *>(nullptr));
  int workSize = std::max(sizeFrom(size), atLeastOne(3 * n));
  Memory<T> columns = allocate<T>(n * n), vectors = allocate<T>(n * n),
            work = allocate<T>(workSize);
  Memory<Real<T>> realWork = allocate<Real<T>>(n);
  if (!columns || !vectors || !work || !realWork)
    return mercator_no_memory;
  for (int64_t i = 0; i < batch.count(); ++i) {
    const T *from = batch.member<T>(a, i);
    T *values[2] = {batch.member<T>(w[0], i),
                    batch.member<T>(w[valueCount - 1], i)};
    int32_t &status = *batch.member<int32_t>(info, i);
    *batch.member<int32_t>(selected, i) = 0;
    if (!isFinite(from, n * n)) {
      for (T *value : values)
        fillElements(value, n, notANumber<T>());
      fillElements(batch.member<T>(t, i), n * n, notANumber<T>());
      fillElements(batch.member<T>(z, i), n * n, notANumber<T>());
      status = notFinite;
      continue;
    }
    transpose(columns.get(), from, n, n);
    fillElements(vectors.get(), n * n, T(0));
    status =
        gees(mode, int(n), columns.get(), atLeastOne(n), values[0], values[1],
             vectors.get(), work.get(), workSize, realWork.get());
    transpose(batch.member<T>(t, i), columns.get(), n, n);
    transpose(batch.member<T>(z, i), vectors.get(), n, n);
  }
  return mercator_ok;
}
MERCATOR_DEFINE_CALLS(gees)

} // namespace mercator::calls
