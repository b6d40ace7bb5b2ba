// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries on one of two compared maps, by walks over its points (System.h) and
// by emptiness of its domain with the element fixed (Emptiness.h).

#include "mercator/indexing/decide/Sampled.h"

namespace mercator::indexing {

namespace {
/// Runtimes before ranges, so that fixed outer variables are a prefix.
System outerFirst(const Domain &domain) {
  System s;
  auto add = [&](VarKind kind, const auto &list) {
    for (uint32_t i = 0; i < list.size(); ++i) {
      s.vars.push_back({kind, i});
      s.bounds.push_back(list[i].bounds);
    }
  };
  add(VarKind::Dim, domain.dims);
  add(VarKind::Runtime, domain.runtimes);
  add(VarKind::Range, domain.ranges);
  s.constraints.assign(domain.constraints.begin(), domain.constraints.end());
  return s;
}
} // namespace

Side::Side(const Map &m)
    : map(m), system(outerFirst(m.domain)), walk(*m.arena, system, m.results) {}

std::optional<int64_t> Side::rangeBox() const {
  System ranges;
  ranges.bounds.assign(system.bounds.begin() + numOuter(), system.bounds.end());
  return ranges.boxSize();
}

bool Side::inBox(llvm::ArrayRef<int64_t> outer) const {
  for (size_t i = 0; i < outer.size(); ++i)
    if (!system.bounds[i].contains(outer[i]))
      return false;
  return !map.isKnownEmpty();
}

PointWalk::End Side::forEachRead(llvm::ArrayRef<int64_t> outer, int64_t &fuel,
                                 PointWalk::Visitor visit) {
  if (!inBox(outer))
    return PointWalk::End::Complete;
  llvm::SmallVector<Interval, 12> at(system.bounds.begin(),
                                     system.bounds.end());
  for (size_t i = 0; i < outer.size(); ++i)
    at[i] = Interval::point(outer[i]);
  return walk.run(at, fuel, visit);
}

std::optional<llvm::SmallVector<int64_t, 6>>
Side::elementAt(llvm::ArrayRef<int64_t> outer, llvm::ArrayRef<int64_t> ranges) {
  std::optional<llvm::SmallVector<int64_t, 6>> element;
  if (!inBox(outer))
    return element;
  llvm::SmallVector<Interval, 12> at;
  for (int64_t x : outer)
    at.push_back(Interval::point(x));
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (!system.bounds[numOuter() + i].contains(ranges[i]))
      return element;
    at.push_back(Interval::point(ranges[i]));
  }
  int64_t fuel = at.size() + 1;
  walk.run(at, fuel, [&](auto, llvm::ArrayRef<int64_t> values) {
    element.emplace(values.begin(), values.end());
    return false;
  });
  return element;
}

EmptinessAnswer Side::whoReads(llvm::ArrayRef<int64_t> outer,
                               llvm::ArrayRef<int64_t> element) {
  EmptinessAnswer answer{Tri::Yes};
  constexpr int64_t kFewSteps = 4096;
  if (rangeBox().value_or(Interval::kMax) <= kFewSteps / 4) {
    int64_t fuel = kFewSteps * 4 + outer.size();
    auto end = forEachRead(outer, fuel, [&](auto values, auto read) {
      if (read != element)
        return true;
      answer.empty = Tri::No;
      values = values.drop_front(numOuter());
      answer.witness.assign(values.begin(), values.end());
      return false;
    });
    if (end == PointWalk::End::Complete || end == PointWalk::End::Stopped)
      return answer;
    if (end == PointWalk::End::Undefined)
      return {Tri::Unknown, {}, "a division by zero or a value outside int64"};
  }
  if (!inBox(outer))
    return answer;
  Arena &arena = *map.arena;
  Domain domain = map.domain;
  for (size_t i = 0; i < map.numDims(); ++i)
    domain.dims[i].bounds = Interval::point(outer[i]);
  for (size_t i = 0; i < domain.runtimes.size(); ++i)
    domain.runtimes[i].bounds = Interval::point(outer[map.numDims() + i]);
  for (size_t i = 0; i < element.size(); ++i)
    domain.addConstraint(map.results[i], Interval::point(element[i]));
  answer = isEmpty(arena, domain, {.maxSteps = kFewSteps});
  if (answer.empty == Tri::No) {
    auto begin = answer.witness.begin() + map.numDims();
    answer.witness = llvm::SmallVector<int64_t, 8>(begin, begin + numRanges());
  }
  return answer;
}

} // namespace mercator::indexing
