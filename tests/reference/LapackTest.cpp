// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of LAPACK, proved by multiplying: P a = L U, a = Q R with Q^H Q = 1, and
// T x = b. The pivots and signs of a small example are those of LAPACK.

#include "RandomTensors.h"

using namespace mercator;
using namespace mercator::reference;

namespace {

using Number = std::complex<double>;
using Rows = std::vector<std::vector<Number>>;

Rows rowsOf(const Tensor &tensor, int64_t n, int64_t rows, int64_t columns) {
  Rows out(rows, std::vector<Number>(columns));
  for (int64_t i = 0; i < rows * columns; ++i) {
    Scalar element = tensor.at(n * rows * columns + i);
    out[i / columns][i % columns] = {element.re, element.im};
  }
  return out;
}

Rows multiply(const Rows &a, const Rows &b) {
  Rows out(a.size(), std::vector<Number>(b.empty() ? 0 : b[0].size()));
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t k = 0; k < b.size(); ++k)
      for (size_t j = 0; j < b[k].size(); ++j)
        out[i][j] += a[i][k] * b[k][j];
  return out;
}

void expectNear(const Rows &a, const Rows &b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < a[i].size(); ++j)
      ASSERT_LT(std::abs(a[i][j] - b[i][j]), 1e-9) << i << ", " << j;
}

std::string call(const std::string &target, const std::string &operands,
                 const std::string &results) {
  std::string names, arguments, returned;
  int count = 0;
  for (llvm::StringRef rest = operands; !rest.empty(); ++count) {
    auto [type, more] = rest.split(", ");
    std::string name = "%" + std::to_string(count);
    names += (count ? ", " : "") + name;
    arguments += (count ? ", " : "") + name + ": " + type.str();
    rest = more;
  }
  int given = 1 + int(std::count(results.begin(), results.end(), ','));
  for (int i = 0; i < given; ++i)
    returned += (i ? ", %r#" : "%r#") + std::to_string(i);
  return "func.func @main(" + arguments + ") -> (" + results +
         ") {\n%r:" + std::to_string(given) + " = stablehlo.custom_call @" +
         target + "(" + names +
         ") {api_version = 4 : i32, backend_config = {}} : (" + operands +
         ") -> (" + results + ")\nreturn " + returned + " : " + results + "\n}";
}

class Lapack : public ::testing::TestWithParam<bool> {
protected:
  mlir::Type element() {
    mlir::Type real = mlir::Float64Type::get(&programs.context);
    return GetParam() ? mlir::ComplexType::get(real) : real;
  }
  std::string tensor(llvm::ArrayRef<int64_t> shape,
                     const std::string &other = "") {
    std::string text = "tensor<";
    for (int64_t size : shape)
      text += std::to_string(size) + "x";
    return text +
           (!other.empty() ? other
            : GetParam()   ? "complex<f64>"
                           : "f64") +
           ">";
  }
  std::string target(const char *real, const char *complex) {
    return std::string("lapack_") + (GetParam() ? "z" : "d") +
           (GetParam() ? complex : real) + "_ffi";
  }
  std::vector<Value> run(const std::string &text,
                         llvm::ArrayRef<Value> arguments) {
    auto results = programs.run(text, arguments);
    EXPECT_TRUE(results) << text << programs.messages;
    return results ? *results : std::vector<Value>();
  }

  Programs programs;
  RandomTensors random;
};

TEST_P(Lapack, LuTimesPermutation) {
  for (int i = 0; i < 30; ++i) {
    int64_t m = random.number(1, 5), n = random.number(1, 5),
            least = std::min(m, n);
    Tensor a = random.fractions({2, m, n}, element());
    std::vector<Value> got =
        run(call(target("getrf", "getrf"), tensor({2, m, n}),
                 tensor({2, m, n}) + ", " + tensor({2, least}, "i32") + ", " +
                     tensor({2}, "i32")),
            {a});
    ASSERT_EQ(got.size(), 3u);
    for (int64_t k = 0; k < 2; ++k) {
      Rows factors = rowsOf(*got[0].tensor(), k, m, n),
           rows = rowsOf(a, k, m, n);
      Rows l(m, std::vector<Number>(least)), u(least, std::vector<Number>(n));
      for (int64_t r = 0; r < m; ++r)
        for (int64_t c = 0; c < n; ++c)
          if (c < r && c < least)
            l[r][c] = factors[r][c];
          else if (r < least)
            u[r][c] = factors[r][c];
      for (int64_t r = 0; r < least; ++r) {
        l[r][r] = 1;
        int64_t pivot = got[1].tensor()->at(k * least + r).integer - 1;
        std::swap(rows[r], rows[pivot]);
      }
      expectNear(multiply(l, u), rows);
      EXPECT_EQ(got[2].tensor()->at(k).integer, 0);
    }
  }
}

TEST_P(Lapack, QTimesR) {
  for (int i = 0; i < 30; ++i) {
    int64_t n = random.number(1, 4), m = n + random.number(0, 3);
    Tensor a = random.fractions({2, m, n}, element());
    std::vector<Value> got =
        run(call(target("geqrf", "geqrf"), tensor({2, m, n}),
                 tensor({2, m, n}) + ", " + tensor({2, n})),
            {a});
    ASSERT_EQ(got.size(), 2u);
    std::vector<Value> factor =
        run(call(target("orgqr", "ungqr"),
                 tensor({2, m, n}) + ", " + tensor({2, n}), tensor({2, m, n})),
            got);
    ASSERT_EQ(factor.size(), 1u);
    for (int64_t k = 0; k < 2; ++k) {
      Rows q = rowsOf(*factor[0].tensor(), k, m, n),
           r = rowsOf(*got[0].tensor(), k, m, n);
      r.resize(n);
      for (int64_t row = 0; row < n; ++row)
        for (int64_t column = 0; column < row; ++column)
          r[row][column] = 0;
      expectNear(multiply(q, r), rowsOf(a, k, m, n));
      Rows adjoint(n, std::vector<Number>(m)), one(n, std::vector<Number>(n));
      for (int64_t row = 0; row < m; ++row)
        for (int64_t column = 0; column < n; ++column)
          adjoint[column][row] = std::conj(q[row][column]);
      for (int64_t row = 0; row < n; ++row)
        one[row][row] = 1;
      expectNear(multiply(adjoint, q), one);
    }
  }
}

TEST_P(Lapack, TridiagonalSystems) {
  for (int i = 0; i < 40; ++i) {
    int64_t n = random.number(1, 6), columns = random.number(1, 3);
    std::vector<Value> arguments;
    for (int k = 0; k < 3; ++k)
      arguments.push_back(random.fractions({n}, element()));
    arguments.push_back(random.fractions({n, columns}, element()));
    std::string d = tensor({n}), b = tensor({n, columns});
    std::string all = d + ", " + d + ", " + d + ", " + b;
    std::vector<Value> got =
        run(call(target("gtsv", "gtsv"), all, all + ", " + tensor({}, "i32")),
            arguments);
    ASSERT_EQ(got.size(), 5u);
    Rows t(n, std::vector<Number>(n)), parts[3];
    for (int k = 0; k < 3; ++k)
      parts[k] = rowsOf(*arguments[k].tensor(), 0, n, 1);
    for (int64_t r = 0; r < n; ++r) {
      if (r > 0)
        t[r][r - 1] = parts[0][r][0];
      t[r][r] = parts[1][r][0];
      if (r + 1 < n)
        t[r][r + 1] = parts[2][r][0];
    }
    Rows x = rowsOf(*got[3].tensor(), 0, n, columns);
    double greatest = 1;
    for (auto &row : x)
      for (Number &number : row)
        greatest = std::max(greatest, std::abs(number));
    Rows product = multiply(t, x),
         b0 = rowsOf(*arguments[3].tensor(), 0, n, columns);
    for (int64_t r = 0; r < n; ++r)
      for (int64_t c = 0; c < columns; ++c)
        EXPECT_LT(std::abs(product[r][c] - b0[r][c]), 1e-12 * greatest);
  }
}

INSTANTIATE_TEST_SUITE_P(RealAndComplex, Lapack, ::testing::Bool());

/// [[0, 2], [4, 3]] has its rows exchanged; a Householder reflection makes the
/// first element negative.
TEST(LapackSigns, AreThoseOfLapack) {
  Programs programs;
  Tensor a =
      programs.tensor("dense<[[0.0, 2.0], [4.0, 3.0]]> : tensor<2x2xf64>");
  auto lu = programs.run(call("lapack_dgetrf_ffi", "tensor<2x2xf64>",
                              "tensor<2x2xf64>, tensor<2xi32>, tensor<i32>"),
                         {a});
  ASSERT_TRUE(lu) << programs.messages;
  Programs::expectSame(
      *(*lu)[0].tensor(),
      programs.tensor("dense<[[4.0, 3.0], [0.0, 2.0]]> : tensor<2x2xf64>"), 0,
      "lu");
  Programs::expectSame(*(*lu)[1].tensor(),
                       programs.tensor("dense<[2, 2]> : tensor<2xi32>"), 0,
                       "pivots");
  auto qr = programs.run(call("lapack_dgeqrf_ffi", "tensor<2x2xf64>",
                              "tensor<2x2xf64>, tensor<2xf64>"),
                         {a});
  ASSERT_TRUE(qr) << programs.messages;
  EXPECT_EQ((*qr)[0].tensor()->at(0).re, -4.0);
  EXPECT_EQ((*qr)[1].tensor()->at(0).re, 1.0);
}

} // namespace
