// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the schedules of a kernel say, for people (`mercator explain --target=cpu`).
///
///   8 x 1024 cells, tiles of 64 rows, 64 parts
///     att.mlir:3: product of 64 x 1024 x 64: form=tiles lanes=16 rows=13 vectors=2 ..

#ifndef MERCATOR_TARGETS_CPU_KERNELS_SCHEDULENOTES_H
#define MERCATOR_TARGETS_CPU_KERNELS_SCHEDULENOTES_H

#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace mercator::cpu {

struct ScheduleNote {
  mlir::Location loc;
  std::string text;
  bool isInTile = false; ///< of an operation in the tiles of the note before
};
using ScheduleNotes = std::vector<ScheduleNote>;

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_SCHEDULENOTES_H
