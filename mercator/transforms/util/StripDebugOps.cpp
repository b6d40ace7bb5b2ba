// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Erases cf.assert and every unused operation with the trait DebugOnly.
/// Operations that become dead are left to dead code elimination.

#include "mercator/dialects/util/UtilTraits.h"
#include "mercator/transforms/util/Passes.h"

namespace mercator::util {
#define GEN_PASS_DEF_STRIPDEBUGOPS
#include "mercator/transforms/util/Passes.h.inc"
} // namespace mercator::util

using namespace mlir;
using namespace mercator;

namespace {
struct StripDebugOps : util::impl::StripDebugOpsBase<StripDebugOps> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([this](Operation *op) {
      if (op != getOperation() && op->use_empty() &&
          (isa<cf::AssertOp>(op) || op->hasTrait<util::DebugOnly>()))
        op->erase();
    });
  }
};
} // namespace
