// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"

using namespace mercator;
using namespace mercator::testing;

namespace {

/// The maps of one operand of an operation, in both directions.
void check(llvm::StringRef arguments, llvm::StringRef operation,
           unsigned operand, llvm::StringRef outToIn, llvm::StringRef inToOut) {
  Program program(around(operation, arguments));
  ASSERT_TRUE(program.module);
  mlir::Operation *op = &program.function("f").getBody().front().front();
  Arena arena;
  expectMaps(arena, mapsOf(op, arena, kOut, operand, 0), {outToIn});
  expectMaps(arena, mapsOf(op, arena, kIn, operand, 0), {inToOut});
}

TEST(ChloMaps, Functions) {
  llvm::StringRef identity = "(d0) -> (d0), domain: d0 in [0, 3]";
  check("%x: tensor<4xf32>",
        "%0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>", 0, identity,
        identity);
  check("%x: tensor<4xf32>",
        "%0 = chlo.zeta %x, %x : tensor<4xf32>, tensor<4xf32> -> "
        "tensor<4xf32>",
        1, identity, identity);
}

TEST(ChloMaps, Broadcast) {
  llvm::StringRef arguments = "%x: tensor<4x1xf32>, %y: tensor<3xf32>",
                  op = "%0 = chlo.broadcast_add %x, %y : (tensor<4x1xf32>, "
                       "tensor<3xf32>) -> tensor<4x3xf32>";
  check(arguments, op, 0,
        "(d0, d1) -> (d0, 0), domain: d0 in [0, 3], d1 in [0, 2]",
        "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 3], d1 in [0, 0], s0 in "
        "[0, 2]");
  check(arguments, op, 1,
        "(d0, d1) -> (d1), domain: d0 in [0, 3], d1 in [0, 2]",
        "(d0)[s0] -> (s0, d0), domain: d0 in [0, 2], s0 in [0, 3]");
  check("%x: tensor<4x3xf32>, %y: tensor<4xf32>",
        "%0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 0>}"
        " : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>",
        1, "(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 2]",
        "(d0)[s0] -> (d0, s0), domain: d0 in [0, 3], s0 in [0, 2]");
  check("%p: tensor<i1>, %x: tensor<4xf32>",
        "%0 = chlo.broadcast_select %p, %x, %x : (tensor<i1>, tensor<4xf32>, "
        "tensor<4xf32>) -> tensor<4xf32>",
        0, "(d0) -> (), domain: d0 in [0, 3]",
        "()[s0] -> (s0), domain: s0 in [0, 3]");
}

TEST(ChloMaps, TopKReadsItsRow) {
  Program program(around("%0:2 = chlo.top_k(%x, k = 2) : tensor<4x8xf32> -> "
                         "(tensor<4x2xf32>, tensor<4x2xi32>)",
                         "%x: tensor<4x8xf32>"));
  Arena arena;
  for (unsigned result : {0, 1}) {
    MapSet maps = mapsOf(program.find("chlo.top_k"), arena, kOut, 0, result);
    ASSERT_EQ(maps.size(), 1u);
    EXPECT_FALSE(maps.begin()->exact);
    EXPECT_EQ(indexing::toString(maps.begin()->map),
              "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 3], d1 in [0, 1], "
              "s0 in [0, 7]");
  }
}

TEST(ChloMaps, ConstantLikeReadsNothing) {
  Program program(around("%0 = \"chlo.constant_like\"(%x) <{value = 1.0 : f32}>"
                         " : (tensor<4xf32>) -> tensor<4xf32>",
                         "%x: tensor<4xf32>"));
  Arena arena;
  MapSet maps = mapsOf(program.find("chlo.constant_like"), arena, kOut, 0, 0);
  for (const OperandMap &map : maps)
    EXPECT_TRUE(map.map.isKnownEmpty());
}

} // namespace
