// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Products of narrow numbers that are added up in f32 or i32, in forms that
/// ContractionCode.h has code for.
///
///   c[i, j] += extend(a[i, k]) * extend(b[k, j])
///
/// - *Pairs*: a and b are copied to buffers of 32-bit words, which hold two
///   neighbors along k, in bf16 or i16. A step of the product then takes a pair: the
///   CPU multiplies two and adds both, in one instruction (vdpbf16ps, vpmaddwd,
///   vpdpwssd). Integers of 8 bits become 16 bits, so sums are exact. vdpbf16ps
///   takes numbers below 2^-126 for zero.
/// - *Matrix*: the operands of the matrix unit (MatrixUnit.h), if that pays: b is copied
///   to words of four integers of 8 bits, or of two bf16, and a is read in place if the
///   terms of its rows are neighbors and fill tiles.
/// - *Extended*: a and b are copied to buffers of f32.
///
/// These copies are prologues (Prologue.h): large ones are made where the product reads
/// its operands, and have no memory of their own.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_NARROWPRODUCTS_H
#define MERCATOR_TARGETS_CPU_KERNELS_NARROWPRODUCTS_H

#include "mercator/targets/cpu/machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// On an operation whose operands are pairs: a type, bf16 or i16.
inline constexpr llvm::StringLiteral kPairs = "mercator.pairs";

/// Rewrites the linalg operations of a kernel on buffers.
void rewriteNarrowProducts(mlir::func::FuncOp kernel, const Machine &machine);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_NARROWPRODUCTS_H
