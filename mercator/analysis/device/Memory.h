// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How a device reads memory: the lanes of one load, the unit of a transfer, the
/// caches, and the rates.
///
/// ```cpp
/// auto h100 = findMemorySystem("h100");
/// assert(h100 && h100->lanes == 32 && h100->sectorBytes == 32);
/// ```
///
/// The known devices are the files devices/*.json of the project. Any file of
/// that form describes a device, too.

#ifndef MERCATOR_ANALYSIS_DEVICE_MEMORY_H
#define MERCATOR_ANALYSIS_DEVICE_MEMORY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mercator {

struct MemorySystem {
  std::string name, title;
  int64_t lanes = 1;         ///< threads of a warp, or f32 elements of a vector
  int64_t sectorBytes = 64;  ///< the smallest transfer
  int64_t lineBytes = 64;    ///< what one tag of a cache covers
  int64_t baseAlignment = 1; ///< of the address of every tensor, in bytes
  int64_t banks = 0;         ///< of shared memory; 0 if there is none
  int64_t bankBytes = 0;
  struct Cache {
    std::string name;
    int64_t bytes;
  };
  std::vector<Cache> caches; ///< the smallest first
  /// Of the whole device; 0: not known.
  double gigabytesPerSecond = 0, gigaflopsPerSecond = 0;
  int64_t cores = 1; ///< each has all caches but the last alone

  /// Only GPUs have shared memory.
  [[nodiscard]] bool isGpu() const { return banks > 0; }
};

/// The names that findMemorySystem accepts, in order.
[[nodiscard]] std::vector<std::string> memorySystemNames();

/// `h100`, `h200`, `zen5`, or `host`: the CPU of this machine. Its caches and the
/// number of its cores, those that this process may use, are asked of the system;
/// its rates are those of the nearest CPU of devices/, for as many cores and
/// lanes. An error names the devices that there are.
[[nodiscard]] llvm::Expected<MemorySystem>
findMemorySystem(llvm::StringRef name);

/// The JSON text of the device, which parseMemorySystem reads.
[[nodiscard]] std::string toJson(const MemorySystem &system);

/// The device that a JSON text describes. An error says which member is wrong.
[[nodiscard]] llvm::Expected<MemorySystem>
parseMemorySystem(llvm::StringRef json);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_DEVICE_MEMORY_H
