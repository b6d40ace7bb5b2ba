// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles against enumeration: at each position of the tile, the elements that its
// elements read.

#include "mercator/analysis/tiles/Tile.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/notation/Notation.h"

#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/analysis/RandomAccess.h"
#include "tests/indexing/MapText.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::tiles;

namespace {

std::string textOf(const OperandTile &tile) {
  std::string text;
  for (const BoxDim &dim : tile.dims)
    text += (text.empty() ? "" : ", ") + dim.offset + ":+" +
            std::to_string(dim.size) +
            (dim.stride == 1 ? "" : ":" + std::to_string(dim.stride));
  return text + (tile.isBox.value ? "" : " around");
}

struct TileRow {
  const char *map;
  std::vector<int64_t> sizes;
  const char *box;
  int64_t elements;
  const char *mask = "", *help = "";
};

TEST(Tile, OfOperations) {
  const TileRow rows[] = {
      // A product.
      {"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 63], d1 in [0, 255], "
       "s0 in [0, 255]",
       {16, 128},
       "p0:+16, 0:+256",
       4096},
      // A transpose.
      {"(d0, d1) -> (d1, d0), domain: d0 in [0, 63], d1 in [0, 255]",
       {16, 128},
       "p1:+128, p0:+16",
       2048},
      // A window of 3 with stride 2, and one with holes.
      {"(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 63], s0 in [0, 2]",
       {4},
       "p0 * 2:+9",
       9},
      {"(d0) -> (d0 * 3 + 1), domain: d0 in [0, 63]",
       {4},
       "p0 * 3 + 1:+4:3",
       4},
      // A reversal, and a part that a program chooses.
      {"(d0) -> (-d0 + 63), domain: d0 in [0, 63]", {4}, "-p0 + 60:+4", 4},
      {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 63], rt0 in [0, 9]",
       {4},
       "rt0 + p0:+4",
       4},
      // The operand of a pad, and a tile that reaches over the border.
      {"(d0) -> (d0 - 1), domain: d0 in [1, 60]",
       {4},
       "p0 - 1:+4",
       4,
       "t0 + p0 in 1..60"},
      {"(d0) -> (d0), domain: d0 in [0, 9]",
       {4},
       "p0:+4",
       4,
       "t0 + p0 in 0..9"},
      // A reshape of 50x20 to 10x10x10, which tiles of some sizes split.
      {"(d0, d1) -> (d0 / 5, (d0 * 2 + d1 / 10) mod 10, d1 mod 10), domain: "
       "d0 in [0, 49], d1 in [0, 19]",
       {5, 10},
       "p0 / 5:+1, p1 / 10:+5:2, 0:+10",
       50},
      {"(d0) -> (d0 / 4, d0 mod 4), domain: d0 in [0, 63]",
       {8},
       "p0 / 4:+2, 0:+4",
       8},
      {"(d0) -> (d0 / 4, d0 mod 4), domain: d0 in [0, 63]",
       {2},
       "p0 / 4:+1, p0 mod 4:+2",
       2},
      {"(d0) -> (d0 / 4, d0 mod 4), domain: d0 in [0, 63]",
       {6},
       "p0 / 4:+2, 0:+4 around",
       6,
       "t0 + p0 in 0..63",
       "a tile of d0 that divides 4 or is a multiple of it"},
  };
  for (const TileRow &row : rows) {
    Arena arena;
    Map map = mapOf(arena, row.map);
    std::vector<TileDim> dims;
    for (int64_t size : row.sizes)
      dims.push_back({.size = size});
    OperandTile tile = tileOf(map, dims);
    EXPECT_EQ(textOf(tile), row.box) << row.map;
    EXPECT_EQ(tile.elements.value, row.elements) << row.map;
    EXPECT_EQ(llvm::join(tile.mask, ", "), row.mask) << row.map;
    EXPECT_EQ(tile.isBox.why.help, row.help) << row.map;
  }
}

using Elements = std::set<std::vector<int64_t>>;

/// What the tile reads at a position. `isWhole`: all of its elements exist, and
/// no constraint excludes one.
Elements readsAt(const Map &map, llvm::ArrayRef<TileDim> tile,
                 llvm::ArrayRef<int64_t> offsets, bool &isWhole) {
  Elements elements;
  std::vector<std::pair<int64_t, int64_t>> digits; // first value, count
  for (const TileDim &dim : tile)
    digits.push_back({0, dim.size});
  for (const Variable &v : map.domain.ranges)
    digits.push_back({v.bounds.lower, *v.bounds.size()});
  int64_t points = 1;
  for (auto [lower, count] : digits)
    points *= count;
  isWhole = true;
  for (int64_t number = 0; number < points; ++number) {
    std::vector<int64_t> point;
    int64_t rest = number;
    for (auto [i, digit] : llvm::enumerate(digits)) {
      int64_t value = digit.first + rest % digit.second;
      rest /= digit.second;
      if (i < tile.size())
        value = offsets[i] + value * tile[i].stride;
      point.push_back(value);
    }
    if (!contains(*map.arena, map.domain, point)) {
      isWhole = false;
      continue;
    }
    std::vector<int64_t> element;
    for (Expr e : map.results)
      element.push_back(*evaluate(*map.arena, e, map.domain, point));
    elements.insert(std::move(element));
  }
  return elements;
}

/// The elements of the box at a position.
Elements boxAt(const OperandTile &tile, Arena &arena,
               llvm::ArrayRef<int64_t> offsets) {
  Domain names;
  for (size_t i = 0; i < offsets.size(); ++i)
    (void)names.addParameter(arena, "p" + std::to_string(i), {});
  Elements elements = {{}};
  for (const BoxDim &dim : tile.dims) {
    ParseError error;
    auto offset = parseExpr(arena, dim.offset, names, error);
    EXPECT_TRUE(offset) << dim.offset;
    int64_t first =
        evaluate(arena, *offset, names, offsets).value_or(-1'000'000);
    Elements longer;
    for (const std::vector<int64_t> &element : elements)
      for (int64_t k = 0; k < dim.size; ++k) {
        longer.insert(element);
        std::vector<int64_t> next = element;
        next.push_back(first + k * dim.stride);
        longer.erase(element);
        longer.insert(std::move(next));
      }
    elements = std::move(longer);
  }
  return elements;
}

TEST(Tile, AgreesWithEnumeration) {
  int boxes = 0, around = 0;
  uint64_t count = cases(20'000);
  for (uint64_t seed = testSeed(); seed < testSeed() + count; ++seed) {
    RandomAccess random(seed);
    Arena arena;
    std::vector<int64_t> sizes, shape;
    for (int64_t i = random.between(1, 3); i > 0; --i)
      sizes.push_back(random.between(1, 12));
    Map map = random.map(arena, sizes, shape);
    std::vector<TileDim> tile;
    for (int64_t size : sizes) {
      TileDim dim{.size = random.between(1, std::min<int64_t>(size, 4))};
      if (random.between(0, 3) == 0) {
        dim.offset = random.between(0, size - dim.size);
        dim.stride = random.between(1, 2);
      }
      tile.push_back(dim);
    }
    OperandTile found = tileOf(map, tile);
    std::string said =
        "seed " + std::to_string(seed) + ": " + toString(map) + ", tile";
    for (const TileDim &dim : tile)
      said += " " + std::to_string(dim.size);
    said += " needs " + textOf(found);
    // Each position of the tile.
    std::vector<int64_t> offsets(tile.size());
    for (size_t i = 0; i < tile.size(); ++i)
      offsets[i] = tile[i].offset.value_or(0);
    for (bool isLast = false; !isLast;) {
      bool isWhole;
      Elements reads = readsAt(map, tile, offsets, isWhole);
      if (found.boxElements > 4096)
        break;
      Elements box =
          found.boxElements == 0 ? Elements() : boxAt(found, arena, offsets);
      ASSERT_TRUE(
          std::includes(box.begin(), box.end(), reads.begin(), reads.end()))
          << said;
      bool isAtPlace =
          llvm::all_of(tile, [](const TileDim &dim) { return dim.offset; });
      if ((isWhole || isAtPlace) && found.isBox.value)
        ASSERT_EQ(box, reads) << said;
      if (isAtPlace && found.elements.isExact())
        ASSERT_EQ(found.elements.value, int64_t(reads.size())) << said;
      if (isWhole && found.isBox.value && found.elements.isExact())
        ASSERT_EQ(found.elements.value, int64_t(reads.size())) << said;
      if (!isWhole && !reads.empty() && found.isBox.value && box != reads)
        ASSERT_FALSE(found.mask.empty()) << said;
      isLast = true;
      for (size_t i = 0; i < tile.size() && isLast; ++i) {
        if (tile[i].offset)
          continue;
        offsets[i] += tile[i].size;
        isLast = offsets[i] >= sizes[i];
        if (isLast)
          offsets[i] = 0;
      }
    }
    (found.isBox.value ? boxes : around) += 1;
  }
  EXPECT_GT(boxes, int(count / 2));
  EXPECT_GT(around, int(count / 100));
}

} // namespace
