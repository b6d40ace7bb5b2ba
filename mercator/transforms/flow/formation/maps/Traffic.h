// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a group of operations moves to and from memory, and how long that and
/// its arithmetic take.
///
/// A group has coordinates (analysis/cells/Align.h). A coordinate *divides* a
/// tensor if its values stand for different parts of it:
///
///   %y = matmul(%x, %w), cells (row, column)
///   row divides %x and %y, column divides %w and %y
///
/// One cell needs the part of each tensor that its coordinates give. If what a
/// cell needs fits into the cache, the next cell finds there what both read, and
/// memory is read once. If not, a tensor is read again for each value of the
/// coordinates that do not divide it, or for each tile of them: from the cache that
/// all cores share, if what is read again fits into half of it.
///
///   bytes   of tensors read, each as often as that, and of results that are
///           used outside of the group
///   time    a dispatch + bytes / bandwidth + bytes read again from the shared
///           cache / its bandwidth + operations / rate of the cores that have a
///           cell
///
/// A loop on numbers has one cell and no vectors: one core carries out its
/// operations, one after the other.
///
/// A tensor that one operation of the group writes and others read, and nothing
/// else, costs nothing: it stays in the cache, if the part of a cell fits.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_TRAFFIC_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_TRAFFIC_H

#include "mercator/analysis/device/Device.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace mercator::flow {

/// What the estimates need of a device, in bytes, operations and nanoseconds.
struct Machine {
  explicit Machine(const Device &device);

  double bytesPerNs, flopsPerNs; ///< the second of one core
  double scalarsPerNs;           ///< of one core, without vectors
  double cores;
  double cacheBytes;  ///< of the cache that a core has alone
  double sharedBytes; ///< of the last cache, for all cores; 0: there is none
  double sharedBytesPerNs; ///< from the last cache
  double dispatchNs;       ///< to start a dispatch and to meet at its end
};

/// A set of coordinates: bit i stands for coordinate i.
using Coordinates = uint64_t;

/// For each coordinate of a merged group the coordinates of one of its halves
/// that it is computed from.
using Origins = llvm::SmallVector<Coordinates, 4>;

/// A tensor that goes from the first half of a merged group to the second.
struct Handed {
  mlir::Value value;
  unsigned uses; ///< by the second half
};

struct Estimate {
  double bytes = 0;       ///< moved to and from memory
  double sharedBytes = 0; ///< read again from the last cache
  double flops = 0;       ///< arithmetic
  double scalars = 0;     ///< arithmetic on numbers, in one core
  double cells = 1;       ///< the number of cells
  double cellBytes = 0;   ///< that one cell needs
  double innerBytes = 0;  ///< of the largest tensor inside the group, in a cell
  double rereads = 1;     ///< of the tensor that is read most often
  double reread = 0;      ///< its bytes
  double tiles = 1;       ///< of cells, which compute what is repeated

  [[nodiscard]] double time(const Machine &machine) const;
};

class GroupTraffic {
public:
  GroupTraffic() = default;
  /// The traffic of one operation.
  explicit GroupTraffic(llvm::ArrayRef<double> extents, double flops)
      : extents(extents.begin(), extents.end()), flops(flops) {}

  /// The traffic of a loop on numbers: only its operations.
  [[nodiscard]] static GroupTraffic ofScalars(double operations) {
    GroupTraffic traffic({}, 0);
    traffic.scalars = operations;
    return traffic;
  }

  void addRead(mlir::Value value, double bytes, Coordinates dividers);
  /// Requires: `uses` is the number of its users.
  void addWrite(mlir::Value value, double bytes, Coordinates dividers,
                unsigned uses);

  [[nodiscard]] Estimate estimate(const Machine &machine) const;
  /// Whether these are the only results of the group with users outside it, and
  /// these are their only users.
  [[nodiscard]] bool isOnlyHanded(llvm::ArrayRef<Handed> handed) const;
  /// The estimate of the group that the two would make. With `repeatsFirst` each
  /// tile computes all of the first.
  [[nodiscard]] static Estimate
  estimateMerged(const Machine &machine, const GroupTraffic &first,
                 const Origins &firstOrigins, const GroupTraffic &second,
                 const Origins &secondOrigins, llvm::ArrayRef<double> extents,
                 llvm::ArrayRef<Handed> handed, bool repeatsFirst);
  /// Makes that group. Complexity: linear in the smaller of the two.
  [[nodiscard]] static GroupTraffic
  merge(GroupTraffic first, const Origins &firstOrigins, GroupTraffic second,
        const Origins &secondOrigins, llvm::ArrayRef<double> extents,
        llvm::ArrayRef<Handed> handed, bool repeatsFirst);

  llvm::SmallVector<double, 4> extents; ///< of each coordinate

private:
  struct Part {
    double bytes;
    unsigned kind; ///< index into `kinds`
  };
  struct Result : Part {
    unsigned uses; ///< outside of the group
  };
  /// Tensors that the same coordinates divide.
  struct Kind {
    Coordinates dividers;
    double readBytes = 0, innerBytes = 0;
  };

  unsigned kindOf(Coordinates dividers);
  void renumber(const Origins &origins);
  static Estimate sum(const Machine &machine, llvm::ArrayRef<Kind> kinds,
                      llvm::ArrayRef<double> extents, double written,
                      double flops, double repeatedFlops, bool isOne);

  llvm::DenseMap<mlir::Value, Part> reads;
  llvm::DenseMap<mlir::Value, Result> writes;
  llvm::SmallVector<Kind, 4> kinds;
  double written = 0, flops = 0;
  double repeatedFlops = 0; ///< of what each tile computes again
  double scalars = 0;       ///< operations of loops on numbers
  /// One operation chooses tiles of its own, in all its loops.
  bool isOne = true;
};

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_TRAFFIC_H
