// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How long a kernel takes, and what it waits for.
///
///   softmax of f32[8192,8192]   173 us: memory, 268 MB read and 268 MB written
///   add of f32[64]              3.3 us: starting it
///
/// ```cpp (const kernels::Kernel &kernel, mlir::Operation *op, Arena &arena)
/// const Device &h100 = *findDevice("h100");
/// kernels::Counts counts = kernels::count(kernel, op, arena, h100);
/// kernels::Time time = kernels::timeOf(kernel, counts, op, h100);
/// llvm::outs() << time.microseconds << " us: " << time.cause;
/// ```
///
/// Model. A kernel has a fixed cost, and parts that run beside each other: bytes of
/// memory, requests to the first cache, arithmetic, blocks that are started, bytes of
/// the multiprocessors that have work, and steps that wait for each other. Parts of
/// about one length disturb each other: the whole is the root of the sum of their
/// squares. Of a device, its rates are used; the constants of the model are fitted on
/// hardware counters of an H100 (benchmarks/kernel_times judges them on programs that
/// are kept apart). A library's product or convolution is limited by a fixed part of
/// the device's rate or by memory; which kernel the library chooses is not modeled.
///
/// Limits. Registers, the clock, and what a branch skips are not modeled.

#ifndef MERCATOR_ANALYSIS_KERNELS_TIME_H
#define MERCATOR_ANALYSIS_KERNELS_TIME_H

#include "mercator/analysis/kernels/Count.h"

namespace mercator::kernels {

struct Time {
  double microseconds = 0; ///< 0: not known
  struct Part {
    std::string name; ///< "memory", "requests", "arithmetic", ..
    double microseconds;
  };
  std::vector<Part> parts = {}; ///< the longest first, with "start"
  std::string cause = {};       ///< a sentence about the longest
  /// Of a library: what its operations and bytes take, not of the kernel that it
  /// chooses.
  bool isEstimate = false;
};

/// Of a library call, an estimate; of another kernel whose launch is not known, or a
/// call without products, 0. Requires: the counts are its own.
[[nodiscard]] Time timeOf(const Kernel &kernel, const Counts &counts,
                          mlir::Operation *instruction, const Device &device);

/// The least that any kernel with these arguments and results takes: they are read
/// and written once.
[[nodiscard]] double leastMicroseconds(const Counts &counts,
                                       const Device &device);

} // namespace mercator::kernels

#endif // MERCATOR_ANALYSIS_KERNELS_TIME_H
