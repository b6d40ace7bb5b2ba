// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Machine code of random kernels with schedules that are drawn at random: results have
/// the bits that they have with the best schedules. The schedules are written into the
/// text of the program, read again, and obeyed.
///
///   MERCATOR_SEED=N               the programs of one seed
///   MERCATOR_SCHEDULES=N          their number
///   MERCATOR_SCHEDULES_MODES=all  in all ways to form dispatches, not one each
///
/// LLVM optimizes the code of every ninth program. That of the others takes half of the
/// time, and has the same loops.

#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/random/training/RandomPrograms.h"
#include "tests/transforms/lowering-random/LoweringCheck.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/run/StageValues.h"
#include "mercator/dialects/Register.h"
#include "mercator/reference/AllRules.h"
#include "mercator/targets/cpu/kernels/Schedules.h"
#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace mercator;
using namespace mercator::testing;
using reference::Tensor;
using Values = std::vector<reference::Value>;
using mlir::func::FuncOp;

namespace {

std::unique_ptr<mlir::MLIRContext> makeKernelContext() {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  cpu::registerDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  return context;
}

class Kernels {
public:
  Kernels(mlir::MLIRContext &context, const RandomProgram &program,
          uint64_t seed)
      : seed(seed), handler(&context, [this](mlir::Diagnostic &said) {
          if (message.empty() &&
              said.getSeverity() == mlir::DiagnosticSeverity::Error)
            message = said.str();
        }) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        program.text, mlir::ParserConfig(&context));
    if (!module)
      return;
    auto function = module->lookupSymbol<FuncOp>("f");
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> fraction(-1, 1);
    for (auto [argument, below] :
         llvm::zip_equal(function.getArgumentTypes(), program.below)) {
      auto tensor = Tensor::zeros(mlir::cast<mlir::RankedTensorType>(argument),
                                  [&] { return function.emitError(); });
      for (int64_t i = 0; i < tensor->size(); ++i)
        tensor->set(
            i, below > 0 ? reference::Scalar::whole(engine() % uint64_t(below))
                         : reference::Scalar::real(fraction(engine)));
      arguments.emplace_back(*tensor);
    }
  }

  /// "" if all is well.
  std::string check(const Formation &formation, bool isEvaluated) {
    if (!module)
      return "it is not read: " + message;
    LoweringOptions lowering;
    lowering.formation = formation;
    auto best = clone(*module);
    if (failed(lowerTo(*best, Stage::Cpu, lowering)))
      return "it is not lowered: " + message;
    auto drawn = clone(*best);
    cpu::Machine machine = cpu::Machine::host();
    machine.scheduleSeed = seed + 1;
    if (failed(cpu::writeSchedules(*drawn, machine)))
      return "no schedules: " + message;
    std::string text;
    llvm::raw_string_ostream(text) << *drawn;
    auto read = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(module->getContext()));
    if (!read)
      return "the text with schedules is not read: " + message + "\n" + text;
    count(text);
    bool isOptimized = seed % 9 == 5;
    auto want = run(*best, seed % 5 == 1, isOptimized),
         got = run(*read, seed % 5 == 0, isOptimized);
    if (!want || !got)
      return (want ? "with schedules it does not run: " : "it does not run: ") +
             message + "\n" + text;
    std::string wrong = difference(*want, *got);
    if (wrong.empty() && isEvaluated)
      wrong = compareWithEvaluator(*got);
    return wrong.empty() ? "" : wrong + "\n" + text;
  }

  /// How many programs have a schedule of each kind.
  std::array<int, 4> counts = {};

private:
  uint64_t seed;
  std::string message;
  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Values arguments;

  static mlir::OwningOpRef<mlir::ModuleOp> clone(mlir::ModuleOp module) {
    return mlir::OwningOpRef<mlir::ModuleOp>(module.clone());
  }

  void count(llvm::StringRef text) {
    constexpr const char *names[] = {
        "mercator.schedule =", "mercator.tile =", "mercator.rows = \"group",
        "mercator.rows = \"alone"};
    for (auto [number, name] : llvm::zip_equal(counts, names))
      number += text.contains(name);
  }

  std::optional<Values> run(mlir::ModuleOp module, bool isChecked,
                            bool isOptimized) {
    NativeOptions options;
    options.isChecked = isChecked;
    options.isOptimized = isOptimized;
    auto types = module.lookupSymbol<FuncOp>("f").getArgumentTypes();
    auto native = NativeProgram::compile(module, "f", options);
    if (failed(native))
      return std::nullopt;
    auto given = toStage(
        arguments, this->module->lookupSymbol<FuncOp>("f").getArgumentTypes(),
        types);
    if (!given)
      return std::nullopt;
    auto results =
        native->call(*given, [&] { return mlir::emitError(module.getLoc()); });
    if (failed(results))
      return std::nullopt;
    return std::move(*results);
  }

  static double real(const Tensor &tensor, int64_t i) {
    reference::Scalar scalar = tensor.at(i);
    return tensor.element().isReal() ? scalar.re : double(scalar.integer);
  }

  std::string difference(const Values &want, const Values &got) const {
    for (size_t n = 0; n < want.size(); ++n)
      for (int64_t i = 0; i < want[n].tensor()->size(); ++i) {
        double x = real(*want[n].tensor(), i), y = real(*got[n].tensor(), i);
        if (x != y && !(std::isnan(x) && std::isnan(y)))
          return "result " + std::to_string(n) + ", element " +
                 std::to_string(i) + ": " + std::to_string(y) + " for " +
                 std::to_string(x);
      }
    return "";
  }

  std::string compareWithEvaluator(const Values &got) {
    reference::Evaluator evaluator(*module, reference::allRules());
    auto function = module->lookupSymbol<FuncOp>("f");
    auto want = evaluator.call(function, arguments);
    if (failed(want))
      return "it is not evaluated: " + message;
    auto values = fromStage(got, function.getResultTypes());
    if (!values)
      return "its results have other types";
    double largest = 1;
    for (const reference::Value &value : *want)
      for (int64_t i = 0; i < value.tensor()->size(); ++i)
        if (double x = std::abs(real(*value.tensor(), i)); std::isfinite(x))
          largest = std::max(largest, x);
    for (size_t n = 0; n < want->size(); ++n)
      for (int64_t i = 0; i < (*want)[n].tensor()->size(); ++i) {
        double x = real(*(*want)[n].tensor(), i),
               y = real(*(*values)[n].tensor(), i);
        bool isNarrow =
            mlir::getElementTypeOrSelf(function.getResultTypes()[n]).isF32();
        if (x != y && !(std::isnan(x) && std::isnan(y)) &&
            !(std::abs(x - y) <= largest * (isNarrow ? 1e-4 : 1e-11)))
          return "result " + std::to_string(n) + ", element " +
                 std::to_string(i) + ": " + std::to_string(y) +
                 ", by the evaluator " + std::to_string(x);
      }
    return "";
  }
};

/// Fills that stand far before their reductions. They were read as members of the
/// reductions' groups, which they are not.
TEST(Formation, FillsFarAwayAreInNoGroupOfRows) {
  for (uint64_t seed : {1'000'166, 1'000'486, 1'000'518}) {
    auto context = makeKernelContext();
    RandomProgram drawn = randomKernels(seed);
    Kernels kernels(*context, drawn, seed);
    llvm::ArrayRef<Formation> all = allFormations();
    EXPECT_EQ(kernels.check(all[seed / 8 % all.size()], false), "") << seed;
  }
}

/// Groups of cells whose text is read with more fills than they were chosen with. The
/// last tile repeated rows then, and had no code of its own.
TEST(Formation, GroupsOfCellsHaveTheTilesOfTheirText) {
  for (uint64_t seed : {7'200'152, 7'210'021}) {
    auto context = makeKernelContext();
    Kernels kernels(*context, randomKernels(seed), seed);
    for (const Formation &formation : allFormations())
      EXPECT_EQ(kernels.check(formation, false), "") << seed;
  }
}

/// Products of matrices with a dimension of extent 1 that is added by a view. Their
/// schedules were lost, also those written by hand.
TEST(Formation, ProductsOfUnitViewsHaveSchedules) {
  constexpr uint64_t kProgram = 8'004'172;
  auto context = makeKernelContext();
  Kernels kernels(*context, randomKernels(kProgram), kProgram);
  for (const Formation &formation : allFormations())
    EXPECT_EQ(kernels.check(formation, false), "");
}

/// A function of one element, and of vectors of elements. Instruction selection without
/// optimization fused products and sums of vectors alone.
TEST(Formation, FunctionsOfOneElementHaveTheBitsOfVectors) {
  for (uint64_t seed : {7'007'210, 7'008'474}) {
    auto context = makeKernelContext();
    RandomProgram drawn = randomKernels(seed);
    Kernels kernels(*context, drawn, seed);
    for (const Formation &formation : allFormations())
      EXPECT_EQ(kernels.check(formation, false), "") << seed;
  }
}

/// A test has a quarter of the programs, so that several run at once.
constexpr int kQuarters = 4;
class KernelSchedules : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Quarter, KernelSchedules,
                         ::testing::Range(0, kQuarters));

TEST_P(KernelSchedules, KeepBits) {
  llvm::EnablePrettyStackTrace();
  llvm::sys::PrintStackTraceOnErrorSignal("formation-tests");
  int total = givenSeed() ? 1 : cases(500), failures = 0;
  if (const char *number = std::getenv("MERCATOR_SCHEDULES"))
    ASSERT_FALSE(llvm::StringRef(number).getAsInteger(10, total));
  int before = total * GetParam() / kQuarters,
      programs = total * (GetParam() + 1) / kQuarters - before;
  const char *modes = std::getenv("MERCATOR_SCHEDULES_MODES");
  bool isAll = modes && llvm::StringRef(modes) == "all";
  constexpr uint64_t kUsual = 261'121; // the same programs each time
  uint64_t first = givenSeed().value_or(kUsual) + uint64_t(before);
  std::unique_ptr<mlir::MLIRContext> context;
  std::array<int, 4> counts = {};
  for (uint64_t seed = first; seed < first + uint64_t(programs); ++seed) {
    llvm::PrettyStackTraceFormat place("MERCATOR_SEED=%llu",
                                       (unsigned long long)seed);
    // Types and attributes are never freed.
    if (!context || seed % 64 == 0)
      context = makeKernelContext();
    RandomProgram drawn = randomKernels(seed);
    if (givenSeed() && total == 1) {
      llvm::outs() << drawn.text;
      llvm::outs().flush();
    }
    Kernels kernels(*context, drawn, seed);
    llvm::ArrayRef<Formation> all = allFormations();
    for (auto [i, formation] : llvm::enumerate(all)) {
      if (!isAll && i != seed / 8 % all.size())
        continue;
      std::string wrong = kernels.check(formation, seed % 15 == 3);
      if (!wrong.empty() && ++failures < 10)
        ADD_FAILURE() << "MERCATOR_SEED=" << seed << ", fusion "
                      << int(formation.fusion) << ": " << wrong << "\n"
                      << drawn.text;
    }
    for (auto [kind, number] : llvm::enumerate(kernels.counts))
      counts[kind] += number;
  }
  EXPECT_EQ(failures, 0);
  for (int number : counts) // each kind was drawn
    EXPECT_TRUE(programs < 60 || number > 0);
  llvm::outs() << "kernels from seed " << first << ": " << programs
               << ", with schedules of products " << counts[0] << ", of cells "
               << counts[1] << ", of rows " << counts[2] << ", of parts "
               << counts[3] << "\n";
  llvm::outs().flush();
}

} // namespace
