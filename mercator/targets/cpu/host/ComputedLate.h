// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Tensors are computed when they are needed.
///
///   %t = flow.dispatch @transpose(%weight)   // has memory from here on
///   ...
///   %y = flow.dispatch @f(%x, %t)
///
/// becomes
///
///   ...
///   %t = flow.dispatch @transpose(%weight)
///   %y = flow.dispatch @f(%x, %t)
///
/// An operation moves down to the first user of its results, but not below the last
/// other use of a tensor that it reads: that would need memory for longer, and could
/// turn an update in place into a copy. Parameters and constants are there in any case,
/// but for parameters that the caller gives away. What is only returned stays.

#ifndef MERCATOR_TARGETS_CPU_HOST_COMPUTEDLATE_H
#define MERCATOR_TARGETS_CPU_HOST_COMPUTEDLATE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// Reorders the operations of each block of a host program. With `usesDonations`,
/// parameters that the caller gives away are written.
void computeLate(mlir::func::FuncOp source, bool usesDonations);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_HOST_COMPUTEDLATE_H
