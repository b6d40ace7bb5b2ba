// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `canonicalize` does, for passes that do more. Internal.

#ifndef MERCATOR_TRANSFORMS_UTIL_CANONICALIZATIONS_H
#define MERCATOR_TRANSFORMS_UTIL_CANONICALIZATIONS_H

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mercator::util {

/// Those of every dialect and operation that the context has loaded.
inline mlir::FrozenRewritePatternSet
collectCanonicalizations(mlir::MLIRContext *context) {
  mlir::RewritePatternSet patterns(context);
  for (mlir::Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (mlir::RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  return patterns;
}

/// Applies them inside `op`. Best effort, as `canonicalize` is: a program that
/// takes more rounds is as right as it was.
inline void canonicalize(mlir::Operation *op,
                         const mlir::FrozenRewritePatternSet &patterns) {
  mlir::GreedyRewriteConfig config;
  // From the bottom up, a chain folds one step a time. And more than normal
  // would merge equal blocks, which takes time quadratic in their number.
  config.setUseTopDownTraversal();
  config.setRegionSimplificationLevel(mlir::GreedySimplifyRegionLevel::Normal);
  (void)mlir::applyPatternsGreedily(op, patterns, config);
}

} // namespace mercator::util

#endif // MERCATOR_TRANSFORMS_UTIL_CANONICALIZATIONS_H
