// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Global memory: buffers with addresses.
///
/// ```cpp
/// using namespace mercator::reference;
/// ptx::Memory memory;
/// uint64_t address = memory.allocate(6);
/// assert(address % 256 == 0 && memory.bytes(address).size() == 6);
/// assert(memory.find(address + 4, 8, /*isWrite=*/true));
/// assert(memory.find(address + 12, 8, false) && !memory.find(address + 12, 8, true));
/// ```
///
/// Each buffer begins at a multiple of 256 bytes, as in XLA, and no access can reach
/// from one buffer to another. Zeros follow a buffer up to a multiple of 256 bytes, and
/// may be read: XLA's code loads an index before it tests whether there is one. Up to a
/// multiple of 16 bytes they may be written: half a word is updated by an exchange of
/// the whole word. `find` takes time logarithmic in the number of buffers.

#ifndef MERCATOR_REFERENCE_PTX_MEMORY_H
#define MERCATOR_REFERENCE_PTX_MEMORY_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace mercator::reference::ptx {

/// Addresses of shared and local memory in the generic address space. Both windows end
/// below the first buffer.
inline constexpr uint64_t kSharedWindow = 0x10000000;
inline constexpr uint64_t kLocalWindow = 0x20000000;
inline constexpr uint64_t kWindowBytes = 0x10000000;

class Memory {
public:
  struct Buffer {
    uint64_t address = 0;
    uint64_t size = 0;
    uint64_t readable = 0, writable = 0; ///< with the zeros behind it
    std::unique_ptr<uint8_t[]> bytes;
  };

  /// Appends a buffer of zeros and gives its address.
  uint64_t allocate(uint64_t size);

  /// The buffer at this address. Requires: `allocate` gave the address.
  [[nodiscard]] llvm::MutableArrayRef<uint8_t> bytes(uint64_t address);

  /// The buffer that holds [address, address + size), or null.
  [[nodiscard]] const Buffer *find(uint64_t address, uint64_t size,
                                   bool isWrite) const;

private:
  std::vector<Buffer> buffers; // by address
  uint64_t next = uint64_t(1) << 32;
};

} // namespace mercator::reference::ptx

#endif // MERCATOR_REFERENCE_PTX_MEMORY_H
