// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the schedules of a kernel say, for people (`mercator explain --target=cpu`),
/// and for the text of the program (Schedules.h).
///
///   8 x 1024 cells, tiles of 64 rows, 64 parts
///     att.mlir:3: product of 64 x 1024 x 64: form=tiles lanes=16 rows=13 vectors=2 ..

#ifndef MERCATOR_TARGETS_CPU_KERNELS_SCHEDULENOTES_H
#define MERCATOR_TARGETS_CPU_KERNELS_SCHEDULENOTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

#include <string>
#include <vector>

namespace mercator::cpu {

struct ScheduleNote {
  mlir::Location loc;
  std::string text;
  bool isInTile = false; ///< of an operation in the tiles of the note before
};

/// The attribute that numbers the operations of a dispatched function, while
/// schedules are chosen for them. A step keeps it on what it makes of an operation.
inline constexpr llvm::StringLiteral kNumber = "mercator.number";

/// What a step chose for an operation, as an attribute of it.
struct ChosenSchedule {
  int64_t number; ///< of the operation
  llvm::StringRef name;
  mlir::Attribute value;
};

struct ScheduleNotes {
  std::vector<ScheduleNote> lines;
  std::vector<ChosenSchedule> chosen; ///< of numbered operations

  unsigned groups = 0;    ///< of operations in tiles
  unsigned rowGroups = 0; ///< of operations that are joined along rows

  void choose(mlir::Operation *op, llvm::StringRef name,
              mlir::Attribute value) {
    if (auto number = op->getAttrOfType<mlir::IntegerAttr>(kNumber))
      chosen.push_back({number.getInt(), name, value});
  }
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_SCHEDULENOTES_H
