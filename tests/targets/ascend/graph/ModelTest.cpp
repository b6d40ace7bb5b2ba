// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Whole models as graphs: a small one gives the same numbers, and real ones
// convert completely.

#include "mercator/dialects/Register.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/AllRules.h"
#include "mercator/reference/ascend/Graph.h"
#include "mercator/targets/ascend/graph/FormGraphs.h"
#include "mercator/targets/ascend/prepare/InlineCalls.h"
#include "mercator/targets/ascend/rules/Convert.h"
#include "tests/Folders.h"
#include "tests/Seed.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace mercator;
using llvm::FailureOr;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using reference::Evaluator;
using reference::Scalar;
using reference::Tensor;
using reference::Value;

namespace {
class AscendModel : public testing::Test {
protected:
  AscendModel() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<ascend::AscendDialect>();
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &it) { messages += it.str() + "\n"; });
  }

  /// The graphs of a program; a remaining operation is an error.
  void formAll(ModuleOp module) {
    ASSERT_TRUE(succeeded(ascend::inlineCalls(module))) << messages;
    for (const ascend::Unconverted &it : ascend::convertToAscend(
             module, {.plan = {.device = &devices::ascend910b()}}))
      ADD_FAILURE() << it.op->getName().getStringRef().str() << ": " << it.why;
    for (const ascend::Unconverted &it : ascend::formGraphs(module))
      ADD_FAILURE() << it.why;
    ASSERT_TRUE(succeeded(mlir::verify(module))) << messages;
  }

  mlir::MLIRContext context;
  std::string messages;
};

/// A real model: its file, and its number of matrix products.
struct Real {
  const char *name;
  int64_t products, transposes;
};
class AscendRealModel : public AscendModel,
                        public testing::WithParamInterface<Real> {};
} // namespace

static Tensor randomTensor(mlir::Type type, std::mt19937_64 &random,
                           ModuleOp module) {
  Tensor tensor = *Tensor::zeros(llvm::cast<mlir::RankedTensorType>(type),
                                 [&] { return module.emitError(); });
  std::normal_distribution<double> normal;
  bool isFloat = tensor.element().isReal();
  // Some ids count from the end.
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.set(i, isFloat ? Scalar::real(normal(random))
                          : Scalar::whole(int64_t(random() % 38) - 19));
  return tensor;
}

TEST_F(AscendModel, SmallDecoderGivesTheSame) {
  auto module = mlir::parseSourceFile<ModuleOp>(
      sourceFolder() + "/tests/targets/ascend/graph/Inputs/decoder.mlir",
      &context);
  ASSERT_TRUE(module) << messages;
  OwningOpRef<ModuleOp> after = module->clone();
  formAll(*after);
  ASSERT_TRUE(llvm::hasSingleElement(*after->getBody()));
  auto graph = llvm::dyn_cast<ascend::GraphOp>(after->getBody()->front());
  ASSERT_TRUE(graph);
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  std::mt19937_64 random(testSeed());
  for (int run = 0; run < 20; ++run) {
    std::vector<Value> arguments;
    for (mlir::Type type : main.getArgumentTypes())
      arguments.push_back(randomTensor(type, random, *module));
    Evaluator before(*module, reference::allRules()),
        evaluator(*after, reference::allRules());
    FailureOr<std::vector<Value>> want = before.call(main, arguments),
                                  got = callGraph(evaluator, graph, arguments);
    ASSERT_TRUE(succeeded(want) && succeeded(got)) << messages;
    ASSERT_EQ(got->size(), want->size());
    for (auto [g, w] : llvm::zip_equal(*got, *want)) {
      ASSERT_EQ(g.tensor()->type(), w.tensor()->type());
      for (int64_t i = 0; i < w.tensor()->size(); ++i) {
        Scalar a = g.tensor()->at(i), b = w.tensor()->at(i);
        if (w.tensor()->element().isReal())
          ASSERT_NEAR(a.re, b.re, 1e-4) << "run " << run << ", element " << i;
        else
          ASSERT_EQ(a.integer, b.integer) << "run " << run;
      }
    }
  }
}

TEST_P(AscendRealModel, NothingStays) {
  std::string path = sharedFolder() + "/data/models/" + GetParam().name;
  if (!llvm::sys::fs::exists(path))
    GTEST_SKIP() << "no shared data: set MERCATOR_SHARED";
  auto module = mlir::parseSourceFile<ModuleOp>(path, &context);
  ASSERT_TRUE(module) << messages;
  formAll(*module);
  ASSERT_TRUE(llvm::hasSingleElement(*module->getBody()));
  ASSERT_TRUE(llvm::isa<ascend::GraphOp>(module->getBody()->front()));
  int64_t products = 0, transposes = 0;
  module->walk([&](mlir::Operation *op) {
    products += llvm::isa<ascend::MatMulOp, ascend::BatchMatMulOp>(op);
    transposes += llvm::isa<ascend::TransposeOp>(op);
  });
  EXPECT_EQ(products, GetParam().products);
  EXPECT_EQ(transposes, GetParam().transposes);
}

// The transpositions of the programs, two in a row counted as one, without
// those of weights, for which products have flags. If heads are not a leading
// dimension, as in the second model, the products of their matrices need a
// transposition: 24 of its 32.
INSTANTIATE_TEST_SUITE_P(
    Whole, AscendRealModel,
    testing::Values(Real{"pt_bert.mlir", 97, 48},
                    Real{"searchless_chess_9m.mlir", 73, 32}),
    [](const auto &info) {
      return llvm::StringRef(info.param.name).split('.').first.str();
    });
