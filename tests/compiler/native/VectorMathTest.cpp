// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of f32 as vector code against the C library's of f64. One f32 in 503
// by default; all of them with MERCATOR_ALL_FLOATS=1, which takes minutes.
// Functions of f64 against the C library's of long double, at 2^20 random bits and
// 2^20 random numbers of usual sizes; 10^9 with MERCATOR_ALL_FLOATS=1.

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/dialects/Register.h"
#include "tests/Scale.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>

using namespace mercator;
using reference::Tensor;

namespace {

constexpr int64_t kChunk = 1 << 20;

/// A subnormal number is taken for zero.
double flushed(double x) {
  return std::abs(x) < 0x1p-126 ? std::copysign(0.0, x) : x;
}

/// Units in the last place of f32 between the result and the exact one.
double ulps(float got, double exact) {
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : INFINITY;
  if (got == float(exact) || (got == 0 && std::abs(exact) < 0x1p-126))
    return 0; // subnormal results may be zero
  if (std::isinf(got) || std::isinf(float(exact))) // one step to infinity
    return std::nextafter(std::abs(double(float(exact))), INFINITY) > 3.4e38 &&
                   std::abs(exact) > 3.4028e38
               ? 0.5
               : INFINITY;
  int exponent = std::max(std::ilogb(exact == 0 ? 0x1p-149 : exact), -126);
  return std::abs(double(got) - exact) / std::ldexp(1.0, exponent - 23);
}

/// Units in the last place of f64.
double ulpsOfDouble(double got, long double exact) {
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : INFINITY;
  if (got == double(exact) || (got == 0 && std::abs(exact) < 0x1p-1022L))
    return 0; // subnormal results may be zero
  if (std::isinf(got) || std::isinf(double(exact)))
    return std::abs(exact) > 0x1.ffffffffffffep1023L ? 0.5 : INFINITY;
  int exponent = std::max(std::ilogb(exact == 0 ? 0x1p-1074L : exact), -1022);
  return double(std::abs(got - exact) / std::ldexp(1.0L, exponent - 52));
}

/// A program that applies the function of one or two operands to kChunk numbers: an
/// operation of math, or of chlo with its name, `chlo.erf_inv`.
class Applied {
public:
  Applied(const std::string &operation, const std::string &element,
          size_t operands = 1) {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    std::string type = "tensor<" + std::to_string(kChunk) + "x" + element + ">";
    bool isBinary = operands == 2;
    std::string map = "affine_map<(i) -> (i)>",
                types = isBinary ? type + ", " + type : type;
    std::string text =
        "func.func @main(%x: " + type + (isBinary ? ", %z: " + type : "") +
        ") -> " + type + " {\n  %e = tensor.empty() : " + type +
        "\n  %y = linalg.generic {indexing_maps = [" + map + ", " + map +
        (isBinary ? ", " + map : "") +
        "], iterator_types = [\"parallel\"]} ins(%x" +
        (isBinary ? ", %z" : "") + " : " + types + ") outs(%e : " + type +
        ") {\n  ^bb0(%a: " + element + (isBinary ? ", %c: " + element : "") +
        ", %b: " + element + "):\n    %r = math." + operation + " %a" +
        (isBinary ? ", %c" : "") + " : " + element +
        "\n    linalg.yield %r : " + element + "\n  } -> " + type +
        "\n  return %y : " + type + "\n}\n";
    if (llvm::StringRef(operation).starts_with("chlo."))
      text = "func.func @main(%x: " + type + ") -> " + type +
             " {\n  %y = " + operation + " %x : " + type + " -> " + type +
             "\n  return %y : " + type + "\n}\n";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module || failed(lowerTo(*module, Stage::Cpu)))
      return;
    auto compiled = NativeProgram::compile(*module, "main");
    if (failed(compiled))
      return;
    program.emplace(std::move(*compiled));
    mlir::Type number = element == "f64"
                            ? mlir::Type(mlir::Float64Type::get(&context))
                            : mlir::Type(mlir::Float32Type::get(&context));
    for (size_t i = 0; i < operands; ++i) {
      auto numbers =
          Tensor::zeros(mlir::RankedTensorType::get({kChunk}, number),
                        [&] { return emitError(); });
      if (succeeded(numbers))
        inputs.push_back(std::move(*numbers));
    }
    hasInputs = inputs.size() == operands;
  }
  [[nodiscard]] bool isReady() const { return program && hasInputs; }
  template <typename T> T *x(size_t operand = 0) {
    return reinterpret_cast<T *>(inputs[operand].data());
  }
  /// Calls `f(i, y)` for the result of each place.
  template <typename T, typename F> void forEach(F f) {
    std::vector<reference::Value> values(inputs.begin(), inputs.end());
    auto results = program->call(values, [&] { return emitError(); });
    ASSERT_TRUE(succeeded(results));
    const Tensor *tensor = results->front().tensor();
    const auto *y = reinterpret_cast<const T *>(tensor->data());
    for (int64_t i = 0; i < kChunk; ++i)
      f(i, y[i]);
  }

private:
  mlir::InFlightDiagnostic emitError() {
    return mlir::emitError(module->getLoc());
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<NativeProgram> program;
  std::vector<Tensor> inputs;
  bool hasInputs = false;
};

bool testsAll() { return std::getenv("MERCATOR_ALL_FLOATS") != nullptr; }

/// The largest error of a function so far.
struct Worst {
  double ulps = 0, at = 0;
  void add(double error, double x) {
    if (!(error <= ulps)) {
      ulps = error;
      at = x;
    }
  }
  void report(const char *operation) const {
    testing::Test::RecordProperty(operation, std::to_string(ulps));
    llvm::outs() << operation << ": " << ulps << " ULP at " << at << '\n';
    EXPECT_LE(ulps, 2) << operation << " at " << at;
  }
};

struct FunctionRow {
  const char *operation;
  double (*function)(double);
};

TEST(VectorMath, IsWithinTwoUlps) {
  const FunctionRow rows[] = {
      {"exp", std::exp},     {"expm1", std::expm1}, {"log", std::log},
      {"log1p", std::log1p}, {"sin", std::sin},     {"cos", std::cos},
      {"tanh", std::tanh},   {"erf", std::erf},     {"tan", std::tan},
      {"cbrt", std::cbrt},   {"erfc", std::erfc}};
  for (const FunctionRow &row : rows) {
    Applied applied(row.operation, "f32");
    ASSERT_TRUE(applied.isReady());
    uint64_t step = testsAll() ? 1 : kIsSanitized ? 5003 : 503;
    Worst worst;
    for (uint64_t first = 0; first < (uint64_t(1) << 32);
         first += step * kChunk) {
      for (int64_t i = 0; i < kChunk; ++i)
        applied.x<float>()[i] =
            std::bit_cast<float>(uint32_t(first + step * uint64_t(i)));
      applied.forEach<float>([&](int64_t i, float y) {
        float x = applied.x<float>()[i];
        double error = ulps(y, row.function(flushed(x)));
        if (!(y == 0 && error < 0x1p23))
          worst.add(error, x);
      });
    }
    worst.report(row.operation);
  }
}

/// The y with erf(y) = x, by Newton's method from a number nearby.
long double inverseOfErf(long double x, long double y) {
  for (int step = 0; step < 3; ++step) {
    // Near 1 the difference of erf is that of erfc, which is small.
    long double difference = std::abs(x) < 0.5L ? std::erf(y) - x
                             : x > 0            ? 1 - x - std::erfc(y)
                                                : std::erfc(-y) - (1 + x);
    y -= difference * std::exp(y * y) * 0.88622692545275801365L;
  }
  return y;
}

TEST(VectorMath, InverseOfErfIsWithinTwoUlps) {
  Applied applied("chlo.erf_inv", "f32");
  ASSERT_TRUE(applied.isReady());
  uint64_t step = testsAll() ? 1 : kIsSanitized ? 5003 : 503;
  constexpr uint64_t kLeast = 0x00800000, kOne = 0x3f800000;
  Worst worst;
  for (uint64_t first = kLeast; first < kOne; first += step * kChunk) {
    for (int64_t i = 0; i < kChunk; ++i) {
      auto number = std::bit_cast<float>(
          uint32_t(std::min(first + step * uint64_t(i), kOne - 1)));
      applied.x<float>()[i] = i % 2 == 0 ? number : -number;
    }
    applied.forEach<float>([&](int64_t i, float y) {
      float x = applied.x<float>()[i];
      worst.add(ulps(y, double(inverseOfErf(x, y))), x);
    });
  }
  worst.report("erf_inv");
}

struct WideRow {
  const char *operation;
  long double (*function)(long double);
  double usual; ///< numbers up to this size are drawn
};

// Zeros, subnormal numbers, the largest ones, and those next to a multiple of pi / 2:
// no f64 is nearer to one than 6381956970095103 * 2^797.
const double kSpecialDoubles[] = {0,
                                  -0.0,
                                  0x1p-1074,
                                  -0x1p-1030,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  0x1.fffffffffffffp1023,
                                  -0x1.fffffffffffffp1023,
                                  6381956970095103 * 0x1p797,
                                  0x1.921fb54442d18p-1,
                                  0x1.921fb54442d19p-1,
                                  0x1.921fb54442d18p+0,
                                  0x1.921fb54442d18p+1,
                                  -0x1.921fb54442d18p+2,
                                  0x1p53,
                                  0x1p54,
                                  0x1p102};

TEST(VectorMath, OfDoublesIsWithinTwoUlps) {
  const WideRow rows[] = {
      {"exp", std::exp, 750},  {"expm1", std::expm1, 40},
      {"log", std::log, 4},    {"log1p", std::log1p, 2},
      {"tanh", std::tanh, 25}, {"tanh", std::tanh, 0.6}, // where s counts
      {"sin", std::sin, 4},    {"cos", std::cos, 4},
      {"sin", std::sin, 9000}, {"cos", std::cos, 9000}, // about 2^13
      {"sin", std::sin, 1e9},  {"cos", std::cos, 1e9},
      {"erf", std::erf, 6},    {"erf", std::erf, 1.6}};
  std::mt19937_64 random(20261128);
  for (const WideRow &row : rows) {
    Applied applied(row.operation, "f64");
    ASSERT_TRUE(applied.isReady());
    Worst worst;
    for (int round = 0, rounds = testsAll() ? 1000 : 2; round < rounds;
         ++round) {
      std::uniform_real_distribution<double> uniform(-row.usual, row.usual);
      for (int64_t i = 0; i < kChunk; ++i)
        applied.x<double>()[i] =
            round % 2 == 0 ? std::bit_cast<double>(random()) : uniform(random);
      if (round == 0)
        llvm::copy(kSpecialDoubles, applied.x<double>());
      applied.forEach<double>([&](int64_t i, double y) {
        double x = applied.x<double>()[i];
        long double exact =
            row.function(std::abs(x) < 0x1p-1022 ? std::copysign(0.0L, x) : x);
        worst.add(ulpsOfDouble(y, exact), x);
        if (y == 0 && exact == 0)
          EXPECT_EQ(std::signbit(y), std::signbit(exact)) << x;
      });
    }
    worst.report(row.operation);
  }
}

struct PairRow {
  const char *operation;
  double (*function)(double, double);
};

TEST(VectorMath, OfPairsIsWithinTwoUlps) {
  const PairRow rows[] = {{"atan2", std::atan2}, {"powf", std::pow}};
  const float special[] = {
      0,        -0.0F,     1,     -1,     2,      -2,       3,         -3,
      0.5F,     -0.5F,     1e30F, -1e30F, 1e-30F, 16777215, -16777215, 16777216,
      INFINITY, -INFINITY, NAN,   1.5F,   -1.5F,  -1e-30F};
  std::mt19937_64 random(20261128);
  for (const PairRow &row : rows) {
    Applied applied(row.operation, "f32", 2);
    ASSERT_TRUE(applied.isReady());
    Worst worst;
    for (int round = 0, rounds = testsAll() ? 1000 : 3; round < rounds;
         ++round) {
      auto draw = [&](int64_t i, size_t operand) {
        if (round % 3 == 0)
          return std::bit_cast<float>(uint32_t(random()));
        if (round % 3 == 1)
          return std::uniform_real_distribution<float>(-8, 8)(random);
        constexpr int64_t kSpecial = std::size(special);
        return special[(operand == 0 ? i : i / kSpecial) % kSpecial];
      };
      for (int64_t i = 0; i < kChunk; ++i)
        for (size_t operand : {0, 1})
          applied.x<float>(operand)[i] = draw(i, operand);
      applied.forEach<float>([&](int64_t i, float y) {
        float a = applied.x<float>(0)[i], b = applied.x<float>(1)[i];
        double error = ulps(y, row.function(flushed(a), flushed(b)));
        if (!(y == 0 && error < 0x1p23))
          worst.add(error, a);
      });
    }
    worst.report(row.operation);
  }
}

TEST(VectorMath, PowersOfDoublesAreWithinTwoUlps) {
  const double special[] = {0,          -0.0,       1,          -1,     2,
                            -2,         3,          -3,         0.5,    -0.5,
                            1e300,      -1e300,     1e-300,     0x1p53, -0x1p53,
                            0x1p53 - 1, INFINITY,   -INFINITY,  NAN,    1.5,
                            -1.5,       1 - 0x1p53, 0x1p52 + 1, -1022,  1023};
  std::mt19937_64 random(20261128);
  Applied applied("powf", "f64", 2);
  ASSERT_TRUE(applied.isReady());
  Worst worst;
  for (int round = 0, rounds = testsAll()     ? 1000
                               : kIsSanitized ? 1
                                              : 4;
       round < rounds; ++round) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int64_t i = 0; i < kChunk; ++i) {
      double x = std::exp(700 * uniform(random)), y = 20 * uniform(random);
      if (i % 4 == 1) // results of all sizes
        y = 709 * uniform(random) / std::abs(std::log(x));
      if (i % 4 == 2) {
        x = 1 + 1e-3 * uniform(random);
        y = 709 * uniform(random) / std::abs(std::log(x));
      }
      if (i % 16 ==
          6) { // the least and the greatest results, with long exponents
        x = 1.2 + 0.7 * uniform(random);
        y = std::copysign(709 + uniform(random), uniform(random)) / std::log(x);
      }
      if (i % 4 == 3) {
        constexpr int64_t kSpecial = std::size(special);
        x = special[i / 4 % kSpecial];
        y = special[i / 4 / kSpecial % kSpecial];
      }
      applied.x<double>(0)[i] = x;
      applied.x<double>(1)[i] = y;
    }
    applied.forEach<double>([&](int64_t i, double got) {
      double x = applied.x<double>(0)[i], y = applied.x<double>(1)[i];
      worst.add(ulpsOfDouble(got, std::pow((long double)x, (long double)y)), x);
    });
  }
  worst.report("powf");
}

} // namespace
