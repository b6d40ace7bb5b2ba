// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps between any two values of a module.

#include "Program.h"

#include "mercator/analysis/maps/ProgramMaps.h"

using namespace mercator;
using namespace mercator::testing;

namespace {

/// A program whose values are found by the name in their location.
class Named {
public:
  explicit Named(llvm::StringRef text) : program(text) {
    program.module->walk([&](mlir::Operation *op) {
      for (mlir::Value result : op->getResults())
        add(result);
      for (mlir::Region &region : op->getRegions())
        for (mlir::Block &block : region)
          for (mlir::BlockArgument argument : block.getArguments())
            add(argument);
    });
  }
  MapSet between(llvm::StringRef later, llvm::StringRef earlier) {
    ProgramMaps maps(arena, *program.module);
    MapSet found =
        maps.between({values.at(later.str())}, {values.at(earlier.str())});
    // from() gives the same maps.
    auto all = maps.from({values.at(later.str())});
    if (all) {
      MapSet same;
      for (const ProgramMaps::Read &read : *all)
        if (read.leaf.value == values.at(earlier.str()) && read.leaf.leaf == 0)
          same = read.maps;
      EXPECT_EQ(toString(found), toString(same));
    }
    return found;
  }
  Program program;
  Arena arena;

private:
  void add(mlir::Value value) {
    llvm::StringRef name = nameIn(value.getLoc());
    if (!name.empty())
      values[name.str()] = value;
  }
  std::map<std::string, mlir::Value> values;
};

constexpr const char *kCalls = R"(
  func.func @g(%x: tensor<8xf32> loc("x")) -> tensor<8xf32> {
    %n = stablehlo.negate %x : tensor<8xf32> loc("n")
    %r = stablehlo.reverse %n, dims = [0] : tensor<8xf32> loc("r")
    return %r : tensor<8xf32>
  }
  func.func @f(%p: tensor<8xf32> loc("p"), %q: tensor<8xf32> loc("q")) -> tensor<8xf32> {
    %t = stablehlo.abs %p : tensor<8xf32> loc("t")
    %y = func.call @g(%t) : (tensor<8xf32>) -> tensor<8xf32> loc("y")
    %z = stablehlo.slice %y [0:4] : (tensor<8xf32>) -> tensor<4xf32> loc("z")
    %w = func.call @g(%q) : (tensor<8xf32>) -> tensor<8xf32> loc("w")
    return %w : tensor<8xf32>
  })";

TEST(ProgramMaps, IntoACallAndOutOfIt) {
  Named n(kCalls);
  llvm::StringRef back = "(d0) -> (-d0 + 7), domain: d0 in [0, 3]";
  expectMaps(n.arena, n.between("z", "p"), {back});
  expectMaps(n.arena, n.between("z", "n"), {back});
  expectMaps(n.arena, n.between("z", "x"), {back});
  expectMaps(n.arena, n.between("z", "y"),
             {"(d0) -> (d0), domain: d0 in [0, 3]"});
  EXPECT_TRUE(n.between("z", "q").empty());
  EXPECT_TRUE(n.between("t", "z").empty());
  // Inside @g the calls cannot be distinguished.
  expectMaps(n.arena, n.between("n", "p"),
             {"~(d0) -> (d0), domain: d0 in [0, 7]"});
  expectMaps(n.arena, n.between("n", "q"),
             {"~(d0) -> (d0), domain: d0 in [0, 7]"});
  expectMaps(n.arena, n.between("r", "x"),
             {"(d0) -> (-d0 + 7), domain: d0 in [0, 7]"});
  expectMaps(n.arena, n.between("x", "x"),
             {"(d0) -> (d0), domain: d0 in [0, 7]"});
}

TEST(ProgramMaps, CallsAreNotMixedUp) {
  // %z is not computed from %q, though both go through @g.
  Named n(kCalls);
  EXPECT_TRUE(n.between("z", "q").empty());
  EXPECT_TRUE(n.between("y", "q").empty());
  EXPECT_FALSE(n.between("w", "q").empty());
}

TEST(ProgramMaps, OneCallFeedsTheNext) {
  Named n(R"(
  func.func @g(%x: tensor<8xf32> loc("x")) -> tensor<8xf32> {
    %r = stablehlo.reverse %x, dims = [0] : tensor<8xf32> loc("r")
    return %r : tensor<8xf32>
  }
  func.func @f(%p: tensor<8xf32> loc("p")) -> tensor<8xf32> {
    %a = func.call @g(%p) : (tensor<8xf32>) -> tensor<8xf32> loc("a")
    %b = func.call @g(%a) : (tensor<8xf32>) -> tensor<8xf32> loc("b")
    return %b : tensor<8xf32>
  })");
  // The second branch reads x reversed, the first unchanged.
  MapSet maps = n.between("b", "x");
  EXPECT_EQ(maps.size(), 2u) << toString(maps);
  EXPECT_TRUE(maps.isExact());
}

TEST(ProgramMaps, Fusions) {
  Named n(R"(
  func.func @e(%a: tensor<4x6xf32> loc("a")) -> tensor<6xf32> {
    %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32> loc("t")
    %r:2 = "hlo.fusion"(%t) <{calls = "c", kind = "kLoop"}> ({
    ^bb0(%p: tensor<6x4xf32> loc("p")):
      %hero = stablehlo.abs %p : tensor<6x4xf32> loc("hero")
      %s = stablehlo.slice %hero [0:6, 1:2] : (tensor<6x4xf32>) -> tensor<6x1xf32> loc("s")
      %root = stablehlo.reshape %s : (tensor<6x1xf32>) -> tensor<6xf32> loc("root")
      hlo.return %root, %hero : tensor<6xf32>, tensor<6x4xf32>
    }) : (tensor<6x4xf32>) -> (tensor<6xf32>, tensor<6x4xf32>) loc("fusion")
    %out = stablehlo.negate %r#0 : tensor<6xf32> loc("out")
    return %out : tensor<6xf32>
  })");
  // Epilogue: from the root to the hero, seen from outside.
  expectMaps(n.arena, n.between("out", "hero"),
             {"(d0) -> (d0, 1), domain: d0 in [0, 5]"});
  expectMaps(n.arena, n.between("root", "hero"),
             {"(d0) -> (d0, 1), domain: d0 in [0, 5]"});
  // Prologue: from the hero to the arguments of the fusion and of the program.
  expectMaps(n.arena, n.between("hero", "p"),
             {"(d0, d1) -> (d0, d1), domain: d0 in [0, 5], d1 in [0, 3]"});
  expectMaps(n.arena, n.between("hero", "a"),
             {"(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3]"});
}

constexpr const char *kBranches = R"(
  func.func @f(%c: tensor<i1> loc("c"), %p: tensor<4xf32> loc("p")) -> tensor<4xf32> {
    %n = stablehlo.negate %p : tensor<4xf32> loc("n")
    %r = "stablehlo.if"(%c) ({
      %a = stablehlo.reverse %n, dims = [0] : tensor<4xf32> loc("a")
      %b = stablehlo.abs %a : tensor<4xf32> loc("b")
      stablehlo.return %b : tensor<4xf32>
    }, {
      stablehlo.return %p : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32> loc("r")
    return %r : tensor<4xf32>
  })";

TEST(ProgramMaps, Branches) {
  Named n(kBranches);
  expectMaps(n.arena, n.between("r", "a"),
             {"~(d0) -> (d0), domain: d0 in [0, 3]"});
  expectMaps(n.arena, n.between("b", "p"),
             {"(d0) -> (-d0 + 3), domain: d0 in [0, 3]"});
  EXPECT_TRUE(n.between("b", "c").empty());
  expectMaps(n.arena, n.between("r", "c"),
             {"(d0) -> (), domain: d0 in [0, 3]"});
}

constexpr const char *kLoop = R"(
  func.func @f(%p: tensor<8xf32> loc("p"), %q: tensor<8xf32> loc("q")) -> tensor<8xf32> {
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %r:3 = stablehlo.while(%i = %c0, %x = %p, %y = %q)
        : tensor<i32>, tensor<8xf32>, tensor<8xf32>
     cond {
      %n = stablehlo.constant dense<100> : tensor<i32>
      %less = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("less")
      stablehlo.return %less : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32> loc("j")
      %v = stablehlo.reverse %y, dims = [0] : tensor<8xf32> loc("v")
      %s = stablehlo.add %x, %v : tensor<8xf32> loc("s")
      stablehlo.return %j, %s, %y : tensor<i32>, tensor<8xf32>, tensor<8xf32>
    }
    %z = stablehlo.negate %r#1 : tensor<8xf32> loc("z")
    return %z : tensor<8xf32>
  })";

TEST(ProgramMaps, Loops) {
  Named n(kLoop);
  llvm::StringRef same = "(d0) -> (d0), domain: d0 in [0, 7]";
  llvm::StringRef perhaps = "~(d0) -> (d0), domain: d0 in [0, 7]";
  llvm::StringRef back = "(d0) -> (-d0 + 7), domain: d0 in [0, 7]";
  // Into the loop: s of the last iteration and of earlier ones.
  expectMaps(n.arena, n.between("z", "s"), {same});
  expectMaps(n.arena, n.between("z", "v"), {same});
  expectMaps(n.arena, n.between("z", "less"),
             {"(d0) -> (), domain: d0 in [0, 7]"});
  // Out of the loop: a value that never changes is read in all iterations.
  expectMaps(n.arena, n.between("v", "q"), {back});
  expectMaps(n.arena, n.between("s", "q"), {back});
  expectMaps(n.arena, n.between("s", "p"), {perhaps});
  // One iteration reads earlier iterations.
  expectMaps(n.arena, n.between("s", "s"), {same});
  EXPECT_TRUE(n.between("v", "s").empty());
}

TEST(ProgramMaps, LeavesOfTuples) {
  Named n(R"(
  func.func @f(%p: tensor<4xf32> loc("p"), %q: tensor<2xf32> loc("q")) -> tensor<4xf32> {
    %t = stablehlo.tuple %q, %p : tuple<tensor<2xf32>, tensor<4xf32>> loc("t")
    %x = stablehlo.get_tuple_element %t[1]
        : (tuple<tensor<2xf32>, tensor<4xf32>>) -> tensor<4xf32> loc("x")
    return %x : tensor<4xf32>
  })");
  expectMaps(n.arena, n.between("x", "p"),
             {"(d0) -> (d0), domain: d0 in [0, 3]"});
  EXPECT_TRUE(n.between("x", "t").empty()); // its leaf 0 is q
  EXPECT_TRUE(n.between("x", "q").empty());
}

TEST(ProgramMaps, UnsupportedComputationsAreReadInFull) {
  Named recursion(R"(
  func.func @f(%p: tensor<4xf32> loc("p")) -> tensor<4xf32> {
    %a = stablehlo.abs %p : tensor<4xf32> loc("a")
    %t = func.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
    return %t : tensor<4xf32>
  })");
  expectMaps(recursion.arena, recursion.between("a", "p"),
             {"~(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]"});
}

// Not timed: following each path would never end.
TEST(ProgramMaps, LongChainsOfCalls) {
  // 2^400 ways through 400 functions that each call the next twice.
  std::string text =
      "func.func @f0(%x: tensor<16xf32> loc(\"x\")) -> tensor<16xf32> {\n"
      "  return %x : tensor<16xf32>\n}\n";
  for (int i = 1; i <= 400; ++i) {
    std::string name = i == 400 ? "main" : "f" + std::to_string(i);
    std::string callee = "@f" + std::to_string(i - 1);
    text += "func.func @" + name + "(%x: tensor<16xf32> loc(\"x" +
            std::to_string(i) +
            "\")) -> tensor<16xf32> {\n"
            "  %a = func.call " +
            callee +
            "(%x) : (tensor<16xf32>) -> tensor<16xf32>\n"
            "  %b = func.call " +
            callee +
            "(%a) : (tensor<16xf32>) -> tensor<16xf32>\n"
            "  return %b : tensor<16xf32> loc(\"r\")\n}\n";
  }
  Named n(text);
  MapSet maps = n.between("x", "x400");
  EXPECT_FALSE(maps.empty());
}

} // namespace
