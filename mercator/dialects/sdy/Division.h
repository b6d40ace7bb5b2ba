// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The division of a tensor among devices: the number of equal parts along each
/// dimension, and the part of each device.
///
///   mesh ["x"=2, "y"=3], sharding [{"y"}, {}], all axes manual
///
///   parts     3, 1
///   device    0  1  2  3  4  5       device = x * 3 + y
///   part      0  1  2  0  1  2       along dimension 0
///   copies    x distinguishes devices with the same part
///
/// A device number is written in digits, one for each axis or part of an axis:
/// (device floordiv stride) mod size. A digit contributes `weight` times its
/// value to the part number along the dimension that it divides.
///
/// Several devices may have the same part. The first of them is the *holder*:
/// the whole tensor consists of the parts of the holders. Axes that are not
/// manual divide nothing: along these axes, a reader and its holder have equal
/// digits.
///
/// Divisions are read from two notations: Shardy's (`<@mesh, [{"y"}, {}]>`) and
/// GSPMD's (`{devices=[3,1,2]<=[2,3]T(1,0) last_tile_dim_replicate}`).

#ifndef MERCATOR_DIALECTS_SDY_DIVISION_H
#define MERCATOR_DIALECTS_SDY_DIVISION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir {
class Operation;
}

namespace mercator::sdy {

/// The largest number of devices of a program.
inline constexpr int64_t kMaxDevices = 1 << 16;

struct Division {
  /// The meaning of a digit that does not divide a dimension.
  enum : int64_t { Copies = -1, NotManual = -2 };
  struct Digit {
    int64_t of; ///< a dimension, or one of the above
    int64_t stride, size;
    int64_t weight; ///< in the part number; 0 if `of` is no dimension
  };
  llvm::SmallVector<int64_t> parts; ///< along each dimension
  llvm::SmallVector<Digit, 4> digits;
  int64_t devices = 1;
  /// The device at each position of the digits. Empty: the position itself.
  std::vector<int64_t> ids;

  /// The part along each dimension that a device has.
  [[nodiscard]] llvm::SmallVector<int64_t> partOf(int64_t device) const;
  /// The holder of a part, from the point of view of a reader.
  [[nodiscard]] int64_t holder(llvm::ArrayRef<int64_t> part,
                               int64_t reader) const;
};

/// A division, or why the text does not state one.
struct DivisionOr {
  Division division;
  std::string why;
  explicit operator bool() const { return why.empty(); }
};

/// The divisions of several tensors of these ranks. `shardings` is `<[<@mesh,
/// [{"x"}]>, ..]>`, `manualAxes` is `{"x"}`. Names of meshes are looked up from
/// `from`.
[[nodiscard]] std::vector<DivisionOr>
divisionsOf(mlir::Operation *from, llvm::StringRef shardings,
            llvm::StringRef manualAxes, llvm::ArrayRef<int64_t> ranks);

/// The division that GSPMD's text states.
[[nodiscard]] DivisionOr divisionOf(llvm::StringRef sharding, int64_t rank);

/// The divisions of a call that represents one side of a manual computation.
/// `attribute` is `xla.sdy.in_shardings` or `xla.sdy.out_shardings`.
[[nodiscard]] std::vector<DivisionOr>
divisionsOfCall(mlir::Operation *call, llvm::StringRef name,
                llvm::ArrayRef<int64_t> ranks);

/// The division of the whole tensor: of the operand of `@SPMDFullToShardShape`,
/// stated by the preceding annotation, or of the result of
/// `@SPMDShardToFullShape`.
[[nodiscard]] DivisionOr divisionOfOperand(mlir::Operation *call);
[[nodiscard]] DivisionOr divisionOfResult(mlir::Operation *call);

/// The number of devices of the mesh. 0 if there are no divisions or the first
/// one is unknown.
[[nodiscard]] int64_t devicesOf(llvm::ArrayRef<DivisionOr> divisions);

} // namespace mercator::sdy

#endif // MERCATOR_DIALECTS_SDY_DIVISION_H
