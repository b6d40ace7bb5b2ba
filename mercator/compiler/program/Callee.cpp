// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Callee.h"

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/support/Suggest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using llvm::StringRef;
using mlir::func::FuncOp;

/// A function with a body or a graph. None for other operations.
static std::optional<Callee> calleeOf(mlir::Operation *op) {
  Callee callee{op};
  if (auto function = llvm::dyn_cast<FuncOp>(op)) {
    if (function.isExternal())
      return std::nullopt;
    llvm::append_range(callee.parameters, function.getArgumentTypes());
  } else if (auto graph = llvm::dyn_cast<ascend::GraphOp>(op)) {
    for (ascend::DataOp data : ascend::inputsOf(graph))
      callee.parameters.push_back(data.getType());
  } else {
    return std::nullopt;
  }
  return callee;
}

/// The function or graph called `name`; without a name the entry, or the only
/// one.
static Answer<Callee> findIn(mlir::ModuleOp module, StringRef name,
                             DiagnosticEngine &diagnostics) {
  llvm::SmallVector<StringRef> names;
  llvm::SmallVector<Callee> callees;
  for (mlir::Operation &op : module.getOps()) {
    std::optional<Callee> callee = calleeOf(&op);
    if (!callee)
      continue;
    bool isFirst =
        llvm::isa<FuncOp>(op) ? isEntry(&op) : callee->name() == "main";
    if (name.empty() ? isFirst : callee->name() == name)
      return *callee;
    names.push_back(callee->name());
    callees.push_back(*callee);
  }
  if (name.empty() && callees.size() == 1)
    return callees.front();
  std::string all = llvm::join(names, ", ");
  (void)diagnostics.error(
      {}, name.empty()
              ? "expected a function called main, or `--function`, "
                "got functions " +
                    all
              : "expected a function of the program, got " + quote(name));
  if (auto nearest = suggest(name, names))
    diagnostics.help("did you mean `--function=" + *nearest + "`?");
  else if (!name.empty() && !names.empty())
    diagnostics.help("--function=" + names.front());
  return ExitCode::WrongUsage;
}

/// The module and the function to run.
Answer<Callee> mercator::findCallee(const LoadedProgram &program,
                                    StringRef function, OneModule &module,
                                    DiagnosticEngine &diagnostics) {
  std::optional<OneModule> found = findModule(program, function, diagnostics);
  if (!found)
    return ExitCode::InputRejected;
  module = *found;
  if (llvm::none_of(found->module.getOps(), [](mlir::Operation &op) {
        return calleeOf(&op).has_value();
      })) {
    (void)diagnostics.error({}, "expected a function with a body in " +
                                    quote(found->name) + ", got none");
    return ExitCode::InputRejected;
  }
  return findIn(found->module, function, diagnostics);
}
