// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of LAPACK whose results have one meaning: LU and QR factorizations, the
// Q of the latter, and tridiagonal solves, as `custom_call @lapack_sgetrf_ffi`.
// Eigenvectors and singular vectors are determined up to factors of absolute
// value 1, and are not evaluated.
//
// Source: the LAPACK Users' Guide, netlib.org/lapack/lug; the pivots and signs are
// those of its routines xGETF2, xLARFG and xGTSV.

#include "mercator/reference/stablehlo/CustomCalls.h"

#include <complex>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

namespace {
using Complex = std::complex<long double>;

/// A matrix in memory. Element types are rounded once, at the end.
struct Matrix {
  int64_t rows, columns;
  std::vector<Complex> elements = std::vector<Complex>(rows * columns);
  Complex &operator()(int64_t i, int64_t j) {
    return elements[i * columns + j];
  }
};
} // namespace

/// The matrix number `n` of a batch; of a vector, a matrix of one column.
static Matrix matrixOf(const Tensor &tensor, int64_t n, int64_t rows,
                       int64_t columns) {
  Matrix m{rows, columns};
  for (int64_t i = 0; i < rows * columns; ++i) {
    Scalar element = tensor.at(n * rows * columns + i);
    m.elements[i] = {element.re, element.im};
  }
  return m;
}

static void setMatrix(Tensor &tensor, int64_t n, const Matrix &m) {
  for (auto [i, element] : llvm::enumerate(m.elements))
    tensor.set(n * int64_t(m.elements.size()) + int64_t(i),
               Scalar::complex(double(element.real()), double(element.imag())));
}

static long double sizeOf(Complex x) {
  return std::abs(x.real()) + std::abs(x.imag());
}

/// Each result, of the declared type.
static FailureOr<std::vector<Tensor>> makeResults(Step &step) {
  std::vector<Tensor> results;
  for (Type type : givenTypes(step.op)) {
    FailureOr<Tensor> tensor = Tensor::zeros(cast<RankedTensorType>(type),
                                             [&] { return step.error(); });
    if (failed(tensor))
      return failure();
    results.push_back(*tensor);
  }
  return results;
}

static LogicalResult giveAll(Step &step, std::vector<Tensor> results) {
  return giveCall(step, std::vector<Value>(results.begin(), results.end()));
}

/// The results, if operands and results are batches of the given ranks.
static FailureOr<std::vector<Tensor>> begin(Step &step, ArrayRef<int64_t> in,
                                            ArrayRef<int64_t> out) {
  SmallVector<Type> types = givenTypes(step.op);
  auto expect = [&](TypeRange all, ArrayRef<int64_t> ranks, const char *what) {
    int64_t batch = -1;
    for (auto [i, type] : llvm::enumerate(all.take_front(ranks.size()))) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      int64_t own = tensor ? tensor.getRank() - ranks[i] : -1;
      if (own < 0 || (batch >= 0 && own != batch))
        return LogicalResult(step.error() << "expected a batch of rank "
                                          << ranks[i] << " as " << what << " #"
                                          << i << ", got " << type);
      batch = own;
    }
    return success();
  };
  if (failed(expectTensors(step, in.size())))
    return failure();
  if (types.size() != out.size())
    return LogicalResult(step.error() << "expected " << out.size()
                                      << " results, got " << types.size());
  if (failed(expect(step.op->getOperandTypes(), in, "operand")) ||
      failed(expect(types, out, "result")))
    return failure();
  return makeResults(step);
}

//===----------------------------------------------------------------------===//
// Factorizations
//===----------------------------------------------------------------------===//

/// P a = L U; pivots count from 1, and the status is the first zero of U's
/// diagonal.
static LogicalResult evaluateLu(CustomCallOp, Step &step) {
  auto results = begin(step, {2}, {2, 1, 0});
  if (failed(results))
    return failure();
  const Tensor &a = step.tensor(0);
  int64_t rows = a.shape().end()[-2], columns = a.shape().end()[-1];
  int64_t least = std::min(rows, columns);
  for (int64_t n = 0; n * rows * columns < a.size(); ++n) {
    Matrix m = matrixOf(a, n, rows, columns);
    int64_t status = 0;
    for (int64_t k = 0; k < least; ++k) {
      int64_t pivot = k;
      for (int64_t i = k + 1; i < rows; ++i)
        if (sizeOf(m(i, k)) > sizeOf(m(pivot, k)))
          pivot = i;
      (*results)[1].set(n * least + k, Scalar::whole(pivot + 1));
      for (int64_t j = 0; j < columns; ++j)
        std::swap(m(k, j), m(pivot, j));
      if (m(k, k) == Complex(0)) {
        status = status == 0 ? k + 1 : status;
        continue;
      }
      for (int64_t i = k + 1; i < rows; ++i) {
        m(i, k) /= m(k, k);
        for (int64_t j = k + 1; j < columns; ++j)
          m(i, j) -= m(i, k) * m(k, j);
      }
    }
    setMatrix((*results)[0], n, m);
    (*results)[2].set(n, Scalar::whole(status));
  }
  return giveAll(step, *results);
}

/// m -= factor v (v^H m), from row k and column `first` on; v is 1 at k, then the
/// elements of column k of `vectors` below.
static void reflect(Matrix &m, Matrix &vectors, int64_t k, int64_t first,
                    Complex factor) {
  for (int64_t j = first; j < m.columns; ++j) {
    Complex sum = m(k, j);
    for (int64_t i = k + 1; i < m.rows; ++i)
      sum += std::conj(vectors(i, k)) * m(i, j);
    m(k, j) -= factor * sum;
    for (int64_t i = k + 1; i < m.rows; ++i)
      m(i, j) -= factor * sum * vectors(i, k);
  }
}

/// a = H(0) H(1) .. R, with H(k) = 1 - tau(k) v v^H.
static LogicalResult evaluateQr(CustomCallOp, Step &step) {
  auto results = begin(step, {2}, {2, 1});
  if (failed(results))
    return failure();
  const Tensor &a = step.tensor(0);
  int64_t rows = a.shape().end()[-2], columns = a.shape().end()[-1];
  int64_t least = std::min(rows, columns);
  for (int64_t n = 0; n * rows * columns < a.size(); ++n) {
    Matrix m = matrixOf(a, n, rows, columns), scales{least, 1};
    for (int64_t k = 0; k < least; ++k) {
      long double below = 0;
      for (int64_t i = k + 1; i < rows; ++i)
        below += std::norm(m(i, k));
      Complex alpha = m(k, k);
      if (below == 0 && alpha.imag() == 0)
        continue;
      long double beta = std::sqrt(std::norm(alpha) + below);
      if (alpha.real() >= 0)
        beta = -beta;
      Complex tau = (Complex(beta) - alpha) / beta;
      for (int64_t i = k + 1; i < rows; ++i)
        m(i, k) /= alpha - beta;
      m(k, k) = beta;
      reflect(m, m, k, k + 1, std::conj(tau));
      scales(k, 0) = tau;
    }
    setMatrix((*results)[0], n, m);
    setMatrix((*results)[1], n, scales);
  }
  return giveAll(step, *results);
}

/// The first columns of H(0) H(1) ..
static LogicalResult evaluateQ(CustomCallOp, Step &step) {
  auto results = begin(step, {2, 1}, {2});
  if (failed(results))
    return failure();
  const Tensor &a = step.tensor(0), &scales = step.tensor(1);
  int64_t rows = a.shape().end()[-2], columns = a.shape().end()[-1];
  int64_t count = scales.shape().back();
  if (count > std::min(rows, columns))
    return step.error() << "expected at most " << std::min(rows, columns)
                        << " reflections, got " << count;
  for (int64_t n = 0; n * rows * columns < a.size(); ++n) {
    Matrix vectors = matrixOf(a, n, rows, columns),
           tau = matrixOf(scales, n, count, 1), q{rows, columns};
    for (int64_t i = 0; i < std::min(rows, columns); ++i)
      q(i, i) = 1;
    for (int64_t k = count; k-- > 0;)
      reflect(q, vectors, k, 0, tau(k, 0));
    setMatrix((*results)[0], n, q);
  }
  return giveAll(step, *results);
}

//===----------------------------------------------------------------------===//
// Tridiagonal systems
//===----------------------------------------------------------------------===//

/// Elimination with exchanges of neighbors. The diagonals are returned as given:
/// what LAPACK leaves in them has no meaning for a caller.
static LogicalResult evaluateTridiagonal(CustomCallOp, Step &step) {
  auto results = begin(step, {1, 1, 1, 2}, {1, 1, 1, 2, 0});
  if (failed(results))
    return failure();
  const Tensor &b = step.tensor(3);
  int64_t size = b.shape().end()[-2], columns = b.shape().end()[-1];
  for (int k = 0; k < 3; ++k) {
    if (step.tensor(k).shape().back() != size ||
        step.tensor(k).type() != (*results)[k].type())
      return step.error() << "expected diagonals of " << size << " elements";
    (*results)[k] = step.tensor(k);
  }
  for (int64_t n = 0; n * size * columns < b.size(); ++n) {
    Matrix lower = matrixOf(step.tensor(0), n, size, 1),
           middle = matrixOf(step.tensor(1), n, size, 1),
           upper = matrixOf(step.tensor(2), n, size, 1), second{size, 1};
    Matrix x = matrixOf(b, n, size, columns);
    int64_t status = 0;
    for (int64_t k = 0; k < size && status == 0; ++k) {
      bool isLast = k + 1 == size;
      if (!isLast && sizeOf(lower(k + 1, 0)) > sizeOf(middle(k, 0))) {
        std::swap(middle(k, 0), lower(k + 1, 0));
        std::swap(upper(k, 0), middle(k + 1, 0));
        if (k + 2 < size)
          std::swap(second(k, 0), upper(k + 1, 0));
        for (int64_t j = 0; j < columns; ++j)
          std::swap(x(k, j), x(k + 1, j));
      }
      if (middle(k, 0) == Complex(0)) {
        status = k + 1;
      } else if (!isLast) {
        Complex factor = lower(k + 1, 0) / middle(k, 0);
        middle(k + 1, 0) -= factor * upper(k, 0);
        upper(k + 1, 0) -= factor * second(k, 0);
        for (int64_t j = 0; j < columns; ++j)
          x(k + 1, j) -= factor * x(k, j);
      }
    }
    for (int64_t k = status == 0 ? size : 0; k-- > 0;)
      for (int64_t j = 0; j < columns; ++j) {
        if (k + 1 < size)
          x(k, j) -= upper(k, 0) * x(k + 1, j);
        if (k + 2 < size)
          x(k, j) -= second(k, 0) * x(k + 2, j);
        x(k, j) /= middle(k, 0);
      }
    setMatrix((*results)[3], n, x);
    (*results)[4].set(n, Scalar::whole(status));
  }
  return giveAll(step, *results);
}

void addLapackCalls(CustomCalls &calls) {
  for (const char *letter : {"s", "d", "c", "z"}) {
    auto name = [&](const char *routine) {
      return (llvm::Twine("lapack_") + letter + routine + "_ffi").str();
    };
    calls[name("getrf")] = evaluateLu;
    calls[name("geqrf")] = evaluateQr;
    calls[name("gtsv")] = evaluateTridiagonal;
    bool isComplex = *letter == 'c' || *letter == 'z';
    calls[name(isComplex ? "ungqr" : "orgqr")] = evaluateQ;
  }
}

} // namespace mercator::reference
