// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/kernels/Neighbors.h"

#include "mercator/indexing/map/IntervalAnalysis.h"

#include <map>
#include <set>

using namespace mercator;
using namespace mercator::access;
using namespace mercator::kernels;
using namespace mercator::indexing;

static constexpr int64_t kMostUnrolled = 32, kMostLoads = 256,
                         kMostVectorBytes = 16;

namespace {
/// Loads with one condition: bytes from a common base.
struct Offsets {
  Expr base = {}; ///< in bytes, without the offsets
  Domain domain;  ///< without the unrolled ranges
  std::set<int64_t> at = {};
};
} // namespace

/// The ranges that are unrolled, and the bytes of a step of each.
static std::vector<std::pair<Var, int64_t>>
unrolledRanges(const ThreadLoad &load, const LinearCopy &address) {
  Arena &arena = *load.map.arena;
  std::vector<std::pair<Var, int64_t>> unrolled;
  int64_t loads = 1;
  for (Term t : address.terms) {
    if (arena.kind(t.expr) != ExprKind::Variable)
      continue;
    Var v = arena.var(t.expr);
    if (v.kind != VarKind::Range || v.index < load.loops)
      continue;
    std::optional<int64_t> size = load.map.domain.bounds(v).size();
    auto isElsewhere = [&](Expr e) { return arena.uses(e, v); };
    bool isAlone =
        llvm::none_of(address.terms,
                      [&](const Term &other) {
                        return other.expr != t.expr && isElsewhere(other.expr);
                      }) &&
        llvm::none_of(load.map.domain.runtimes, [&](const RuntimeVariable &r) {
          return llvm::any_of(r.index, isElsewhere);
        });
    if (!size || *size > kMostUnrolled || loads * *size > kMostLoads ||
        !isAlone)
      continue;
    loads *= *size;
    unrolled.push_back({v, t.coefficient});
  }
  return unrolled;
}

/// The domain with the ranges at these values, without what then always holds.
static Domain domainAt(const ThreadLoad &load,
                       llvm::ArrayRef<std::pair<Var, int64_t>> values) {
  Arena &arena = *load.map.arena;
  Map map = load.map;
  llvm::SmallVector<Expr, 6> ranges(map.domain.ranges.size());
  for (auto [v, value] : values)
    ranges[v.index] = arena.constant(value);
  substitute(map, {.dims = {}, .ranges = ranges, .runtimes = {}});
  for (auto [v, value] : values)
    map.domain.ranges[v.index].bounds = {0, 0};
  Domain box = map.domain;
  box.constraints.clear();
  IntervalAnalysis analysis(arena, box);
  llvm::erase_if(map.domain.constraints, [&](const Constraint &c) {
    Interval interval = analysis.interval(c.expr);
    return interval.hasLower() && interval.hasUpper() &&
           c.bounds.contains(interval.lower) &&
           c.bounds.contains(interval.upper);
  });
  return map.domain;
}

static std::vector<Offsets> offsetsOf(const ThreadLoad &load) {
  Arena &arena = *load.map.arena;
  LinearCopy address =
      arena.linearCopy(load.layout.byteOf(arena, load.map.results));
  std::vector<std::pair<Var, int64_t>> unrolled = unrolledRanges(load, address);
  llvm::erase_if(address.terms, [&](const Term &t) {
    return llvm::any_of(unrolled, [&](auto &range) {
      return t.expr == arena.variable(range.first);
    });
  });
  Expr base = arena.sum(address.terms, 0);
  std::vector<Offsets> all;
  std::vector<std::pair<Var, int64_t>> values;
  for (auto [v, step] : unrolled)
    values.push_back({v, load.map.domain.bounds(v).lower});
  bool asks =
      llvm::any_of(load.map.domain.constraints, [&](const Constraint &c) {
        return llvm::any_of(unrolled, [&](auto &range) {
          return arena.uses(c.expr, range.first);
        });
      });
  for (bool isDone = false; !isDone;) {
    int64_t at = address.constant;
    for (size_t i = 0; i < values.size(); ++i)
      at += unrolled[i].second * values[i].second;
    if (all.empty() || asks) {
      Domain domain = domainAt(load, values);
      auto same = llvm::find_if(all, [&](const Offsets &other) {
        return other.domain.constraints == domain.constraints;
      });
      if (same == all.end())
        all.push_back({base, std::move(domain), {at}});
      else
        same->at.insert(at);
    } else {
      all.front().at.insert(at);
    }
    isDone = true;
    for (size_t i = values.size(); i-- > 0;) {
      Interval bounds = load.map.domain.bounds(values[i].first);
      if (values[i].second++ < bounds.upper) {
        isDone = false;
        break;
      }
      values[i].second = bounds.lower;
    }
  }
  return all;
}

std::vector<JoinedLoad>
kernels::joinNeighbors(llvm::ArrayRef<ThreadLoad> loads) {
  std::vector<JoinedLoad> joined;
  if (loads.empty())
    return joined;
  Arena &arena = *loads.front().map.arena;
  int64_t bytes = loads.front().layout.bits / 8;
  // Loads with one base; the first of each.
  std::vector<std::pair<size_t, Offsets>> groups;
  bool isJoined = false;
  for (auto [i, load] : llvm::enumerate(loads))
    for (Offsets &own : offsetsOf(load)) {
      bool isFound = false;
      for (auto &[first, group] : groups) {
        bool isSame = group.base == own.base &&
                      group.domain.dims == own.domain.dims &&
                      group.domain.constraints == own.domain.constraints &&
                      group.domain.runtimes == own.domain.runtimes &&
                      group.domain.ranges == own.domain.ranges;
        if (!isSame)
          continue;
        group.at.insert(own.at.begin(), own.at.end());
        isFound = true;
        break;
      }
      if (!isFound)
        groups.push_back({i, std::move(own)});
    }
  for (auto &[first, group] : groups) {
    Residue residue = IntervalAnalysis(arena, group.domain).residue(group.base);
    // The alignment that is known of base + offset, in bytes.
    auto isAligned = [&](int64_t offset, int64_t size) {
      bool isKnown = residue.modulus == 0 || residue.modulus % size == 0;
      return isKnown && (residue.remainder + offset) % size == 0;
    };
    for (auto it = group.at.begin(); it != group.at.end();) {
      int64_t start = *it, run = 0;
      for (auto next = it;
           next != group.at.end() && *next == start + run * bytes; ++next)
        ++run;
      int64_t vector = 1;
      for (int64_t size = kMostVectorBytes; size > bytes; size /= 2)
        if (size % bytes == 0 && size / bytes <= run &&
            isAligned(start, size)) {
          vector = size / bytes;
          break;
        }
      isJoined |= vector > 1;
      Map map(arena);
      map.domain = group.domain;
      map.domain.dims[1].bounds = Interval::ofSize(vector);
      LinearCopy base = arena.linearCopy(group.base);
      for (Term &t : base.terms) {
        if (t.coefficient % bytes != 0)
          return {};
        t.coefficient /= bytes;
      }
      if (start % bytes != 0)
        return {};
      map.results = {
          arena.add(arena.sum(base.terms, start / bytes), arena.dim(1))};
      joined.push_back({first, std::move(map), vector});
      std::advance(it, vector);
    }
  }
  if (!isJoined)
    joined.clear();
  return joined;
}
