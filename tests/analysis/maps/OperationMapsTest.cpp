// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single operations: their maps in both directions, in the notation.

#include "Program.h"

using namespace mercator;
using namespace mercator::testing;

namespace {

//===--- The examples of the published documents --------------------------===//

TEST(OperationMaps, Elementwise) {
  for (unsigned operand : {0, 1})
    check({"%p0: tensor<10x20xf32>, %p1: tensor<10x20xf32>",
           "%0 = stablehlo.add %p0, %p1 : tensor<10x20xf32>",
           "stablehlo.add",
           operand,
           {"(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]"},
           {"(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]"}});
}

TEST(OperationMaps, ScalarOperand) {
  check({"%p: tensor<i1>, %a: tensor<4xf32>",
         "%0 = stablehlo.select %p, %a, %a : (tensor<i1>, tensor<4xf32>, "
         "tensor<4xf32>) -> tensor<4xf32>",
         "stablehlo.select",
         0,
         {"(d0) -> (), domain: d0 in [0, 3]"},
         {"()[s0] -> (s0), domain: s0 in [0, 3]"}});
}

TEST(OperationMaps, Broadcast) {
  check(
      {"%p0: tensor<20xf32>",
       "%0 = stablehlo.broadcast_in_dim %p0, dims = [1] : "
       "(tensor<20xf32>) -> tensor<10x20x30xf32>",
       "stablehlo.broadcast_in_dim",
       0,
       {"(d0, d1, d2) -> (d1), domain: d0 in [0, 9], d1 in [0, 19], d2 in [0, "
        "29]"},
       {"(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 19], s0 in [0, 9], s1 "
        "in [0, 29]"}});
}

TEST(OperationMaps, DynamicSlice) {
  const char *arguments = "%src: tensor<2x2x258xi32>, %of1: tensor<i32>, %of2: "
                          "tensor<i32>, %of3: tensor<i32>";
  const char *operation =
      "%0 = stablehlo.dynamic_slice %src, %of1, %of2, %of3, sizes = [1, 2, 32] "
      ": (tensor<2x2x258xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> "
      "tensor<1x2x32xi32>";
  check(
      {arguments,
       operation,
       "stablehlo.dynamic_slice",
       0,
       {"(d0, d1, d2){rt0, rt1, rt2} -> (d0 + rt0, d1 + rt1, d2 + rt2), "
        "domain: "
        "d0 in [0, 0], d1 in [0, 1], d2 in [0, 31], rt0 in [0, 1], rt1 in [0, "
        "0], rt2 in [0, 226]"},
       {"(d0, d1, d2){rt0, rt1, rt2} -> (d0 - rt0, d1 - rt1, d2 - rt2), "
        "domain: "
        "d0 in [0, 1], d1 in [0, 1], d2 in [0, 257], rt0 in [0, 1], rt1 in [0, "
        "0], rt2 in [0, 226], d0 - rt0 in [0, 0], d1 - rt1 in [0, 1], d2 - rt2 "
        "in [0, 31]"}});
  for (unsigned operand : {1, 2, 3})
    check(
        {arguments,
         operation,
         "stablehlo.dynamic_slice",
         operand,
         {"(d0, d1, d2) -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, "
          "31]"},
         {"()[s0, s1, s2] -> (s0, s1, s2), domain: s0 in [0, 0], s1 in [0, 1], "
          "s2 in [0, 31]"}});
}

TEST(OperationMaps, DynamicSliceNamesItsOffsets) {
  Program program(R"(
    func.func @e(%src: tensor<8xi32> loc("src"), %o: tensor<2xi32> loc("o")) {
      %r = stablehlo.slice %o [1:2] : (tensor<2xi32>) -> tensor<1xi32>
      %of = stablehlo.reshape %r : (tensor<1xi32>) -> tensor<i32> loc("of1")
      %0 = stablehlo.dynamic_slice %src, %of, sizes = [3]
          : (tensor<8xi32>, tensor<i32>) -> tensor<3xi32>
      return
    })");
  Arena arena;
  MapSet maps =
      mapsOf(program.find("stablehlo.dynamic_slice"), arena, kOut, 0, 0);
  ASSERT_EQ(maps.size(), 1u);
  const indexing::RuntimeVariable &v = maps[0].map.domain.runtimes[0];
  // %of is a copy of element 1 of %o.
  EXPECT_EQ(arena.name(v.source), "e/o");
  EXPECT_EQ(v.element, -1);
  ASSERT_EQ(v.index.size(), 1u);
  EXPECT_TRUE(arena.isConstant(v.index[0], 1));
  EXPECT_EQ(v.bounds, (indexing::Interval{0, 5}));
}

TEST(OperationMaps, DynamicSliceOfAConstantOffset) {
  // 7 is out of range: the slice moves back into the operand.
  check({"%src: tensor<8xi32>",
         "%c = stablehlo.constant dense<7> : tensor<i32>\n"
         "%n = stablehlo.convert %c : (tensor<i32>) -> tensor<i64>\n"
         "%0 = stablehlo.dynamic_slice %src, %n, sizes = [3] : "
         "(tensor<8xi32>, tensor<i64>) -> tensor<3xi32>",
         "stablehlo.dynamic_slice",
         0,
         {"(d0) -> (d0 + 5), domain: d0 in [0, 2]"},
         {"(d0) -> (d0 - 5), domain: d0 in [5, 7]"}});
}

TEST(OperationMaps, DynamicUpdateSlice) {
  const char *arguments = "%src: tensor<20x30xi32>, %upd: tensor<5x10xi32>, "
                          "%of1: tensor<i32>, %of2: tensor<i32>";
  const char *operation =
      "%0 = stablehlo.dynamic_update_slice %src, %upd, %of1, %of2 : "
      "(tensor<20x30xi32>, tensor<5x10xi32>, tensor<i32>, tensor<i32>) -> "
      "tensor<20x30xi32>";
  llvm::StringRef kept =
      "(d0, d1){rt0, rt1} -> (d0, d1), domain: d0 in [0, 19], d1 in [0, 29], "
      "rt0 in [0, 15], rt1 in [0, 20], max(max(max(rt0 - d0 - 1, d0 - rt0 - "
      "5), "
      "rt1 - d1 - 1), d1 - rt1 - 10) in [0, 19]";
  check({arguments,
         operation,
         "stablehlo.dynamic_update_slice",
         0,
         {kept},
         {kept}});
  check(
      {arguments,
       operation,
       "stablehlo.dynamic_update_slice",
       1,
       {"(d0, d1){rt0, rt1} -> (d0 - rt0, d1 - rt1), domain: d0 in [0, 19], d1 "
        "in [0, 29], rt0 in [0, 15], rt1 in [0, 20], d0 - rt0 in [0, 4], d1 - "
        "rt1 in [0, 9]"},
       {"(d0, d1){rt0, rt1} -> (d0 + rt0, d1 + rt1), domain: d0 in [0, 4], d1 "
        "in [0, 9], rt0 in [0, 15], rt1 in [0, 20]"}});
  for (unsigned operand : {2, 3})
    check({arguments,
           operation,
           "stablehlo.dynamic_update_slice",
           operand,
           {"(d0, d1) -> (), domain: d0 in [0, 19], d1 in [0, 29]"},
           {"()[s0, s1] -> (s0, s1), domain: s0 in [0, 19], s1 in [0, 29]"}});
}

TEST(OperationMaps, Gather) {
  const char *arguments =
      "%operand: tensor<33x76x70xf32>, %indices: tensor<1806x2xi32>";
  const char *operation =
      "%0 = \"stablehlo.gather\"(%operand, %indices) <{dimension_numbers = "
      "#stablehlo.gather<offset_dims = [1, 2, 3], start_index_map = [0, 1], "
      "index_vector_dim = 1>, slice_sizes = array<i64: 7, 8, 4>}> : "
      "(tensor<33x76x70xf32>, tensor<1806x2xi32>) -> tensor<1806x7x8x4xf32>";
  check(
      {arguments,
       operation,
       "stablehlo.gather",
       0,
       {"(d0, d1, d2, d3){rt0, rt1} -> (d1 + rt0, d2 + rt1, d3), domain: d0 in "
        "[0, 1805], d1 in [0, 6], d2 in [0, 7], d3 in [0, 3], rt0 in [0, 26], "
        "rt1 in [0, 68]"},
       {"(d0, d1, d2)[s0]{rt0, rt1} -> (s0, d0 - rt0, d1 - rt1, d2), domain: "
        "d0 "
        "in [0, 32], d1 in [0, 75], d2 in [0, 3], s0 in [0, 1805], rt0 in [0, "
        "26], rt1 in [0, 68], d0 - rt0 in [0, 6], d1 - rt1 in [0, 7]"}});
  check(
      {arguments,
       operation,
       "stablehlo.gather",
       1,
       {"(d0, d1, d2, d3)[s0] -> (d0, s0), domain: d0 in [0, 1805], d1 in [0, "
        "6], d2 in [0, 7], d3 in [0, 3], s0 in [0, 1]"},
       {"(d0, d1)[s0, s1, s2] -> (d0, s0, s1, s2), domain: d0 in [0, 1805], d1 "
        "in [0, 1], s0 in [0, 6], s1 in [0, 7], s2 in [0, 3]"}});
  // The elements of the indices that are read.
  Program program(around(operation, arguments));
  Arena arena;
  MapSet maps = mapsOf(program.find("stablehlo.gather"), arena, kOut, 0, 0);
  for (int64_t k : {0, 1}) {
    const indexing::RuntimeVariable &v = maps[0].map.domain.runtimes[k];
    EXPECT_EQ(arena.name(v.source), "f/arg1");
    ASSERT_EQ(v.index.size(), 2u);
    EXPECT_EQ(v.index[0], arena.dim(0));
    EXPECT_EQ(v.index[1], arena.constant(k));
  }
}

TEST(OperationMaps, AnEmptySliceGathersNothing) {
  Arena arena;
  Program program(around(
      "%0 = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = "
      "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
      "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: "
      "0, 4>}> : (tensor<10x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>",
      "%x: tensor<10x4xf32>, %i: tensor<3x1xi32>"));
  mlir::Operation *gather = program.find("stablehlo.gather");
  for (Direction direction : {kOut, kIn}) {
    MapSet maps = mapsOf(gather, arena, direction, 0, 0);
    ASSERT_EQ(maps.size(), 1u);
    EXPECT_TRUE(maps.front().map.isKnownEmpty());
    EXPECT_TRUE(maps.isExact());
  }
}

TEST(OperationMaps, GatherAtAnIotaClamps) {
  check({"%operand: tensor<5xf32>",
         "%i = stablehlo.iota dim = 0 : tensor<8x1xi32>\n"
         "%0 = \"stablehlo.gather\"(%operand, %i) <{dimension_numbers = "
         "#stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], "
         "index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : "
         "(tensor<5xf32>, tensor<8x1xi32>) -> tensor<8xf32>",
         "stablehlo.gather",
         0,
         {"(d0) -> (min(d0, 4)), domain: d0 in [0, 7]"},
         {"(d0)[s0] -> (s0), domain: d0 in [0, 4], s0 in [0, 7], d0 - "
          "min(max(s0, 0), 4) "
          "in [0, 0]"}});
}

TEST(OperationMaps, Transpose) {
  check(
      {"%p0: tensor<3x12288x6x128xf32>",
       "%0 = stablehlo.transpose %p0, dims = [0, 2, 3, 1] : "
       "(tensor<3x12288x6x128xf32>) -> tensor<3x6x128x12288xf32>",
       "stablehlo.transpose",
       0,
       {"(d0, d1, d2, d3) -> (d0, d3, d1, d2), domain: d0 in [0, 2], d1 in [0, "
        "5], d2 in [0, 127], d3 in [0, 12287]"},
       {"(d0, d1, d2, d3) -> (d0, d2, d3, d1), domain: d0 in [0, 2], d1 in [0, "
        "12287], d2 in [0, 5], d3 in [0, 127]"}});
}

TEST(OperationMaps, Reverse) {
  llvm::StringRef map =
      "(d0, d1, d2, d3) -> (d0, -d1 + 16, -d2 + 8, d3), domain: d0 in [0, 0], "
      "d1 in [0, 16], d2 in [0, 8], d3 in [0, 8]";
  check({"%p0: tensor<1x17x9x9xf32>",
         "%0 = stablehlo.reverse %p0, dims = [1, 2] : tensor<1x17x9x9xf32>",
         "stablehlo.reverse",
         0,
         {map},
         {map}});
}

TEST(OperationMaps, VariadicReduce) {
  const char *arguments = "%p0: tensor<256x10xf32>, %p1: tensor<256x10xi32>, "
                          "%i0: tensor<f32>, %i1: tensor<i32>";
  const char *operation = R"(
    %0:2 = "stablehlo.reduce"(%p0, %p1, %i0, %i1) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
      %m = stablehlo.maximum %a, %c : tensor<f32>
      %n = stablehlo.maximum %b, %d : tensor<i32>
      stablehlo.return %m, %n : tensor<f32>, tensor<i32>
    }) : (tensor<256x10xf32>, tensor<256x10xi32>, tensor<f32>, tensor<i32>)
      -> (tensor<10xf32>, tensor<10xi32>))";
  // The two reductions are independent.
  for (unsigned result : {0, 1}) {
    unsigned other = 1 - result;
    check({arguments,
           operation,
           "stablehlo.reduce",
           result,
           {"(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 255]"},
           {"(d0, d1) -> (d1), domain: d0 in [0, 255], d1 in [0, 9]"},
           result});
    check({arguments,
           operation,
           "stablehlo.reduce",
           2 + result,
           {"(d0) -> (), domain: d0 in [0, 9]"},
           {"()[s0] -> (s0), domain: s0 in [0, 9]"},
           result});
    check({arguments,
           operation,
           "stablehlo.reduce",
           other,
           {"(d0) -> (0, 0), KNOWN EMPTY"},
           {"(d0, d1) -> (0), KNOWN EMPTY"},
           result});
  }
}

TEST(OperationMaps, Slice) {
  check(
      {"%p0: tensor<10x20x50xf32>",
       "%0 = stablehlo.slice %p0 [5:10:1, 3:20:7, 0:50:2] : "
       "(tensor<10x20x50xf32>) -> tensor<5x3x25xf32>",
       "stablehlo.slice",
       0,
       {"(d0, d1, d2) -> (d0 + 5, d1 * 7 + 3, d2 * 2), domain: d0 in [0, 4], "
        "d1 "
        "in [0, 2], d2 in [0, 24]"},
       {"(d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2), domain: "
        "d0 in [5, 9], d1 in [3, 17], d2 in [0, 48], (d1 - 3) mod 7 in [0, 0], "
        "d2 mod 2 in [0, 0]"}});
}

TEST(OperationMaps, Reshape) {
  struct {
    const char *from, *to;
    llvm::StringRef outToIn, inToOut;
  } cases[] = {
      {"4x8", "32", "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]",
       "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]"},
      {"32", "4x8",
       "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]",
       "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]"},
      {"4x8", "2x4x4",
       "(d0, d1, d2) -> (d0 * 2 + d1 floordiv 2, d2 + (d1 mod 2) * 4), domain: "
       "d0 in [0, 1], d1 in [0, 3], d2 in [0, 3]",
       "(d0, d1) -> (d0 floordiv 2, d1 floordiv 4 + (d0 mod 2) * 2, d1 mod 4), "
       "domain: d0 in [0, 3], d1 in [0, 7]"},
      {"4x8x12", "32x3x4",
       "(d0, d1, d2) -> (d0 floordiv 8, d0 mod 8, d1 * 4 + d2), domain: d0 in "
       "[0, 31], d1 in [0, 2], d2 in [0, 3]",
       "(d0, d1, d2) -> (d0 * 8 + d1, d2 floordiv 4, d2 mod 4), domain: d0 in "
       "[0, 3], d1 in [0, 7], d2 in [0, 11]"},
      {"1x0x0", "0", "(d0) -> (0, 0, 0), KNOWN EMPTY",
       "(d0, d1, d2) -> (0), KNOWN EMPTY"},
  };
  for (auto &c : cases) {
    std::string from = "tensor<" + std::string(c.from) + "xf32>";
    std::string to = "tensor<" + std::string(c.to) + "xf32>";
    std::string arguments = "%p0: " + from;
    std::string operation =
        "%0 = stablehlo.reshape %p0 : (" + from + ") -> " + to;
    check({arguments.c_str(),
           operation.c_str(),
           "stablehlo.reshape",
           0,
           {c.outToIn},
           {c.inToOut}});
  }
}

TEST(OperationMaps, Bitcast) {
  check(
      {"%p0: tensor<3x12288x6x128xf32>",
       "%0 = hlo.bitcast %p0 : (tensor<3x12288x6x128xf32>) -> "
       "tensor<3x6x128x12288xf32, #hlo.layout<[2, 1, 3, 0]>>",
       "hlo.bitcast",
       0,
       {"(d0, d1, d2, d3) -> (d0, d3, d1, d2), domain: d0 in [0, 2], d1 in [0, "
        "5], d2 in [0, 127], d3 in [0, 12287]"},
       {"(d0, d1, d2, d3) -> (d0, d2, d3, d1), domain: d0 in [0, 2], d1 in [0, "
        "12287], d2 in [0, 5], d3 in [0, 127]"}});
  check({"%p0: tensor<4x32xf32>",
         "%0 = hlo.bitcast %p0 : (tensor<4x32xf32>) -> tensor<4x8x4xf32>",
         "hlo.bitcast",
         0,
         {"(d0, d1, d2) -> (d0, d1 * 4 + d2), domain: d0 in [0, 3], d1 in [0, "
          "7], "
          "d2 in [0, 3]"},
         {"(d0, d1) -> (d0, d1 floordiv 4, d1 mod 4), domain: d0 in [0, 3], d1 "
          "in "
          "[0, 31]"}});
}

TEST(OperationMaps, Concatenate) {
  struct {
    llvm::StringRef outToIn, inToOut;
  } cases[] = {
      {"(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 4], d2 "
       "in "
       "[0, 6]",
       "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 4], d2 "
       "in "
       "[0, 6]"},
      {"(d0, d1, d2) -> (d0, d1 - 5, d2), domain: d0 in [0, 1], d1 in [5, 15], "
       "d2 in [0, 6]",
       "(d0, d1, d2) -> (d0, d1 + 5, d2), domain: d0 in [0, 1], d1 in [0, 10], "
       "d2 in [0, 6]"},
      {"(d0, d1, d2) -> (d0, d1 - 16, d2), domain: d0 in [0, 1], d1 in [16, "
       "32], "
       "d2 in [0, 6]",
       "(d0, d1, d2) -> (d0, d1 + 16, d2), domain: d0 in [0, 1], d1 in [0, "
       "16], "
       "d2 in [0, 6]"},
  };
  for (unsigned operand : {0, 1, 2})
    check({"%p0: tensor<2x5x7xf32>, %p1: tensor<2x11x7xf32>, %p2: "
           "tensor<2x17x7xf32>",
           "%0 = stablehlo.concatenate %p0, %p1, %p2, dim = 1 : "
           "(tensor<2x5x7xf32>, tensor<2x11x7xf32>, tensor<2x17x7xf32>) -> "
           "tensor<2x33x7xf32>",
           "stablehlo.concatenate",
           operand,
           {cases[operand].outToIn},
           {cases[operand].inToOut}});
}

TEST(OperationMaps, Dot) {
  const char *arguments =
      "%p0: tensor<4x128x256xf32>, %p1: tensor<4x256x64xf32>";
  const char *operation =
      "%0 = stablehlo.dot_general %p0, %p1, batching_dims = [0] x [0], "
      "contracting_dims = [2] x [1] : (tensor<4x128x256xf32>, "
      "tensor<4x256x64xf32>) -> tensor<4x128x64xf32>";
  check({arguments,
         operation,
         "stablehlo.dot_general",
         0,
         {"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in [0, "
          "127], d2 in [0, 63], s0 in [0, 255]"},
         {"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in [0, "
          "127], d2 in [0, 255], s0 in [0, 63]"}});
  check({arguments,
         operation,
         "stablehlo.dot_general",
         1,
         {"(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in [0, "
          "127], d2 in [0, 63], s0 in [0, 255]"},
         {"(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in [0, "
          "255], d2 in [0, 63], s0 in [0, 127]"}});
}

TEST(OperationMaps, Pad) {
  const char *arguments = "%p0: tensor<4x4xf32>, %p1: tensor<f32>";
  const char *operation =
      "%0 = stablehlo.pad %p0, %p1, low = [1, 4], high = [4, 8], interior = "
      "[1, "
      "0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<12x16xf32>";
  check({arguments,
         operation,
         "stablehlo.pad",
         0,
         {"(d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4), domain: d0 in [1, 7], d1 "
          "in "
          "[4, 7], (d0 - 1) mod 2 in [0, 0]"},
         {"(d0, d1) -> (d0 * 2 + 1, d1 + 4), domain: d0 in [0, 3], d1 in [0, "
          "3]"}});
  check({arguments,
         operation,
         "stablehlo.pad",
         1,
         {"(d0, d1) -> (), domain: d0 in [0, 11], d1 in [0, 15], max(max(0 - "
          "d0, d0 - 8), max((d0 - 1) mod 2 - 1, max(3 - d1, d1 - 8))) in [0, "
          "7]"},
         {"()[s0, s1] -> (s0, s1), domain: s0 in [0, 11], s1 in [0, 15], "
          "max(max(0 - s0, s0 - 8), max((s0 - 1) mod 2 - 1, max(3 - s1, s1 - "
          "8))) in [0, 7]"}});
}

TEST(OperationMaps, PadOnOneSide) {
  check({"%p0: tensor<4xf32>, %p1: tensor<f32>",
         "%0 = stablehlo.pad %p0, %p1, low = [2], high = [-1], interior = [0] "
         ": (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>",
         "stablehlo.pad",
         1,
         {"(d0) -> (), domain: d0 in [0, 1]"},
         {"()[s0] -> (s0), domain: s0 in [0, 1]"}});
  check({"%p0: tensor<4xf32>, %p1: tensor<f32>",
         "%0 = stablehlo.pad %p0, %p1, low = [0], high = [-1], interior = [0] "
         ": (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>",
         "stablehlo.pad",
         1,
         {"(d0) -> (), KNOWN EMPTY"},
         {"() -> (0), KNOWN EMPTY"}});
}

TEST(OperationMaps, ReduceWindow) {
  const char *arguments = "%p0: tensor<1024x514xf32>, %i: tensor<f32>";
  const char *operation = R"(
    %0 = "stablehlo.reduce_window"(%p0, %i)
        <{window_dimensions = array<i64: 1, 512>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<1024x514xf32>, tensor<f32>) -> tensor<1024x3xf32>)";
  check(
      {arguments,
       operation,
       "stablehlo.reduce_window",
       0,
       {"(d0, d1)[s0] -> (d0, d1 + s0), domain: d0 in [0, 1023], d1 in [0, 2], "
        "s0 in [0, 511]"},
       {"(d0, d1)[s0] -> (d0, d1 - s0), domain: d0 in [0, 1023], d1 in [0, "
        "513], s0 in [0, 511], d1 - s0 in [0, 2]"}});
  check({arguments,
         operation,
         "stablehlo.reduce_window",
         1,
         {"(d0, d1) -> (), domain: d0 in [0, 1023], d1 in [0, 2]"},
         {"()[s0, s1] -> (s0, s1), domain: s0 in [0, 1023], s1 in [0, 2]"}});
}

/// A call whose window is known: 3 elements, stride 2, one before the first.
std::string windowCall(llvm::StringRef resultType) {
  return (R"(
    func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
      %s = stablehlo.add %a, %b : tensor<f32>
      return %s : tensor<f32>
    }
    func.func @f(%x: tensor<9xf32>, %i: tensor<f32>) {
      %size = stablehlo.constant dense<3> : tensor<1xi32>
      %stride = stablehlo.constant dense<2> : tensor<1xi32>
      %one = stablehlo.constant dense<1> : tensor<1xi32>
      %pad = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>
      %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %i, %size, %stride, %one, %one, %pad) {called_computations = [@sum]} : (tensor<9xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> )" +
          resultType + "\n return }")
      .str();
}

TEST(OperationMaps, DynamicReduceWindow) {
  Program program(windowCall("tensor<4xf32>"));
  mlir::Operation *call = program.find("stablehlo.custom_call");
  Arena arena;
  expectMaps(arena, mapsOf(call, arena, kOut, 0, 0),
             {"(d0)[s0] -> (d0 * 2 + s0 - 1), domain: d0 in [0, 3], s0 in [0, "
              "2], d0 * 2 + s0 in [1, 9]"});
  expectMaps(arena, mapsOf(call, arena, kOut, 1, 0),
             {"(d0) -> (), domain: d0 in [0, 3]"});
  // The window is known: none of its numbers is read.
  for (unsigned operand = 2; operand < 7; ++operand)
    EXPECT_TRUE(
        mapsOf(call, arena, kOut, operand, 0).front().map.isKnownEmpty());
}

TEST(OperationMaps, DynamicReduceWindowOfAnotherSize) {
  Program program(windowCall("tensor<5xf32>"));
  Arena arena;
  MapSet maps =
      mapsOf(program.find("stablehlo.custom_call"), arena, kOut, 0, 0);
  EXPECT_FALSE(maps.isExact()) << toString(maps);
}

//===--- Others -----------------------------------------------------------===//

TEST(OperationMaps, ConvolutionWithPaddingAndStride) {
  check(
      {"%p0: tensor<1x12x10x4xf32>, %p1: tensor<4x3x5x8xf32>",
       "%0 = stablehlo.convolution(%p0, %p1) dim_numbers = [b, 0, 1, f]x[i, 0, "
       "1, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [2, "
       "2]]} "
       "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
       "(tensor<1x12x10x4xf32>, tensor<4x3x5x8xf32>) -> tensor<1x6x5x8xf32>",
       "stablehlo.convolution",
       0,
       {"(d0, d1, d2, d3)[s0, s1, s2] -> (0, d1 * 2 + s0 - 1, d2 * 2 + s1 - 2, "
        "s2), domain: d0 in [0, 0], d1 in [0, 5], d2 in [0, 4], d3 in [0, 7], "
        "s0 in [0, 2], s1 in [0, 4], s2 in [0, 3], d1 * 2 + s0 in [1, 12], d2 "
        "* "
        "2 + s1 in [2, 11]"},
       {"(d0, d1, d2, d3)[s0, s1, s2] -> (0, (d1 - s0 + 1) floordiv 2, (d2 - "
        "s1 "
        "+ 2) floordiv 2, s2), domain: d0 in [0, 0], d1 in [0, 11], d2 in [0, "
        "9], d3 in [0, 3], s0 in [0, 2], s1 in [0, 4], s2 in [0, 7], (d1 - s0 "
        "+ "
        "1) mod 2 in [0, 0], (d2 - s1 + 2) mod 2 in [0, 0], d1 - s0 + 1 in [0, "
        "10], d2 - s1 + 2 in [0, 8]"}});
}

TEST(OperationMaps, CustomCallReadsAnything) {
  check(
      {"%p0: tensor<4xf32>",
       "%0 = stablehlo.custom_call @who(%p0) : (tensor<4xf32>) -> "
       "tensor<2x2xf32>",
       "stablehlo.custom_call",
       0,
       {"~(d0, d1)[s0] -> (s0), domain: d0 in [0, 1], d1 in [0, 1], s0 in [0, "
        "3]"},
       {"~(d0)[s0, s1] -> (s0, s1), domain: d0 in [0, 3], s0 in [0, 1], s1 in "
        "[0, 1]"}});
}

TEST(OperationMaps, UnknownOperation) {
  check({"%p0: tensor<4xf32>",
         "%0 = builtin.unrealized_conversion_cast %p0 : tensor<4xf32> to "
         "tensor<2xf32>",
         "builtin.unrealized_conversion_cast",
         0,
         {"~(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 3]"},
         {"~(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 1]"}});
}

TEST(OperationMaps, DynamicSizes) {
  check({"%p0: tensor<?x8xf32>",
         "%0 = stablehlo.reshape %p0 : (tensor<?x8xf32>) -> tensor<4x?xf32, "
         "#stablehlo.bounds<?, 16>>",
         "stablehlo.reshape",
         0,
         {"~(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 3], d1 in [0, "
          "15], s0 in [0, 9223372036854775806], s1 in [0, 7]"},
         {"~(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, "
          "9223372036854775806], "
          "d1 in [0, 7], s0 in [0, 3], s1 in [0, 15]"}});
}

} // namespace
