// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Matrices, Fourier transforms, normalization.

#include "RandomTensors.h"

using namespace mercator;
using namespace mercator::reference;
using Complex = std::complex<double>;

namespace {

struct Numeric : testing::Test {
  Programs programs;
  RandomTensors random;
  mlir::Builder builder{&programs.context};

  std::vector<Value> run(const std::string &text,
                         llvm::ArrayRef<Value> arguments) {
    auto results = programs.run(text, arguments);
    EXPECT_TRUE(results) << text << programs.messages;
    return results ? *results : std::vector<Value>();
  }

  /// f64, f32 and complex elements in turn, and the tolerance of results.
  std::pair<mlir::Type, double> element(int round) {
    mlir::Type f32 = builder.getF32Type(), f64 = builder.getF64Type();
    switch (round % 4) {
    case 0:
      return {f64, 1e-12};
    case 1:
      return {f32, 1e-3};
    case 2:
      return {mlir::ComplexType::get(f64), 1e-12};
    default:
      return {mlir::ComplexType::get(f32), 1e-3};
    }
  }
  static Complex value(const Tensor &tensor, llvm::ArrayRef<int64_t> index) {
    Scalar scalar = tensor.at(index);
    return {scalar.re, scalar.im};
  }
  static void set(Tensor &tensor, llvm::ArrayRef<int64_t> index,
                  Complex number) {
    tensor.set(index, Scalar::complex(number.real(), number.imag()));
  }
};

/// L L^H gives the matrix back, and the other triangle is not read.
TEST_F(Numeric, CholeskyMultipliesBack) {
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  for (int round = 0; round < 40; ++round) {
    auto [type, tolerance] = element(round);
    int64_t n = random.number(0, 5), batch = random.number(1, 2);
    Tensor b = random.fractions({batch, n, n}, type),
           a = RandomTensors::zeros({batch, n, n}, type);
    bool lower = random.coin();
    for (Index d({batch, n, n}); d; ++d) {
      Complex sum = d[1] == d[2] ? 1 : 0;
      for (int64_t k = 0; k < n; ++k)
        sum += value(b, {d[0], d[1], k}) * std::conj(value(b, {d[0], d[2], k}));
      bool isRead = lower ? d[2] <= d[1] : d[1] <= d[2];
      set(a, *d, isRead ? sum : Complex(1e30, 7));
    }
    std::string name = text(a.type());
    std::vector<Value> results =
        run("func.func @main(%a: " + name + ") -> " + name +
                " { %0 = stablehlo.cholesky %a, lower = " +
                (lower ? "true" : "false") + " : " + name +
                " return %0 : " + name + " }",
            {a});
    ASSERT_EQ(results.size(), 1u);
    const Tensor &l = *results[0].tensor();
    for (Index d({batch, n, n}); d; ++d) {
      bool isRead = lower ? d[2] <= d[1] : d[1] <= d[2];
      if (!isRead) {
        EXPECT_EQ(value(l, *d), Complex());
        continue;
      }
      Complex sum = 0;
      for (int64_t k = 0; k < n; ++k)
        sum += lower ? value(l, {d[0], d[1], k}) *
                           std::conj(value(l, {d[0], d[2], k}))
                     : std::conj(value(l, {d[0], k, d[1]})) *
                           value(l, {d[0], k, d[2]});
      EXPECT_LE(std::abs(sum - value(a, *d)), tolerance);
    }
  }
}

TEST_F(Numeric, CholeskyOfAnIndefiniteMatrixIsNaN) {
  programs.expect("stablehlo.cholesky %0, lower = true : tensor<1x1xf32>",
                  {"dense<-1.0> : tensor<1x1xf32>"},
                  "dense<0x7FC00000> : tensor<1x1xf32>");
}

/// op(A) X, or X op(A), gives B back, and only one triangle is read.
TEST_F(Numeric, TriangularSolveMultipliesBack) {
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  for (int round = 0; round < 120; ++round) {
    auto [type, tolerance] = element(round);
    int64_t n = random.number(0, 5), lines = random.number(0, 3),
            batch = random.number(1, 2);
    bool left = random.coin(), lower = random.coin(), unit = random.coin();
    int transpose = int(random.number(0, 2));
    Tensor a = random.fractions({batch, n, n}, type);
    llvm::SmallVector<int64_t> shape = {batch, left ? n : lines,
                                        left ? lines : n};
    Tensor b = random.fractions(shape, type);
    for (Index d({batch, n, n}); d; ++d)
      if (d[1] == d[2])
        set(a, *d, unit ? Complex(NAN, 0) : value(a, *d) + 3.0);
      else if ((d[2] < d[1]) != lower)
        set(a, *d, Complex(NAN, 0));
    auto coefficient = [&](int64_t i, int64_t row, int64_t column) -> Complex {
      if (transpose != 0)
        std::swap(row, column);
      if (row == column)
        return unit ? 1
                    : (transpose == 2 ? std::conj(value(a, {i, row, row}))
                                      : value(a, {i, row, row}));
      if ((column < row) != lower)
        return 0;
      Complex number = value(a, {i, row, column});
      return transpose == 2 ? std::conj(number) : number;
    };
    const char *names[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
    auto flag = [](bool value) { return value ? "true" : "false"; };
    std::string result = text(b.type());
    std::string program =
        "func.func @main(%a: " + text(a.type()) + ", %b: " + result + ") -> " +
        result +
        " { %0 = \"stablehlo.triangular_solve\"(%a, %b) <{left_side = " +
        flag(left) + ", lower = " + flag(lower) +
        ", unit_diagonal = " + flag(unit) +
        ", transpose_a = #stablehlo<transpose " + names[transpose] + ">}> : (" +
        text(a.type()) + ", " + result + ") -> " + result +
        " return %0 : " + result + " }";
    std::vector<Value> results = run(program, {a, b});
    ASSERT_EQ(results.size(), 1u);
    const Tensor &x = *results[0].tensor();
    for (Index d(shape); d; ++d) {
      Complex sum = 0;
      for (int64_t k = 0; k < n; ++k)
        sum += left ? coefficient(d[0], d[1], k) * value(x, {d[0], k, d[2]})
                    : value(x, {d[0], d[1], k}) * coefficient(d[0], k, d[2]);
      ASSERT_LE(std::abs(sum - value(b, *d)), 30 * tolerance) << program;
    }
  }
}

/// The transform of a line, by definition.
std::vector<Complex> dft(const std::vector<Complex> &in, bool isInverse) {
  std::vector<Complex> out(in.size());
  for (size_t k = 0; k < in.size(); ++k) {
    for (size_t j = 0; j < in.size(); ++j)
      out[k] += in[j] * std::polar(1.0, (isInverse ? 2 : -2) * M_PI *
                                            double(j * k % in.size()) /
                                            double(in.size()));
    if (isInverse)
      out[k] /= double(in.size());
  }
  return out;
}

std::string fftProgram(const std::string &from, const std::string &to,
                       const std::string &type,
                       llvm::ArrayRef<int64_t> lengths) {
  return "func.func @main(%x: " + from + ") -> " + to +
         " { %0 = stablehlo.fft %x, type = " + type +
         ", length = " + text(lengths) + " : (" + from + ") -> " + to +
         " return %0 : " + to + " }";
}

TEST_F(Numeric, FftIsTheDft) {
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  for (int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 30, 49, 64, 97, 360}) {
    mlir::Type complex = mlir::ComplexType::get(builder.getF64Type());
    for (bool isInverse : {false, true}) {
      Tensor x = random.fractions({2, n}, complex);
      std::vector<Value> results =
          run(fftProgram(text(x.type()), text(x.type()),
                         isInverse ? "IFFT" : "FFT", {n}),
              {x});
      ASSERT_EQ(results.size(), 1u);
      for (int64_t row = 0; row < 2; ++row) {
        std::vector<Complex> line;
        for (int64_t i = 0; i < n; ++i)
          line.push_back(value(x, {row, i}));
        line = dft(line, isInverse);
        for (int64_t i = 0; i < n; ++i)
          EXPECT_LE(std::abs(line[i] - value(*results[0].tensor(), {row, i})),
                    1e-12 * double(n));
      }
    }
  }
}

/// RFFT is half of FFT; IRFFT inverts it; in several dimensions.
TEST_F(Numeric, RealTransforms) {
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  mlir::Type real = builder.getF64Type(),
             complex = mlir::ComplexType::get(real);
  for (int round = 0; round < 20; ++round) {
    int64_t a = random.number(1, 4), b = random.number(1, 6),
            n = random.number(1, 9);
    Tensor x = random.fractions({a, b, n}, real);
    Tensor wide = RandomTensors::zeros({a, b, n}, complex);
    for (Index d(x.shape()); d; ++d)
      wide.set(*d, x.at(*d));
    llvm::SmallVector<int64_t> lengths = {a, b, n};
    lengths.erase(lengths.begin(), lengths.begin() + round % 3);
    std::string realType = text(x.type()), wideType = text(wide.type()),
                halfType = text(
                    mlir::RankedTensorType::get({a, b, n / 2 + 1}, complex));
    std::vector<Value> whole =
        run(fftProgram(wideType, wideType, "FFT", lengths), {wide});
    std::vector<Value> half =
        run(fftProgram(realType, halfType, "RFFT", lengths), {x});
    ASSERT_EQ(whole.size() + half.size(), 2u);
    for (Index d(half[0].tensor()->shape()); d; ++d)
      EXPECT_LE(std::abs(value(*half[0].tensor(), *d) -
                         value(*whole[0].tensor(), *d)),
                1e-12);
    std::vector<Value> back =
        run(fftProgram(halfType, realType, "IRFFT", lengths), half);
    ASSERT_EQ(back.size(), 1u);
    for (Index d(x.shape()); d; ++d)
      EXPECT_NEAR(back[0].tensor()->at(*d).re, x.at(*d).re, 1e-13);
  }
}

TEST_F(Numeric, BatchNorm) {
  const char *training = R"(
    func.func @main() -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) {
      %x = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]],
                                     [[3.0, 4.0], [1.0, 2.0]]]>
          : tensor<2x2x2xf64>
      %one = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
      %two = stablehlo.constant dense<[1.0, 0.5]> : tensor<2xf64>
      %0:3 = "stablehlo.batch_norm_training"(%x, %one, %two)
          <{epsilon = 0.0 : f32, feature_index = 2 : i64}>
          : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
          -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
      return %0#0, %0#1, %0#2
          : tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>
    })";
  std::vector<Value> results = run(training, {});
  ASSERT_EQ(results.size(), 3u);
  Programs::expectSame(*results[0].tensor(),
                       programs.tensor("dense<[[[-1.0, -2.5], [3.0, 3.5]], "
                                       "[[3.0, 3.5], [-1.0, -2.5]]]> : "
                                       "tensor<2x2x2xf64>"),
                       0, "output");
  Programs::expectSame(*results[1].tensor(),
                       programs.tensor("dense<[2.0, 3.0]> : tensor<2xf64>"), 0,
                       "mean");
  Programs::expectSame(*results[2].tensor(),
                       programs.tensor("dense<1.0> : tensor<2xf64>"), 0,
                       "variance");
}

/// The gradient, compared with differences of the operation itself.
TEST_F(Numeric, BatchNormGradIsTheGradient) {
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  mlir::Type f64 = builder.getF64Type();
  llvm::SmallVector<int64_t> shape = {3, 2, 4};
  std::string type = "tensor<3x2x4xf64>", vector = "tensor<2xf64>";
  std::string attributes = "<{epsilon = 0.5 : f32, feature_index = 1 : i64}>";
  std::string training =
      "func.func @main(%x: " + type + ", %s: " + vector + ", %o: " + vector +
      ") -> (" + type + ", " + vector + ", " + vector +
      ") { %0:3 = \"stablehlo.batch_norm_training\"(%x, %s, %o) " + attributes +
      " : (" + type + ", " + vector + ", " + vector + ") -> (" + type + ", " +
      vector + ", " + vector + ") return %0#0, %0#1, %0#2 : " + type + ", " +
      vector + ", " + vector + " }";
  std::string grad =
      "func.func @main(%x: " + type + ", %s: " + vector + ", %m: " + vector +
      ", %v: " + vector + ", %g: " + type + ") -> (" + type + ", " + vector +
      ", " + vector +
      ") { %0:3 = \"stablehlo.batch_norm_grad\"(%x, %s, %m, %v, %g) " +
      attributes + " : (" + type + ", " + vector + ", " + vector + ", " +
      vector + ", " + type + ") -> (" + type + ", " + vector + ", " + vector +
      ") return %0#0, %0#1, %0#2 : " + type + ", " + vector + ", " + vector +
      " }";
  Tensor x = random.fractions(shape, f64), scale = random.fractions({2}, f64),
         offset = random.fractions({2}, f64), g = random.fractions(shape, f64);
  // The sum of the outputs, weighted by g.
  auto loss = [&](const Tensor &x, const Tensor &scale, const Tensor &offset) {
    std::vector<Value> results = run(training, {x, scale, offset});
    double sum = 0;
    for (int64_t i = 0; i < g.size(); ++i)
      sum += results[0].tensor()->at(i).re * g.at(i).re;
    return sum;
  };
  std::vector<Value> forward = run(training, {x, scale, offset});
  ASSERT_EQ(forward.size(), 3u);
  std::vector<Value> got = run(grad, {x, scale, forward[1], forward[2], g});
  ASSERT_EQ(got.size(), 3u);
  Tensor *inputs[] = {&x, &scale, &offset};
  for (size_t i = 0; i < 3; ++i)
    for (int64_t place = 0; place < inputs[i]->size(); ++place) {
      double at = inputs[i]->at(place).re, step = 1e-5;
      inputs[i]->set(place, Scalar::real(at + step));
      double above = loss(x, scale, offset);
      inputs[i]->set(place, Scalar::real(at - step));
      double below = loss(x, scale, offset);
      inputs[i]->set(place, Scalar::real(at));
      EXPECT_NEAR(got[i].tensor()->at(place).re, (above - below) / (2 * step),
                  1e-7);
    }
}

} // namespace
