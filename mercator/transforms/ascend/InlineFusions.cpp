// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/ascend/InlineFusions.h"
#include "mercator/dialects/hlo/Hlo.h"

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

void ascend::inlineFusions(ModuleOp module) {
  // Inner ones first: each operation is moved once for each fusion around it.
  module.walk<WalkOrder::PostOrder>([](Operation *op) {
    if (auto fusion = dyn_cast<hlo::FusionOp>(op)) {
      inlineFusion(fusion);
    } else if (auto copy = dyn_cast<hlo::CopyOp>(op)) {
      if (copy.getOperand().getType() != copy.getResult().getType())
        return;
      copy.getResult().replaceAllUsesWith(copy.getOperand());
      copy.erase();
    }
  });
}
