// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache of steps: sets are canonicalized by hash, answers are looked up by
// identity.

#include "mercator/analysis/maps/EdgeMaps.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;

const Shape *EdgeMapsCache::shape(mlir::Type type) {
  const Shape *&known = shapes[type];
  if (!known)
    known = &*shapesBySizes.insert(sizesOf(type)).first;
  return known;
}

//===--- Sets -------------------------------------------------------------===//

static uint64_t hashOf(const OperandMap &m) {
  uint64_t hash = llvm::hash_value(m.reason);
  auto mix = [&](auto... values) {
    ((hash = (hash ^ uint64_t(values)) * 0x9e3779b97f4a7c15,
      hash ^= hash >> 29),
     ...);
  };
  mix(m.exact, m.leastRead, m.devices, m.map.domain.knownEmpty);
  const Domain &domain = m.map.domain;
  for (const Variable &v : domain.dims)
    mix(v.bounds.lower, v.bounds.upper, v.name);
  for (const Variable &v : domain.ranges)
    mix(v.bounds.lower, v.bounds.upper, v.name);
  for (const RuntimeVariable &v : domain.runtimes) {
    mix(v.bounds.lower, v.bounds.upper, v.source, v.element);
    for (Expr e : v.index)
      mix(e.getId());
  }
  for (const Constraint &c : domain.constraints)
    mix(c.expr.getId(), c.bounds.lower, c.bounds.upper);
  for (Expr e : m.map.results)
    mix(e.getId());
  return hash;
}

static bool isEqual(const OperandMap &a, const OperandMap &b) {
  return a.exact == b.exact && a.leastRead == b.leastRead &&
         a.devices == b.devices && a.reason == b.reason && a.map == b.map;
}

MapSet EdgeMapsCache::canonical(MapSet set) {
  if (set.empty())
    return {};
  uint64_t hash = set.size();
  for (const OperandMap &m : set)
    hash = llvm::hash_combine(hash, hashOf(m));
  auto [begin, end] = sets.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (it->second.identity() == set.identity() ||
        (it->second.size() == set.size() &&
         std::equal(set.begin(), set.end(), it->second.begin(), isEqual)))
      return it->second;
  return sets.insert({hash, std::move(set)})->second;
}

//===--- Steps ------------------------------------------------------------===//

const EdgeMaps *EdgeMapsCache::copy(const Shape *shape) {
  std::unique_ptr<EdgeMaps> &known = steps[{nullptr, shape, shape}];
  if (!known)
    known =
        std::make_unique<EdgeMaps>(EdgeMaps{shape, shape, /*isCopy=*/true, {}});
  return known.get();
}

const EdgeMaps *EdgeMapsCache::edge(const MapSet &maps, const Shape *from,
                                    const Shape *to) {
  MapSet same = canonical(maps);
  std::unique_ptr<EdgeMaps> &known = steps[{same.identity(), from, to}];
  if (!known)
    known =
        std::make_unique<EdgeMaps>(EdgeMaps{from, to, /*isCopy=*/false, same});
  return known.get();
}

size_t EdgeMapsCache::ResultKeyHash::operator()(const ResultKey &q) const {
  return llvm::hash_combine(q.from, q.to, q.edge, q.root, q.devices,
                            q.fromIsFull, q.toIsFull);
}

void EdgeMapsCache::take(Reads &reads, const Shape *root, const State &from,
                         const EdgeMaps &edge, State &to) {
  if (&from == &to || from.maps.empty())
    return;
  if (edge.isCopy && to.maps.empty()) {
    to = from;
    return;
  }
  ResultKey question{from.maps.identity(), to.maps.identity(), &edge,    root,
                     reads.devices,        from.isFull,        to.isFull};
  auto it = answers.find(question);
  if (it != answers.end() && reads.work + it->second.work <= reads.allowed) {
    reads.work += it->second.work;
    reads.devices = it->second.devices;
    to = it->second.now;
    return;
  }
  ++numComputed;
  uint64_t before = reads.work;
  State now = to;
  if (edge.isCopy)
    reads.add(from, now, *edge.to);
  else
    reads.compose(from, *edge.from, now, *edge.to, edge.maps);
  now.maps = canonical(std::move(now.maps));
  if (reads.work <= reads.allowed && it == answers.end()) {
    if (answers.size() == kMaxAnswers) {
      answers.clear();
      sets.clear();
    }
    answers.insert(
        {question, {from, to, now, reads.devices, reads.work - before}});
  }
  to = std::move(now);
}
