// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The computations that operations enter, by region or by symbol.

#include "mercator/analysis/Computations.h"
#include "mercator/dialects/flow/Flow.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mercator;
using namespace mercator::maps;
using mlir::Block;
using mlir::Operation;

CalledBlock maps::computationOf(Operation *op,
                                mlir::SymbolTableCollection *symbols) {
  mlir::Region *region = nullptr;
  if (llvm::isa<hlo::FusionOp, stablehlo::AsyncStartOp,
                sdy::NamedComputationOp>(op)) {
    region = &op->getRegion(0);
  } else {
    llvm::StringRef callee;
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
      callee = call.getCallee();
    else if (auto composite = llvm::dyn_cast<stablehlo::CompositeOp>(op))
      callee = composite.getDecomposition();
    else
      return {};
    auto name = mlir::StringAttr::get(op->getContext(), callee);
    auto function = llvm::dyn_cast_or_null<mlir::func::FuncOp>(
        symbols ? symbols->lookupNearestSymbolFrom(op, name)
                : mlir::SymbolTable::lookupNearestSymbolFrom(op, name));
    if (!function || function.isExternal())
      return {nullptr, ("the body of @" + callee + " is not known").str()};
    region = &function.getBody();
  }
  if (!region->hasOneBlock())
    return {nullptr, "control flow between blocks"};
  Block *block = &region->front();
  // A future holds all values that the body returns.
  bool isStart = llvm::isa<stablehlo::AsyncStartOp>(op);
  if (!block->mightHaveTerminator() ||
      block->getNumArguments() != op->getNumOperands() ||
      (!isStart &&
       block->getTerminator()->getNumOperands() != op->getNumResults()))
    return {nullptr, "the computation does not fit the operation"};
  return {block, {}};
}

bool maps::isControl(Operation *op) {
  if (auto branch = llvm::dyn_cast<mlir::scf::IfOp>(op))
    return branch.getNumResults() > 0; // then it has both regions
  return llvm::isa<stablehlo::IfOp, stablehlo::CaseOp, stablehlo::WhileOp,
                   flow::DispatchRegionOp>(op);
}
