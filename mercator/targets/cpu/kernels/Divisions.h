// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Integer divisions that end the process: a processor stops a program that divides
/// by zero, and x86 one that divides the lowest number by -1.
///
///     %q = arith.divsi %x, %y          becomes
///
///     %special = %y == 0 or (%x == lowest and %y == -1)
///     %divisor = arith.select %special, 1, %y
///     %divided = arith.divsi %x, %divisor
///     %q = arith.select %y == 0, 0x5a5a.., %divided
///
/// `arith` leaves both results open. The lowest number divided by -1 is itself, with
/// the rest 0; what is divided by zero is the number of the reference evaluator
/// (`reference/linalg/ScalarFunction.cpp`), so that `--check` compares like with like.
/// A division whose divisor cannot be zero stays: the lowering of StableHLO has its
/// own choice there, and extents of tensors are divided by constants.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_DIVISIONS_H
#define MERCATOR_TARGETS_CPU_KERNELS_DIVISIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::cpu {

/// Guards every integer division and remainder of the module that may be undefined.
/// Requires: it comes first, while an operation of `arith` is on scalars.
void guardDivisions(mlir::ModuleOp module);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_DIVISIONS_H
