// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/util/Passes.h"

namespace mercator::util {
#define GEN_PASS_DEF_DEMOTEF64TOF32
#include "mercator/transforms/util/Passes.h.inc"
} // namespace mercator::util

using namespace mlir;
using namespace mercator;

namespace {
struct DemoteF64ToF32 : util::impl::DemoteF64ToF32Base<DemoteF64ToF32> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->emitError("iree-util-demote-f64-to-f32: not built yet");
    signalPassFailure();
  }
};
} // namespace
