// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/interface/BindWeights.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using mlir::func::FuncOp;

/// Redirects calls of the function to a copy of it.
static void keepCalls(FuncOp function, mlir::ModuleOp module) {
  if (mlir::SymbolTable::symbolKnownUseEmpty(function, module))
    return;
  FuncOp copy = function.clone();
  copy.setPrivate();
  mlir::StringAttr name =
      mlir::SymbolTable(module).insert(copy, function->getIterator());
  // Fails only for operations of unknown dialects, which are not parsed.
  (void)mlir::SymbolTable::replaceAllSymbolUses(function, name, module);
}

void stablehlo::bindWeights(FuncOp function,
                            llvm::ArrayRef<mlir::ElementsAttr> elements) {
  keepCalls(function, function->getParentOfType<mlir::ModuleOp>());
  // A program without operations of StableHLO has not loaded the dialect.
  function.getContext()->loadDialect<stablehlo::StablehloDialect>();
  mlir::OpBuilder b = mlir::OpBuilder::atBlockBegin(&function.front());
  llvm::BitVector bound(elements.size());
  for (auto [argument, value] :
       llvm::zip_equal(function.getArguments(), elements)) {
    if (!value)
      continue;
    bound.set(argument.getArgNumber());
    argument.replaceAllUsesWith(stablehlo::ConstantOp::create(
        b, argument.getLoc(), argument.getType(), value));
  }
  (void)function.eraseArguments(bound);
}
