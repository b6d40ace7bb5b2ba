// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every public type of the algebra prints with <<.

#include "mercator/indexing/decide/Emptiness.h"
#include "mercator/indexing/decide/Footprint.h"
#include "mercator/indexing/decide/Prove.h"

#include "tests/indexing/MapText.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::indexing {
namespace {

template <typename T> std::string text(const T &value) {
  std::string out;
  llvm::raw_string_ostream(out) << value;
  return out;
}

constexpr const char *kMap =
    "(d0)[s0]{rt0} -> (s0, d0 + rt0), domain: d0 in [0, 9], s0 in [0, 255], rt0 in [0, 3], d0 + s0 in [0, 99]";

TEST(Print, NumbersAndExpressions) {
  Arena arena;
  EXPECT_EQ(text(Interval{0, 9}), "[0, 9]");
  EXPECT_EQ(text(Residue::of(6, 3)), "3 mod 6");
  EXPECT_EQ(text(Residue::constant(-2)), "-2");
  EXPECT_EQ(text(Var{VarKind::Runtime, 3}), "rt3");
  Expr e = arena.add(arena.scale(arena.dim(0), 8), arena.range(1));
  EXPECT_EQ(text(Printed{arena, e}), "d0 * 8 + s1");
}

TEST(Print, DomainsAndMaps) {
  Arena arena;
  Map m = mapOf(arena, kMap);
  EXPECT_EQ(text(m), kMap);
  EXPECT_EQ(text(Printed{arena, m.domain}),
            "d0 in [0, 9], s0 in [0, 255], rt0 in [0, 3], d0 + s0 in [0, 99]");
  EXPECT_EQ(text(Printed{arena, m.domain.constraints[0]}),
            "d0 + s0 in [0, 99]");
  EXPECT_EQ(text(Printed{arena, Map::makeEmpty(arena, 1, 1).domain}),
            "KNOWN EMPTY");
  MapSet set(m);
  set.insert({.map = Map::identity(arena, {4}),
              .exact = false,
              .reason = "sort may move any element"});
  EXPECT_EQ(text(set), std::string(kMap) +
                           "\n(d0) -> (d0), domain: d0 in [0, 3], not exact: "
                           "sort may move any element\n");
}

TEST(Print, Answers) {
  Arena arena;
  Map m = mapOf(arena, "(d0) -> (d0 / 2), domain: d0 in [0, 9]");
  EXPECT_EQ(text(countImage(m)), "5");
  EXPECT_EQ(text(Count::unknown("its size")), "unknown because of its size");
  EXPECT_EQ(text(Decision{Decision::Kind::Yes}), "yes");
  EXPECT_EQ(text(Decision{Decision::Kind::Unknown, "its size"}),
            "unknown (its size)");
  EXPECT_EQ(text(isEmpty(arena, m.domain)), "no, it holds (0)");
  EXPECT_EQ(text(prove(m, m)), "equal\n  the maps are the same\n");
  OperandMap more{
      .map = m, .exact = false, .reason = "a reason", .leastRead = 7};
  EXPECT_EQ(text(*overRead(more)), "10 pairs, of which at least 7 are read");
}

} // namespace
} // namespace mercator::indexing
