// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Assertions run before the dispatches that rely on them.
///
///   %r = flow.dispatch @k(%a, %b)        cf.assert %same
///   %same = arith.cmpi eq, %m, %n   =>   %r = flow.dispatch @k(%a, %b)
///   cf.assert %same
///
/// Formation may place a dispatch above an assertion: it moves tensors only. The
/// extents of a dispatch's operands are known before the dispatch, so an assertion
/// that compares them can stand there.

#ifndef MERCATOR_TARGETS_CPU_HOST_CHECKSFIRST_H
#define MERCATOR_TARGETS_CPU_HOST_CHECKSFIRST_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// Moves each assertion, and the numbers that it needs, to the first place in its
/// block where these numbers are known. Assertions at one place keep their order.
void checkFirst(mlir::func::FuncOp function);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_HOST_CHECKSFIRST_H
