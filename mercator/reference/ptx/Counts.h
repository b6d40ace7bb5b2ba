// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the warps of a launch did, in the units of the hardware's counters.
///
/// ```cpp
/// using namespace mercator::reference;
/// uint64_t lanes[32];
/// for (uint64_t lane = 0; lane < 32; ++lane)
///   lanes[lane] = 4096 + 16 * lane;                  // f32, 4 elements apart
/// assert(ptx::sectorsOf(lanes, 4) == 16);
/// assert(ptx::bankPasses(lanes, 4) == 4);
/// ```
///
/// A warp whose lanes are all predicated off issues no request. `loads` counts the
/// instructions of a warp. `loadSectors` counts the sectors of 32 bytes that one
/// instruction touches, each once.

#ifndef MERCATOR_REFERENCE_PTX_COUNTS_H
#define MERCATOR_REFERENCE_PTX_COUNTS_H

#include "mercator/reference/ptx/Module.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <cstdint>

namespace mercator::reference::ptx {

struct Counts {
  /// Instructions of a warp, and instructions of the lanes that took part.
  uint64_t instructions = 0;
  uint64_t laneInstructions = 0;
  /// Of a warp, by unit.
  std::array<uint64_t, kUnits> byUnit = {};

  uint64_t loads = 0, loadSectors = 0;   ///< global memory
  uint64_t stores = 0, storeSectors = 0; ///< global memory
  /// Atomic operations on global memory, with a result (`atom`) or without (`red`).
  uint64_t atomics = 0, atomicSectors = 0;
  /// Loads and stores of shared memory, and the passes that its banks need for them.
  uint64_t sharedLoads = 0, sharedLoadPasses = 0;
  uint64_t sharedStores = 0, sharedStorePasses = 0;
  uint64_t barriers = 0; ///< of a warp
  uint64_t products = 0; ///< `mma` of a warp
  /// Branches whose lanes part.
  uint64_t divergentBranches = 0;

  Counts &operator+=(const Counts &other);
  friend bool operator==(const Counts &, const Counts &) = default;

  /// The keys of an object: `loads`, `load_sectors`, `stores`, ..., `instructions`, and
  /// `units`, an object.
  void print(llvm::json::OStream &json) const;
};

/// The sectors of 32 bytes in which `addresses` lie, each access of `bytes` bytes.
/// Requires: an access is aligned to its size, which is a power of two up to 32.
[[nodiscard]] unsigned sectorsOf(llvm::ArrayRef<uint64_t> addresses,
                                 unsigned bytes);

/// The passes of the 32 banks, each 4 bytes wide, that a warp's access to shared memory
/// takes. A pass serves one word of each bank, to any number of lanes. Accesses of 8
/// bytes are served for half a warp at a time, those of 16 bytes for a quarter.
/// Source: `data/gpu/banks.json`, measured on an H100.
[[nodiscard]] unsigned bankPasses(llvm::ArrayRef<uint64_t> addresses,
                                  unsigned bytes);

} // namespace mercator::reference::ptx

#endif // MERCATOR_REFERENCE_PTX_COUNTS_H
