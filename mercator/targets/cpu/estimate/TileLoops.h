// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Loops over the digits of a number, in place of a loop over the number.
///
///   for %p = 0 to 5 {parallel}                 for %p = 0 to 1 {parallel, parts = 5}
///     for %t = %p * 114 / 5 to ..                for %b = 0 to 38
///       %a = %t rem 3                      =>      for %a = 0 to 3
///       %b = %t div 3                                ..
///
/// A kernel counts its tiles by one number, since parts of equal size are ranges of it.
/// Their digits say where a tile is. The estimate needs them as loops: then it sees that
/// two tiles touch different memory.

#ifndef MERCATOR_TARGETS_CPU_ESTIMATE_TILELOOPS_H
#define MERCATOR_TARGETS_CPU_ESTIMATE_TILELOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cstdint>
#include <optional>

namespace mercator::cpu {

/// Changes the kernel for the estimate alone: all parts of a loop become one.
void splitTileLoops(mlir::func::FuncOp kernel);

/// The parts that a loop had before splitTileLoops, if that changed it.
[[nodiscard]] std::optional<int64_t> partsBefore(mlir::scf::ForOp loop);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_ESTIMATE_TILELOOPS_H
