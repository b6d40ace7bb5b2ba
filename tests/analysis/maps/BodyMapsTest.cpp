// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations with bodies: an operand that the body ignores is not read.

#include "Program.h"

using namespace mercator;
using namespace mercator::testing;

namespace {

/// The reads of each operand by each result, one row per result: "." none, "="
/// exact, "~" an over-approximation.
std::string readsOf(llvm::StringRef arguments, llvm::StringRef operation,
                    llvm::StringRef name) {
  Program program(around(operation, arguments));
  if (!program.module)
    return "does not parse";
  mlir::Operation *op = program.find(name);
  std::string out;
  for (unsigned result = 0; result < op->getNumResults(); ++result) {
    out += result ? " " : "";
    for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
      Arena arena;
      auto letter = [&](Direction direction) {
        MapSet maps = mapsOf(op, arena, direction, operand, result);
        bool isRead = false;
        for (const OperandMap &m : maps)
          isRead |= !m.map.isKnownEmpty();
        return !isRead ? '.' : maps.isExact() ? '=' : '~';
      };
      EXPECT_EQ(letter(kOut), letter(kIn));
      out += letter(kOut);
    }
  }
  return out;
}

std::string reduce(llvm::StringRef body) {
  return readsOf(
      "%x: tensor<8xf32>, %y: tensor<8xf32>, %i: tensor<f32>, %j: tensor<f32>",
      ("%0:2 = \"stablehlo.reduce\"(%x, %y, %i, %j) <{dimensions = "
       "array<i64: 0>}> ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: "
       "tensor<f32>, %d: tensor<f32>):\n" +
       body +
       "}) : (tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<f32>) -> "
       "(tensor<f32>, tensor<f32>)")
          .str(),
      "stablehlo.reduce");
}

TEST(BodyMaps, IndependentReductions) {
  EXPECT_EQ(reduce("%m = stablehlo.add %a, %c : tensor<f32>\n"
                   "%n = stablehlo.maximum %b, %d : tensor<f32>\n"
                   "stablehlo.return %m, %n : tensor<f32>, tensor<f32>"),
            "=.=. .=.=");
}

TEST(BodyMaps, WhichOneDependsOnTheOther) {
  // The largest element, and the element of another tensor at its index.
  EXPECT_EQ(
      reduce("%p = stablehlo.compare GT, %a, %c : (tensor<f32>, tensor<f32>) "
             "-> tensor<i1>\n"
             "%m = stablehlo.select %p, %a, %c : tensor<i1>, tensor<f32>\n"
             "%n = stablehlo.select %p, %b, %d : tensor<i1>, tensor<f32>\n"
             "stablehlo.return %m, %n : tensor<f32>, tensor<f32>"),
      "=.=. ====");
  // The same through a branch.
  EXPECT_EQ(
      reduce("%p = stablehlo.compare GT, %a, %c : (tensor<f32>, tensor<f32>) "
             "-> tensor<i1>\n"
             "%q:2 = \"stablehlo.if\"(%p) ({ stablehlo.return %a, %b : "
             "tensor<f32>, tensor<f32> }, { stablehlo.return %c, %d : "
             "tensor<f32>, tensor<f32> }) : (tensor<i1>) -> (tensor<f32>, "
             "tensor<f32>)\n"
             "stablehlo.return %q#0, %q#1 : tensor<f32>, tensor<f32>"),
      "=.=. ====");
}

TEST(BodyMaps, ThroughOtherOperations) {
  EXPECT_EQ(reduce("%t = stablehlo.tuple %a, %b : tuple<tensor<f32>, "
                   "tensor<f32>>\n"
                   "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                   "%m = stablehlo.add %a, %c : tensor<f32>\n"
                   "%n = stablehlo.add %m, %z : tensor<f32>\n"
                   "%o = stablehlo.add %d, %b : tensor<f32>\n"
                   "stablehlo.return %n, %o : tensor<f32>, tensor<f32>"),
            "=.=. .=.=");
}

TEST(BodyMaps, OrderDependentReductions) {
  // The last of the elements.
  EXPECT_EQ(reduce("stablehlo.return %c, %d : tensor<f32>, tensor<f32>"),
            "~.~. .~.~");
  // The second result reads the first accumulator one step later.
  EXPECT_EQ(reduce("%m = stablehlo.add %a, %c : tensor<f32>\n"
                   "stablehlo.return %m, %a : tensor<f32>, tensor<f32>"),
            "=.=. ~.=.");
}

TEST(BodyMaps, ReduceOfNothingIsTheInitialValue) {
  EXPECT_EQ(
      readsOf("%x: tensor<0x3xf32>, %i: tensor<f32>, %j: tensor<f32>",
              "%0:2 = \"stablehlo.reduce\"(%x, %x, %i, %j) <{dimensions = "
              "array<i64: 0>}> ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: "
              "tensor<f32>, %d: tensor<f32>):\n"
              "%m = stablehlo.add %a, %d : tensor<f32>\n"
              "%n = stablehlo.add %m, %b : tensor<f32>\n"
              "stablehlo.return %m, %n : tensor<f32>, tensor<f32>"
              "}) : (tensor<0x3xf32>, tensor<0x3xf32>, tensor<f32>, "
              "tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)",
              "stablehlo.reduce"),
      "..=. ...=");
}

TEST(BodyMaps, ReduceWindow) {
  EXPECT_EQ(
      readsOf("%x: tensor<8xf32>, %y: tensor<8xf32>, %i: tensor<f32>",
              "%0:2 = \"stablehlo.reduce_window\"(%x, %y, %i, %i) "
              "<{window_dimensions = array<i64: 3>}> ({ ^bb0(%a: tensor<f32>, "
              "%b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):\n"
              "%m = stablehlo.add %a, %c : tensor<f32>\n"
              "%n = stablehlo.maximum %b, %d : tensor<f32>\n"
              "stablehlo.return %m, %n : tensor<f32>, tensor<f32>"
              "}) : (tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<f32>) "
              "-> (tensor<6xf32>, tensor<6xf32>)",
              "stablehlo.reduce_window"),
      "=.=. .=.=");
}

TEST(BodyMaps, Map) {
  EXPECT_EQ(readsOf("%x: tensor<8xf32>, %y: tensor<8xf32>",
                    "%0 = \"stablehlo.map\"(%x, %y) <{dimensions = "
                    "array<i64: 0>}> ({ ^bb0(%a: tensor<f32>, %b: "
                    "tensor<f32>):\n"
                    "%m = stablehlo.exponential %b : tensor<f32>\n"
                    "stablehlo.return %m : tensor<f32> }) : (tensor<8xf32>, "
                    "tensor<8xf32>) -> tensor<8xf32>",
                    "stablehlo.map"),
            ".=");
}

TEST(BodyMaps, SortReadsItsOperandAndTheKeys) {
  EXPECT_EQ(readsOf("%x: tensor<8xf32>, %y: tensor<8xi32>",
                    "%0:2 = \"stablehlo.sort\"(%x, %y) <{dimension = 0 : "
                    "i64}> ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: "
                    "tensor<i32>, %d: tensor<i32>):\n"
                    "%m = stablehlo.compare LT, %a, %b : (tensor<f32>, "
                    "tensor<f32>) -> tensor<i1>\n"
                    "stablehlo.return %m : tensor<i1> }) : (tensor<8xf32>, "
                    "tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)",
                    "stablehlo.sort"),
            "=. ==");
}

std::string scatter(llvm::StringRef body, llvm::StringRef unique = "false") {
  return readsOf(
      "%x: tensor<8xf32>, %y: tensor<8xf32>, %i: tensor<5x1xi32>, %u: "
      "tensor<5xf32>, %v: tensor<5xf32>",
      ("%0:2 = \"stablehlo.scatter\"(%x, %y, %i, %u, %v) "
       "<{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims "
       "= [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, "
       "unique_indices = " +
       unique +
       "}> ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: "
       "tensor<f32>):\n" +
       body +
       "}) : (tensor<8xf32>, tensor<8xf32>, tensor<5x1xi32>, tensor<5xf32>, "
       "tensor<5xf32>) -> (tensor<8xf32>, tensor<8xf32>)")
          .str(),
      "stablehlo.scatter");
}

TEST(BodyMaps, Scatter) {
  EXPECT_EQ(scatter("%m = stablehlo.add %a, %c : tensor<f32>\n"
                    "%n = stablehlo.maximum %b, %d : tensor<f32>\n"
                    "stablehlo.return %m, %n : tensor<f32>, tensor<f32>"),
            "=.==. .==.=");
  // One of several updates of an element is kept, and it is unknown which.
  EXPECT_EQ(scatter("stablehlo.return %c, %d : tensor<f32>, tensor<f32>"),
            "=.=~. .==.~");
  EXPECT_EQ(
      scatter("stablehlo.return %c, %d : tensor<f32>, tensor<f32>", "true"),
      "=.==. .==.=");
  // An updated element of the second result reads the first input.
  EXPECT_EQ(scatter("%m = stablehlo.add %a, %c : tensor<f32>\n"
                    "%n = stablehlo.add %a, %b : tensor<f32>\n"
                    "stablehlo.return %m, %n : tensor<f32>, tensor<f32>"),
            "=.==. ===~.");
}

} // namespace
