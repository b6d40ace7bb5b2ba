// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/util/Passes.h"

namespace mercator::util {
#define GEN_PASS_DEF_IPO
#include "mercator/transforms/util/Passes.h.inc"
} // namespace mercator::util

using namespace mlir;
using namespace mercator;

namespace {
struct IPO : util::impl::IPOBase<IPO> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->emitError("iree-util-ipo: not built yet");
    signalPassFailure();
  }
};
} // namespace
