// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/access/Banks.h"

#include "tests/Folders.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

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
      // rows of 33 would take 1.75 passes and 1.5: see banks.json
      {32, 1, 8, 4, 1},
      {32, 2, 16, 2, 1},
      {32, 8, 32, 1, 2}, // twice the words: two passes are the least
      {16, 4, 8, 1, 1},
      {1, 4, 1, 0, 1},
  };
  for (const auto &row : rows) {
    StagedTile tile = stagedTile(row.lanes, row.bytes, gpu());
    EXPECT_EQ(tile.passes, row.passes) << row.lanes << " of " << row.bytes;
    EXPECT_EQ(tile.padding, row.padding) << row.lanes << " of " << row.bytes;
    EXPECT_EQ(tile.paddedPasses, row.paddedPasses)
        << row.lanes << " of " << row.bytes;
  }
}

/// A warp reads all columns of a tile: the passes that Nsight Compute counts.
TEST(Banks, AgreeWithHardwareCounters) {
  std::string name = sharedFolder() + "/data/gpu/banks.json";
  auto file = llvm::MemoryBuffer::getFile(name);
  if (!file)
    GTEST_SKIP() << "needs " << name;
  llvm::Expected<llvm::json::Value> rows =
      llvm::json::parse((*file)->getBuffer());
  ASSERT_TRUE(bool(rows));
  for (const llvm::json::Value &value : *rows->getAsArray()) {
    const llvm::json::Object &row = *value.getAsObject();
    int64_t bytes = *row.getInteger("element_bytes"),
            elements = *row.getInteger("row_elements"), passes = 0;
    for (int64_t column = 0; column < 32; ++column) {
      std::vector<int64_t> addresses;
      for (int64_t lane = 0; lane < 32; ++lane)
        addresses.push_back((lane * elements + column) * bytes);
      passes += bankPasses(addresses, bytes, gpu());
    }
    EXPECT_EQ(passes, *row.getInteger("wavefronts"))
        << bytes << " bytes, rows of " << elements;
  }
}

} // namespace
