// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/access/Banks.h"

#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::access;

namespace {

Device gpu() {
  Device memory;
  memory.banks = 32;
  memory.bankBytes = 4;
  return memory;
}

TEST(Banks, PassesOfALoad) {
  const struct {
    const char *what;
    int64_t first, stride, lanes, bytes, passes;
  } rows[] = {
      {"a row of f32", 0, 4, 32, 4, 1},
      {"one word for all lanes", 64, 0, 32, 4, 1},
      {"a column of 32 words", 0, 128, 32, 4, 32},
      {"a column of 33 words", 0, 132, 32, 4, 1},
      {"every second word", 0, 8, 32, 4, 2},
      {"a row of f64 is 64 words", 0, 8, 32, 8, 2},
      {"a row of bf16 is 16 words", 0, 2, 32, 2, 1},
      {"words that begin inside words", 2, 4, 32, 4, 2},
      {"one lane", 0, 4, 1, 4, 1},
  };
  for (const auto &row : rows) {
    std::vector<int64_t> addresses;
    for (int64_t lane = 0; lane < row.lanes; ++lane)
      addresses.push_back(row.first + lane * row.stride);
    EXPECT_EQ(bankPasses(addresses, row.bytes, gpu()), row.passes) << row.what;
  }
}

TEST(Banks, StagedTiles) {
  const struct {
    int64_t lanes, bytes, passes, padding, paddedPasses;
  } rows[] = {
      {32, 4, 32, 1, 1}, // the tile of 32x33 that every transpose has
      {32, 1, 8, 1, 1},  {32, 2, 16, 1, 1},
      {32, 8, 32, 1, 2}, // twice the words: two passes are the least
      {16, 4, 8, 1, 1},  {1, 4, 1, 0, 1},
  };
  for (const auto &row : rows) {
    StagedTile tile = stagedTile(row.lanes, row.bytes, gpu());
    EXPECT_EQ(tile.passes, row.passes) << row.lanes << " of " << row.bytes;
    EXPECT_EQ(tile.padding, row.padding) << row.lanes << " of " << row.bytes;
    EXPECT_EQ(tile.paddedPasses, row.paddedPasses)
        << row.lanes << " of " << row.bytes;
  }
}

} // namespace
