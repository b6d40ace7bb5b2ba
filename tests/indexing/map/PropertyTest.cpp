// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The laws of the algebra on random maps. A failure prints the seed and the
// smallest failing map found.

#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "tests/Scale.h"

#include "tests/indexing/Equivalence.h"
#include "tests/indexing/MapText.h"
#include "tests/indexing/Minimize.h"
#include "tests/indexing/RandomMaps.h"

#include "llvm/Support/raw_ostream.h"

#include <map>

using mercator::cases;
using namespace mercator::indexing;

namespace {

using Failure = std::optional<std::string>;

/// Maps of two generators: one aims at the rules of the simplifier, the other
/// is broader and also divides by variables.
using PointRef = llvm::ArrayRef<int64_t>;

Map randomMap(Arena &arena, uint64_t seed) {
  if (seed % 2)
    return mercator::indexing::testing::RandomMaps(seed).map(arena, 6, 3);
  RandomMap random(seed);
  random.maxSize = 7;
  random.products = seed % 4 == 0;
  return random.map(arena);
}

/// Runs `failure` on `count` random maps.
void expectLaw(int count, Failure (*failure)(const Map &)) {
  for (int i = 0; i < count; ++i) {
    Arena arena;
    Map map = randomMap(arena, testSeed() + i);
    if (failure(map)) {
      FAIL() << minimize(map, failure) << "\nMERCATOR_SEED=" << testSeed() + i;
    }
  }
}

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

Failure simplifyChangesMeaning(const Map &map) {
  Map simpler = simplify(map, {.dropUnused = false});
  RandomMap random(1);
  return Equivalence(map, simpler, random).differencePointwise();
}

Failure simplifyMakesLarger(const Map &map) {
  for (bool drop : {false, true}) {
    Map simpler = simplify(map, {.dropUnused = drop});
    if (sizeOf(simpler) > sizeOf(map))
      return "size " + std::to_string(sizeOf(map)) + ", then " +
             std::to_string(sizeOf(simpler)) + ": " + toString(simpler);
  }
  return std::nullopt;
}

Failure normalFormChangesMeaning(const Map &map) {
  Map normal = simplify(map, {.dropUnused = false, .normalForm = true});
  RandomMap random(1);
  return Equivalence(map, normal, random).differencePointwise();
}

Failure simplifyIsNotIdempotent(const Map &map) {
  Map once = simplify(map), twice = simplify(once);
  if (once == twice)
    return std::nullopt;
  return "once:  " + toString(once) + "\ntwice: " + toString(twice);
}

Failure droppingChangesTheRelation(const Map &map) {
  // There is no law for points at which a constraint has no value.
  for (const Constraint &c : map.domain.constraints) {
    bool total = true;
    map.arena->forEachPostOrder(c.expr, [&](Expr e) {
      ExprKind kind = map.arena->kind(e);
      total &= (kind != ExprKind::Quotient && kind != ExprKind::Remainder &&
                kind != ExprKind::CeilDiv) ||
               map.arena->divisor(e) > 0;
    });
    if (!total)
      return std::nullopt;
  }
  RandomMap random(1);
  return Equivalence(map, simplify(map), random).differenceOfRelations();
}

/// As in `mercator simplify`: the proof must not find a difference.
Failure simplifyIsRefuted(const Map &map) {
  Map given = withOwnSources(map), simpler = simplify(given);
  Verdict verdict = prove(given, simpler, {.trustSimplifier = false});
  if (verdict.kind != Decision::Kind::No)
    return std::nullopt;
  std::string text = toString(simpler) + "\n";
  llvm::raw_string_ostream os(text);
  explain(os, verdict);
  return text;
}

Failure simplifyDependsOnTheArena(const Map &map) {
  // Both maps are parsed from text, which gives constraints one order.
  std::string text = toString(map);
  Arena other;
  ParseError error;
  auto original = parseMap(*map.arena, text, error);
  auto copy = parseMap(other, text, error);
  if (!original || !copy)
    return std::nullopt;
  std::string here = toString(simplify(*original));
  std::string there = toString(simplify(*copy));
  return here == there ? Failure() : "here:  " + here + "\nthere: " + there;
}

TEST(SimplifyProperty, KeepsTheMeaning) {
  expectLaw(40'000, simplifyChangesMeaning);
}
TEST(SimplifyProperty, TheNormalFormKeepsTheMeaning) {
  expectLaw(10'000, normalFormChangesMeaning);
}
TEST(SimplifyProperty, NeverMakesLarger) {
  expectLaw(20'000, simplifyMakesLarger);
}
TEST(SimplifyProperty, IsIdempotent) {
  expectLaw(20'000, simplifyIsNotIdempotent);
}
TEST(SimplifyProperty, DroppingVariablesKeepsTheRelation) {
  expectLaw(5'000, droppingChangesTheRelation);
}
TEST(SimplifyProperty, IsNotRefuted) { expectLaw(5'000, simplifyIsRefuted); }
TEST(SimplifyProperty, DependsOnTheMapAlone) {
  expectLaw(10'000, simplifyDependsOnTheArena);
}

/// The laws above are not tested in vain: simplification changes most maps, and
/// the random maps use every rule, except for one that needs two constraints on one
/// expression: the rows of rules/ prove it.
TEST(SimplifyProperty, TheRandomMapsUseTheRules) {
  std::map<std::string, int> uses;
  int changed = 0, count = 30'000;
  uint64_t points = 0;
  for (int i = 0; i < count; ++i) {
    Arena arena;
    Map map = randomMap(arena, i);
    RuleTrace trace;
    Map simpler = simplify(map, {.dropUnused = false, .trace = &trace});
    (void)simplify(map, {.trace = &trace}); // ranges
    changed += simpler != map;
    for (const RuleUse &use : trace)
      ++uses[ruleInfo(use.rule).name.str()];
    if (i % 10 == 0) {
      RandomMap random(i);
      Equivalence check(map, simpler, random);
      EXPECT_EQ(check.differencePointwise(), std::nullopt);
      points += check.pointsSeen;
    }
  }
  EXPECT_GT(changed, count / 2);
  EXPECT_GT(points, uint64_t(count));
  for (const RuleInfo &rule : allRules())
    if (rule.name != "ConstraintMerged")
      EXPECT_GT(uses[rule.name.str()], 0) << rule.name.str();
}

//===----------------------------------------------------------------------===//
// Intervals and residues
//===----------------------------------------------------------------------===//

Failure boundsMissAValue(const Map &map) {
  const Arena &arena = *map.arena;
  llvm::SmallVector<Expr, 16> all;
  for (llvm::ArrayRef<Expr> roots : {llvm::ArrayRef<Expr>(map.results)})
    for (Expr root : roots)
      arena.forEachPostOrder(root, [&](Expr e) { all.push_back(e); });
  for (const Constraint &c : map.domain.constraints)
    arena.forEachPostOrder(c.expr, [&](Expr e) { all.push_back(e); });

  IntervalAnalysis bounds(*map.arena, map.domain);
  llvm::SmallVector<Interval, 16> intervals;
  llvm::SmallVector<Residue, 16> residues, always;
  for (Expr e : all) {
    intervals.push_back(bounds.interval(e));
    residues.push_back(bounds.residue(e));
    always.push_back(map.arena->residue(e));
  }
  CompiledExprs program(arena, map.domain, all);
  std::vector<int64_t> storage(all.size() * PointBlock::kCapacity);
  std::vector<int64_t *> outputs;
  for (size_t i = 0; i < all.size(); ++i)
    outputs.push_back(storage.data() + i * PointBlock::kCapacity);
  Failure found;
  forEachBlock(arena, map.domain, 50'000, [&](const PointBlock &block) {
    if (bounds.isKnownEmpty()) {
      found = "a domain with points is known empty";
      return false;
    }
    uint8_t defined[PointBlock::kCapacity];
    bool allDefined = program.evaluate(block.size, block.coordinates.data(),
                                       outputs.data(), defined);
    for (size_t e = 0; e < all.size() && !found; ++e)
      for (size_t i = 0; i < block.size && !found; ++i) {
        int64_t value = outputs[e][i];
        if ((!allDefined && !defined[i]) ||
            (intervals[e].contains(value) && residues[e].contains(value) &&
             always[e].contains(value)))
          continue;
        std::ostringstream os;
        os << toString(arena, all[e], &map.domain) << " is " << value
           << ", not in [" << intervals[e].lower << ", " << intervals[e].upper
           << "] or not " << residues[e].remainder << " mod "
           << residues[e].modulus << " (anywhere " << always[e].remainder
           << " mod " << always[e].modulus << "), at";
        for (int64_t x : block.point(i))
          os << ' ' << x;
        found = os.str();
      }
    return !found;
  });
  return found;
}

TEST(IntervalAnalysisProperty, ContainEveryValue) {
  expectLaw(40'000, boundsMissAValue);
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

/// The point of a composition, where `point` ends with a value for each runtime
/// variable of the first map, then of the second. Nothing if a parameter of
/// both has two values.
std::optional<std::vector<int64_t>> pointOfComposition(const Domain &joined,
                                                       PointRef point) {
  size_t begin = point.size() - joined.runtimes.size();
  std::vector<int64_t> at(point.begin(), point.begin() + begin), parameters;
  std::map<uint32_t, int64_t> values;
  for (auto [i, v] : llvm::enumerate(joined.runtimes)) {
    int64_t value = point[begin + i];
    if (!v.isParameter)
      at.push_back(value);
    else if (auto [it, isNew] = values.try_emplace(v.source, value); isNew)
      parameters.push_back(value);
    else if (it->second != value)
      return std::nullopt;
  }
  llvm::append_range(at, parameters);
  return at;
}

/// compose(first, second) at (d, s1 s2, rt1 rt2) is second at (first at (d, s1,
/// rt1), s2, rt2), where both have the point.
Failure composeDisagrees(const Map &first, const Map &second) {
  Arena &arena = *first.arena;
  Map composed = compose(first, second);
  Domain box = first.domain;
  box.constraints.clear();
  llvm::append_range(box.ranges, second.domain.ranges);
  llvm::append_range(box.runtimes, second.domain.runtimes);
  size_t nd = first.numDims(), r1 = first.domain.ranges.size(),
         r2 = second.domain.ranges.size(), t1 = first.domain.runtimes.size();
  Failure found;
  forEachPoint(arena, box, 2'000, [&](PointRef p) {
    auto at = pointOfComposition(box, p);
    if (!at)
      return true;
    std::vector<int64_t> p1(p.begin(), p.begin() + nd + r1), p2;
    p1.insert(p1.end(), p.begin() + nd + r1 + r2,
              p.begin() + nd + r1 + r2 + t1);
    for (Expr e : first.results) {
      auto value = evaluate(arena, e, first.domain, p1);
      if (!value)
        return true;
      p2.push_back(*value);
    }
    p2.insert(p2.end(), p.begin() + nd + r1, p.begin() + nd + r1 + r2);
    p2.insert(p2.end(), p.begin() + nd + r1 + r2 + t1, p.end());
    bool expected =
        contains(arena, first.domain, p1) && contains(arena, second.domain, p2);
    bool got = contains(arena, composed.domain, *at);
    for (unsigned r = 0; r < second.numResults() && expected == got; ++r) {
      auto x = evaluate(arena, second.results[r], second.domain, p2);
      auto y = evaluate(arena, composed.results[r], composed.domain, *at);
      if (expected && x && x != y)
        got = !expected;
    }
    if (expected == got)
      return true;
    std::ostringstream os;
    os << "first:    " << toString(first) << "\nsecond:   " << toString(second)
       << "\ncomposed: " << toString(composed) << "\ndiffer at";
    for (int64_t x : p)
      os << ' ' << x;
    found = os.str();
    return false;
  });
  return found;
}

TEST(ComposeProperty, AgreesWithTwoEvaluations) {
  for (int i = 0; i < cases(15'000); ++i) {
    Arena arena;
    uint64_t seed = testSeed() + i;
    Map first = randomMap(arena, seed);
    RandomMap random(seed);
    random.maxSize = 5;
    Map second(arena);
    second.domain = random.domain(arena);
    second.domain.dims.clear();
    for (unsigned r = 0; r < first.numResults(); ++r)
      (void)second.domain.addDim(arena,
                                 {random.pick(-20, 2), random.pick(3, 60)});
    random.addConstraints(arena, second.domain);
    for (int64_t n = random.pick(0, 2); n > 0; --n)
      second.results.push_back(random.expr(arena, second.domain, 3));
    Failure failure = composeDisagrees(first, second);
    ASSERT_FALSE(failure) << *failure << "\nMERCATOR_SEED=" << seed;
  }
}

} // namespace
