// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of sums, beside enumeration.

#include "mercator/indexing/decide/SumValues.h"
#include "mercator/indexing/evaluate/PointWalk.h"

#include "tests/indexing/MapText.h"

#include <set>

namespace mercator::indexing {
namespace {

struct SumRow {
  const char *map;
  bool isRadix, isRegular;
};

TEST(SumValues, AgreeWithEnumeration) {
  const SumRow rows[] = {
      {"(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 12], d1 in [0, 7]", true,
       true},
      // Gaps between the digits.
      {"(d0, d1) -> (d0 * 8 + d1 + 5), domain: d0 in [-3, 2], d1 in [1, 4]",
       true, true},
      // A negative coefficient counts from the other bound.
      {"(d0, d1) -> (d0 * 10 - d1 + 3), domain: d0 in [-2, 3], d1 in [0, 6]",
       true, true},
      // The example of SumValues.h: two translates of a progression.
      {"(d0, d1, d2) -> (d0 * 8 + d1 * 4 + d2), domain: d0 in [0, 3], "
       "d1 in [0, 1], d2 in [0, 1]",
       true, true},
      // Digits overlap: a progression without gaps.
      {"(d0, d1) -> (d0 + d1), domain: d0 in [0, 3], d1 in [0, 2]", false,
       true},
      {"(d0, d1) -> (d0 * 2 + d1 * 6), domain: d0 in [0, 4], d1 in [0, 3]",
       false, true},
      // 0, 2, 3, 4, 5, 6, 7, 9: no progression.
      {"(d0, d1) -> (d0 * 2 + d1 * 3), domain: d0 in [0, 3], d1 in [0, 1]",
       false, false},
  };
  for (const SumRow &row : rows) {
    SCOPED_TRACE(row.map);
    Arena arena;
    Map m = mapOf(arena, row.map);
    System system = System::of(m.domain);
    auto digits = SumDigits::of(arena, arena.linear(m.results[0]), system);
    ASSERT_TRUE(digits);
    std::multiset<int64_t> values;
    Budget budget{.steps = 1000};
    PointWalk(arena, system, m.results)
        .run(budget, [&](auto, llvm::ArrayRef<int64_t> results) {
          values.insert(results[0]);
          return true;
        });
    ASSERT_EQ(digits->offset, *values.begin());
    size_t distinct = std::set<int64_t>(values.begin(), values.end()).size();

    EXPECT_EQ(digits->isRadix(), row.isRadix);
    if (row.isRadix) {
      EXPECT_EQ(distinct, values.size());
      for (int64_t end = *values.begin() - 2; end < *values.rbegin() + 3;
           ++end) {
        auto below = std::distance(values.begin(), values.upper_bound(end));
        EXPECT_EQ(digits->countUpTo(end), below) << end;
        EXPECT_EQ(digits->countIn({Interval::kMin, end}), below) << end;
        EXPECT_EQ(digits->countIn({end, end}), int64_t(values.count(end)));
      }
    }

    std::optional<Progression> p = valuesOf(*digits);
    EXPECT_EQ(p.has_value(), row.isRegular);
    if (p)
      EXPECT_EQ(p->size * p->copies, Int128(distinct));
  }
}

TEST(SumValues, NeedBoundedVariables) {
  for (const char *text : {"(d0) -> (d0), domain: d0 in [0, inf]",
                           "(d0) -> (d0 floordiv 2), domain: d0 in [0, 9]",
                           // The weight times the size exceeds the limit.
                           "(d0) -> (d0 * 4611686018427387904), "
                           "domain: d0 in [0, 4611686018427387904]"}) {
    Arena arena;
    Map m = mapOf(arena, text);
    EXPECT_FALSE(
        SumDigits::of(arena, arena.linear(m.results[0]), System::of(m.domain)))
        << text;
  }
}

} // namespace
} // namespace mercator::indexing
