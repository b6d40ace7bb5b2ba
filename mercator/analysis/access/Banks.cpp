// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/access/Banks.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <vector>

using namespace mercator;
using namespace mercator::access;

int64_t access::bankPasses(llvm::ArrayRef<int64_t> addresses, int64_t bytes,
                           const Device &memory) {
  int64_t row = memory.banks * memory.bankBytes;
  size_t atOnce = bytes > memory.bankBytes
                      ? std::max<int64_t>(1, row / bytes)
                      : std::max<size_t>(1, addresses.size());
  int64_t passes = 0;
  while (!addresses.empty()) {
    std::set<int64_t> words;
    for (int64_t address : addresses.take_front(atOnce))
      for (int64_t w = address / memory.bankBytes,
                   last = (address + bytes - 1) / memory.bankBytes;
           w <= last; ++w)
        words.insert(w);
    std::vector<int64_t> inBank(memory.banks);
    for (int64_t w : words)
      ++inBank[w % memory.banks];
    passes += *llvm::max_element(inBank);
    addresses = addresses.drop_front(std::min(atOnce, addresses.size()));
  }
  return std::max<int64_t>(1, passes);
}

StagedTile access::stagedTile(int64_t lanes, int64_t elementBytes,
                              const Device &memory) {
  // Where a row begins inside a word differs from row to row, so that columns differ.
  auto columnPasses = [&](int64_t rowElements) {
    int64_t sum = 0;
    for (int64_t column = 0; column < lanes; ++column) {
      std::vector<int64_t> addresses;
      for (int64_t lane = 0; lane < lanes; ++lane)
        addresses.push_back((lane * rowElements + column) * elementBytes);
      sum += bankPasses(addresses, elementBytes, memory);
    }
    return double(sum) / double(lanes);
  };
  StagedTile tile{.side = lanes, .passes = columnPasses(lanes)};
  int64_t row = memory.banks * memory.bankBytes;
  tile.leastPasses =
      std::max<int64_t>(1, (lanes * elementBytes + row - 1) / row);
  tile.paddedPasses = tile.passes;
  int64_t most = std::max<int64_t>(1, row / elementBytes);
  for (int64_t padding = 1;
       padding < most && tile.paddedPasses > double(tile.leastPasses);
       ++padding)
    if (double passes = columnPasses(lanes + padding);
        passes < tile.paddedPasses) {
      tile.padding = padding;
      tile.paddedPasses = passes;
    }
  return tile;
}
