// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operations with transposed operands, and gathers, of random shapes that
// are too large for a cache: machine code, with all accesses checked, against numbers
// that are read one by one.

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/dialects/Register.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <numeric>
#include <random>

using namespace mercator;
using reference::Tensor;

namespace {

using Extents = std::vector<int64_t>;

std::string tensorOf(const Extents &extents, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : extents)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

struct TransposedReads : testing::Test {
  TransposedReads() : random(testSeed()) {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    std::printf("seed %llu\n", (unsigned long long)testSeed());
  }

  int64_t draw(int64_t from, int64_t to) {
    return std::uniform_int_distribution<int64_t>(from, to)(random);
  }

  /// The result of the program for these inputs.
  std::optional<Tensor> run(const std::string &text,
                            const std::vector<reference::Value> &inputs) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    if (!module || failed(lowerTo(*module, Stage::Cpu)))
      return std::nullopt;
    NativeOptions options;
    options.isChecked = true;
    auto program = NativeProgram::compile(*module, "main", options);
    EXPECT_TRUE(succeeded(program)) << text;
    if (failed(program))
      return std::nullopt;
    auto results = program->call(inputs, emitError());
    EXPECT_TRUE(succeeded(results)) << text;
    if (failed(results))
      return std::nullopt;
    return *results->front().tensor();
  }

  std::function<mlir::InFlightDiagnostic()> emitError() {
    return [this] { return mlir::emitError(mlir::UnknownLoc::get(&context)); };
  }

  /// Small integers, which every type has.
  Tensor numbers(const Extents &extents, mlir::Type element, int64_t most) {
    Tensor tensor = *Tensor::zeros(
        mlir::RankedTensorType::get(extents, element), emitError());
    for (int64_t i = 0; i < tensor.size(); ++i)
      tensor.set(i, element.isInteger()
                        ? reference::Scalar::whole(draw(0, most))
                        : reference::Scalar::real(double(draw(0, most))));
    return tensor;
  }

  mlir::MLIRContext context;
  std::mt19937_64 random;
};

TEST_F(TransposedReads, AreTheElementsOfTheOperand) {
  for (int round = 0; round < cases(24); ++round) {
    int64_t rank = draw(2, 4);
    Extents result(static_cast<size_t>(rank), 1);
    for (int64_t &extent : result)
      extent = draw(1, 5);
    // Two dimensions are long.
    std::vector<int64_t> order(static_cast<size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    for (size_t d : {order[0], order[1]})
      result[d] = draw(16, 150);
    std::shuffle(order.begin(), order.end(), random);
    Extents operand(result.size());
    for (size_t d = 0; d < result.size(); ++d)
      operand[size_t(order[d])] = result[d];
    const std::pair<std::string, mlir::Type> elements[] = {
        {"f32", mlir::Float32Type::get(&context)},
        {"f64", mlir::Float64Type::get(&context)},
        {"i8", mlir::IntegerType::get(&context, 8)},
        {"bf16", mlir::BFloat16Type::get(&context)}};
    const auto &[name, element] = elements[draw(0, 3)];
    std::string from = tensorOf(operand, name), to = tensorOf(result, name);
    bool hasIndex = name != "i8" && draw(0, 1) == 0;
    std::string text =
        "func.func @main(%x: " + from + ", %z: " + to + ") -> " + to + " {\n" +
        "  %t = stablehlo.transpose %x, dims = [" +
        llvm::join(
            llvm::map_range(order, [](int64_t d) { return std::to_string(d); }),
            ", ") +
        "] : (" + from + ") -> " + to +
        "\n  %s = stablehlo.add %t, %z : " + to + "\n" +
        (hasIndex ? "  %i = stablehlo.iota dim = 0 : " + to +
                        "\n  %y = stablehlo.subtract %s, %i : " + to + "\n"
                  : "  %y = stablehlo.maximum %s, %t : " + to + "\n") +
        "  return %y : " + to + "\n}\n";
    Tensor x = numbers(operand, element, 20), z = numbers(result, element, 20);
    std::optional<Tensor> y = run(text, {x, z});
    ASSERT_TRUE(y) << text;
    Extents at(result.size());
    for (int64_t i = 0; i < y->size(); ++i) {
      int64_t rest = i, place = 0;
      for (size_t d = result.size(); d-- > 0; rest /= result[d])
        at[d] = rest % result[d];
      for (size_t d = 0; d < operand.size(); ++d) {
        size_t own = size_t(llvm::find(order, int64_t(d)) - order.begin());
        place = place * operand[d] + at[own];
      }
      auto number = [&](const Tensor &tensor, int64_t k) {
        return element.isInteger() ? double(tensor.at(k).integer)
                                   : tensor.at(k).re;
      };
      double t = number(x, place), s = t + number(z, i);
      double expected = hasIndex ? s - double(at[0]) : std::max(s, t);
      ASSERT_EQ(number(*y, i), expected) << "element " << i << "\n" << text;
    }
  }
}

/// The index of a row is read once, not once for each of its elements.
TEST_F(TransposedReads, RowsOfATable) {
  for (int round = 0; round < cases(8); ++round) {
    int64_t rows = draw(1, 50), width = draw(1, 300), count = draw(1, 90);
    std::string table = tensorOf({rows, width}, "f32"),
                places = tensorOf({count, 1}, "i32"),
                result = tensorOf({count, width}, "f32");
    std::string text =
        "func.func @main(%t: " + table + ", %i: " + places + ") -> " + result +
        " {\n  %y = \"stablehlo.gather\"(%t, %i) <{dimension_numbers = "
        "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
        "start_index_map = [0], index_vector_dim = 1>, slice_sizes = "
        "array<i64: 1, " +
        std::to_string(width) + ">}> : (" + table + ", " + places + ") -> " +
        result + "\n  return %y : " + result + "\n}\n";
    Tensor t = numbers({rows, width}, mlir::Float32Type::get(&context), 1000),
           i = numbers({count, 1}, mlir::IntegerType::get(&context, 32),
                       rows + 3);
    std::optional<Tensor> y = run(text, {t, i});
    ASSERT_TRUE(y) << text;
    for (int64_t k = 0; k < y->size(); ++k) {
      int64_t row = std::min(i.at(k / width).integer, rows - 1);
      ASSERT_EQ(y->at(k).re, t.at(row * width + k % width).re)
          << "element " << k << "\n"
          << text;
    }
  }
}

} // namespace
