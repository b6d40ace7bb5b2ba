// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// gesdd and gesvd, by rotations of columns (Hestenes, "Inversion of matrices by
// biorthogonalization", 1958): pairs of columns are rotated until all are
// orthogonal. Their lengths are the singular values, and the product of the
// rotations has the right vectors. Signs of vectors are not unique.

#include "mercator/reference/linalg/LibraryCalls.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;

namespace mercator::reference {

using Real = long double;

static Wide dot(const Matrix &a, int64_t p, int64_t q) {
  Wide sum = 0;
  for (int64_t row = 0; row < a.rows; ++row)
    sum += std::conj(a(row, p)) * a(row, q);
  return sum;
}

static Real lengthOf(const Matrix &a, int64_t column) {
  return std::sqrt(dot(a, column, column).real());
}

/// Rotates two columns so that they are orthogonal.
static void rotateColumns(Matrix &a, Matrix &v, int64_t p, int64_t q) {
  Wide product = dot(a, p, q);
  Real size = std::abs(product);
  Real first = dot(a, p, p).real(), second = dot(a, q, q).real();
  if (size == 0 || size * size <= first * second * 0x1p-124L)
    return;
  Wide phase = product / size;
  Real theta = (second - first) / (2 * size),
       t = (theta >= 0 ? 1 : -1) /
           (std::fabs(theta) + std::sqrt(theta * theta + 1)),
       c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (Matrix *m : {&a, &v})
    for (int64_t row = 0; row < m->rows; ++row) {
      Wide x = (*m)(row, p), y = (*m)(row, q);
      (*m)(row, p) = c * x - s * std::conj(phase) * y;
      (*m)(row, q) = s * phase * x + c * y;
    }
}

static Matrix adjoint(const Matrix &a) {
  Matrix out(a.columns, a.rows);
  for (int64_t row = 0; row < a.rows; ++row)
    for (int64_t column = 0; column < a.columns; ++column)
      out(column, row) = std::conj(a(row, column));
  return out;
}

/// Sets column `to`, and those after it, to unit vectors that are orthogonal to
/// the columns before.
static void complete(Matrix &a, int64_t to) {
  for (int64_t unit = 0; unit < a.rows && to < a.columns; ++unit) {
    for (int64_t row = 0; row < a.rows; ++row)
      a(row, to) = row == unit ? 1 : 0;
    for (int round = 0; round < 2; ++round)
      for (int64_t column = 0; column < to; ++column) {
        Wide along = dot(a, column, to);
        for (int64_t row = 0; row < a.rows; ++row)
          a(row, to) -= along * a(row, column);
      }
    Real length = lengthOf(a, to);
    // At least one of the remaining vectors is farther away than this.
    if (length * length * Real(2 * a.rows) < 1)
      continue;
    for (int64_t row = 0; row < a.rows; ++row)
      a(row, to) /= length;
    ++to;
  }
}

namespace {
/// a = u diag(s) v^H.
struct Decomposition {
  Matrix u, s, v;
};
} // namespace

/// Requires: at least as many rows as columns. `u` gets `columns` columns.
static Decomposition decompose(Matrix a, int64_t columns) {
  constexpr int64_t sweeps = 60;
  int64_t n = a.columns;
  Matrix v(n, n);
  for (int64_t i = 0; i < n; ++i)
    v(i, i) = 1;
  for (int64_t sweep = 0; sweep < sweeps; ++sweep)
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q)
        rotateColumns(a, v, p, q);
  std::vector<int64_t> order(size_t(n), 0);
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](int64_t x, int64_t y) {
    return std::pair(-lengthOf(a, x), x) < std::pair(-lengthOf(a, y), y);
  });
  Decomposition out{Matrix(a.rows, columns), Matrix(n, 1), Matrix(n, n)};
  int64_t rank = 0;
  for (int64_t i = 0; i < n; ++i) {
    int64_t from = order[size_t(i)];
    Real length = lengthOf(a, from);
    out.s(i) = length;
    for (int64_t row = 0; row < n; ++row)
      out.v(row, i) = v(row, from);
    // Columns of rounding errors have no direction.
    if (i < columns && rank == i &&
        length > std::abs(out.s(0)) * 0x1p-56L * Real(a.rows)) {
      for (int64_t row = 0; row < a.rows; ++row)
        out.u(row, i) = a(row, from) / length;
      ++rank;
    }
  }
  complete(out.u, rank);
  return out;
}

static bool isFinite(const Matrix &a) {
  for (int64_t row = 0; row < a.rows; ++row)
    for (int64_t column = 0; column < a.columns; ++column)
      if (!std::isfinite(a(row, column).real()) ||
          !std::isfinite(a(row, column).imag()))
        return false;
  return true;
}

static Matrix notNumbers(int64_t rows, int64_t columns) {
  Matrix out(rows, columns);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      out(row, column) = std::nanl("");
  return out;
}

/// The first columns of a square matrix.
static Matrix firstColumns(const Matrix &a, int64_t count) {
  Matrix out(a.rows, count);
  for (int64_t row = 0; row < a.rows; ++row)
    for (int64_t column = 0; column < count; ++column)
      out(row, column) = a(row, column);
  return out;
}

LogicalResult singularValues(LibraryCall &call) {
  const Tensor &a = call.operands.front();
  if (!call.hasRanks("2", "21220", 1))
    return call.refuse();
  int64_t m = a.dim(a.rank() - 2), n = a.dim(a.rank() - 1),
          less = std::min(m, n), count = batchOf(a, 2);
  if (failed(call.step.charge({count, 60 * less, less, m + n})))
    return failure();
  bool isFull = call.numbers.front() == 'A',
       isWanted = call.numbers.front() != 'N';
  for (int64_t member = 0; member < count; ++member) {
    Matrix given = readMatrix(a, member);
    call.writeMatrix(0, member, given);
    int64_t left = isFull ? m : less, right = isFull ? n : less;
    bool isValid = isFinite(given);
    call.results[4].set(member, Scalar::whole(isValid ? 0 : -4));
    if (!isValid) {
      call.writeVector(1, member, notNumbers(less, 1));
      if (isWanted) {
        call.writeMatrix(2, member, notNumbers(m, left));
        call.writeMatrix(3, member, notNumbers(right, n));
      }
      continue;
    }
    // A wide matrix is decomposed as its adjoint: a^H = v diag(s) u^H.
    bool isWide = m < n;
    Decomposition parts =
        decompose(isWide ? adjoint(given) : given, isWide ? right : left);
    call.writeVector(1, member, parts.s);
    if (!isWanted)
      continue;
    Matrix &u = isWide ? parts.v : parts.u, &v = isWide ? parts.u : parts.v;
    call.writeMatrix(2, member, firstColumns(u, left));
    call.writeMatrix(3, member, adjoint(firstColumns(v, right)));
  }
  return success();
}

} // namespace mercator::reference
