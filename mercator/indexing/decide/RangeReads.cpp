// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/decide/RangeReads.h"

using namespace mercator::indexing;

bool mercator::indexing::readsAtRanges(const Map &map) {
  for (const RuntimeVariable &v : map.domain.runtimes)
    for (Expr e : v.index)
      for (uint32_t i = 0; i < map.domain.ranges.size(); ++i)
        if (map.arena->uses(e, {VarKind::Range, i}))
          return true;
  return false;
}
