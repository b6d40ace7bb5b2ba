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

/// Adds values to a hash.
template <typename... T> static void addToHash(uint64_t &hash, T... values) {
  ((hash = (hash ^ uint64_t(values)) * 0x9e3779b97f4a7c15, hash ^= hash >> 29),
   ...);
}

static uint64_t hashOf(const OperandMap &m) {
  uint64_t hash = m.reason.empty() ? 0 : size_t(llvm::hash_value(m.reason));
  addToHash(hash, m.exact, m.leastRead, m.devices, m.map.domain.knownEmpty);
  const Domain &domain = m.map.domain;
  for (const Variable &v : domain.dims)
    addToHash(hash, v.bounds.lower, v.bounds.upper, v.name);
  for (const Variable &v : domain.ranges)
    addToHash(hash, v.bounds.lower, v.bounds.upper, v.name);
  for (const RuntimeVariable &v : domain.runtimes) {
    addToHash(hash, v.bounds.lower, v.bounds.upper, v.source, v.element);
    for (Expr e : v.index)
      addToHash(hash, e.getId());
  }
  for (const Constraint &c : domain.constraints)
    addToHash(hash, c.expr.getId(), c.bounds.lower, c.bounds.upper);
  for (Expr e : m.map.results)
    addToHash(hash, e.getId());
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
    addToHash(hash, hashOf(m));
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
  return &steps
              .try_emplace({nullptr, shape, shape},
                           EdgeMaps{shape, shape, /*isCopy=*/true})
              .first->second;
}

const EdgeMaps *EdgeMapsCache::edge(const MapSet &maps, const Shape *from,
                                    const Shape *to) {
  MapSet same = canonical(maps);
  return &steps
              .try_emplace({same.identity(), from, to},
                           EdgeMaps{from, to, /*isCopy=*/false, same})
              .first->second;
}

size_t EdgeMapsCache::ResultKeyHash::operator()(const ResultKey &q) const {
  uint64_t hash = 0;
  auto address = [](const void *p) { return reinterpret_cast<uintptr_t>(p); };
  addToHash(hash, address(q.from), address(q.to), address(q.edge),
            address(q.root), q.devices, q.fromIsFull, q.toIsFull);
  return hash;
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
