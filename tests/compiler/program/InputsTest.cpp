// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of Inputs.h: words that name inputs, and the values that they make.

#include "mercator/compiler/program/Inputs.h"
#include "mercator/dialects/Register.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace mercator;
using reference::Tensor;
using reference::Value;

namespace {

/// A function @f, to plan inputs for.
struct Function {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Callee callee;
  std::string said; ///< all diagnostics

  explicit Function(const std::string &text) {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context));
    auto f = module->lookupSymbol<mlir::func::FuncOp>("f");
    callee.op = f;
    callee.parameters.assign(f.getArgumentTypes().begin(),
                             f.getArgumentTypes().end());
  }

  using Copies = std::optional<std::vector<std::vector<Value>>>;
  Copies make(const std::vector<std::string> &words, size_t copies = 1) {
    llvm::raw_string_ostream os(said);
    DiagnosticEngine diagnostics(os);
    std::optional<PlannedInputs> plan =
        planInputs(callee, {}, words, copies, diagnostics);
    EXPECT_EQ(!plan, diagnostics.hasErrors());
    if (!plan)
      return std::nullopt;
    return std::move(*plan).make(callee.parameters,
                                 mlir::UnknownLoc::get(&context));
  }
};

/// A function with these parameters that does nothing.
std::string taking(const std::string &parameters) {
  return "func.func @f(" + parameters + ") { return }";
}

std::vector<double> numbers(const Value &value) {
  const Tensor &tensor = *value.tensor();
  std::vector<double> out;
  for (int64_t i = 0; i < tensor.size(); ++i)
    out.push_back(tensor.element().isReal() ? tensor.at(i).re
                                            : double(tensor.at(i).integer));
  return out;
}

double greatest(const Value &value) {
  double most = 0;
  for (double x : numbers(value))
    most = std::max(most, std::abs(x));
  return most;
}

TEST(Inputs, RandomWords) {
  struct Row {
    const char *word;
    std::optional<uint64_t> seed;
    std::optional<double> scale = {};
  };
  const Row rows[] = {
      {"random:7", 7},
      {"random:18446744073709551615", UINT64_MAX},
      {"random:7:0.125", 7, 0.125},
      {"random:7:1e-3", 7, 1e-3},
      {"random:", {}},
      {"random:-1", {}},
      {"random:18446744073709551616", {}},
      {"random:seven", {}},
      {"random:7:", {}},
      {"random:7:0", {}},
      {"random:7:-1", {}},
      {"random:7:inf", {}},
      {"random:7:nan", {}},
      {"random", {}},
      {"dense<7> : tensor<i32>", {}},
  };
  for (const Row &row : rows) {
    std::optional<RandomElements> random = parseRandom(row.word);
    ASSERT_EQ(random.has_value(), row.seed.has_value()) << row.word;
    if (!random)
      continue;
    EXPECT_EQ(random->seed, *row.seed) << row.word;
    EXPECT_EQ(random->scale, row.scale) << row.word;
  }
}

TEST(Inputs, OneSeedGivesTheSameValues) {
  Function f(taking("%a: tensor<4xf32>, %b: tensor<4xf32>"));
  auto first = f.make({"random:1"}), again = f.make({"random:1"}),
       other = f.make({"random:2"});
  ASSERT_TRUE(first && again && other) << f.said;
  for (int i : {0, 1}) {
    EXPECT_EQ(numbers((*first)[0][i]), numbers((*again)[0][i]));
    EXPECT_NE(numbers((*first)[0][i]), numbers((*other)[0][i]));
  }
  EXPECT_NE(numbers((*first)[0][0]), numbers((*first)[0][1]));
}

TEST(Inputs, RandomValuesLieInTheirRange) {
  Function f(taking("%a: tensor<1000xf32>, %b: tensor<1000xi32>, "
                    "%c: tensor<1000xi1>, %d: tensor<1000xui4>"));
  auto made = f.make({"random:1"}), small = f.make({"random:1:0.25"});
  ASSERT_TRUE(made && small) << f.said;
  const double limits[] = {1, 15, 1, 15};
  for (int i = 0; i < 4; ++i) {
    EXPECT_LE(greatest((*made)[0][i]), limits[i]) << i;
    EXPECT_GT(greatest((*made)[0][i]), limits[i] * 0.9) << i;
    if (i > 0)
      for (double x : numbers((*made)[0][i]))
        EXPECT_GE(x, 0);
  }
  EXPECT_LE(greatest((*small)[0][0]), 0.25);
  EXPECT_GT(greatest((*small)[0][0]), 0.2);
}

// The second factor of a product that adds up K terms has values up to
// 1/sqrt(K).
TEST(Inputs, RandomFactorsAreSmall) {
  Function f(R"(
    func.func @f(%x: tensor<64x100xf32>, %w: tensor<100x64xf32>)
        -> tensor<64x64xf32> {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
          : (tensor<64x100xf32>, tensor<100x64xf32>) -> tensor<64x64xf32>
      return %0 : tensor<64x64xf32>
    })");
  auto made = f.make({"random:1"}), scaled = f.make({"random:1:0.5"});
  ASSERT_TRUE(made && scaled) << f.said;
  EXPECT_GT(greatest((*made)[0][0]), 0.9);
  EXPECT_LE(greatest((*made)[0][1]), 0.1);
  EXPECT_GT(greatest((*made)[0][1]), 0.09);
  // A written scale is taken as it is.
  for (int i : {0, 1})
    EXPECT_GT(greatest((*scaled)[0][i]), 0.4);
}

TEST(Inputs, WrittenElements) {
  Function f(
      taking("%a: tensor<?xi32>, %t: !stablehlo.token, %b: tensor<2xi1>"));
  auto made = f.make({"dense<[1, 2, 3]> : tensor<3xi32>",
                      "dense<[true, false]> : tensor<2xi1>"});
  ASSERT_TRUE(made) << f.said;
  // The token takes no word.
  ASSERT_EQ((*made)[0].size(), 3u);
  EXPECT_EQ(numbers((*made)[0][0]), (std::vector<double>{1, 2, 3}));
  EXPECT_FALSE((*made)[0][1].tensor());
  EXPECT_EQ(numbers((*made)[0][2]), (std::vector<double>{1, 0}));
}

TEST(Inputs, CopiesShareOrSplitTheWords) {
  Function f(taking("%a: tensor<i32>"));
  auto shared = f.make({"dense<5> : tensor<i32>"}, 2);
  auto apart = f.make({"dense<5> : tensor<i32>", "dense<6> : tensor<i32>"}, 2);
  ASSERT_TRUE(shared && apart) << f.said;
  ASSERT_EQ(shared->size(), 2u);
  EXPECT_EQ(numbers((*shared)[1][0]), (std::vector<double>{5}));
  ASSERT_EQ(apart->size(), 2u);
  EXPECT_EQ(numbers((*apart)[0][0]), (std::vector<double>{5}));
  EXPECT_EQ(numbers((*apart)[1][0]), (std::vector<double>{6}));
}

TEST(Inputs, WrongWords) {
  struct Row {
    const char *parameters;
    std::vector<std::string> words;
    const char *message;
  };
  const Row rows[] = {
      {"%a: tensor<2xf32>",
       {"dense<1.0> : tensor<1xf32>"},
       "input #0: expected tensor<2xf32>, got tensor<1xf32>"},
      {"%a: tensor<2xf32>",
       {"dense<1> : tensor<2xi32>"},
       "input #0: expected tensor<2xf32>, got tensor<2xi32>"},
      {"%a: tensor<2xf32>",
       {"dense<[1.0"},
       "input #0: expected `dense<..> : tensor<..>`, got 'dense<[1.0'"},
      {"%a: tensor<2xf32>",
       {"random:x"},
       "input #0: expected random:SEED or random:SEED:SCALE"},
      {"%a: tensor<2xf32>",
       {"values.txt"},
       "input #0: expected a file x.npy or x.npz, dense<..> : tensor<..> or "
       "random:SEED, got 'values.txt'"},
      {"%a: tensor<2xf32>", {"/no/such/file.npy"}, "/no/such/file.npy"},
      {"%a: tensor<2xf32>", {"/no/such/file.npz"}, "/no/such/file.npz"},
      {"%a: tensor<?xf32>",
       {"random:1"},
       "input #0: expected a type of a known shape to make random values of, "
       "got tensor<?xf32>"},
      {"%a: tuple<tensor<2xf32>>",
       {"dense<1.0> : tensor<2xf32>"},
       "input #0: expected random:SEED for a parameter of type"},
      {"%a: tensor<i32>, %b: tensor<i32>",
       {"random:1", "random:x"},
       "input #1: expected random:SEED"},
      {"%a: tensor<2xf32>",
       {},
       "expected an input for parameter #0 of @f, tensor<2xf32>, got none"},
      {"%a: tensor<i32>",
       {"dense<1> : tensor<i32>", "dense<1> : tensor<i32>"},
       "expected 1 input for @f, got 2"},
  };
  for (const Row &row : rows) {
    Function f(taking(row.parameters));
    EXPECT_FALSE(f.make(row.words)) << row.message;
    EXPECT_NE(f.said.find(row.message), std::string::npos)
        << "expected " << row.message << "\ngot " << f.said;
  }
}

TEST(Inputs, TheReasonThatATensorIsNoParameter) {
  mlir::MLIRContext context;
  auto type = [&](llvm::ArrayRef<int64_t> shape) {
    return mlir::RankedTensorType::get(shape, mlir::Float32Type::get(&context));
  };
  constexpr int64_t unknown = mlir::ShapedType::kDynamic;
  EXPECT_EQ(whyNotParameter(type({2, 3}), type({2, 3})), "");
  EXPECT_EQ(whyNotParameter(type({2, 3}), type({unknown, 3})), "");
  EXPECT_EQ(whyNotParameter(type({2, 3}), type({unknown, 4})),
            "expected tensor<?x4xf32>, got tensor<2x3xf32>");
  EXPECT_EQ(whyNotParameter(type({2}), type({2, 1})),
            "expected tensor<2x1xf32>, got tensor<2xf32>");
}

} // namespace
