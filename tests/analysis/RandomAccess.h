// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random shapes, layouts, and maps of the kinds that operations have: turned,
// shifted, strided, reversed and repeated dimensions, windows, reshapes, and
// parts that are not read.

#ifndef MERCATOR_TESTS_ANALYSIS_RANDOMACCESS_H
#define MERCATOR_TESTS_ANALYSIS_RANDOMACCESS_H

#include "mercator/indexing/map/Map.h"

#include <algorithm>
#include <random>
#include <vector>

namespace mercator::indexing {

class RandomAccess {
public:
  explicit RandomAccess(uint64_t seed) : random(seed * 77 + 5) {}

  int64_t between(int64_t a, int64_t b) {
    return a + int64_t(random() % uint64_t(b - a + 1));
  }

  /// Row-major, or any other order.
  std::vector<int64_t> order(size_t rank) {
    std::vector<int64_t> order;
    for (size_t i = rank; i-- > 0;)
      order.push_back(i);
    if (between(0, 2) == 0)
      std::shuffle(order.begin(), order.end(), random);
    return order;
  }

  /// A map from a tensor of these sizes, and the shape that holds its results.
  Map map(Arena &arena, const std::vector<int64_t> &sizes,
          std::vector<int64_t> &shape) {
    Map map(arena);
    for (int64_t size : sizes)
      (void)map.domain.addDim(arena, Interval::ofSize(size));
    for (int64_t i = between(0, 2); i > 1; --i)
      (void)map.domain.addRange(arena, Interval::ofSize(between(1, 6)));
    for (int64_t i = between(0, 3); i > 0; --i) {
      auto [e, extent] = index(arena, map.domain);
      map.results.push_back(e);
      shape.push_back(extent);
    }
    if (between(0, 3) == 0 && !map.results.empty() && shape[0] > 2)
      map.domain.addConstraint(map.results[0], {1, shape[0] - 1});
    return map;
  }

private:
  std::pair<Expr, int64_t> index(Arena &arena, const Domain &domain) {
    std::vector<std::pair<Expr, int64_t>> vars;
    domain.forEachVar([&](Var v) {
      vars.push_back({arena.variable(v), *domain.bounds(v).size()});
    });
    if (vars.empty() || between(0, 7) == 0)
      return {arena.constant(between(0, 3)), 4};
    auto [x, size] = vars[between(0, vars.size() - 1)];
    auto [y, other] = vars[between(0, vars.size() - 1)];
    int64_t k = between(1, 3);
    switch (between(0, 6)) {
    case 0:
      return {arena.sub(arena.constant(size - 1), x), size};
    case 1:
      return {arena.add(arena.scale(x, k), 1), size * k + 2};
    case 2:
      return {arena.floorDiv(x, k + 1), size};
    case 3:
      return {arena.mod(x, k + 1), k + 1};
    case 4: // a window, or a collapsed pair of dimensions
      return {arena.add(x, arena.scale(y, k)), size + other * k};
    default:
      return {x, size};
    }
  }

  std::mt19937_64 random;
};

} // namespace mercator::indexing

#endif // MERCATOR_TESTS_ANALYSIS_RANDOMACCESS_H
