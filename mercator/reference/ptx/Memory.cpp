// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/ptx/Memory.h"

#include <algorithm>
#include <cassert>

namespace mercator::reference::ptx {

uint64_t Memory::allocate(uint64_t size) {
  uint64_t address = next;
  uint64_t room = std::max<uint64_t>(16, (size + 15) / 16 * 16);
  buffers.push_back({address, size, room, std::make_unique<uint8_t[]>(room)});
  // At least 256 bytes lie between two buffers.
  next += (size + 511) / 256 * 256;
  return address;
}

llvm::MutableArrayRef<uint8_t> Memory::bytes(uint64_t address) {
  const Buffer *buffer = find(address, 0);
  assert(buffer && buffer->address == address);
  return {buffer->bytes.get(), size_t(buffer->size)};
}

const Memory::Buffer *Memory::find(uint64_t address, uint64_t size) const {
  auto after = std::ranges::upper_bound(buffers, address, {}, &Buffer::address);
  if (after == buffers.begin())
    return nullptr;
  const Buffer &buffer = *std::prev(after);
  uint64_t offset = address - buffer.address;
  return offset <= buffer.room && size <= buffer.room - offset ? &buffer
                                                               : nullptr;
}

} // namespace mercator::reference::ptx
