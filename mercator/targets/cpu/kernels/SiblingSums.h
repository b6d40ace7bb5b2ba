// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Sums of columns that read the same elements, in one pass over them.
///
///   s[j] = sum over i of x[i, j]              s[j], q[j], m[j] = sum, sum and maximum
///   q[j] = sum over i of x[i, j] * x[i, j]      over i of x[i, j], x[i, j] * x[i, j],
///   m[j] = max over i of x[i, j]                x[i, j]
///
/// Operations are joined if they have the same loops, one of which is parallel and is
/// their columns (SumCode.h), if they share an operand, read at most two buffers, and
/// can be moved to one place: no operation between uses what they write, or writes what
/// they read. The joined operation has the attributes of the first one; operations that
/// both have a schedule in the text (RowSchedule.h) are left as they are.
///
/// Each result is added in the order that it has alone (SumOrder.h), and keeps its bits.
///
/// Cost: linear in the operations between the last few sums of the kernel.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_SIBLINGSUMS_H
#define MERCATOR_TARGETS_CPU_KERNELS_SIBLINGSUMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// Joins sums of columns of a kernel on buffers.
void joinSiblingSums(mlir::func::FuncOp kernel);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_SIBLINGSUMS_H
