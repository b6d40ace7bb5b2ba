// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Operations of the amx dialect as code: instructions of AMX, or for tests, loops that
/// compute the same on any CPU.
///
///   amx.tile_muli %a, %b, %c   =>   llvm.x86.tdpbssd.internal(16, 64, 64, %c, %a, %b)
///                        or, emulated,
///     for row: for k: c[row] += byte(a[row, k], i) * byte(b[k], i)     i = 0 .. 3
///
/// LLVM assigns and configures the registers. MLIR's own conversion has no tiles that
/// are carried around loops.
///
/// The emulation follows the manual (kernels/MatrixUnit.h) to the order of roundings.
/// In bf16 it takes subnormal numbers for zero where the program does: products that
/// keep them do not come here.

#ifndef MERCATOR_TARGETS_CPU_LLVM_TILES_H
#define MERCATOR_TARGETS_CPU_LLVM_TILES_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::cpu {

/// For all functions of a module. All tiles have 16 rows of 64 bytes.
void lowerTiles(mlir::ModuleOp module, bool emulates);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_TILES_H
