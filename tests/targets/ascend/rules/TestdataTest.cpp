// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Real programs in the operators of GE: the test programs of StableHLO that
// carry their inputs and expected results. Each is evaluated three times: as
// written; converted, where unsupported operations stay next to operators of
// GE; and as a whole graph, if all operations are supported. All give the same
// results, the program's own checks pass, and the printed text reads back.
//
//   MERCATOR_ONLY=convert_element_type ascend-tests
//   --gtest_filter='*Test*data*'
//
// runs only the files with that text in their path, and reports each
// difference.

#include "mercator/dialects/Register.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/check/Check.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/AllRules.h"
#include "mercator/reference/ascend/Graph.h"
#include "mercator/reference/core/Check.h"
#include "mercator/targets/ascend/graph/FormGraphs.h"
#include "mercator/targets/ascend/prepare/ControlFlow.h"
#include "mercator/targets/ascend/prepare/InlineCalls.h"
#include "mercator/targets/ascend/rules/Convert.h"
#include "mercator/transforms/chlo/Passes.h"
#include "tests/Folders.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

using namespace mercator;
using llvm::FailureOr;
using llvm::StringRef;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using mlir::func::FuncOp;
using reference::Evaluator;
using reference::Scalar;
using reference::Tensor;
using reference::Value;

namespace {

using Results = std::vector<Value>;

bool isCheck(mlir::Operation &op) {
  if (auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op))
    return call.getCallTargetName().starts_with("check.");
  return llvm::isa<check::CheckDialect>(op.getDialect());
}

/// The results of one run of a function.
struct Outcome {
  std::optional<Results> results;
  Evaluator::Checks checks;
};

class Differential {
public:
  Differential() : context(makeRegistry()) {
    context.disableMultithreading();
    context.loadDialect<ascend::AscendDialect>();
    const char *text = std::getenv("MERCATOR_ONLY");
    only = text ? text : "";
  }

  void folder(const std::string &path);
  void print() const;

  struct Counts {
    int64_t programs = 0, evaluated = 0, unreadable = 0;
    int64_t converted = 0, kept = 0, untouched = 0, whole = 0;
    int64_t graphs = 0, rounded = 0;
  } counts;

private:
  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    return registry;
  }

  void program(StringRef text);
  /// Whether windows were combined in another order.
  bool hasWindows = false;
  void convert(ModuleOp module, const Device &device);
  void compare(ModuleOp module, FuncOp function, const Outcome &before,
               const Outcome &after);
  void compareGraph(ModuleOp original, const Device &device,
                    const std::map<std::string, Outcome> &before);
  void expectReadBack(ModuleOp module);
  void expectSame(const Results &got, const Results &want,
                  const std::string &text);
  std::vector<FuncOp> entries(ModuleOp module);
  std::string said(ModuleOp module) const;

  mlir::MLIRContext context;
  std::string only, place, messages;
  std::map<std::string, int64_t> convertedOps, keptOps, why;
};

} // namespace

static std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text;
}

/// The program and its diagnostics, for a failure's message.
std::string Differential::said(ModuleOp module) const {
  std::string text = printed(module);
  constexpr size_t kMost = 6000;
  if (text.size() > kMost)
    text = text.substr(0, kMost) + " ..";
  return place + "\n" + messages + text;
}

/// The functions without callers and parameters.
std::vector<FuncOp> Differential::entries(ModuleOp module) {
  std::vector<FuncOp> found;
  for (FuncOp function : module.getOps<FuncOp>()) {
    if (function.isExternal() || function.getNumArguments() != 0)
      continue;
    auto uses = mlir::SymbolTable::getSymbolUses(function, module);
    if (uses && uses->empty())
      found.push_back(function);
  }
  return found;
}

/// Makes functions return the values that they check, so that there is
/// something to compare.
static void returnWhatIsChecked(FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return;
  mlir::Block &block = function.getBody().front();
  mlir::Operation *end = block.getTerminator();
  llvm::SmallVector<mlir::Value> values(end->getOperands());
  for (mlir::Operation &op : block)
    if (isCheck(op))
      for (mlir::Value operand : op.getOperands())
        values.push_back(operand);
  end->setOperands(values);
  function.setType(mlir::FunctionType::get(
      function.getContext(), function.getArgumentTypes(),
      mlir::ValueRange(values).getTypes()));
}

static Outcome run(ModuleOp module, StringRef name) {
  Evaluator evaluator(module, reference::allRules());
  FailureOr<Results> results =
      evaluator.call(module.lookupSymbol<FuncOp>(name), {});
  Outcome outcome;
  if (succeeded(results))
    outcome.results = std::move(*results);
  outcome.checks = evaluator.getChecks();
  return outcome;
}

static bool isSame(const reference::Element &element, double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

/// The bytes are equal, except that any NaN matches a NaN.
static bool isSame(const Tensor &a, const Tensor &b) {
  const reference::Element &element = a.element();
  for (int64_t i = 0; i < a.size(); ++i) {
    Scalar x = a.at(i), y = b.at(i);
    bool isFloat = element.isReal() || element.isComplex();
    if (isFloat ? !isSame(element, x.re, y.re) || !isSame(element, x.im, y.im)
                : x.integer != y.integer)
      return false;
  }
  return true;
}

/// For sums and products in another order: within 256 roundings of the largest
/// element.
static bool isReordered(const Tensor &a, const Tensor &b) {
  const llvm::fltSemantics *format = a.element().format;
  if (!format)
    return false;
  double largest = 0, apart = 0;
  for (int64_t i = 0; i < a.size(); ++i) {
    Scalar x = a.at(i), y = b.at(i);
    if (std::isnan(x.re) != std::isnan(y.re))
      return false;
    if (std::isnan(x.re) || x.re == y.re)
      continue;
    bool isComplex = a.element().isComplex();
    largest =
        std::max({largest, std::abs(y.re), isComplex ? std::abs(y.im) : 0});
    apart = std::max(
        {apart, std::abs(x.re - y.re), isComplex ? std::abs(x.im - y.im) : 0});
  }
  return apart <=
         std::ldexp(largest,
                    8 - int(llvm::APFloat::semanticsPrecision(*format)));
}

void Differential::expectSame(const Results &got, const Results &want,
                              const std::string &text) {
  ASSERT_EQ(got.size(), want.size()) << text;
  for (auto [a, b] : llvm::zip_equal(got, want)) {
    if (!a.tensor() || !b.tensor())
      continue;
    ASSERT_EQ(a.tensor()->type(), b.tensor()->type()) << text;
    if (isSame(*a.tensor(), *b.tensor()))
      continue;
    // A composition rounds more than once: the tolerance is that of these
    // programs' checks.
    ++counts.rounded;
    ASSERT_TRUE(a.tensor()->element().format) << text;
    reference::Comparison near =
        reference::compareClose(*a.tensor(), *b.tensor(), 0, 3);
    EXPECT_TRUE(near.passed() ||
                (hasWindows && isReordered(*a.tensor(), *b.tensor())))
        << near.text() << "\n"
        << text;
  }
}

void Differential::expectReadBack(ModuleOp module) {
  std::string first = printed(module);
  auto again = mlir::parseSourceString<ModuleOp>(first, &context);
  ASSERT_TRUE(again) << said(module);
  EXPECT_EQ(printed(*again), first) << place;
}

/// A module without its checks, as a graph: everything in it must be an
/// operator of GE.
void Differential::compareGraph(ModuleOp original, const Device &device,
                                const std::map<std::string, Outcome> &before) {
  OwningOpRef<ModuleOp> module = original.clone();
  for (FuncOp function : module->getOps<FuncOp>())
    if (!function.isExternal())
      for (mlir::Operation &op :
           llvm::make_early_inc_range(function.getBody().front()))
        if (isCheck(op) && op.use_empty())
          op.erase();
  if (failed(ascend::inlineCalls(*module)))
    return;
  (void)ascend::convertToAscend(*module, {.plan = {.device = &device}});
  (void)ascend::formGraphs(*module);
  ASSERT_TRUE(succeeded(mlir::verify(*module))) << said(*module);
  expectReadBack(*module);
  for (auto graph : module->getOps<ascend::GraphOp>()) {
    auto known = before.find(graph.getSymName().str());
    if (known == before.end() || !known->second.results)
      continue;
    ++counts.graphs;
    Evaluator evaluator(*module, reference::allRules());
    messages.clear();
    FailureOr<Results> results = callGraph(evaluator, graph, {});
    ASSERT_TRUE(succeeded(results)) << said(*module);
    expectSame(*results, *known->second.results, said(*module));
  }
}

/// A reason without the part that depends on the operation.
static std::string withoutTypes(StringRef why) {
  std::string text;
  while (!why.empty()) {
    size_t at = std::min(why.find("tensor<"), why.find("!quant"));
    text += why.substr(0, at);
    if (at == StringRef::npos)
      return text;
    why = why.drop_front(at);
    // Up to the closing bracket.
    size_t end = why.find('<') + 1;
    for (int open = 1; open != 0 && end < why.size(); ++end)
      open += why[end] == '<' ? 1 : why[end] == '>' ? -1 : 0;
    why = why.drop_front(end);
    text += "..";
  }
  return text;
}

static std::map<std::string, int64_t> countOps(ModuleOp module) {
  std::map<std::string, int64_t> counts;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (!llvm::isa_and_nonnull<stablehlo::StablehloDialect>(op->getDialect()))
      return mlir::WalkResult::advance();
    if (!isCheck(*op))
      ++counts[op->getName().stripDialect().str()];
    return mlir::WalkResult::skip();
  });
  return counts;
}

void Differential::convert(ModuleOp module, const Device &device) {
  std::map<std::string, int64_t> ops = countOps(module);
  hasWindows = ops.contains("reduce_window") || ops.contains("convolution");
  ascend::removeControlFlow(module);
  std::vector<ascend::Unconverted> left =
      ascend::convertToAscend(module, {.plan = {.device = &device}});
  ASSERT_TRUE(succeeded(mlir::verify(module))) << said(module);
  expectReadBack(module);
  int64_t stays = 0;
  for (const ascend::Unconverted &it : left) {
    EXPECT_FALSE(it.why.empty()) << place;
    if (isCheck(*it.op))
      continue;
    ++stays;
    std::string name = it.op->getName().stripDialect().str();
    --ops[name];
    ++keptOps[name];
    ++why[withoutTypes(it.why)];
  }
  int64_t converted = 0;
  for (const auto &[name, count] : ops) {
    convertedOps[name] += count;
    converted += count;
  }
  counts.converted += converted;
  counts.kept += stays;
  counts.whole += stays == 0;
  counts.untouched += converted == 0 && stays != 0;
}

void Differential::compare(ModuleOp module, FuncOp function,
                           const Outcome &before, const Outcome &after) {
  ASSERT_TRUE(after.results) << said(module);
  expectSame(*after.results, *before.results, said(module));
  // The checks count ULPs of each element; sums in another order may cancel.
  if (!hasWindows) {
    EXPECT_EQ(after.checks.passed, before.checks.passed) << said(module);
    EXPECT_EQ(after.checks.failed, before.checks.failed) << said(module);
  }
}

void Differential::program(StringRef text) {
  ++counts.programs;
  messages.clear();
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &it) {
    if (it.getSeverity() == mlir::DiagnosticSeverity::Error)
      messages += it.str() + "\n";
  });
  auto module = mlir::parseSourceString<ModuleOp>(text, &context);
  mlir::PassManager chlo(&context);
  chlo.addPass(chlo::createChloLegalizeToStablehlo());
  if (!module || failed(chlo.run(*module))) {
    ++counts.unreadable;
    return;
  }
  std::map<std::string, Outcome> before;
  for (FuncOp function : entries(*module)) {
    returnWhatIsChecked(function);
    Outcome outcome = run(*module, function.getName());
    counts.evaluated += outcome.results.has_value();
    before[function.getName().str()] = std::move(outcome);
  }
  for (const Device *device : {&devices::ascendAny(), &devices::ascend910b()}) {
    OwningOpRef<ModuleOp> after = module->clone();
    messages.clear();
    convert(*after, *device);
    for (const auto &[name, outcome] : before)
      if (outcome.results)
        compare(*after, after->lookupSymbol<FuncOp>(name), outcome,
                run(*after, name));
    compareGraph(*module, *device, before);
  }
}

void Differential::folder(const std::string &path) {
  std::error_code error;
  std::set<std::string> files;
  for (llvm::sys::fs::recursive_directory_iterator it(path, error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir") &&
        StringRef(it->path()).contains(only))
      files.insert(it->path());
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    ASSERT_TRUE(buffer) << file;
    place = file.substr(path.size() + 1);
    llvm::SmallVector<StringRef> pieces;
    (*buffer)->getBuffer().split(pieces, "// -----");
    for (StringRef piece : pieces)
      program(piece);
  }
}

void Differential::print() const {
  std::printf("  %ld programs, %ld functions evaluated, %ld not read; %ld "
              "operations converted, %ld kept; %ld conversions of whole "
              "programs; %ld graphs; %ld results rounded otherwise\n",
              long(counts.programs), long(counts.evaluated),
              long(counts.unreadable), long(counts.converted),
              long(counts.kept), long(counts.whole), long(counts.graphs),
              long(counts.rounded));
  auto list = [](const char *title, const std::map<std::string, int64_t> &by) {
    std::vector<std::pair<int64_t, std::string>> rows;
    for (const auto &[name, count] : by)
      if (count)
        rows.push_back({-count, name});
    llvm::sort(rows);
    std::string text;
    for (const auto &[count, name] : rows)
      text += (text.empty() ? "" : "; ") + name + " " + std::to_string(-count);
    std::printf("  %s: %s\n", title, text.c_str());
  };
  list("converted", convertedOps);
  list("kept", keptOps);
  list("why", why);
}

TEST(AscendTestdata, ProgramsThatCarryTheirResults) {
  std::string shared = sharedFolder();
  if (!llvm::sys::fs::is_directory(shared + "/data"))
    GTEST_SKIP() << "no shared data: set MERCATOR_SHARED";
  Differential differential;
  differential.folder(shared + "/data/stablehlo-testdata");
  differential.folder(shared + "/data/stablehlo-interpret");
  differential.print();
  if (std::getenv("MERCATOR_ONLY"))
    return;
  EXPECT_GT(differential.counts.evaluated, 1400);
}
