// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random programs with unknown extents as machine code, compiled once and run at
// several shapes, with every access checked. The evaluator gives the results.

#include "mercator/compiler/Native.h"
#include "mercator/compiler/Stage.h"
#include "mercator/compiler/StageValues.h"
#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/lowering/DynamicDraw.h"
#include "tests/targets/ascend/lowering/Programs.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "gtest/gtest.h"

using namespace mercator;
using reference::Tensor;
using reference::Value;

namespace {
using Module = mlir::OwningOpRef<mlir::ModuleOp>;

struct Shape {
  int64_t b, s;
};
constexpr Shape kShapes[] = {{2, 3}, {1, 1}, {4, 2}, {0, 3}};

const Formation kFormations[] = {
    {}, {.fusion = Fusion::aggressive}, {.fusion = Fusion::seed}};

mlir::func::FuncOp mainOf(mlir::ModuleOp module) {
  return module.lookupSymbol<mlir::func::FuncOp>("main");
}

std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// Where the tensors differ. Sums of floats may be in another order.
std::string difference(const Tensor &got, const Tensor &wanted) {
  if (got.shape() != wanted.shape()) {
    std::string text = "got the shape";
    for (int64_t extent : got.shape())
      text += " " + std::to_string(extent);
    text += ", expected";
    for (int64_t extent : wanted.shape())
      text += " " + std::to_string(extent);
    return text;
  }
  bool isFloat = llvm::isa<mlir::FloatType>(got.type().getElementType());
  for (int64_t i = 0; i < got.size(); ++i) {
    double a = isFloat ? got.at(i).re : double(got.at(i).integer),
           b = isFloat ? wanted.at(i).re : double(wanted.at(i).integer);
    bool isEqual = a == b || (std::isnan(a) && std::isnan(b)) ||
                   (isFloat && std::abs(a - b) <= 1e-4 * (1 + std::abs(b)));
    if (!isEqual)
      return "got " + std::to_string(a) + " at " + std::to_string(i) +
             ", expected " + std::to_string(b);
  }
  return "";
}

class Checker {
public:
  /// What is wrong with the program as machine code; empty if nothing is.
  std::string check(mlir::ModuleOp module, const DynamicDraw &draw,
                    uint64_t seed);
  /// The smallest program found that is wrong as well.
  std::string minimised(const DynamicDraw &draw, uint64_t seed);

  Programs programs;
  int64_t runs = 0, refused = 0;
};
} // namespace

std::string Checker::check(mlir::ModuleOp module, const DynamicDraw &draw,
                           uint64_t seed) {
  Module lowered = module.clone();
  mlir::FunctionType types = mainOf(module).getFunctionType();
  programs.messages.clear();
  LoweringOptions options{.formation =
                              kFormations[seed % std::size(kFormations)]};
  if (failed(lowerTo(*lowered, Stage::flow, options)))
    return "it cannot be lowered: " + programs.messages;
  auto native = NativeProgram::compile(*lowered, "main", {.isChecked = true});
  if (failed(native))
    return "it has no code: " + programs.messages;
  for (auto [b, s] : kShapes) {
    if (draw.needsElements && b == 0)
      continue;
    std::mt19937_64 engine(seed);
    std::vector<Value> inputs;
    for (auto [type, shape] :
         llvm::zip_equal(types.getInputs(), draw.inputShapes(b, s))) {
      mlir::Type element = mlir::getElementTypeOrSelf(type);
      Tensor tensor =
          *Tensor::zeros(mlir::RankedTensorType::get(shape, element),
                         [&] { return module.emitError(); });
      for (int64_t i = 0; i < tensor.size(); ++i) {
        auto value = int64_t(engine() % 9) - 3;
        tensor.set(i, llvm::isa<mlir::FloatType>(element)
                          ? reference::Scalar::real(double(value))
                          : reference::Scalar::whole(value));
      }
      inputs.emplace_back(std::move(tensor));
    }
    std::string where =
        "b = " + std::to_string(b) + ", s = " + std::to_string(s) + ": ";
    programs.messages.clear();
    reference::Evaluator evaluator(module, reference::allRules());
    auto wanted = evaluator.call(mainOf(module), inputs);
    if (failed(wanted)) {
      ++refused;
      continue;
    }
    auto given = toStage(inputs, types.getInputs(), native->type().getInputs());
    if (!given)
      return "its parameters are others";
    auto values =
        native->call(*given, [&] { return mlir::emitError(module.getLoc()); });
    if (failed(values))
      return where + programs.messages;
    auto got = fromStage(*values, types.getResults());
    if (!got)
      return where + "its results are others";
    ++runs;
    for (auto [mine, value] : llvm::zip_equal(*got, *wanted))
      if (std::string text = difference(*mine.tensor(), *value.tensor());
          !text.empty())
        return where + text;
  }
  return "";
}

/// Leaves one returned value, and the operations that it needs.
static void keepOnly(mlir::ModuleOp module, unsigned result) {
  mlir::func::FuncOp main = mainOf(module);
  auto end =
      llvm::cast<mlir::func::ReturnOp>(main.getBody().front().getTerminator());
  end->setOperands({end.getOperand(result)});
  main.setFunctionType(mlir::FunctionType::get(
      main.getContext(), main.getArgumentTypes(), end->getOperandTypes()));
  llvm::SmallVector<mlir::Operation *> operations;
  for (mlir::Operation &op : main.getBody().front().without_terminator())
    operations.push_back(&op);
  for (mlir::Operation *op : llvm::reverse(operations))
    if (op->use_empty() && op->getNumResults() > 0)
      op->erase();
}

std::string Checker::minimised(const DynamicDraw &draw, uint64_t seed) {
  Module whole = programs.parse(draw.text);
  unsigned count = mainOf(*whole).getNumResults();
  for (unsigned i = 0; i < count; ++i) {
    Module part = whole->clone();
    keepOnly(*part, i);
    if (std::string why = check(*part, draw, seed); !why.empty())
      return why + "\n" + textOf(*part);
  }
  return "";
}

TEST(UnknownExtents, MachineCodeComputesWhatTheProgramsMean) {
  llvm::EnablePrettyStackTrace();
  llvm::sys::PrintStackTraceOnErrorSignal("compiler-tests");
  Checker checker;
  int count = givenSeed() ? 1 : cases(500);
  if (const char *number = std::getenv("MERCATOR_RANDOM_PROGRAMS"))
    ASSERT_FALSE(llvm::StringRef(number).getAsInteger(10, count));
  uint64_t first = givenSeed().value_or(testSeed());
  for (uint64_t seed = first; seed < first + uint64_t(count); ++seed) {
    DynamicDraw draw(seed, DynamicDraw::Kind::anything);
    std::string place = "MERCATOR_SEED=" + std::to_string(seed);
    llvm::PrettyStackTraceString stack(place.c_str());
    Module module = checker.programs.parse(draw.text);
    ASSERT_TRUE(module) << place << "\n"
                        << draw.text << checker.programs.messages;
    std::string why = checker.check(*module, draw, seed);
    if (!why.empty())
      ADD_FAILURE() << place << "\n"
                    << why << "\n"
                    << draw.text
                    << "\nsmaller: " << checker.minimised(draw, seed);
  }
  llvm::outs() << checker.runs << " runs of " << count << " programs, "
               << checker.refused << " refused by the evaluator\n";
  llvm::outs().flush();
}
