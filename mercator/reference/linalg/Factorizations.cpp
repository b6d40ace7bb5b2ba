// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions of LAPACK that have a short definition, by definition. Signs
// and phases that LAPACK chooses by rule are chosen in the same way; those of
// eigenvectors are not unique.

#include "mercator/reference/linalg/LibraryCalls.h"

#include "llvm/ADT/StringSwitch.h"

#include <numeric>

using namespace mlir;

namespace mercator::reference {

static bool isSquare(const Tensor &tensor) {
  return tensor.dim(tensor.rank() - 1) == tensor.dim(tensor.rank() - 2);
}

static void writeInfo(Tensor &info, int64_t member, int64_t value) {
  info.set(member, Scalar::whole(value));
}

/// Fails unless n^3 steps for each matrix are within the limits.
static LogicalResult charge(LibraryCall &call, int64_t count,
                            const Tensor &matrices) {
  int64_t m = matrices.dim(matrices.rank() - 2),
          n = matrices.dim(matrices.rank() - 1);
  return call.step.charge({count, m, n, std::min(m, n)});
}

//===----------------------------------------------------------------------===//
// Cholesky, LU, tridiagonal systems
//===----------------------------------------------------------------------===//

/// info is the number of the first column whose diagonal is not positive.
static LogicalResult evaluatePotrf(LibraryCall &call) {
  const Tensor &a = call.operands.front();
  if (!call.hasRanks("2", "20", 1) || !isSquare(a))
    return call.refuse();
  int64_t count = batchOf(a, 2), n = a.shape().back();
  if (failed(charge(call, count, a)))
    return failure();
  bool isLower = call.numbers.front() == 'L';
  for (int64_t member = 0; member < count; ++member) {
    Matrix l = readMatrix(a, member);
    // Column j of l is row j of l^H.
    auto at = [&](int64_t row, int64_t column) -> Wide {
      return isLower ? l(row, column) : std::conj(l(column, row));
    };
    auto set = [&](int64_t row, int64_t column, Wide value) {
      (isLower ? l(row, column) : l(column, row)) =
          isLower ? value : std::conj(value);
    };
    int64_t info = 0;
    for (int64_t j = 0; j < n && info == 0; ++j)
      for (int64_t i = j; i < n; ++i) {
        Wide left = at(i, j);
        for (int64_t k = 0; k < j; ++k)
          left -= at(i, k) * std::conj(at(j, k));
        if (i > j) {
          set(i, j, left / at(j, j));
          continue;
        }
        if (!(left.real() > 0)) {
          info = j + 1;
          break;
        }
        set(j, j, std::sqrt(left.real()));
      }
    call.writeMatrix(0, member, l);
    writeInfo(call.results[1], member, info);
  }
  return success();
}

/// The row of the largest element of a column, from `first` on. LAPACK adds the
/// parts of complex numbers.
static int64_t pivotRow(const Matrix &a, int64_t column, int64_t first) {
  auto sizeOf = [&](int64_t row) -> long double {
    return std::fabs(a(row, column).real()) + std::fabs(a(row, column).imag());
  };
  int64_t pivot = first;
  for (int64_t row = first + 1; row < a.rows; ++row)
    if (sizeOf(row) > sizeOf(pivot))
      pivot = row;
  return pivot;
}

static void swapRows(Matrix &a, int64_t first, int64_t second) {
  for (int64_t column = 0; column < a.columns; ++column)
    std::swap(a(first, column), a(second, column));
}

static LogicalResult evaluateGetrf(LibraryCall &call) {
  const Tensor &a = call.operands.front();
  if (!call.hasRanks("2", "210", 0))
    return call.refuse();
  int64_t count = batchOf(a, 2);
  if (failed(charge(call, count, a)))
    return failure();
  for (int64_t member = 0; member < count; ++member) {
    Matrix lu = readMatrix(a, member);
    int64_t steps = std::min(lu.rows, lu.columns), info = 0;
    Matrix pivots(steps, 1);
    for (int64_t j = 0; j < steps; ++j) {
      int64_t pivot = pivotRow(lu, j, j);
      pivots(j) = Wide((long double)(pivot + 1));
      if (lu(pivot, j) == Wide(0)) {
        info = info == 0 ? j + 1 : info;
        continue;
      }
      swapRows(lu, j, pivot);
      for (int64_t row = j + 1; row < lu.rows; ++row) {
        lu(row, j) /= lu(j, j);
        for (int64_t column = j + 1; column < lu.columns; ++column)
          lu(row, column) -= lu(row, j) * lu(j, column);
      }
    }
    call.writeMatrix(0, member, lu);
    call.writeVector(1, member, pivots);
    writeInfo(call.results[2], member, info);
  }
  return success();
}

/// As a dense matrix. The diagonals in the results are those of the operands.
static LogicalResult evaluateGtsv(LibraryCall &call) {
  if (!call.hasRanks("1112", "11120", 0))
    return call.refuse();
  const Tensor &b = call.operands[3];
  int64_t n = b.dim(b.rank() - 2), count = batchOf(b, 2);
  for (int64_t i = 0; i < 3; ++i)
    if (call.operands[i].shape().back() != n)
      return call.refuse();
  if (failed(call.step.charge({count, n, n, n + b.shape().back()})))
    return failure();
  for (int64_t member = 0; member < count; ++member) {
    Matrix right = readMatrix(b, member);
    Matrix a(n, n + right.columns);
    for (int64_t i = 0; i < 3; ++i) {
      Matrix diagonal = readVector(call.operands[i], member);
      call.writeVector(i, member, diagonal);
      for (int64_t row = 0; row < n; ++row)
        if (row + i - 1 >= 0 && row + i - 1 < n)
          a(row, row + i - 1) = diagonal(row);
    }
    for (int64_t row = 0; row < n; ++row)
      for (int64_t column = 0; column < right.columns; ++column)
        a(row, n + column) = right(row, column);
    int64_t info = 0;
    for (int64_t j = 0; j < n && info == 0; ++j) {
      swapRows(a, j, pivotRow(a, j, j));
      if (a(j, j) == Wide(0))
        info = j + 1;
      for (int64_t row = 0; row < n && info == 0; ++row) {
        Wide factor = row == j ? Wide(0) : a(row, j) / a(j, j);
        for (int64_t column = j; column < a.columns; ++column)
          a(row, column) -= factor * a(j, column);
      }
    }
    for (int64_t row = 0; row < n; ++row)
      for (int64_t column = 0; column < right.columns; ++column)
        right(row, column) = a(row, n + column) / a(row, row);
    call.writeMatrix(3, member, right);
    writeInfo(call.results[4], member, info);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// QR
//===----------------------------------------------------------------------===//

/// Subtracts `tau` v (v^H a) from a, where v is 1 at `j` and the rest of column
/// `j` of `vectors` below. Changes the columns of `a` from `first` on.
static void reflect(const Matrix &vectors, int64_t j, Wide tau, Matrix &a,
                    int64_t first) {
  for (int64_t column = first; column < a.columns; ++column) {
    Wide sum = a(j, column);
    for (int64_t row = j + 1; row < a.rows; ++row)
      sum += std::conj(vectors(row, j)) * a(row, column);
    a(j, column) -= tau * sum;
    for (int64_t row = j + 1; row < a.rows; ++row)
      a(row, column) -= tau * sum * vectors(row, j);
  }
}

static LogicalResult evaluateGeqrf(LibraryCall &call) {
  const Tensor &a = call.operands.front();
  if (!call.hasRanks("2", "21", 0))
    return call.refuse();
  int64_t count = batchOf(a, 2);
  if (failed(charge(call, count, a)))
    return failure();
  for (int64_t member = 0; member < count; ++member) {
    Matrix qr = readMatrix(a, member);
    int64_t steps = std::min(qr.rows, qr.columns);
    Matrix tau(steps, 1);
    for (int64_t j = 0; j < steps; ++j) {
      long double below = 0;
      for (int64_t row = j + 1; row < qr.rows; ++row)
        below += std::norm(qr(row, j));
      Wide alpha = qr(j, j);
      if (below == 0 && alpha.imag() == 0)
        continue;
      long double beta =
          -std::copysign(std::sqrt(below + std::norm(alpha)), alpha.real());
      tau(j) = (beta - alpha) / beta;
      for (int64_t row = j + 1; row < qr.rows; ++row)
        qr(row, j) /= alpha - beta;
      reflect(qr, j, std::conj(tau(j)), qr, j + 1);
      qr(j, j) = beta;
    }
    call.writeMatrix(0, member, qr);
    call.writeVector(1, member, tau);
  }
  return success();
}

/// The product of the reflections, applied to the first columns of the
/// identity.
static LogicalResult evaluateOrgqr(LibraryCall &call) {
  if (!call.hasRanks("21", "2", 0))
    return call.refuse();
  const Tensor &a = call.operands[0];
  int64_t count = batchOf(a, 2);
  if (failed(charge(call, count, a)))
    return failure();
  for (int64_t member = 0; member < count; ++member) {
    Matrix vectors = readMatrix(a, member),
           tau = readVector(call.operands[1], member),
           q(vectors.rows, vectors.columns);
    if (tau.rows > std::min(q.rows, q.columns))
      return call.refuse();
    for (int64_t i = 0; i < std::min(q.rows, q.columns); ++i)
      q(i, i) = 1;
    for (int64_t j = tau.rows; j-- > 0;)
      reflect(vectors, j, tau(j), q, 0);
    call.writeMatrix(0, member, q);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Eigenvalues of Hermitian matrices
//===----------------------------------------------------------------------===//

/// Rotates two rows and columns so that the element between them is zero
/// (Jacobi, 1846).
static void rotate(Matrix &a, Matrix &v, int64_t p, int64_t q) {
  long double size = std::abs(a(p, q));
  if (size == 0)
    return;
  Wide phase = a(p, q) / size;
  long double theta = (a(q, q).real() - a(p, p).real()) / (2 * size),
              t = (theta >= 0 ? 1 : -1) /
                  (std::fabs(theta) + std::sqrt(theta * theta + 1)),
              c = 1 / std::sqrt(t * t + 1), s = t * c;
  auto columns = [&](Matrix &m) {
    for (int64_t row = 0; row < m.rows; ++row) {
      Wide x = m(row, p), y = m(row, q);
      m(row, p) = c * x - s * std::conj(phase) * y;
      m(row, q) = s * phase * x + c * y;
    }
  };
  columns(a);
  columns(v);
  for (int64_t column = 0; column < a.columns; ++column) {
    Wide x = a(p, column), y = a(q, column);
    a(p, column) = c * x - s * phase * y;
    a(q, column) = s * std::conj(phase) * x + c * y;
  }
}

static LogicalResult evaluateSyevd(LibraryCall &call) {
  const Tensor &a = call.operands.front();
  if (!call.hasRanks("2", "210", 2) || !isSquare(a))
    return call.refuse();
  constexpr int64_t sweeps = 60;
  int64_t count = batchOf(a, 2), n = a.shape().back();
  if (failed(call.step.charge({count, sweeps, n, n, n})))
    return failure();
  bool isLower = call.numbers[1] == 'L';
  for (int64_t member = 0; member < count; ++member) {
    Matrix given = readMatrix(a, member), m(n, n), v(n, n);
    for (int64_t row = 0; row < n; ++row) {
      v(row, row) = 1;
      for (int64_t column = 0; column < n; ++column)
        m(row, column) = (row >= column) == isLower
                             ? given(row, column)
                             : std::conj(given(column, row));
      m(row, row) = given(row, row).real();
    }
    for (int64_t sweep = 0; sweep < sweeps; ++sweep)
      for (int64_t p = 0; p < n; ++p)
        for (int64_t q = p + 1; q < n; ++q)
          rotate(m, v, p, q);
    std::vector<int64_t> order(size_t(n), 0);
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](int64_t x, int64_t y) {
      return std::pair(m(x, x).real(), x) < std::pair(m(y, y).real(), y);
    });
    Matrix values(n, 1), vectors(n, n);
    for (int64_t i = 0; i < n; ++i) {
      values(i) = m(order[size_t(i)], order[size_t(i)]).real();
      for (int64_t row = 0; row < n; ++row)
        vectors(row, i) = v(row, order[size_t(i)]);
    }
    call.writeMatrix(0, member, vectors);
    call.writeVector(1, member, values);
    writeInfo(call.results[2], member, 0);
  }
  return success();
}

LibraryFunction factorization(StringRef name) {
  return llvm::StringSwitch<LibraryFunction>(name)
      .Case("geqrf", evaluateGeqrf)
      .Cases({"gesdd", "gesvd"}, singularValues)
      .Case("getrf", evaluateGetrf)
      .Case("gtsv", evaluateGtsv)
      .Case("orgqr", evaluateOrgqr)
      .Case("potrf", evaluatePotrf)
      .Case("syevd", evaluateSyevd)
      .Default(nullptr);
}

} // namespace mercator::reference
