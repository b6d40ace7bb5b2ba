// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/MapSet.h"

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

bool MapSet::insert(OperandMap m) {
  if (m.map.isKnownEmpty() && !maps.empty())
    return false;
  if (maps.size() == 1 && maps.front().map.isKnownEmpty())
    maps.clear();
  for (OperandMap &known : maps) {
    if (!(known.map == m.map))
      continue;
    // What one says is read in full, the other cannot exaggerate.
    if (known.exact || !m.exact)
      return false;
    known.exact = true;
    known.reason.clear();
    return true;
  }
  maps.push_back(std::move(m));
  return true;
}
