// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Same input, same output: results do not depend on the other contents of an
// arena, or on the order in which it was filled.

#include "mercator/indexing/decide/MapSet.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "tests/Scale.h"

#include "tests/indexing/MapText.h"
#include "tests/indexing/RandomMaps.h"

namespace mercator::indexing {
namespace {

using namespace mercator::indexing::testing;

TEST(Determinism, SimplifyingDoesNotDependOnTheArena) {
  for (uint64_t seed = 0; seed < cases(5'000); ++seed) {
    std::string text;
    {
      Arena arena;
      text = toString(RandomMaps(seed).map(arena, 6, 3));
    }
    Arena fresh, used;
    (void)simplify(RandomMaps(seed + 1000000).map(used, 6, 3));
    ASSERT_EQ(toString(simplify(mapOf(fresh, text))),
              toString(simplify(mapOf(used, text))))
        << "seed " << seed << "\n"
        << text;
  }
}

// An arena remembers what simplification made of a domain.
TEST(Determinism, SimplifyingDoesNotDependOnEarlierDomains) {
  for (uint64_t seed = 0; seed < cases(5'000); ++seed) {
    Arena used;
    Map map = RandomMaps(seed).map(used, 6, 3);
    RandomMaps(seed + 1).constrain(used, map.domain, 4, 2);
    std::string first = toString(simplify(map));
    EXPECT_EQ(first, toString(simplify(map))) << "seed " << seed;
    // The constraints less the last ones: a contradiction goes away.
    for (Map part = map; !part.domain.constraints.empty();) {
      part.domain.constraints.pop_back();
      part.domain.knownEmpty = false;
      Arena fresh;
      ASSERT_EQ(toString(simplify(mapOf(fresh, toString(part)))),
                toString(simplify(part)))
          << "seed " << seed << "\n"
          << toString(part);
    }
  }
}

TEST(Determinism, SetsKeepInsertionOrder) {
  auto setOf = [](bool used) {
    Arena arena;
    if (used)
      (void)RandomMaps(7).map(arena, 6, 3);
    MapSet set;
    for (uint64_t seed = 0; seed < 50; ++seed)
      set.insert({simplify(RandomMaps(seed).map(arena, 6, 2))});
    std::string text;
    for (const OperandMap &m : set)
      text += toString(m.map) + "\n";
    return text;
  };
  EXPECT_EQ(setOf(false), setOf(true));
}

} // namespace
} // namespace mercator::indexing
