// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The kernels of HLO that XLA has compiled for a GPU, in the order of execution: in
/// loops and branches, too.
///
///   input_transpose_fusion  transpose, 800 blocks of 128 threads
///     loads 25000, of 119000 sectors; stores 24864, of 97125 sectors
///
/// analysis/kernels/Kernel.h says how they are found, Count.h what is counted. This
/// adds names.

#ifndef MERCATOR_COMPILER_MAPS_KERNELS_H
#define MERCATOR_COMPILER_MAPS_KERNELS_H

#include "mercator/analysis/kernels/Count.h"
#include "mercator/analysis/kernels/Kernel.h"
#include "mercator/analysis/kernels/Time.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

#include <memory>

namespace mercator {

struct KernelQuery {
  Device device = {};
  kernels::ByHand byHand = {};
};

struct KernelRecord {
  /// Owns what the maps refer to.
  std::shared_ptr<indexing::Arena> arena;
  std::string instruction, at, origin, type;
  std::vector<std::string> operands = {}; ///< names
  /// Where each operand is from: the number of another kernel, and its bytes. None for
  /// an argument.
  struct Source {
    std::optional<size_t> kernel;
    int64_t bytes = 0;
  };
  std::vector<Source> sources = {};
  /// How often it runs: in a loop whose number of iterations XLA wrote down.
  int64_t repeats = 1;
  kernels::Kernel kernel;
  kernels::Counts counts;
  kernels::Time time;
  double leastMicroseconds = 0; ///< see kernels::leastMicroseconds
};

/// Writes the kernel as an object.
void writeJson(const KernelRecord &record, llvm::json::OStream &json);

} // namespace mercator

#endif // MERCATOR_COMPILER_MAPS_KERNELS_H
