// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans of gathers: on random gathers, each strategy that applies is executed
// with gathers that refuse an index out of range, and gives the reference
// evaluator's result for the gather itself.

#include "mercator/targets/ascend/gather/Planner.h"

#include "mercator/dialects/Register.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/AllRules.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/gather/CarryOut.h"
#include "tests/targets/ascend/gather/RandomGather.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <array>
#include <functional>

using namespace mercator;
using namespace mercator::gather;
using llvm::SmallVector;
using llvm::StringRef;
using mercator::reference::Scalar;
using mercator::reference::Tensor;
using reference::Value;

//===--- Random gathers ---------------------------------------------------===//

namespace {
struct PlanChecker {
  PlanChecker() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
  }

  static Numbers numbers(const Tensor &tensor) {
    Numbers out{Ints(tensor.shape()), {}};
    for (int64_t i = 0; i < tensor.size(); ++i) {
      // A ui64 keeps its bits.
      Scalar value = tensor.at(i);
      out.values.push_back(int64_t(value.integer));
    }
    return out;
  }

  /// Checks each strategy; false if the gather itself cannot be evaluated.
  bool check(uint64_t seed);

  mlir::MLIRContext context;
  std::array<int64_t, kStrategies> applied{}, taken{};
  std::array<int64_t, 5> roles{};
  int64_t idle = 0, others = 0;
};
} // namespace

bool PlanChecker::check(uint64_t seed) {
  Draw draw(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + draw.text);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(draw.text, &context);
  if (!module) {
    ADD_FAILURE() << "the program is refused";
    return false;
  }
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  auto emit = [&] { return module->emitError(); };
  Tensor operand = *Tensor::zeros(
             llvm::cast<mlir::RankedTensorType>(main.getArgumentTypes()[0]),
             emit),
         start = *Tensor::zeros(
             llvm::cast<mlir::RankedTensorType>(main.getArgumentTypes()[1]),
             emit);
  for (int64_t i = 0; i < operand.size(); ++i)
    operand.set(i, Scalar::whole(i));
  for (int64_t i = 0; i < start.size(); ++i)
    start.set(i, Scalar::whole(draw.start()));
  stablehlo::GatherOp gather;
  main.walk([&](stablehlo::GatherOp op) { gather = op; });

  std::string why;
  llvm::FailureOr<GatherProblem> problem = gatherProblem(gather, why);
  if (failed(problem))
    return false;
  reference::Evaluator evaluator(*module, reference::allRules());
  llvm::FailureOr<std::vector<Value>> results =
      evaluator.call(main, {operand, start});
  if (failed(results)) {
    ADD_FAILURE() << "the gather itself fails";
    return false;
  }
  const Tensor &expected = *(*results)[0].tensor();
  EXPECT_EQ(numbersOf(problem->resultShape), Ints(expected.shape()));
  Numbers want = numbers(expected), x = numbers(operand),
          starts = numbers(*(*results)[1].tensor());
  for (Role role : problem->roles())
    ++roles[unsigned(role)];
  Planning planning = planGather(*problem);
  EXPECT_TRUE(planning.best());
  if (planning.best())
    ++taken[unsigned(planning.best()->strategy)];
  for (const Candidate &candidate : planning.candidates) {
    if (!candidate.plan) {
      EXPECT_FALSE(candidate.why.empty());
      continue;
    }
    ++applied[unsigned(candidate.strategy)];
    others += candidate.others.size();
    for (const std::string &note : candidate.plan->notes)
      idle += StringRef(note).ends_with("no clamp");
    SmallVector<const Plan *> plans{&*candidate.plan};
    for (const Plan &other : candidate.others)
      plans.push_back(&other);
    for (const Plan *plan : plans) {
      std::string text;
      llvm::raw_string_ostream os(text);
      plan->print(os);
      SCOPED_TRACE(name(candidate.strategy).str() + ":\n" + text);
      std::optional<Numbers> got = carryOut(*plan, x, starts);
      EXPECT_TRUE(got) << "an index is outside";
      if (!got)
        continue;
      EXPECT_EQ(got->shape, want.shape);
      EXPECT_EQ(got->values, want.values);
    }
  }
  return true;
}

TEST(GatherPlan, RandomGathersByEachStrategy) {
  PlanChecker checker;
  uint64_t seed = testSeed();
  int64_t asked = 0;
  const int64_t kCases = countOfCases();
  for (int64_t i = 0; i < kCases && !::testing::Test::HasFailure(); ++i)
    asked += checker.check(seed + i);
  EXPECT_GT(asked, kCases * 9 / 10);
  for (unsigned i = 0; i < kStrategies; ++i) {
    std::printf("  %-15s applies to %5ld, taken for %5ld\n",
                name(Strategy(i)).str().c_str(), long(checker.applied[i]),
                long(checker.taken[i]));
    EXPECT_GT(checker.applied[i], kCases / 50);
    if (Strategy(i) != Strategy::FlatGatherV2) {
      EXPECT_GT(checker.taken[i], 0);
    }
  }
  for (unsigned i = 0; i < checker.roles.size(); ++i)
    EXPECT_GT(checker.roles[i], 0) << name(Role(i)).str();
  EXPECT_GT(checker.idle, 0);
  EXPECT_GT(checker.others, kCases / 10);
  std::printf("  %ld gathers from seed %lu on\n", long(asked),
              (unsigned long)seed);
}
