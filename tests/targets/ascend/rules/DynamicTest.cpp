// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random programs with unknown extents as graphs: for several sizes of the
// inputs, the evaluated graph gives what the program gives.

#include "mercator/analysis/extents/EqualExtents.h"
#include "mercator/reference/ascend/Graph.h"
#include "mercator/targets/ascend/graph/FormGraphs.h"
#include "mercator/targets/ascend/prepare/InlineCalls.h"
#include "mercator/targets/ascend/rules/Convert.h"
#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/rules/DynamicDraw.h"
#include "tests/targets/ascend/rules/Programs.h"

#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mercator;
using reference::Scalar;
using reference::Tensor;
using Inputs = Programs::Inputs;

static constexpr std::pair<int64_t, int64_t> sizes[] = {
    {1, 1}, {2, 3}, {5, 4}, {1, 6}, {7, 1}, {0, 2}, {3, 0}};

/// Tensors of these shapes with small numbers.
static Inputs inputsOf(mlir::func::FuncOp function,
                       llvm::ArrayRef<llvm::SmallVector<int64_t>> shapes,
                       uint64_t seed) {
  std::mt19937_64 engine(seed);
  Inputs inputs;
  for (auto [type, shape] :
       llvm::zip_equal(function.getArgumentTypes(), shapes)) {
    auto known = mlir::RankedTensorType::get(
        shape, llvm::cast<mlir::RankedTensorType>(type).getElementType());
    Tensor tensor = *Tensor::zeros(known, [&] { return function.emitError(); });
    bool isFloat = llvm::isa<mlir::FloatType>(known.getElementType());
    for (int64_t i = 0; i < tensor.size(); ++i) {
      int64_t number = int64_t(engine() % 9) - 3;
      tensor.set(i, isFloat ? Scalar::real(double(number))
                            : Scalar::whole(number));
    }
    inputs.push_back(tensor);
  }
  return inputs;
}

static void expectSame(const Tensor &got, const Tensor &want) {
  ASSERT_EQ(got.shape(), want.shape());
  for (int64_t i = 0; i < got.size(); ++i) {
    Scalar a = got.at(i), b = want.at(i);
    // Long sums of floats may be rounded in another order.
    if (got.element().isReal() && std::isfinite(b.re))
      ASSERT_NEAR(a.re, b.re, 1e-5 * std::abs(b.re)) << "element " << i;
    else if (got.element().isReal())
      ASSERT_EQ(a.re, b.re) << "element " << i;
    else
      ASSERT_EQ(a.integer, b.integer) << "element " << i;
  }
}

namespace {
struct Counts {
  int64_t graphs = 0, left = 0, runs = 0, operators = 0;
  std::map<std::string, int64_t> reasons;
};
} // namespace

static void check(Programs &programs, uint64_t seed, Counts &counts) {
  DynamicDraw draw(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + draw.text);
  auto program = programs.parse(draw.text);
  ASSERT_TRUE(program) << programs.messages;
  mlir::OwningOpRef<mlir::ModuleOp> module = program->clone();
  for (const ascend::Unconverted &it : ascend::convertToAscend(*module, {})) {
    ++counts.left;
    ++counts.reasons[it.op->getName().getStringRef().str() + ": " + it.why];
  }
  (void)ascend::formGraphs(*module);
  ASSERT_TRUE(succeeded(mlir::verify(*module))) << programs.messages;
  auto graph = module->lookupSymbol<ascend::GraphOp>("main");
  if (!graph)
    return;
  ++counts.graphs;
  std::string text;
  llvm::raw_string_ostream(text) << graph;
  SCOPED_TRACE(text);
  counts.operators += llvm::range_size(graph.getBody().front());
  auto main = program->lookupSymbol<mlir::func::FuncOp>("main");
  for (auto [b, s] : sizes) {
    if (draw.needsElements && (b == 0 || s == 0))
      continue;
    SCOPED_TRACE("b = " + std::to_string(b) + ", s = " + std::to_string(s));
    Inputs inputs = inputsOf(main, draw.inputShapes(b, s), seed);
    reference::Evaluator before(*program, reference::allRules());
    auto want = before.call(main, inputs);
    ASSERT_TRUE(succeeded(want)) << programs.messages;
    reference::Evaluator after(*module, reference::allRules());
    auto got = callGraph(after, graph, inputs);
    ASSERT_TRUE(succeeded(got)) << programs.messages;
    ASSERT_EQ(got->size(), want->size());
    for (auto [i, a, e] : llvm::enumerate(*got, *want)) {
      SCOPED_TRACE("result " + std::to_string(i));
      expectSame(*a.tensor(), *e.tensor());
      if (::testing::Test::HasFatalFailure())
        return;
    }
    ++counts.runs;
  }
}

TEST(AscendDynamic, RandomProgramsAtSeveralSizes) {
  Programs programs;
  Counts counts;
  uint64_t seed = testSeed();
  const char *set = std::getenv("MERCATOR_RANDOM_PROGRAMS");
  const int64_t count = set ? std::atoll(set) : cases(600);
  for (int64_t i = 0; i < count && !::testing::Test::HasFailure(); ++i)
    check(programs, seed + i, counts);
  for (const auto &[reason, times] : counts.reasons)
    std::printf("  %ld times: %s\n", long(times), reason.c_str());
  std::printf("  %ld programs, %ld graphs, %ld runs, %ld operations left, "
              "%ld operators, from seed %lu on\n",
              long(count), long(counts.graphs), long(counts.runs),
              long(counts.left), long(counts.operators), (unsigned long)seed);
  EXPECT_GT(counts.graphs, count * 9 / 10);
}

TEST(AscendDynamic, ExtentsThatAreEqualInEveryRun) {
  Programs programs;
  auto module = programs.parse(R"(
    func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %z: tensor<?xf32>) -> tensor<?x4xf32> {
      %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
      %c = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
      %e = stablehlo.compare EQ, %b, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.custom_call @shape_assertion(%e) {has_side_effect = true} : (tensor<i1>) -> ()
      %bv = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
      %four = stablehlo.constant dense<4> : tensor<1xi32>
      %s = stablehlo.concatenate %bv, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %w = stablehlo.dynamic_broadcast_in_dim %z, %s, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
      %r = stablehlo.add %x, %y : tensor<?x4xf32>
      return %r : tensor<?x4xf32>
    }
  )");
  ASSERT_TRUE(module) << programs.messages;
  EqualExtents extents(*module);
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  mlir::Value x = main.getArgument(0), y = main.getArgument(1),
              z = main.getArgument(2), w, r;
  main.walk([&](mlir::Operation *op) {
    if (op->getName().stripDialect() == "dynamic_broadcast_in_dim")
      w = op->getResult(0);
    if (op->getName().stripDialect() == "add")
      r = op->getResult(0);
  });
  EXPECT_TRUE(extents.areSame(x, 0, y, 0));
  EXPECT_TRUE(extents.areSame(x, 0, w, 0));
  EXPECT_TRUE(extents.areSame(x, 0, r, 0));
  EXPECT_EQ(extents.constant(w, 1), 4);
  // It may be 1, and be repeated.
  EXPECT_FALSE(extents.areSame(z, 0, w, 0));
  EXPECT_EQ(extents.constant(x, 0), std::nullopt);
}
