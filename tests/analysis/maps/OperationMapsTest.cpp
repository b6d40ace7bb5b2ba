// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single operations: what the rows of tables/*.maps do not show, such as the
// sources of runtime variables.

#include "Program.h"

using namespace mercator;
using namespace mercator::testing;

namespace {

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

TEST(OperationMaps, GatherNamesItsIndices) {
  const char *arguments =
      "%operand: tensor<33x76x70xf32>, %indices: tensor<1806x2xi32>";
  const char *operation =
      "%0 = \"stablehlo.gather\"(%operand, %indices) <{dimension_numbers = "
      "#stablehlo.gather<offset_dims = [1, 2, 3], start_index_map = [0, 1], "
      "index_vector_dim = 1>, slice_sizes = array<i64: 7, 8, 4>}> : "
      "(tensor<33x76x70xf32>, tensor<1806x2xi32>) -> tensor<1806x7x8x4xf32>";
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
             {"(d0)[s0] -> (d0 * 2 + s0 - 1), domain: d0 in [0, 3], "
              "s0 in [0, 2], d0 * 2 + s0 in [1, 9]"});
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

} // namespace
