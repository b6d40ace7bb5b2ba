// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"

using namespace mercator;
using namespace mercator::testing;

namespace {

/// The maps of one operand of an operation, in both directions.
void checkFirst(llvm::StringRef arguments, llvm::StringRef operation,
                unsigned operand, llvm::StringRef outToIn,
                llvm::StringRef inToOut) {
  Program program(around(operation, arguments));
  ASSERT_TRUE(program.module);
  mlir::Operation *op = &program.function("f").getBody().front().front();
  Arena arena;
  expectMaps(arena, mapsOf(op, arena, kOut, operand, 0), {outToIn});
  expectMaps(arena, mapsOf(op, arena, kIn, operand, 0), {inToOut});
}

TEST(ChloMaps, Functions) {
  llvm::StringRef identity = "(d0) -> (d0), domain: d0 in [0, 3]";
  checkFirst("%x: tensor<4xf32>",
             "%0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>", 0, identity,
             identity);
  checkFirst("%x: tensor<4xf32>",
             "%0 = chlo.zeta %x, %x : tensor<4xf32>, tensor<4xf32> -> "
             "tensor<4xf32>",
             1, identity, identity);
}

TEST(ChloMaps, Broadcast) {
  llvm::StringRef arguments = "%x: tensor<4x1xf32>, %y: tensor<3xf32>",
                  op = "%0 = chlo.broadcast_add %x, %y : (tensor<4x1xf32>, "
                       "tensor<3xf32>) -> tensor<4x3xf32>";
  checkFirst(
      arguments, op, 0,
      "(d0, d1) -> (d0, 0), domain: d0 in [0, 3], d1 in [0, 2]",
      "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 3], d1 in [0, 0], s0 in "
      "[0, 2]");
  checkFirst(arguments, op, 1,
             "(d0, d1) -> (d1), domain: d0 in [0, 3], d1 in [0, 2]",
             "(d0)[s0] -> (s0, d0), domain: d0 in [0, 2], s0 in [0, 3]");
  checkFirst(
      "%x: tensor<4x3xf32>, %y: tensor<4xf32>",
      "%0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 0>}"
      " : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>",
      1, "(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 2]",
      "(d0)[s0] -> (d0, s0), domain: d0 in [0, 3], s0 in [0, 2]");
  checkFirst(
      "%p: tensor<i1>, %x: tensor<4xf32>",
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
    EXPECT_TRUE(maps.isExact());
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

//===--- ragged_dot -------------------------------------------------------===//

TEST(ChloMaps, RaggedDotOfRows) {
  const char *arguments =
      "%a: tensor<8x5xf32>, %b: tensor<3x5x6xf32>, %g: tensor<3xi32>";
  const char *operation =
      "%0 = \"chlo.ragged_dot\"(%a, %b, %g) <{ragged_dot_dimension_numbers = "
      "#chlo.ragged_dot<lhs_contracting_dimensions = [1], "
      "rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], "
      "rhs_group_dimensions = [0]>}> : (tensor<8x5xf32>, tensor<3x5x6xf32>, "
      "tensor<3xi32>) -> tensor<8x6xf32>";
  check({arguments,
         operation,
         "chlo.ragged_dot",
         0,
         {"(d0, d1)[s0]{rt0, rt1, rt2} -> (d0, s0), domain: d0 in [0, 7], d1 "
          "in [0, 5], s0 in [0, 4], rt0 in [0, 8], rt1 in [0, 8], rt2 in [0, "
          "8], d0 - rt0 - rt1 - rt2 in [-24, -1]"},
         {"(d0, d1)[s0]{rt0, rt1, rt2} -> (d0, s0), domain: d0 in [0, 7], d1 "
          "in [0, 4], s0 in [0, 5], rt0 in [0, 8], rt1 in [0, 8], rt2 in [0, "
          "8], d0 - rt0 - rt1 - rt2 in [-24, -1]"}});
  check({arguments,
         operation,
         "chlo.ragged_dot",
         1,
         {"(d0, d1)[s0]{rt0} -> (0, s0, d1), domain: d0 in [0, 7], d1 in [0, "
          "5], s0 in [0, 4], rt0 in [0, 8], d0 - rt0 in [-8, -1]",
          "(d0, d1)[s0]{rt0, rt1} -> (1, s0, d1), domain: d0 in [0, 7], d1 in "
          "[0, 5], s0 in [0, 4], rt0 in [0, 8], rt1 in [0, 8], d0 - rt0 in [0, "
          "7], d0 - rt0 - rt1 in [-16, -1]",
          "(d0, d1)[s0]{rt0, rt1, rt2} -> (2, s0, d1), domain: d0 in [0, 7], "
          "d1 in [0, 5], s0 in [0, 4], rt0 in [0, 8], rt1 in [0, 8], rt2 in "
          "[0, 8], d0 - rt0 - rt1 in [0, 7], d0 - rt0 - rt1 - rt2 in [-24, "
          "-1]"},
         {"(d0, d1, d2)[s0]{rt0} -> (s0, d2), domain: d0 in [0, 0], d1 in [0, "
          "4], d2 in [0, 5], s0 in [0, 7], rt0 in [0, 8], s0 - rt0 in [-8, -1]",
          "(d0, d1, d2)[s0]{rt0, rt1} -> (s0, d2), domain: d0 in [1, 1], d1 in "
          "[0, 4], d2 in [0, 5], s0 in [0, 7], rt0 in [0, 8], rt1 in [0, 8], "
          "s0 - rt0 in [0, 7], s0 - rt0 - rt1 in [-16, -1]",
          "(d0, d1, d2)[s0]{rt0, rt1, rt2} -> (s0, d2), domain: d0 in [2, 2], "
          "d1 in [0, 4], d2 in [0, 5], s0 in [0, 7], rt0 in [0, 8], rt1 in [0, "
          "8], rt2 in [0, 8], s0 - rt0 - rt1 in [0, 7], s0 - rt0 - rt1 - rt2 "
          "in [-24, -1]"}});
  check({arguments,
         operation,
         "chlo.ragged_dot",
         2,
         {"(d0, d1)[s0] -> (s0), domain: d0 in [0, 7], d1 in [0, 5], s0 in "
          "[0, 2]"},
         {"(d0)[s0, s1] -> (s0, s1), domain: d0 in [0, 2], s0 in [0, 7], s1 "
          "in [0, 5]"}});
}

TEST(ChloMaps, RaggedDotOfContractingIndices) {
  check({"%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %g: tensor<2xi32>",
         "%0 = \"chlo.ragged_dot\"(%a, %b, %g) <{ragged_dot_dimension_numbers "
         "= #chlo.ragged_dot<lhs_contracting_dimensions = [1], "
         "rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : "
         "(tensor<4x8xf32>, tensor<8x6xf32>, tensor<2xi32>) -> "
         "tensor<2x4x6xf32>",
         "chlo.ragged_dot",
         0,
         {"(d0, d1, d2)[s0]{rt0} -> (d1, s0), domain: d0 in [0, 0], d1 in [0, "
          "3], d2 in [0, 5], s0 in [0, 7], rt0 in [0, 8], s0 - rt0 in [-8, -1]",
          "(d0, d1, d2)[s0]{rt0, rt1} -> (d1, s0), domain: d0 in [1, 1], d1 in "
          "[0, 3], d2 in [0, 5], s0 in [0, 7], rt0 in [0, 8], rt1 in [0, 8], "
          "s0 - rt0 in [0, 7], s0 - rt0 - rt1 in [-16, -1]"},
         {"(d0, d1)[s0]{rt0} -> (0, d0, s0), domain: d0 in [0, 3], d1 in [0, "
          "7], s0 in [0, 5], rt0 in [0, 8], d1 - rt0 in [-8, -1]",
          "(d0, d1)[s0]{rt0, rt1} -> (1, d0, s0), domain: d0 in [0, 3], d1 in "
          "[0, 7], s0 in [0, 5], rt0 in [0, 8], rt1 in [0, 8], d1 - rt0 in [0, "
          "7], d1 - rt0 - rt1 in [-16, -1]"}});
}

TEST(ChloMaps, RaggedDotOfManyGroups) {
  // More runtime variables than a map should have.
  check({"%a: tensor<8x5xf32>, %b: tensor<9x5x6xf32>, %g: tensor<9xi32>",
         "%0 = \"chlo.ragged_dot\"(%a, %b, %g) <{ragged_dot_dimension_numbers "
         "= #chlo.ragged_dot<lhs_contracting_dimensions = [1], "
         "rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], "
         "rhs_group_dimensions = [0]>}> : (tensor<8x5xf32>, tensor<9x5x6xf32>, "
         "tensor<9xi32>) -> tensor<8x6xf32>",
         "chlo.ragged_dot",
         1,
         {"~(d0, d1)[s0, s1] -> (s0, s1, d1), domain: d0 in [0, 7], d1 in [0, "
          "5], s0 in [0, 8], s1 in [0, 4]"},
         {"~(d0, d1, d2)[s0] -> (s0, d2), domain: d0 in [0, 8], d1 in [0, 4], "
          "d2 in [0, 5], s0 in [0, 7]"}});
}

TEST(ChloMaps, RaggedDotOfKnownGroups) {
  // Groups: rows 0 and 1, no rows, rows 2 to 6. The last row is in no group.
  const char *arguments = "%a: tensor<8x5xf32>, %b: tensor<3x5x6xf32>";
  const char *operation =
      "%g = stablehlo.constant dense<[2, 0, 5]> : tensor<3xi32>\n"
      "%0 = \"chlo.ragged_dot\"(%a, %b, %g) <{ragged_dot_dimension_numbers = "
      "#chlo.ragged_dot<lhs_contracting_dimensions = [1], "
      "rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], "
      "rhs_group_dimensions = [0]>}> : (tensor<8x5xf32>, tensor<3x5x6xf32>, "
      "tensor<3xi32>) -> tensor<8x6xf32>";
  check({arguments,
         operation,
         "chlo.ragged_dot",
         0,
         {"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 6], d1 in [0, 5], s0 in "
          "[0, 4]"},
         {"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 6], d1 in [0, 4], s0 in "
          "[0, 5]"}});
  check({arguments,
         operation,
         "chlo.ragged_dot",
         1,
         {"(d0, d1)[s0] -> (0, s0, d1), domain: d0 in [0, 1], d1 in [0, 5], s0 "
          "in [0, 4]",
          "(d0, d1)[s0] -> (2, s0, d1), domain: d0 in [2, 6], d1 in [0, 5], s0 "
          "in [0, 4]"},
         {"(d0, d1, d2)[s0] -> (s0, d2), domain: d0 in [0, 0], d1 in [0, 4], "
          "d2 in [0, 5], s0 in [0, 1]",
          "(d0, d1, d2)[s0] -> (s0, d2), domain: d0 in [2, 2], d1 in [0, 4], "
          "d2 in [0, 5], s0 in [2, 6]"}});
  operation =
      "%g = stablehlo.constant dense<[2, 5]> : tensor<2xi32>\n"
      "%0 = \"chlo.ragged_dot\"(%a, %b, %g) <{ragged_dot_dimension_numbers = "
      "#chlo.ragged_dot<lhs_contracting_dimensions = [1], "
      "rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : "
      "(tensor<4x8xf32>, tensor<8x6xf32>, tensor<2xi32>) -> tensor<2x4x6xf32>";
  check({"%a: tensor<4x8xf32>, %b: tensor<8x6xf32>",
         operation,
         "chlo.ragged_dot",
         0,
         {"(d0, d1, d2)[s0] -> (d1, s0), domain: d0 in [0, 0], d1 in [0, 3], "
          "d2 in [0, 5], s0 in [0, 1]",
          "(d0, d1, d2)[s0] -> (d1, s0), domain: d0 in [1, 1], d1 in [0, 3], "
          "d2 in [0, 5], s0 in [2, 6]"},
         {"(d0, d1)[s0] -> (0, d0, s0), domain: d0 in [0, 3], d1 in [0, 1], s0 "
          "in [0, 5]",
          "(d0, d1)[s0] -> (1, d0, s0), domain: d0 in [0, 3], d1 in [2, 6], s0 "
          "in [0, 5]"}});
}

TEST(ChloMaps, RaggedDotOfBatches) {
  const char *arguments =
      "%a: tensor<8x4x5xf32>, %b: tensor<8x5x6xf32>, %g: tensor<3xi32>";
  const char *operation =
      "%0 = \"chlo.ragged_dot\"(%a, %b, %g) <{ragged_dot_dimension_numbers = "
      "#chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions "
      "= [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = "
      "[1], lhs_ragged_dimensions = [0]>}> : (tensor<8x4x5xf32>, "
      "tensor<8x5x6xf32>, tensor<3xi32>) -> tensor<8x4x6xf32>";
  check({arguments,
         operation,
         "chlo.ragged_dot",
         0,
         {"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 7], d1 in [0, "
          "3], d2 in [0, 5], s0 in [0, 4]"},
         {"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 7], d1 in [0, "
          "3], d2 in [0, 4], s0 in [0, 5]"}});
  check({arguments,
         operation,
         "chlo.ragged_dot",
         2,
         {"(d0, d1, d2) -> (0), KNOWN EMPTY"},
         {"(d0) -> (0, 0, 0), KNOWN EMPTY"}});
}

//===--- scan -------------------------------------------------------------===//

/// A scan of `%x: tensor<6x4xf32>` along dimension 0 with a carry.
std::string scan(llvm::StringRef body, llvm::StringRef attributes = "") {
  return ("%0, %1 = chlo.scan(%x) inits (%z) dimension=0 " + attributes +
          "{\n^bb0(%a: tensor<4xf32>, %c: tensor<4xf32>):\n" + body +
          "} : (tensor<6x4xf32>, tensor<4xf32>) -> (tensor<6x4xf32>, "
          "tensor<4xf32>)")
      .str();
}
constexpr const char *kScanned = "%x: tensor<6x4xf32>, %z: tensor<4xf32>";

TEST(ChloMaps, RunningSum) {
  std::string operation =
      scan("%s = stablehlo.add %a, %c : tensor<4xf32>\n"
           "stablehlo.return %s, %s : tensor<4xf32>, tensor<4xf32>");
  check({kScanned,
         operation.c_str(),
         "chlo.scan",
         0,
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 5], d1 in [0, 3], s0 in "
          "[0, 5], d0 - s0 in [0, 5]"},
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 5], d1 in [0, 3], s0 in "
          "[0, 5], s0 - d0 in [0, 5]"}});
  check({kScanned,
         operation.c_str(),
         "chlo.scan",
         1,
         {"(d0, d1) -> (d1), domain: d0 in [0, 5], d1 in [0, 3]"},
         {"(d0)[s0] -> (s0, d0), domain: d0 in [0, 3], s0 in [0, 5]"}});
  check({kScanned,
         operation.c_str(),
         "chlo.scan",
         0,
         {"(d0)[s0] -> (s0, d0), domain: d0 in [0, 3], s0 in [0, 5]"},
         {"(d0, d1) -> (d1), domain: d0 in [0, 5], d1 in [0, 3]"},
         1});
  check({kScanned,
         operation.c_str(),
         "chlo.scan",
         1,
         {"(d0) -> (d0), domain: d0 in [0, 3]"},
         {"(d0) -> (d0), domain: d0 in [0, 3]"},
         1});
}

TEST(ChloMaps, ReverseExclusiveRunningSum) {
  // From the last step to the first, without the element of the same step.
  std::string operation =
      scan("%s = stablehlo.add %a, %c : tensor<4xf32>\n"
           "stablehlo.return %c, %s : tensor<4xf32>, tensor<4xf32>",
           "attributes {is_reverse = true} ");
  check({kScanned,
         operation.c_str(),
         "chlo.scan",
         0,
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 5], d1 in [0, 3], s0 in "
          "[0, 5], s0 - d0 in [1, 5]"},
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 5], d1 in [0, 3], s0 in "
          "[0, 5], d0 - s0 in [1, 5]"}});
}

TEST(ChloMaps, ScanWithoutDependence) {
  std::string operation =
      scan("%s = stablehlo.negate %a : tensor<4xf32>\n"
           "stablehlo.return %s, %c : tensor<4xf32>, tensor<4xf32>");
  llvm::StringRef identity =
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 5], d1 in [0, 3]";
  check({kScanned, operation.c_str(), "chlo.scan", 0, {identity}, {identity}});
  check({kScanned,
         operation.c_str(),
         "chlo.scan",
         1,
         {"(d0, d1) -> (0), KNOWN EMPTY"},
         {"(d0) -> (0, 0), KNOWN EMPTY"}});
}

TEST(ChloMaps, ScanThatLooksOneStepBack) {
  // The element of the same step, and the one before.
  std::string operation =
      scan("%s = stablehlo.add %a, %c : tensor<4xf32>\n"
           "stablehlo.return %s, %a : tensor<4xf32>, tensor<4xf32>");
  check({kScanned,
         operation.c_str(),
         "chlo.scan",
         0,
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 5], d1 in [0, 3], s0 in "
          "[0, 5], d0 - s0 in [0, 1]"},
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 5], d1 in [0, 3], s0 in "
          "[0, 5], s0 - d0 in [0, 1]"}});
  check({kScanned,
         operation.c_str(),
         "chlo.scan",
         0,
         {"(d0) -> (5, d0), domain: d0 in [0, 3]"},
         {"(d0, d1) -> (d1), domain: d0 in [5, 5], d1 in [0, 3]"},
         1});
  check({kScanned,
         operation.c_str(),
         "chlo.scan",
         1,
         {"(d0, d1) -> (d1), domain: d0 in [0, 0], d1 in [0, 3]"},
         {"(d0) -> (0, d0), domain: d0 in [0, 3]"}});
  operation = scan("stablehlo.return %c, %a : tensor<4xf32>, tensor<4xf32>",
                   "attributes {is_reverse = true} ");
  check({kScanned,
         operation.c_str(),
         "chlo.scan",
         0,
         {"(d0, d1) -> (d0 + 1, d1), domain: d0 in [0, 4], d1 in [0, 3]"},
         {"(d0, d1) -> (d0 - 1, d1), domain: d0 in [1, 5], d1 in [0, 3]"}});
}

TEST(ChloMaps, ScanThatReadsEveryOtherStep) {
  check({"%x: tensor<6x4xf32>, %z: tensor<4xf32>",
         "%0, %1, %2 = chlo.scan(%x) inits (%z, %z) dimension=0 {\n"
         "^bb0(%a: tensor<4xf32>, %c: tensor<4xf32>, %e: tensor<4xf32>):\n"
         "%s = stablehlo.add %a, %e : tensor<4xf32>\n"
         "stablehlo.return %c, %s, %c : tensor<4xf32>, tensor<4xf32>, "
         "tensor<4xf32>\n"
         "} : (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>) -> "
         "(tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>)",
         "chlo.scan",
         0,
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 5], d1 in [0, 3], s0 in "
          "[0, 5], d0 - s0 in [1, 5], (d0 - s0) mod 2 in [1, 1]"},
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 5], d1 in [0, 3], s0 in "
          "[0, 5], s0 - d0 in [1, 5], (s0 - d0) mod 2 in [1, 1]"}});
}

TEST(ChloMaps, ScanOfWholeSlices) {
  std::string operation =
      scan("%r = stablehlo.reverse %c, dims = [0] : tensor<4xf32>\n"
           "%s = stablehlo.add %a, %r : tensor<4xf32>\n"
           "stablehlo.return %s, %s : tensor<4xf32>, tensor<4xf32>");
  check({kScanned,
         operation.c_str(),
         "chlo.scan",
         0,
         {"~(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 5], d1 in [0, 3], "
          "s0 in [0, 5], s1 in [0, 3], d0 - s0 in [0, 5]"},
         {"~(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 5], d1 in [0, 3], "
          "s0 in [0, 5], s1 in [0, 3], s0 - d0 in [0, 5]"}});
}

} // namespace
