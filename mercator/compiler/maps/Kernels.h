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

#include "mercator/analysis/Layout.h"
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
  std::string instruction, computation, at, origin, type;
  std::vector<std::string> operands = {}; ///< names
  /// Where each operand is from: the number of another kernel, or none for an
  /// argument; and where its elements are. No layout: no array.
  struct Source {
    std::optional<size_t> kernel;
    std::optional<access::Layout> layout;
    [[nodiscard]] int64_t bytes() const { return layout ? layout->bytes() : 0; }
  };
  std::vector<Source> sources = {};
  std::vector<std::optional<access::Layout>> results = {};
  /// The operation that gives its first result: `stablehlo.reduce`.
  std::string root = {};
  /// Equal for kernels that compute the same of their operands, whatever their names.
  uint64_t computes = 0;
  /// The lines of its operations, `f.hlo:12`, in order: of a fusion, those inside.
  std::vector<std::string> lines = {};
  /// How often it runs: in a loop whose number of iterations XLA wrote down.
  int64_t repeats = 1;
  kernels::Kernel kernel;
  kernels::Counts counts;
  kernels::Time time;
  double leastMicroseconds = 0; ///< see kernels::leastMicroseconds
};

/// `model.py:12`, or else `f.hlo:12`.
[[nodiscard]] inline const std::string &originOf(const KernelRecord &record) {
  return record.origin.empty() ? record.at : record.origin;
}

/// The part of a result that one block computes: sizes, in its dimensions.
struct KernelTile {
  llvm::SmallVector<int64_t, 4> shape, sizes;
};
/// For each result that the threads write, that of the first block. Blocks that take
/// consecutive elements, across the ends of rows, have the smallest box around them.
[[nodiscard]] std::vector<KernelTile> tilesOf(const KernelRecord &record);

/// Writes the kernel as an object.
void writeJson(const KernelRecord &record, llvm::json::OStream &json);
/// The same members, inside of an object.
void writeMembers(const KernelRecord &record, llvm::json::OStream &json);

} // namespace mercator

#endif // MERCATOR_COMPILER_MAPS_KERNELS_H
