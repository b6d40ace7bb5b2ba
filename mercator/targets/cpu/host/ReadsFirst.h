// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Reads of a tensor move before the operation that updates it.
///
///   %b = flow.tensor.update %x, %a[%i] ..   // must copy %a, which is read below
///   %y = flow.dispatch @f(%a)
///
/// becomes
///
///   %y = flow.dispatch @f(%a)
///   %b = flow.tensor.update %x, %a[%i] ..   // in place
///
/// A read moves with what it needs, unless it needs the updated tensor, or the
/// move would put another update before a read of its target.

#ifndef MERCATOR_TARGETS_CPU_HOST_READSFIRST_H
#define MERCATOR_TARGETS_CPU_HOST_READSFIRST_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// Reorders the operations of each block of a host program.
void readBeforeUpdates(mlir::func::FuncOp source);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_HOST_READSFIRST_H
