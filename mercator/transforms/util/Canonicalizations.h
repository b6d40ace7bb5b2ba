// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `canonicalize` applies. Internal.

#ifndef MERCATOR_TRANSFORMS_UTIL_CANONICALIZATIONS_H
#define MERCATOR_TRANSFORMS_UTIL_CANONICALIZATIONS_H

#include "mlir/Rewrite/FrozenRewritePatternSet.h"

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

} // namespace mercator::util

#endif // MERCATOR_TRANSFORMS_UTIL_CANONICALIZATIONS_H
