// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/MapSet.h"
#include "mercator/indexing/Prove.h"
#include "mercator/indexing/Simplify.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;

MapSet MapSet::approximate(Map map, std::string reason, int64_t leastRead) {
  MapSet set;
  set.maps.push_back({std::move(map), false, std::move(reason), leastRead});
  return set;
}

MapSet MapSet::acrossDevices(Map map, int64_t devices, std::string reason) {
  MapSet set;
  bool exact = reason.empty();
  set.maps.push_back({.map = std::move(map),
                      .exact = exact,
                      .reason = std::move(reason),
                      .devices = devices});
  return set;
}

bool MapSet::isExact() const {
  return llvm::all_of(maps, [](const OperandMap &m) { return m.exact; });
}

/// True if the source of a runtime variable depends on a range variable: then
/// it has not one value for all elements that are read, and comparing relations
/// for every single value of it says too little.
static bool readsInRange(const Map &map) {
  for (const RuntimeVariable &v : map.domain.runtimes)
    for (Expr e : v.index)
      for (uint32_t i = 0; i < map.domain.ranges.size(); ++i)
        if (map.arena->uses(e, {VarKind::Range, i}))
          return true;
  return false;
}

/// A number made from the box and from what is known of each result.
static uint64_t boundsSignature(const Map &given) {
  Map map = simplify(given); // what is written otherwise has other bounds
  uint64_t hash = 0xcbf29ce484222325;
  auto mix = [&](Interval x) {
    for (uint64_t bound : {uint64_t(x.lower), uint64_t(x.upper)})
      hash = (hash ^ bound ^ (hash >> 29)) * 0x9e3779b97f4a7c15;
  };
  for (const Variable &v : map.domain.dims)
    mix(v.bounds);
  Bounds bounds(*map.arena, map.domain);
  for (Expr e : map.results)
    mix(bounds.interval(e));
  return hash;
}

uint64_t MapSet::signature(size_t i) {
  while (signatures.size() <= i)
    signatures.push_back(boundsSignature(maps[signatures.size()].map));
  return signatures[i];
}

bool MapSet::insert(OperandMap m) {
  if (m.map.isKnownEmpty() && !maps.empty())
    return false;
  if (maps.size() == 1 && maps.front().map.isKnownEmpty()) {
    maps.clear();
    signatures.clear();
  }
  size_t same = 0;
  while (same < maps.size() && !(maps[same].map == m.map))
    ++same;
  maps.push_back(std::move(m));
  size_t last = maps.size() - 1;
  if (same == last && last > 0 && !readsInRange(maps[last].map))
    for (same = 0; same < last; ++same)
      if (signature(same) == signature(last) && !readsInRange(maps[same].map) &&
          sameMeaning(maps[same].map, maps[last].map))
        break;
  if (same == last)
    return true;
  // What one of the two says is read in full, so the other does not exaggerate.
  bool becomesExact = !maps[same].exact && maps[last].exact;
  if (becomesExact) {
    maps[same].exact = true;
    maps[same].reason.clear();
  }
  if (!maps[same].exact)
    maps[same].leastRead = std::max(maps[same].leastRead, maps[last].leastRead);
  maps.pop_back();
  signatures.truncate(std::min(signatures.size(), maps.size()));
  return becomesExact;
}
