// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/cells/Align.h"

#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/notation/Notation.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <random>

using namespace mercator;
using namespace mercator::cells;
using namespace mercator::indexing;
using llvm::SmallVector;

namespace {

/// Cells of the writer, one for each element; those of the reader by the loops
/// that are listed; the pairs, `writer = reader`.
struct Case {
  const char *map;
  SmallVector<int64_t> sizes;
  SmallVector<unsigned> readerLoops;
  const char *pairs;
};

std::string spell(Arena &arena, llvm::ArrayRef<Pair> pairs) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      pairs, os,
      [&](const Pair &pair) {
        os << Printed{arena, pair.writer} << " = "
           << Printed{arena, pair.reader};
      },
      ", ");
  return text;
}

SmallVector<Expr> plainCells(Arena &arena, size_t count) {
  SmallVector<Expr> cells;
  for (size_t i = 0; i < count; ++i)
    cells.push_back(arena.dim(i));
  return cells;
}

TEST(Align, Table) {
  const Case cases[] = {
      // Elementwise, transposed, and a row that is read by all rows.
      {"(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 7]",
       {4, 8},
       {0, 1},
       "d0 = d0, d1 = d1"},
      {"(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 7]",
       {8, 4},
       {0, 1},
       "d0 = d1, d1 = d0"},
      {"(d0, d1) -> (d1), domain: d0 in [0, 3], d1 in [0, 7]",
       {8},
       {0, 1},
       "d0 = d1"},
      // The left operand of a product: the columns are summed inside a cell.
      {"(d0, d1, d2) -> (d0, d2), domain: d0 in [0, 3], d1 in [0, 7], d2 in [0, 1]",
       {4, 2},
       {0, 1},
       "d0 = d0"},
      // A slice, and a reversal.
      {"(d0) -> (d0 + 2), domain: d0 in [0, 3]", {8}, {0}, "d0 = d0 + 2"},
      {"(d0) -> (-d0 + 7), domain: d0 in [0, 7]", {8}, {0}, "d0 = -d0 + 7"},
      // Windows that do not overlap, and windows that do.
      {"(d0, d1) -> (d0 * 2 + d1), domain: d0 in [0, 3], d1 in [0, 1]",
       {8},
       {0},
       "d0 / 2 = d0"},
      {"(d0, d1) -> (d0 + d1), domain: d0 in [0, 3], d1 in [0, 1]",
       {5},
       {0},
       ""},
      // Heads of 32 columns, and all columns of a head in a cell.
      {"(d0, d1, d2) -> (d1, d0 * 32 + d2), domain: d0 in [0, 7], d1 in [0, 3], "
       "d2 in [0, 31]",
       {4, 256},
       {0, 1},
       "d0 = d1, d1 / 32 = d0"},
      // Two dimensions as one.
      {"(d0, d1) -> (d0 * 4 + d1), domain: d0 in [0, 7], d1 in [0, 3]",
       {32},
       {0, 1},
       "d0 = d0 * 4 + d1"},
      {"(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [0, 31]",
       {8, 4},
       {0},
       "d0 * 4 + d1 = d0"},
  };
  for (const Case &c : cases) {
    Arena arena;
    ParseError error;
    std::optional<Map> map = parseMap(arena, c.map, error);
    ASSERT_TRUE(bool(map)) << c.map;
    SmallVector<Expr> reader;
    for (unsigned loop : c.readerLoops)
      reader.push_back(arena.dim(loop));
    SmallVector<Expr> writer = plainCells(arena, c.sizes.size());
    SmallVector<Pair> pairs =
        chooseIndependent(arena, align(arena, writer, *map, reader, c.sizes),
                          writer.size(), reader.size());
    EXPECT_EQ(spell(arena, pairs), c.pairs) << c.map;
  }
}

// Two reads in different ways share only what both keep, and an element that
// several cells write has no cell.
TEST(Align, SeveralMapsAndSums) {
  Arena arena;
  Map map = Map::identity(arena, {4, 4});
  Map transpose = map;
  std::swap(transpose.results[0], transpose.results[1]);
  SmallVector<Expr> plain = plainCells(arena, 2);
  MapSet both(map);
  both.insert({transpose});
  EXPECT_EQ(spell(arena, align(arena, plain, both, plain, {4, 4})), "");

  Map rows = map;
  rows.results.pop_back();
  SmallVector<Expr> cells = ofElements(arena, plain, rows);
  EXPECT_EQ(cells[0], arena.dim(0));
  EXPECT_FALSE(cells[1]);

  // A range variable takes all values in one iteration.
  Map column(arena);
  Expr d0 = column.domain.addDim(arena, Interval::ofSize(4));
  Expr s0 = column.domain.addRange(arena, Interval::ofSize(4));
  column.results = {s0, d0};
  EXPECT_EQ(spell(arena, align(arena, plain, column, {d0}, {4, 4})), "d1 = d0");
}

/// The value of an expression over the coordinates of a point.
int64_t valueOf(Arena &arena, Expr e, llvm::ArrayRef<int64_t> point) {
  Domain domain;
  for (int64_t at : point)
    domain.addDim(arena, Interval::point(at));
  return *evaluate(arena, e, domain, point);
}

// The law, by enumeration, for random maps and coordinates.
TEST(Align, PairsObeyTheLaw) {
  std::mt19937_64 engine(testSeed());
  auto in = [&](int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  };
  int64_t checked = 0;
  for (int i = 0; i < cases(4'000); ++i) {
    Arena arena;
    Map map(arena);
    unsigned rank = in(1, 3), results = in(1, 3);
    SmallVector<int64_t> extents;
    for (unsigned d = 0; d < rank; ++d) {
      extents.push_back(in(1, 5));
      map.domain.addDim(arena, Interval::ofSize(extents.back()));
    }
    SmallVector<int64_t> sizes;
    for (unsigned r = 0; r < results; ++r) {
      Expr e = arena.dim(in(0, rank - 1));
      switch (in(0, 6)) {
      case 0:
        e = arena.add(arena.scale(e, in(1, 4)), arena.dim(in(0, rank - 1)));
        break;
      case 1:
        e = arena.add(e, in(0, 3));
        break;
      case 2:
        e = arena.floorDiv(e, in(2, 3));
        break;
      case 3:
        e = arena.mod(e, in(2, 3));
        break;
      default:
        break;
      }
      map.results.push_back(e);
      sizes.push_back(40);
    }
    // Cells of one element, of blocks, or of whole dimensions.
    SmallVector<Expr> writer, reader;
    for (unsigned r = 0; r < results; ++r)
      if (in(0, 3) > 0)
        writer.push_back(in(0, 3) ? arena.dim(r)
                                  : arena.floorDiv(arena.dim(r), in(2, 3)));
    for (unsigned d = 0; d < rank; ++d)
      if (in(0, 3) > 0)
        reader.push_back(in(0, 3) ? arena.dim(d)
                                  : arena.floorDiv(arena.dim(d), in(2, 3)));
    std::string text;
    llvm::raw_string_ostream(text) << map;
    for (const Pair &pair : align(arena, writer, map, reader, sizes)) {
      int64_t points = 1;
      for (int64_t extent : extents)
        points *= extent;
      for (int64_t p = 0; p < points; ++p) {
        SmallVector<int64_t> at, element, ofWriter, ofReader;
        for (int64_t rest = p; int64_t extent : extents) {
          at.push_back(rest % extent);
          rest /= extent;
        }
        for (Expr result : map.results)
          element.push_back(valueOf(arena, result, at));
        for (Expr coordinate : writer)
          ofWriter.push_back(valueOf(arena, coordinate, element));
        for (Expr coordinate : reader)
          ofReader.push_back(valueOf(arena, coordinate, at));
        ASSERT_EQ(valueOf(arena, pair.writer, ofWriter),
                  valueOf(arena, pair.reader, ofReader))
            << text << "\n"
            << spell(arena, {pair}) << "\nseed " << testSeed();
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 1000);
}

} // namespace
