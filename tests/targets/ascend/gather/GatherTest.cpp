// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random gathers in the operators of GE: evaluated by a rule for each operator,
// where an index out of range is an error, they give the result of the gather
// itself.

#include "mercator/dialects/Register.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/AllRules.h"
#include "mercator/targets/ascend/Passes.h"
#include "mercator/targets/ascend/gather/EmitPlan.h"
#include "mercator/targets/ascend/rules/Convert.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/gather/RandomGather.h"
#include "tests/targets/ascend/gather/Rows.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <cstring>
#include <ctime>
#include <map>

using namespace mercator;
using gather::Draw;
using llvm::FailureOr;
using llvm::StringRef;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using reference::Evaluator;
using reference::Scalar;
using reference::Tensor;
using reference::Value;

namespace {
struct Choice {
  const char *soc;
  bool gatherV2D;
};
constexpr std::array<Choice, 3> choices = {
    {{"any", false}, {"910b", false}, {"any", true}}};

class Checker {
public:
  Checker() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<ascend::AscendDialect>();
    for (const Choice &choice : choices) {
      managers.push_back(std::make_unique<mlir::PassManager>(&context));
      managers.back()->addPass(ascend::createConvertStablehloToAscend(
          {.soc = choice.soc, .gatherV2D = choice.gatherV2D}));
    }
  }

  void check(uint64_t seed);
  void checkUnknownExtents(uint64_t seed);

  int64_t runs = 0;
  std::map<std::string, int64_t> refused;
  int64_t converted = 0, tooHigh = 0, empty = 0, beside = 0, v2d = 0;
  gather::RowCounts rows = {};
  std::array<int64_t, gather::kStrategies> emitted = {};

private:
  void countRows(stablehlo::GatherOp op);
  void expectGatherV2D(ModuleOp module, bool isWanted);
  void expectSame(ModuleOp module, llvm::ArrayRef<Value> inputs,
                  const Tensor &want);
  void checkEachStrategy(ModuleOp module, llvm::ArrayRef<Value> inputs,
                         const Tensor &want);

  std::string messages;

  mlir::MLIRContext context;
  std::vector<std::unique_ptr<mlir::PassManager>> managers;
};
} // namespace

/// Elements that identify their position, as far as their type allows.
static Tensor fill(mlir::Type type, llvm::function_ref<int64_t(int64_t)> value,
                   ModuleOp module) {
  Tensor tensor = *Tensor::zeros(llvm::cast<mlir::RankedTensorType>(type),
                                 [&] { return module.emitError(); });
  bool isFloat = llvm::isa<mlir::FloatType>(tensor.type().getElementType());
  for (int64_t i = 0; i < tensor.size(); ++i) {
    int64_t number = value(i);
    tensor.set(i,
               isFloat ? Scalar::real(double(number)) : Scalar::whole(number));
  }
  return tensor;
}

/// The rows of the decision table for the gather, on either device.
void Checker::countRows(stablehlo::GatherOp op) {
  std::string why;
  FailureOr<gather::GatherProblem> problem = gather::gatherProblem(op, why);
  ASSERT_TRUE(succeeded(problem)) << why;
  mlir::Type element =
      llvm::cast<mlir::RankedTensorType>(op.getOperand().getType())
          .getElementType();
  for (const Device *device : {&devices::ascendAny(), &devices::ascend910b()}) {
    gather::Planning planning =
        ascend::planFor(*problem, element, {.device = device});
    const gather::Candidate *best = planning.best();
    if (!best)
      continue;
    beside += !best->why.empty();
    for (int64_t row : gather::rowsOf(*problem, best->strategy))
      ++rows[row];
  }
}

/// GatherV2D is used only if it is requested and can replace GatherV2.
void Checker::expectGatherV2D(ModuleOp module, bool isWanted) {
  const ascend::TypeSet types =
      ascend::findOperator("GatherV2D")->inputs.front().types;
  module.walk([&](ascend::GatherV2DOp op) {
    EXPECT_TRUE(isWanted);
    ++v2d;
  });
  module.walk([&](ascend::GatherV2Op op) {
    mlir::Type element = llvm::cast<mlir::RankedTensorType>(op.getX().getType())
                             .getElementType();
    EXPECT_FALSE(isWanted && op.getBatchDims() == 0 &&
                 types.has(*ascend::geType(element)));
  });
}

/// GE's tensors have at most eight dimensions.
static bool isTooHigh(stablehlo::GatherOp op) {
  return llvm::any_of(
      mlir::TypeRange(llvm::ArrayRef<mlir::Type>{op.getOperand().getType(),
                                                 op.getStartIndices().getType(),
                                                 op.getResult().getType()}),
      [](mlir::Type type) {
        return llvm::cast<mlir::RankedTensorType>(type).getRank() > 8;
      });
}

static std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text;
}

void Checker::expectSame(ModuleOp module, llvm::ArrayRef<Value> inputs,
                         const Tensor &want) {
  Evaluator evaluator(module, reference::allRules());
  FailureOr<std::vector<Value>> results =
      evaluator.call(module.lookupSymbol<mlir::func::FuncOp>("main"), inputs);
  ASSERT_TRUE(succeeded(results)) << messages << printed(module);
  const Tensor &got = *(*results)[0].tensor();
  ASSERT_EQ(got.type(), want.type()) << printed(module);
  ASSERT_EQ(std::memcmp(got.data(), want.data(), got.byteSize()), 0)
      << printed(module);
}

/// Not only the chosen strategy: each one for which GE has operators.
void Checker::checkEachStrategy(ModuleOp module, llvm::ArrayRef<Value> inputs,
                                const Tensor &want) {
  for (unsigned i = 0; i < gather::kStrategies; ++i) {
    OwningOpRef<ModuleOp> after = module.clone();
    stablehlo::GatherOp op;
    after->walk([&](stablehlo::GatherOp found) { op = found; });
    std::string why;
    FailureOr<gather::GatherProblem> problem = gather::gatherProblem(op, why);
    ASSERT_TRUE(succeeded(problem)) << why;
    mlir::Type element =
        llvm::cast<mlir::RankedTensorType>(op.getOperand().getType())
            .getElementType();
    gather::Planning planning =
        ascend::planFor(*problem, element, {.device = &devices::ascendAny()});
    const gather::Candidate &candidate = planning.candidates[i];
    if (!candidate.feasible)
      continue;
    ++emitted[i];
    mlir::ImplicitLocOpBuilder b(op.getLoc(), op);
    op.getResult().replaceAllUsesWith(ascend::emitPlan(
        b, *candidate.plan, op.getOperand(), op.getStartIndices()));
    op.erase();
    ASSERT_TRUE(succeeded(mlir::verify(*after))) << messages << printed(*after);
    expectSame(*after, inputs, want);
  }
}

void Checker::check(uint64_t seed) {
  // Often bf16: the 910B's IndexByTensor, the rival of GatherNd, lacks it.
  static constexpr std::array<const char *, 9> elements = {
      "f32", "bf16", "i32", "ui16", "i1", "bf16", "i8", "f64", "i64"};
  Draw draw(seed, elements[seed % elements.size()]);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + draw.text);
  messages.clear();
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &it) { messages += it.str() + "\n"; });
  auto module = mlir::parseSourceString<ModuleOp>(draw.text, &context);
  ASSERT_TRUE(module) << messages;
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  Tensor operand = fill(
             main.getArgumentTypes()[0], [](int64_t i) { return i * 7 % 127; },
             *module),
         starts = fill(
             main.getArgumentTypes()[1], [&](int64_t) { return draw.start(); },
             *module);
  Evaluator before(*module, reference::allRules());
  FailureOr<std::vector<Value>> expected = before.call(main, {operand, starts});
  // A slice without elements whose dimension is not in the result.
  if (failed(expected)) {
    ++empty;
    return;
  }
  const Tensor &want = *(*expected)[0].tensor();
  stablehlo::GatherOp op;
  main.walk([&](stablehlo::GatherOp found) { op = found; });
  countRows(op);
  for (auto [choice, manager] : llvm::zip_equal(choices, managers)) {
    OwningOpRef<ModuleOp> after = module->clone();
    ASSERT_TRUE(succeeded(manager->run(*after))) << messages;
    bool isLeft = false;
    after->walk([&](stablehlo::GatherOp) { isLeft = true; });
    ASSERT_EQ(isLeft, isTooHigh(op));
    ++(isLeft ? tooHigh : converted);
    expectGatherV2D(*after, choice.gatherV2D);
    expectSame(*after, {operand, starts}, want);
  }
  // Each takes time, and there are many of them.
  if (seed % 4 == 0)
    checkEachStrategy(*module, {operand, starts}, want);
}

TEST(AscendGather, RandomGathersWithoutATrap) {
  Checker checker;
  uint64_t seed = testSeed();
  int64_t cases = gather::countOfCases();
  for (int64_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i)
    checker.check(seed + i);
  std::printf("  %ld gathers from seed %lu on, each for any device, for the "
              "910B and with GatherV2D: %ld converted, %ld beside the cores, "
              "%ld of more than 8 dimensions, %ld undefined; %ld by "
              "GatherV2D\n",
              long(cases), (unsigned long)seed, long(checker.converted),
              long(checker.beside), long(checker.tooHigh), long(checker.empty),
              long(checker.v2d));
  gather::print(checker.rows);
  for (auto [name, count] : llvm::zip_equal(gather::rowNames, checker.rows))
    EXPECT_GT(count, 0) << name;
  EXPECT_GT(checker.v2d, 0);
  for (unsigned i = 0; i < gather::kStrategies; ++i) {
    std::printf("  %8ld  emitted as %s\n", long(checker.emitted[i]),
                gather::name(gather::Strategy(i)).str().c_str());
    EXPECT_GT(checker.emitted[i], cases / 200);
  }
  EXPECT_LT(checker.tooHigh + checker.empty, cases / 10);
}

/// Replaces some extents of the operand and of the batch by `?`.
static void forgetExtents(mlir::func::FuncOp main, stablehlo::GatherOp op,
                          std::mt19937_64 &random) {
  auto forget = [&](mlir::Value value, int64_t keep) {
    auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
    llvm::SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, extent] : llvm::enumerate(shape))
      if (int64_t(dim) != keep && random() % 2)
        extent = mlir::ShapedType::kDynamic;
    value.setType(type.clone(shape));
    return shape;
  };
  int64_t vector = op.getDimensionNumbers().getIndexVectorDim();
  forget(op.getOperand(), -1);
  llvm::SmallVector<int64_t> batch = forget(op.getStartIndices(), vector);
  if (vector < int64_t(batch.size()))
    batch.erase(batch.begin() + vector);
  auto type = llvm::cast<mlir::RankedTensorType>(op.getType());
  llvm::SmallVector<int64_t> shape(type.getShape());
  size_t next = 0;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (!llvm::is_contained(op.getDimensionNumbers().getOffsetDims(),
                            int64_t(dim)))
      extent = batch[next++];
  op.getResult().setType(type.clone(shape));
  mlir::Operation *end = main.getBody().front().getTerminator();
  main.setType(mlir::FunctionType::get(main.getContext(),
                                       main.getBody().getArgumentTypes(),
                                       end->getOperandTypes()));
}

/// A gather of which some extents are known only at run time, by each way that
/// is possible.
void Checker::checkUnknownExtents(uint64_t seed) {
  static constexpr std::array<const char *, 6> elements = {"f32", "bf16", "i32",
                                                           "i16", "i1",   "i8"};
  Draw draw(seed, elements[seed % elements.size()]);
  messages.clear();
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &it) { messages += it.str() + "\n"; });
  auto module = mlir::parseSourceString<ModuleOp>(draw.text, &context);
  ASSERT_TRUE(module) << messages;
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  stablehlo::GatherOp op;
  main.walk([&](stablehlo::GatherOp found) { op = found; });
  if (op.getStartIndices() != main.getArgument(1))
    return; // the operations that make the starts have static shapes
  Tensor operand = fill(
             main.getArgumentTypes()[0], [](int64_t i) { return i * 7 % 127; },
             *module),
         starts = fill(
             main.getArgumentTypes()[1], [&](int64_t) { return draw.start(); },
             *module);
  FailureOr<std::vector<Value>> expected =
      Evaluator(*module, reference::allRules()).call(main, {operand, starts});
  if (failed(expected))
    return;
  const Tensor &want = *(*expected)[0].tensor();
  forgetExtents(main, op, draw.random);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + printed(*module));
  ASSERT_TRUE(succeeded(mlir::verify(*module))) << messages;
  for (unsigned i = 0; i < gather::kStrategies; ++i) {
    OwningOpRef<ModuleOp> after = module->clone();
    std::vector<ascend::Unconverted> left = ascend::convertToAscend(
        *after, {.plan = {.device = &devices::ascendAny(),
                          .way = gather::Strategy(i)}});
    if (!left.empty()) {
      ++refused[left[0].why];
      return; // by any way
    }
    ASSERT_TRUE(succeeded(mlir::verify(*after))) << messages << printed(*after);
    FailureOr<std::vector<Value>> results =
        Evaluator(*after, reference::allRules())
            .call(after->lookupSymbol<mlir::func::FuncOp>("main"),
                  {operand, starts});
    ASSERT_TRUE(succeeded(results)) << messages << printed(*after);
    const Tensor &got = *(*results)[0].tensor();
    ASSERT_EQ(got.shape(), want.shape()) << printed(*after);
    ASSERT_EQ(std::memcmp(got.data(), want.data(), want.byteSize()), 0)
        << printed(*after);
    ++runs;
  }
}

TEST(AscendGather, RandomGathersWithUnknownExtents) {
  Checker checker;
  uint64_t seed = testSeed();
  int64_t cases = gather::countOfCases();
  for (int64_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i)
    checker.checkUnknownExtents(seed + i);
  std::printf("  %ld gathers from seed %lu on, %ld runs\n", long(cases),
              (unsigned long)seed, long(checker.runs));
  for (const auto &[why, times] : checker.refused)
    std::printf("  %8ld refused: %s\n", long(times), why.c_str());
  EXPECT_GT(checker.runs, cases);
}

/// Many gathers, each at the indices of the one before plus one: the facts
/// known about them are ever further back.
static std::string chainOfGathers(int64_t count) {
  constexpr StringRef types = " : (tensor<64xi32>, tensor<8xi32>) -> "
                              "tensor<8xi32>\n";
  std::string text = "func.func @main(%x: tensor<64xi32>, %i0: tensor<8xi32>) "
                     "-> tensor<8xi32> {\n  %one = stablehlo.constant "
                     "dense<1> : tensor<8xi32>\n";
  for (int64_t i = 0; i < count; ++i) {
    std::string next = std::to_string(i + 1);
    text += "  %i" + next + " = stablehlo.add %i" + std::to_string(i) +
            ", %one : tensor<8xi32>\n  %v" + next +
            " = \"stablehlo.gather\"(%x, %i" + next +
            ") <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = "
            "[0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = "
            "array<i64: 1>}>" +
            types.str();
  }
  return text + "  return %v" + std::to_string(count) + " : tensor<8xi32>\n}\n";
}

TEST(AscendGather, ManyGathersInLinearTime) {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<ascend::AscendDialect>();
  // The minimum of several processor times: other work only makes it longer.
  auto seconds = [&](int64_t count) {
    std::string text = chainOfGathers(count);
    double least = 1e9;
    for (int round = 0; round < 3; ++round) {
      auto module = mlir::parseSourceString<ModuleOp>(text, &context);
      std::clock_t begin = std::clock();
      std::vector<ascend::Unconverted> left = ascend::convertToAscend(
          *module, {.plan = {.device = &devices::ascend910b()}});
      least = std::min(least, double(std::clock() - begin) / CLOCKS_PER_SEC);
      EXPECT_TRUE(left.empty());
    }
    return least;
  };
  double quarter = seconds(500), half = seconds(1000), whole = seconds(2000);
  std::printf("  500, 1,000, 2,000 gathers in %.1f, %.1f, %.1f ms\n",
              quarter * 1e3, half * 1e3, whole * 1e3);
  // Quadratic would be 16.
  EXPECT_LT(whole, 9 * quarter);
}
