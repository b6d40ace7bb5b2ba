// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/rules/ChloNames.h"

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

static bool isChlo(Operation *op) {
  return isa_and_nonnull<chlo::ChloDialect>(op->getDialect());
}

ChloNames::ChloNames(ModuleOp module) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isChlo(op))
      names.insert({op->getLoc(), op->getName().getStringRef()});
    else if (!isa_and_nonnull<stablehlo::StablehloDialect>(op->getDialect()))
      return WalkResult::advance();
    return WalkResult::skip();
  });
}

void ChloNames::restore(std::vector<Unconverted> &left) const {
  for (Unconverted &it : left) {
    auto found = names.find(it.op->getLoc());
    if (found == names.end() || isChlo(it.op))
      continue;
    it.why = ("it is rewritten with " + it.op->getName().getStringRef() + ": " +
              it.why)
                 .str();
    it.name = found->second;
  }
}
