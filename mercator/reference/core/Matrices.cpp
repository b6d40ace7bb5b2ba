// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Matrices.h"

#include <complex>

using namespace mlir;

namespace mercator::reference {

using Wide = std::complex<long double>;

namespace {

/// Matrix `batch` of a tensor whose last two dimensions are matrices.
class MatrixView {
public:
  MatrixView(const Tensor &tensor, int64_t batch)
      : tensor(tensor), columns(tensor.shape().back()),
        first(batch * tensor.shape().drop_front(tensor.rank() - 2).front() *
              columns) {}

  [[nodiscard]] Wide at(int64_t row, int64_t column) const {
    Scalar value = tensor.at(first + row * columns + column);
    return {value.re, value.im};
  }
  [[nodiscard]] int64_t place(int64_t row, int64_t column) const {
    return first + row * columns + column;
  }

private:
  const Tensor &tensor;
  int64_t columns, first;
};

} // namespace

static void set(Tensor &tensor, int64_t place, Wide value) {
  tensor.set(place,
             Scalar::complex(double(value.real()), double(value.imag())));
}

/// The number of matrices; fails unless the matrices of `a` are square.
static FailureOr<int64_t> countMatrices(const Step &step, const Tensor &a) {
  if (!a.element().isReal() && !a.element().isComplex())
    return step.unsupported("it is not defined for these element types");
  if (a.rank() < 2 || a.dim(a.rank() - 1) != a.dim(a.rank() - 2))
    return LogicalResult(step.error()
                         << "expected square matrices, got " << a.type());
  int64_t count = a.size() == 0 ? 0 : 1;
  for (int64_t extent : a.shape().drop_back(2))
    count *= a.size() == 0 ? 1 : extent;
  return count;
}

// Column by column: L[i, j] is A[i, j] minus the products of the columns
// before, divided by L[j, j].
FailureOr<Tensor> cholesky(const Step &step, const Tensor &a, bool isLower,
                           MakeTensor make) {
  FailureOr<int64_t> batches = countMatrices(step, a);
  FailureOr<Tensor> result = make(a.shape());
  if (failed(batches) || failed(result))
    return failure();
  int64_t n = a.shape().back();
  if (failed(step.charge({*batches, n, n, n})))
    return failure();
  std::vector<Wide> factor(n * n);
  auto l = [&](int64_t row, int64_t column) -> Wide & {
    return factor[row * n + column];
  };
  for (int64_t batch = 0; batch < *batches; ++batch) {
    MatrixView matrix(a, batch);
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = j; i < n; ++i) {
        Wide left = isLower ? matrix.at(i, j) : std::conj(matrix.at(j, i));
        for (int64_t k = 0; k < j; ++k)
          left -= l(i, k) * std::conj(l(j, k));
        l(i, j) = i == j ? Wide(std::sqrt(left.real())) : left / l(j, j);
        if (isLower)
          set(*result, matrix.place(i, j), l(i, j));
        else
          set(*result, matrix.place(j, i), std::conj(l(i, j)));
      }
  }
  return *result;
}

// Each column of X (on the left side), or row (on the right), by substitution.
FailureOr<Tensor> solveTriangular(const Step &step, const Tensor &a,
                                  const Tensor &b, Triangular flags,
                                  MakeTensor make) {
  auto [isLeft, isLower, isTransposed, isConjugate, isUnit] = flags;
  FailureOr<int64_t> batches = countMatrices(step, a);
  if (failed(batches))
    return failure();
  int64_t n = a.shape().back();
  if (b.rank() != a.rank() ||
      b.shape().drop_back(2) != a.shape().drop_back(2) ||
      b.dim(b.rank() - (isLeft ? 2 : 1)) != n || a.element() != b.element())
    return LogicalResult(step.error() << "expected a and b that fit, got "
                                      << a.type() << " and " << b.type());
  int64_t lines = b.dim(b.rank() - (isLeft ? 1 : 2));
  FailureOr<Tensor> result = make(b.shape());
  if (failed(result) || failed(step.charge({*batches, n, n, lines})))
    return failure();

  // X op(A) = B is solved as op(A)^T X^T = B^T.
  bool isSwapped = isTransposed != !isLeft;
  bool isForward = isLower != isSwapped;
  std::vector<Wide> x(n);
  for (int64_t batch = 0; batch < *batches; ++batch) {
    MatrixView matrix(a, batch), right(b, batch);
    auto coefficient = [&](int64_t row, int64_t column) {
      if (isSwapped)
        std::swap(row, column);
      Wide value = matrix.at(row, column);
      return isConjugate ? std::conj(value) : value;
    };
    for (int64_t line = 0; line < lines; ++line)
      for (int64_t i = 0; i < n; ++i) {
        int64_t row = isForward ? i : n - 1 - i;
        Wide left = isLeft ? right.at(row, line) : right.at(line, row);
        for (int64_t k = 0; k < i; ++k) {
          int64_t known = isForward ? k : n - 1 - k;
          left -= coefficient(row, known) * x[known];
        }
        x[row] = isUnit ? left : left / coefficient(row, row);
        set(*result, isLeft ? right.place(row, line) : right.place(line, row),
            x[row]);
      }
  }
  return *result;
}

} // namespace mercator::reference
