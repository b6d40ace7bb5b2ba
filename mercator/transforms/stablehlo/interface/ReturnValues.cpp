// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/interface/ReturnValues.h"

using namespace mercator;

void stablehlo::returnValues(mlir::func::FuncOp function,
                             llvm::ArrayRef<mlir::Value> values) {
  mlir::Operation *end = function.getBody().front().getTerminator();
  end->insertOperands(end->getNumOperands(), values);
  llvm::SmallVector<mlir::Type> results(end->getOperandTypes());
  // Attributes of results are of their number.
  if (mlir::ArrayAttr attributes = function.getResAttrsAttr()) {
    llvm::SmallVector<mlir::Attribute> all(attributes.getValue());
    all.resize(results.size(),
               mlir::DictionaryAttr::get(function.getContext()));
    function.setResAttrsAttr(mlir::ArrayAttr::get(function.getContext(), all));
  }
  function.setType(mlir::FunctionType::get(
      function.getContext(), function.getArgumentTypes(), results));
}
