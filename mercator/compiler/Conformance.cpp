// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/ConformanceCases.h"

#include "mercator/dialects/check/Check.h"
#include "mercator/dialects/interpreter/Interpreter.h"
#include "mercator/frontends/stablehlo/BoolElements.h"
#include "mercator/frontends/stablehlo/Parse.h"
#include "mercator/reference/core/Evaluator.h"
#include "mercator/tools/driver/Program.h"

#include "mlir/Parser/Parser.h"

using namespace mercator;
using llvm::StringRef;
using mlir::func::FuncOp;

//===----------------------------------------------------------------------===//
// What a case is about
//===----------------------------------------------------------------------===//

/// Operations that test programs use to bring values about, or into shape.
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
/// Finds the operation that made a value, behind calls and plumbing.
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

/// Whether the printed program is read as the same one.
static bool printsAsItself(mlir::ModuleOp module) {
  std::string first, second;
  llvm::raw_string_ostream os(first), osAgain(second);
  stablehlo::print(module, os);
  auto again = mlir::parseSourceString<mlir::ModuleOp>(
      first, mlir::ParserConfig(module.getContext()), "<printed>");
  if (!again)
    return false;
  stablehlo::print(*again, osAgain);
  return first == second;
}

namespace {
class CaseRunner {
public:
  CaseRunner(const SourceBuffer &source, std::vector<ConformanceCase> &cases)
      : name(source.getName()), context(makeContext()), cases(cases) {}

  void run(StringRef text, unsigned firstLine);

private:
  void runFunction(FuncOp function);
  void readBack(FuncOp function, bool isTheSame);

  StringRef name;
  std::unique_ptr<mlir::MLIRContext> context;
  std::vector<ConformanceCase> &cases;
  ConformanceCase current;
};
} // namespace

void CaseRunner::runFunction(FuncOp function) {
  reference::Evaluator evaluator(function->getParentOfType<mlir::ModuleOp>());
  bool failed = llvm::failed(evaluator.call(function, {}));
  reference::Evaluator::Checks checks = evaluator.getChecks();
  current.checks = checks.passed + checks.failed;
  if (failed && (evaluator.isUnsupported() || evaluator.isOverLimit()))
    current.outcome = Outcome::unsupported;
  else if (failed || checks.failed != 0)
    current.outcome = Outcome::fail;
  cases.push_back(current);
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
    current.outcome = Outcome::fail;
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
    current = {subject, function.getName().str(), Outcome::unsupported};
    if (isSpelled) {
      current.outcome = Outcome::pass;
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
  current.outcome = Outcome::roundTrip;
  if (!isTheSame) {
    current.outcome = Outcome::fail;
    if (current.reason.empty())
      current.reason = "expected the printed program to be read as the same";
  }
  cases.push_back(current);
}

std::vector<ConformanceCase>
mercator::runConformance(const SourceBuffer &source) {
  std::vector<ConformanceCase> cases;
  CaseRunner runner(source, cases);
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
  return cases;
}

bool mercator::isDisabled(const SourceBuffer &source) {
  for (unsigned line = 1; line <= source.getLineCount(); ++line) {
    StringRef text = source.getLine(line).trim();
    if (!text.starts_with("//"))
      return false;
    if (text.contains("RUN-DISABLED"))
      return true;
  }
  return false;
}
