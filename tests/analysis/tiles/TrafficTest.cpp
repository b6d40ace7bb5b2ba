// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of tiles, counted by hand, and the search against a price for every
// size.

#include "mercator/analysis/tiles/Search.h"
#include "mercator/indexing/notation/Notation.h"

#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::tiles;

namespace {

/// y = dot(a, b), f32[64,64] of 64 terms, on a device with lines of 64 bytes.
class ProductTest : public ::testing::Test {
protected:
  ProductTest() {
    memory.lineBytes = 64;
    for (const char *results : {"(d0, s0)", "(s0, d1)"}) {
      ParseError error;
      std::string text =
          std::string("(d0, d1)[s0] -> ") + results +
          ", domain: d0 in [0, 63], d1 in [0, 63], s0 in [0, 63]";
      std::optional<Map> map = parseMap(arena, text, error);
      EXPECT_TRUE(map);
      operands.push_back({type});
      operands.back().maps.insert({.map = *map, .exact = true});
    }
  }

  TileTraffic traffic(llvm::ArrayRef<int64_t> sizes) {
    std::vector<TileDim> dims = tileOfSizes(sizes, extents);
    std::vector<TileOperand> needed;
    for (const SearchedOperand &operand : operands) {
      needed.push_back({operand.type});
      for (const OperandMap &m : operand.maps)
        needed.back().parts.push_back(partOf(m, type, dims, memory));
    }
    return trafficOf(type, extents, dims, needed, memory);
  }

  mlir::MLIRContext context;
  mlir::Type type = mlir::RankedTensorType::get(
      {64, 64}, mlir::Builder(&context).getF32Type());
  llvm::SmallVector<int64_t> extents = {64, 64};
  Arena arena;
  std::vector<SearchedOperand> operands;
  Device memory;
};

TEST_F(ProductTest, BytesOfATile) {
  struct Row {
    std::vector<int64_t> sizes;
    int64_t tiles, result, footprint, moved;
  };
  const Row rows[] = {
      // All of the three tensors.
      {{64, 64}, 1, 16384, 3 * 16384, 3 * 16384},
      // 16 rows of a, 4096 bytes; 64 parts of rows of b, a line each.
      {{16, 16}, 16, 1024, 4096 + 4096 + 1024, 16 * (4096 + 4096 + 1024)},
      // Half of each line of b and y is fetched in vain.
      {{16, 8}, 32, 512, 4096 + 2048 + 512, 32 * (4096 + 4096 + 1024)},
      {{8, 16}, 32, 512, 2048 + 4096 + 512, 32 * (2048 + 4096 + 512)},
      // One size: of the last dimension. Sizes are cut to the extents.
      {{16}, 4, 4096, 16384 + 4096 + 4096, 4 * (16384 + 4096 + 4096)},
      {{100, 16}, 4, 4096, 16384 + 4096 + 4096, 4 * (16384 + 4096 + 4096)},
  };
  for (const Row &row : rows) {
    SCOPED_TRACE(std::to_string(row.sizes.front()) + ".." +
                 std::to_string(row.sizes.back()));
    TileTraffic found = traffic(row.sizes);
    EXPECT_EQ(found.tiles, row.tiles);
    EXPECT_EQ(found.resultBytes, row.result);
    EXPECT_EQ(found.footprint, row.footprint);
    EXPECT_EQ(found.moved, row.moved);
  }
}

TEST_F(ProductTest, TheNextTileSharesRowsOrColumns) {
  std::vector<TileDim> dims = tileOfSizes({16, 16}, extents);
  // Along d1 the tile keeps its rows of a, along d0 its columns of b.
  EXPECT_EQ(sharedWithNext(operands[0].maps.begin()->map, dims),
            (std::vector<int64_t>{0, 16 * 64}));
  EXPECT_EQ(sharedWithNext(operands[1].maps.begin()->map, dims),
            (std::vector<int64_t>{64 * 16, 0}));
}

TEST_F(ProductTest, AnOperandWithoutLayoutHasNoFootprint) {
  operands[0].type = {};
  std::vector<TileDim> dims = tileOfSizes({16, 16}, extents);
  const OperandMap &m = *operands[0].maps.begin();
  TileTraffic found = trafficOf(type, extents, dims,
                                {{{}, {partOf(m, {}, dims, memory)}}}, memory);
  EXPECT_EQ(found.tiles, 16);
  EXPECT_EQ(found.footprint, std::nullopt);
  EXPECT_EQ(found.moved, std::nullopt);
}

TEST_F(ProductTest, TheSearchFindsTheFewestBytesThatFit) {
  constexpr int64_t kCache = 8 << 10;
  memory.caches = {{"L1", kCache}};
  TileSearch search = searchTiles(type, extents, operands, memory);
  ASSERT_FALSE(search.best.empty());
  ASSERT_TRUE(search.smallest);
  EXPECT_EQ(search.smallest->sizes, (std::vector<int64_t>{1, 1}));
  int64_t tooLarge = 0, fewest = INT64_MAX;
  const int64_t sizes[] = {1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64};
  for (int64_t rows : sizes)
    for (int64_t columns : sizes) {
      TileTraffic found = traffic({rows, columns});
      if (*found.footprint > kCache)
        ++tooLarge;
      else
        fewest = std::min(fewest, *found.moved);
    }
  EXPECT_EQ(search.tried, int64_t(std::size(sizes) * std::size(sizes)));
  EXPECT_EQ(search.tooLarge, tooLarge);
  EXPECT_EQ(search.best.front().moved, fewest);
  for (const TileChoice &choice : search.best)
    EXPECT_LE(choice.footprint, kCache);
  EXPECT_TRUE(llvm::is_sorted(search.best,
                              [](const TileChoice &a, const TileChoice &b) {
                                return a.moved < b.moved;
                              }));
}

} // namespace
