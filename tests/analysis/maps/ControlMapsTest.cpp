// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps through branches, loops and asynchronous computations.

#include "Computation.h"

using namespace mercator;
using namespace mercator::testing;

namespace {

//===--- Branches ---------------------------------------------------------===//

TEST(ControlMaps, OneOfTwoBranches) {
  Computation c(R"(
  func.func @f(%c: tensor<i1>, %p: tensor<4xf32>, %q: tensor<4xf32>)
      -> tensor<4xf32> {
    %r = "stablehlo.if"(%c) ({
      %a = stablehlo.reverse %p, dims = [0] : tensor<4xf32>
      %b = stablehlo.add %a, %q : tensor<4xf32>
      stablehlo.return %b : tensor<4xf32>
    }, {
      stablehlo.return %q : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  })");
  expectMaps(c.arena, c.toArgument(0), {"(d0) -> (), domain: d0 in [0, 3]"});
  expectMaps(c.arena, c.toArgument(1),
             {"(d0){rt0} -> (-d0 + 3), domain: d0 in [0, 3], rt0 in [0, 1], "
              "rt0 in [1, 1]"});
  // Both branches read it.
  expectMaps(c.arena, c.toArgument(2), {"(d0) -> (d0), domain: d0 in [0, 3]"});
  expectMaps(c.arena, c.toResult(0), {"()[s0] -> (s0), domain: s0 in [0, 3]"});
  expectMaps(c.arena, c.toResult(1),
             {"(d0){rt0} -> (-d0 + 3), domain: d0 in [0, 3], rt0 in [0, 1], "
              "rt0 in [1, 1]"});
  EXPECT_EQ(c.arena.name(c.toArgument(1)[0].map.domain.runtimes[0].source),
            "f/arg0");
  // The operation alone: the predicate is its only operand.
  mlir::Operation *op = c.program.find("stablehlo.if");
  expectMaps(c.arena, mapsOf(op, c.arena, kOut, 0, 0),
             {"(d0) -> (), domain: d0 in [0, 3]"});
}

TEST(ControlMaps, AConstantChoosesTheBranch) {
  for (int index : {0, 1, 2, 7, -1}) {
    Computation c(R"(
    func.func @f(%p: tensor<4xf32>, %q: tensor<4xf32>, %r: tensor<4xf32>)
        -> tensor<4xf32> {
      %i = stablehlo.constant dense<)" +
                  std::to_string(index) + R"(> : tensor<i32>
      %x = "stablehlo.case"(%i) ({
        stablehlo.return %p : tensor<4xf32>
      }, {
        stablehlo.return %q : tensor<4xf32>
      }, {
        stablehlo.return %r : tensor<4xf32>
      }) : (tensor<i32>) -> tensor<4xf32>
      return %x : tensor<4xf32>
    })");
    for (int branch = 0; branch < 3; ++branch)
      if (branch == (index == 0 || index == 1 ? index : 2))
        expectMaps(c.arena, c.toArgument(branch),
                   {"(d0) -> (d0), domain: d0 in [0, 3]"});
      else
        EXPECT_TRUE(c.toArgument(branch).empty()) << index;
  }
}

TEST(ControlMaps, BranchesWithinBranches) {
  Computation c(R"(
  func.func @f(%c: tensor<i1>, %p: tensor<4xf32>, %d: tensor<i1>)
      -> tensor<4xf32> {
    %n = stablehlo.negate %p : tensor<4xf32>
    %r = "stablehlo.if"(%c) ({
      %s = "stablehlo.if"(%d) ({
        stablehlo.return %n : tensor<4xf32>
      }, {
        %m = stablehlo.abs %n : tensor<4xf32>
        stablehlo.return %m : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      stablehlo.return %s : tensor<4xf32>
    }, {
      stablehlo.return %p : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  })");
  // %n or %p is read, and %n reads %p.
  expectMaps(c.arena, c.toArgument(1),
             {"(d0){rt0} -> (d0), domain: d0 in [0, 3], rt0 in [0, 1], rt0 in "
              "[0, 0]",
              "(d0){rt0} -> (d0), domain: d0 in [0, 3], rt0 in [0, 1], rt0 in "
              "[1, 1]"});
  expectMaps(c.arena, c.toArgument(2),
             {"(d0){rt0} -> (), domain: d0 in [0, 3], rt0 in [0, 1], rt0 in "
              "[1, 1]"});
}

TEST(ControlMaps, IndexOutOfRangeTakesTheLastBranch) {
  Computation c(R"(
  func.func @f(%i: tensor<i32>, %p: tensor<4xf32>, %q: tensor<4xf32>)
      -> tensor<4xf32> {
    %x = "stablehlo.case"(%i) ({
      stablehlo.return %p : tensor<4xf32>
    }, {
      stablehlo.return %p : tensor<4xf32>
    }, {
      stablehlo.return %q : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    return %x : tensor<4xf32>
  })");
  expectMaps(c.arena, c.toArgument(1),
             {"(d0){rt0} -> (d0), domain: d0 in [0, 3], rt0 in [-1, 2], rt0 in "
              "[0, 0]",
              "(d0){rt0} -> (d0), domain: d0 in [0, 3], rt0 in [-1, 2], rt0 in "
              "[1, 1]"});
  expectMaps(c.arena, c.toArgument(2),
             {"(d0){rt0} -> (d0), domain: d0 in [0, 3], rt0 in [-1, 2], (rt0 + "
              "1) mod 3 in [0, 0]"});
}

//===--- Loops ------------------------------------------------------------===//

/// A loop from 0 to `count` that carries %i, %x and %y, starting as %p and %q.
std::string loop(const std::string &count, const std::string &body,
                 const std::string &next) {
  return R"(
  func.func @f(%p: tensor<8x4xf32> loc("p"), %q: tensor<8x4xf32> loc("q"), %n: tensor<i32> loc("n"))
      -> (tensor<8x4xf32>, tensor<8x4xf32>) {
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %count = stablehlo.constant dense<)" +
         (count == "n" ? "9" : count) + R"(> : tensor<i32>
    %r:3 = stablehlo.while(%i = %c0, %x = %p, %y = %q)
        : tensor<i32>, tensor<8x4xf32>, tensor<8x4xf32>
     cond {
      %less = stablehlo.compare LT, %i, )" +
         (count == "n" ? "%n" : "%count") +
         R"( : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    } do {
      %j = stablehlo.add %i, %c1 : tensor<i32>
      )" +
         body +
         R"(
      stablehlo.return %j, )" +
         next + R"( : tensor<i32>, tensor<8x4xf32>, tensor<8x4xf32>
    }
    return %r#1, %r#2 : tensor<8x4xf32>, tensor<8x4xf32>
  })";
}

constexpr const char *kSame =
    "(d0, d1) -> (d0, d1), domain: d0 in [0, 7], d1 in [0, 3]";

TEST(ControlMaps, TheExampleOfLoopH) {
  // The sum of %p and the first `count` rows of %q.
  auto sumOfRows = [](const std::string &count) {
    return R"(
    func.func @f(%p: tensor<4xf32>, %q: tensor<100x4xf32>, %n: tensor<i32>)
        -> tensor<4xf32> {
      %c0 = stablehlo.constant dense<0> : tensor<i32>
      %c1 = stablehlo.constant dense<1> : tensor<i32>
      %c3 = stablehlo.constant dense<3> : tensor<i32>
      %c100 = stablehlo.constant dense<100> : tensor<i32>
      %r:3 = stablehlo.while(%i = %c0, %h = %p, %xs = %q)
          : tensor<i32>, tensor<4xf32>, tensor<100x4xf32>
       cond {
        %less = stablehlo.compare LT, %i, )" +
           count + R"( : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      } do {
        %j = stablehlo.add %i, %c1 : tensor<i32>
        %row = stablehlo.dynamic_slice %xs, %i, %c0, sizes = [1, 4]
            : (tensor<100x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
        %x = stablehlo.reshape %row : (tensor<1x4xf32>) -> tensor<4xf32>
        %s = stablehlo.add %h, %x : tensor<4xf32>
        stablehlo.return %j, %s, %xs
            : tensor<i32>, tensor<4xf32>, tensor<100x4xf32>
      }
      return %r#1 : tensor<4xf32>
    })";
  };
  Computation three(sumOfRows("%c3")), some(sumOfRows("%n")),
      hundred(sumOfRows("%c100"));
  for (Computation *c : {&three, &some, &hundred})
    expectMaps(c->arena, c->toArgument(0),
               {"(d0) -> (d0), domain: d0 in [0, 3]"});
  expectMaps(three.arena, three.toArgument(1),
             {"(d0) -> (2, d0), domain: d0 in [0, 3]",
              "(d0) -> (1, d0), domain: d0 in [0, 3]",
              "(d0) -> (0, d0), domain: d0 in [0, 3]"});
  expectMaps(some.arena, some.toArgument(1),
             {"(d0)[s0]{rt0} -> (s0, d0), domain: d0 in [0, 3], "
              "s0 in [0, 99], rt0 in [0, 100], rt0 - s0 in [1, 100]"});
  expectMaps(hundred.arena, hundred.toArgument(1),
             {"(d0)[s0] -> (s0, d0), domain: d0 in [0, 3], s0 in [0, 99]"});

  // Two carried values that the body exchanges.
  Computation parity(loop("n", "", "%y, %x")), many(loop("100", "", "%y, %x"));
  for (int argument : {0, 1}) {
    expectMaps(parity.arena, parity.toArgument(argument),
               {std::string("(d0, d1){rt0} -> (d0, d1), domain: d0 in [0, 7], "
                            "d1 in [0, 3], rt0 in [-2147483648, 2147483647], "
                            "max(rt0, 0) mod 2 in ") +
                (argument == 0 ? "[0, 0]" : "[1, 1]")});
    expectMaps(many.arena, many.toArgument(argument),
               {std::string("~") + kSame});
  }
}

TEST(ControlMaps, AccumulatorOfALoop) {
  Computation c(
      loop("1000", "%s = stablehlo.add %x, %y : tensor<8x4xf32>", "%s, %y"));
  expectMaps(c.arena, c.toArgument(0), {kSame});
  expectMaps(c.arena, c.toArgument(1), {kSame});
  // Unchanged.
  EXPECT_TRUE(c.toArgument(0, 1).empty());
  expectMaps(c.arena, c.toArgument(1, 1), {kSame});
  expectMaps(c.arena, c.toResult(1, 0), {kSame});
  expectMaps(c.arena, c.toResult(1, 1), {kSame});
}

TEST(ControlMaps, ALoopThatMayNotRun) {
  Computation c(
      loop("n", "%s = stablehlo.add %x, %y : tensor<8x4xf32>", "%s, %y"));
  expectMaps(c.arena, c.toArgument(0), {kSame});
  // %y is read if %n is at least 1.
  expectMaps(c.arena, c.toArgument(1),
             {"(d0, d1){rt0} -> (d0, d1), domain: d0 in [0, 7], d1 in [0, 3], "
              "rt0 in [0, 2], rt0 in [1, 2]"});
  expectMaps(c.arena, c.toArgument(1, 1), {kSame});
  // All results read the condition.
  for (unsigned result : {0, 1})
    expectMaps(c.arena, c.toArgument(2, result),
               {"(d0, d1) -> (), domain: d0 in [0, 7], d1 in [0, 3]"});
}

TEST(ControlMaps, FewIterationsAreFollowedOneByOne) {
  std::string body = "%s = stablehlo.reverse %x, dims = [0] : tensor<8x4xf32>";
  Computation even(loop("4", body, "%s, %y"));
  expectMaps(even.arena, even.toArgument(0), {kSame});
  Computation odd(loop("5", body, "%s, %y"));
  expectMaps(odd.arena, odd.toArgument(0),
             {"(d0, d1) -> (-d0 + 7, d1), domain: d0 in [0, 7], d1 in [0, 3]"});
  Computation none(loop("0", body, "%s, %y"));
  expectMaps(none.arena, none.toArgument(0), {kSame});
  // With many iterations it is unknown which of them read it.
  Computation many(loop("1000", body, "%s, %y"));
  expectMaps(
      many.arena, many.toArgument(0),
      {std::string("~") + kSame,
       "~(d0, d1) -> (-d0 + 7, d1), domain: d0 in [0, 7], d1 in [0, 3]"});
}

TEST(ControlMaps, ResultsDependOnTheNumberOfIterations) {
  Computation c(loop("n",
                     "%s = stablehlo.reverse %x, dims = [0] : "
                     "tensor<8x4xf32>",
                     "%s, %y"));
  // For an even number of iterations, including 0, and for an odd number.
  expectMaps(c.arena, c.toArgument(0),
             {"(d0, d1){rt0} -> (d0, d1), domain: d0 in [0, 7], d1 in [0, 3], "
              "rt0 in [-2147483648, 2147483647], max(rt0, 0) mod 2 in [0, 0]",
              "(d0, d1){rt0} -> (-d0 + 7, d1), domain: d0 in [0, 7], d1 in [0, "
              "3], rt0 in [-2147483648, 2147483647], max(rt0, 0) mod 2 in [1, "
              "1]"});
  // %x and %y are exchanged.
  Computation swaps(loop("n", "", "%y, %y"));
  expectMaps(swaps.arena, swaps.toArgument(0),
             {"(d0, d1){rt0} -> (d0, d1), domain: d0 in [0, 7], d1 in [0, 3], "
              "rt0 in [0, 2], rt0 in [0, 0]"});
}

TEST(ControlMaps, IterationsThatNeverRepeat) {
  // Each iteration moves by one row. After too many, any row may be read.
  std::string body = R"(
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.pad %x, %z, low = [1, 0], high = [-1, 0], interior = [0, 0]
          : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>)";
  Computation few(loop("3", body, "%s, %y"));
  expectMaps(few.arena, few.toArgument(0),
             {"(d0, d1) -> (d0 - 3, d1), domain: d0 in [3, 7], d1 in [0, 3]"});
  Computation many(loop("1000", body, "%s, %y"));
  EXPECT_FALSE(many.toArgument(0).isExact());
}

TEST(ControlMaps, RowsAtTheCounter) {
  // x accumulates the row of y at the counter.
  std::string body = R"(
      %row = stablehlo.dynamic_slice %y, %i, %c0, sizes = [1, 4]
          : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %all = stablehlo.broadcast_in_dim %row, dims = [0, 1]
          : (tensor<1x4xf32>) -> tensor<8x4xf32>
      %s = stablehlo.add %x, %all : tensor<8x4xf32>)";
  Computation six(loop("6", body, "%s, %y"));
  // Unrolled iterations read the same as all iterations together.
  MapSet maps = six.toArgument(1);
  EXPECT_TRUE(maps.isExact()) << toString(maps);
  EXPECT_EQ(maps.size(), 6u);
  Computation many(loop("1000", body, "%s, %y"));
  expectMaps(many.arena, many.toArgument(1),
             {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 7], d1 in [0, 3], "
              "s0 in [0, 7]"});
}

TEST(ControlMaps, RowsUpToANumber) {
  Computation c(loop("n", R"(
      %row = stablehlo.dynamic_slice %y, %i, %c0, sizes = [1, 4]
          : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %all = stablehlo.broadcast_in_dim %row, dims = [0, 1]
          : (tensor<1x4xf32>) -> tensor<8x4xf32>
      %s = stablehlo.add %x, %all : tensor<8x4xf32>)",
                     "%s, %y"));
  expectMaps(c.arena, c.toArgument(1),
             {"(d0, d1)[s0]{rt0} -> (s0, d1), domain: d0 in [0, 7], d1 in [0, "
              "3], s0 in [0, 7], rt0 in [0, 8], rt0 - s0 in [1, 8]"});
}

TEST(ControlMaps, ScanWritesWhereItReads) {
  std::string body = R"(
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %eight = stablehlo.constant dense<8> : tensor<i32>
      %low = stablehlo.compare LT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %up = stablehlo.add %i, %eight : tensor<i32>
      %k = stablehlo.select %low, %up, %i : tensor<i1>, tensor<i32>
      %row = stablehlo.dynamic_slice %y, %k, %c0, sizes = [1, 4]
          : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %neg = stablehlo.negate %row : tensor<1x4xf32>
      %s = stablehlo.dynamic_update_slice %x, %neg, %k, %c0
          : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>)";
  Computation c(loop("8", body, "%s, %y"));
  MapSet maps = c.toArgument(1);
  EXPECT_TRUE(maps.isExact()) << toString(maps);
  // All initial rows are replaced.
  for (const OperandMap &m : c.toArgument(0))
    EXPECT_TRUE(m.map.isKnownEmpty()) << toString(c.toArgument(0));
}

/// A loop over the first `count` of `rows` rows.
std::string longLoop(const std::string &count, const std::string &rows,
                     const std::string &body, const std::string &next) {
  std::string text = loop(count, body, next);
  for (size_t at; (at = text.find("8x4x")) != std::string::npos;)
    text.replace(at, 4, rows + "x4x");
  return text;
}
std::string writeRow(const std::string &index) {
  return "%row = stablehlo.dynamic_slice %y, %i, %c0, sizes = [1, 4] : "
         "(tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>\n"
         "%s = stablehlo.dynamic_update_slice %x, %row, " +
         index +
         ", %c0 : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, "
         "tensor<i32>) -> tensor<8x4xf32>\n";
}

TEST(ControlMaps, ALongScan) {
  // By one map for all of its iterations.
  Computation c(longLoop("40", "40", writeRow("%i"), "%s, %y"));
  expectMaps(c.arena, c.toArgument(1),
             {"(d0, d1) -> (d0, d1), domain: d0 in [0, 39], d1 in [0, 3]"});
  for (const OperandMap &m : c.toArgument(0))
    EXPECT_TRUE(m.map.isKnownEmpty()) << toString(c.toArgument(0));
}

TEST(ControlMaps, ALongScanOfSomeRows) {
  Computation c(longLoop("40", "50", writeRow("%i"), "%s, %y"));
  expectMaps(c.arena, c.toArgument(0),
             {"(d0, d1) -> (d0, d1), domain: d0 in [40, 49], d1 in [0, 3]"});
  expectMaps(c.arena, c.toArgument(1),
             {"(d0, d1) -> (d0, d1), domain: d0 in [0, 39], d1 in [0, 3]"});
  // From the last row to the first.
  Computation back(
      longLoop("40", "50",
               "%last = stablehlo.constant dense<49> : tensor<i32>\n"
               "%k = stablehlo.subtract %last, %i : tensor<i32>\n" +
                   writeRow("%k"),
               "%s, %y"));
  expectMaps(back.arena, back.toArgument(0),
             {"(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 3]"});
  expectMaps(
      back.arena, back.toArgument(1),
      {"(d0, d1) -> (-d0 + 49, d1), domain: d0 in [10, 49], d1 in [0, 3]"});
}

TEST(ControlMaps, ALongScanReadWhileWritten) {
  // Replaced rows are read before, through the other value.
  Computation c(longLoop("40", "40", writeRow("%i"), "%s, %x"));
  MapSet maps = c.toArgument(0);
  EXPECT_FALSE(maps.isExact()) << toString(maps);
}

TEST(ControlMaps, LoopsOfHloText) {
  // The state is a tuple; condition and body are functions.
  Computation c(R"(
  func.func @cond(%t: tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>) -> tensor<i1> {
    %i = stablehlo.get_tuple_element %t[0]
        : (tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>) -> tensor<i32>
    %n = stablehlo.constant dense<40> : tensor<i32>
    %less = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    return %less : tensor<i1>
  }
  func.func @body(%t: tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>)
      -> tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>> {
    %i = stablehlo.get_tuple_element %t[0]
        : (tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>) -> tensor<i32>
    %x = stablehlo.get_tuple_element %t[1]
        : (tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>) -> tensor<6xf32>
    %y = stablehlo.get_tuple_element %t[2]
        : (tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>) -> tensor<6xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %e = stablehlo.dynamic_slice %y, %i, sizes = [1]
        : (tensor<6xf32>, tensor<i32>) -> tensor<1xf32>
    %b = stablehlo.broadcast_in_dim %e, dims = [0] : (tensor<1xf32>) -> tensor<6xf32>
    %s = stablehlo.add %x, %b : tensor<6xf32>
    %r = stablehlo.tuple %j, %s, %y : tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>
    return %r : tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>
  }
  func.func @f(%p: tensor<6xf32>, %q: tensor<6xf32>) -> tensor<6xf32> {
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %r:3 = stablehlo.while(%i = %c0, %x = %p, %y = %q)
        : tensor<i32>, tensor<6xf32>, tensor<6xf32>
     cond {
      %t = stablehlo.tuple %i, %x, %y : tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>
      %c = func.call @cond(%t) : (tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %t = stablehlo.tuple %i, %x, %y : tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>
      %u = func.call @body(%t) : (tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>)
          -> tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>
      %a = stablehlo.get_tuple_element %u[0]
          : (tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>) -> tensor<i32>
      %b = stablehlo.get_tuple_element %u[1]
          : (tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>) -> tensor<6xf32>
      %c = stablehlo.get_tuple_element %u[2]
          : (tuple<tensor<i32>, tensor<6xf32>, tensor<6xf32>>) -> tensor<6xf32>
      stablehlo.return %a, %b, %c : tensor<i32>, tensor<6xf32>, tensor<6xf32>
    }
    return %r#1 : tensor<6xf32>
  })");
  expectMaps(c.arena, c.toArgument(0), {"(d0) -> (d0), domain: d0 in [0, 5]"});
  expectMaps(c.arena, c.toArgument(1),
             {"(d0)[s0] -> (s0), domain: d0 in [0, 5], s0 in [0, 5]"});
}

//===--- Asynchronous computations ----------------------------------------===//

TEST(ControlMaps, AsynchronousPairs) {
  Computation c(R"(
  func.func @f(%p: tensor<8xf32>, %q: tensor<8xf32>) -> tensor<3xf32> {
    %s = "stablehlo.async_start"(%p) ({
    ^bb0(%a: tensor<8xf32>):
      %x = stablehlo.slice %a [2:5] : (tensor<8xf32>) -> tensor<3xf32>
      stablehlo.return %x : tensor<3xf32>
    }) : (tensor<8xf32>) -> !stablehlo.future<tensor<3xf32>>
    %d = "stablehlo.async_done"(%s) : (!stablehlo.future<tensor<3xf32>>) -> tensor<3xf32>
    return %d : tensor<3xf32>
  })");
  expectMaps(c.arena, c.toArgument(0),
             {"(d0) -> (d0 + 2), domain: d0 in [0, 2]"});
  expectMaps(c.arena, c.toResult(0),
             {"(d0) -> (d0 - 2), domain: d0 in [2, 4]"});
  // Single operations: a future of one value is treated as the value.
  mlir::Operation *start = c.program.find("stablehlo.async_start"),
                  *done = c.program.find("stablehlo.async_done");
  expectMaps(c.arena, mapsOf(start, c.arena, kOut, 0, 0),
             {"(d0) -> (d0 + 2), domain: d0 in [0, 2]"});
  expectMaps(c.arena, mapsOf(start, c.arena, kIn, 0, 0),
             {"(d0) -> (d0 - 2), domain: d0 in [2, 4]"});
  for (Direction direction : {kOut, kIn})
    expectMaps(c.arena, mapsOf(done, c.arena, direction, 0, 0),
               {"(d0) -> (d0), domain: d0 in [0, 2]"});
}

} // namespace
