// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps through fusions, calls and whole computations.

#include "Computation.h"

using namespace mercator;
using namespace mercator::testing;

namespace {

constexpr const char *kTransposed = R"(
  func.func @f(%p0: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
    %t = stablehlo.transpose %p0, dims = [1, 0]
        : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
    %a = stablehlo.add %p0, %t : tensor<1000x1000xf32>
    return %a : tensor<1000x1000xf32>
  })";

TEST(FusionMaps, TensorPlusItsTranspose) {
  Computation c(kTransposed);
  std::vector<llvm::StringRef> both = {
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 999], d1 in [0, 999]",
      "(d0, d1) -> (d1, d0), domain: d0 in [0, 999], d1 in [0, 999]"};
  expectMaps(c.arena, c.toArgument(0), both);
  // From input to output the transpose comes first: it is the first user.
  std::swap(both[0], both[1]);
  MapSet back = c.toResult(0);
  EXPECT_EQ(back.size(), 2u);
}

TEST(FusionMaps, DeduplicatedTransposes) {
  Computation c(R"(
  func.func @f(%p0: tensor<20x10x50xf32>) -> tensor<10x50x20xf32> {
    %l1 = stablehlo.transpose %p0, dims = [1, 0, 2]
        : (tensor<20x10x50xf32>) -> tensor<10x20x50xf32>
    %le = stablehlo.exponential %l1 : tensor<10x20x50xf32>
    %l2 = stablehlo.transpose %le, dims = [0, 2, 1]
        : (tensor<10x20x50xf32>) -> tensor<10x50x20xf32>
    %r1 = stablehlo.transpose %p0, dims = [2, 1, 0]
        : (tensor<20x10x50xf32>) -> tensor<50x10x20xf32>
    %re = stablehlo.exponential %r1 : tensor<50x10x20xf32>
    %r2 = stablehlo.transpose %re, dims = [1, 0, 2]
        : (tensor<50x10x20xf32>) -> tensor<10x50x20xf32>
    %a = stablehlo.add %l2, %r2 : tensor<10x50x20xf32>
    return %a : tensor<10x50x20xf32>
  })");
  expectMaps(
      c.arena, c.toArgument(0),
      {"(d0, d1, d2) -> (d2, d0, d1), domain: d0 in [0, 9], d1 in [0, 49], "
       "d2 in [0, 19]"});
  expectMaps(
      c.arena, c.toResult(0),
      {"(d0, d1, d2) -> (d1, d2, d0), domain: d0 in [0, 19], d1 in [0, 9], "
       "d2 in [0, 49]"});
}

constexpr const char *kSoftmax = R"(
  func.func @f(%p0: tensor<2x65x125xf32>) -> tensor<2x65x125xf32> {
    %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %max = stablehlo.reduce(%p0 init: %ninf) applies stablehlo.maximum
        across dimensions = [2]
        : (tensor<2x65x125xf32>, tensor<f32>) -> tensor<2x65xf32>
    %bmax = stablehlo.broadcast_in_dim %max, dims = [0, 1]
        : (tensor<2x65xf32>) -> tensor<2x65x125xf32>
    %sub = stablehlo.subtract %p0, %bmax : tensor<2x65x125xf32>
    %exp = stablehlo.exponential %sub : tensor<2x65x125xf32>
    %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add
        across dimensions = [2]
        : (tensor<2x65x125xf32>, tensor<f32>) -> tensor<2x65xf32>
    %bsum = stablehlo.broadcast_in_dim %sum, dims = [0, 1]
        : (tensor<2x65xf32>) -> tensor<2x65x125xf32>
    %div = stablehlo.divide %exp, %bsum : tensor<2x65x125xf32>
    return %div : tensor<2x65x125xf32>
  })";

TEST(FusionMaps, Softmax) {
  Computation c(kSoftmax);
  llvm::StringRef expected[] = {"(d0, d1, d2) -> (d0, d1, d2), domain: d0 in "
                                "[0, 1], d1 in [0, 64], d2 in "
                                "[0, 124]",
                                "(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 "
                                "in [0, 1], d1 in [0, 64], d2 "
                                "in [0, 124], s0 in [0, 124]"};
  expectMaps(c.arena, c.toArgument(0), expected);
  MapSet back = c.toResult(0);
  ASSERT_EQ(back.size(), 2u) << toString(back);
}

TEST(FusionMaps, ChainedReshapesCancel) {
  Computation c(R"(
  func.func @f(%p0: tensor<10x10x10xf32>) -> tensor<10x10x10xf32> {
    %r1 = stablehlo.reshape %p0 : (tensor<10x10x10xf32>) -> tensor<50x20xf32>
    %r2 = stablehlo.reshape %r1 : (tensor<50x20xf32>) -> tensor<10x10x10xf32>
    return %r2 : tensor<10x10x10xf32>
  })");
  std::vector<llvm::StringRef> identity = {
      "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in "
      "[0, 9]"};
  expectMaps(c.arena, c.toArgument(0), identity);
  expectMaps(c.arena, c.toResult(0), identity);
}

TEST(FusionMaps, AlternatingGenericReshapesCancel) {
  std::string text = "func.func @f(%r0: tensor<6x10x14x15x22xf32>) -> "
                     "tensor<6x10x14x15x22xf32> {\n";
  const char *types[] = {"tensor<6x10x14x15x22xf32>",
                         "tensor<10x14x15x22x6xf32>"};
  for (int i = 0; i < 20; ++i)
    text += "%r" + std::to_string(i + 1) + " = stablehlo.reshape %r" +
            std::to_string(i) + " : (" + types[i % 2] + ") -> " +
            types[(i + 1) % 2] + "\n";
  Computation c(text + "return %r20 : tensor<6x10x14x15x22xf32>\n}");
  std::vector<llvm::StringRef> identity = {
      "(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4), domain: d0 in [0, 5], d1 "
      "in "
      "[0, 9], d2 in [0, 13], d3 in [0, 14], d4 in [0, 21]"};
  expectMaps(c.arena, c.toArgument(0), identity);
  expectMaps(c.arena, c.toResult(0), identity);
}

TEST(FusionMaps, ConcatenateOfSlices) {
  // Each operand keeps its own part of the result.
  Computation c(R"(
  func.func @f(%p: tensor<8xf32>) -> tensor<6xf32> {
    %a = stablehlo.slice %p [1:5] : (tensor<8xf32>) -> tensor<4xf32>
    %b = stablehlo.slice %p [0:8:4] : (tensor<8xf32>) -> tensor<2xf32>
    %c = stablehlo.concatenate %a, %b, dim = 0
        : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
    return %c : tensor<6xf32>
  })");
  MapSet maps = c.toArgument(0);
  ASSERT_EQ(maps.size(), 2u) << toString(maps);
  EXPECT_TRUE(maps.isExact());
}

//===--- Runtime variables ------------------------------------------------===//

TEST(FusionMaps, RuntimeVariablesKeepTheirSources) {
  Computation c(R"(
  func.func @f(%p: tensor<100xf32> loc("p"), %i: tensor<i32> loc("i"),
               %j: tensor<i32> loc("j")) -> tensor<5xf32> {
    %a = stablehlo.dynamic_slice %p, %i, sizes = [50]
        : (tensor<100xf32>, tensor<i32>) -> tensor<50xf32>
    %b = stablehlo.dynamic_slice %a, %j, sizes = [5]
        : (tensor<50xf32>, tensor<i32>) -> tensor<5xf32>
    return %b : tensor<5xf32>
  })");
  MapSet maps = c.toArgument(0);
  ASSERT_EQ(maps.size(), 1u);
  ASSERT_EQ(maps[0].map.domain.runtimes.size(), 2u);
  for (const indexing::RuntimeVariable &v : maps[0].map.domain.runtimes) {
    bool inner = c.arena.name(v.source) == "f/i";
    EXPECT_EQ(c.arena.name(v.source), inner ? "f/i" : "f/j");
    EXPECT_EQ(v.bounds.upper, inner ? 50 : 45);
  }
}

TEST(FusionMaps, OneOffsetUsedTwiceIsOneVariable) {
  Computation c(R"(
  func.func @f(%p: tensor<8x8xf32>, %i: tensor<i32>) -> tensor<3x3xf32> {
    %a = stablehlo.dynamic_slice %p, %i, %i, sizes = [3, 3]
        : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x3xf32>
    %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    return %t : tensor<3x3xf32>
  })");
  MapSet maps = c.toArgument(0);
  ASSERT_EQ(maps.size(), 1u);
  EXPECT_EQ(maps[0].map.domain.runtimes.size(), 1u) << toString(maps);
}

TEST(FusionMaps, GatherIndicesThroughATranspose) {
  Computation c(R"(
  func.func @f(%p: tensor<9xf32> loc("p"), %i: tensor<4x6x1xi32> loc("i"))
      -> tensor<6x4xf32> {
    %g = "stablehlo.gather"(%p, %i) <{dimension_numbers = #stablehlo.gather<
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
        slice_sizes = array<i64: 1>}>
        : (tensor<9xf32>, tensor<4x6x1xi32>) -> tensor<4x6xf32>
    %t = stablehlo.transpose %g, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    return %t : tensor<6x4xf32>
  })");
  MapSet maps = c.toArgument(0);
  ASSERT_EQ(maps.size(), 1u);
  const indexing::RuntimeVariable &v = maps[0].map.domain.runtimes[0];
  ASSERT_EQ(v.index.size(), 3u);
  EXPECT_EQ(v.index[0], c.arena.dim(1));
  EXPECT_EQ(v.index[1], c.arena.dim(0));
  EXPECT_EQ(v.index[2], c.arena.constant(0));
}

//===--- Fusions, calls, tuples -------------------------------------------===//

constexpr const char *kFusion = R"(
  func.func @e(%a: tensor<8xf32> loc("a"), %n: tensor<i32> loc("n"))
      -> (tensor<3xf32>, tensor<8xf32>) {
    %r:2 = "hlo.fusion"(%a, %n) <{calls = "c", kind = "kLoop"}> ({
    ^bb0(%p: tensor<8xf32> loc("p"), %i: tensor<i32> loc("i")):
      %rev = stablehlo.reverse %p, dims = [0] : tensor<8xf32>
      %k = stablehlo.negate %i : tensor<i32> loc("k")
      %s = stablehlo.dynamic_slice %rev, %k, sizes = [3]
          : (tensor<8xf32>, tensor<i32>) -> tensor<3xf32>
      hlo.return %s, %rev : tensor<3xf32>, tensor<8xf32>
    }) : (tensor<8xf32>, tensor<i32>) -> (tensor<3xf32>, tensor<8xf32>) loc("fusion.1")
    %m = hlo.element %r[0] : (tensor<3xf32>) -> tensor<3xf32>
    return %m, %r#1 : tensor<3xf32>, tensor<8xf32>
  })";

TEST(FusionMaps, FusionOfSeveralResults) {
  Program program(kFusion);
  mlir::Operation *fusion = program.find("hlo.fusion");
  Arena arena;
  FusionMaps maps(arena);
  auto first = maps.toOperands(fusion, 0);
  expectMaps(
      arena, first[0],
      {"(d0){rt0} -> (-d0 - rt0 + 7), domain: d0 in [0, 2], rt0 in [0, 5]"});
  expectMaps(arena, first[1], {"(d0) -> (), domain: d0 in [0, 2]"});
  auto second = maps.toOperands(fusion, 1);
  expectMaps(arena, second[0], {"(d0) -> (-d0 + 7), domain: d0 in [0, 7]"});
  EXPECT_TRUE(second[1].empty());
  auto back = maps.fromOperand(fusion, 0);
  expectMaps(
      arena, back[0],
      {"(d0){rt0} -> (-d0 - rt0 + 7), domain: d0 in [0, 7], rt0 in [0, 5], "
       "-d0 - rt0 + 7 in [0, 2]"});
  expectMaps(arena, back[1], {"(d0) -> (-d0 + 7), domain: d0 in [0, 7]"});
  // The interface gives the same maps.
  expectMaps(arena, mapsOf(fusion, arena, kOut, 0, 1),
             {"(d0) -> (-d0 + 7), domain: d0 in [0, 7]"});
}

TEST(FusionMaps, SourcesSeenFromOutside) {
  Computation c(kFusion, "e");
  MapSet maps = c.toArgument(0);
  ASSERT_EQ(maps.size(), 1u);
  EXPECT_EQ(c.arena.name(maps[0].map.domain.runtimes[0].source),
            "e/fusion.1/k");
}

TEST(FusionMaps, Calls) {
  Computation c(R"(
  func.func @t(%p: tensor<3x4xf32>) -> tensor<4x3xf32> {
    %t = stablehlo.transpose %p, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
    return %t : tensor<4x3xf32>
  }
  func.func @f(%p: tensor<3x4xf32>) -> tensor<12xf32> {
    %t = func.call @t(%p) : (tensor<3x4xf32>) -> tensor<4x3xf32>
    %r = stablehlo.reshape %t : (tensor<4x3xf32>) -> tensor<12xf32>
    return %r : tensor<12xf32>
  })");
  expectMaps(c.arena, c.toArgument(0),
             {"(d0) -> (d0 mod 3, d0 floordiv 3), domain: d0 in [0, 11]"});
  expectMaps(c.arena, c.toResult(0),
             {"(d0, d1) -> (d1 * 3 + d0), domain: d0 in [0, 2], d1 in [0, 3]"});
}

TEST(FusionMaps, RecursionIsNotFollowed) {
  Computation c(R"(
  func.func @f(%p: tensor<4xf32>) -> tensor<4xf32> {
    %t = func.call @f(%p) : (tensor<4xf32>) -> tensor<4xf32>
    %a = stablehlo.add %t, %t : tensor<4xf32>
    return %a : tensor<4xf32>
  })");
  expectMaps(c.arena, c.toArgument(0),
             {"~(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]"});
  expectMaps(c.arena, c.toResult(0),
             {"~(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]"});
}

TEST(FusionMaps, Tuples) {
  Computation c(R"(
  func.func @f(%p: tuple<tensor<4xf32>, tuple<tensor<2xf32>, tensor<3xf32>>>)
      -> tensor<3xf32> {
    %i = stablehlo.get_tuple_element %p[1]
        : (tuple<tensor<4xf32>, tuple<tensor<2xf32>, tensor<3xf32>>>)
        -> tuple<tensor<2xf32>, tensor<3xf32>>
    %x = stablehlo.get_tuple_element %i[1]
        : (tuple<tensor<2xf32>, tensor<3xf32>>) -> tensor<3xf32>
    %y = stablehlo.reverse %x, dims = [0] : tensor<3xf32>
    %t = stablehlo.tuple %x, %y : tuple<tensor<3xf32>, tensor<3xf32>>
    %z = stablehlo.get_tuple_element %t[1]
        : (tuple<tensor<3xf32>, tensor<3xf32>>) -> tensor<3xf32>
    return %z : tensor<3xf32>
  })");
  EXPECT_TRUE(c.toArgument(0, 0, 0).empty());
  EXPECT_TRUE(c.toArgument(0, 0, 1).empty());
  expectMaps(c.arena, c.toArgument(0, 0, 2),
             {"(d0) -> (-d0 + 2), domain: d0 in [0, 2]"});
}

//===--- Cost -------------------------------------------------------------===//

// Not timed: following each path would never end.

TEST(FusionMaps, ALongChainIsLinear) {
  std::string text = "func.func @f(%x0: tensor<16xf32>) -> tensor<16xf32> {\n";
  for (int i = 0; i < 10000; ++i)
    text += "%x" + std::to_string(i + 1) + " = stablehlo.add %x" +
            std::to_string(i) + ", %x" + std::to_string(i) +
            " : tensor<16xf32>\n";
  Computation c(text + "return %x10000 : tensor<16xf32>\n}");
  std::vector<llvm::StringRef> identity = {
      "(d0) -> (d0), domain: d0 in [0, 15]"};
  expectMaps(c.arena, c.toArgument(0), identity);
  expectMaps(c.arena, c.toResult(0), identity);
}

TEST(FusionMaps, ALadderOfDiamonds) {
  // Both sides of each rung are reshaped, and combine the same elements.
  std::string text =
      "func.func @f(%x0: tensor<6x10xf32>) -> tensor<6x10xf32> {\n";
  for (int i = 0; i < 64; ++i) {
    std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += "%a" + n + " = stablehlo.reshape %x" + n +
            " : (tensor<6x10xf32>) -> tensor<15x4xf32>\n" //
            "%b" +
            n + " = stablehlo.reshape %a" + n +
            " : (tensor<15x4xf32>) -> tensor<6x10xf32>\n" //
            "%c" +
            n + " = stablehlo.reshape %x" + n +
            " : (tensor<6x10xf32>) -> tensor<60xf32>\n" //
            "%d" +
            n + " = stablehlo.reshape %c" + n +
            " : (tensor<60xf32>) -> tensor<6x10xf32>\n" //
            "%x" +
            next + " = stablehlo.add %b" + n + ", %d" + n +
            " : tensor<6x10xf32>\n";
  }
  Computation c(text + "return %x64 : tensor<6x10xf32>\n}");
  std::vector<llvm::StringRef> identity = {
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 5], d1 in [0, 9]"};
  expectMaps(c.arena, c.toArgument(0), identity);
  expectMaps(c.arena, c.toResult(0), identity);
}

TEST(FusionMaps, TooManyMapsAreOne) {
  // Each rung doubles the distances at which x is read.
  std::string text =
      "func.func @f(%x0: tensor<1024xf32>) -> tensor<1024xf32> {\n";
  for (int i = 0; i < 9; ++i) {
    std::string n = std::to_string(i), next = std::to_string(i + 1);
    std::string shift = std::to_string(1 << i);
    text += "%z" + n +
            " = stablehlo.constant dense<0.0> : tensor<f32>\n" //
            "%p" +
            n + " = stablehlo.pad %x" + n + ", %z" + n + ", low = [" + shift +
            "], high = [-" + shift +
            "], interior = [0] : (tensor<1024xf32>, tensor<f32>) -> "
            "tensor<1024xf32>\n"
            "%x" +
            next + " = stablehlo.add %x" + n + ", %p" + n +
            " : tensor<1024xf32>\n";
  }
  Computation c(text + "return %x9 : tensor<1024xf32>\n}");
  expectMaps(c.arena, c.toArgument(0),
             {"~(d0)[s0] -> (s0), domain: d0 in [0, 1023], s0 in [0, 1023]"});
}

} // namespace
