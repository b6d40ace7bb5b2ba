// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All points of a domain, as Evaluate.h defines them: a constraint without a
// value excludes the point.
//
//   forEachPoint(arena, domain, 1'000'000, [&](llvm::ArrayRef<int64_t> point) {
//     ...                      // dims, ranges, runtimes
//     return true;             // false stops
//   });

#ifndef MERCATOR_TESTS_INDEXING_POINTS_H
#define MERCATOR_TESTS_INDEXING_POINTS_H

#include "mercator/indexing/evaluate/CompiledExprs.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/evaluate/PointWalk.h"

#include <vector>

namespace mercator::indexing {

/// The expressions of the constraints.
inline llvm::SmallVector<Expr, 8> constrained(const Domain &domain) {
  llvm::SmallVector<Expr, 8> exprs;
  for (const Constraint &c : domain.constraints)
    exprs.push_back(c.expr);
  return exprs;
}

/// Calls f on the points of the domain in lexicographic order, for at most
/// `steps` values tried.
inline PointWalk::End
forEachPoint(const Arena &arena, const Domain &domain, int64_t steps,
             llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> f) {
  System system = System::of(domain);
  // A walk ends where a constraint has no value, so the definition decides.
  bool isDefined = CompiledExprs(arena, domain, constrained(domain)).isProven();
  if (!isDefined)
    system.constraints.clear();
  Budget budget{.steps = steps};
  return PointWalk(arena, system)
      .run(budget, [&](llvm::ArrayRef<int64_t> point, auto) {
        return (!isDefined && !contains(arena, domain, point)) || f(point);
      });
}

/// Points side by side: coordinate v of point i is columns[v][i].
struct PointBlock {
  static constexpr size_t kCapacity = 256;
  size_t size = 0;
  std::vector<std::vector<int64_t>> columns;
  std::vector<const int64_t *> coordinates;

  explicit PointBlock(size_t numVars) {
    columns.assign(numVars, std::vector<int64_t>(kCapacity));
    for (const auto &column : columns)
      coordinates.push_back(column.data());
  }
  [[nodiscard]] std::vector<int64_t> point(size_t i) const {
    std::vector<int64_t> values;
    for (const auto &column : columns)
      values.push_back(column[i]);
    return values;
  }
};

/// The same in blocks of 1 to `PointBlock::kCapacity` points.
inline PointWalk::End
forEachBlock(const Arena &arena, const Domain &domain, int64_t steps,
             llvm::function_ref<bool(const PointBlock &)> f) {
  PointBlock block(domain.numVars());
  auto flush = [&] {
    bool goesOn = block.size == 0 || f(block);
    block.size = 0;
    return goesOn;
  };
  auto end = forEachPoint(arena, domain, steps, [&](auto point) {
    for (size_t v = 0; v < point.size(); ++v)
      block.columns[v][block.size] = point[v];
    return ++block.size < PointBlock::kCapacity || flush();
  });
  if (end == PointWalk::End::Stopped || flush())
    return end;
  return PointWalk::End::Stopped;
}

} // namespace mercator::indexing

#endif // MERCATOR_TESTS_INDEXING_POINTS_H
