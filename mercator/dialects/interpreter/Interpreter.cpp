// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/interpreter/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mercator::interpreter;

#include "mercator/dialects/interpreter/InterpreterDialect.cpp.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/interpreter/InterpreterOps.cpp.inc"

void InterpreterDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "mercator/dialects/interpreter/InterpreterOps.cpp.inc"
      >();
}

LogicalResult RunParallelOp::verify() {
  if (getPrograms().empty() || cast<ArrayAttr>(getPrograms()[0]).empty())
    return emitOpError("expected at least one program, got none");
  size_t partitions = cast<ArrayAttr>(getPrograms()[0]).size();
  for (auto [r, row] : llvm::enumerate(getPrograms().getAsRange<ArrayAttr>()))
    if (row.size() != partitions)
      return emitOpError() << "expected " << partitions
                           << " programs for each replica, got " << row.size()
                           << " for replica " << r;
  if (getInfeed() && getInfeed()->empty())
    return emitOpError(
        "expected at least one infeed function, or no infeed, got []");
  return success();
}

LogicalResult RunParallelOp::verifySymbolUses(SymbolTableCollection &symbols) {
  size_t arguments = 0, results = 0;
  auto find = [&](FlatSymbolRefAttr name) -> func::FuncOp {
    auto function = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        getOperation(), name.getAttr());
    if (!function)
      emitOpError() << "expected a function called " << name;
    return function;
  };
  for (auto row : getPrograms().getAsRange<ArrayAttr>())
    for (auto name : row.getAsRange<FlatSymbolRefAttr>()) {
      func::FuncOp program = find(name);
      if (!program)
        return failure();
      arguments += program.getNumArguments();
      results += program.getNumResults();
    }
  if (getInputs().size() != arguments)
    return emitOpError() << "expected " << arguments
                         << " operands, the arguments of all programs, got "
                         << getInputs().size();
  if (getResults().size() != results)
    return emitOpError() << "expected " << results
                         << " results, those of all programs, got "
                         << getResults().size();
  if (!getInfeed())
    return success();
  for (auto name : getInfeed()->getAsRange<FlatSymbolRefAttr>()) {
    func::FuncOp source = find(name);
    if (!source)
      return failure();
    if (source.getNumArguments() != 0)
      return emitOpError()
             << "expected " << name
             << " without arguments, because it is an infeed function, got "
             << source.getNumArguments();
    ArrayRef<Type> fed = source.getResultTypes();
    if (fed.size() != 1 || !isa<RankedTensorType>(fed[0]))
      return emitOpError()
             << "expected " << name
             << " to return one tensor, because it is an infeed function, got "
             << source.getFunctionType();
  }
  return success();
}
