// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/run/Conformance.h"

#include "mercator/compiler/native/CompileCache.h"
#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/CacheKey.h"
#include "mercator/compiler/program/Load.h"
#include "mercator/compiler/run/StageValues.h"
#include "mercator/dialects/check/Check.h"
#include "mercator/dialects/interpreter/Interpreter.h"
#include "mercator/frontends/stablehlo/BoolElements.h"
#include "mercator/frontends/stablehlo/Parse.h"
#include "mercator/reference/AllRules.h"
#include "mercator/support/File.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

using namespace mercator;
using llvm::StringRef;
using mlir::func::FuncOp;

//===----------------------------------------------------------------------===//
// The operation of a case
//===----------------------------------------------------------------------===//

/// True for operations that test programs use to make or reshape values.
static bool isPlumbing(mlir::Operation *op) {
  return llvm::isa<stablehlo::ConstantOp, stablehlo::IotaOp,
                   stablehlo::ReshapeOp, stablehlo::BroadcastInDimOp,
                   stablehlo::TransposeOp, stablehlo::ConvertOp,
                   stablehlo::BitcastConvertOp, stablehlo::TupleOp,
                   stablehlo::GetTupleElementOp, stablehlo::UniformQuantizeOp,
                   stablehlo::UniformDequantizeOp, stablehlo::ConcatenateOp,
                   stablehlo::SliceOp, stablehlo::OptimizationBarrierOp,
                   interpreter::ProbeOp>(op);
}

namespace {
/// Finds the operation that made a value, through calls and plumbing.
class SubjectFinder {
public:
  explicit SubjectFinder(mlir::ModuleOp module) : module(module) {}

  mlir::Operation *find(mlir::Value value) {
    mlir::Operation *nearest = nullptr;
    if (mlir::Operation *op = search(value, nearest))
      return op;
    return nearest;
  }

private:
  mlir::Operation *search(mlir::Value value, mlir::Operation *&nearest) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op || steps++ > 1000)
      return nullptr;
    size_t number = llvm::cast<mlir::OpResult>(value).getResultNumber();
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
      return intoFunction(call.getCallee(), number, nearest);
    if (auto parallel = llvm::dyn_cast<interpreter::RunParallelOp>(op)) {
      for (auto row : parallel.getPrograms().getAsRange<mlir::ArrayAttr>())
        for (auto name : row.getAsRange<mlir::FlatSymbolRefAttr>())
          return intoFunction(name.getValue(), 0, nearest);
      return nullptr;
    }
    if (!isPlumbing(op))
      return op;
    if (!nearest || llvm::isa<stablehlo::ConstantOp>(nearest))
      nearest = op;
    for (mlir::Value operand : op->getOperands())
      if (mlir::Operation *found = search(operand, nearest))
        return found;
    return nullptr;
  }

  mlir::Operation *intoFunction(StringRef name, size_t result,
                                mlir::Operation *&nearest) {
    auto function = module.lookupSymbol<FuncOp>(name);
    if (!function || function.isExternal())
      return nullptr;
    mlir::Operation *end = function.getBody().front().getTerminator();
    return result < end->getNumOperands()
               ? search(end->getOperand(result), nearest)
               : nullptr;
  }

  mlir::ModuleOp module;
  int steps = 0;
};
} // namespace

static bool isCheck(mlir::Operation &op) {
  if (auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op))
    return call.getCallTargetName().starts_with("check.");
  return llvm::isa<check::CheckDialect>(op.getDialect());
}

static std::string subjectOf(FuncOp function) {
  SubjectFinder finder(function->getParentOfType<mlir::ModuleOp>());
  mlir::Operation *best = nullptr;
  auto consider = [&](mlir::ValueRange values) {
    for (mlir::Value value : values) {
      mlir::Operation *found = finder.find(value);
      if (found && (!best || isPlumbing(best)))
        best = found;
    }
  };
  mlir::Block &block = function.getBody().front();
  for (mlir::Operation &op : block)
    if (isCheck(op))
      consider(op.getOperands());
  if (!best)
    consider(block.getTerminator()->getOperands());
  for (mlir::Operation &op : block) // nothing is checked or returned
    if (!best || isPlumbing(best))
      consider(op.getResults());
  if (!best)
    return "func.return";
  StringRef name = best->getName().getStringRef();
  name.consume_front("stablehlo.");
  return name.str();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static bool isNamedElsewhere(FuncOp function) {
  auto uses = mlir::SymbolTable::getSymbolUses(
      function, function->getParentOfType<mlir::ModuleOp>());
  return !uses || !uses->empty();
}

/// True if the program round-trips.
static bool printsAsItself(mlir::ModuleOp module) {
  std::string first, second;
  llvm::raw_string_ostream os(first), osAgain(second);
  stablehlo::print(module, os);
  // Attributes of unknown dialects are text.
  module.getContext()->allowUnregisteredDialects(true);
  auto again = mlir::parseSourceString<mlir::ModuleOp>(
      first, mlir::ParserConfig(module.getContext()), "<printed>");
  module.getContext()->allowUnregisteredDialects(false);
  if (!again)
    return false;
  stablehlo::print(*again, osAgain);
  return first == second;
}

namespace {
class CaseRunner {
public:
  CaseRunner(const SourceBuffer &source, const ConformanceOptions &all,
             std::vector<ConformanceCase> &cases)
      : name(source.getName()), through(all.through), options(all.lowering),
        native(all.native), cache(all.cache), context(makeContext()),
        cases(cases) {}

  void run(StringRef text, unsigned firstLine);

private:
  void runFunction(FuncOp function);
  void judge(FuncOp function, llvm::ArrayRef<reference::Value> arguments);
  void validate(FuncOp function);
  void readBack(FuncOp function, bool isTheSame);

  StringRef name;
  Stage through;
  const LoweringOptions &options;
  const NativeOptions &native;
  CompileCache cache;
  std::unique_ptr<mlir::MLIRContext> context;
  std::vector<ConformanceCase> &cases;
  ConformanceCase current;
};
} // namespace

/// A copy of the module without the other cases.
static mlir::OwningOpRef<mlir::ModuleOp> isolate(FuncOp function) {
  mlir::OwningOpRef<mlir::ModuleOp> copy =
      function->getParentOfType<mlir::ModuleOp>().clone();
  for (FuncOp other : llvm::make_early_inc_range(copy->getOps<FuncOp>()))
    if (other.getName() != function.getName() && !other.isExternal() &&
        other.getNumArguments() == 0 && !isNamedElsewhere(other))
      other.erase();
  return copy;
}

/// A constant, or a call of a function without parameters.
static bool isInput(mlir::Operation *op) {
  return op && op->getNumOperands() == 0 &&
         llvm::isa<stablehlo::ConstantOp, mlir::func::CallOp>(op);
}

/// True for an operand that says a shape, which would be unknown.
static bool isShape(mlir::OpOperand &use) {
  StringRef name = use.getOwner()->getName().stripDialect();
  return use.getOperandNumber() > 0 &&
         (name.starts_with("dynamic_") || name.starts_with("real_dynamic_")) &&
         name != "dynamic_slice" && name != "dynamic_update_slice";
}

/// Makes the inputs of a case parameters, and what it checks results: a
/// function without parameters reads nothing.
static void open(FuncOp function) {
  mlir::Block &block = function.getBody().front();
  mlir::Operation *end = block.getTerminator();
  llvm::SetVector<mlir::Value> results;
  auto add = [&](mlir::ValueRange values) {
    for (mlir::Value value : values)
      if (!isInput(value.getDefiningOp()))
        results.insert(value);
  };
  for (mlir::Operation &op : llvm::make_early_inc_range(block)) {
    if (&op == end || !isCheck(op) || op.getNumResults() != 0)
      continue;
    add(op.getOperands());
    op.erase();
  }
  add(end->getOperands());
  end->setOperands(results.getArrayRef());
  for (mlir::Operation &op : llvm::make_early_inc_range(block)) {
    if (!isInput(&op) || llvm::any_of(op.getUses(), isShape))
      continue;
    for (mlir::Value result : op.getResults())
      result.replaceAllUsesWith(
          block.addArgument(result.getType(), op.getLoc()));
    op.erase();
  }
  function.removeResAttrsAttr();
  function.setType(mlir::FunctionType::get(
      function.getContext(), block.getArgumentTypes(), end->getOperandTypes()));
}

void CaseRunner::validate(FuncOp function) {
  mlir::OwningOpRef<mlir::ModuleOp> module = isolate(function);
  auto opened = module->lookupSymbol<FuncOp>(function.getName());
  open(opened);
  int64_t before = options.verifyMaps->refuted;
  bool isValid = succeeded(mlir::verify(*module));
  if (isValid)
    (void)lowerTo(*module, through, options);
  if (options.verifyMaps->refuted == before)
    current.reason.clear();
}

namespace {
/// A case as machine code: what it checks becomes its results, and the evaluator
/// checks them.
class NativeCase {
public:
  explicit NativeCase(FuncOp function)
      : module(isolate(function)), checks(isolate(function)),
        name(function.getName().str()) {
    takeResults();
    takeChecks();
  }

  /// Fails after an error.
  llvm::FailureOr<std::vector<reference::Value>>
  run(const Formation &formation, const NativeOptions &options,
      const CompileCache &cache);

  mlir::OwningOpRef<mlir::ModuleOp> module, checks;
  FuncOp checking;
  bool isCached = false;

private:
  llvm::FailureOr<NativeCode> make(const Formation &formation,
                                   const NativeOptions &options);
  void takeResults();
  void takeChecks();

  std::string name;
};
} // namespace

static llvm::SmallVector<mlir::Operation *> checksOf(FuncOp function) {
  llvm::SmallVector<mlir::Operation *> found;
  for (mlir::Operation &op : function.getBody().front())
    if (isCheck(op) && op.use_empty())
      found.push_back(&op);
  return found;
}

void NativeCase::takeResults() {
  auto function = module->lookupSymbol<FuncOp>(name);
  mlir::Operation *end = function.getBody().front().getTerminator();
  end->setOperands({}); // what checks return is no result
  llvm::SmallVector<mlir::Value> values;
  for (mlir::Operation *op : checksOf(function)) {
    llvm::append_range(values, op->getOperands());
    op->erase();
  }
  end->setOperands(values);
  function.removeResAttrsAttr();
  function.setType(mlir::FunctionType::get(
      function.getContext(), {}, mlir::ValueRange(values).getTypes()));
}

void NativeCase::takeChecks() {
  checking = checks->lookupSymbol<FuncOp>(name);
  mlir::Block &block = checking.getBody().front();
  block.getTerminator()->setOperands({});
  for (mlir::Operation *op : checksOf(checking))
    for (mlir::OpOperand &operand : op->getOpOperands())
      operand.set(block.addArgument(operand.get().getType(), op->getLoc()));
  llvm::SmallVector<mlir::Operation *> others;
  for (mlir::Operation &op : block.without_terminator())
    if (!isCheck(op) || !op.use_empty())
      others.push_back(&op);
  for (mlir::Operation *op : llvm::reverse(others))
    op->erase();
  checking.removeResAttrsAttr();
  checking.setType(mlir::FunctionType::get(checking.getContext(),
                                           block.getArgumentTypes(), {}));
}

llvm::FailureOr<NativeCode> NativeCase::make(const Formation &formation,
                                             const NativeOptions &options) {
  // Else constants would be folded, and nothing left to compile.
  LoweringOptions plain;
  plain.formation = formation;
  plain.simplify = false;
  if (failed(lowerTo(*module, Stage::Flow, plain)))
    return llvm::failure();
  return makeNativeCode(*module, name, options);
}

llvm::FailureOr<std::vector<reference::Value>>
NativeCase::run(const Formation &formation, const NativeOptions &options,
                const CompileCache &cache) {
  auto function = module->lookupSymbol<FuncOp>(name);
  llvm::SmallVector<mlir::Type> types(function.getResultTypes());
  std::string key;
  std::optional<NativeCode> code;
  if (cache.isOn()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    stablehlo::print(*module, os);
    CacheKey words;
    words.add("conformance").add(text).add(name);
    addTo(words, formation);
    addTo(words, options);
    key = CompileCache::keyOf(words.getWords());
    code = cache.load(key);
  }
  isCached = code.has_value();
  if (!code) {
    llvm::FailureOr<NativeCode> made = make(formation, options);
    if (failed(made))
      return llvm::failure();
    code = std::move(*made);
    if (cache.isOn())
      if (llvm::Error error = cache.store(key, *code))
        return mlir::emitError(module->getLoc())
               << llvm::toString(std::move(error));
  }
  auto native =
      NativeProgram::link(std::move(*code), module->getContext(),
                          [&] { return mlir::emitError(module->getLoc()); });
  if (failed(native))
    return llvm::failure();
  auto emitError = [&] { return mlir::emitError(module->getLoc()); };
  auto results = native->call({}, emitError);
  if (failed(results))
    return llvm::failure();
  auto values = fromStage(*results, types);
  if (!values)
    return emitError() << "expected the program to keep its results";
  return std::move(*values);
}

void CaseRunner::runFunction(FuncOp function) {
  if (through == Stage::Cpu) {
    NativeCase own(function);
    auto values = own.run(options.formation, native, cache);
    current.isCached = own.isCached;
    if (failed(values)) {
      current.outcome = Outcome::Unsupported;
      cases.push_back(current);
      return;
    }
    judge(own.checking, *values);
    cases.push_back(current);
    return;
  }
  bool isRefuted = false;
  if (options.verifyMaps && through != Stage::Source) {
    validate(function);
    isRefuted = !current.reason.empty();
  }
  mlir::OwningOpRef<mlir::ModuleOp> lowered;
  if (through != Stage::Source) {
    lowered = isolate(function);
    // Else constants would be folded, and nothing left to lower.
    LoweringOptions plain;
    plain.formation = options.formation;
    plain.simplify = false;
    if (failed(lowerTo(*lowered, through, plain))) {
      current.outcome = Outcome::Unsupported;
      cases.push_back(current);
      return;
    }
    function = lowered->lookupSymbol<FuncOp>(function.getName());
  }
  judge(function, {});
  if (isRefuted)
    current.outcome = Outcome::Fail;
  cases.push_back(current);
}

/// Evaluates a function, which checks.
void CaseRunner::judge(FuncOp function,
                       llvm::ArrayRef<reference::Value> arguments) {
  reference::Evaluator evaluator(function->getParentOfType<mlir::ModuleOp>(),
                                 reference::allRules());
  bool hasFailed = llvm::failed(evaluator.call(function, arguments));
  reference::Evaluator::Checks checks = evaluator.getChecks();
  current.checks = checks.passed + checks.failed;
  if (hasFailed && (evaluator.isUnsupported() || evaluator.isOverLimit()))
    current.outcome = Outcome::Unsupported;
  else if (hasFailed || checks.failed != 0)
    current.outcome = Outcome::Fail;
}

void CaseRunner::run(StringRef text, unsigned firstLine) {
  mlir::ScopedDiagnosticHandler handler(
      context.get(), [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error ||
            !current.reason.empty())
          return;
        current.reason = diagnostic.str();
        auto place =
            diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
        if (place && place.getFilename().strref() == name)
          current.line = firstLine + place.getLine() - 1;
      });
  current = {};
  SourceBuffer piece(name.str(), text.str());
  std::string said;
  llvm::raw_string_ostream os(said);
  DiagnosticEngine diagnostics(os);
  auto module = stablehlo::parseStablehlo(piece, *context, diagnostics);
  if (!module) {
    auto [place, message] = StringRef(said).split("error: ");
    current.reason = message.split('\n').first.str();
    if (place.consume_front(name) && place.consume_front(":") &&
        !place.consumeInteger(10, current.line))
      current.line += firstLine - 1;
    current.operation = "(not read)";
    current.outcome = Outcome::Fail;
    cases.push_back(current);
    return;
  }
  llvm::SmallVector<std::pair<FuncOp, std::string>> functions;
  FuncOp last = nullptr;
  for (FuncOp function : module->getOps<FuncOp>()) {
    if (function.isExternal())
      continue;
    if (!last || function.getName() == "main")
      last = function;
    if (function.getNumArguments() == 0 && !isNamedElsewhere(function))
      functions.push_back({function, subjectOf(function)});
  }
  if (!last)
    return;
  bool isReadBack = printsAsItself(*module);
  if (functions.empty() || !isReadBack)
    return readBack(last, isReadBack);
  bool isSpelled = succeeded(spellInStablehlo(*module));
  std::string reason = std::move(current.reason);
  unsigned line = current.line;
  for (auto &[function, subject] : functions) {
    current = {subject, function.getName().str(), Outcome::Unsupported};
    if (isSpelled) {
      current.outcome = Outcome::Pass;
      runFunction(function);
      continue;
    }
    current.reason = reason;
    current.line = line;
    cases.push_back(current);
  }
}

void CaseRunner::readBack(FuncOp function, bool isTheSame) {
  current.operation = subjectOf(function);
  current.function = function.getName().str();
  current.outcome = Outcome::RoundTrip;
  if (!isTheSame) {
    current.outcome = Outcome::Fail;
    if (current.reason.empty())
      current.reason = "expected the program to round-trip through its text";
  }
  cases.push_back(current);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// True if a comment at the beginning of the file disables its test.
static bool isDisabled(const SourceBuffer &source) {
  for (unsigned line = 1; line <= source.getLineCount(); ++line) {
    StringRef text = source.getLine(line).trim();
    if (!text.starts_with("//"))
      return false;
    if (text.contains("RUN-DISABLED"))
      return true;
  }
  return false;
}

ConformanceFile mercator::runConformance(const SourceBuffer &source,
                                         const ConformanceOptions &options) {
  ConformanceFile file;
  file.path = source.getName().str();
  file.disabled = isDisabled(source);
  CaseRunner runner(source, options, file.cases);
  StringRef text = source.getText();
  unsigned begin = 1;
  auto runLines = [&](unsigned end) {
    size_t from = source.getOffset({begin, 1}), to = text.size();
    if (end <= source.getLineCount())
      to = source.getOffset({end, 1});
    StringRef piece = text.slice(from, to);
    if (!piece.trim().empty())
      runner.run(piece, begin);
    begin = end + 1;
  };
  for (unsigned line = 1; line <= source.getLineCount(); ++line)
    if (source.getLine(line).trim() == "// -----")
      runLines(line);
  runLines(source.getLineCount() + 1);
  return file;
}

/// The file itself, or the .mlir files in and below a folder, ordered by name.
static bool collect(const std::string &path, std::vector<std::string> &files,
                    DiagnosticEngine &diagnostics) {
  namespace fs = llvm::sys::fs;
  if (!fs::is_directory(path)) {
    files.push_back(path);
    return true;
  }
  std::error_code error;
  std::vector<std::string> found;
  for (fs::recursive_directory_iterator it(path, error, /*follow=*/false), end;
       !error && it != end; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir"))
      found.push_back(it->path());
  if (error) {
    (void)diagnostics.error({}, "cannot read " + path + ": " +
                                    StringRef(error.message()).lower());
    return false;
  }
  if (found.empty()) {
    (void)diagnostics.error({},
                            "expected .mlir files in " + path + ", got none");
    return false;
  }
  llvm::sort(found);
  llvm::append_range(files, found);
  return true;
}

void ConformanceTally::add(const ConformanceCase &c) {
  ++(*this)[c.outcome];
  checks += c.checks;
}

Answer<ConformanceReport>
mercator::runConformance(llvm::ArrayRef<std::string> operands,
                         DiagnosticEngine &diagnostics,
                         const ConformanceOptions &options) {
  std::vector<std::string> paths;
  for (const std::string &operand : operands)
    if (!collect(operand, paths, diagnostics))
      return ExitCode::InputRejected;
  ConformanceReport report;
  for (const std::string &path : paths) {
    llvm::Expected<std::string> text = readFile(path);
    if (!text) {
      (void)diagnostics.error({}, llvm::toString(text.takeError()));
      return ExitCode::InputRejected;
    }
    SourceBuffer source(path == "-" ? "<stdin>" : path, std::move(*text));
    const ConformanceFile &file =
        report.files.emplace_back(runConformance(source, options));
    if (file.disabled)
      continue;
    for (const ConformanceCase &c : file.cases) {
      report.operations[c.operation].add(c);
      report.total.add(c);
      report.cached += c.isCached;
    }
  }
  return report;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeTally(llvm::json::OStream &json,
                       const ConformanceTally &tally) {
  json.attribute("pass", tally[Outcome::Pass]);
  json.attribute("fail", tally[Outcome::Fail]);
  json.attribute("unsupported", tally[Outcome::Unsupported]);
  json.attribute("read_back", tally[Outcome::RoundTrip]);
  json.attribute("checks", tally.checks);
}

void mercator::writeJson(const ConformanceReport &report,
                         llvm::raw_ostream &os) {
  static constexpr StringRef words[kOutcomes] = {"pass", "fail", "unsupported",
                                                 "read_back"};
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("schema", "mercator.conformance/1");
    json.attributeObject("total", [&] { writeTally(json, report.total); });
    json.attributeArray("operations", [&] {
      for (const auto &[operation, tally] : report.operations)
        json.object([&] {
          json.attribute("operation", operation);
          writeTally(json, tally);
        });
    });
    json.attributeArray("cases", [&] {
      for (const ConformanceFile &file : report.files)
        for (const ConformanceCase &c : file.cases)
          json.object([&] {
            json.attribute("file", file.path);
            json.attribute("function", c.function);
            json.attribute("operation", c.operation);
            json.attribute("outcome", words[size_t(c.outcome)]);
            json.attribute("checks", c.checks);
            json.attribute("disabled", file.disabled);
            if (!c.reason.empty()) {
              json.attribute("line", c.line);
              json.attribute("reason", c.reason);
            }
          });
    });
  });
  os << '\n';
}
