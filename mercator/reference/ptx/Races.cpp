// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/ptx/Races.h"

namespace mercator::reference::ptx {

void Races::add(const Access &first, bool isFirstWrite, const Access &second,
                bool isSecondWrite, uint64_t address) {
  if (!known.insert(uint64_t(first.instruction) << 32 | second.instruction)
           .second)
    return;
  races.push_back({.first = first.instruction,
                   .second = second.instruction,
                   .firstThread = first.thread,
                   .secondThread = second.thread,
                   .block = block,
                   .address = uint32_t(address),
                   .isFirstWrite = isFirstWrite,
                   .isSecondWrite = isSecondWrite,
                   .isInWarp = first.thread / 32 == second.thread / 32});
}

void Races::access(const Access &now, uint64_t address, unsigned bytes,
                   bool isWrite, bool isSame) {
  // Whether nothing orders the two.
  auto isOpen = [&](const Access &then) {
    if (then.epoch != now.epoch || then.thread == now.thread)
      return false;
    return then.thread / 32 != now.thread / 32 || then.order == now.order;
  };
  for (uint64_t at = address; at < address + bytes; ++at) {
    Cell &cell = cells[at];
    if (!isWrite) {
      if (isOpen(cell.write))
        add(cell.write, true, now, false, at);
      if (cell.read.thread / 32 != now.thread / 32)
        cell.readOfWarp = cell.read;
      else if (cell.read.thread != now.thread)
        cell.readOfLane = cell.read;
      cell.read = now;
      continue;
    }
    bool isOneStore = cell.write.instruction == now.instruction && isSame;
    if (isOpen(cell.write) && !isOneStore)
      add(cell.write, true, now, true, at);
    for (const Access *read : {&cell.read, &cell.readOfLane, &cell.readOfWarp})
      if (isOpen(*read))
        add(*read, false, now, true, at);
    cell.write = now;
  }
}

} // namespace mercator::reference::ptx
