// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grouping of results into digits: tries r * size + s for neighboring results,
// and keeps it if simplifying removes their divisions.

#include "mercator/indexing/simplify/Digits.h"
#include "mercator/indexing/simplify/Simplify.h"

namespace mercator::indexing {

static bool divides(const Arena &arena, Expr root) {
  bool found = false;
  arena.forEachPostOrder(root, [&](Expr e) {
    ExprKind kind = arena.kind(e);
    found |= kind == ExprKind::Quotient || kind == ExprKind::Remainder ||
             kind == ExprKind::CeilDiv;
  });
  return found;
}

llvm::SmallVector<DigitGroup, 8> gatherDigits(const Map &map,
                                              llvm::ArrayRef<int64_t> sizes) {
  Arena &arena = *map.arena;
  Bounds bounds(arena, map.domain);
  llvm::SmallVector<DigitGroup, 8> groups;
  // Chains of digits are short. The limit keeps the time linear for many
  // results.
  constexpr size_t kLongest = 32;
  for (size_t i = 0; i < map.results.size();) {
    DigitGroup group{i, 1, map.results[i]};
    Expr number = map.results[i];
    size_t end = std::min(map.results.size(), i + kLongest);
    if (divides(arena, number))
      for (size_t k = i + 1; k < end; ++k) {
        if (!Interval::ofSize(sizes[k]).contains(
                bounds.interval(map.results[k])))
          break;
        number = simplify(
            arena, arena.add(arena.scale(number, sizes[k]), map.results[k]),
            map.domain);
        if (divides(arena, number))
          continue;
        group = {i, k + 1 - i, number};
        break;
      }
    groups.push_back(group);
    i += group.count;
  }
  return groups;
}

} // namespace mercator::indexing
