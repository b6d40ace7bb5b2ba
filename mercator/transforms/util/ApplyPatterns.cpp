// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Alternates all canonicalizations of the loaded dialects and the
/// simplification of block arguments (BlockArguments.h) until neither finds
/// anything.

#include "mercator/transforms/util/BlockArguments.h"
#include "mercator/transforms/util/Canonicalizations.h"
#include "mercator/transforms/util/Passes.h"

namespace mercator::util {
#define GEN_PASS_DEF_APPLYPATTERNS
#include "mercator/transforms/util/Passes.h.inc"
} // namespace mercator::util

using namespace mlir;
using namespace mercator;
using namespace mercator::util;

/// Each may enable the other; three rounds are rare.
static constexpr int kMaxRounds = 10;

namespace {
struct ApplyPatterns : util::impl::ApplyPatternsBase<ApplyPatterns> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    patterns = collectCanonicalizations(context);
    return success();
  }

  void runOnOperation() override {
    for (int i = 0; i < kMaxRounds; ++i) {
      canonicalize(getOperation(), patterns);
      if (!simplifyBlockArguments(getOperation()))
        return;
    }
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
