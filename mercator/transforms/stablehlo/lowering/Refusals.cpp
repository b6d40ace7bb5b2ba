// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/lowering/Refusals.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/transforms/KeptOperations.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace mercator::stablehlo {

bool isSource(Operation *op) {
  return isa_and_nonnull<StablehloDialect, hlo::HloDialect, chlo::ChloDialect,
                         sdy::SdyDialect>(op->getDialect());
}

LogicalResult refuseUnsupported(Operation *root, const LoweringRules &rules) {
  struct Kind {
    Operation *first;
    unsigned count = 0;
  };
  llvm::MapVector<OperationName, Kind> kinds;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // The body of a collective belongs to it.
    if (isKept(op->getName()))
      return WalkResult::skip();
    if (!isSource(op) || op->hasTrait<OpTrait::IsTerminator>() ||
        rules.find(op))
      return WalkResult::advance();
    ++kinds.insert({op->getName(), {op}}).first->second.count;
    return WalkResult::advance();
  });
  for (auto &[name, kind] : kinds) {
    InFlightDiagnostic error = kind.first->emitError()
                               << "expected operations that can be lowered to "
                                  "linalg, got "
                               << name;
    if (kind.count > 1)
      error << ", the first of " << kind.count;
  }
  return failure(!kinds.empty());
}

} // namespace mercator::stablehlo
