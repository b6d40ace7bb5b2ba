// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How long a kernel takes on a device: the estimate of the schedules that its loops
/// carry out.
///
///   Time time = *timeOf(kernel, device, {.threads = 2, .programBytes = 6 << 20});
///
/// The loops are those of the kernel, after all schedules were chosen and before LLVM
/// (LoopTree.h). So whatever a schedule decides is in the estimate: tiles, packing,
/// what is computed again, what a mask leaves.
///
/// For each block of the loops:
///
///   core      the busiest of its units: multiply-adds, other arithmetic, loads,
///             stores, or a chain of operations that wait for each other
///   caches    for each cache, the bytes that its accesses miss, divided by the rate
///             of the next level. Written bytes come and go.
///   time      the longest of these, since they overlap; of what is nearly as long, a
///             part
///
/// What a cache keeps follows from footprints. Let an access be in a loop. If one
/// iteration of the loop touches less than the cache has, what the next iteration
/// touches again is a hit: the loop misses each line once. Otherwise each iteration
/// misses its lines anew. Two blocks one after the other are treated alike, and the
/// program itself is a loop around everything, which touches `programBytes`.
///
/// Laws. The causes add up to the time. A faster device is never slower.
/// Complexity: linear in the accesses of the loops, times the depth of the loops.

#ifndef MERCATOR_TARGETS_CPU_ESTIMATE_KERNELTIME_H
#define MERCATOR_TARGETS_CPU_ESTIMATE_KERNELTIME_H

#include "mercator/analysis/device/Device.h"
#include "mercator/targets/cpu/estimate/Time.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <vector>

namespace mercator::cpu {

struct TimeOptions {
  int64_t threads = 1;
  /// What the whole program touches, in bytes; what fits into a cache is still there
  /// when the kernel begins.
  double programBytes = 0;
  /// For each parameter, the bytes that are touched since its last use (Reuse.h), where
  /// that is known: what fits into a cache is still there.
  std::vector<double> distances = {};
};

/// None if it depends on data: loops until a condition holds, or to a bound that is
/// read from memory. The loops are written to `nest`: the times at depth 0 and the call
/// are the whole.
[[nodiscard]] std::optional<Time> timeOf(mlir::func::FuncOp kernel,
                                         const Device &device,
                                         const TimeOptions &options = {},
                                         std::vector<NestNode> *nest = nullptr);

/// The same of a kernel that nothing else needs: it is changed.
[[nodiscard]] std::optional<Time>
timeOfOwn(mlir::func::FuncOp kernel, const Device &device,
          const TimeOptions &options = {},
          std::vector<NestNode> *nest = nullptr);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_ESTIMATE_KERNELTIME_H
