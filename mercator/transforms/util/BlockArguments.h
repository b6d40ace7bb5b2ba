// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redundant block arguments. Internal.

#ifndef MERCATOR_TRANSFORMS_UTIL_BLOCKARGUMENTS_H
#define MERCATOR_TRANSFORMS_UTIL_BLOCKARGUMENTS_H

#include "mlir/IR/Operation.h"

namespace mercator::util {

/// Removes block arguments inside `op` for which every branch passes the same
/// value, and those for which every branch passes the value of another
/// argument. The remaining arguments keep their order. Entry blocks of regions
/// do not change, and neither do targets of terminators without
/// BranchOpInterface. Returns whether any were removed.
///
///     cf.br ^bb1(%x, %y, %y)            cf.br ^bb1(%y)
///   ^bb1(%a, %b, %c):             ->  ^bb1(%b):
///     ...                               ...         with %x for %a, %b for %c
///     cf.br ^bb1(%a, %d, %d)            cf.br ^bb1(%d)
///
/// A back edge that passes an argument to itself is ignored. Takes time linear
/// in the branches and their operands.
bool simplifyBlockArguments(mlir::Operation *op);

} // namespace mercator::util

#endif // MERCATOR_TRANSFORMS_UTIL_BLOCKARGUMENTS_H
