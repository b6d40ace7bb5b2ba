// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets that are read when the program runs: their sources and bounds, which
// compositions in both directions must keep.

#include "Program.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "tests/indexing/BruteForce.h"

#include <map>

using namespace mercator;
using namespace mercator::testing;
using namespace mercator::indexing::testing;
using indexing::Interval;
using indexing::RuntimeVariable;

namespace {

MapSet throughFunction(Program &program, FusionMaps &maps, Direction direction,
                       unsigned argument) {
  mlir::Block &block = program.function("f").getBody().front();
  if (direction == kIn) {
    for (Reached &r : maps.toResults({block.getArgument(argument)}))
      return r.maps;
    return {};
  }
  for (Reached &r : maps.toArguments({block.getTerminator()->getOperand(0)}))
    if (r.number == argument)
      return r.maps;
  return {};
}

Relation unionOf(const MapSet &maps, const Reader &reader) {
  Relation all;
  for (const OperandMap &m : maps) {
    Relation one = relationOf(m.map, reader);
    all.pairs.insert(all.pairs.end(), one.pairs.begin(), one.pairs.end());
  }
  all.normalize();
  return all;
}

// XLA binds the variables of a composition to each other's offsets
// (openxla/xla#49119). Here each variable has its own source.
TEST(RuntimeVariables, OfASliceOfASlice) {
  Program program(R"(
    func.func @f(%src: tensor<9x12xi32>, %a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>) -> tensor<2x3xi32> {
      %0 = stablehlo.dynamic_slice %src, %a, %b, sizes = [4, 6]
          : (tensor<9x12xi32>, tensor<i32>, tensor<i32>) -> tensor<4x6xi32>
      %1 = stablehlo.dynamic_slice %0, %c, %d, sizes = [2, 3]
          : (tensor<4x6xi32>, tensor<i32>, tensor<i32>) -> tensor<2x3xi32>
      return %1 : tensor<2x3xi32>
    })");
  Arena arena;
  FusionMaps fusion(arena);
  MapSet back = throughFunction(program, fusion, kOut, 0),
         forth = throughFunction(program, fusion, kIn, 0);
  ASSERT_EQ(back.size(), 1u);
  const std::map<std::string, Interval> bounds = {{"f/arg1", {0, 5}},
                                                  {"f/arg2", {0, 6}},
                                                  {"f/arg3", {0, 2}},
                                                  {"f/arg4", {0, 3}}};
  for (const MapSet *maps : {&back, &forth}) {
    EXPECT_EQ(maps->front().map.domain.runtimes.size(), 4u);
    for (const RuntimeVariable &v : maps->front().map.domain.runtimes)
      EXPECT_EQ(v.bounds, bounds.at(arena.name(v.source).str()));
  }
  Index offsets(4);
  forEachIndex({6, 6, 6, 6}, [&](const Index &at) {
    for (int i = 0; i < 4; ++i)
      offsets[i] = at[i] * 2 - 2; // -2 to 8
    Reader reader = [&](const RuntimeVariable &v, const Index &) {
      return offsets[arena.name(v.source).back() - '1'];
    };
    Relation expected;
    forEachIndex({2, 3}, [&](const Index &d) {
      expected.add(d, {d[0] + std::clamp<int64_t>(offsets[2], 0, 2) +
                           std::clamp<int64_t>(offsets[0], 0, 5),
                       d[1] + std::clamp<int64_t>(offsets[3], 0, 3) +
                           std::clamp<int64_t>(offsets[1], 0, 6)});
    });
    expected.normalize();
    ASSERT_EQ(unionOf(back, reader), expected) << toString(back);
    ASSERT_EQ(unionOf(forth, reader), expected.inverse()) << toString(forth);
  });
}

// A residue does not rescale a runtime variable: the map cannot choose its
// value.
TEST(RuntimeVariables, AreNotRescaled) {
  Arena arena;
  Map map = parse(
      arena, "(d0)[s0]{rt0} -> (d0 + rt0, s0), domain: d0 in [0, 9], s0 in "
             "[0, 30], rt0 in [0, 40], rt0 mod 6 in [3, 3], s0 mod 4 in "
             "[1, 1]");
  Map simple = indexing::simplify(map);
  EXPECT_EQ(simple.domain.runtimes[0].bounds, (Interval{0, 40}));
  for (int64_t value = -3; value < 44; ++value) {
    Reader reader = [&](const RuntimeVariable &, const Index &) {
      return value;
    };
    EXPECT_EQ(relationOf(simple, reader), relationOf(map, reader)) << value;
  }
}

// An unknown operation does not affect the offsets of other operations.
TEST(RuntimeVariables, NextToUnknownOperations) {
  for (const char *body :
       {"%0 = stablehlo.custom_call @g(%x) : (tensor<8xi32>) -> tensor<8xi32>\n"
        "%1 = stablehlo.dynamic_slice %0, %a, sizes = [3] : (tensor<8xi32>, "
        "tensor<i32>) -> tensor<3xi32>",
        "%0 = stablehlo.dynamic_slice %x, %a, sizes = [3] : (tensor<8xi32>, "
        "tensor<i32>) -> tensor<3xi32>\n"
        "%1 = stablehlo.custom_call @g(%0) : (tensor<3xi32>) -> "
        "tensor<3xi32>"}) {
    Program program("func.func @f(%x: tensor<8xi32>, %a: tensor<i32>) -> "
                    "tensor<3xi32> {\n" +
                    std::string(body) + "\nreturn %1 : tensor<3xi32>\n}");
    Arena arena;
    FusionMaps fusion(arena);
    for (Direction direction : {kOut, kIn}) {
      MapSet maps = throughFunction(program, fusion, direction, 0);
      ASSERT_EQ(maps.size(), 1u);
      EXPECT_FALSE(maps.isExact());
      EXPECT_NE(maps.front().reason.find("@g"), std::string::npos);
    }
  }
}

// XLA replaces the variable by an iota without the clamp, and does not clamp
// constants beyond the operand.
TEST(RuntimeVariables, KnownOffsetsKeepTheirClamp) {
  const char *gather =
      R"("stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
        : (tensor<33xf32>, tensor<42xi32>) -> tensor<42xf32>)";
  struct {
    const char *indices, *outToIn, *inToOut;
  } cases[] = {
      {"%i = stablehlo.iota dim = 0 : tensor<42xi32>",
       "(d0) -> (min(d0, 32)), domain: d0 in [0, 41]",
       "(d0)[s0] -> (s0), domain: d0 in [0, 32], s0 in [0, 41], min(s0, 32) - "
       "d0 in [0, 0]"},
      {"%j = stablehlo.iota dim = 0 : tensor<42xi32>\n"
       "%n = stablehlo.constant dense<20> : tensor<42xi32>\n"
       "%i = stablehlo.subtract %n, %j : tensor<42xi32>",
       "(d0) -> (max(20 - d0, 0)), domain: d0 in [0, 41]",
       "(d0)[s0] -> (s0), domain: d0 in [0, 32], s0 in [0, 41], max(20 - s0, "
       "0) - d0 in [0, 0]"},
      // The clamp is not needed.
      {"%j = stablehlo.iota dim = 0 : tensor<42xi32>\n"
       "%n = stablehlo.constant dense<30> : tensor<42xi32>\n"
       "%i = stablehlo.remainder %j, %n : tensor<42xi32>",
       "(d0) -> (d0 mod 30), domain: d0 in [0, 41]",
       "(d0)[s0] -> (s0), domain: d0 in [0, 32], s0 in [0, 41], s0 mod 30 - d0 "
       "in [0, 0]"},
      {"%i = stablehlo.constant dense<1000> : tensor<42xi32>",
       "(d0) -> (32), domain: d0 in [0, 41]",
       "(d0)[s0] -> (s0), domain: d0 in [32, 32], s0 in [0, 41]"}};
  for (const auto &c : cases) {
    Program program(around(std::string(c.indices) + "\n%0 = " + gather,
                           "%x: tensor<33xf32>"));
    mlir::Operation *op = program.find("stablehlo.gather");
    Arena arena;
    expectMaps(arena, mapsOf(op, arena, kOut, 0, 0), {c.outToIn});
    expectMaps(arena, mapsOf(op, arena, kIn, 0, 0), {c.inToOut});
  }
}

// The known range of a value narrows its bounds.
TEST(RuntimeVariables, KnownRangesNarrowThem) {
  Program program(around(
      R"(%c = stablehlo.constant dense<4> : tensor<i32>
         %r = stablehlo.remainder %a, %c : tensor<i32>
         %0 = stablehlo.dynamic_slice %x, %r, sizes = [3] : (tensor<20xf32>, tensor<i32>) -> tensor<3xf32>)",
      "%x: tensor<20xf32>, %a: tensor<i32>"));
  Arena arena;
  mlir::Operation *op = program.find("stablehlo.dynamic_slice");
  expectMaps(arena, mapsOf(op, arena, kOut, 0, 0),
             {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 2], rt0 in [0, 3]"});
  EXPECT_EQ(mapsOf(op, arena, kOut, 0, 0)[0].map.domain.runtimes[0].bounds,
            (Interval{0, 3}));
}

// Two variables that read the same element are merged: within an operation,
// through copies, and in compositions.
TEST(RuntimeVariables, OfOneElementAreOne) {
  Program program(R"(
    func.func @f(%x: tensor<9x12xi32>, %o: tensor<2xi32>) -> tensor<2x3xi32> {
      %s = stablehlo.slice %o [1:2] : (tensor<2xi32>) -> tensor<1xi32>
      %a = stablehlo.reshape %s : (tensor<1xi32>) -> tensor<i32>
      %t = stablehlo.slice %o [1:2:2] : (tensor<2xi32>) -> tensor<1xi32>
      %u = stablehlo.convert %t : (tensor<1xi32>) -> tensor<1xi64>
      %b = stablehlo.reshape %u : (tensor<1xi64>) -> tensor<i64>
      %0 = stablehlo.dynamic_slice %x, %a, %a, sizes = [4, 6]
          : (tensor<9x12xi32>, tensor<i32>, tensor<i32>) -> tensor<4x6xi32>
      %1 = stablehlo.dynamic_slice %0, %b, %b, sizes = [2, 3]
          : (tensor<4x6xi32>, tensor<i64>, tensor<i64>) -> tensor<2x3xi32>
      return %1 : tensor<2x3xi32>
    })");
  Arena arena;
  FusionMaps fusion(arena);
  MapSet back = throughFunction(program, fusion, kOut, 0),
         forth = throughFunction(program, fusion, kIn, 0);
  ASSERT_EQ(back.size(), 1u);
  EXPECT_TRUE(back.isExact());
  for (const MapSet *maps : {&back, &forth}) {
    ASSERT_EQ(maps->front().map.domain.runtimes.size(), 1u) << toString(*maps);
    const RuntimeVariable &v = maps->front().map.domain.runtimes[0];
    EXPECT_EQ(arena.name(v.source), "f/arg1");
    EXPECT_EQ(v.bounds, (Interval{0, 6}));
    ASSERT_EQ(v.index.size(), 1u);
    EXPECT_TRUE(arena.isConstant(v.index[0], 1));
  }
  for (int64_t offset = -2; offset < 10; ++offset) {
    Reader reader = [&](const RuntimeVariable &, const Index &) {
      return offset;
    };
    auto at = [&](int64_t room) {
      return std::clamp<int64_t>(offset, 0, room);
    };
    Relation expected;
    forEachIndex({2, 3}, [&](const Index &d) {
      expected.add(d, {d[0] + at(2) + at(5), d[1] + at(3) + at(6)});
    });
    expected.normalize();
    EXPECT_EQ(unionOf(back, reader), expected) << toString(back);
    EXPECT_EQ(unionOf(forth, reader), expected.inverse()) << toString(forth);
  }
}

// Two lookups of a row of a table by the same row of indices.
TEST(RuntimeVariables, OfOneRowAreOne) {
  Program program(R"(
    func.func @f(%x: tensor<9xi32>, %y: tensor<9xi32>, %i: tensor<5xi32>) -> tensor<5xi32> {
      %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
        : (tensor<9xi32>, tensor<5xi32>) -> tensor<5xi32>
      %1 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
        : (tensor<9xi32>, tensor<5xi32>) -> tensor<5xi32>
      %2 = stablehlo.add %0, %1 : tensor<5xi32>
      return %2 : tensor<5xi32>
    })");
  Arena arena;
  FusionMaps fusion(arena);
  for (Direction direction : {kOut, kIn}) {
    MapSet maps = throughFunction(program, fusion, direction, 0);
    EXPECT_EQ(maps.size(), 1u) << toString(maps);
    EXPECT_TRUE(maps.isExact());
  }
}

TEST(RuntimeVariables, UnusedOnesAreDropped) {
  Arena arena;
  Map slice =
      parse(arena, "(d0, d1){rt0, rt1} -> (d0 + rt0, d1 + rt1), domain: "
                   "d0 in [0, 3], d1 in [0, 3], rt0 in [0, 5], rt1 in "
                   "[0, 5]");
  Map row =
      parse(arena, "(d0, d1) -> (d1), domain: d0 in [0, 8], d1 in [0, 8]");
  Map both = indexing::simplify(indexing::compose(slice, row));
  EXPECT_EQ(both.domain.runtimes.size(), 1u);
}

// Merging: the hull of the bounds, and the clamp of each use.
TEST(RuntimeVariables, MergingKeepsEachUse) {
  Arena arena;
  Map map(arena);
  map.domain.addDim(arena, {0, 3});
  uint32_t source = arena.intern("f/i");
  for (Interval bounds : {Interval{0, 5}, Interval{2, 9}, Interval{7, 8}}) {
    RuntimeVariable v;
    v.bounds = bounds;
    v.source = source;
    map.results.push_back(map.domain.addRuntime(arena, v));
  }
  RuntimeVariable other;
  other.bounds = {0, 4};
  other.source = arena.intern("f/j");
  other.index = {arena.runtime(1)}; // read at another runtime variable
  map.results.push_back(map.domain.addRuntime(arena, other));
  RuntimeVariable anonymous;
  anonymous.bounds = {0, 5};
  for (int i = 0; i < 2; ++i)
    map.results.push_back(map.domain.addRuntime(arena, anonymous));
  Map merged = map;
  indexing::mergeRuntimes(merged);
  ASSERT_EQ(merged.domain.runtimes.size(), 4u);
  EXPECT_EQ(merged.domain.runtimes[0].bounds, (Interval{0, 9}));
  for (int64_t value = -2; value < 12; ++value) {
    auto reader = [&](const RuntimeVariable &v, const Index &) {
      return v.source == source ? value : v.source ? int64_t(3) : int64_t(1);
    };
    EXPECT_EQ(relationOf(merged, reader), relationOf(map, reader)) << value;
  }
}

} // namespace
