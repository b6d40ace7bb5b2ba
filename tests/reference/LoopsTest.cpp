// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A loop copies no tensor that its body updates: the bytes that are copied do not
// grow with the number of iterations.

#include "mercator/dialects/Register.h"
#include "mercator/reference/AllRules.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mercator::reference;

namespace {

constexpr int64_t kExtent = 100, kBytes = 4 * kExtent;

struct Outcome {
  int64_t copiedBytes = -1;
  std::vector<std::vector<int64_t>> results;
};

/// Runs @main, which has one parameter of 100 zeros.
Outcome evaluate(const std::string &text) {
  mlir::DialectRegistry registry;
  mercator::registerAllMercatorDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return {};
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  Evaluator evaluator(*module, allRules());
  auto type = mlir::RankedTensorType::get({kExtent},
                                          mlir::IntegerType::get(&context, 32));
  auto zeros = Tensor::zeros(type, [&] { return main.emitError(); });
  auto values = evaluator.call(main, Value(*zeros));
  if (failed(values))
    return {};
  Outcome run{evaluator.getCopiedBytes(), {}};
  for (const Value &value : *values) {
    std::vector<int64_t> &result = run.results.emplace_back();
    for (int64_t i = 0; i < value.tensor()->size(); ++i)
      result.push_back(value.tensor()->at(i).integer);
  }
  // The caller's tensor keeps its elements.
  for (int64_t i = 0; i < kExtent; ++i)
    EXPECT_EQ(zeros->at(i).integer, 0);
  return run;
}

const std::string kUpdate =
    "%e = stablehlo.dynamic_slice %a, %i, sizes = [1] : (tensor<100xi32>, "
    "tensor<i32>) -> tensor<1xi32>\n"
    "%d = stablehlo.constant dense<2> : tensor<1xi32>\n"
    "%f = stablehlo.add %e, %d : tensor<1xi32>\n"
    "%u = stablehlo.dynamic_update_slice %a, %f, %j : (tensor<100xi32>, "
    "tensor<1xi32>, tensor<i32>) -> tensor<100xi32>\n";

/// A loop over %i from 0 to 98, with %j = %i + 1. It carries %a, which begins as
/// %x, and %b, which begins as zeros.
std::string loop(const std::string &body, const std::string &a,
                 const std::string &b, const std::string &functions = "") {
  return functions + R"(
    func.func @main(%x: tensor<100xi32>) -> (tensor<100xi32>, tensor<100xi32>) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %z = stablehlo.constant dense<0> : tensor<100xi32>
      %r:3 = stablehlo.while(%i = %zero, %a = %x, %b = %z) : tensor<i32>, tensor<100xi32>, tensor<100xi32>
      cond {
        %n = stablehlo.constant dense<99> : tensor<i32>
        %m = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %m : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %j = stablehlo.add %i, %one : tensor<i32>
        )" +
         body + R"(
        stablehlo.return %j, )" +
         a + ", " + b + R"( : tensor<i32>, tensor<100xi32>, tensor<100xi32>
      }
      return %r#1, %r#2 : tensor<100xi32>, tensor<100xi32>
    }
  )";
}

/// 0, 2, 4, ..
std::vector<int64_t> twice() {
  std::vector<int64_t> all;
  for (int64_t i = 0; i < kExtent; ++i)
    all.push_back(2 * i);
  return all;
}

TEST(EvaluatedLoops, UpdateInPlace) {
  Outcome got = evaluate(loop(kUpdate, "%u", "%b"));
  ASSERT_EQ(got.results.size(), 2u);
  EXPECT_EQ(got.results[0], twice());
  EXPECT_EQ(got.copiedBytes, kBytes); // the caller's tensor
}

TEST(EvaluatedLoops, ScatterInPlace) {
  Outcome got = evaluate(loop(
      "%at = stablehlo.reshape %j : (tensor<i32>) -> tensor<1xi32>\n"
      "%two = stablehlo.constant dense<2> : tensor<i32>\n"
      "%v = stablehlo.multiply %j, %two : tensor<i32>\n"
      "%u = \"stablehlo.scatter\"(%a, %at, %v) <{scatter_dimension_numbers = "
      "#stablehlo.scatter<inserted_window_dims = [0], "
      "scatter_dims_to_operand_dims = [0]>}> ({\n"
      "^bb0(%old: tensor<i32>, %new: tensor<i32>):\n"
      "stablehlo.return %new : tensor<i32>\n"
      "}) : (tensor<100xi32>, tensor<1xi32>, tensor<i32>) -> tensor<100xi32>\n",
      "%u", "%b"));
  ASSERT_EQ(got.results.size(), 2u);
  EXPECT_EQ(got.results[0], twice());
  EXPECT_EQ(got.copiedBytes, kBytes);
}

TEST(EvaluatedLoops, ExchangeWithoutCopies) {
  Outcome got = evaluate(loop(kUpdate, "%b", "%u"));
  ASSERT_EQ(got.results.size(), 2u);
  EXPECT_EQ(got.copiedBytes, kBytes);
}

TEST(EvaluatedLoops, UpdateInABranch) {
  Outcome got =
      evaluate(loop("%p = stablehlo.compare LT, %i, %j : (tensor<i32>, "
                    "tensor<i32>) -> tensor<i1>\n"
                    "%c = \"stablehlo.if\"(%p) ({\n" +
                        kUpdate +
                        "stablehlo.return %u : tensor<100xi32>\n}, {\n"
                        "stablehlo.return %a : tensor<100xi32>\n"
                        "}) : (tensor<i1>) -> tensor<100xi32>",
                    "%c", "%b"));
  ASSERT_EQ(got.results.size(), 2u);
  EXPECT_EQ(got.results[0], twice());
  EXPECT_EQ(got.copiedBytes, kBytes);
}

TEST(EvaluatedLoops, UpdateInACase) {
  Outcome got = evaluate(loop("%c = \"stablehlo.case\"(%one) ({\n"
                              "stablehlo.return %a : tensor<100xi32>\n}, {\n" +
                                  kUpdate +
                                  "stablehlo.return %u : tensor<100xi32>\n"
                                  "}) : (tensor<i32>) -> tensor<100xi32>",
                              "%c", "%b"));
  ASSERT_EQ(got.results.size(), 2u);
  EXPECT_EQ(got.results[0], twice());
  EXPECT_EQ(got.copiedBytes, kBytes);
}

TEST(EvaluatedLoops, UpdateInACalledFunction) {
  Outcome got =
      evaluate(loop("%c = func.call @g(%a, %i, %j) : (tensor<100xi32>, "
                    "tensor<i32>, tensor<i32>) -> tensor<100xi32>",
                    "%c", "%b",
                    "func.func private @g(%a: tensor<100xi32>, %i: "
                    "tensor<i32>, %j: tensor<i32>) -> tensor<100xi32> {\n" +
                        kUpdate + "return %u : tensor<100xi32>\n}\n"));
  ASSERT_EQ(got.results.size(), 2u);
  EXPECT_EQ(got.results[0], twice());
  EXPECT_EQ(got.copiedBytes, kBytes);
}

TEST(EvaluatedLoops, UpdateInANestedLoop) {
  Outcome got = evaluate(
      loop("%q:2 = stablehlo.while(%k = %i, %a1 = %a) : tensor<i32>, "
           "tensor<100xi32>\ncond {\n%l = stablehlo.compare LT, %k, %j : "
           "(tensor<i32>, tensor<i32>) -> tensor<i1>\nstablehlo.return %l : "
           "tensor<i1>\n} do {\n"
           "%s = stablehlo.reshape %a1 : (tensor<100xi32>) -> tensor<100xi32>\n"
           "%e = stablehlo.dynamic_slice %s, %k, sizes = [1] : "
           "(tensor<100xi32>, tensor<i32>) -> tensor<1xi32>\n"
           "%d = stablehlo.constant dense<2> : tensor<1xi32>\n"
           "%f = stablehlo.add %e, %d : tensor<1xi32>\n"
           "%u = stablehlo.dynamic_update_slice %s, %f, %j : (tensor<100xi32>, "
           "tensor<1xi32>, tensor<i32>) -> tensor<100xi32>\n"
           "stablehlo.return %j, %u : tensor<i32>, tensor<100xi32>\n}\n",
           "%q#1", "%b"));
  ASSERT_EQ(got.results.size(), 2u);
  EXPECT_EQ(got.results[0], twice());
  EXPECT_EQ(got.copiedBytes, kBytes);
}

// Tensors that something else refers to keep their elements.
TEST(EvaluatedLoops, CopyWhatIsUsedAgain) {
  Outcome got = evaluate(loop(kUpdate, "%u", "%a"));
  ASSERT_EQ(got.results.size(), 2u);
  EXPECT_EQ(got.results[0], twice());
  std::vector<int64_t> before = twice();
  before.back() = 0;
  EXPECT_EQ(got.results[1], before);
  EXPECT_EQ(got.copiedBytes, 99 * kBytes);
}

TEST(EvaluatedLoops, AnOperandThatOccursTwice) {
  Outcome got = evaluate(R"(
    func.func @main(%x: tensor<100xi32>) -> tensor<100xi32> {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %z = stablehlo.iota dim = 0 : tensor<100xi32>
      %u = stablehlo.dynamic_update_slice %z, %z, %one : (tensor<100xi32>, tensor<100xi32>, tensor<i32>) -> tensor<100xi32>
      return %u : tensor<100xi32>
    })");
  ASSERT_EQ(got.results.size(), 1u);
  EXPECT_EQ(got.results[0][99], 99);
  EXPECT_EQ(got.copiedBytes, kBytes);
}

} // namespace
