// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relations between the elements of two tensors, as plain sets of index pairs:
// the oracle for the maps of operations. It evaluates expressions itself, so
// that it shares no code with the library.

#ifndef MERCATOR_TESTS_INDEXING_BRUTEFORCE_H
#define MERCATOR_TESTS_INDEXING_BRUTEFORCE_H

#include "mercator/indexing/map/Map.h"

#include <algorithm>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace mercator::indexing::testing {

using Index = std::vector<int64_t>;

/// All pairs (element of one tensor, element of the other), sorted and unique.
struct Relation {
  std::vector<std::pair<Index, Index>> pairs;

  void add(Index from, Index to) { pairs.push_back({from, to}); }
  void normalize() {
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  }
  Relation inverse() const {
    Relation r;
    for (const auto &[from, to] : pairs)
      r.add(to, from);
    r.normalize();
    return r;
  }
  bool contains(const Relation &o) const {
    return std::includes(pairs.begin(), pairs.end(), o.pairs.begin(),
                         o.pairs.end());
  }
  bool operator==(const Relation &) const = default;
};

inline std::string toString(const Index &index) {
  std::ostringstream os;
  os << "(";
  for (size_t i = 0; i < index.size(); ++i)
    os << (i ? ", " : "") << index[i];
  os << ")";
  return os.str();
}

/// The first few pairs that are in only one of the relations.
inline std::string difference(const Relation &expected, const Relation &got) {
  std::string out;
  auto list = [&](const Relation &a, const Relation &b, const char *title) {
    int shown = 0;
    for (const auto &pair : a.pairs)
      if (!std::binary_search(b.pairs.begin(), b.pairs.end(), pair) &&
          shown++ < 4)
        out += title + toString(pair.first) + " -> " + toString(pair.second);
  };
  list(expected, got, "\n  missing ");
  list(got, expected, "\n  too much ");
  return out;
}

/// Calls f on every index of a tensor with these sizes, in row-major order.
inline void forEachIndex(const Index &sizes,
                         const std::function<void(const Index &)> &f) {
  for (int64_t size : sizes)
    if (size <= 0)
      return;
  Index index(sizes.size(), 0);
  while (true) {
    f(index);
    size_t i = sizes.size();
    while (i > 0 && ++index[i - 1] == sizes[i - 1])
      index[--i] = 0;
    if (i == 0)
      return;
  }
}

struct Values {
  Index dims, ranges, runtimes;
};

inline int64_t evaluate(const Arena &arena, Expr e, const Values &at) {
  switch (arena.kind(e)) {
  case ExprKind::Constant:
    return arena.constantValue(e);
  case ExprKind::Variable: {
    Var v = arena.var(e);
    const Index &list = v.kind == VarKind::Dim     ? at.dims
                        : v.kind == VarKind::Range ? at.ranges
                                                   : at.runtimes;
    return list.at(v.index);
  }
  case ExprKind::Sum: {
    LinearCopy sum = arena.linearCopy(e);
    int64_t value = sum.constant;
    for (const Term &term : sum.terms)
      value += term.coefficient * evaluate(arena, term.expr, at);
    return value;
  }
  case ExprKind::Product: {
    int64_t value = 1;
    for (const Term &term : arena.factors(e))
      for (int64_t i = 0; i < term.coefficient; ++i)
        value *= evaluate(arena, term.expr, at);
    return value;
  }
  default:
    break;
  }
  int64_t a = evaluate(arena, arena.lhs(e), at);
  int64_t b = evaluate(arena, arena.rhs(e), at);
  switch (arena.kind(e)) {
  case ExprKind::Quotient:
    return floorDivPositive(a, b);
  case ExprKind::Remainder:
    return modPositive(a, b);
  case ExprKind::CeilDiv:
    return ceilDivPositive(a, b);
  case ExprKind::Min:
    return std::min(a, b);
  case ExprKind::Max:
    return std::max(a, b);
  default:
    return 0; // Wide: the tests have no values this large
  }
}

/// The element `index` of the value that runtime variable `v` is read from.
using Reader =
    std::function<int64_t(const RuntimeVariable &v, const Index &index)>;

/// The relation of a map, by trying every point of its box. Values read are
/// clamped to the runtime variable's bounds.
inline Relation relationOf(const Map &map, const Reader &read = nullptr) {
  Relation relation;
  if (map.isKnownEmpty())
    return relation;
  const Arena &arena = *map.arena;
  Index sizes, lower;
  auto addVariable = [&](const Variable &v) {
    sizes.push_back(v.bounds.upper - v.bounds.lower + 1);
    lower.push_back(v.bounds.lower);
  };
  for (const Variable &v : map.domain.dims)
    addVariable(v);
  for (const Variable &v : map.domain.ranges)
    addVariable(v);
  size_t numDims = map.domain.dims.size();
  forEachIndex(sizes, [&](const Index &offsets) {
    Values at;
    for (size_t i = 0; i < offsets.size(); ++i)
      (i < numDims ? at.dims : at.ranges).push_back(lower[i] + offsets[i]);
    for (const RuntimeVariable &v : map.domain.runtimes) {
      Index index;
      for (Expr e : v.index)
        index.push_back(evaluate(arena, e, at));
      at.runtimes.push_back(
          std::clamp(read(v, index), v.bounds.lower, v.bounds.upper));
    }
    for (const Constraint &c : map.domain.constraints)
      if (!c.bounds.contains(evaluate(arena, c.expr, at)))
        return;
    Index result;
    for (Expr e : map.results)
      result.push_back(evaluate(arena, e, at));
    relation.add(at.dims, result);
  });
  relation.normalize();
  return relation;
}

} // namespace mercator::indexing::testing

#endif // MERCATOR_TESTS_INDEXING_BRUTEFORCE_H
