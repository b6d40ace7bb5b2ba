// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace mercator::flow {
#define GEN_PASS_DEF_VERIFYINPUTLEGALITY
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// By name: the dialect need not be registered.
static bool isLegal(OperationName name) {
  if (name.getStringRef() == "tosa.apply_scale")
    return true; // On scalars; it has a lowering to arith.
  static constexpr StringLiteral kDialects[] = {
      "chlo", "mhlo", "stablehlo", "tosa", "tm_tensor", "vhlo"};
  return !llvm::is_contained(kDialects, name.getDialectNamespace()) &&
         name.getStringRef() != UnrealizedConversionCastOp::getOperationName();
}

namespace {
struct VerifyInputLegality
    : flow::impl::VerifyInputLegalityBase<VerifyInputLegality> {
  using Base::Base;

  void runOnOperation() override {
    llvm::MapVector<OperationName, int64_t> counts;
    getOperation()->walk([&](Operation *op) {
      if (isLegal(op->getName()))
        return;
      op->emitOpError("illegal op still exists");
      ++counts[op->getName()];
    });
    markAllAnalysesPreserved();
    if (counts.empty())
      return;
    InFlightDiagnostic error =
        emitError(getOperation()->getLoc(), "illegal operations still remain");
    StringRef separator = ": ";
    for (auto [name, count] : counts) {
      error << separator << name << " (" << count << ")";
      separator = ", ";
    }
    error << "; earlier passes must lower them to linalg";
    signalPassFailure();
  }
};
} // namespace
