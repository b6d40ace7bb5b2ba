// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The file of `--custom-call-maps`: the maps of custom calls.
///
///   // a line for each pair of a result and an operand
///   @rows  result 0 -> operand 0: (d0)[s0] -> (d0, s0)
///
/// analysis/maps/models/CustomCalls.h has the grammar of a statement.

#include "mercator/compiler/Compilation.h"

#include "mercator/analysis/maps/models/CustomCalls.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/support/Suggest.h"

#include "mlir/IR/Builders.h"

#include <map>

using namespace mercator;
using llvm::StringRef;

namespace {
struct Statement {
  size_t begin, end;
  unsigned result, operand;
  /// An operand that a runtime variable is read from, and the rank of it.
  struct Source {
    unsigned operand;
    size_t rank;
  };
  std::vector<Source> sources;
};
struct Target {
  size_t begin, end; // where it is first named
  std::vector<mlir::Attribute> texts;
  std::vector<Statement> statements;
  bool isCalled = false;
};
} // namespace

/// An error where a runtime variable is read from no element of an operand.
static void checkSource(stablehlo::CustomCallOp op, SourceRange where,
                        const Statement::Source &source,
                        DiagnosticEngine &diagnostics) {
  if (source.operand >= op->getNumOperands()) {
    (void)diagnostics.error(
        where, "expected a variable read from one of " +
                   llvm::Twine(op->getNumOperands()) + " operands of '@" +
                   op.getCallTargetName() + "', got operand " +
                   llvm::Twine(source.operand));
    return;
  }
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(
      op->getOperand(source.operand).getType());
  if (type && type.getRank() == (int64_t)source.rank)
    return;
  std::string shown;
  llvm::raw_string_ostream(shown) << op->getOperand(source.operand).getType();
  (void)diagnostics.error(
      where, "expected " + llvm::Twine(type ? type.getRank() : 0) +
                 " indices into operand " + llvm::Twine(source.operand) +
                 " of type " + shown + ", got " + llvm::Twine(source.rank));
}

llvm::LogicalResult
Compilation::stateCustomCallMaps(const SourceBuffer &statements) {
  mlir::ModuleOp module = *program->module;
  mlir::Builder builder(module.getContext());
  std::map<std::string, Target> targets;
  for (unsigned number = 1; number <= statements.getLineCount(); ++number) {
    StringRef line = statements.getLine(number), text = line.trim();
    if (text.empty() || text.starts_with("//"))
      continue;
    size_t begin =
        statements.getOffset({number, 1}) + (text.data() - line.data());
    StringRef name =
        text.take_until([](char c) { return c == ' ' || c == '\t'; });
    if (!name.starts_with("@") || name.size() == 1) {
      (void)diagnostics.error({&statements, begin, begin + name.size()},
                              "expected `@` and the target of a custom call, "
                              "got " +
                                  quote(name));
      continue;
    }
    StringRef statement = text.substr(name.size()).ltrim();
    indexing::Arena arena;
    indexing::ParseError error;
    size_t at = begin + (statement.data() - text.data());
    auto map = parseCustomMap(arena, statement, error);
    if (!map) {
      report(error, statements, diagnostics, at);
      continue;
    }
    Target &target =
        targets
            .try_emplace(name.drop_front().str(),
                         Target{begin, begin + name.size(), {}, {}})
            .first->second;
    target.texts.push_back(builder.getStringAttr(statement));
    Statement &stated = target.statements.emplace_back(
        Statement{at, at + statement.find(':'), map->result, map->operand, {}});
    if (map->map)
      for (auto [variable, operand] :
           llvm::zip_equal(map->map->domain.runtimes, map->sources))
        stated.sources.push_back({operand, variable.index.size()});
  }
  if (diagnostics.hasErrors())
    return llvm::failure();

  std::vector<std::string> called;
  module.walk([&](stablehlo::CustomCallOp op) {
    called.push_back("@" + op.getCallTargetName().str());
    auto it = targets.find(op.getCallTargetName().str());
    if (it == targets.end())
      return;
    Target &target = it->second;
    // A second call with fewer operands is complained about, too.
    for (const Statement &s : target.statements) {
      for (const Statement::Source &read : s.sources)
        checkSource(op, {&statements, s.begin, s.end}, read, diagnostics);
      if (s.result >= op->getNumResults() || s.operand >= op->getNumOperands())
        (void)diagnostics.error(
            {&statements, s.begin, s.end},
            "expected one of " + llvm::Twine(op->getNumResults()) +
                " results and of " + llvm::Twine(op->getNumOperands()) +
                " operands of '@" + op.getCallTargetName() + "', got result " +
                llvm::Twine(s.result) + " and operand " +
                llvm::Twine(s.operand));
    }
    target.isCalled = true;
    op->setAttr(kCustomMapsName, builder.getArrayAttr(target.texts));
  });
  if (diagnostics.hasErrors())
    return llvm::failure();
  for (const auto &[name, target] : targets)
    if (!target.isCalled) {
      diagnostics.warning({&statements, target.begin, target.end},
                          "expected a target that the program calls, got '@" +
                              name + "'");
      if (auto nearest = suggest("@" + name, called))
        diagnostics.help("did you mean `" + *nearest + "`?");
    }
  return llvm::success();
}
