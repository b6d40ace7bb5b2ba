// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of machine code against sums in long double, and the same sums for other
// numbers of threads, CPUs and ways to form dispatches, bit for bit.

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/dialects/Register.h"
#include "mercator/runtime/Abi.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

using namespace mercator;
using reference::Tensor;

namespace {

/// A way to compile a program.
struct Way {
  const char *cpu = "host";
  Fusion fusion = Fusion::Maps;
};

struct Sums : testing::Test {
  Sums() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    std::printf("seed %llu\n", (unsigned long long)testSeed());
  }
  ~Sums() override { mercator_set_threads(2); }

  std::vector<Tensor> run(const std::string &text,
                          llvm::ArrayRef<Tensor> inputs, Way way = {},
                          int64_t threads = 2) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    LoweringOptions lowering;
    lowering.formation.fusion = way.fusion;
    if (!module || failed(lowerTo(*module, Stage::Cpu, lowering)))
      return {};
    NativeOptions options;
    options.cpu = way.cpu;
    auto program = NativeProgram::compile(*module, "main", options);
    EXPECT_TRUE(succeeded(program)) << text;
    if (failed(program))
      return {};
    mercator_set_threads(threads);
    return call(*program, inputs);
  }
  std::vector<Tensor> call(NativeProgram &program,
                           llvm::ArrayRef<Tensor> inputs) {
    std::vector<reference::Value> values(inputs.begin(), inputs.end());
    auto results = program.call(values, [&] {
      return mlir::emitError(mlir::UnknownLoc::get(&context));
    });
    EXPECT_TRUE(succeeded(results));
    std::vector<Tensor> tensors;
    if (succeeded(results))
      for (const reference::Value &value : *results)
        tensors.push_back(*value.tensor());
    return tensors;
  }

  mlir::Type typeNamed(llvm::StringRef name) {
    return mlir::parseType(name, &context);
  }
  Tensor zeros(llvm::ArrayRef<int64_t> shape, llvm::StringRef element) {
    return *Tensor::zeros(
        mlir::RankedTensorType::get(shape, typeNamed(element)),
        [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); });
  }
  /// Positive numbers; one number everywhere rounds in one direction.
  Tensor positive(llvm::ArrayRef<int64_t> shape, llvm::StringRef element,
                  bool isConstant) {
    Tensor tensor = zeros(shape, element);
    std::uniform_real_distribution<double> draw(0.01, 1);
    for (int64_t i = 0; i < tensor.size(); ++i)
      tensor.set(i, reference::Scalar::real(isConstant ? 0.1 : draw(random)));
    return tensor;
  }

  mlir::MLIRContext context;
  std::mt19937_64 random{testSeed()};
};

std::string typeOf(llvm::ArrayRef<int64_t> shape, llvm::StringRef element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element.str() + ">";
}

/// The sums of x, and of its squares, along each set of the dimensions of x.
struct Program {
  std::string text;
  std::vector<unsigned> sets; ///< bit i: dimension i is summed
};

Program allSums(llvm::ArrayRef<int64_t> shape, llvm::StringRef element) {
  Program program;
  std::string x = typeOf(shape, element), one = typeOf({}, element), body,
              results, types;
  for (unsigned set = 1; set < 1U << shape.size(); ++set) {
    llvm::SmallVector<int64_t> left;
    std::string dims;
    for (unsigned i = 0; i < shape.size(); ++i)
      if (set >> i & 1)
        dims += (dims.empty() ? "" : ", ") + std::to_string(i);
      else
        left.push_back(shape[i]);
    for (const char *operand : {"%x", "%q"}) {
      std::string name = "%r" + std::to_string(program.sets.size());
      body += "  " + name + " = stablehlo.reduce(" + operand +
              " init: %z) applies stablehlo.add across dimensions = [" + dims +
              "] : (" + x + ", " + one + ") -> " + typeOf(left, element) + "\n";
      results += (results.empty() ? "" : ", ") + name;
      types += (types.empty() ? "" : ", ") + typeOf(left, element);
      program.sets.push_back(set);
    }
  }
  program.text = "func.func @main(%x: " + x + ") -> (" + types +
                 ") {\n  %z = stablehlo.constant dense<0.0> : " + one +
                 "\n  %q = stablehlo.multiply %x, %x : " + x + "\n" + body +
                 "  return " + results + " : " + types + "\n}\n";
  return program;
}

/// The sums that result `number` has.
std::vector<long double> exactSums(const Program &program, size_t number,
                                   const Tensor &x) {
  unsigned set = program.sets[number];
  std::vector<long double> sums(1);
  int64_t count = 1;
  for (int64_t i = 0; i < x.rank(); ++i)
    count *= set >> i & 1 ? 1 : x.dim(size_t(i));
  sums.assign(size_t(count), 0);
  for (int64_t place = 0; place < x.size(); ++place) {
    int64_t rest = place, to = 0, stride = 1;
    for (int64_t i = x.rank() - 1; i >= 0; --i) {
      int64_t extent = x.dim(size_t(i)), at = rest % extent;
      rest /= extent;
      if (!(set >> i & 1)) {
        to += at * stride;
        stride *= extent;
      }
    }
    double value = x.at(place).re;
    if (number % 2 == 1) // squares are rounded to the type
      value = x.element().round(reference::Scalar::real(value * value)).re;
    sums[size_t(to)] += value;
  }
  return sums;
}

double worstError(const Tensor &got, llvm::ArrayRef<long double> exact) {
  double worst = got.size() == int64_t(exact.size()) ? 0 : INFINITY;
  for (int64_t i = 0; i < std::min<int64_t>(got.size(), exact.size()); ++i)
    worst = std::max(worst, double(std::abs(got.at(i).re - exact[size_t(i)]) /
                                   std::abs(exact[size_t(i)])));
  return worst;
}

bool haveSameBits(const Tensor &a, const Tensor &b) {
  return a.byteSize() == b.byteSize() &&
         std::memcmp(a.data(), b.data(), size_t(a.byteSize())) == 0;
}

TEST_F(Sums, AreExactUpToAFewRoundings) {
  struct Row {
    llvm::SmallVector<int64_t> shape;
    const char *element;
    double most;
  };
  const Row rows[] = {
      {{1 << 22}, "f32", 5e-7},     {{37, 101, 67}, "f32", 5e-7},
      {{40'003, 3}, "f32", 5e-7},   {{16, 28, 28, 24}, "f32", 5e-7},
      {{300, 500}, "f64", 1e-14},   {{700, 130}, "bf16", 0.00392},
      {{700, 30}, "f16", 0.000489},
  };
  for (const Row &row : rows)
    for (bool isConstant : {false, true}) {
      if (isConstant && row.shape.size() > 2)
        continue;
      Program program = allSums(row.shape, row.element);
      Tensor x = positive(row.shape, row.element, isConstant);
      std::vector<Tensor> results = run(program.text, {x});
      ASSERT_EQ(results.size(), program.sets.size());
      for (size_t i = 0; i < results.size(); ++i)
        EXPECT_LE(worstError(results[i], exactSums(program, i, x)), row.most)
            << typeOf(row.shape, row.element) << " result " << i
            << (isConstant ? " of 0.1" : "");
    }
}

TEST_F(Sums, HaveTheSameBitsEverywhere) {
  const Way ways[] = {{"host", Fusion::Aggressive},
                      {"host", Fusion::Seed},
                      {"x86-64", Fusion::Maps},
                      {"x86-64-v3", Fusion::Maps},
                      {"x86-64-v4", Fusion::Maps}};
  const std::pair<llvm::SmallVector<int64_t>, const char *> inputs[] = {
      {{19, 1003}, "f32"}, {{260, 41, 66}, "f32"}};
  for (const auto &[shape, element] : inputs) {
    Program program = allSums(shape, element);
    Tensor x = positive(shape, element, /*isConstant=*/false);
    std::vector<Tensor> expected = run(program.text, {x}, {}, /*threads=*/1);
    for (int64_t threads : {2, 1000}) {
      std::vector<Tensor> got = run(program.text, {x}, {}, threads);
      ASSERT_EQ(got.size(), expected.size());
      for (size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(haveSameBits(got[i], expected[i])) << threads << ' ' << i;
    }
    for (const Way &way : ways) {
      std::string cpu = way.cpu;
      if ((cpu == "x86-64-v4" && !__builtin_cpu_supports("avx512f")) ||
          (cpu == "x86-64-v3" && !__builtin_cpu_supports("avx2")))
        continue;
      std::vector<Tensor> got = run(program.text, {x}, way);
      ASSERT_EQ(got.size(), expected.size());
      for (size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(haveSameBits(got[i], expected[i]))
            << way.cpu << ' ' << int(way.fusion) << ' ' << i;
    }
  }
}

/// One sum of a random tensor of up to a million elements, which may be transposed
/// and multiplied first, in all ways to form dispatches.
TEST_F(Sums, OfRandomProgramsAreExactUpToAFewRoundings) {
  auto below = [&](uint64_t n) { return int64_t(random() % n); };
  for (int number = 0; number < cases(24); ++number) {
    int64_t rank = 1 + below(4), left = int64_t(1) << (8 + below(13));
    llvm::SmallVector<int64_t> shape, order, turned;
    for (int64_t i = 0; i < rank; ++i) {
      shape.push_back(
          i + 1 == rank
              ? 1 + below(uint64_t(left))
              : 1 + below(uint64_t(std::min<int64_t>(left, 1 + below(600)))));
      left = std::max<int64_t>(1, left / shape.back());
      order.push_back(i);
    }
    std::shuffle(shape.begin(), shape.end(), random);
    std::shuffle(order.begin(), order.end(), random);
    for (int64_t i : order)
      turned.push_back(shape[size_t(i)]);
    uint64_t set = 1 + random() % ((1U << rank) - 1);
    bool isSquared = below(2) == 0;
    auto list = [](llvm::ArrayRef<int64_t> numbers) {
      std::string text;
      for (int64_t i : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(i);
      return text;
    };
    llvm::SmallVector<int64_t> dims, kept;
    for (int64_t i = 0; i < rank; ++i)
      (set >> i & 1 ? dims : kept).push_back(i);
    llvm::SmallVector<int64_t> keptShape;
    for (int64_t i : kept)
      keptShape.push_back(turned[size_t(i)]);
    std::string xType = typeOf(shape, "f32"), tType = typeOf(turned, "f32"),
                rType = typeOf(keptShape, "f32");
    std::string text =
        "func.func @main(%x: " + xType + ") -> " + rType +
        " {\n  %z = stablehlo.constant dense<0.0> : tensor<f32>\n  %t = "
        "stablehlo.transpose %x, dims = [" +
        list(order) + "] : (" + xType + ") -> " + tType + "\n" +
        (isSquared ? "  %y = stablehlo.multiply %t, %t : " + tType + "\n"
                   : "") +
        "  %r = stablehlo.reduce(" + (isSquared ? "%y" : "%t") +
        " init: %z) applies stablehlo.add across dimensions = [" + list(dims) +
        "] : (" + tType + ", tensor<f32>) -> " + rType +
        "\n  return %r : " + rType + "\n}\n";
    Tensor x = positive(shape, "f32", /*isConstant=*/false);
    llvm::SmallVector<int64_t> strides(size_t(rank), 0);
    int64_t stride = 1;
    for (int64_t i = rank - 1; i >= 0; --i) // of the result, by dimensions of x
      if (!(set >> i & 1)) {
        strides[size_t(order[size_t(i)])] = stride;
        stride *= turned[size_t(i)];
      }
    std::vector<long double> exact(size_t(stride), 0);
    for (int64_t place = 0; place < x.size(); ++place) {
      int64_t to = 0, rest = place;
      for (int64_t i = rank - 1; i >= 0; rest /= shape[size_t(i--)])
        to += rest % shape[size_t(i)] * strides[size_t(i)];
      auto value = float(x.at(place).re);
      exact[size_t(to)] += isSquared ? value * value : value;
    }
    std::vector<Tensor> expected;
    for (Fusion fusion : {Fusion::Maps, Fusion::Aggressive, Fusion::Seed}) {
      std::vector<Tensor> got = run(text, {x}, {"host", fusion});
      ASSERT_EQ(got.size(), 1U);
      EXPECT_LE(worstError(got[0], exact), 5e-7) << text;
      if (expected.empty())
        expected = got;
      EXPECT_TRUE(haveSameBits(got[0], expected[0])) << text << int(fusion);
    }
  }
}

/// Products of matrices with a long sum: m x k, k x n.
TEST_F(Sums, ProductsAreExactUpToAFewRoundings) {
  struct Row {
    int64_t m, k, n;
    bool isTransposed; ///< the second operand is n x k
  };
  const Row rows[] = {
      {1, 200'000, 1, false}, {4, 70'000, 5, false}, {64, 2'000, 24, false},
      {1, 5'000, 700, false}, {3, 9'000, 40, true},  {70, 3'001, 33, true},
  };
  for (const Row &row : rows)
    for (bool isConstant : {false, true}) {
      Tensor a = positive({row.m, row.k}, "f32", isConstant),
             b = positive(row.isTransposed
                              ? llvm::SmallVector<int64_t>{row.n, row.k}
                              : llvm::SmallVector<int64_t>{row.k, row.n},
                          "f32", isConstant);
      std::string result = typeOf({row.m, row.n}, "f32");
      std::string aType = typeOf({row.m, row.k}, "f32"),
                  bType = row.isTransposed ? typeOf({row.n, row.k}, "f32")
                                           : typeOf({row.k, row.n}, "f32");
      std::string text =
          "func.func @main(%a: " + aType + ", %b: " + bType + ") -> " + result +
          " {\n  %r = stablehlo.dot_general %a, %b, "
          "contracting_dims = [1] x [" +
          (row.isTransposed ? "1" : "0") + "] : (" + aType + ", " + bType +
          ") -> " + result + "\n  return %r : " + result + "\n}\n";
      std::vector<long double> exact;
      for (int64_t i = 0; i < row.m; ++i)
        for (int64_t j = 0; j < row.n; ++j) {
          long double sum = 0;
          for (int64_t k = 0; k < row.k; ++k)
            sum += (long double)a.at(i * row.k + k).re *
                   b.at(row.isTransposed ? j * row.k + k : k * row.n + j).re;
          exact.push_back(sum);
        }
      std::vector<Tensor> expected;
      for (const char *cpu : {"host", "x86-64-v3", "x86-64"}) {
        if (isConstant && !expected.empty())
          break;
        if (llvm::StringRef(cpu) == "x86-64-v3" &&
            !__builtin_cpu_supports("avx2"))
          continue;
        std::vector<Tensor> got = run(text, {a, b}, {cpu});
        ASSERT_EQ(got.size(), 1U);
        EXPECT_LE(worstError(got[0], exact), 1e-6)
            << text << cpu << (isConstant ? " of 0.1" : "");
        // Without FMA, products are rounded.
        if (expected.empty())
          expected = got;
        else if (llvm::StringRef(cpu) != "x86-64")
          EXPECT_TRUE(haveSameBits(got[0], expected[0])) << text << cpu;
      }
    }
}

} // namespace
