// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/ascend/UndoHlo.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/ascend/FormGraphs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;

static void inlineFusion(hlo::FusionOp fusion) {
  Block &body = fusion.getBody().front();
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), fusion.getInputs()))
    argument.replaceAllUsesWith(operand);
  Operation *end = body.getTerminator();
  fusion->replaceAllUsesWith(end->getOperands());
  end->erase();
  fusion->getBlock()->getOperations().splice(fusion->getIterator(),
                                             body.getOperations());
  fusion.erase();
}

/// The values that a value is made of, where it is a tuple that is put
/// together here.
static void collectMembers(Value value, SmallVectorImpl<Value> &members) {
  auto tuple = value.getDefiningOp<stablehlo::TupleOp>();
  if (!tuple)
    return members.push_back(value);
  for (Value member : tuple->getOperands())
    collectMembers(member, members);
}

static void returnMembers(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return;
  auto end =
      dyn_cast<func::ReturnOp>(function.getBody().front().getTerminator());
  if (!end)
    return;
  SmallVector<Value> members;
  for (Value value : end.getOperands())
    collectMembers(value, members);
  if (llvm::equal(members, end.getOperands()))
    return;
  end->setOperands(members);
  function.removeResAttrsAttr();
  function.setType(FunctionType::get(function.getContext(),
                                     function.getArgumentTypes(),
                                     TypeRange(ValueRange(members))));
}

void ascend::undoHlo(ModuleOp module) {
  // Inner ones first: an operation is moved once for each fusion around it.
  module.walk<WalkOrder::PostOrder>([](Operation *op) {
    if (auto fusion = dyn_cast<hlo::FusionOp>(op)) {
      inlineFusion(fusion);
    } else if (auto copy = dyn_cast<hlo::CopyOp>(op)) {
      if (copy.getOperand().getType() != copy.getResult().getType())
        return;
      copy.getResult().replaceAllUsesWith(copy.getOperand());
      copy.erase();
    } else if (auto member = dyn_cast<stablehlo::GetTupleElementOp>(op)) {
      auto tuple = member.getOperand().getDefiningOp<stablehlo::TupleOp>();
      if (!tuple)
        return;
      member.getResult().replaceAllUsesWith(
          tuple->getOperand(member.getIndex()));
      member.erase();
    }
  });
  // A call counts on what the function returns. Asked of the module once: it
  // may hold thousands of functions.
  auto referred = referredSymbols(module);
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && referred &&
        !referred->contains(function.getSymNameAttr()))
      returnMembers(function);
}
