// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Loops as machine code: what they compute, and how much they copy.
///
///   MERCATOR_SEED=N        the random program of one seed, which is printed
///   MERCATOR_LOOPS=N       the number of random programs

#include "LoweringCheck.h"
#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/random/programs/LoopPrograms.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/run/StageValues.h"
#include "mercator/dialects/Register.h"
#include "mercator/reference/AllRules.h"
#include "mercator/targets/cpu/host/InPlace.h"
#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "gtest/gtest.h"

#include <random>

using namespace mercator;
using namespace mercator::reference;
using namespace mercator::testing;
using RValue = mercator::reference::Value;
using mlir::func::FuncOp;

namespace {

/// A program in all its forms.
class LoopProgram {
public:
  explicit LoopProgram(const std::string &text) : text(text) {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    registerMapInterfaces(registry);
    cpu::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// How machine code and the evaluator differ; empty if they do not.
  std::string difference(uint64_t seed, const Formation &formation,
                         bool isChecked) {
    std::string message;
    mlir::ScopedDiagnosticHandler handler(
        &context,
        [&](mlir::Diagnostic &said) { message += said.str() + "\n"; });
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return "no program: " + message;
    FuncOp function = module->lookupSymbol<FuncOp>("f");
    mlir::FunctionType type = function.getFunctionType();
    std::vector<RValue> arguments;
    std::mt19937_64 engine(seed);
    int64_t unknown = 4 + int64_t(engine() % 60);
    for (mlir::Type each : type.getInputs()) {
      auto shaped = llvm::cast<mlir::RankedTensorType>(each);
      llvm::SmallVector<int64_t> shape(shaped.getShape());
      for (int64_t &extent : shape)
        if (mlir::ShapedType::isDynamic(extent))
          extent = unknown;
      auto tensor = Tensor::zeros(
          mlir::RankedTensorType::get(shape, shaped.getElementType()),
          [&] { return function.emitError(); });
      if (failed(tensor))
        return message;
      for (int64_t i = 0; i < tensor->size(); ++i)
        tensor->set(i, Scalar::whole(int64_t(engine() % 19) - 9));
      arguments.emplace_back(*tensor);
    }
    Limits limits;
    limits.operations = 1'000'000;
    limits.elementOperations = 100'000'000;
    Evaluator evaluator(*module, allRules(), limits);
    auto wanted = evaluator.call(function, arguments);
    if (failed(wanted))
      return evaluator.isOverLimit() ? "" : "evaluator: " + message;
    LoweringOptions options;
    options.formation = formation;
    if (failed(lowerTo(*module, Stage::Flow, options)))
      return "lowering: " + message;
    function = module->lookupSymbol<FuncOp>("f");
    auto given =
        toStage(arguments, type.getInputs(), function.getArgumentTypes());
    NativeOptions native;
    native.isChecked = isChecked;
    auto program = NativeProgram::compile(*module, "f", native);
    if (failed(program) || !given)
      return "compiling: " + message;
    // The second run finds what the first one left in memory.
    for (int i = 0; i < 2; ++i) {
      auto got = program->call(
          *given, [&] { return mlir::emitError(module->getLoc()); });
      if (failed(got))
        return "running: " + message;
      auto results = fromStage(*got, type.getResults());
      if (!results)
        return "the results have other types";
      for (auto [number, both] :
           llvm::enumerate(llvm::zip_equal(*wanted, *results))) {
        const Tensor &want = *std::get<0>(both).tensor();
        const Tensor &own = *std::get<1>(both).tensor();
        if (want.shape() != own.shape())
          return "result " + std::to_string(number) + " has another shape";
        for (int64_t k = 0; k < want.size(); ++k)
          if (want.at(k).integer != own.at(k).integer)
            return "run " + std::to_string(i) + ", result " +
                   std::to_string(number) + " at " + std::to_string(k) +
                   ": got " + std::to_string(own.at(k).integer) +
                   ", expected " + std::to_string(want.at(k).integer);
      }
    }
    return "";
  }

  /// The tensors of unknown extents that an iteration of its loops copies.
  int64_t copiesOfUnknownExtents() {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module || failed(lowerTo(*module, Stage::Flow, {})))
      return -1;
    auto host = cpu::lowerHost(*module, "f", cpu::Machine::host());
    if (failed(host))
      return -1;
    return llvm::count_if(host->copies, [](const cpu::TensorCopy &copy) {
      return copy.depth > 0 && copy.bytes < 0;
    });
  }

  /// The bytes that an iteration of its loops copies.
  int64_t copiedBytes() {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module || failed(lowerTo(*module, Stage::Flow, {})))
      return -1;
    auto host = cpu::lowerHost(*module, "f", cpu::Machine::host());
    if (failed(host))
      return -1;
    int64_t bytes = 0;
    // Smaller ones are in registers.
    for (const cpu::TensorCopy &copy : host->copies)
      if (copy.depth > 0 && copy.bytes > cpu::kMostStackBytes)
        bytes += copy.bytes;
    return bytes;
  }

private:
  std::string text;
  mlir::MLIRContext context;
};

TEST(Loops, RandomOnesComputeWhatTheyMean) {
  llvm::EnablePrettyStackTrace();
  llvm::sys::PrintStackTraceOnErrorSignal("lowering-random-tests");
  int count = givenSeed() ? 1 : cases(80);
  if (const char *number = std::getenv("MERCATOR_LOOPS"))
    ASSERT_FALSE(llvm::StringRef(number).getAsInteger(10, count));
  uint64_t first = givenSeed().value_or(testSeed() % 1'000'000);
  int invalid = 0;
  for (uint64_t seed = first; seed < first + uint64_t(count); ++seed) {
    llvm::PrettyStackTraceFormat place("MERCATOR_SEED=%llu",
                                       (unsigned long long)seed);
    std::string text = randomLoopProgram(seed, seed % 5 == 4);
    if (givenSeed() && count == 1)
      llvm::outs() << text;
    llvm::outs().flush();
    LoopProgram program(text);
    std::string wrong = program.difference(
        seed, allFormations()[seed % allFormations().size()], seed % 3 == 0);
    invalid += llvm::StringRef(wrong).starts_with("no program");
    EXPECT_EQ(wrong, "") << "MERCATOR_SEED=" << seed << "\n" << text;
    if (::testing::Test::HasFailure())
      break;
  }
  EXPECT_EQ(invalid, 0);
}

//===----------------------------------------------------------------------===//
// Unknown extents
//===----------------------------------------------------------------------===//

TEST(Loops, SlotsExchangeTheirMemory) {
  const std::string type = "tensor<?xi32>";
  struct Row {
    const char *body, *next;
    int64_t copies;
  };
  const Row rows[] = {
      // A new tensor that needs the old one, and a chain of them.
      {"%u = stablehlo.reverse %a, dims = [0] : tensor<?xi32>\n", "%u, %b, %c",
       0},
      {"%t = stablehlo.reverse %a, dims = [0] : tensor<?xi32>\n"
       "%u = stablehlo.add %t, %b : tensor<?xi32>\n",
       "%b, %c, %u", 0},
      // Cycles.
      {"", "%b, %a, %c", 0},
      {"", "%c, %a, %b", 0},
      // One tensor is given twice, and %b must be saved.
      {"%u = stablehlo.reverse %a, dims = [0] : tensor<?xi32>\n", "%u, %u, %b",
       4},
      // The extents change.
      {"%u = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?xi32>, "
       "tensor<?xi32>) -> tensor<?xi32>\n",
       "%b, %u, %c", 0},
  };
  for (const Row &row : rows) {
    std::string body = std::string(row.body) +
                       "%k = stablehlo.add %i, %one : tensor<i32>\n" +
                       "stablehlo.return %k, " + row.next + " : tensor<i32>, " +
                       type + ", " + type + ", " + type + "\n";
    std::string text =
        "func.func @f(%x: " + type + ", %y: " + type + ", %z: " + type +
        ") -> (" + type + ", " + type + ", " + type +
        ") {\n%zero = stablehlo.constant dense<0> : tensor<i32>\n"
        "%one = stablehlo.constant dense<1> : tensor<i32>\n"
        "%n = stablehlo.constant dense<7> : tensor<i32>\n"
        "%r:4 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %c = %z) : "
        "tensor<i32>, " +
        type + ", " + type + ", " + type +
        "\ncond {\n%l = stablehlo.compare LT, %i, %n : (tensor<i32>, "
        "tensor<i32>) -> tensor<i1>\nstablehlo.return %l : tensor<i1>\n} do "
        "{\n" +
        body + "}\nreturn %r#1, %r#2, %r#3 : " + type + ", " + type + ", " +
        type + "\n}\n";
    LoopProgram program(text);
    EXPECT_EQ(program.copiesOfUnknownExtents(), row.copies) << text;
    for (bool isChecked : {false, true})
      EXPECT_EQ(program.difference(1, {}, isChecked), "") << text;
  }
}

//===----------------------------------------------------------------------===//
// Kinds of loops
//===----------------------------------------------------------------------===//

const std::string kTensor = "tensor<1000xi32>", kElement = "tensor<1xi32>";

std::string read(const std::string &result, const std::string &tensor,
                 const std::string &at) {
  return result + " = stablehlo.dynamic_slice " + tensor + ", " + at +
         ", sizes = [1] : (" + kTensor + ", tensor<i32>) -> " + kElement + "\n";
}

std::string write(const std::string &result, const std::string &tensor,
                  const std::string &element, const std::string &at) {
  return result + " = stablehlo.dynamic_update_slice " + tensor + ", " +
         element + ", " + at + " : (" + kTensor + ", " + kElement +
         ", tensor<i32>) -> " + kTensor + "\n";
}

std::string add(const std::string &result, const std::string &a,
                const std::string &b, const std::string &type) {
  return result + " = stablehlo.add " + a + ", " + b + " : " + type + "\n";
}

std::string number(const std::string &result, int value,
                   const std::string &type = "tensor<i32>") {
  return result + " = stablehlo.constant dense<" + std::to_string(value) +
         "> : " + type + "\n";
}

/// A function of four tensors whose results are `values`.
std::string function(const std::string &body,
                     const std::vector<std::string> &values,
                     const std::string &type = kTensor) {
  std::string all, types;
  for (const std::string &each : values) {
    all += (all.empty() ? "" : ", ") + each;
    types += (types.empty() ? "" : ", ") + type;
  }
  return "func.func @f(%w: " + type + ", %x: " + type + ", %y: " + type +
         ", %z: " + type + ") -> (" + types + ") {\n" + body + "return " + all +
         " : " + types + "\n}\n";
}

struct Kind {
  const char *name;
  std::string text;
  int64_t bytes; ///< that an iteration copies
};

std::vector<Kind> kindsOfLoops() {
  std::vector<Kind> kinds;
  const int64_t whole = 4000;
  // %u is %a with an element that is one more than its neighbor.
  std::string step = read("%e", "%a", "%i0") + number("%one", 1, kElement) +
                     add("%f", "%e", "%one", kElement) + number("%o", 1) +
                     add("%j", "%i0", "%o", "tensor<i32>") +
                     write("%u", "%a", "%f", "%j");
  auto loop = [&](const std::vector<Carried> &carried, const std::string &body,
                  const std::string &before = "") {
    return before + loopText("r", 0, 7, carried, body);
  };
  Carried a{"%a", "%x", "%u", kTensor};
  auto kind = [&](const char *name, const std::string &body,
                  const std::vector<std::string> &values, int64_t bytes = 0) {
    kinds.push_back({name, function(body, values), bytes});
  };
  kind("an update", loop({a}, step), {"%r#1"});
  kind("a loop whose operand is used afterwards", loop({a}, step),
       {"%r#1", "%x"});
  kind("a result that is returned twice", loop({a}, step), {"%r#1", "%r#1"});
  kind(
      "an initial constant",
      loop({{"%a", "%zero", "%u", kTensor}}, step, number("%zero", 0, kTensor)),
      {"%r#1"});
  std::string scan = read("%v", "%x", "%i0") + add("%t", "%s", "%v", kElement) +
                     write("%u", "%a", "%t", "%i0");
  std::string zero = number("%zero", 0, kTensor) + number("%s0", 3, kElement);
  kind("a scan",
       loop({{"%s", "%s0", "%t", kElement}, {"%a", "%zero", "%u", kTensor}},
            scan, zero),
       {"%r#2"});
  kind("a reversed scan",
       loop({{"%s", "%s0", "%t", kElement}, {"%a", "%zero", "%u", kTensor}},
            number("%last", 999) +
                "%k = stablehlo.subtract %last, %i0 : tensor<i32>\n" +
                read("%v", "%x", "%k") + add("%t", "%s", "%v", kElement) +
                write("%u", "%a", "%t", "%k"),
            zero),
       {"%r#2"});
  kind("a scan with two results",
       loop({{"%s", "%s0", "%t", kElement},
             {"%a", "%zero", "%u", kTensor},
             {"%b", "%zero", "%p", kTensor}},
            scan + write("%p", "%b", "%s", "%i0"), zero),
       {"%r#2", "%r#3"});
  kind("a nested loop",
       loop({{"%b", "%x", "%q#1", kTensor}},
            loopText("q", 1, 5, {{"%a", "%b", "%u", kTensor}},
                     read("%e", "%a", "%i1") + write("%u", "%a", "%e", "%i0"))),
       {"%r#1"});
  std::string even =
      number("%o", 1) + "%bit = stablehlo.and %i0, %o : tensor<i32>\n" +
      "%p = stablehlo.compare EQ, %bit, %o : (tensor<i32>, tensor<i32>) -> "
      "tensor<i1>\n";
  kind("a branch that updates",
       loop({{"%a", "%x", "%c", kTensor}},
            even + "%c = \"stablehlo.if\"(%p) ({\n" + read("%e", "%a", "%o") +
                write("%u", "%a", "%e", "%i0") + "stablehlo.return %u : " +
                kTensor + "\n}, {\nstablehlo.return %a : " + kTensor +
                "\n}) : (tensor<i1>) -> " + kTensor + "\n"),
       {"%r#1"});
  kind("three branches",
       loop({{"%a", "%x", "%c", kTensor}},
            even + "%c = \"stablehlo.case\"(%i0) ({\n" +
                read("%e", "%a", "%o") + write("%u", "%a", "%e", "%i0") +
                "stablehlo.return %u : " + kTensor + "\n}, {\n" +
                read("%e", "%a", "%i0") + write("%u", "%a", "%e", "%o") +
                "stablehlo.return %u : " + kTensor +
                "\n}, {\nstablehlo.return %a : " + kTensor +
                "\n}) : (tensor<i32>) -> " + kTensor + "\n"),
       {"%r#1"});
  kinds.push_back({"a call",
                   function(loop({{"%a", "%x", "%c", kTensor}},
                                 "%c = func.call @g(%a, %i0) : (" + kTensor +
                                     ", tensor<i32>) -> " + kTensor + "\n"),
                            {"%r#1"}) +
                       "func.func private @g(%a: " + kTensor +
                       ", %i0: tensor<i32>) -> " + kTensor + " {\n" + step +
                       "return %u : " + kTensor + "\n}\n",
                   0});
  kind("two that exchange places",
       loop({{"%a", "%x", "%b", kTensor}, {"%b", "%y", "%u", kTensor}}, step),
       {"%r#1", "%r#2"});
  kind("three that rotate",
       loop({{"%a", "%x", "%b", kTensor},
             {"%b", "%y", "%c", kTensor},
             {"%c", "%z", "%u", kTensor}},
            step),
       {"%r#1", "%r#2", "%r#3"});
  kind("an exchange in a nested loop",
       loop({{"%d", "%x", "%q#1", kTensor}, {"%g", "%y", "%q#2", kTensor}},
            loopText("q", 1, 5,
                     {{"%a", "%d", "%b", kTensor}, {"%b", "%g", "%u", kTensor}},
                     read("%e", "%b", "%i1") + write("%u", "%a", "%e", "%i0"))),
       {"%r#1", "%r#2"});
  kind("a read before the update",
       loop({a, {"%b", "%y", "%v", kTensor}},
            read("%h", "%a", "%i0") + step + write("%v", "%b", "%h", "%i0")),
       {"%r#1", "%r#2"});
  kind("a read after the update",
       loop({a, {"%b", "%y", "%v", kTensor}},
            step + read("%h", "%a", "%j") + write("%v", "%b", "%h", "%i0")),
       {"%r#1", "%r#2"});
  kind("an old tensor that is needed with the new one",
       loop({a, {"%b", "%y", "%v", kTensor}},
            step + add("%v", "%a", "%u", kTensor)),
       {"%r#1", "%r#2"}, whole);
  kinds.push_back(
      {"a condition that reads",
       function("%o = stablehlo.constant dense<0> : tensor<i32>\n"
                "%r:2 = stablehlo.while(%i0 = %o, %a = %x) : tensor<i32>, " +
                    kTensor + "\ncond {\n" + number("%k", 3) +
                    read("%d", "%a", "%i0") + number("%most", 8, kElement) +
                    "%l = stablehlo.compare LT, %d, %most : (" + kElement +
                    ", " + kElement +
                    ") -> tensor<1xi1>\n%m = stablehlo.reshape %l : "
                    "(tensor<1xi1>) -> tensor<i1>\n" +
                    number("%n", 30) +
                    "%w0 = stablehlo.compare LT, %i0, %n : (tensor<i32>, "
                    "tensor<i32>) -> tensor<i1>\n%t = stablehlo.and %m, %w0 : "
                    "tensor<i1>\nstablehlo.return %t : tensor<i1>\n} do {\n" +
                    number("%p", 1) + step.substr(0, step.find("%o = ")) +
                    add("%j", "%i0", "%p", "tensor<i32>") +
                    write("%u", "%a", "%f", "%j") +
                    "stablehlo.return %j, %u : tensor<i32>, " + kTensor +
                    "\n}\n",
                {"%r#1"}),
       0});
  kind("a sum of gradients",
       loop({{"%a", "%x", "%u", kTensor}}, add("%u", "%a", "%y", kTensor)),
       {"%r#1"});
  kind("two sums of gradients",
       loop({{"%a", "%x", "%u", kTensor}, {"%b", "%y", "%v", kTensor}},
            add("%u", "%a", "%z", kTensor) + add("%v", "%b", "%w", kTensor)),
       {"%r#1", "%r#2"});
  kind("two buffers in turn",
       loop({{"%a", "%x", "%u", kTensor}},
            "%h = stablehlo.slice %a [1:1000] : (" + kTensor +
                ") -> tensor<999xi32>\n%t = stablehlo.slice %a [0:1] : (" +
                kTensor + ") -> " + kElement +
                "\n%u = stablehlo.concatenate %h, %t, dim = 0 : "
                "(tensor<999xi32>, " +
                kElement + ") -> " + kTensor + "\n"),
       {"%r#1"},
       // The operation itself moves them.
       whole - 4);
  kind("two results of one value",
       loop({a, {"%b", "%y", "%u", kTensor}},
            read("%e", "%b", "%i0") + number("%o", 1) +
                write("%u", "%a", "%e", "%o")),
       {"%r#1", "%r#2"}, whole);
  kind("a table",
       loop({{"%t", "%x", "%t", kTensor},
             {"%s", "%s0", "%v", kElement},
             {"%a", "%y", "%u", kTensor}},
            "%k = stablehlo.reshape %s : (" + kElement + ") -> tensor<i32>\n" +
                read("%v", "%t", "%k") + write("%u", "%a", "%v", "%i0"),
            number("%s0", 3, kElement)),
       {"%r#3", "%r#1"});
  kind("a choice of two",
       loop({{"%a", "%x", "%c", kTensor}, {"%b", "%y", "%b", kTensor}},
            even + step.substr(0, step.find("%o = ")) +
                add("%j", "%i0", "%o", "tensor<i32>") +
                write("%u", "%a", "%f", "%j") +
                "%c = \"stablehlo.if\"(%p) ({\nstablehlo.return %u : " +
                kTensor + "\n}, {\nstablehlo.return %a : " + kTensor +
                "\n}) : (tensor<i1>) -> " + kTensor + "\n"),
       {"%r#1", "%r#2"},
       // The update is made in any case, and then maybe not taken.
       2 * whole);
  // A fill is no copy.
  kind("a reset",
       loop({{"%a", "%x", "%zero", kTensor}, {"%b", "%y", "%u", kTensor}}, step,
            number("%zero", 0, kTensor)),
       {"%r#1", "%r#2"});
  kind("two loops, one after the other",
       loop({a}, step) +
           loopText("q", 1, 5, {{"%b", "%r#1", "%v", kTensor}},
                    read("%e1", "%b", "%i1") + write("%v", "%b", "%e1", "%i1")),
       {"%q#1"});
  // Rows.
  std::string rows = "tensor<50x20xi32>", row = "tensor<1x20xi32>";
  auto readRow = [&](const std::string &result, const std::string &tensor) {
    return result + " = stablehlo.dynamic_slice " + tensor +
           ", %i0, %c0, sizes = [1, 20] : (" + rows +
           ", tensor<i32>, tensor<i32>) -> " + row + "\n";
  };
  auto writeRow = [&](const std::string &result, const std::string &tensor,
                      const std::string &value) {
    return result + " = stablehlo.dynamic_update_slice " + tensor + ", " +
           value + ", %i0, %c0 : (" + rows + ", " + row +
           ", tensor<i32>, tensor<i32>) -> " + rows + "\n";
  };
  kinds.push_back(
      {"rows",
       function(number("%c0", 0) +
                    loop({{"%a", "%x", "%u", rows}},
                         readRow("%e", "%y") + add("%f", "%e", "%e", row) +
                             writeRow("%u", "%a", "%f")),
                {"%r#1"}, rows),
       0});
  kinds.push_back(
      {"caches of keys and values",
       function(number("%c0", 0) +
                    loop({{"%a", "%x", "%u", rows},
                          {"%b", "%y", "%v", rows},
                          {"%c", "%z", "%t", rows}},
                         readRow("%e", "%w") + writeRow("%u", "%a", "%e") +
                             writeRow("%v", "%b", "%e") +
                             "%m = stablehlo.multiply %u, %v : " + rows +
                             "\n%n = stablehlo.reduce(%m init: %c0) applies "
                             "stablehlo.add across dimensions = [0] : (" +
                             rows +
                             ", tensor<i32>) -> tensor<20xi32>\n%l = "
                             "stablehlo.reshape %n : (tensor<20xi32>) -> " +
                             row + "\n" + writeRow("%t", "%c", "%l")),
                {"%r#1", "%r#2", "%r#3"}, rows),
       0});
  kind("a scatter",
       loop({{"%a", "%x", "%u", kTensor}},
            read("%e", "%a", "%i0") + "%n = stablehlo.reshape %e : (" +
                kElement +
                ") -> tensor<i32>\n%at = stablehlo.reshape %i0 : (tensor<i32>) "
                "-> " +
                kElement +
                "\n%u = \"stablehlo.scatter\"(%a, %at, %n) "
                "<{indices_are_sorted = true, scatter_dimension_numbers = "
                "#stablehlo.scatter<inserted_window_dims = [0], "
                "scatter_dims_to_operand_dims = [0]>, unique_indices = true}> "
                "({\n^bb0(%old: tensor<i32>, %new: tensor<i32>):\n"
                "%sum = stablehlo.add %old, %new : tensor<i32>\n"
                "stablehlo.return %sum : tensor<i32>\n}) : (" +
                kTensor + ", " + kElement + ", tensor<i32>) -> " + kTensor +
                "\n"),
       {"%r#1"});
  return kinds;
}

TEST(Loops, CopyWhatTheyMust) {
  for (const Kind &kind : kindsOfLoops()) {
    LoopProgram program(kind.text);
    EXPECT_EQ(program.copiedBytes(), kind.bytes) << kind.name << "\n"
                                                 << kind.text;
    for (bool isChecked : {false, true})
      EXPECT_EQ(program.difference(1, {}, isChecked), "") << kind.name << "\n"
                                                          << kind.text;
  }
}

} // namespace
