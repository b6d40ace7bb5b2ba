// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/KeptOperations.h"
#include "mercator/transforms/flow/InputLegality.h"
#include "mercator/transforms/flow/Passes.h"

namespace mercator::flow {
#define GEN_PASS_DEF_VERIFYINPUTLEGALITY
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

static bool isStablehlo(StringRef dialect) {
  return llvm::is_contained({"chlo", "hlo", "sdy", "stablehlo"}, dialect);
}

bool flow::isIllegalInput(OperationName name) {
  if (name.getStringRef() == "tosa.apply_scale" || isKept(name))
    return false;
  StringRef dialect = name.getDialectNamespace();
  return isStablehlo(dialect) ||
         llvm::is_contained({"mhlo", "tm_tensor", "tosa", "vhlo"}, dialect) ||
         name.getStringRef() == UnrealizedConversionCastOp::getOperationName();
}

LogicalResult flow::verifyInputLegality(Operation *root) {
  Operation *first = nullptr;
  unsigned count = 0;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // The body of a collective belongs to it.
    if (isKept(op->getName()))
      return WalkResult::skip();
    if (!isIllegalInput(op->getName()))
      return WalkResult::advance();
    ++count;
    if (!first)
      first = op;
    return WalkResult::advance();
  });
  if (!first)
    return success();
  return first->emitError()
         << "expected operations of linalg, tensor and arith, got "
         << first->getName() << (count > 1 ? " and others" : "")
         << (isStablehlo(first->getName().getDialectNamespace())
                 ? ": lower it with --mercator-linalg-pipeline first"
                 : ": lower the program to linalg first");
}

namespace {
struct VerifyInputLegality
    : flow::impl::VerifyInputLegalityBase<VerifyInputLegality> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(flow::verifyInputLegality(getOperation())))
      signalPassFailure();
  }
};
} // namespace
