// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random programs with unknown extents as machine code, compiled once and run at
// several shapes, with every access checked. The evaluator gives the results. Half
// of the runs have an extent that disagrees with others: machine code refuses what
// the evaluator refuses.

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Load.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/compiler/run/StageValues.h"
#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/rules/DynamicDraw.h"
#include "tests/targets/ascend/rules/Programs.h"

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
    {}, {.fusion = Fusion::Aggressive}, {.fusion = Fusion::Seed}};

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

/// Changes an unknown extent of one input by one. Says which.
template <typename Shapes>
static std::string change(mlir::FunctionType types, Shapes &shapes,
                          std::mt19937_64 &engine) {
  std::vector<std::pair<size_t, size_t>> unknown;
  for (auto [i, type] : llvm::enumerate(types.getInputs()))
    for (auto [dim, extent] :
         llvm::enumerate(llvm::cast<mlir::RankedTensorType>(type).getShape()))
      if (mlir::ShapedType::isDynamic(extent))
        unknown.emplace_back(i, dim);
  auto [input, dim] = unknown[engine() % unknown.size()];
  int64_t &extent = shapes[input][dim];
  extent += extent > 0 && engine() % 2 ? -1 : 1;
  return "input " + std::to_string(input) + " has the extent " +
         std::to_string(extent) + " in dimension " + std::to_string(dim);
}

/// Small numbers.
template <typename Shapes>
static std::vector<Value> inputsOf(mlir::ModuleOp module, const Shapes &shapes,
                                   std::mt19937_64 &engine) {
  std::vector<Value> inputs;
  for (auto [type, shape] :
       llvm::zip_equal(mainOf(module).getArgumentTypes(), shapes)) {
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    Tensor tensor = *Tensor::zeros(mlir::RankedTensorType::get(shape, element),
                                   [&] { return module.emitError(); });
    for (int64_t i = 0; i < tensor.size(); ++i) {
      auto value = int64_t(engine() % 9) - 3;
      tensor.set(i, llvm::isa<mlir::FloatType>(element)
                        ? reference::Scalar::real(double(value))
                        : reference::Scalar::whole(value));
    }
    inputs.emplace_back(std::move(tensor));
  }
  return inputs;
}

std::string Checker::check(mlir::ModuleOp module, const DynamicDraw &draw,
                           uint64_t seed) {
  Module lowered = module.clone();
  mlir::FunctionType types = mainOf(module).getFunctionType();
  programs.messages.clear();
  LoweringOptions options{.formation =
                              kFormations[seed % std::size(kFormations)]};
  if (failed(lowerTo(*lowered, Stage::Flow, options)))
    return "it cannot be lowered: " + programs.messages;
  auto native = NativeProgram::compile(*lowered, "main", {.isChecked = true});
  if (failed(native))
    return "it has no code: " + programs.messages;
  for (auto [b, s] : kShapes)
    for (bool isChanged : {false, true}) {
      if (draw.needsElements && b == 0)
        continue;
      std::mt19937_64 engine(seed);
      auto shapes = draw.inputShapes(b, s);
      std::string where =
          "b = " + std::to_string(b) + ", s = " + std::to_string(s) + ": ";
      if (isChanged)
        where += change(types, shapes, engine) + ": ";
      std::vector<Value> inputs = inputsOf(module, shapes, engine);
      programs.messages.clear();
      reference::Evaluator evaluator(module, reference::allRules());
      auto wanted = evaluator.call(mainOf(module), inputs);
      if (evaluator.isUnsupported() || evaluator.isOverLimit())
        continue;
      std::string why = std::exchange(programs.messages, "");
      auto given =
          toStage(inputs, types.getInputs(), native->type().getInputs());
      if (!given)
        return "its parameters are others";
      auto values = native->call(
          *given, [&] { return mlir::emitError(module.getLoc()); });
      if (failed(wanted)) {
        ++refused;
        if (succeeded(values))
          return where + "the evaluator refuses it: " + why;
        continue;
      }
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

namespace {
/// A program that makes a bounded vector smaller and larger, and what it computes:
/// the elements of its buffer, of which the first ones count.
struct Resizes {
  static constexpr int64_t kBound = 6;
  explicit Resizes(uint64_t seed) : engine(seed) {
    text = "func.func @main(%x: tensor<6xi32>) -> " + type + " {\n";
    buffer = {1, 2, 3, 4, 5, 6};
    current = "%x";
    resize(number(1, kBound - 1));
    for (int64_t i = number(2, 6); i > 0; --i)
      switch (number(0, 3)) {
      case 0:
        line(fresh() + " = stablehlo.negate " + current + " : " + type);
        for (int64_t &element : buffer)
          element = -element;
        current = last;
        break;
      case 1:
        put(number(-1, kBound), number(10, 99));
        break;
      case 2:
        loop(number(0, 3), number(0, 1) == 0);
        break;
      default:
        resize(number(1, kBound - 1));
      }
    resize(kBound - 1);
    line("return " + current + " : " + type);
    text += "}\n";
  }

  std::string text;
  std::vector<int64_t> buffer;
  int64_t size = kBound;

private:
  int64_t number(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  std::string fresh() { return last = "%v" + std::to_string(next++); }
  void line(const std::string &rest) { text += "  " + rest + "\n"; }
  std::string constant(int64_t value, const std::string &of = "tensor<i32>") {
    std::string name = fresh();
    line(name + " = stablehlo.constant dense<" + std::to_string(value) +
         "> : " + of);
    return name;
  }
  void resize(int64_t to) {
    std::string from = current == "%x" ? "tensor<6xi32>" : type,
                n = constant(to), name = fresh();
    line(name + " = stablehlo.set_dimension_size " + current + ", " + n +
         ", dim = 0 : (" + from + ", tensor<i32>) -> " + type);
    current = name;
    size = to;
  }
  void put(int64_t at, int64_t value) {
    std::string what = constant(value, "tensor<1xi32>"), where = constant(at),
                name = fresh();
    line(name + " = stablehlo.dynamic_update_slice " + current + ", " + what +
         ", " + where + " : (" + type + ", tensor<1xi32>, tensor<i32>) -> " +
         type);
    current = name;
    buffer[size_t(std::clamp<int64_t>(at, 0, size - 1))] = value;
  }
  /// Appends an element `times` times, and takes it off again.
  void loop(int64_t times, bool isTakenOff) {
    std::string zero = constant(0), one = constant(1), most = constant(times),
                bound = constant(kBound - 1), out = fresh(), i = "tensor<i32>";
    line(out + ":2 = stablehlo.while(%i = " + zero + ", %a = " + current +
         ") : " + i + ", " + type);
    line("cond {");
    line("  %c = stablehlo.compare LT, %i, " + most +
         ", SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>");
    line("  stablehlo.return %c : tensor<i1>");
    line("} do {");
    line("  %j = stablehlo.add %i, " + one + " : " + i);
    line("  %n = stablehlo.get_dimension_size %a, dim = 0 : (" + type +
         ") -> " + i);
    line("  %p = stablehlo.add %n, " + one + " : " + i);
    line("  %m = stablehlo.minimum %p, " + bound + " : " + i);
    line("  %b = stablehlo.set_dimension_size %a, %m, dim = 0 : (" + type +
         ", tensor<i32>) -> " + type);
    line("  %e = stablehlo.reshape %j : (tensor<i32>) -> tensor<1xi32>");
    line("  %d = stablehlo.dynamic_update_slice %b, %e, %n : (" + type +
         ", tensor<1xi32>, tensor<i32>) -> " + type);
    if (isTakenOff)
      line("  %f = stablehlo.set_dimension_size %d, %n, dim = 0 : (" + type +
           ", tensor<i32>) -> " + type);
    line(std::string("  stablehlo.return %j, ") + (isTakenOff ? "%f" : "%d") +
         " : " + i + ", " + type);
    line("}");
    current = out + "#1";
    for (int64_t j = 1; j <= times; ++j) {
      int64_t before = size;
      size = std::min(size + 1, kBound - 1);
      buffer[size_t(std::min(before, size - 1))] = j;
      if (isTakenOff)
        size = before;
    }
  }

  std::mt19937_64 engine;
  std::string type = "tensor<?xi32, #stablehlo.bounds<6>>", current, last;
  int64_t next = 0;
};
} // namespace

TEST(UnknownExtents, BoundedTensorsKeepTheirElements) {
  Programs programs;
  uint64_t first = givenSeed().value_or(testSeed());
  for (uint64_t seed = first; seed < first + uint64_t(cases(40)); ++seed) {
    Resizes resizes(seed);
    SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(seed) + "\n" + resizes.text);
    Module module = programs.parse(resizes.text);
    ASSERT_TRUE(module) << programs.messages;
    Programs::Inputs inputs = programs.inputs(
        *module, [](size_t, int64_t place) { return place + 1; });
    mlir::FunctionType types = mainOf(*module).getFunctionType();
    Module spelled = module->clone();
    ASSERT_TRUE(succeeded(spellInStablehlo(*spelled))) << programs.messages;
    std::vector<Tensor> wanted = programs.results(*spelled, inputs);
    ASSERT_EQ(wanted.size(), 1u) << programs.messages;
    ASSERT_TRUE(succeeded(lowerTo(*module, Stage::Flow))) << programs.messages;
    auto native = NativeProgram::compile(*module, "main", {.isChecked = true});
    ASSERT_TRUE(succeeded(native)) << programs.messages;
    auto values = native->call(
        *toStage(inputs, types.getInputs(), native->type().getInputs()),
        [&] { return module->emitError(); });
    ASSERT_TRUE(succeeded(values)) << programs.messages;
    auto got = fromStage(*values, types.getResults());
    ASSERT_TRUE(got);
    for (const Tensor &tensor : {wanted.front(), *got->front().tensor()}) {
      ASSERT_EQ(tensor.size(), resizes.size);
      for (int64_t i = 0; i < resizes.size; ++i)
        EXPECT_EQ(tensor.at(i).integer, resizes.buffer[size_t(i)]) << i;
    }
  }
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
    DynamicDraw draw(seed, DynamicDraw::Kind::Anything);
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
