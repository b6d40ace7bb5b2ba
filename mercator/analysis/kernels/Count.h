// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a kernel does to memory: instructions, sectors and bytes.
///
///   input_transpose_fusion, f32[777,1000] of f32[1000,777]
///     loads 25000, of 119000 sectors; stores 24864, of 97125 sectors
///     loads of shared memory 24864, in 24864 passes; stores 25000, in 25000 passes
///     bytes from memory: 3108032
///
/// ```cpp (const kernels::Kernel &kernel, mlir::Operation *op, const Device &h100)
/// indexing::Arena arena;
/// kernels::Counts counts = kernels::count(kernel, op, arena, h100);
/// if (counts.loads.isExact())
///   llvm::outs() << counts.loads.value << " of " << counts.loadSectors.value;
/// ```
///
/// Shared memory. A pass of its banks serves a word of each (access/Banks.h): 1 pass
/// for a load is the best there is, up to 4 bytes a lane.
///
/// Units. A load is one instruction of one warp in which some lane takes part. A
/// sector that a load touches counts once for it. Bytes from memory come in units of
/// 64, each once for a kernel: caches are cold before it and hold what is read again.
///
/// Exactness. A number is exact, or the reason why not stands beside it: indices that
/// are known only when the program runs, or a step whose loads are too many kinds.
///
/// Complexity: see access/Lanes.h. 10^12 elements cost as much as 10^3.

#ifndef MERCATOR_ANALYSIS_KERNELS_COUNT_H
#define MERCATOR_ANALYSIS_KERNELS_COUNT_H

#include "mercator/analysis/access/Lanes.h"
#include "mercator/analysis/kernels/Kernel.h"

namespace mercator::kernels {

/// One instruction of the kernel's text, over all of its threads.
struct Counted {
  Step::Kind kind = Step::Kind::Reads;
  unsigned operand = 0;   ///< of the instruction; of a write: its result
  indexing::Map map = {}; ///< (lane, element, ...) -> index of the tensor
  std::string by = {};    ///< its results
  int64_t vector = 1;     ///< elements of a thread
  int64_t vectorBytes = 0;
  bool byEngine = false;
  access::Traffic traffic = {};
  /// Why the traffic is not exact; empty if it is, or if its own reason says so.
  std::string why = {};
};

struct Counts {
  std::vector<Counted> accesses = {};
  Verdict<int64_t> loads = {}, loadSectors = {}; ///< of warps
  Verdict<int64_t> stores = {}, storeSectors = {};
  Verdict<int64_t> adds = {}, addSectors = {}; ///< atomic additions
  /// In shared memory, and the passes of its banks that they take.
  Verdict<int64_t> sharedLoads = {}, sharedLoadPasses = {};
  Verdict<int64_t> sharedStores = {}, sharedStorePasses = {};
  int64_t leastPasses = 0; ///< that the bytes of these need
  Verdict<int64_t> bytesRead = {}, bytesWritten = {};
  /// Of those read: at indices of data, from a table larger than the last cache.
  int64_t bytesScattered = 0;
  /// The bytes of the arguments and results, each once.
  int64_t leastBytes = 0;
};

/// Requires: the kernel is that of the instruction. The arena is that of its maps.
[[nodiscard]] Counts count(const Kernel &kernel, mlir::Operation *instruction,
                           indexing::Arena &arena, const Device &device);

} // namespace mercator::kernels

#endif // MERCATOR_ANALYSIS_KERNELS_COUNT_H
