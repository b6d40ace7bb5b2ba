// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of `canonicalize`, for passes that do more. Internal.

#ifndef MERCATOR_TRANSFORMS_UTIL_CANONICALIZATIONS_H
#define MERCATOR_TRANSFORMS_UTIL_CANONICALIZATIONS_H

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mercator::util {

/// The canonicalizations of all loaded dialects and operations.
inline mlir::FrozenRewritePatternSet
collectCanonicalizations(mlir::MLIRContext *context) {
  mlir::RewritePatternSet patterns(context);
  for (mlir::Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (mlir::RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  return patterns;
}

/// Applies them inside `op`. Best effort, like `canonicalize`: stopping at the
/// limit of rounds is no error.
inline void canonicalize(mlir::Operation *op,
                         const mlir::FrozenRewritePatternSet &patterns) {
  mlir::GreedyRewriteConfig config;
  // Bottom-up, a chain would fold one step in each round. A more aggressive
  // region simplification would merge equal blocks in quadratic time.
  config.setUseTopDownTraversal();
  config.setRegionSimplificationLevel(mlir::GreedySimplifyRegionLevel::Normal);
  (void)mlir::applyPatternsGreedily(op, patterns, config);
}

} // namespace mercator::util

#endif // MERCATOR_TRANSFORMS_UTIL_CANONICALIZATIONS_H
