// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The devices that meet in a collective, as expressions. Internal.
//
// Devices are numbered replica * partitions + partition. Of four of them
//
//   {{0, 1}, {2, 3}}   member p of the group of device x   x - x mod 2 + p
//                      which member x is                   x mod 2
//   {{0, 2}, {1, 3}}   member                              x mod 2 + p * 2
//                      which                               x floordiv 2
//
// Groups along axes of a mesh all are of this kind: a position has digits, and
// each digit is one of the device's number. Other groups are listed.

#ifndef MERCATOR_ANALYSIS_MAPS_MODELS_DEVICEGROUPS_H
#define MERCATOR_ANALYSIS_MAPS_MODELS_DEVICEGROUPS_H

#include "mercator/analysis/maps/models/Model.h"

namespace mercator::maps {

/// How the numbers in `replica_groups` are meant.
enum class Grouping : uint8_t {
  Replicas,              ///< of one partition
  Partitions,            ///< of one replica
  ReplicasAllPartitions, ///< replicas, with all their partitions
  Devices
};

class DeviceGroups {
public:
  /// Of the attribute `replica_groups`. None where it says no groups.
  static std::optional<DeviceGroups> of(mlir::Operation *op, Grouping grouping);

  /// How many devices there are; the largest int64 where that is not known.
  [[nodiscard]] int64_t devices() const { return count; }
  /// How many are in each group, if that is one number.
  [[nodiscard]] int64_t groupSize() const { return size; }
  /// The other two can be asked.
  [[nodiscard]] bool isRegular() const { return regular; }
  [[nodiscard]] indexing::Expr member(Arena &arena, indexing::Expr device,
                                      indexing::Expr position) const;
  [[nodiscard]] indexing::Expr position(Arena &arena,
                                        indexing::Expr device) const;

  std::vector<std::vector<int64_t>> groups; ///< if the number is known

private:
  /// (device floordiv stride) mod size, which counts `weight` in the position.
  struct Digit {
    int64_t stride, size, weight;
  };
  void findDigits();

  int64_t count = 1, size = 0;
  bool regular = false;
  llvm::SmallVector<Digit, 2> digits;
};

/// How many replicas and partitions a program runs on, where its module says
/// so.
struct DeviceGrid {
  std::optional<int64_t> replicas, partitions;
};
[[nodiscard]] DeviceGrid deviceGrid(mlir::Operation *op);

/// HLO's all-to-all of a tuple: of a group, each member sends operand k to
/// member k, and result k is what member k sent.
[[nodiscard]] MapSet tupleAllToAllMaps(mlir::Operation *op, const Query &q);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_MODELS_DEVICEGROUPS_H
