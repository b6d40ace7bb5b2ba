// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Loads that give the same element in each iteration move out of the loop.
///
///   for j in 0 .. 768                        k = rows[i]
///     k = rows[i]                     =>     for j in 0 .. 768
///     y[i, j] = table[k, j]                    y[i, j] = table[k, j]
///
/// LLVM does not know that y and rows are different buffers once a loop is a task of
/// its own, and would read rows[i] again after each store: no vectors, and a clamp for
/// each element of a gather.

#ifndef MERCATOR_TARGETS_CPU_LLVM_HOISTLOADS_H
#define MERCATOR_TARGETS_CPU_LLVM_HOISTLOADS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// In a kernel whose loops are scf.for. Requires: parameters do not overlap. A load
/// moves if the loop has an iteration for sure, and nothing in it writes the buffer.
void hoistLoads(mlir::func::FuncOp kernel);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_HOISTLOADS_H
