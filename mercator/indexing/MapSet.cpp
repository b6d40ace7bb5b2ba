// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/MapSet.h"
#include "mercator/indexing/Prove.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;

MapSet MapSet::approximate(Map map, std::string reason) {
  MapSet set;
  set.maps.push_back({std::move(map), false, std::move(reason)});
  return set;
}

bool MapSet::isExact() const {
  return llvm::all_of(maps, [](const OperandMap &m) { return m.exact; });
}

/// True if the source of a runtime variable depends on a range variable: then it
/// has not one value for all elements that are read, and comparing relations for
/// every single value of it says too little.
static bool readsInRange(const Map &map) {
  for (const RuntimeVariable &v : map.domain.runtimes)
    for (Expr e : v.index)
      for (uint32_t i = 0; i < map.domain.ranges.size(); ++i)
        if (map.arena->uses(e, {VarKind::Range, i}))
          return true;
  return false;
}

static bool meanTheSame(const Map &a, const Map &b) {
  return a == b ||
         (!readsInRange(a) && !readsInRange(b) && sameMeaning(a, b));
}

bool MapSet::insert(OperandMap m) {
  if (m.map.isKnownEmpty() && !maps.empty())
    return false;
  if (maps.size() == 1 && maps.front().map.isKnownEmpty()) {
    maps.clear();
    maps.push_back(std::move(m));
    return true;
  }
  for (OperandMap &known : maps) {
    if (!meanTheSame(known.map, m.map))
      continue;
    // What one of them says is read in full, so the other does not exaggerate.
    if (known.exact || !m.exact)
      return false;
    known.exact = true;
    known.reason.clear();
    return true;
  }
  maps.push_back(std::move(m));
  return true;
}
