// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs with unknown extents whose inputs get a shape: all values are static
// then, and the results are those of the program.

#include "mercator/compiler/compile/InputShapes.h"
#include "mercator/targets/ascend/prepare/Bounds.h"
#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/rules/DynamicDraw.h"
#include "tests/targets/ascend/rules/Programs.h"

#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mercator;
using reference::Scalar;

static bool isStatic(mlir::ModuleOp module) {
  return !module
              .walk([](mlir::Operation *op) {
                for (mlir::Type type : op->getResultTypes())
                  if (auto tensor =
                          llvm::dyn_cast<mlir::RankedTensorType>(type);
                      tensor && !tensor.hasStaticShape())
                    return mlir::WalkResult::interrupt();
                return mlir::WalkResult::advance();
              })
              .wasInterrupted();
}

static void check(Programs &programs, uint64_t seed, int64_t &runs) {
  DynamicDraw draw(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + draw.text);
  auto program = programs.parse(draw.text);
  ASSERT_TRUE(program) << programs.messages;
  auto main = program->lookupSymbol<mlir::func::FuncOp>("main");
  for (auto [b, s] : {std::pair<int64_t, int64_t>{1, 1}, {3, 2}, {0, 4}}) {
    if (draw.needsElements && b == 0)
      continue;
    SCOPED_TRACE("b = " + std::to_string(b) + ", s = " + std::to_string(s));
    mlir::OwningOpRef<mlir::ModuleOp> module = program->clone();
    auto function = module->lookupSymbol<mlir::func::FuncOp>("main");
    std::vector<ShapeChoice> choices;
    std::string words;
    llvm::raw_string_ostream os(words);
    DiagnosticEngine diagnostics(os);
    for (auto [i, shape] : llvm::enumerate(draw.inputShapes(b, s)))
      choices.push_back({"input" + std::to_string(i), shape});
    ASSERT_TRUE(succeeded(refineShapes(function, choices, diagnostics)))
        << words << programs.messages;
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    ASSERT_TRUE(isStatic(*module)) << text;
    ASSERT_TRUE(succeeded(mlir::verify(*module))) << programs.messages;
    std::mt19937_64 engine(seed);
    Programs::Inputs inputs = programs.inputs(
        *module, [&](size_t, int64_t) { return int64_t(engine() % 9) - 3; });
    reference::Evaluator before(*program, reference::allRules()),
        after(*module, reference::allRules());
    auto want = before.call(main, inputs), got = after.call(function, inputs);
    ASSERT_TRUE(succeeded(want) && succeeded(got)) << programs.messages << text;
    for (auto [a, e] : llvm::zip_equal(*got, *want)) {
      ASSERT_EQ(a.tensor()->type(), e.tensor()->type()) << text;
      for (int64_t i = 0; i < e.tensor()->size(); ++i) {
        Scalar x = a.tensor()->at(i), y = e.tensor()->at(i);
        ASSERT_TRUE(e.tensor()->element().isReal() ? x.re == y.re
                                                   : x.integer == y.integer)
            << text;
      }
    }
    ++runs;
  }
}

TEST(InputShapes, RandomProgramsAtSeveralSizes) {
  Programs programs;
  uint64_t seed = testSeed();
  int64_t runs = 0;
  const int64_t count = cases(300);
  for (int64_t i = 0; i < count && !::testing::Test::HasFailure(); ++i)
    check(programs, seed + i, runs);
  std::printf("  %ld programs, %ld runs, from seed %lu on\n", long(count),
              long(runs), (unsigned long)seed);
}

//===--- Words ------------------------------------------------------------===//

namespace {
struct Row {
  std::vector<std::string> words;
  const char *message;
};
} // namespace

TEST(InputShapes, ShapesThatAreRefused) {
  constexpr llvm::StringLiteral text = R"(
    func.func @main(%x: tensor<?x4xf32>, %y: tensor<?xf32, #stablehlo.bounds<8>>,
                    %z: tensor<2xf32>) -> tensor<?x4xf32> {
      %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
      %c = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<i32>
      %e = stablehlo.compare LE, %b, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.custom_call @shape_assertion(%e, %b, %c) {has_side_effect = true, error_message = "{0} above {1}"} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
      return %x : tensor<?x4xf32>
    })";
  const Row rows[] = {
      {{"input0:3x4", "input1:3"}, ""},
      {{"input0:3x4"}, ""},
      {{"input0:4x4", "input1:3"}, "expected compatible shapes: 4 above 3"},
      {{"input0:3"}, "error: input 'input0': expected ?x4, got 3\n"},
      {{"input0:3x5"}, "error: input 'input0': expected ?x4, got 3x5\n"},
      {{"input2:3"}, "error: input 'input2': expected 2, got 3\n"},
      {{"input1:9"},
       "error: input 'input1': expected dimension 0 to be at most 8, got 9\n"},
      {{"w:3"},
       "error: expected an input of @main, got 'w'; its inputs are input0, input1, input2\n"
       "help: --shape=input0:8x4 --shape=input1:8\n"},
      {{"3x4"},
       "error: expected one input with unknown extents for "
       "`--shape=3x4`, got 2\n"
       "help: --shape=input0:8x4 --shape=input1:8\n"},
      {{"input0:3xq"},
       "error: expected `--shape=NAME:4x8`, the extents of an "
       "input, got 'input0:3xq'\n"},
      {{"input0:3x-1"},
       "error: expected `--shape=NAME:4x8`, the extents of an "
       "input, got 'input0:3x-1'\n"},
      {{"input0:99999999999999999999x4"},
       "error: expected `--shape=NAME:4x8`, the extents of an input, got "
       "'input0:99999999999999999999x4'\n"},
  };
  for (const Row &row : rows) {
    SCOPED_TRACE(row.words.front());
    Programs programs;
    auto module = programs.parse(text);
    ASSERT_TRUE(module) << programs.messages;
    ascend::moveBounds(*module);
    std::string said;
    llvm::raw_string_ostream os(said);
    DiagnosticEngine diagnostics(os);
    std::vector<ShapeChoice> choices;
    for (const std::string &word : row.words)
      if (auto choice = parseShape(word, diagnostics))
        choices.push_back(*choice);
    bool isAccepted =
        choices.size() == row.words.size() &&
        succeeded(refineShapes(module->lookupSymbol<mlir::func::FuncOp>("main"),
                               choices, diagnostics));
    std::string all = said + programs.messages;
    if (*row.message == 0)
      EXPECT_TRUE(isAccepted) << all;
    else
      EXPECT_NE(all.find(row.message), std::string::npos) << all;
  }
}
