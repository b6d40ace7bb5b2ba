// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/ptx/Memory.h"

#include <algorithm>
#include <cassert>

namespace mercator::reference::ptx {

uint64_t Memory::allocate(uint64_t size) {
  uint64_t address = next;
  auto roundUp = [size](uint64_t unit) {
    return std::max(unit, (size + unit - 1) / unit * unit);
  };
  buffers.push_back({address, size, roundUp(256), roundUp(16),
                     std::make_unique<uint8_t[]>(roundUp(256))});
  // At least 256 bytes lie between two buffers.
  next += roundUp(256) + 256;
  return address;
}

llvm::MutableArrayRef<uint8_t> Memory::bytes(uint64_t address) {
  const Buffer *buffer = find(address, 0, /*isWrite=*/false);
  assert(buffer && buffer->address == address);
  return {buffer->bytes.get(), size_t(buffer->size)};
}

const Memory::Buffer *Memory::find(uint64_t address, uint64_t size,
                                   bool isWrite) const {
  auto after = std::ranges::upper_bound(buffers, address, {}, &Buffer::address);
  if (after == buffers.begin())
    return nullptr;
  const Buffer &buffer = *std::prev(after);
  uint64_t offset = address - buffer.address;
  uint64_t room = isWrite ? buffer.writable : buffer.readable;
  return offset <= room && size <= room - offset ? &buffer : nullptr;
}

} // namespace mercator::reference::ptx
