// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The time that is predicted for a partitioned program on a cluster.
///
///   all_gather among k devices        k - 1 steps of a ring, each a shard
///   all_reduce of n bytes             2 (k - 1) steps of n / k bytes
///   reduce_scatter                    k - 1 steps of n / k bytes
///   all_to_all of n bytes             k - 1 messages of n / k bytes
///   a round of messages               the longest of them
///
/// A step takes as long as the slowest link between neighbors of the ring, and the
/// slowest group decides. Nothing is sent at the same time as something else, or
/// while a device computes. Operations in loops count once.
///
/// A product or a convolution takes as long as its multiply-adds at the peak rate of
/// the device, or as its operands and its result through memory, whatever is longer;
/// another operation that sums, sorts, gathers or scatters takes as long as its bytes.
/// Elementwise operations, and those that only move elements, count as fused into
/// these. All together take at least as long as the arguments and results of the
/// program through memory.
///
/// Complexity: devices for each movement.

#ifndef MERCATOR_TRANSFORMS_SPMD_TIMES_H
#define MERCATOR_TRANSFORMS_SPMD_TIMES_H

#include "mercator/analysis/device/Cluster.h"
#include "mercator/transforms/spmd/Movement.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::spmd {

/// Groups of devices, each in the order of its ring.
using Rings = llvm::ArrayRef<std::vector<int64_t>>;

/// The microseconds of a ring. In each step, every device sends `bytes` to the next one. Requires: the cluster joins the devices.
[[nodiscard]] double ringTime(const Cluster &cluster, Rings groups,
                              int64_t steps, double bytes);
/// The same, if every device sends `bytes` to each other one of its group.
[[nodiscard]] double exchangeTime(const Cluster &cluster, Rings groups,
                                  double bytes);

class SendTimes {
public:
  /// Requires: the cluster joins the devices of the mesh.
  SendTimes(const Cluster &cluster, const Mesh &mesh)
      : cluster(cluster), mesh(mesh) {}

  /// In microseconds. `elements` are those of a shard before it moves.
  [[nodiscard]] double of(const Movement &movement, int64_t elements,
                          int64_t elementBytes) const;
  /// An all-reduce, or a reduce-scatter, of `bytes` on each device.
  [[nodiscard]] double ofSum(llvm::ArrayRef<unsigned> axes, double bytes,
                             bool isScattered) const;

private:
  const Cluster &cluster;
  const Mesh &mesh;
};

/// In microseconds, of the program of one device.
[[nodiscard]] double computeTime(mlir::func::FuncOp function,
                                 const Device &device);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_TIMES_H
