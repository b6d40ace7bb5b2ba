// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The groups of devices in a collective, as expressions. Internal.
//
// Devices are numbered replica * partitions + partition. For four devices
//
//   {{0, 1}, {2, 3}}   member p of the group of device x   x - x mod 2 + p
//                      the position of x in its group      x mod 2
//   {{0, 2}, {1, 3}}   member p                            x mod 2 + p * 2
//                      position                            x floordiv 2
//
// Groups along the axes of a mesh are always of this kind: a position has
// digits, and each digit is a digit of the device number. Other groups are
// listed.

#ifndef MERCATOR_ANALYSIS_MAPS_DEVICEGROUPS_H
#define MERCATOR_ANALYSIS_MAPS_DEVICEGROUPS_H

#include "mercator/analysis/maps/Model.h"

namespace mercator::maps {

/// The meaning of the numbers in `replica_groups`.
enum class ReplicaGroupKind : uint8_t {
  Replicas,              ///< replicas of one partition
  Partitions,            ///< partitions of one replica
  ReplicasAllPartitions, ///< replicas, with all their partitions
  Devices
};

class DeviceGroups {
public:
  /// The groups of the attribute `replica_groups`; nothing if it is not a table
  /// of device numbers below the limit.
  static std::optional<DeviceGroups> of(mlir::Operation *op,
                                        ReplicaGroupKind grouping);

  /// The number of devices; the largest int64 if it is not known.
  [[nodiscard]] int64_t devices() const { return count; }
  /// The size of each group, if all have the same size.
  [[nodiscard]] int64_t groupSize() const { return size; }
  /// True if member() and position() are expressions.
  [[nodiscard]] bool isRegular() const { return regular; }
  [[nodiscard]] indexing::Expr member(Arena &arena, indexing::Expr device,
                                      indexing::Expr position) const;
  [[nodiscard]] indexing::Expr position(Arena &arena,
                                        indexing::Expr device) const;

  std::vector<std::vector<int64_t>> groups; ///< if the device number is known

private:
  /// (device floordiv stride) mod size, with weight `weight` in the position.
  struct Digit {
    int64_t stride, size, weight;
  };
  void findDigits();

  int64_t count = 1, size = 0;
  bool regular = false;
  llvm::SmallVector<Digit, 2> digits;
};

/// The numbers of replicas and partitions that a program runs on, if they are
/// attributes of its module.
struct DeviceGrid {
  std::optional<int64_t> replicas, partitions;
};
[[nodiscard]] DeviceGrid deviceGrid(mlir::Operation *op);

/// The all-to-all of HLO with tuples: each member of a group sends operand k to
/// member k, and result k is the operand that member k sent.
[[nodiscard]] MapSet tupleAllToAllMaps(mlir::Operation *op, const Query &q);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_DEVICEGROUPS_H
