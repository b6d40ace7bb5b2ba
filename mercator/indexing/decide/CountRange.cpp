// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/decide/CountRange.h"

#include "mercator/indexing/decide/Footprint.h"
#include "mercator/indexing/decide/RangeReads.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "llvm/ADT/STLExtras.h"

namespace mercator::indexing {

/// Assignments that are tried one by one.
static constexpr int64_t kMostAssignments = 64;

bool isUniform(const Arena &arena, const Domain &domain, uint32_t runtime) {
  llvm::SmallVector<uint32_t, 4> work{runtime};
  llvm::SmallVector<bool, 8> seen(domain.runtimes.size());
  while (!work.empty()) {
    uint32_t i = work.pop_back_val();
    if (std::exchange(seen[i], true))
      continue;
    bool varies = false;
    for (Expr e : domain.runtimes[i].index)
      domain.forEachVar([&](Var v) {
        if (!arena.uses(e, v))
          return;
        varies |= v.kind != VarKind::Runtime;
        if (v.kind == VarKind::Runtime)
          work.push_back(v.index);
      });
    if (varies)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

RuntimeValues::RuntimeValues(llvm::ArrayRef<Map> given)
    : maps(given.begin(), given.end()) {
  auto isSame = [](const RuntimeVariable &a, const RuntimeVariable &b) {
    return a.source != 0 && a.source == b.source && a.element == b.element &&
           a.index == b.index;
  };
  for (auto [m, map] : llvm::enumerate(maps))
    for (auto [i, v] : llvm::enumerate(map.domain.runtimes)) {
      varies |= !isUniform(*map.arena, map.domain, i) ||
                llvm::any_of(v.index, [&](Expr e) {
                  return !map.arena->isConstant(e); // read at a runtime index
                });
      auto known = llvm::find_if(
          variables, [&](const Variable &x) { return isSame(x.read, v); });
      if (known == variables.end()) {
        variables.push_back({v, {}});
        known = std::prev(variables.end());
      }
      Interval &hull = known->read.bounds;
      hull = {std::min(hull.lower, v.bounds.lower),
              std::max(hull.upper, v.bounds.upper)};
      known->uses.push_back({m, i});
    }
}

std::optional<int64_t> RuntimeValues::count(int64_t most) const {
  int64_t n = 1;
  for (const Variable &v : variables) {
    std::optional<int64_t> size = v.read.bounds.size();
    if (!size || __builtin_mul_overflow(n, *size, &n) || n > most)
      return std::nullopt;
  }
  return varies ? std::nullopt : std::optional(n);
}

std::vector<Map> RuntimeValues::at(int64_t number) const {
  std::vector<Map> chosen = maps;
  for (const Variable &v : variables) {
    int64_t size = *v.read.bounds.size(),
            value = v.read.bounds.lower + number % size;
    number /= size;
    for (auto [m, i] : v.uses) {
      Interval &own = chosen[m].domain.runtimes[i].bounds;
      own = Interval::point(std::clamp(value, own.lower, own.upper));
    }
  }
  for (Map &map : chosen)
    map = simplify(map);
  return chosen;
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

namespace {
/// Counts elements, or pairs if `withDims`.
class Ranges {
public:
  Ranges(bool withDims, Budget budget) : withDims(withDims), budget(budget) {}

  CountRange of(const MapSet &given);

private:
  CountRange ofOne(const Map &map);
  Count ofUnion(llvm::ArrayRef<Map> maps) const;
  std::optional<CountRange> byValues(llvm::ArrayRef<Map> maps) const;
  CountRange bySum(llvm::ArrayRef<Map> maps);

  bool withDims;
  Budget budget;
};

bool usesRuntimes(const Map &map, Expr e) {
  for (uint32_t i = 0; i < map.domain.runtimes.size(); ++i)
    if (map.arena->uses(e, {VarKind::Runtime, i}))
      return true;
  return false;
}

bool usesOthers(const Map &map, Expr e) {
  bool uses = false;
  map.domain.forEachVar([&](Var v) {
    uses |= v.kind != VarKind::Runtime && map.arena->uses(e, v);
  });
  return uses;
}

/// The map without runtime variables, if a value of them only moves the
/// elements.
std::optional<Map> unmoved(const Map &map) {
  Map rest = map;
  for (const Constraint &c : map.domain.constraints)
    if (usesRuntimes(map, c.expr))
      return std::nullopt;
  for (Expr &e : rest.results) {
    LinearCopy linear = map.arena->linearCopy(e);
    for (const Term &t : linear.terms)
      if (usesRuntimes(map, t.expr) && usesOthers(map, t.expr))
        return std::nullopt;
    llvm::erase_if(linear.terms,
                   [&](const Term &t) { return usesRuntimes(map, t.expr); });
    e = map.arena->sum(linear.terms, linear.constant);
  }
  rest.domain.runtimes.clear();
  return rest;
}

/// The number of points of the dimensions and ranges. A value of the runtime
/// variables may exclude some of them, so this is an upper bound.
Count pointsWithoutRuntimes(const Map &map, Budget budget) {
  Domain domain = map.domain;
  llvm::erase_if(domain.constraints, [&](const Constraint &c) {
    return usesRuntimes(map, c.expr);
  });
  domain.runtimes.clear();
  return countPoints(*map.arena, domain, budget);
}

bool allUniform(const Map &map) {
  for (uint32_t i = 0; i < map.domain.runtimes.size(); ++i)
    if (!isUniform(*map.arena, map.domain, i))
      return false;
  return true;
}

/// True if no d is in the boxes of two maps.
bool areApart(llvm::ArrayRef<Map> maps) {
  for (size_t i = 0; i < maps.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (maps[i].numDims() != maps[k].numDims() ||
          llvm::none_of(
              llvm::zip_equal(maps[i].domain.dims, maps[k].domain.dims),
              [](auto pair) {
                auto [a, b] = pair;
                return a.bounds.intersect(b.bounds).isEmpty();
              }))
        return false;
  return true;
}

Count smaller(const Count &a, const Count &b) {
  if (a.exact() && b.exact())
    return *a.exact() <= *b.exact() ? a : b;
  return a.exact() ? a : b;
}

Count sumOf(const Count &a, const Count &b) {
  Count sum = a;
  if (!a.exact() || !b.exact())
    return a.exact() ? b : a;
  if (__builtin_add_overflow(a.value, b.value, &sum.value))
    return {Count::Kind::TooLarge};
  return sum;
}

constexpr const char *kByValue = "the values of runtime variables decide";
} // namespace

Count Ranges::ofUnion(llvm::ArrayRef<Map> maps) const {
  MapSet set;
  for (const Map &map : maps) {
    Map counted = map;
    for (uint32_t i = 0; withDims && i < map.numDims(); ++i)
      counted.results.push_back(map.arena->dim(i));
    set.insert({std::move(counted)});
  }
  return countUnion(set, budget);
}

/// One assignment after the other.
std::optional<CountRange> Ranges::byValues(llvm::ArrayRef<Map> maps) const {
  RuntimeValues values(maps);
  std::optional<int64_t> count = values.count(kMostAssignments);
  if (!count)
    return std::nullopt;
  CountRange range{Interval::kMax, {Count::Kind::Exact, 0}};
  for (int64_t i = 0; i < *count; ++i) {
    Count own = ofUnion(values.at(i));
    if (!own.exact())
      return std::nullopt;
    range.least = std::min(range.least, own.value);
    range.most.value = std::max(range.most.value, own.value);
  }
  if (!range.isExact())
    range.reason = kByValue;
  return range;
}

CountRange Ranges::ofOne(const Map &map) {
  if (map.domain.runtimes.empty()) {
    Count own = ofUnion({map});
    return {own.exact().value_or(0), own};
  }
  std::optional<Map> rest = unmoved(map);
  bool isSame = rest && (withDims ? !readsAtRanges(map) : allUniform(map));
  if (isSame)
    if (Count own = ofUnion({*rest}); own.exact())
      return {own.value, own};
  return {0, smaller(ofUnion({map}), pointsWithoutRuntimes(map, budget)),
          kByValue};
}

/// Two maps give one element at d where their results are equal:
///   |A + B| = |A| + |B| - |{ d : A(d) = B(d) }|
static std::optional<int64_t> countBoth(const Map &a, const Map &b,
                                        Budget budget) {
  if (!a.domain.ranges.empty() || !b.domain.ranges.empty() ||
      !a.domain.runtimes.empty() || !b.domain.runtimes.empty() ||
      a.numDims() != b.numDims())
    return std::nullopt;
  Domain both = a.domain;
  for (auto [x, y] : llvm::zip_equal(both.dims, b.domain.dims))
    x.bounds = x.bounds.intersect(y.bounds);
  llvm::append_range(both.constraints, b.domain.constraints);
  for (auto [x, y] : llvm::zip_equal(a.results, b.results))
    both.addConstraint(a.arena->sub(x, y), Interval::point(0));
  std::optional<int64_t> first =
                             countPoints(*a.arena, a.domain, budget).exact(),
                         second =
                             countPoints(*a.arena, b.domain, budget).exact(),
                         common = countPoints(*a.arena, both, budget).exact();
  int64_t sum;
  if (!first || !second || !common ||
      __builtin_add_overflow(*first, *second, &sum))
    return std::nullopt;
  return sum - *common;
}

/// Each map alone.
CountRange Ranges::bySum(llvm::ArrayRef<Map> maps) {
  CountRange sum{0, {Count::Kind::Exact, 0}};
  bool addsUp = withDims && areApart(maps);
  for (const Map &map : maps) {
    CountRange own = ofOne(map);
    sum.least = addsUp ? sumOf({Count::Kind::Exact, sum.least},
                               {Count::Kind::Exact, own.least})
                             .value
                       : std::max(sum.least, own.least);
    sum.most = sumOf(sum.most, own.most);
    if (sum.reason.empty())
      sum.reason = own.reason;
  }
  if (maps.size() > 1 && !addsUp && sum.reason.empty())
    sum.reason = "what two maps give may count twice";
  return sum;
}

CountRange Ranges::of(const MapSet &given) {
  std::vector<Map> maps;
  bool isExact = true, hasRuntimes = false;
  std::string reason;
  for (const OperandMap &m : given) {
    Map map = simplify(m.map);
    if (map.isKnownEmpty())
      continue;
    if (!m.exact && isExact)
      reason = m.reason;
    isExact &= m.exact;
    hasRuntimes |= !map.domain.runtimes.empty();
    maps.push_back(std::move(map));
  }
  CountRange range{0, {Count::Kind::Exact, 0}};
  if (maps.empty())
    return range;
  for (const Map &map : maps)
    if (map.numResults() != maps.front().numResults())
      return {0, Count::unknown(kOtherDevices), kOtherDevices};
  Count together = ofUnion(maps); // over all values
  std::optional<CountRange> found;
  if (!together.exact() && withDims && maps.size() == 2)
    if (auto both = countBoth(maps[0], maps[1], budget))
      together = {Count::Kind::Exact, *both};
  if (!hasRuntimes && together.exact())
    found = CountRange{together.value, together};
  else if (hasRuntimes)
    found = byValues(maps);
  if (!found) {
    found = bySum(maps);
    found->most = smaller(found->most, together);
  }
  range = *found;
  if (!isExact) {
    range.least = 0;
    range.reason = reason;
  }
  if (range.isExact())
    range.reason.clear();
  else if (range.reason.empty())
    range.reason = kByValue;
  return range;
}

CountRange countElements(const MapSet &maps, Budget budget) {
  return Ranges(/*withDims=*/false, budget).of(maps);
}

CountRange countReads(const MapSet &maps, Budget budget) {
  return Ranges(/*withDims=*/true, budget).of(maps);
}

} // namespace mercator::indexing
