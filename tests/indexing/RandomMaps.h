// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small random domains and maps to which the rules apply: coefficients that
// form mixed radices, divisors that nearly fit, residues, windows. A failing
// test prints `seed N`, and RandomMaps(N) gives the same case.

#ifndef MERCATOR_TESTS_INDEXING_RANDOMMAPS_H
#define MERCATOR_TESTS_INDEXING_RANDOMMAPS_H

#include "BruteForce.h"

#include <random>

namespace mercator::indexing::testing {

class RandomMaps {
public:
  explicit RandomMaps(uint64_t seed)
      : random(seed * 0x9e3779b97f4a7c15ull + 1) {}

  int64_t between(int64_t lower, int64_t upper) {
    return lower + static_cast<int64_t>(random() % (upper - lower + 1));
  }
  bool oneIn(int64_t n) { return between(1, n) == 1; }

  /// An expression over the variables of `domain`.
  Expr expr(Arena &a, const Domain &domain, int depth) {
    if (depth == 0 || oneIn(5)) {
      if (oneIn(6) || domain.numVars() == 0)
        return a.constant(between(-4, 9));
      return variable(a, domain);
    }
    auto sub = [&] { return expr(a, domain, depth - 1); };
    static constexpr int64_t kDivisors[] = {2, 2, 3, 4, 4, 5, 6, 8};
    switch (between(0, 9)) {
    case 0:
    case 1:
      return linear(a, domain);
    case 2: {
      Expr x = sub();
      return a.add(x, sub());
    }
    case 3:
      return a.scale(sub(), between(-3, 8));
    case 4:
    case 5:
      return a.floorDiv(sub(), kDivisors[between(0, 7)]);
    case 6:
    case 7:
      return a.mod(sub(), kDivisors[between(0, 7)]);
    case 8:
      return a.ceilDiv(sub(), kDivisors[between(0, 7)]);
    default: {
      Expr x = sub(), y = sub();
      return oneIn(2) ? a.min(x, y) : a.max(x, y);
    }
    }
  }

  Expr variable(Arena &a, const Domain &domain) {
    llvm::SmallVector<Var, 8> all;
    domain.forEachVar([&](Var v) { all.push_back(v); });
    return a.variable(all[between(0, all.size() - 1)]);
  }

  /// A sum of a few variables, often with coefficients that chain.
  Expr linear(Arena &a, const Domain &domain) {
    Expr e = a.constant(between(-3, 3));
    int64_t weight = 1;
    domain.forEachVar([&](Var v) {
      if (oneIn(3))
        return;
      Interval i = domain.bounds(v);
      e = a.add(e, a.scale(a.variable(v), oneIn(6) ? -weight : weight));
      weight *= oneIn(4) ? between(1, 5) : std::max<int64_t>(*i.size(), 1);
    });
    return e;
  }

  Interval bounds(int64_t maxSize) {
    int64_t lower = oneIn(3) ? between(-6, 6) : 0;
    return {lower, lower + between(1, maxSize) - 1};
  }

  /// Random constraints, most of them satisfiable.
  void constrain(Arena &a, Domain &domain, int count, int depth) {
    for (int i = 0; i < count; ++i) {
      Expr e = expr(a, domain, depth);
      if (a.isConstant(e))
        continue;
      int64_t lower = between(-4, 8);
      domain.addConstraint(e,
                           {lower, oneIn(3) ? lower : lower + between(0, 9)});
    }
  }

  Domain domain(Arena &a, int numDims, int numRanges, int numRuntimes,
                int64_t maxSize, int numConstraints) {
    Domain d;
    for (int i = 0; i < numDims; ++i)
      (void)d.addDim(a, bounds(maxSize));
    for (int i = 0; i < numRanges; ++i)
      (void)d.addRange(a, bounds(maxSize));
    for (int i = 0; i < numRuntimes; ++i)
      (void)d.addRuntime(a, {.bounds = bounds(3)});
    constrain(a, d, numConstraints, 2);
    return d;
  }

  Map map(Arena &a, int64_t maxSize, int depth) {
    Map m(a);
    m.domain = domain(a, between(0, 2), between(0, 2), oneIn(4), maxSize,
                      oneIn(2) ? between(0, 2) : 0);
    for (int64_t n = between(1, 3); n > 0; --n)
      m.results.push_back(oneIn(3) ? linear(a, m.domain)
                                   : expr(a, m.domain, depth));
    return oneIn(3) ? withOddVariables(a, std::move(m)) : m;
  }

  /// The map with additional variables that are unused or have one value, with
  /// names, and in another order. Dimensions keep their positions. If runtime
  /// variables move, the map has another meaning.
  Map withOddVariables(Arena &a, Map m) {
    Domain &d = m.domain;
    auto oddBounds = [&] {
      return oneIn(2) ? Interval::point(between(-3, 9)) : bounds(3);
    };
    for (int64_t n = between(0, 2); n > 0; --n)
      d.addRange(a, oddBounds());
    for (int64_t n = between(0, 2); n > 0; --n)
      d.addRuntime(a, {.bounds = oddBounds()});
    if (d.numVars() > 0 && oneIn(4)) {
      Expr v = variable(a, d);
      Interval &b = d.bounds(a.var(v));
      b = Interval::point(between(b.lower, b.upper));
    }
    if (!m.results.empty() && oneIn(3))
      m.results.back() = a.add(m.results.back(), expr(a, d, 1));
    permute(a, m);
    for (Variable &v : d.ranges)
      v.name = oneIn(4) ? a.intern("k" + std::to_string(between(0, 99))) : 0;
    for (RuntimeVariable &v : d.runtimes)
      v.name = oneIn(4) ? a.intern("at" + std::to_string(between(0, 99))) : 0;
    return m;
  }

  /// Ranges and runtime variables in another order.
  void permute(Arena &a, Map &m) {
    llvm::SmallVector<Expr, 4> ranges, runtimes;
    auto shuffle = [&](auto &list, VarKind kind, auto &by) {
      llvm::SmallVector<uint32_t, 4> to;
      for (uint32_t i = 0; i < list.size(); ++i)
        to.push_back(i);
      for (uint32_t i = to.size(); i > 1; --i)
        std::swap(to[i - 1], to[between(0, i - 1)]);
      auto old = list;
      for (uint32_t i = 0; i < to.size(); ++i) {
        by.push_back(a.variable({kind, to[i]}));
        list[to[i]] = old[i];
      }
    };
    shuffle(m.domain.ranges, VarKind::Range, ranges);
    shuffle(m.domain.runtimes, VarKind::Runtime, runtimes);
    substitute(m, {.dims = {}, .ranges = ranges, .runtimes = runtimes});
  }

private:
  std::mt19937_64 random;
};

/// Calls f on every point of the domain, by trying every point of its box.
inline void forEachPointOf(const Arena &arena, const Domain &domain,
                           const std::function<void(const Values &)> &f) {
  if (domain.knownEmpty)
    return;
  Index sizes, lower;
  domain.forEachVar([&](Var v) {
    Interval i = domain.bounds(v);
    sizes.push_back(i.upper - i.lower + 1);
    lower.push_back(i.lower);
  });
  size_t nd = domain.dims.size(), nr = domain.ranges.size();
  forEachIndex(sizes, [&](const Index &offsets) {
    Values at;
    for (size_t i = 0; i < offsets.size(); ++i)
      (i < nd        ? at.dims
       : i < nd + nr ? at.ranges
                     : at.runtimes)
          .push_back(lower[i] + offsets[i]);
    for (const Constraint &c : domain.constraints)
      if (!c.bounds.contains(evaluate(arena, c.expr, at)))
        return;
    f(at);
  });
}

/// The pairs ((d, rt), results) of a map: reads(d, rt) for every d and rt.
inline Relation readsOf(const Map &map) {
  Relation r;
  forEachPointOf(*map.arena, map.domain, [&](const Values &at) {
    Index from = at.dims, to;
    from.insert(from.end(), at.runtimes.begin(), at.runtimes.end());
    for (Expr e : map.results)
      to.push_back(evaluate(*map.arena, e, at));
    r.add(from, to);
  });
  r.normalize();
  return r;
}

} // namespace mercator::indexing::testing

#endif // MERCATOR_TESTS_INDEXING_RANDOMMAPS_H
