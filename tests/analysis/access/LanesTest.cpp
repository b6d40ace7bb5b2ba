// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts and the traffic of warps, against enumeration: every lane of every
// load, one byte address at a time.

#include "mercator/analysis/access/Lanes.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/notation/Notation.h"

#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/analysis/RandomAccess.h"
#include "tests/indexing/MapText.h"

#include <set>

using namespace mercator;
using namespace mercator::access;
using namespace mercator::indexing;

namespace {

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

struct LayoutRow {
  std::vector<int64_t> shape, minorToMajor;
  const char *tiles;
  int64_t bits;
  const char *address;
  int64_t bytes;
};

TEST(Layout, TheAddressOfAnElement) {
  const LayoutRow rows[] = {
      {{4, 8}, {1, 0}, "", 32, "d0 * 32 + d1 * 4", 128},
      {{4, 8}, {0, 1}, "", 32, "d1 * 16 + d0 * 4", 128},
      {{4, 8}, {1, 0}, "", 4, "(d0 * 32 + d1 * 4) / 8", 16},
      {{}, {}, "", 64, "0", 8},
      // Padded to whole tiles of 2 by 4.
      {{3, 8},
       {1, 0},
       "T(2,4)",
       8,
       "(d0 / 2) * 16 + (d1 / 4) * 8 + (d0 mod 2) * 4 + d1 mod 4",
       32},
      {{5}, {0}, "T(4)", 8, "(d0 / 4) * 4 + d0 mod 4", 8},
  };
  for (const LayoutRow &row : rows) {
    Arena arena;
    auto tiles = parseTiles(row.tiles);
    ASSERT_TRUE(tiles);
    Layout layout{.shape = llvm::to_vector<4>(row.shape),
                  .minorToMajor = llvm::to_vector<4>(row.minorToMajor),
                  .tiles = *tiles,
                  .bits = row.bits};
    Domain domain;
    llvm::SmallVector<Expr> index;
    for (int64_t size : row.shape)
      index.push_back(domain.addDim(arena, Interval::ofSize(size)));
    ParseError error;
    auto wanted = parseExpr(arena, row.address, domain, error);
    ASSERT_TRUE(wanted) << row.address;
    EXPECT_EQ(layout.byteOf(arena, index), *wanted)
        << toString(arena, layout.byteOf(arena, index));
    EXPECT_EQ(layout.bytes(), row.bytes) << row.address;
  }
  EXPECT_FALSE(parseTiles("T(8,"));
  EXPECT_FALSE(parseTiles("T(8,x)"));
  EXPECT_EQ(parseTiles("T(8,128)(2,1)")->size(), 2u);
}

/// Every element of a tiled layout has a place of its own, inside the tensor.
TEST(Layout, ElementsHaveDifferentPlaces) {
  for (const char *tiles : {"", "T(2,4)", "T(2,4)(2,1)", "T(*,4)", "T(3)"})
    for (bool isTurned : {false, true}) {
      Arena arena;
      Layout layout{.shape = {3, 5, 7},
                    .minorToMajor = {2, 1, 0},
                    .tiles = *parseTiles(tiles),
                    .bits = 16};
      if (isTurned)
        layout.minorToMajor = {0, 2, 1};
      Domain domain;
      llvm::SmallVector<Expr> index;
      for (int64_t size : layout.shape)
        index.push_back(domain.addDim(arena, Interval::ofSize(size)));
      Expr address = layout.byteOf(arena, index);
      std::set<int64_t> seen;
      for (int64_t i = 0; i < 3 * 5 * 7; ++i) {
        int64_t at =
            *evaluate(arena, address, domain, {i / 35, i / 7 % 5, i % 7});
        EXPECT_TRUE(seen.insert(at).second) << tiles;
        EXPECT_TRUE(at >= 0 && at + 2 <= layout.bytes()) << tiles << at;
      }
    }
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

struct Counted {
  std::map<int64_t, int64_t> sectors, lines;
  int64_t loads = 0, used = 0, needed = 0, together = 1;
};

/// The bytes of each element that lanes take: by warp and combination of the range
/// variables, by lane, by place in its vector.
using WarpElements = std::vector<std::vector<std::optional<int64_t>>>;

std::vector<WarpElements> elementsOf(const Map &map, const Layout &result,
                                     const Layout &operand, int64_t lanes,
                                     int64_t vector) {
  Arena &arena = *map.arena;
  int64_t elements = result.elements();
  Expr address = operand.byteOf(arena, map.results);
  std::vector<Interval> ranges;
  int64_t combinations = 1;
  for (const Variable &v : map.domain.ranges) {
    ranges.push_back(v.bounds);
    combinations *= *v.bounds.size();
  }
  std::vector<WarpElements> all;
  for (int64_t first = 0; first < elements; first += lanes * vector)
    for (int64_t c = 0; c < combinations; ++c) {
      WarpElements warp(lanes, std::vector<std::optional<int64_t>>(vector));
      for (int64_t e = first; e < std::min(elements, first + lanes * vector);
           ++e) {
        std::vector<int64_t> point(result.shape.size());
        int64_t rest = e;
        for (int64_t dim : result.minorToMajor) {
          point[dim] = rest % result.shape[dim];
          rest /= result.shape[dim];
        }
        int64_t digits = c;
        for (Interval b : ranges) {
          point.push_back(b.lower + digits % *b.size());
          digits /= *b.size();
        }
        if (contains(arena, map.domain, point))
          warp[(e - first) / vector][(e - first) % vector] =
              evaluate(arena, address, map.domain, point);
      }
      all.push_back(std::move(warp));
    }
  return all;
}

/// True if all elements of a lane are one.
bool areOnePlace(const std::vector<WarpElements> &all) {
  for (const WarpElements &warp : all)
    for (const auto &lane : warp) {
      std::set<int64_t> places;
      for (auto at : lane)
        if (at)
          places.insert(*at);
      if (places.size() > 1)
        return false;
    }
  return true;
}

/// By the definition: how many elements of a lane one load takes.
int64_t togetherOf(const std::vector<WarpElements> &all, int64_t vector,
                   int64_t bytes, const Device &memory) {
  if (memory.banks == 0)
    return vector;
  if (areOnePlace(all))
    return vector;
  int64_t best = 1;
  for (int64_t n = 2; vector % n == 0 && n * bytes <= 16 &&
                      memory.lineBytes % (n * bytes) == 0;
       n *= 2) {
    bool fits = true;
    for (const WarpElements &warp : all)
      for (const auto &lane : warp)
        for (int64_t from = 0; from < vector; from += n) {
          bool isWhole = true, isRow = true;
          for (int64_t k = 0; k < n; ++k) {
            isWhole &= lane[from + k].has_value();
            isRow &= isWhole && *lane[from + k] == *lane[from] + k * bytes;
          }
          fits &= !isWhole || (isRow && *lane[from] % (n * bytes) == 0);
        }
    if (fits)
      best = n;
  }
  return best;
}

/// Lane l of warp w computes the elements (w * lanes + l) * vector + v of the result,
/// in the order of its layout; a load is one value of the range variables, and
/// `together` elements of the vector. Where a lane has only some of them, each is a
/// load.
Counted enumerate(const Map &map, const Layout &result, const Layout &operand,
                  const Device &memory, int64_t lanes, int64_t vector) {
  int64_t bytes = operand.bits / 8;
  std::vector<WarpElements> all =
      elementsOf(map, result, operand, lanes, vector);
  int64_t together = togetherOf(all, vector, bytes, memory);
  bool mayBeCut = memory.banks > 0 && together > 1 && !areOnePlace(all);
  Counted counted;
  counted.together = together;
  auto add = [&](const std::vector<int64_t> &loaded) {
    std::set<int64_t> sectors, lines, used;
    for (int64_t at : loaded)
      for (int64_t b = at; b < at + bytes; ++b) {
        used.insert(b);
        sectors.insert(b / memory.sectorBytes);
        lines.insert(b / memory.lineBytes);
      }
    if (used.empty())
      return;
    ++counted.loads;
    ++counted.sectors[sectors.size()];
    ++counted.lines[lines.size()];
    counted.used += used.size();
    counted.needed +=
        (used.size() + memory.sectorBytes - 1) / memory.sectorBytes;
  };
  for (const WarpElements &warp : all)
    for (int64_t from = 0; from < vector; from += together) {
      std::vector<int64_t> whole;
      std::vector<std::vector<int64_t>> cut(together);
      for (const auto &lane : warp) {
        int64_t present = 0;
        for (int64_t k = 0; k < together; ++k)
          present += lane[from + k].has_value();
        bool isCut = mayBeCut && present < together;
        for (int64_t k = 0; k < together; ++k)
          if (lane[from + k])
            (isCut ? cut[k] : whole).push_back(*lane[from + k]);
      }
      add(whole);
      for (const std::vector<int64_t> &one : cut)
        add(one);
    }
  return counted;
}

TEST(Lanes, AgreeWithEnumeration) {
  int exact = 0;
  uint64_t count = cases(6'000);
  for (uint64_t seed = testSeed(); seed < testSeed() + count; ++seed) {
    RandomAccess random(seed);
    Arena arena;
    std::vector<int64_t> sizes, shape;
    // One in 64 is larger than the periods of its maps.
    int64_t most = seed % 64 == 0 ? 60 : 9;
    for (int64_t i = random.between(0, 3); i > 0; --i)
      sizes.push_back(random.between(1, most));
    Map map = removeUnused(random.map(arena, sizes, shape), UnusedVars::Ranges);
    auto layoutOf = [&](const std::vector<int64_t> &extents, int64_t bits) {
      Layout layout{.shape = llvm::to_vector<4>(extents),
                    .minorToMajor =
                        llvm::to_vector<4>(random.order(extents.size()))};
      layout.bits = bits;
      return layout;
    };
    Layout result = layoutOf(sizes, 32),
           operand = layoutOf(shape, 8 << random.between(0, 3));
    Device memory;
    memory.sectorBytes = 4 << random.between(0, 2);
    memory.lineBytes = memory.sectorBytes << random.between(0, 2);
    memory.banks = random.between(0, 3) == 0 ? 0 : 32;
    memory.bankBytes = 4;
    int64_t lanes = int64_t(1) << random.between(0, 4),
            vector = random.between(0, 1) == 0 ? random.between(1, 8)
                                               : 1 << random.between(0, 4);
    LaneMapping mapping =
        lanesOf(arena, result.shape, result.minorToMajor, lanes, vector);
    std::optional<Traffic> traffic = trafficOf(mapping, map, operand, memory);
    Counted counted = enumerate(map, result, operand, memory, lanes, vector);
    std::string said = "seed " + std::to_string(seed) + ": " + toString(map) +
                       ", " + std::to_string(lanes) + " lanes of " +
                       std::to_string(vector);
    ASSERT_EQ(traffic.has_value(), counted.loads > 0) << said;
    if (!traffic)
      continue;
    ASSERT_EQ(traffic->grounds.exactness, Exactness::Exact) << said;
    ASSERT_EQ(traffic->together, counted.together) << said;
    ASSERT_EQ(traffic->sectors, counted.sectors) << said;
    ASSERT_EQ(traffic->lines, counted.lines) << said;
    ASSERT_EQ(traffic->loads, counted.loads) << said;
    ASSERT_EQ(traffic->usedBytes, counted.used) << said;
    ASSERT_EQ(traffic->neededSectors, counted.needed) << said;
    ++exact;
  }
  EXPECT_GT(exact, int(count / 2));
}

/// What warps of 32 read by a map, a lane an element of the result; all tensors are
/// in rows of f32.
std::optional<Traffic> trafficOfRows(const char *text,
                                     const std::vector<int64_t> &resultShape,
                                     const std::vector<int64_t> &operandShape) {
  Arena arena;
  Map map = mapOf(arena, text);
  auto rowMajor = [](const std::vector<int64_t> &shape) {
    Layout layout{.shape = llvm::to_vector<4>(shape), .minorToMajor = {}};
    layout.bits = 32;
    for (size_t i = shape.size(); i-- > 0;)
      layout.minorToMajor.push_back(i);
    return layout;
  };
  Layout result = rowMajor(resultShape), operand = rowMajor(operandShape);
  Device memory;
  memory.lanes = 32, memory.sectorBytes = 32, memory.lineBytes = 128;
  LaneMapping lanes = lanesOf(arena, result.shape, result.minorToMajor, 32, 1);
  return trafficOf(lanes, map, operand, memory);
}

struct LaneRow {
  const char *map;
  std::vector<int64_t> result, operand;
  int64_t sectors, needed;
  const char *reason;
};

/// Patterns that a reader knows, on shapes of 10^6 to 10^12 elements.
TEST(Lanes, KnownPatterns) {
  const int64_t million = 1 << 20;
  const LaneRow rows[] = {
      {"(d0) -> (d0), domain: d0 in [0, 1048575]",
       {million},
       {million},
       4,
       4,
       "coalesced"},
      {"(d0, d1) -> (d1, d0), domain: d0 in [0, 1048575], d1 in [0, 1048575]",
       {million, million},
       {million, million},
       32,
       4,
       "strided: 8 times the traffic"},
      {"(d0) -> (d0 * 2), domain: d0 in [0, 1048575]",
       {million},
       {2 * million},
       8,
       4,
       "strided: 2 times the traffic"},
      {"(d0, d1) -> (d0), domain: d0 in [0, 1048575], d1 in [0, 63]",
       {million, 64},
       {million},
       1,
       1,
       "all lanes read one element"},
      {"(d0, d1) -> (d0, d1 + 1), domain: d0 in [0, 1048575], d1 in [0, 1023]",
       {million, 1024},
       {million, 1032},
       5,
       4,
       "unaligned: loads begin inside sectors, 1.25 times the traffic"},
  };
  for (const LaneRow &row : rows) {
    std::optional<Traffic> traffic =
        trafficOfRows(row.map, row.result, row.operand);
    ASSERT_TRUE(traffic) << row.map;
    EXPECT_EQ(traffic->grounds.exactness, Exactness::Exact) << row.map;
    EXPECT_EQ(traffic->sectors.rbegin()->first, row.sectors) << row.map;
    EXPECT_EQ(traffic->neededSectors / traffic->loads, row.needed) << row.map;
    EXPECT_EQ(traffic->grounds.reason, row.reason) << row.map;
  }
}

/// What a vector of f32 costs on hardware: G15 of the findings.
TEST(Lanes, VectorsOfHardware) {
  struct Row {
    const char *map;
    int64_t size, vector, together, loads, sectors;
  };
  const Row rows[] = {
      {"(d0) -> (d0)", 2560, 4, 4, 20, 320},
      {"(d0) -> (d0 + 1)", 2560, 4, 1, 80, 1300},
      {"(d0) -> (d0 + 2)", 2560, 4, 2, 40, 660},
      {"(d0) -> (d0 + 4)", 2560, 4, 4, 20, 340},
      {"(d0) -> (2559 - d0)", 2560, 4, 1, 80, 1280},
      {"(d0) -> (d0 * 2)", 2560, 4, 1, 80, 2560},
      {"(d0) -> (d0)", 4096, 8, 4, 32, 1024},
      {"(d0) -> (d0 / 4)", 2560, 4, 4, 20, 80},
      // 2,563 elements: a lane of the last warp has three
      {"(d0) -> (d0)", 2563, 4, 4, 23, 323},
  };
  for (const Row &row : rows) {
    Arena arena;
    Map map = mapOf(arena, std::string(row.map) + ", domain: d0 in [0, " +
                               std::to_string(row.size - 1) + "]");
    Layout result{.shape = {row.size}, .minorToMajor = {0}, .bits = 32},
        operand{.shape = {2 * row.size}, .minorToMajor = {0}, .bits = 32};
    Device memory;
    memory.lanes = 32, memory.sectorBytes = 32, memory.lineBytes = 128;
    memory.banks = 32, memory.bankBytes = 4;
    LaneMapping lanes = lanesOf(arena, {row.size}, {0}, 32, row.vector);
    std::optional<Traffic> traffic = trafficOf(lanes, map, operand, memory);
    ASSERT_TRUE(traffic) << row.map;
    EXPECT_EQ(traffic->grounds.exactness, Exactness::Exact) << row.map;
    EXPECT_EQ(traffic->together, row.together) << row.map;
    EXPECT_EQ(traffic->loads, row.loads) << row.map;
    EXPECT_EQ(traffic->touchedSectors(), row.sectors) << row.map;
  }
}

/// Shapes whose rows are no multiples of a warp, with more loads than are tried one
/// by one: the counts that hardware gives for these copies and transposes.
TEST(Lanes, OddShapesAreCountedExactly) {
  struct Row {
    const char *map;
    std::vector<int64_t> result, operand;
    int64_t loads, sectors;
  };
  const Row rows[] = {
      {"(d0, d1) -> (d0, d1), domain: d0 in [0, 999], d1 in [0, 776]",
       {1000, 777},
       {1000, 777},
       24282,
       97125},
      {"(d0) -> (d0), domain: d0 in [0, 131104]",
       {131105},
       {131105},
       4098,
       16389},
      {"(d0, d1) -> (d1, d0), domain: d0 in [0, 776], d1 in [0, 999]",
       {777, 1000},
       {1000, 777},
       24282,
       777000},
      // 10^12 elements in rows of a prime length
      {"(d0, d1) -> (d0, d1 + 1), domain: d0 in [0, 99999999], d1 in [0, 10006]",
       {100000000, 10007},
       {100000000, 10010},
       31271875000,
       152484375000},
  };
  for (const Row &row : rows) {
    std::optional<Traffic> traffic =
        trafficOfRows(row.map, row.result, row.operand);
    ASSERT_TRUE(traffic) << row.map;
    EXPECT_EQ(traffic->grounds.exactness, Exactness::Exact) << row.map;
    EXPECT_EQ(traffic->loads, row.loads) << row.map;
    EXPECT_EQ(traffic->touchedSectors(), row.sectors) << row.map;
  }
}

} // namespace
