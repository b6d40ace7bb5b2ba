// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Steps of training and random graphs, with dispatches formed in all ways: each
/// way computes what the program means. A failure prints the program and the seed.
///
///   MERCATOR_SEED=N               the programs of one seed
///   MERCATOR_TRAINING_STEPS=N     their number
///   MERCATOR_GRAPHS=N
///   MERCATOR_TRAINING_CODE=all    machine code of each program in each way, not
///                                 of some in one

#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/random/training/RandomPrograms.h"
#include "tests/transforms/lowering-random/LoweringCheck.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/run/StageValues.h"
#include "mercator/dialects/Register.h"
#include "mercator/reference/AllRules.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>

using namespace mercator;
using namespace mercator::testing;
using reference::Tensor;
using Values = std::vector<reference::Value>;
using mlir::func::FuncOp;

namespace {

/// Compares the results of one program after each stage with its own.
class Program {
public:
  Program(mlir::MLIRContext &context, const RandomProgram &program,
          uint64_t seed)
      : handler(&context, [this](mlir::Diagnostic &said) {
          if (message.empty() &&
              said.getSeverity() == mlir::DiagnosticSeverity::Error)
            message = said.str();
        }) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        program.text, mlir::ParserConfig(&context));
    if (!module)
      return;
    auto function = module->lookupSymbol<FuncOp>("f");
    type = function.getFunctionType();
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> fraction(-1, 1);
    for (auto [argument, below] :
         llvm::zip_equal(type.getInputs(), program.below)) {
      auto tensor = Tensor::zeros(mlir::cast<mlir::RankedTensorType>(argument),
                                  [&] { return function.emitError(); });
      for (int64_t i = 0; i < tensor->size(); ++i)
        tensor->set(
            i, below > 0 ? reference::Scalar::whole(engine() % uint64_t(below))
                         : reference::Scalar::real(fraction(engine)));
      arguments.emplace_back(*tensor);
    }
    if (auto values = evaluate(*module, arguments))
      expected = std::move(*values);
    if (failed(lowerTo(*module, Stage::Linalg)))
      expected.clear();
  }

  [[nodiscard]] bool isEvaluated() const { return !expected.empty(); }

  /// "" if the results are those of the program. `isEdgewise`: the cells of each
  /// edge within a dispatch are checked too.
  std::string check(Stage stage, const Formation &formation, bool isEdgewise) {
    message.clear();
    mlir::OwningOpRef<mlir::ModuleOp> lowered = module->clone();
    LoweringOptions options;
    options.formation = formation;
    CellsTally cells;
    if (isEdgewise)
      options.instrument = [&](mlir::PassManager &passes) {
        passes.addInstrumentation(createCellsCheck(cells));
      };
    if (failed(lowerTo(*lowered, stage, options)))
      return "it is not lowered: " + message;
    if (!cells.wrong.empty())
      return cells.wrong;
    auto function = lowered->lookupSymbol<FuncOp>("f");
    auto given =
        toStage(arguments, type.getInputs(), function.getArgumentTypes());
    auto results = stage == Stage::Cpu ? runCode(*lowered, *given)
                                       : evaluate(*lowered, *given);
    if (!results)
      return "it does not run: " + message;
    auto values = fromStage(*results, type.getResults());
    return values ? difference(*values) : "its results have other types";
  }

  std::string message;
  uint64_t scheduleSeed = 0; ///< of machine code: not 0 draws schedules

private:
  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< at linalg
  mlir::FunctionType type;
  Values arguments, expected;

  static std::optional<Values> evaluate(mlir::ModuleOp module,
                                        const Values &arguments) {
    reference::Evaluator evaluator(module, reference::allRules());
    auto results = evaluator.call(module.lookupSymbol<FuncOp>("f"), arguments);
    if (failed(results))
      return std::nullopt;
    return std::move(*results);
  }
  std::optional<Values> runCode(mlir::ModuleOp module,
                                const Values &arguments) {
    NativeOptions options;
    options.scheduleSeed = scheduleSeed;
    auto native = NativeProgram::compile(module, "f", options);
    if (failed(native))
      return std::nullopt;
    auto results = native->call(
        arguments, [&] { return mlir::emitError(module.getLoc()); });
    if (failed(results))
      return std::nullopt;
    return std::move(*results);
  }

  /// A result may be zero but for rounding: what counts is the largest element of
  /// all results.
  std::string difference(const Values &values) {
    double largest = 1;
    for (const reference::Value &value : expected)
      for (int64_t i = 0; i < value.tensor()->size(); ++i)
        if (double x = std::abs(real(*value.tensor(), i)); std::isfinite(x))
          largest = std::max(largest, x);
    for (size_t n = 0; n < expected.size(); ++n) {
      const Tensor &want = *expected[n].tensor(), &got = *values[n].tensor();
      if (want.shape() != got.shape())
        return "result " + std::to_string(n) + " has another shape";
      bool isNarrow = mlir::getElementTypeOrSelf(type.getResult(n)).isF32();
      double bound = largest * (isNarrow ? 1e-3 : 1e-9);
      for (int64_t i = 0; i < want.size(); ++i) {
        double x = real(want, i), y = real(got, i);
        bool isSame = x == y || (std::isnan(x) && std::isnan(y)) ||
                      std::abs(x - y) <= bound;
        if (!isSame)
          return "result " + std::to_string(n) + ", element " +
                 std::to_string(i) + ": " + std::to_string(y) + " for " +
                 std::to_string(x);
      }
    }
    return "";
  }

  static double real(const Tensor &tensor, int64_t i) {
    reference::Scalar scalar = tensor.at(i);
    return tensor.element().isReal() ? scalar.re : double(scalar.integer);
  }
};

std::unique_ptr<mlir::MLIRContext> makeContext() {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  return std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
}

int countOf(const char *variable, int usual) {
  int count = givenSeed() ? 1 : usual;
  if (const char *number = std::getenv(variable))
    EXPECT_FALSE(llvm::StringRef(number).getAsInteger(10, count));
  return count;
}

void checkAll(int count, int codeEvery,
              llvm::function_ref<RandomProgram(uint64_t)> draw) {
  llvm::EnablePrettyStackTrace();
  llvm::sys::PrintStackTraceOnErrorSignal("formation-tests");
  const char *code = std::getenv("MERCATOR_TRAINING_CODE");
  bool isAllCode = code && llvm::StringRef(code) == "all";
  int64_t flows = 0, codes = 0, failures = 0;
  std::unique_ptr<mlir::MLIRContext> context;
  uint64_t first = givenSeed().value_or(testSeed() % 1'000'000);
  for (uint64_t seed = first; seed < first + uint64_t(count); ++seed) {
    llvm::PrettyStackTraceFormat place("MERCATOR_SEED=%llu",
                                       (unsigned long long)seed);
    // Types and attributes are never freed.
    if (!context || seed % 256 == 0)
      context = makeContext();
    RandomProgram drawn = draw(seed);
    if (givenSeed() && count == 1) {
      llvm::outs() << drawn.text;
      llvm::outs().flush();
    }
    Program program(*context, drawn, seed);
    ASSERT_TRUE(program.isEvaluated())
        << "MERCATOR_SEED=" << seed << " " << program.message << "\n"
        << drawn.text;
    auto expectSame = [&](Stage stage, const Formation &formation) {
      // Half of the programs run with schedules that are drawn.
      program.scheduleSeed = seed / uint64_t(codeEvery) / 4 % 2 * seed;
      std::string wrong =
          program.check(stage, formation,
                        /*isEdgewise=*/stage == Stage::Flow && seed % 8 == 0);
      if (!wrong.empty() && ++failures < 10)
        ADD_FAILURE() << "MERCATOR_SEED=" << seed << ", fusion "
                      << int(formation.fusion)
                      << (formation.device == Formation().device ? ""
                                                                 : " (slow)")
                      << (stage == Stage::Cpu ? ", code: " : ": ") << wrong
                      << "\n"
                      << drawn.text;
      ++(stage == Stage::Cpu ? codes : flows);
    };
    for (auto [i, formation] : llvm::enumerate(allFormations())) {
      expectSame(Stage::Flow, formation);
      if (isAllCode || (seed % uint64_t(codeEvery) == 0 &&
                        seed / uint64_t(codeEvery) % 4 == i))
        expectSame(Stage::Cpu, formation);
    }
  }
  EXPECT_EQ(failures, 0);
  llvm::outs() << "programs from seed " << first << ": " << count << ", "
               << flows << " times to dispatches, " << codes
               << " times to machine code\n";
  llvm::outs().flush();
}

TEST(Formation, StepsOfTrainingAgreeInAllWays) {
  checkAll(countOf("MERCATOR_TRAINING_STEPS", cases(300)), 20,
           randomTrainingStep);
}

TEST(Formation, GraphsAgreeInAllWays) {
  checkAll(countOf("MERCATOR_GRAPHS", cases(500)), 50, randomGraph);
}

} // namespace
