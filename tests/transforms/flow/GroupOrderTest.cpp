// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/maps/GroupOrder.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mercator;
using namespace mercator::flow;
using Between = GroupOrder::Between;

namespace {

//   a1 -> b1, b2 -> a2: the items form no circle, the groups would.
TEST(GroupOrder, GroupsThatNeedEachOther) {
  Dependences needs(4);
  constexpr unsigned a1 = 0, b2 = 1, b1 = 2, a2 = 3;
  needs.add(a1, b1);
  needs.add(b2, a2);
  GroupOrder order(needs);
  ASSERT_EQ(order.between(a1, a2).between, Between::Nothing);
  order.merge(a1, a2);
  EXPECT_EQ(order.find(a1), order.find(a2));
  EXPECT_EQ(order.between(b1, b2).between, Between::Something);
}

//   a -> c -> b
TEST(GroupOrder, NamesWhatIsBetween) {
  Dependences needs(3);
  needs.add(0, 1);
  needs.add(1, 2);
  needs.add(0, 2);
  GroupOrder order(needs);
  GroupOrder::Answer answer = order.between(0, 2);
  EXPECT_EQ(answer.between, Between::Something);
  EXPECT_EQ(answer.third, 1u);
}

//   a -> v -> b, and c reads v too: c comes after both.
TEST(GroupOrder, ViewsAreNotBetween) {
  Dependences needs(4);
  constexpr unsigned a = 0, v = 1, c = 2, b = 3;
  needs.addSource(a, v);
  needs.add(v, c);
  needs.add(v, b);
  GroupOrder order(needs);
  ASSERT_EQ(order.between(a, b).between, Between::Nothing);
  order.merge(a, b);
  EXPECT_TRUE(order.isConsistent());
  EXPECT_EQ(order.between(a, c).between, Between::Nothing);
}

//   a -> v -> b, where the offset of v needs d: {a, b} needs d.
TEST(GroupOrder, CopiesOfViewsNeedTheirOffsets) {
  Dependences needs(5);
  constexpr unsigned a = 0, e = 1, d = 2, v = 3, b = 4;
  needs.addSource(a, v);
  needs.add(e, d);
  needs.add(d, v);
  needs.add(v, b);
  GroupOrder order(needs);
  ASSERT_EQ(order.between(a, b).between, Between::Nothing);
  order.merge(a, b);
  EXPECT_TRUE(order.isConsistent());
  // e -> d -> {a, b}
  EXPECT_EQ(order.between(e, b).between, Between::Something);
}

/// The same by search of all groups, without an order.
class Slow {
public:
  explicit Slow(const Dependences &all)
      : needs(all), roots(needs.roots()), group(needs.size()) {
    for (unsigned i = 0; i < needs.size(); ++i)
      group[i] = i;
  }

  void merge(unsigned a, unsigned b) {
    unsigned gone = group[b], kept = group[a];
    llvm::replace(group, gone, kept);
  }
  bool hasCircle() const {
    std::vector<std::set<unsigned>> next(needs.size());
    for (const Dependences::Edge &edge : needs.edges) {
      unsigned to = group[edge.to];
      bool isCopied = roots[edge.from] != Dependences::kNone &&
                      group[roots[edge.from]] == to;
      if (!isCopied) {
        if (group[edge.from] != to)
          next[group[edge.from]].insert(to);
        continue;
      }
      for (unsigned view = edge.from; needs.source[view] != Dependences::kNone;
           view = needs.source[view])
        for (const Dependences::Edge &other : needs.edges)
          if (other.to == view && !other.isSource && group[other.from] != to)
            next[group[other.from]].insert(to);
    }
    std::vector<int> state(needs.size());
    auto visit = [&](auto &self, unsigned at) -> bool {
      if (state[at] != 0)
        return state[at] == 1;
      state[at] = 1;
      for (unsigned user : next[at])
        if (self(self, user))
          return true;
      state[at] = 2;
      return false;
    };
    for (unsigned i = 0; i < needs.size(); ++i)
      if (group[i] == i && visit(visit, i))
        return true;
    return false;
  }

private:
  Dependences needs;
  std::vector<unsigned> roots, group;
};

TEST(GroupOrder, AgreesWithASearchOfAllGroups) {
  int64_t merged = 0, refused = 0;
  for (int i = 0; i < cases(2'000); ++i) {
    uint64_t seed = testSeed() + uint64_t(i);
    std::mt19937_64 engine(seed);
    auto draw = [&](unsigned below) { return unsigned(engine() % below); };
    unsigned count = 3 + draw(22);
    Dependences needs(count);
    // Views, numbers (of which the offsets of views are made), and the rest, which
    // can be merged.
    std::vector<unsigned> numbers;
    std::vector<bool> isRest(count, true);
    for (unsigned item = 1; item < count; ++item) {
      unsigned kind = draw(4);
      isRest[item] = kind > 1;
      if (kind == 0)
        needs.addSource(draw(item), item);
      if (kind == 0 && !numbers.empty() && draw(2) == 0)
        needs.add(numbers[draw(numbers.size())], item);
      if (kind == 1)
        numbers.push_back(item);
      for (unsigned more = kind == 0 ? 0 : draw(4); more > 0; --more)
        needs.add(draw(item), item);
    }
    GroupOrder order(needs);
    Slow slow(needs);
    for (int tries = 0; tries < 60; ++tries) {
      unsigned a = draw(count), b = draw(count);
      if (order.find(a) == order.find(b) || !isRest[a] || !isRest[b])
        continue;
      Slow both = slow;
      both.merge(a, b);
      bool isLegal = order.between(a, b).between == Between::Nothing;
      ASSERT_EQ(isLegal, !both.hasCircle())
          << "seed " << seed << ", " << a << " and " << b;
      ++(isLegal ? merged : refused);
      if (!isLegal || draw(3) == 0)
        continue;
      order.merge(a, b);
      slow = both;
      ASSERT_TRUE(order.isConsistent())
          << "seed " << seed << ", after " << a << " and " << b;
    }
  }
  EXPECT_GT(merged, cases(2'000));
  EXPECT_GT(refused, cases(2'000));
}

} // namespace
