// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equivalence of two maps: the order of the methods that Prove.h describes. Each
// is in a file of its own: Canonical.cpp, ProvePoints.cpp and ProveSets.cpp.

#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/decide/Canonical.h"
#include "mercator/indexing/decide/Prover.h"
#include "mercator/indexing/simplify/Simplify.h"

namespace mercator::indexing {

void Prover::run() {
  if (sample() || (isSmall() && exhaust()))
    return;
  std::string why;
  for (int reader : {0, 1}) {
    bool included = includes(reader, why);
    if (difference)
      return;
    if (!included) {
      kind = Decision::Kind::Unknown;
      reason = std::string("too large to compare all points, and "
                           "reasoning gave up because of ") +
               (why.empty() ? "its size" : why);
      return;
    }
  }
  kind = Decision::Kind::Yes;
  reason = "by reasoning about sets of integers";
}

bool Prover::agreesEverywhere() {
  return isSmall() && !sample() && exhaust() && kind == Decision::Kind::Yes;
}

namespace {
/// "1 dimension", "2 dimensions".
std::string counted(size_t n, const char *what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

/// A parameter is limited by the bounds of both maps, as in one map. If one map
/// does not use it, its bounds would be forgotten.
void limitParameters(Map &a, Map &b) {
  auto isUsed = [](const Map &m, uint32_t i) {
    Var v{VarKind::Runtime, i};
    return llvm::any_of(m.results,
                        [&](Expr e) { return m.arena->uses(e, v); }) ||
           llvm::any_of(m.domain.constraints, [&](const Constraint &c) {
             return m.arena->uses(c.expr, v);
           });
  };
  for (uint32_t i = 0; i < a.domain.runtimes.size(); ++i)
    for (uint32_t k = 0; k < b.domain.runtimes.size(); ++k) {
      RuntimeVariable &x = a.domain.runtimes[i], &y = b.domain.runtimes[k];
      if (!x.isParameter || !y.isParameter || x.source != y.source ||
          isUsed(a, i) == isUsed(b, k))
        continue;
      if (Interval both = x.bounds.intersect(y.bounds); !both.isEmpty())
        x.bounds = y.bounds = both;
    }
}

/// True for `KNOWN EMPTY` alone: an empty map of any rank.
bool isEmptyOfAnyRank(const Map &m) {
  return m.isKnownEmpty() && m.numDims() == 0 && m.numResults() == 0;
}
} // namespace

Verdict prove(const Map &a, const Map &b, const ProveOptions &options) {
  assert(a.arena == b.arena);
  Arena &arena = *a.arena;
  Verdict verdict{{}, {}, a, b};
  auto decide = [&](Decision::Kind kind, std::string reason) {
    verdict.kind = kind;
    verdict.reason = std::move(reason);
  };
  if (a == b) {
    decide(Decision::Kind::Yes, "the maps are the same");
    return verdict;
  }
  if (isEmptyOfAnyRank(a) || isEmptyOfAnyRank(b)) {
    const Map &other = isEmptyOfAnyRank(a) ? b : a;
    Emptiness answer = isEmpty(arena, other.domain);
    if (answer.isYes())
      decide(Decision::Kind::Yes, "both domains are empty");
    else if (answer.isNo())
      decide(Decision::Kind::No, "only one of the domains is empty");
    else
      decide(
          Decision::Kind::Unknown,
          std::string("one domain is empty, and whether the other is was not "
                      "decided because of ") +
              answer.reason);
    return verdict;
  }
  for (auto [x, y, what] :
       {std::tuple(a.numDims(), b.numDims(), "dimension"),
        std::tuple(a.numResults(), b.numResults(), "result")})
    if (x != y) {
      decide(Decision::Kind::No, "the first map has " + counted(x, what) +
                                     ", the second has " + counted(y, what));
      return verdict;
    }

  verdict.first = withDistinctRuntimes(a);
  verdict.second = withDistinctRuntimes(b);
  limitParameters(verdict.first, verdict.second);
  RuntimePairs pairs(verdict.first, verdict.second);
  const Map given[2] = {pairs.aligned(verdict.first, 0),
                        pairs.aligned(verdict.second, 1)};
  Map compared[2] = {given[0], given[1]};
  if (options.trustSimplifier)
    for (Map &m : compared)
      m = canonical(m);
  Map &first = compared[0], &second = compared[1];
  if (first.isKnownEmpty() && second.isKnownEmpty()) {
    decide(Decision::Kind::Yes, "both domains are empty");
    return verdict;
  }
  if (options.trustSimplifier && sameText(first, second)) {
    decide(Decision::Kind::Yes, "both simplify to the same map");
    return verdict;
  }
  // True if the verdict is decided. A difference counts only if the maps as
  // given confirm it.
  auto compare = [&](Map x, Map y) {
    // A known empty map has no bounds: use those of the other map.
    if (x.isKnownEmpty() || y.isKnownEmpty()) {
      const Domain all = x.isKnownEmpty() ? y.domain : x.domain;
      for (Map *m : {&x, &y})
        if (m->isKnownEmpty())
          m->domain = all, m->domain.knownEmpty = true;
    }
    Prover prover(x, y, options);
    prover.run();
    if (prover.difference &&
        !showDifference(verdict, pairs, *prover.difference))
      return false;
    decide(prover.kind, prover.reason);
    return true;
  };
  if (!compare(first, second) &&
      (!options.trustSimplifier || !compare(given[0], given[1])))
    decide(Decision::Kind::Unknown,
           "a difference was found that could not be evaluated on the maps as "
           "given");
  return verdict;
}

static bool sameSource(const RuntimeVariable &a, const RuntimeVariable &b) {
  return a.source == b.source && a.element == b.element && a.index == b.index;
}

/// sameMeaning for simple maps with points: each result of one is a variable
/// with several values exactly if that of the other is the same dimension, or a
/// range variable with the same bounds that is used in the same places.
static bool sameVariables(const Map &a, const Map &b) {
  auto sameBounds = [](const Variable &x, const Variable &y) {
    return x.bounds == y.bounds;
  };
  if (!llvm::equal(a.domain.dims, b.domain.dims, sameBounds) ||
      a.domain.ranges.size() != b.domain.ranges.size())
    return false;
  const Arena &arena = *a.arena;
  // The range variable of b for each of a, and the reverse.
  constexpr uint32_t kNone = ~0u;
  llvm::SmallVector<uint32_t, 8> ofA(a.domain.ranges.size(), kNone),
      ofB(ofA.size(), kNone);
  for (auto [x, y] : llvm::zip(a.results, b.results)) {
    auto isRange = [&](Expr e) {
      return arena.kind(e) == ExprKind::Variable &&
             arena.var(e).kind == VarKind::Range;
    };
    if (!isRange(x) || !isRange(y)) {
      if (x != y)
        return false;
      continue;
    }
    uint32_t i = arena.var(x).index, k = arena.var(y).index;
    if (ofA[i] == kNone && ofB[k] == kNone &&
        sameBounds(a.domain.ranges[i], b.domain.ranges[k])) {
      ofA[i] = k;
      ofB[k] = i;
    } else if (ofA[i] != k) {
      return false;
    }
  }
  return true;
}

bool sameMeaning(const Map &a, const Map &b, Budget budget) {
  if (a == b)
    return true;
  if (a.numDims() != b.numDims() || a.numResults() != b.numResults() ||
      a.domain.runtimes.size() != b.domain.runtimes.size())
    return false;
  for (auto [x, y] : llvm::zip(a.domain.runtimes, b.domain.runtimes))
    if (!sameSource(x, y) || x.bounds != y.bounds)
      return false;
  if (isSimple(a) && isSimple(b) && !a.domain.hasEmptyBounds() &&
      !b.domain.hasEmptyBounds())
    return sameVariables(a, b);
  Map first = canonical(a), second = canonical(b);
  if (sameText(first, second))
    return true;
  // Simplifying may merge two runtime variables of one map.
  if (first.domain.runtimes.size() != second.domain.runtimes.size())
    return false;
  // Simplified maps with different boxes nearly always have different domains.
  for (auto [x, y] : llvm::zip(first.domain.dims, second.domain.dims))
    if (x.bounds != y.bounds)
      return false;
  if (first.isKnownEmpty() || second.isKnownEmpty() || budget.steps == 0)
    return false;
  // Return early if there are too many points to compare.
  int64_t points = 1;
  for (const Variable &v : first.domain.dims)
    if (!v.bounds.isBounded() ||
        __builtin_mul_overflow(points, v.bounds.upper - v.bounds.lower + 1,
                               &points) ||
        points > budget.steps)
      return false;
  ProveOptions options{.budget = budget};
  return Prover(first, second, options).agreesEverywhere();
}

} // namespace mercator::indexing
