// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values with the same name, as after inlining and cloning: the runtime
// variables that are read from them stay distinct, and each keeps its source.

#include "Computation.h"
#include "mercator/analysis/maps/Walk.h"

#include <set>

using namespace mercator;
using namespace mercator::testing;
using indexing::RuntimeVariable;

namespace {

std::set<std::string> sourcesOf(const Arena &arena, const MapSet &maps) {
  std::set<std::string> names;
  for (const OperandMap &m : maps)
    for (const RuntimeVariable &v : m.map.domain.runtimes)
      names.insert(arena.name(v.source).str());
  return names;
}

TEST(Sources, OfClonedOperations) {
  Computation c(R"(
    func.func @f(%x: tensor<9xi32>, %a: tensor<i32>, %b: tensor<i32>) -> tensor<2xi32> {
      %i = stablehlo.negate %a : tensor<i32> loc("i")
      %0 = stablehlo.dynamic_slice %x, %i, sizes = [4] : (tensor<9xi32>, tensor<i32>) -> tensor<4xi32>
      %1 = stablehlo.dynamic_slice %0, %i, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
      return %1 : tensor<2xi32>
    })");
  mlir::Operation *first = c.program.find("stablehlo.negate");
  mlir::Operation *second = c.block->getTerminator()->getPrevNode();
  EXPECT_EQ(c.toArgument(0)[0].map.domain.runtimes.size(), 1u);
  // The clone negates another value, and has the location of the original.
  mlir::Operation *clone = mlir::OpBuilder(second).clone(*first);
  clone->setOperand(0, c.block->getArgument(2));
  second->setOperand(1, clone->getResult(0));

  FusionMaps maps(c.arena);
  MapSet found = maps.toArguments({second->getResult(0)}).front().maps;
  ASSERT_EQ(found.size(), 1u) << toString(found);
  EXPECT_TRUE(found.isExact());
  EXPECT_EQ(found[0].map.domain.runtimes.size(), 2u) << toString(found);
  EXPECT_EQ(sourcesOf(c.arena, found), (std::set<std::string>{"f/i", "f/i#1"}));
}

// Arguments have locations too.
TEST(Sources, OfAnArgumentAndAnOperation) {
  Computation c(R"(
    func.func @f(%x: tensor<9xi32>, %i: tensor<i32> loc("i")) -> tensor<2xi32> {
      %j = stablehlo.negate %i : tensor<i32> loc("i")
      %0 = stablehlo.dynamic_slice %x, %i, sizes = [4] : (tensor<9xi32>, tensor<i32>) -> tensor<4xi32>
      %1 = stablehlo.dynamic_slice %0, %j, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
      return %1 : tensor<2xi32>
    })");
  MapSet maps = c.toArgument(0);
  ASSERT_EQ(maps.size(), 1u) << toString(maps);
  EXPECT_EQ(maps[0].map.domain.runtimes.size(), 2u) << toString(maps);
}

// The results of one operation share its name, and differ in the element.
TEST(Sources, OfSeveralResults) {
  Computation c(R"(
    func.func @f(%x: tensor<9xi32>, %a: tensor<i32>) -> tensor<2xi32> {
      %i:2 = stablehlo.optimization_barrier %a, %a : tensor<i32>, tensor<i32>
      %c:2 = stablehlo.custom_call @g(%i#0, %i#1) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) loc("i")
      %0 = stablehlo.dynamic_slice %x, %c#0, sizes = [4] : (tensor<9xi32>, tensor<i32>) -> tensor<4xi32>
      %1 = stablehlo.dynamic_slice %0, %c#1, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
      return %1 : tensor<2xi32>
    })");
  MapSet maps = c.toArgument(0);
  ASSERT_EQ(maps.size(), 1u) << toString(maps);
  EXPECT_EQ(maps[0].map.domain.runtimes.size(), 2u) << toString(maps);
  EXPECT_EQ(sourcesOf(c.arena, maps), (std::set<std::string>{"f/i"}));
}

// Seen from outside, an argument of a computation is the operand. Another value
// with the same name is not.
TEST(Sources, OfAComputationThatIsCalled) {
  Computation c(R"(
    func.func private @g(%x: tensor<9xi32>, %i: tensor<i32> loc("i")) -> tensor<4xi32> {
      %j = stablehlo.negate %i : tensor<i32> loc("i")
      %0 = stablehlo.dynamic_slice %x, %j, sizes = [4] : (tensor<9xi32>, tensor<i32>) -> tensor<4xi32>
      return %0 : tensor<4xi32>
    }
    func.func @f(%x: tensor<9xi32>, %a: tensor<i32> loc("a")) -> tensor<4xi32> {
      %0 = func.call @g(%x, %a) : (tensor<9xi32>, tensor<i32>) -> tensor<4xi32> loc("c")
      return %0 : tensor<4xi32>
    })");
  EXPECT_EQ(sourcesOf(c.arena, c.toArgument(0)),
            (std::set<std::string>{"f/c/i"}));
}

// Two calls with one location: the values inside them stay distinct.
TEST(Sources, OfTwoCalls) {
  Computation c(R"(
    func.func private @g(%x: tensor<9xi32>, %i: tensor<i32>) -> tensor<9xi32> {
      %j = stablehlo.negate %i : tensor<i32> loc("j")
      %0 = stablehlo.dynamic_slice %x, %j, sizes = [4] : (tensor<9xi32>, tensor<i32>) -> tensor<4xi32>
      %v = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.pad %0, %v, low = [0], high = [5], interior = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<9xi32>
      return %1 : tensor<9xi32>
    }
    func.func @f(%x: tensor<9xi32>, %a: tensor<i32>, %b: tensor<i32>) -> tensor<9xi32> {
      %0 = func.call @g(%x, %a) : (tensor<9xi32>, tensor<i32>) -> tensor<9xi32> loc("c")
      %1 = func.call @g(%0, %b) : (tensor<9xi32>, tensor<i32>) -> tensor<9xi32> loc("c")
      return %1 : tensor<9xi32>
    })");
  MapSet maps = c.toArgument(0);
  ASSERT_EQ(maps.size(), 1u) << toString(maps);
  EXPECT_EQ(maps[0].map.domain.runtimes.size(), 2u) << toString(maps);
}

// Variables without a source have none from outside either, and stay distinct.
TEST(Sources, OfNothing) {
  Computation c(R"(
    func.func private @g(%x: tensor<9xi32>) -> tensor<9xi32> {
      return %x : tensor<9xi32>
    }
    func.func @f(%x: tensor<9xi32>) -> tensor<9xi32> {
      %0 = func.call @g(%x) : (tensor<9xi32>) -> tensor<9xi32>
      return %0 : tensor<9xi32>
    })");
  Map map = parse(c.arena, "(d0){rt0, rt1} -> (rt0 + rt1), domain: d0 in [0, "
                           "8], rt0 in [0, 4], rt1 in [0, 4]");
  MapSet lifted = maps::lift(c.arena, MapSet(map), c.program.find("func.call"),
                             &c.program.function("g").getBody().front());
  ASSERT_EQ(lifted[0].map.domain.runtimes.size(), 2u);
  for (const RuntimeVariable &v : lifted[0].map.domain.runtimes)
    EXPECT_EQ(v.source, 0u);
}

/// A loop over i in [0, 3] that reads %x at the value of `offset`.
std::string loopThatReadsAt(llvm::StringRef offset) {
  return (R"(
    func.func @f(%x: tensor<9xi32>, %a: tensor<i32> loc("a")) -> tensor<1xi32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %four = stablehlo.constant dense<4> : tensor<i32>
      %s = stablehlo.constant dense<0> : tensor<1xi32>
      %w:3 = "stablehlo.while"(%zero, %a, %s) ({
      ^bb0(%i: tensor<i32> loc("k"), %k: tensor<i32> loc("k"), %t: tensor<1xi32>):
        %p = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }, {
      ^bb0(%i: tensor<i32> loc("k"), %k: tensor<i32> loc("k"), %t: tensor<1xi32>):
        %twice = stablehlo.add %i, %i : tensor<i32> loc("k")
        %any = stablehlo.custom_call @g(%i) : (tensor<i32>) -> tensor<i32> loc("k")
        %0 = stablehlo.dynamic_slice %x, )" +
          offset +
          R"(, sizes = [1] : (tensor<9xi32>, tensor<i32>) -> tensor<1xi32>
        %1 = stablehlo.add %0, %t : tensor<1xi32>
        %n = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %n, %k, %1 : tensor<i32>, tensor<i32>, tensor<1xi32>
      }) : (tensor<i32>, tensor<i32>, tensor<1xi32>) -> (tensor<i32>, tensor<i32>, tensor<1xi32>)
      return %w#2 : tensor<1xi32>
    })")
      .str();
}

// In a loop where all values are called `k`: a counter, and integers computed
// from it, become their values; a value that does not change is read outside;
// other values are unknown.
TEST(Sources, OfALoop) {
  auto maps = [](llvm::StringRef offset) {
    Computation c(loopThatReadsAt(offset));
    MapSet found = c.toArgument(0);
    return std::pair(toString(found), sourcesOf(c.arena, found));
  };
  using Names = std::set<std::string>;
  for (const auto &[offset, counted] :
       {std::pair("%i", std::vector{0, 1, 2, 3}),
        std::pair("%twice", std::vector{0, 2, 4, 6})}) {
    Computation c(loopThatReadsAt(offset));
    std::vector<std::string> texts;
    for (int at : counted)
      texts.push_back("(d0) -> (d0 + " + std::to_string(at) +
                      "), domain: d0 in [0, 0]");
    MapSet found = c.toArgument(0);
    EXPECT_TRUE(found.isExact()) << offset << toString(found);
    EXPECT_EQ(sourcesOf(c.arena, found), Names()) << offset << toString(found);
    std::set<int64_t> read;
    for (const OperandMap &m : found)
      for (const indexing::Expr &e : m.map.results)
        if (c.arena.isConstant(e))
          read.insert(c.arena.constantValue(e));
    EXPECT_EQ(read, std::set<int64_t>(counted.begin(), counted.end()))
        << offset << toString(found);
  }
  auto [unchanged, names] = maps("%k");
  EXPECT_EQ(names, (Names{"f/a"})) << unchanged;
  auto [any, none] = maps("%any");
  EXPECT_EQ(none, Names()) << any;
  EXPECT_NE(any.find("changes from iteration to iteration"), std::string::npos)
      << any;
}

// The source numbers of an arena: one for each key, with distinct names.
TEST(Sources, AreNumbered) {
  Arena arena;
  int a = 0, b = 0;
  auto intern = [&](const char *name, Arena::SourceKey key) {
    return arena.internSource(key, [&] { return std::string(name); });
  };
  uint32_t first = intern("f/i", {&a});
  EXPECT_EQ(intern("f/i", {&a}), first);
  uint32_t taken = intern("f/i#1", {&a, 7});
  uint32_t second = intern("f/i", {&b});
  EXPECT_NE(first, second);
  EXPECT_NE(taken, second);
  EXPECT_EQ(arena.name(second), "f/i#2");
  EXPECT_EQ(arena.sourceKey(second).place, &b);
  EXPECT_EQ(arena.sourceKey(taken).within, 7u);
  EXPECT_EQ(arena.sourceKey(arena.intern("device")).place, nullptr);
}

} // namespace
