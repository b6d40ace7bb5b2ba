// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/ptx/Flow.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace mercator::reference::ptx {

namespace {

/// Instructions without a branch or a target between them.
struct Block {
  uint32_t begin = 0, end = 0;
  llvm::SmallVector<uint32_t, 2> successors, predecessors;
  /// In post-order of the reversed graph; the end of the code has the largest.
  uint32_t order = 0;
  uint32_t dominator = ~uint32_t(0);
};

} // namespace

static std::vector<Block> blocksOf(const Kernel &kernel) {
  uint32_t size = kernel.code.size();
  std::vector<bool> begins(size + 1);
  begins[0] = true;
  for (uint32_t at = 0; at < size; ++at) {
    const Instruction &i = kernel.code[at];
    if (i.control == Control::Branch)
      begins[i.target] = true;
    if (i.control == Control::Branch || i.control == Control::Return)
      begins[at + 1] = true;
  }
  std::vector<Block> blocks;
  std::vector<uint32_t> blockAt(size + 1);
  for (uint32_t at = 0; at < size; ++at) {
    if (begins[at])
      blocks.push_back({at, at, {}, {}});
    blocks.back().end = at + 1;
    blockAt[at] = blocks.size() - 1;
  }
  uint32_t last = blocks.size();
  blockAt[size] = last;
  blocks.push_back({size, size, {}, {}});
  for (uint32_t index = 0; index < last; ++index) {
    Block &block = blocks[index];
    const Instruction &i = kernel.code[block.end - 1];
    if (i.control == Control::Return)
      block.successors.push_back(last);
    if (i.control == Control::Branch)
      block.successors.push_back(blockAt[i.target]);
    bool fallsThrough = i.control == Control::None ||
                        i.control == Control::Barrier || i.guard != kNoSlot;
    if (fallsThrough)
      block.successors.push_back(blockAt[block.end]);
    for (uint32_t successor : block.successors)
      blocks[successor].predecessors.push_back(index);
  }
  return blocks;
}

void findReconvergence(Kernel &kernel) {
  if (kernel.code.empty())
    return;
  std::vector<Block> blocks = blocksOf(kernel);
  uint32_t last = blocks.size() - 1;
  // Post-order from the end, against the edges.
  std::vector<uint32_t> order;
  std::vector<bool> isSeen(blocks.size());
  std::vector<std::pair<uint32_t, uint32_t>> stack = {{last, 0}};
  isSeen[last] = true;
  while (!stack.empty()) {
    auto &[index, edge] = stack.back();
    if (edge < blocks[index].predecessors.size()) {
      uint32_t next = blocks[index].predecessors[edge++];
      if (!isSeen[next]) {
        isSeen[next] = true;
        stack.push_back({next, 0});
      }
      continue;
    }
    blocks[index].order = order.size();
    order.push_back(index);
    stack.pop_back();
  }
  blocks[last].dominator = last;
  auto meet = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (blocks[a].order < blocks[b].order)
        a = blocks[a].dominator;
      while (blocks[b].order < blocks[a].order)
        b = blocks[b].dominator;
    }
    return a;
  };
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (size_t i = order.size() - 1; i-- > 0;) {
      Block &block = blocks[order[i]];
      uint32_t common = ~uint32_t(0);
      for (uint32_t successor : block.successors)
        if (blocks[successor].dominator != ~uint32_t(0))
          common = common == ~uint32_t(0) ? successor : meet(common, successor);
      if (common != block.dominator) {
        block.dominator = common;
        isChanged = true;
      }
    }
  }
  for (const Block &block : blocks) {
    if (block.begin == block.end)
      continue;
    Instruction &i = kernel.code[block.end - 1];
    // A block that never reaches the end has no dominator.
    if (i.control == Control::Branch)
      i.reconvergence = block.dominator == ~uint32_t(0)
                            ? uint32_t(kernel.code.size())
                            : blocks[block.dominator].begin;
  }
}

} // namespace mercator::reference::ptx
