// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumeration of points: backtracking over all variables but the last, blocks
// over the last. Constraints are sorted by the last variable that they use.

#include "mercator/indexing/evaluate/Enumerate.h"
#include "mercator/indexing/evaluate/Program.h"

namespace mercator::indexing {

namespace {
class Enumerator {
public:
  Enumerator(const Arena &arena, const Domain &domain, uint64_t limit,
             llvm::function_ref<bool(const PointBlock &)> f);
  Enumeration run();

private:
  bool nextPrefix();
  bool addRuns();
  bool flush();

  /// A variable, and the constraints that are decided once it has a value.
  struct Level {
    Interval bounds;
    std::optional<Membership> constraints;
  };

  llvm::function_ref<bool(const PointBlock &)> f;
  uint64_t stepsLeft;
  std::vector<Level> levels;
  std::vector<int64_t> point; ///< always in the box
  /// The columns of the current block, and pointers to them.
  std::vector<int64_t> storage;
  llvm::SmallVector<int64_t *, 16> columns;
  size_t filled = 0;
  Enumeration outcome = Enumeration::Done;
};
} // namespace

Enumerator::Enumerator(const Arena &arena, const Domain &domain, uint64_t limit,
                       llvm::function_ref<bool(const PointBlock &)> f)
    : f(f), stepsLeft(limit) {
  llvm::SmallVector<Var, 16> vars;
  domain.forEachVar([&](Var v) {
    vars.push_back(v);
    levels.push_back({domain.bounds(v), std::nullopt});
    point.push_back(domain.bounds(v).lower);
  });
  if (vars.empty())
    levels.push_back({Interval::point(0), std::nullopt});
  std::vector<llvm::SmallVector<Constraint, 2>> byLevel(levels.size());
  for (const Constraint &c : domain.constraints) {
    size_t level = levels.size() - 1;
    while (level > 0 && !arena.uses(c.expr, vars[level]))
      --level;
    byLevel[level].push_back(c);
  }
  Domain part = domain;
  for (size_t i = 0; i < levels.size(); ++i) {
    if (byLevel[i].empty())
      continue;
    part.constraints.assign(byLevel[i].begin(), byLevel[i].end());
    levels[i].constraints.emplace(arena, part);
  }
  storage.resize(point.size() * PointBlock::kCapacity);
  for (size_t v = 0; v < point.size(); ++v)
    columns.push_back(storage.data() + v * PointBlock::kCapacity);
}

/// Checks the remaining constraints and passes the points of the block that
/// satisfy them to the callback. Returns false if the callback stops.
bool Enumerator::flush() {
  size_t n = std::exchange(filled, 0);
  if (n > 0 && levels.back().constraints) {
    uint8_t inside[PointBlock::kCapacity];
    size_t found =
        levels.back().constraints->contains(n, columns.data(), inside);
    if (found < n) {
      for (int64_t *column : columns) {
        size_t out = 0;
        for (size_t i = 0; i < n; ++i) {
          column[out] = column[i];
          out += inside[i];
        }
      }
      n = found;
    }
  }
  if (n == 0)
    return true;
  llvm::SmallVector<const int64_t *, 16> view(columns.begin(), columns.end());
  if (f({n, view}))
    return true;
  outcome = Enumeration::Stopped;
  return false;
}

/// Adds the points of the current prefix: all values of the last variable.
bool Enumerator::addRuns() {
  size_t last = point.size() - 1;
  Interval bounds = levels[last].bounds;
  for (int64_t x = bounds.lower;;) {
    uint64_t left = static_cast<uint64_t>(bounds.upper) - x + 1;
    uint64_t n =
        std::min({left, stepsLeft, uint64_t(PointBlock::kCapacity - filled)});
    if (n == 0) {
      outcome = Enumeration::OverLimit;
      return false;
    }
    for (size_t v = 0; v < last; ++v)
      std::fill_n(columns[v] + filled, n, point[v]);
    for (uint64_t i = 0; i < n; ++i)
      columns[last][filled + i] = x + static_cast<int64_t>(i);
    filled += n;
    stepsLeft -= n;
    if (filled == PointBlock::kCapacity && !flush())
      return false;
    if (n == left)
      return true;
    x += n;
  }
}

/// Advances to the next values of all variables but the last.
bool Enumerator::nextPrefix() {
  size_t last = point.size() - 1;
  for (size_t level = 0;;) {
    bool descends = true;
    if (level == last) {
      if (!addRuns())
        return false;
      descends = false;
    } else {
      if (stepsLeft-- == 0) {
        stepsLeft = 0;
        outcome = Enumeration::OverLimit;
        return false;
      }
      if (levels[level].constraints)
        descends = levels[level].constraints->contains(point);
    }
    if (descends) {
      ++level;
      point[level] = levels[level].bounds.lower;
      continue;
    }
    if (level == last) {
      if (level == 0)
        return true;
      --level;
    }
    while (point[level] == levels[level].bounds.upper) {
      if (level == 0)
        return true;
      --level;
    }
    ++point[level];
  }
}

Enumeration Enumerator::run() {
  for (const Level &level : levels)
    if (level.bounds.isEmpty())
      return Enumeration::Done;
  for (const Level &level : levels)
    if (!level.bounds.isBounded())
      return Enumeration::Unbounded;
  if (point.empty()) {
    if (stepsLeft == 0)
      return Enumeration::OverLimit;
    if (levels[0].constraints && !levels[0].constraints->contains(point))
      return Enumeration::Done;
    return f({1, {}}) ? Enumeration::Done : Enumeration::Stopped;
  }
  nextPrefix();
  if (outcome != Enumeration::Stopped)
    flush();
  return outcome;
}

Enumeration forEachBlock(const Arena &arena, const Domain &domain,
                         uint64_t limit,
                         llvm::function_ref<bool(const PointBlock &)> f) {
  return Enumerator(arena, domain, limit, f).run();
}

Enumeration forEachPoint(const Arena &arena, const Domain &domain,
                         uint64_t limit,
                         llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> f) {
  llvm::SmallVector<int64_t, 16> point(domain.numVars());
  return forEachBlock(arena, domain, limit, [&](const PointBlock &block) {
    for (size_t i = 0; i < block.size; ++i) {
      for (size_t v = 0; v < point.size(); ++v)
        point[v] = block.coordinates[v][i];
      if (!f(point))
        return false;
    }
    return true;
  });
}

} // namespace mercator::indexing
