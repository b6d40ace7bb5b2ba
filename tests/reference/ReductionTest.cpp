// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Reductions, windows and sorts.

#include "RandomTensors.h"

#include "mlir/AsmParser/AsmParser.h"

#include <algorithm>

using namespace mercator;
using namespace mercator::reference;

namespace {

struct Reduction : testing::Test {
  Programs programs;
  RandomTensors random;
  mlir::Builder builder{&programs.context};

  std::vector<Value> run(const std::string &text,
                         llvm::ArrayRef<Value> arguments) {
    auto results = programs.run(text, arguments);
    EXPECT_TRUE(results) << text << programs.messages;
    return results ? *results : std::vector<Value>();
  }
};

TEST_F(Reduction, Reduce) {
  programs.expect("stablehlo.reduce(%0 init: %1) applies stablehlo.add across "
                  "dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> "
                  "tensor<2xi32>",
                  {"dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>",
                   "dense<10> : tensor<i32>"},
                  "dense<[16, 25]> : tensor<2xi32>");
  // Without elements: the init value. Without dimensions: each element.
  programs.expect("stablehlo.reduce(%0 init: %1) applies stablehlo.multiply "
                  "across dimensions = [0] : (tensor<0x2xf32>, tensor<f32>) -> "
                  "tensor<2xf32>",
                  {"dense<> : tensor<0x2xf32>", "dense<1.0> : tensor<f32>"},
                  "dense<1.0> : tensor<2xf32>");
  programs.expect("stablehlo.reduce(%0 init: %1) applies stablehlo.maximum "
                  "across dimensions = [] : (tensor<2xi8>, tensor<i8>) -> "
                  "tensor<2xi8>",
                  {"dense<[-3, 3]> : tensor<2xi8>", "dense<0> : tensor<i8>"},
                  "dense<[0, 3]> : tensor<2xi8>");
}

/// A sum of 0.1 in steps of f32 or f16 would be several percent off.
TEST_F(Reduction, LongSumsOfFloatsAreExactUpToAFewRoundings) {
  struct Row {
    const char *type;
    int64_t count;
    double most; ///< relative error
  };
  for (const Row &row : {Row{"f32", 1 << 20, 1e-6}, Row{"f64", 1 << 16, 1e-15},
                         Row{"f16", 10'000, 0x1p-11}}) {
    std::string many =
        "tensor<" + std::to_string(row.count) + "x" + row.type + ">";
    std::string one = std::string("tensor<") + row.type + ">";
    std::string text = "func.func @main(%x: " + many + ") -> " + one +
                       " {\n  %z = stablehlo.constant dense<0.0> : " + one +
                       "\n  %r = stablehlo.reduce(%x init: %z) applies "
                       "stablehlo.add across dimensions = [0] : (" +
                       many + ", " + one + ") -> " + one +
                       "\n  return %r : " + one + "\n}\n";
    auto type = mlir::cast<mlir::RankedTensorType>(
        mlir::parseType(many, &programs.context));
    auto x = Tensor::zeros(
        type, [&] { return mlir::emitError(builder.getUnknownLoc()); });
    ASSERT_TRUE(succeeded(x));
    for (int64_t i = 0; i < row.count; ++i)
      x->set(i, Scalar::real(0.1));
    double exact = x->at(int64_t(0)).re * double(row.count);
    auto results = run(text, {*x});
    ASSERT_EQ(results.size(), 1U);
    EXPECT_NEAR(results[0].tensor()->scalar().re / exact, 1, row.most)
        << row.type;
  }
}

TEST_F(Reduction, ReduceComputesInTheTypesOfTheBody) {
  programs.expect(
      R"(stablehlo.reduce(%0 init: %1) across dimensions = [0]
      : (tensor<3xi8>, tensor<i8>) -> tensor<i32>
      reducer(%a: tensor<i32>, %b: tensor<i32>) {
        %s = stablehlo.add %a, %b : tensor<i32>
        stablehlo.return %s : tensor<i32>
      })",
      {"dense<[100, 100, 100]> : tensor<3xi8>", "dense<100> : tensor<i8>"},
      "dense<400> : tensor<i32>");
}

TEST_F(Reduction, ReduceOfPairsFindsTheLargestAndWhere) {
  std::string text = R"(
    func.func @main(%x: tensor<4x5xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
      %i = stablehlo.constant dense<[[0, 1, 2, 3, 4], [0, 1, 2, 3, 4],
          [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]> : tensor<4x5xi32>
      %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %none = stablehlo.constant dense<-1> : tensor<i32>
      %r:2 = stablehlo.reduce(%x init: %low), (%i init: %none)
          across dimensions = [1]
          : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<f32>, tensor<i32>)
          -> (tensor<4xf32>, tensor<4xi32>)
          reducer(%a: tensor<f32>, %b: tensor<f32>)
                 (%k: tensor<i32>, %l: tensor<i32>) {
        %keep = stablehlo.compare GE, %a, %b
            : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %v = stablehlo.select %keep, %a, %b : tensor<i1>, tensor<f32>
        %w = stablehlo.select %keep, %k, %l : tensor<i1>, tensor<i32>
        stablehlo.return %v, %w : tensor<f32>, tensor<i32>
      }
      return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
    })";
  Tensor x = random.tensor({4, 5}, builder.getF32Type());
  std::vector<Value> results = run(text, {x});
  ASSERT_EQ(results.size(), 2u);
  for (int64_t row = 0; row < 4; ++row) {
    double best = -INFINITY;
    int64_t where = -1;
    for (int64_t column = 0; column < 5; ++column)
      if (x.at({row, column}).re > best) {
        best = x.at({row, column}).re;
        where = column;
      }
    EXPECT_EQ(results[0].tensor()->at(row).re, best);
    EXPECT_EQ(results[1].tensor()->at(row).integer, where);
  }
}

TEST_F(Reduction, Map) {
  programs.expect(
      R"("stablehlo.map"(%0, %1) <{dimensions = array<i64: 0>}> ({
        ^bb0(%a: tensor<i64>, %b: tensor<i64>):
          %p = stablehlo.multiply %a, %b : tensor<i64>
          %s = stablehlo.add %p, %b : tensor<i64>
          stablehlo.return %s : tensor<i64>
      }) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>)",
      {"dense<[1, 2, 3]> : tensor<3xi64>", "dense<[5, -6, 7]> : tensor<3xi64>"},
      "dense<[10, -18, 28]> : tensor<3xi64>");
}

/// Compared with the specification's other formula: pad, then slice.
TEST_F(Reduction, RandomWindows) {
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  for (int round = 0; round < 150; ++round) {
    int64_t rank = random.number(1, 3);
    llvm::SmallVector<int64_t> shape, size, stride, base, dilation, padding,
        padded, result;
    for (int64_t dim = 0; dim < rank; ++dim) {
      shape.push_back(random.number(0, 4));
      size.push_back(random.number(1, 3));
      stride.push_back(random.number(1, 3));
      base.push_back(random.number(1, 3));
      dilation.push_back(random.number(1, 2));
      padding.push_back(random.number(-2, 3));
      padding.push_back(random.number(-2, 3));
      padded.push_back((shape[dim] ? (shape[dim] - 1) * base[dim] + 1 : 0) +
                       padding[2 * dim] + padding[2 * dim + 1]);
      int64_t reach = (size[dim] - 1) * dilation[dim] + 1;
      result.push_back(
          padded[dim] < reach ? 0 : (padded[dim] - reach) / stride[dim] + 1);
    }
    Tensor x = random.tensor(shape, builder.getI32Type());
    std::string pairs;
    for (int64_t dim = 0; dim < rank; ++dim)
      pairs +=
          (dim ? ", " : "") + text({padding[2 * dim], padding[2 * dim + 1]});
    auto type = mlir::RankedTensorType::get(result, builder.getI32Type());
    std::string program =
        "func.func @main(%x: " + text(x.type()) + ") -> " + text(type) +
        R"( {
      %init = stablehlo.constant dense<7> : tensor<i32>
      %r = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = )" +
        array(size) + ", window_strides = " + array(stride) +
        ", base_dilations = " + array(base) +
        ", window_dilations = " + array(dilation) + ", padding = dense<[" +
        pairs + "]> : tensor<" + std::to_string(rank) + R"(x2xi64>}> ({
        ^bb0(%a: tensor<i32>, %b: tensor<i32>):
          %s = stablehlo.add %a, %b : tensor<i32>
          stablehlo.return %s : tensor<i32>
      }) : ()" +
        text(x.type()) + ", tensor<i32>) -> " + text(type) +
        "\n return %r : " + text(type) + "\n}";
    std::vector<Value> results = run(program, {x});
    ASSERT_EQ(results.size(), 1u);
    const Tensor &got = *results[0].tensor();
    for (Index d(result); d; ++d) {
      int64_t expected = 7;
      for (Index o(size); o; ++o) {
        llvm::SmallVector<int64_t> from;
        for (int64_t dim = 0; dim < rank; ++dim) {
          int64_t at =
              d[dim] * stride[dim] + o[dim] * dilation[dim] - padding[2 * dim];
          if (at >= 0 && at % base[dim] == 0 && at / base[dim] < shape[dim])
            from.push_back(at / base[dim]);
        }
        expected += int64_t(from.size()) == rank ? x.at(from).integer : 7;
      }
      ASSERT_EQ(got.at(*d).integer, expected) << program;
    }
  }
}

/// The windows of a prefix or a suffix along one dimension, compared with a
/// separate reduction for each: the incremental fold must give the same result,
/// bit for bit.
TEST_F(Reduction, RunningWindowsAreTheFoldsOfEach) {
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  struct Case {
    llvm::StringRef type, op, init;
  };
  const Case cases[] = {{"f32", "add", "0.0"},
                        {"f32", "add", "-0.0"},
                        {"f32", "add", "1.0"},
                        {"f32", "multiply", "1.0"},
                        {"f32", "maximum", "0xFF800000"},
                        {"f32", "minimum", "0x7F800000"},
                        {"bf16", "add", "0.0"},
                        {"f32", "add", "0x7FC00000"},
                        {"i32", "add", "0"},
                        {"i32", "add", "3"},
                        {"i8", "multiply", "1"},
                        {"ui16", "maximum", "0"},
                        {"i32", "minimum", "2147483647"},
                        {"i32", "subtract", "0"},
                        {"i16", "and", "-1"},
                        {"i16", "or", "0"},
                        {"i16", "xor", "0"}};
  int running = 0;
  for (int round = 0; round < 400; ++round) {
    const Case &c = cases[random.number(0, std::size(cases) - 1)];
    int64_t n = random.number(1, 9), size = random.number(1, n + 2),
            stride = random.number(1, 2), low = random.number(-1, size),
            high = random.number(-1, size);
    if (random.coin()) { // as sums of prefixes and suffixes are
      size = n;
      bool isPrefix = random.coin();
      low = isPrefix ? n - 1 : 0;
      high = isPrefix ? 0 : n - 1;
      ++running;
    }
    int64_t padded = low + n + high;
    int64_t count = padded < size ? 0 : (padded - size) / stride + 1;
    if (count == 0)
      continue;
    std::string element = c.type.str(), of = "x" + element + ">",
                in = "tensor<2x" + std::to_string(n) + of,
                wide = "tensor<2x" + std::to_string(padded) + of,
                window = "tensor<2x" + std::to_string(size) + of,
                out = "tensor<2x" + std::to_string(count) + of,
                scalar = "tensor<" + element + ">";
    std::string reducer =
        " across dimensions = [1] : (" + window + ", " + scalar +
        ") -> tensor<2x" + element + ">\n reducer(%c: " + scalar +
        ", %d: " + scalar + ") {\n%s = stablehlo." + c.op.str() +
        " %c, %d : " + scalar + "\nstablehlo.return %s : " + scalar + "\n}\n";
    std::string program =
        "func.func @main(%x: " + in + ") -> (" + out + ", " + out +
        ") {\n%init = stablehlo.constant dense<" + c.init.str() +
        "> : " + scalar + "\n%r = \"stablehlo.reduce_window\"(%x, %init) <{" +
        "window_dimensions = " + array({1, size}) +
        ", window_strides = " + array({1, stride}) +
        ", padding = dense<[[0, 0], " + text({low, high}) +
        "]> : tensor<2x2xi64>}> ({\n^bb0(%a: " + scalar + ", %b: " + scalar +
        "):\n%s = stablehlo." + c.op.str() + " %a, %b : " + scalar +
        "\nstablehlo.return %s : " + scalar + "\n}) : (" + in + ", " + scalar +
        ") -> " + out + "\n%p = stablehlo.pad %x, %init, low = [0, " +
        std::to_string(low) + "], high = [0, " + std::to_string(high) +
        "], interior = [0, 0] : (" + in + ", " + scalar + ") -> " + wide + "\n";
    std::string parts, types;
    for (int64_t i = 0; i < count; ++i) {
      std::string id = std::to_string(i), begin = std::to_string(i * stride),
                  end = std::to_string(i * stride + size);
      program += "%w" + id + " = stablehlo.slice %p [0:2, " + begin + ":" +
                 end + "] : (" + wide + ") -> " + window + "\n%f" + id +
                 " = stablehlo.reduce(%w" + id + " init: %init)" + reducer +
                 "%e" + id + " = stablehlo.reshape %f" + id + " : (tensor<2x" +
                 element + ">) -> tensor<2x1" + of + "\n";
      parts += (i ? ", %e" : "%e") + id;
      types += (i ? ", tensor<2x1" : "tensor<2x1") + of;
    }
    program += "%q = stablehlo.concatenate " + parts + ", dim = 1 : (" + types +
               ") -> " + out + "\nreturn %r, %q : " + out + ", " + out + "\n}";
    mlir::Type type = mlir::parseType(element, &programs.context);
    Tensor x = type.isInteger() ? random.tensor({2, n}, type, 0, 100)
                                : random.fractions({2, n}, type);
    if (!type.isInteger() && random.number(0, 9) == 0)
      x.set(random.number(0, n - 1), Scalar::real(-0.0));
    if (!type.isInteger() && random.number(0, 9) == 0)
      x.set(random.number(0, n - 1), Scalar::real(std::nan("")));
    std::vector<Value> results = run(program, {x});
    ASSERT_EQ(results.size(), 2u);
    const Tensor &a = *results[0].tensor(), &b = *results[1].tensor();
    ASSERT_EQ(std::memcmp(a.data(), b.data(), a.byteSize()), 0) << program;
  }
  EXPECT_GT(running, 100);
}

TEST_F(Reduction, SumsOfPrefixesTakeLinearTime) {
  // Window by window these would exceed the limit of a program.
  constexpr int64_t kCount = 1'000'000;
  std::string type = "tensor<1000000xi32>";
  for (bool isReverse : {false, true}) {
    std::vector<Value> results = run(
        "func.func @main() -> " + type + " {\n%x = stablehlo.iota dim = 0 : " +
            type + "\n%init = stablehlo.constant dense<0> : tensor<i32>\n" +
            "%r = \"stablehlo.reduce_window\"(%x, %init) <{window_dimensions "
            "= array<i64: 1000000>, padding = dense<" +
            (isReverse ? "[[0, 999999]]" : "[[999999, 0]]") +
            "> : tensor<1x2xi64>}> ({\n^bb0(%a: tensor<i32>, %b: "
            "tensor<i32>):\n%s = stablehlo.add %a, %b : tensor<i32>\n"
            "stablehlo.return %s : tensor<i32>\n}) : (" +
            type + ", tensor<i32>) -> " + type + "\nreturn %r : " + type +
            "\n}",
        {});
    ASSERT_EQ(results.size(), 1u);
    int64_t all = kCount * (kCount - 1) / 2;
    EXPECT_EQ(
        results[0].tensor()->at(isReverse ? int64_t(0) : kCount - 1).integer,
        int32_t(all));
    EXPECT_EQ(results[0].tensor()->at(2).integer,
              int32_t(isReverse ? all - 1 : 3));
  }
}

TEST_F(Reduction, SelectAndScatter) {
  // Rows 0-2 and 2-4; row 4 is padding.
  programs.expect(
      R"("stablehlo.select_and_scatter"(%0, %1, %2) <{
        window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>,
        padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
        ^bb0(%a: tensor<i64>, %b: tensor<i64>):
          %p = stablehlo.compare GE, %a, %b
              : (tensor<i64>, tensor<i64>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
      }, {
        ^bb0(%a: tensor<i64>, %b: tensor<i64>):
          %s = stablehlo.add %a, %b : tensor<i64>
          stablehlo.return %s : tensor<i64>
      }) : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>)",
      {"dense<[[9, -5], [2, -5], [9, -6], [4, -4]]> : tensor<4x2xi64>",
       "dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>", "dense<100> : tensor<i64>"},
      "dense<[[101, 102], [100, 100], [103, 100], [100, 104]]> : "
      "tensor<4x2xi64>");
}

std::string sortProgram(const std::string &type, const std::string &body) {
  return "func.func @main(%x: " + type + ", %y: " + type + ") -> (" + type +
         ", " + type + R"() {
    %r:2 = "stablehlo.sort"(%x, %y) <{dimension = 1 : i64, is_stable = true}> ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
        )" +
         body + R"(
        stablehlo.return %p : tensor<i1>
    }) : ()" +
         type + ", " + type + ") -> (" + type + ", " + type +
         ")\n return %r#0, %r#1 : " + type + ", " + type + "\n}";
}

TEST_F(Reduction, SortsAsStableSortDoes) {
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  for (int round = 0; round < 40; ++round) {
    llvm::SmallVector<int64_t> shape = {
        random.number(1, 3), random.number(0, 40), random.number(1, 3)};
    Tensor keys = random.tensor(shape, builder.getI32Type()),
           values = random.tensor(shape, builder.getI32Type(), -100, 100);
    std::vector<Value> results =
        run(sortProgram(text(keys.type()),
                        "%p = stablehlo.compare LT, %a, %b : (tensor<i32>, "
                        "tensor<i32>) -> tensor<i1>"),
            {keys, values});
    ASSERT_EQ(results.size(), 2u);
    for (int64_t i = 0; i < shape[0]; ++i)
      for (int64_t j = 0; j < shape[2]; ++j) {
        // Pairs of a key and its position: no two are equal.
        std::vector<std::pair<int64_t, int64_t>> order;
        for (int64_t k = 0; k < shape[1]; ++k)
          order.emplace_back(keys.at({i, k, j}).integer, k);
        std::sort(order.begin(), order.end());
        for (int64_t k = 0; k < shape[1]; ++k) {
          EXPECT_EQ(results[0].tensor()->at({i, k, j}).integer, order[k].first);
          EXPECT_EQ(results[1].tensor()->at({i, k, j}).integer,
                    values.at({i, order[k].second, j}).integer);
        }
      }
  }
}

TEST_F(Reduction, InconsistentComparatorsGiveAPermutation) {
  Tensor keys = random.tensor({2, 100}, builder.getI32Type()),
         values = random.tensor({2, 100}, builder.getI32Type());
  for (const char *body : {
           "%p = stablehlo.constant dense<true> : tensor<i1>",
           "%p = stablehlo.compare NE, %a, %b : (tensor<i32>, tensor<i32>) -> "
           "tensor<i1>",
           "%p = stablehlo.compare LT, %a, %d : (tensor<i32>, tensor<i32>) -> "
           "tensor<i1>",
       }) {
    std::vector<Value> results =
        run(sortProgram(text(keys.type()), body), {keys, values});
    ASSERT_EQ(results.size(), 2u);
    for (int64_t row = 0; row < 2; ++row) {
      std::vector<std::pair<int64_t, int64_t>> before, after;
      for (int64_t i = 0; i < 100; ++i) {
        before.emplace_back(keys.at({row, i}).integer,
                            values.at({row, i}).integer);
        after.emplace_back(results[0].tensor()->at({row, i}).integer,
                           results[1].tensor()->at({row, i}).integer);
      }
      std::sort(before.begin(), before.end());
      std::sort(after.begin(), after.end());
      EXPECT_EQ(before, after) << body;
    }
  }
}

TEST_F(Reduction, EndlessLoopsAreRefused) {
  EXPECT_FALSE(programs.apply(
      R"("stablehlo.reduce_window"(%0, %1) <{
        window_dimensions = array<i64: 1000000000000>,
        padding = dense<[[1000000000000, 0]]> : tensor<1x2xi64>}> ({
        ^bb0(%a: tensor<i32>, %b: tensor<i32>):
          %s = stablehlo.add %a, %b : tensor<i32>
          stablehlo.return %s : tensor<i32>
      }) : (tensor<1xi32>, tensor<i32>) -> tensor<2xi32>)",
      {"dense<1> : tensor<1xi32>", "dense<1> : tensor<i32>"}, "tensor<2xi32>"));
  EXPECT_NE(programs.messages.find("element operations"), std::string::npos)
      << programs.messages;
}

} // namespace
