// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Code for reductions, in the order that SumOrder.h describes.
///
/// A *reduction* is an operation on buffers whose results are combined from terms
/// by an associative function, such as an addition or a maximum. It may compute
/// other results too, one element for each term. There are two forms:
///
///   rows      the neighbors in memory are terms:   columns   they are results:
///
///   acc[16] = 0                                    acc[16][C] = 0
///   for each step s                                for each step s
///     for l = 0 to 15                                for l = 0 to 15
///       acc[l] += term(16 s + l)                       for c = 0 to C - 1
///   y += tree(acc)                                       acc[l][c] += term(16 s + l, c)
///                                                  for c: y[c] += tree(acc[:, c])
///
/// In both, the innermost loop has no dependence, so LLVM computes vectors of any
/// width, and the operands are read in the order of memory. If the results are too
/// few for all threads, the nodes of a level are divided instead: their sums go to a
/// buffer, from which the levels above continue.
///
/// Columns that do not stay in a cache are fetched before: a piece of a row is short, and
/// the next one is far away.
///
/// Floats of fewer than 32 bits are added in f32, and rounded once at the end.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_SUMCODE_H
#define MERCATOR_TARGETS_CPU_KERNELS_SUMCODE_H

#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mercator::cpu {

/// Whether the operation has a code here.
[[nodiscard]] bool isReduction(mlir::linalg::LinalgOp op);

/// The dimension of the columns of a reduction; none if it has rows.
[[nodiscard]] std::optional<unsigned> columnsOf(mlir::linalg::LinalgOp op);

/// How to divide a reduction along a parallel loop other than its columns, if it has one
/// of enough extent. Otherwise emitSums() divides it.
[[nodiscard]] std::optional<Division>
chooseReductionDivision(mlir::linalg::LinalgOp op);

/// Replaces the reductions of a kernel on buffers.
void emitSums(mlir::func::FuncOp kernel, const Machine &machine);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_SUMCODE_H
