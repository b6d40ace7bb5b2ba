// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/run/Printed.h"
#include "mercator/transforms/stablehlo/interface/ReturnValues.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mercator;
using mlir::func::FuncOp;

/// The name of the instruction of `body` that runs the computation of `value`:
/// the call, the fusion or the loop; empty if none does.
static std::string userOf(mlir::Value value, mlir::Block &body,
                          const InstructionTable &table) {
  llvm::SmallPtrSet<mlir::Block *, 8> seen;
  for (mlir::Block *block = value.getParentBlock();
       block && seen.insert(block).second;) {
    mlir::Operation *user = block->getParentOp();
    if (auto function = llvm::dyn_cast_or_null<FuncOp>(user)) {
      auto uses = mlir::SymbolTable::getSymbolUses(
          function, function->getParentOfType<mlir::ModuleOp>());
      if (!uses || uses->empty())
        return {};
      user = uses->begin()->getUser();
    }
    block = user ? user->getBlock() : nullptr;
    if (block == &body)
      return table.nameOf(user);
  }
  return {};
}

llvm::LogicalResult mercator::returnValues(const LoadedProgram &program,
                                           OneModule module,
                                           llvm::StringRef function,
                                           llvm::ArrayRef<std::string> names,
                                           DiagnosticEngine &diagnostics) {
  auto source = module.module.lookupSymbol<FuncOp>(function);
  if (!source || source.isExternal())
    return diagnostics.error({}, "expected a function for `--print`, got @" +
                                     function);
  mlir::Block &body = source.getBody().front();
  InstructionTable table(program, module);
  llvm::SmallVector<mlir::Value> values;
  for (const std::string &name : names) {
    std::optional<Instruction> found = table.find(name, "print", diagnostics);
    if (!found)
      return llvm::failure();
    mlir::Value value = found->argument;
    if (!value && found->op->getNumResults() == 1)
      value = found->op->getResult(0);
    if (!value || !llvm::isa<mlir::RankedTensorType>(value.getType()))
      return diagnostics.error({}, "expected an instruction that gives one "
                                   "tensor for `--print`, got " +
                                       quote(name));
    if (value.getParentBlock() != &body) {
      (void)diagnostics.error({}, "expected an instruction of @" + function +
                                      " for `--print`, got " + quote(name) +
                                      ", which is in " +
                                      quote(found->computation->name));
      if (std::string user = userOf(value, body, table); !user.empty())
        diagnostics.help("--print=" + user + ", the instruction that runs it");
      return llvm::failure();
    }
    values.push_back(value);
  }
  if (!mlir::SymbolTable::symbolKnownUseEmpty(source, module.module))
    return diagnostics.error({}, "expected a function that is not called for "
                                 "`--print`, got @" +
                                     function);
  stablehlo::returnValues(source, values);
  return llvm::success();
}
