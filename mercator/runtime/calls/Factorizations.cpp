// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Triangular systems and the factorizations that need no iterations: Cholesky,
// LU, QR, tridiagonal systems.
//
// LAPACK's matrices are column-major. It sees a row-major matrix as its
// transpose: where that only exchanges sides and triangles, nothing is copied.

#include "mercator/runtime/calls/Batch.h"
#include "mercator/runtime/calls/Lapack.h"

#include <algorithm>

namespace mercator::calls {

template <typename T>
static int32_t trsm(const Tensor *operands, const int64_t *numbers,
                    const Tensor *results) {
  const Tensor &a = operands[0], &b = operands[1], &x = results[0];
  if (!isOneOf(numbers[0], "LR") || !isOneOf(numbers[1], "LU") ||
      !isOneOf(numbers[2], "NTC") || !isOneOf(numbers[3], "NU"))
    return mercator_wrong_number;
  Batch batch(b, 2);
  if (!batch.isValid())
    return mercator_wrong_sizes;
  int64_t m = batch.extent(0), n = batch.extent(1),
          k = numbers[0] == 'L' ? m : n;
  if (!batch.fits(a, {k, k}) || !batch.fits(b, {m, n}) ||
      !batch.fits(x, {m, n}))
    return mercator_wrong_sizes;
  for (int64_t i = 0; i < batch.count(); ++i) {
    T *to = batch.member<T>(x, i);
    copyElements(to, batch.member<T>(b, i), m * n);
    trsm(numbers[0] == 'L' ? 'R' : 'L', numbers[1] == 'L' ? 'U' : 'L',
         char(numbers[2]), char(numbers[3]), int(n), int(m),
         batch.member<T>(a, i), atLeastOne(k), to, atLeastOne(n));
  }
  return mercator_ok;
}
MERCATOR_DEFINE_CALLS(trsm)

// LAPACK sees conj(a) = conj(l) l^T: in its upper triangle is l^T, which is l
// in ours.
//
// A pivot that is not a number is none. OpenBLAS takes it for one.
template <typename T>
static int factor(bool isLower, int64_t n, const T *from, T *to) {
  copyElements(to, from, n * n);
  int failed = potrf(isLower ? 'U' : 'L', int(n), to, atLeastOne(n));
  for (int64_t k = 0; k < n && (failed == 0 || k + 1 < failed); ++k)
    for (int64_t j = 0; j <= k; ++j) {
      const T &x = from[isLower ? k * n + j : j * n + k];
      if (x != x) // NOLINT(misc-redundant-expression)
        return int(k + 1);
    }
  return failed;
}

template <typename T>
static int32_t potrf(const Tensor *operands, const int64_t *numbers,
                     const Tensor *results) {
  const Tensor &a = operands[0], &l = results[0], &info = results[1];
  if (!isOneOf(numbers[0], "LU"))
    return mercator_wrong_number;
  Batch batch(a, 2);
  if (!batch.isValid())
    return mercator_wrong_sizes;
  int64_t n = batch.extent(0);
  if (!batch.fits(a, {n, n}) || !batch.fits(l, {n, n}) || !batch.fits(info, {}))
    return mercator_wrong_sizes;
  for (int64_t i = 0; i < batch.count(); ++i)
    *batch.member<int32_t>(info, i) = factor(
        numbers[0] == 'L', n, batch.member<T>(a, i), batch.member<T>(l, i));
  return mercator_ok;
}
MERCATOR_DEFINE_CALLS(potrf)

template <typename T>
static int32_t cholesky(const Tensor *operands, const int64_t *numbers,
                        const Tensor *results) {
  const Tensor &a = operands[0], &l = results[0];
  Batch batch(a, 2);
  if (!batch.isValid())
    return mercator_wrong_sizes;
  int64_t n = batch.extent(0);
  bool isLower = numbers[0] != 0;
  if (!batch.fits(a, {n, n}) || !batch.fits(l, {n, n}))
    return mercator_wrong_sizes;
  for (int64_t i = 0; i < batch.count(); ++i) {
    T *to = batch.member<T>(l, i);
    bool hasFailed = factor(isLower, n, batch.member<T>(a, i), to) != 0;
    for (int64_t row = 0; row < n; ++row)
      for (int64_t column = 0; column < n; ++column)
        if (isLower ? column > row : column < row)
          to[row * n + column] = 0;
        else if (hasFailed)
          to[row * n + column] = notANumber<T>();
  }
  return mercator_ok;
}
MERCATOR_DEFINE_CALLS(cholesky)

template <typename T>
static int32_t getrf(const Tensor *operands, const int64_t *,
                     const Tensor *results) {
  const Tensor &a = operands[0], &lu = results[0], &pivots = results[1],
               &info = results[2];
  Batch batch(a, 2);
  if (!batch.isValid())
    return mercator_wrong_sizes;
  int64_t m = batch.extent(0), n = batch.extent(1);
  if (!batch.fits(a, {m, n}) || !batch.fits(lu, {m, n}) ||
      !batch.fits(pivots, {std::min(m, n)}) || !batch.fits(info, {}))
    return mercator_wrong_sizes;
  Memory<T> columns = allocate<T>(m * n);
  if (!columns)
    return mercator_no_memory;
  for (int64_t i = 0; i < batch.count(); ++i) {
    transpose(columns.get(), batch.member<T>(a, i), m, n);
    *batch.member<int32_t>(info, i) =
        getrf(int(m), int(n), columns.get(), atLeastOne(m),
              batch.member<int32_t>(pivots, i));
    transpose(batch.member<T>(lu, i), columns.get(), n, m);
  }
  return mercator_ok;
}
MERCATOR_DEFINE_CALLS(getrf)

template <typename T>
static int32_t geqrf(const Tensor *operands, const int64_t *,
                     const Tensor *results) {
  const Tensor &a = operands[0], &qr = results[0], &tau = results[1];
  Batch batch(a, 2);
  if (!batch.isValid())
    return mercator_wrong_sizes;
  int64_t m = batch.extent(0), n = batch.extent(1);
  if (!batch.fits(a, {m, n}) || !batch.fits(qr, {m, n}) ||
      !batch.fits(tau, {std::min(m, n)}))
    return mercator_wrong_sizes;
  T size = 0;
  geqrf(int(m), int(n), static_cast<T *>(nullptr), atLeastOne(m),
        static_cast<T *>(nullptr), &size, -1);
  int workSize = std::max(sizeFrom(size), atLeastOne(n));
  Memory<T> columns = allocate<T>(m * n), work = allocate<T>(workSize);
  if (!columns || !work)
    return mercator_no_memory;
  for (int64_t i = 0; i < batch.count(); ++i) {
    transpose(columns.get(), batch.member<T>(a, i), m, n);
    geqrf(int(m), int(n), columns.get(), atLeastOne(m), batch.member<T>(tau, i),
          work.get(), workSize);
    transpose(batch.member<T>(qr, i), columns.get(), n, m);
  }
  return mercator_ok;
}
MERCATOR_DEFINE_CALLS(geqrf)

template <typename T>
static int32_t geqp3(const Tensor *operands, const int64_t *,
                     const Tensor *results) {
  const Tensor &a = operands[0], &fixed = operands[1], &qr = results[0],
               &pivots = results[1], &tau = results[2];
  Batch batch(a, 2);
  if (!batch.isValid())
    return mercator_wrong_sizes;
  int64_t m = batch.extent(0), n = batch.extent(1);
  if (!batch.fits(a, {m, n}) || !batch.fits(fixed, {n}) ||
      !batch.fits(qr, {m, n}) || !batch.fits(pivots, {n}) ||
      !batch.fits(tau, {std::min(m, n)}))
    return mercator_wrong_sizes;
  T size = 0;
  geqp3(int(m), int(n), static_cast<T *>(nullptr), atLeastOne(m), nullptr,
        static_cast<T *>(nullptr), &size, -1, static_cast<Real<T> *>(nullptr));
  int workSize = std::max(sizeFrom(size), int(3 * n + 1));
  Memory<T> columns = allocate<T>(m * n), work = allocate<T>(workSize);
  Memory<Real<T>> realWork = allocate<Real<T>>(2 * n);
  if (!columns || !work || !realWork)
    return mercator_no_memory;
  for (int64_t i = 0; i < batch.count(); ++i) {
    transpose(columns.get(), batch.member<T>(a, i), m, n);
    auto *own = batch.member<int32_t>(pivots, i);
    copyElements(own, batch.member<int32_t>(fixed, i), n);
    geqp3(int(m), int(n), columns.get(), atLeastOne(m), own,
          batch.member<T>(tau, i), work.get(), workSize, realWork.get());
    transpose(batch.member<T>(qr, i), columns.get(), n, m);
  }
  return mercator_ok;
}
MERCATOR_DEFINE_CALLS(geqp3)

template <typename T>
static int32_t orgqr(const Tensor *operands, const int64_t *,
                     const Tensor *results) {
  const Tensor &qr = operands[0], &tau = operands[1], &q = results[0];
  Batch batch(qr, 2), vectors(tau, 1);
  if (!batch.isValid() || !vectors.isValid())
    return mercator_wrong_sizes;
  int64_t m = batch.extent(0), n = batch.extent(1), k = vectors.extent(0);
  if (!batch.fits(qr, {m, n}) || !batch.fits(tau, {k}) ||
      !batch.fits(q, {m, n}) || n > m || k > n)
    return mercator_wrong_sizes;
  T size = 0;
  orgqr(int(m), int(n), int(k), static_cast<T *>(nullptr), atLeastOne(m),
        static_cast<T *>(nullptr), &size, -1);
  int workSize = std::max(sizeFrom(size), atLeastOne(n));
  Memory<T> columns = allocate<T>(m * n), work = allocate<T>(workSize);
  if (!columns || !work)
    return mercator_no_memory;
  for (int64_t i = 0; i < batch.count(); ++i) {
    transpose(columns.get(), batch.member<T>(qr, i), m, n);
    orgqr(int(m), int(n), int(k), columns.get(), atLeastOne(m),
          batch.member<T>(tau, i), work.get(), workSize);
    transpose(batch.member<T>(q, i), columns.get(), n, m);
  }
  return mercator_ok;
}
MERCATOR_DEFINE_CALLS(orgqr)

// LAPACK has n - 1 elements beside the diagonal.
template <typename T>
static int32_t gtsv(const Tensor *operands, const int64_t *,
                    const Tensor *results) {
  const Tensor &b = operands[3], &info = results[4];
  Batch batch(b, 2);
  if (!batch.isValid())
    return mercator_wrong_sizes;
  int64_t n = batch.extent(0), columns = batch.extent(1);
  for (int64_t i = 0; i < 3; ++i)
    if (!batch.fits(operands[i], {n}) || !batch.fits(results[i], {n}))
      return mercator_wrong_sizes;
  if (!batch.fits(b, {n, columns}) || !batch.fits(results[3], {n, columns}) ||
      !batch.fits(info, {}))
    return mercator_wrong_sizes;
  Memory<T> right = allocate<T>(n * columns);
  if (!right)
    return mercator_no_memory;
  for (int64_t i = 0; i < batch.count(); ++i) {
    T *diagonals[3];
    for (int64_t j = 0; j < 3; ++j) {
      diagonals[j] = batch.member<T>(results[j], i);
      copyElements(diagonals[j], batch.member<T>(operands[j], i), n);
    }
    transpose(right.get(), batch.member<T>(b, i), n, columns);
    *batch.member<int32_t>(info, i) =
        gtsv(int(n), int(columns), diagonals[0] + (n == 0 ? 0 : 1),
             diagonals[1], diagonals[2], right.get(), atLeastOne(n));
    transpose(batch.member<T>(results[3], i), right.get(), columns, n);
  }
  return mercator_ok;
}
MERCATOR_DEFINE_CALLS(gtsv)

} // namespace mercator::calls
