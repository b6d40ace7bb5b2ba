// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Linear algebra: products of the results against the operands.

#include "CallsTest.h"

#include <algorithm>

using namespace mercator::test;

namespace {

template <typename T> struct RealOf {
  using type = T;
};
template <typename T> struct RealOf<std::complex<T>> {
  using type = T;
};
template <typename T> using Real = typename RealOf<T>::type;

using Wide = std::complex<long double>;

/// A matrix for the slow side.
struct Matrix {
  int64_t m, n;
  std::vector<Wide> data;

  Matrix(int64_t m, int64_t n) : m(m), n(n), data(size_t(m * n)) {}
  Wide &operator()(int64_t i, int64_t j) { return data[size_t(i * n + j)]; }
  const Wide &operator()(int64_t i, int64_t j) const {
    return data[size_t(i * n + j)];
  }

  static Matrix identity(int64_t n) {
    Matrix result(n, n);
    for (int64_t i = 0; i < n; ++i)
      result(i, i) = 1;
    return result;
  }
  friend Matrix operator*(const Matrix &a, const Matrix &b) {
    Matrix result(a.m, b.n);
    for (int64_t i = 0; i < a.m; ++i)
      for (int64_t j = 0; j < b.n; ++j)
        for (int64_t k = 0; k < a.n; ++k)
          result(i, j) += a(i, k) * b(k, j);
    return result;
  }
  [[nodiscard]] Matrix transposed() const {
    Matrix result(n, m);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        result(j, i) = (*this)(i, j);
    return result;
  }
  [[nodiscard]] Matrix adjoint() const {
    Matrix result = transposed();
    for (Wide &value : result.data)
      value = std::conj(value);
    return result;
  }
  /// Zero but for one triangle, with the diagonal.
  [[nodiscard]] Matrix triangle(bool isLower) const {
    Matrix result = *this;
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        if (isLower ? j > i : j < i)
          result(i, j) = 0;
    return result;
  }
};

/// Member `batch` of an array of matrices, or of vectors as columns.
template <typename T>
Matrix member(const Array<T> &array, int64_t batch, bool isVector = false) {
  auto rank = array.sizes.size();
  int64_t m = array.sizes[rank - (isVector ? 1 : 2)],
          n = isVector ? 1 : array.sizes[rank - 1];
  Matrix result(m, n);
  for (int64_t i = 0; i < m * n; ++i)
    result.data[size_t(i)] = Wide(array.data[size_t(batch * m * n + i)]);
  return result;
}

template <typename T>
Matrix diagonal(const Array<T> &array, int64_t batch, int64_t m, int64_t n) {
  Matrix values = member(array, batch, true), result(m, n);
  for (int64_t i = 0; i < values.m; ++i)
    result(i, i) = values(i, 0);
  return result;
}

template <typename T> void expectNear(const Matrix &got, const Matrix &want) {
  ASSERT_EQ(got.m, want.m);
  ASSERT_EQ(got.n, want.n);
  long double difference = 0, norm = 1;
  for (size_t i = 0; i < got.data.size(); ++i) {
    difference += std::norm(got.data[i] - want.data[i]);
    norm += std::norm(want.data[i]);
  }
  EXPECT_LT(std::sqrt(difference / norm),
            200 * std::numeric_limits<Real<T>>::epsilon());
}

/// The function of the element type.
#define CALL(name)                                                             \
  (std::is_same_v<TypeParam, float>                 ? mercator_##name##_f32    \
   : std::is_same_v<TypeParam, double>              ? mercator_##name##_f64    \
   : std::is_same_v<TypeParam, std::complex<float>> ? mercator_##name##_c64    \
                                                    : mercator_##name##_c128)

template <typename T> class MatrixCalls : public testing::Test {};
using Types =
    testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(MatrixCalls, Types);

constexpr int64_t batches[] = {0, 1, 3};
constexpr int64_t sizes[] = {0, 1, 2, 5, 40};

/// Hermitian, with a diagonal that dominates it.
template <typename T> Array<T> positive(int64_t batch, int64_t n) {
  Array<T> a({batch, n, n});
  a.randomize();
  for (int64_t i = 0; i < batch; ++i)
    for (int64_t row = 0; row < n; ++row)
      for (int64_t column = 0; column <= row; ++column) {
        T &at = a.data[size_t((i * n + row) * n + column)];
        if (row == column)
          at = std::real(at) + Real<T>(4 * n);
        else if constexpr (std::is_floating_point_v<T>)
          a.data[size_t((i * n + column) * n + row)] = at;
        else
          a.data[size_t((i * n + column) * n + row)] = std::conj(at);
      }
  return a;
}

TYPED_TEST(MatrixCalls, Cholesky) {
  for (int64_t batch : batches)
    for (int64_t n : sizes)
      for (bool isLower : {false, true}) {
        Array<TypeParam> a = positive<TypeParam>(batch, n), l(a.sizes);
        Array<int32_t> info({batch});
        Array<TypeParam> once = a;
        // The other triangle is not read.
        for (int64_t i = 0; i < batch; ++i)
          for (int64_t row = 0; row < n; ++row)
            for (int64_t column = 0; column < n; ++column)
              if (isLower ? column > row : column < row)
                once.data[size_t((i * n + row) * n + column)] =
                    std::numeric_limits<Real<TypeParam>>::quiet_NaN();
        ASSERT_EQ(run(CALL(cholesky), {once}, {isLower}, {l}), mercator_ok);
        for (int64_t i = 0; i < batch; ++i) {
          Matrix factor = member(l, i);
          expectNear<TypeParam>(factor.triangle(isLower), factor);
          expectNear<TypeParam>(isLower ? factor * factor.adjoint()
                                        : factor.adjoint() * factor,
                                member(a, i));
        }
        ASSERT_EQ(run(CALL(potrf), {a}, {isLower ? 'L' : 'U'}, {l, info}),
                  mercator_ok);
        for (int64_t i = 0; i < batch; ++i) {
          EXPECT_EQ(info.data[size_t(i)], 0);
          Matrix factor = member(l, i).triangle(isLower);
          expectNear<TypeParam>(isLower ? factor * factor.adjoint()
                                        : factor.adjoint() * factor,
                                member(a, i));
        }
      }
}

TYPED_TEST(MatrixCalls, CholeskyOfOthersIsNaN) {
  Array<TypeParam> a({3, 2, 2}), l(a.sizes);
  Array<int32_t> info({3});
  // Negative, not finite, and one that has a factor.
  a.data = {1, 2, 2, 1, std::numeric_limits<Real<TypeParam>>::quiet_NaN(),
            0, 0, 1, 4, 0,
            0, 9};
  ASSERT_EQ(run(CALL(cholesky), {a}, {1}, {l}), mercator_ok);
  for (size_t i : {0, 2, 3, 4, 6, 7})
    EXPECT_TRUE(std::isnan(std::real(l.data[i]))) << i;
  EXPECT_EQ(l.data[1], TypeParam(0));
  EXPECT_EQ(l.data[8], TypeParam(2));
  EXPECT_EQ(l.data[11], TypeParam(3));
  ASSERT_EQ(run(CALL(potrf), {a}, {'L'}, {l, info}), mercator_ok);
  EXPECT_EQ(info.data, (std::vector<int32_t>{2, 1, 0}));
  EXPECT_EQ(run(CALL(potrf), {a}, {'X'}, {l, info}), mercator_wrong_number);
}

TYPED_TEST(MatrixCalls, TriangularSystems) {
  for (int64_t batch : batches)
    for (auto [m, n] : {std::pair(1, 1), {4, 3}, {0, 2}, {2, 0}, {30, 7}})
      for (char side : {'L', 'R'})
        for (char uplo : {'L', 'U'})
          for (char trans : {'N', 'T', 'C'})
            for (char diag : {'N', 'U'}) {
              int64_t k = side == 'L' ? m : n;
              Array<TypeParam> a = positive<TypeParam>(batch, k),
                               b({batch, m, n}), x({batch, m, n});
              if (diag == 'U')
                for (TypeParam &value : a.data)
                  value *= Real<TypeParam>(0.05);
              b.randomize();
              ASSERT_EQ(run(CALL(trsm), {a, b}, {side, uplo, trans, diag}, {x}),
                        mercator_ok);
              for (int64_t i = 0; i < batch; ++i) {
                Matrix op = member(a, i).triangle(uplo == 'L'),
                       got = member(x, i);
                for (int64_t j = 0; diag == 'U' && j < k; ++j)
                  op(j, j) = 1;
                if (trans != 'N')
                  op = trans == 'T' ? op.transposed() : op.adjoint();
                expectNear<TypeParam>(side == 'L' ? op * got : got * op,
                                      member(b, i));
              }
            }
  Array<TypeParam> zero({1, 1}), one({1, 1}), x({1, 1});
  one.data[0] = 1;
  ASSERT_EQ(run(CALL(trsm), {zero, one}, {'L', 'L', 'N', 'N'}, {x}),
            mercator_ok);
  EXPECT_FALSE(std::isfinite(std::real(x.data[0])));
  EXPECT_EQ(run(CALL(trsm), {zero, one}, {'L', 'L', 'X', 'N'}, {x}),
            mercator_wrong_number);
}

const std::pair<int64_t, int64_t> rectangles[] = {
    {1, 1}, {3, 3}, {5, 2}, {2, 5}, {0, 3}, {3, 0}, {33, 20}};

TYPED_TEST(MatrixCalls, Lu) {
  for (int64_t batch : batches)
    for (auto [m, n] : rectangles) {
      int64_t less = std::min(m, n);
      Array<TypeParam> a({batch, m, n}), lu(a.sizes);
      Array<int32_t> pivots({batch, less}), info({batch});
      a.randomize();
      ASSERT_EQ(run(CALL(getrf), {a}, {}, {lu, pivots, info}), mercator_ok);
      for (int64_t i = 0; i < batch; ++i) {
        EXPECT_EQ(info.data[size_t(i)], 0);
        Matrix both = member(lu, i), l(m, less), u(less, n),
               rows = member(a, i);
        for (int64_t row = 0; row < m; ++row)
          for (int64_t column = 0; column < n; ++column)
            (row > column ? l(row, column) : u(row, column)) =
                both(row, column);
        for (int64_t j = 0; j < less; ++j) {
          l(j, j) = 1;
          int64_t pivot = pivots.data[size_t(i * less + j)] - 1;
          ASSERT_TRUE(pivot >= j && pivot < m);
          for (int64_t column = 0; column < n; ++column)
            std::swap(rows(j, column), rows(pivot, column));
        }
        expectNear<TypeParam>(l * u, rows);
      }
    }
  Array<TypeParam> a({2, 2}), lu(a.sizes);
  Array<int32_t> pivots({2}), info({});
  ASSERT_EQ(run(CALL(getrf), {a}, {}, {lu, pivots, info}), mercator_ok);
  EXPECT_EQ(info.data[0], 1);
}

TYPED_TEST(MatrixCalls, Qr) {
  for (int64_t batch : batches)
    for (auto [m, n] : rectangles) {
      int64_t less = std::min(m, n);
      Array<TypeParam> a({batch, m, n}), qr(a.sizes), tau({batch, less});
      Array<int32_t> free({batch, n}), pivots({batch, n});
      a.randomize();
      for (bool hasPivots : {false, true}) {
        if (hasPivots)
          ASSERT_EQ(run(CALL(geqp3), {a, free}, {}, {qr, pivots, tau}),
                    mercator_ok);
        else
          ASSERT_EQ(run(CALL(geqrf), {a}, {}, {qr, tau}), mercator_ok);
        // The first columns of q.
        Array<TypeParam> vectors({batch, m, less}), q(vectors.sizes);
        for (int64_t i = 0; i < batch * m; ++i)
          for (int64_t j = 0; j < less; ++j)
            vectors.data[size_t(i * less + j)] = qr.data[size_t(i * n + j)];
        ASSERT_EQ(run(CALL(orgqr), {vectors, tau}, {}, {q}), mercator_ok);
        for (int64_t i = 0; i < batch; ++i) {
          Matrix first = member(q, i), all = member(qr, i), r(less, n),
                 expected = member(a, i);
          for (int64_t row = 0; row < less; ++row)
            for (int64_t column = row; column < n; ++column)
              r(row, column) = all(row, column);
          expectNear<TypeParam>(first.adjoint() * first,
                                Matrix::identity(less));
          if (hasPivots) {
            Matrix permuted(m, n);
            for (int64_t column = 0; column < n; ++column)
              for (int64_t row = 0; row < m; ++row)
                permuted(row, column) =
                    expected(row, pivots.data[size_t(i * n + column)] - 1);
            expected = permuted;
          }
          expectNear<TypeParam>(first * r, expected);
        }
      }
    }
}

TYPED_TEST(MatrixCalls, TridiagonalSystems) {
  for (int64_t batch : batches)
    for (auto [n, columns] : {std::pair(1, 1), {5, 2}, {0, 1}, {20, 3}}) {
      std::vector<Array<TypeParam>> diagonals(3, Array<TypeParam>({batch, n}));
      std::vector<Array<TypeParam>> left = diagonals;
      for (Array<TypeParam> &each : diagonals)
        each.randomize();
      for (TypeParam &value : diagonals[1].data)
        value += Real<TypeParam>(8);
      Array<TypeParam> b({batch, n, columns}), x(b.sizes);
      Array<int32_t> info({batch});
      b.randomize();
      ASSERT_EQ(run(CALL(gtsv), {diagonals[0], diagonals[1], diagonals[2], b},
                    {}, {left[0], left[1], left[2], x, info}),
                mercator_ok);
      for (int64_t i = 0; i < batch; ++i) {
        Matrix a(n, n);
        for (int64_t row = 0; row < n; ++row)
          for (int64_t j = 0; j < 3; ++j)
            if (row + j - 1 >= 0 && row + j - 1 < n)
              a(row, row + j - 1) =
                  Wide(diagonals[size_t(j)].data[size_t(i * n + row)]);
        EXPECT_EQ(info.data[size_t(i)], 0);
        expectNear<TypeParam>(a * member(x, i), member(b, i));
      }
    }
}

TYPED_TEST(MatrixCalls, SymmetricEigenvalues) {
  for (int64_t batch : batches)
    for (int64_t n : sizes)
      for (char uplo : {'L', 'U'}) {
        Array<TypeParam> a = positive<TypeParam>(batch, n), v(a.sizes);
        Array<Real<TypeParam>> w({batch, n});
        Array<int32_t> info({batch});
        ASSERT_EQ(run(CALL(syevd), {a}, {'V', uplo}, {v, w, info}),
                  mercator_ok);
        for (int64_t i = 0; i < batch; ++i) {
          Matrix vectors = member(v, i);
          EXPECT_EQ(info.data[size_t(i)], 0);
          expectNear<TypeParam>(vectors.adjoint() * vectors,
                                Matrix::identity(n));
          expectNear<TypeParam>(
              vectors * diagonal(w, i, n, n) * vectors.adjoint(), member(a, i));
          EXPECT_TRUE(std::is_sorted(w.data.begin() + i * n,
                                     w.data.begin() + (i + 1) * n));
        }
      }
}

TYPED_TEST(MatrixCalls, SingularValues) {
  for (int64_t batch : batches)
    for (auto [m, n] : rectangles)
      for (char mode : {'A', 'S', 'N'})
        for (mercator_call *call : {CALL(gesdd), CALL(gesvd)}) {
          int64_t less = std::min(m, n), uColumns = mode == 'A' ? m : less,
                  vtRows = mode == 'A' ? n : less;
          Array<TypeParam> a({batch, m, n}), rest(a.sizes),
              u({batch, m, uColumns}), vt({batch, vtRows, n});
          Array<Real<TypeParam>> s({batch, less});
          Array<int32_t> info({batch});
          a.randomize();
          ASSERT_EQ(run(call, {a}, {mode}, {rest, s, u, vt, info}),
                    mercator_ok);
          for (int64_t i = 0; i < batch; ++i) {
            EXPECT_EQ(info.data[size_t(i)], 0);
            long double squares = 0, expected = 0;
            for (const Wide &value : member(s, i, true).data)
              squares += std::norm(value);
            for (const Wide &value : member(a, i).data)
              expected += std::norm(value);
            EXPECT_NEAR(double(squares), double(expected),
                        double(expected) * 1e-4);
            if (mode == 'N')
              continue;
            Matrix left = member(u, i), right = member(vt, i);
            expectNear<TypeParam>(left.adjoint() * left,
                                  Matrix::identity(uColumns));
            expectNear<TypeParam>(right * right.adjoint(),
                                  Matrix::identity(vtRows));
            expectNear<TypeParam>(
                left * diagonal(s, i, uColumns, vtRows) * right, member(a, i));
          }
        }
}

/// Eigenvalues from one or two arrays of results.
template <typename T>
Matrix eigenvalues(const Array<T> &first, const Array<T> &second, int64_t batch,
                   int64_t n) {
  Matrix result(n, n);
  for (int64_t i = 0; i < n; ++i) {
    auto at = size_t(batch * n + i);
    if constexpr (std::is_floating_point_v<T>)
      result(i, i) = Wide(first.data[at], second.data[at]);
    else
      result(i, i) = Wide(first.data[at]);
  }
  return result;
}

TYPED_TEST(MatrixCalls, Eigenvalues) {
  using C = std::complex<Real<TypeParam>>;
  constexpr bool isReal = std::is_floating_point_v<TypeParam>;
  for (int64_t batch : batches)
    for (int64_t n : sizes) {
      Array<TypeParam> a({batch, n, n}), w({batch, n}), wi({batch, n}),
          t(a.sizes), z(a.sizes);
      Array<C> left({batch, n, n}), right(left.sizes);
      Array<int32_t> info({batch}), selected({batch});
      a.randomize();
      std::vector<mercator_tensor> results = {w, left, right, info};
      if (isReal)
        results.insert(results.begin() + 1, wi);
      ASSERT_EQ(run(CALL(geev), {a}, {'V', 'V'}, results), mercator_ok);
      for (int64_t i = 0; i < batch; ++i) {
        EXPECT_EQ(info.data[size_t(i)], 0);
        Matrix values = eigenvalues(w, wi, i, n), from = member(a, i);
        expectNear<TypeParam>(from * member(right, i),
                              member(right, i) * values);
        expectNear<TypeParam>(member(left, i).adjoint() * from,
                              values * member(left, i).adjoint());
      }
      results = {t, z, w, selected, info};
      if (isReal)
        results.insert(results.begin() + 3, wi);
      ASSERT_EQ(run(CALL(gees), {a}, {'V', 'N'}, results), mercator_ok);
      for (int64_t i = 0; i < batch; ++i) {
        EXPECT_EQ(info.data[size_t(i)], 0);
        Matrix vectors = member(z, i);
        expectNear<TypeParam>(vectors * vectors.adjoint(), Matrix::identity(n));
        expectNear<TypeParam>(vectors * member(t, i) * vectors.adjoint(),
                              member(a, i));
      }
    }
}

TYPED_TEST(MatrixCalls, Hessenberg) {
  for (int64_t n : {1, 2, 6, 40}) {
    Array<TypeParam> a({n, n}), h(a.sizes), tau({n - 1}), vectors({n, n}),
        q({n, n}), all({n});
    Array<int32_t> info({});
    a.randomize();
    ASSERT_EQ(run(CALL(gehrd), {a}, {1, n}, {h, tau, info}), mercator_ok);
    // q is 1 beside the product of n - 1 reflections.
    Array<TypeParam> below({n - 1, n - 1}), inner(below.sizes);
    for (int64_t i = 1; i < n; ++i)
      for (int64_t j = 0; j + 1 < i; ++j)
        below.data[size_t((i - 1) * (n - 1) + j)] = h.data[size_t(i * n + j)];
    ASSERT_EQ(run(CALL(orgqr), {below, tau}, {}, {inner}), mercator_ok);
    Matrix basis = Matrix::identity(n), upper = member(h, 0);
    for (int64_t i = 1; i < n; ++i)
      for (int64_t j = 1; j < n; ++j)
        basis(i, j) = Wide(inner.data[size_t((i - 1) * (n - 1) + j - 1)]);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j + 1 < i; ++j)
        upper(i, j) = 0;
    expectNear<TypeParam>(basis * upper * basis.adjoint(), member(a, 0));
    EXPECT_EQ(run(CALL(gehrd), {a}, {0, n}, {h, tau, info}),
              mercator_wrong_number);
  }
}

// The tridiagonal matrix has the eigenvalues of the given one.
TYPED_TEST(MatrixCalls, Tridiagonal) {
  using R = Real<TypeParam>;
  for (int64_t n : {1, 2, 6, 20})
    for (char uplo : {'L', 'U'}) {
      Array<TypeParam> a = positive<TypeParam>(1, n), to(a.sizes),
                       tau({1, n - 1}), v(a.sizes), tridiagonal(a.sizes);
      Array<R> d({1, n}), e({1, n - 1}), first({1, n}), second({1, n});
      Array<int32_t> info({1});
      ASSERT_EQ(run(CALL(sytrd), {a}, {uplo}, {to, d, e, tau, info}),
                mercator_ok);
      for (int64_t i = 0; i < n; ++i) {
        tridiagonal.data[size_t(i * n + i)] = d.data[size_t(i)];
        if (i + 1 < n)
          tridiagonal.data[size_t(i * n + i + 1)] =
              tridiagonal.data[size_t((i + 1) * n + i)] = e.data[size_t(i)];
      }
      run(CALL(syevd), {a}, {'N', 'L'}, {v, first, info});
      run(CALL(syevd), {tridiagonal}, {'N', 'L'}, {v, second, info});
      expectNear<TypeParam>(member(second, 0, true), member(first, 0, true));
    }
}

TYPED_TEST(MatrixCalls, NonFiniteMatricesStayAlone) {
  using R = Real<TypeParam>;
  Array<TypeParam> a = positive<TypeParam>(2, 3), v(a.sizes), u(a.sizes),
                   vt(a.sizes);
  a.data[0] = std::numeric_limits<R>::infinity();
  Array<R> w({2, 3});
  Array<int32_t> info({2});
  auto expectOnlySecond = [&] {
    EXPECT_EQ(info.data, (std::vector<int32_t>{-4, 0}));
    for (int64_t i = 0; i < 6; ++i)
      EXPECT_EQ(std::isnan(w.data[size_t(i)]), i < 3);
  };
  ASSERT_EQ(run(CALL(syevd), {a}, {'V', 'L'}, {v, w, info}), mercator_ok);
  expectOnlySecond();
  ASSERT_EQ(run(CALL(gesdd), {a}, {'A'}, {v, w, u, vt, info}), mercator_ok);
  expectOnlySecond();
}

TYPED_TEST(MatrixCalls, WrongSizes) {
  Array<TypeParam> square({2, 2}), wide({2, 3}), vector({2});
  EXPECT_EQ(run(CALL(cholesky), {wide}, {1}, {wide}), mercator_wrong_sizes);
  EXPECT_EQ(run(CALL(cholesky), {square}, {1}, {wide}), mercator_wrong_sizes);
  EXPECT_EQ(run(CALL(cholesky), {vector}, {1}, {vector}), mercator_wrong_sizes);
  EXPECT_EQ(run(CALL(orgqr), {wide, vector}, {}, {wide}), mercator_wrong_sizes);
}

} // namespace
