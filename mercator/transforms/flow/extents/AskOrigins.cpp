// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each tensor.dim of the result of an operation with inits asks the origin of
// the chain of inits. The pass belongs before upstream's
// `--resolve-shaped-type-result-dims`, which goes back one operation at a time
// for each tensor.dim: 23 seconds in a chain of 2,000.

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/extents/Extents.h"

namespace mercator::flow {
#define GEN_PASS_DEF_ASKORIGINS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
struct AskOrigins : flow::impl::AskOriginsBase<AskOrigins> {
  void runOnOperation() override {
    flow::ExtentResolver extents(&getContext());
    getOperation()->walk([&](tensor::DimOp dim) { extents.askOrigin(dim); });
  }
};
} // namespace
