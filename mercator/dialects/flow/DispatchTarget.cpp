// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/flow/DispatchTarget.h"

#include "mlir/IR/SymbolTable.h"

using namespace mercator;
using mlir::SymbolTable;

flow::DispatchTarget flow::targetOf(DispatchOp dispatch,
                                    mlir::Operation *from) {
  DispatchTarget target;
  mlir::SymbolRefAttr entry = dispatch.getEntryPoint();
  auto executable = SymbolTable::lookupNearestSymbolFrom<ExecutableOp>(
      from, entry.getRootReference());
  if (!executable)
    return target;
  target.exported = llvm::dyn_cast_or_null<ExecutableExportOp>(
      SymbolTable::lookupSymbolIn(executable, entry.getLeafReference()));
  if (mlir::ModuleOp inner = executable.getInnerModule();
      inner && target.exported)
    target.function = inner.lookupSymbol<mlir::func::FuncOp>(
        target.exported.getFunctionRefAttr().getAttr());
  return target;
}
