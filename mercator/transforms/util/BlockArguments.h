// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block arguments that say nothing new. Internal.

#ifndef MERCATOR_TRANSFORMS_UTIL_BLOCKARGUMENTS_H
#define MERCATOR_TRANSFORMS_UTIL_BLOCKARGUMENTS_H

#include "mlir/IR/Operation.h"

namespace mercator::util {

/// Removes arguments of the blocks inside `op` that every branch gives one and
/// the same value, and those that every branch gives the value of another
/// argument. Those that stay keep their order; the arguments of a region are
/// left alone, as is a block that somebody branches to without
/// BranchOpInterface. Returns whether there were any.
///
///     cf.br ^bb1(%x, %y, %y)            cf.br ^bb1(%y)
///   ^bb1(%a, %b, %c):             ->  ^bb1(%b):
///     ...                               ...         with %x for %a, %b for %c
///     cf.br ^bb1(%a, %d, %d)            cf.br ^bb1(%d)
///
/// A loop counts as one branch to its own head. Takes time linear in the
/// branches and their operands.
bool simplifyBlockArguments(mlir::Operation *op);

} // namespace mercator::util

#endif // MERCATOR_TRANSFORMS_UTIL_BLOCKARGUMENTS_H
