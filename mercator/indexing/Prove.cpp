// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/Prove.h"
#include "mercator/indexing/Side.h"
#include "mercator/indexing/Simplify.h"
#include "mercator/indexing/Solve.h"

#include "llvm/ADT/DenseSet.h"

namespace mercator::indexing {

namespace {
using Values = llvm::SmallVector<int64_t, 6>;

//===----------------------------------------------------------------------===//
// Bringing two maps to the same variables
//===----------------------------------------------------------------------===//

bool usesRuntime(const Map &m, uint32_t i) {
  Var v{VarKind::Runtime, i};
  return llvm::any_of(m.results, [&](Expr e) { return m.arena->uses(e, v); }) ||
         llvm::any_of(m.domain.constraints, [&](const Constraint &c) {
           return m.arena->uses(c.expr, v);
         });
}

bool sameSource(const RuntimeVariable &a, const RuntimeVariable &b) {
  return a.source == b.source && a.element == b.element && a.index == b.index;
}

/// Gives both maps one list of runtime variables: those that some side uses.
void alignRuntimes(Map &a, Map &b) {
  struct Joint {
    std::optional<uint32_t> inA, inB;
  };
  llvm::SmallVector<Joint, 4> joint;
  auto &listA = a.domain.runtimes, &listB = b.domain.runtimes;
  for (uint32_t i = 0; i < listA.size(); ++i)
    if (usesRuntime(a, i))
      joint.push_back({i, std::nullopt});
  for (uint32_t j = 0; j < listB.size(); ++j) {
    if (!usesRuntime(b, j))
      continue;
    const RuntimeVariable &v = listB[j];
    Joint *match = nullptr;
    for (Joint &x : joint) {
      if (!x.inA || x.inB)
        continue;
      const RuntimeVariable &w = listA[*x.inA];
      bool isNamed = v.source != 0 && w.source != 0;
      bool samePlace = *x.inA == j;
      if (isNamed ? sameSource(v, w) && (!match || samePlace)
                  : samePlace && !match)
        match = &x;
    }
    if (match)
      match->inB = j;
    else
      joint.push_back({std::nullopt, j});
  }
  auto rewrite = [&](Map &m, const Map &other, auto mine, auto theirs) {
    llvm::SmallVector<Expr, 4> by(m.domain.runtimes.size());
    llvm::SmallVector<RuntimeVariable, 1> list;
    for (uint32_t k = 0; k < joint.size(); ++k) {
      if (auto i = joint[k].*mine) {
        by[*i] = m.arena->runtime(k);
        list.push_back(m.domain.runtimes[*i]);
      } else {
        list.push_back(other.domain.runtimes[*(joint[k].*theirs)]);
      }
    }
    Substitution s{.dims = {}, .ranges = {}, .runtimes = by};
    substitute(*m.arena, m.results, s);
    for (Constraint &c : m.domain.constraints)
      c.expr = substitute(*m.arena, c.expr, s);
    m.domain.runtimes = std::move(list);
  };
  Map givenA = a;
  rewrite(a, b, &Joint::inA, &Joint::inB);
  rewrite(b, givenA, &Joint::inB, &Joint::inA);
}

/// The range variables in the order in which the results, then the constraints
/// first use them; in a sum, by coefficient.
class RangeOrder {
public:
  explicit RangeOrder(const Map &m) : arena(*m.arena) {
    for (Expr e : m.results)
      visit(e);
    for (const Constraint &c : m.domain.constraints)
      visit(c.expr);
    for (uint32_t i = 0; i < m.domain.ranges.size(); ++i)
      add({VarKind::Range, i});
  }

  llvm::SmallVector<uint32_t, 4> order;

private:
  void add(Var v) {
    if (v.kind == VarKind::Range && !llvm::is_contained(order, v.index))
      order.push_back(v.index);
  }

  void visit(Expr e) {
    constexpr unsigned kHigh = 64;
    if (!seen.insert(e.getId()).second)
      return;
    if (arena.height(e) > kHigh) {
      arena.forEachPostOrder(e, [&](Expr x) {
        if (arena.kind(x) == ExprKind::Variable)
          add(arena.var(x));
      });
      return;
    }
    if (arena.kind(e) == ExprKind::Variable)
      return add(arena.var(e));
    if (arena.kind(e) == ExprKind::Sum) {
      LinearCopy l = arena.linearCopy(e);
      auto isVariable = [&](const Term &t) {
        return arena.kind(t.expr) == ExprKind::Variable;
      };
      llvm::sort(l.terms, [&](const Term &x, const Term &y) {
        return std::tuple(!isVariable(x), x.coefficient, x.expr) <
               std::tuple(!isVariable(y), y.coefficient, y.expr);
      });
      for (const Term &t : l.terms)
        visit(t.expr);
      return;
    }
    llvm::SmallVector<Expr, 4> operands;
    arena.operands(e, operands);
    for (Expr op : operands)
      visit(op);
  }

  Arena &arena;
  llvm::DenseSet<uint32_t> seen;
};

Map withRangesInOrder(Map m) {
  llvm::SmallVector<uint32_t, 4> order = RangeOrder(m).order;
  if (llvm::is_sorted(order))
    return m;
  llvm::SmallVector<Expr, 4> by(order.size());
  llvm::SmallVector<Variable, 4> ranges;
  for (uint32_t i = 0; i < order.size(); ++i) {
    by[order[i]] = m.arena->range(i);
    ranges.push_back(m.domain.ranges[order[i]]);
  }
  Substitution s{.dims = {}, .ranges = by, .runtimes = {}};
  substitute(*m.arena, m.results, s);
  for (Constraint &c : m.domain.constraints)
    c.expr = substitute(*m.arena, c.expr, s);
  for (RuntimeVariable &v : m.domain.runtimes)
    substitute(*m.arena, v.index, s);
  m.domain.ranges = std::move(ranges);
  return m;
}

/// Simplified, without unused ranges, ranges in order, constraints sorted.
/// Runtime variables keep their places.
Map canonical(const Map &given) {
  auto tidy = [](const Map &m) {
    return removeUnused(simplify(m, {.foldPoints = true, .dropUnused = false}),
                        UnusedVars::Ranges);
  };
  Map m = withRangesInOrder(tidy(given));
  if (m.isKnownEmpty())
    return m;
  m = tidy(m);
  llvm::sort(m.domain.constraints,
             [](const Constraint &x, const Constraint &y) {
               return std::tuple(x.expr, x.bounds.lower, x.bounds.upper) <
                      std::tuple(y.expr, y.bounds.lower, y.bounds.upper);
             });
  return m;
}

/// Equal but for names and sources.
bool sameText(const Map &a, const Map &b) {
  auto sameBounds = [](const auto &x, const auto &y) {
    return llvm::equal(x, y, [](const auto &v, const auto &w) {
      return v.bounds == w.bounds;
    });
  };
  return a.results == b.results && a.domain.knownEmpty == b.domain.knownEmpty &&
         sameBounds(a.domain.dims, b.domain.dims) &&
         sameBounds(a.domain.ranges, b.domain.ranges) &&
         sameBounds(a.domain.runtimes, b.domain.runtimes) &&
         a.domain.constraints == b.domain.constraints;
}

//===----------------------------------------------------------------------===//
// The proof
//===----------------------------------------------------------------------===//

class Prover {
public:
  Prover(const Map &first, const Map &second, const ProveOptions &options,
         Verdict &verdict)
      : arena(*first.arena), options(options), verdict(verdict),
        sides{Side(first), Side(second)} {}

  void run() {
    if (sample() || (isSmall() && exhaust()))
      return;
    const char *why = nullptr;
    for (int reader : {0, 1}) {
      bool included = includes(reader, why);
      if (verdict.counterexample)
        return;
      if (!included) {
        verdict.kind = Verdict::Kind::Undecided;
        verdict.reason = std::string("too large to compare all points, and "
                                     "reasoning gave up because of ") +
                         (why ? why : "its size");
        return;
      }
    }
    verdict.kind = Verdict::Kind::Equal;
    verdict.reason = "by reasoning about sets of integers";
  }

  /// The quick part alone: true if there are few points and all agree.
  bool agreesEverywhere() {
    return isSmall() && !sample() && exhaust() &&
           verdict.kind == Verdict::Kind::Equal;
  }

private:
  //===--- Counterexamples -----------------------------------------------===//

  /// Side `reader` reads `element` at `outer` with `ranges`: true if the other
  /// side certainly does not; notes the counterexample.
  bool refute(int reader, llvm::ArrayRef<int64_t> outer,
              llvm::ArrayRef<int64_t> ranges, llvm::ArrayRef<int64_t> element,
              const char *how) {
    if (sides[1 - reader].whoReads(outer, element).empty != Tri::Yes)
      return false;
    size_t numDims = sides[0].getMap().numDims();
    Counterexample c;
    c.dims.assign(outer.begin(), outer.begin() + numDims);
    c.runtimes.assign(outer.begin() + numDims, outer.end());
    c.element.assign(element.begin(), element.end());
    c.ranges.assign(ranges.begin(), ranges.end());
    c.firstReads = reader == 0;
    verdict.counterexample = std::move(c);
    verdict.kind = Verdict::Kind::Different;
    verdict.reason = how;
    return true;
  }

  /// A point of side `reader` in the order of its domain: dims, ranges,
  /// runtimes.
  bool refuteAt(int reader, llvm::ArrayRef<int64_t> point, const char *how) {
    Side &side = sides[reader];
    size_t numDims = side.getMap().numDims();
    Values outer(point.begin(), point.begin() + numDims), ranges;
    for (size_t i = 0; i < side.numRanges(); ++i)
      ranges.push_back(point[numDims + i]);
    outer.append(point.begin() + numDims + ranges.size(), point.end());
    auto element = side.elementAt(outer, ranges);
    return element && refute(reader, outer, ranges, *element, how);
  }

  //===--- Some points ---------------------------------------------------===//

  uint64_t random() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

  /// Ends of the interval half of the time.
  int64_t pick(Interval i, unsigned round) {
    if (!i.hasLower())
      i.lower = i.hasUpper() ? std::max(i.upper, Interval::kMin + 1001) - 1000
                             : -1000;
    if (!i.hasUpper())
      i.upper = std::min(i.lower, Interval::kMax - 1001) + 1000;
    if (round == 0 || i.isPoint())
      return i.lower;
    if (round == 1)
      return i.upper;
    uint64_t size = static_cast<uint64_t>(i.upper) - i.lower + 1;
    switch (random() % 6) {
    case 0:
      return i.lower;
    case 1:
      return i.upper;
    case 2:
      return i.lower + 1;
    default:
      return static_cast<int64_t>(i.lower +
                                  (size ? random() % size : random()));
    }
  }

  bool sample() {
    constexpr const char *kHow = "at one of the points tried";
    // Elements are looked up by a search where there are ranges: fewer tries.
    for (int reader : {0, 1}) {
      Side &side = sides[reader];
      if (llvm::any_of(side.bounds(), [](Interval i) { return i.isEmpty(); }))
        continue;
      unsigned tries = sides[1 - reader].numRanges() ? 24 : 200;
      for (unsigned round = 0; round < tries; ++round) {
        Values point;
        for (Interval i : side.bounds())
          point.push_back(pick(i, round));
        auto all = llvm::ArrayRef<int64_t>(point);
        auto outer = all.take_front(side.numOuter()),
             ranges = all.drop_front(side.numOuter());
        auto element = side.elementAt(outer, ranges);
        if (element && refute(reader, outer, ranges, *element, kHow))
          return true;
      }
    }
    return false;
  }

  //===--- All points ----------------------------------------------------===//

  /// The outer variables of both sides.
  System outerBox() const {
    System outer;
    for (size_t i = 0; i < sides[0].numOuter(); ++i) {
      uint32_t n = sides[0].getMap().numDims();
      outer.vars.push_back(
          i < n ? Var{VarKind::Dim, static_cast<uint32_t>(i)}
                : Var{VarKind::Runtime, static_cast<uint32_t>(i - n)});
      outer.bounds.push_back(sides[0].bounds()[i].hull(sides[1].bounds()[i]));
    }
    return outer;
  }

  bool isSmall() const {
    std::optional<int64_t> outer = outerBox().boxSize(),
                           a = sides[0].rangeBox(), b = sides[1].rangeBox();
    int64_t inner, all;
    return outer && a && b && !__builtin_add_overflow(*a, *b, &inner) &&
           !__builtin_mul_overflow(*outer, inner + 1, &all) &&
           all <= options.maxSteps;
  }

  /// Each point of the box takes a step a variable.
  [[nodiscard]] int64_t stepLimit() const {
    return (options.maxSteps + 64) * 2 *
           static_cast<int64_t>(sides[0].bounds().size() +
                                sides[1].bounds().size() + 1);
  }

  /// False if that gave up.
  bool exhaust() {
    System outer = outerBox();
    PointWalk walk(arena, outer);
    int64_t outerFuel = stepLimit(), innerFuel = stepLimit(), points = 0;
    bool lost = false;
    auto end = walk.run(outerFuel, [&](llvm::ArrayRef<int64_t> at, auto) {
      ++points;
      return !(lost = !compareAt(at, innerFuel)) && !verdict.counterexample;
    });
    if (verdict.counterexample)
      return true;
    if (lost || end != PointWalk::End::Complete)
      return false;
    verdict.kind = Verdict::Kind::Equal;
    verdict.reason = "all " + std::to_string(points) + " points agree";
    return true;
  }

  /// Compares the sets of elements read at one point. False if that gave up.
  bool compareAt(llvm::ArrayRef<int64_t> at, int64_t &fuel) {
    for (int i : {0, 1}) {
      rows[i].clear();
      auto end = sides[i].forEachRead(
          at, fuel, [&](auto, llvm::ArrayRef<int64_t> element) {
            rows[i].emplace_back(element.begin(), element.end());
            return true;
          });
      if (end != PointWalk::End::Complete)
        return false;
      llvm::sort(rows[i]);
      rows[i].erase(llvm::unique(rows[i]), rows[i].end());
    }
    if (rows[0] == rows[1])
      return true;
    for (int reader : {0, 1})
      for (const Values &element : rows[reader])
        if (!std::binary_search(rows[1 - reader].begin(),
                                rows[1 - reader].end(), element)) {
          EmptinessAnswer ranges = sides[reader].whoReads(at, element);
          return ranges.empty == Tri::No &&
                 refute(reader, at, ranges.witness, element,
                        "found by comparing all points");
        }
    return false;
  }

  //===--- Reasoning -----------------------------------------------------===//

  /// The relation of a side as a domain over dims and elements, its ranges
  /// solved for as far as possible.
  Map graphOf(const Side &side) {
    const Map &m = side.getMap();
    Map graph(arena);
    graph.domain = m.domain;
    for (Expr e : m.results) {
      Expr y = graph.domain.addDim(arena, Interval::everything());
      graph.domain.addConstraint(arena.sub(e, y), Interval::point(0));
    }
    return removeUnused(
        simplify(solveRanges(graph), {.foldPoints = true, .dropUnused = false}),
        UnusedVars::Ranges);
  }

  /// The domain of side `reader` with the negation of `e in bounds` holds no
  /// point. Where it does, the point may be a counterexample.
  Tri implies(int reader, Expr e, Interval bounds, bool refutes,
              const char *&why) {
    const Domain &domain = sides[reader].getMap().domain;
    e = simplify(arena, e, domain);
    if (bounds.contains(Bounds(arena, domain).interval(e)))
      return Tri::Yes;
    Tri all = Tri::Yes;
    auto check = [&](Interval outside) {
      Domain rest = domain;
      rest.addConstraint(e, outside);
      EmptinessAnswer answer =
          isEmpty(arena, rest,
                  {.maxSteps = 4096,
                   .maxColumns = budget > 0 ? options.maxColumns : 0});
      budget -= int64_t(1) << (2 * std::min(answer.columns, 16u));
      if (answer.empty == Tri::No) {
        all = Tri::No;
        if (refutes)
          refuteAt(reader, answer.witness, "found by reasoning");
      } else if (answer.empty == Tri::Unknown) {
        why = answer.reason;
        if (all == Tri::Yes)
          all = Tri::Unknown;
      }
    };
    if (bounds.hasLower())
      check({Interval::kMin, bounds.lower - 1});
    if (bounds.hasUpper() && all != Tri::No)
      check({bounds.upper + 1, Interval::kMax});
    return all;
  }

  /// All that `domain` asks for holds at the points of side `reader`, after
  /// `by`: its dims, ranges, runtimes as expressions of that side.
  bool impliesAll(int reader, const Domain &domain, const Substitution &by,
                  bool refutes, const char *&why) {
    bool all = true;
    auto require = [&](Expr e, Interval bounds) {
      if (bounds != Interval::everything() && !verdict.counterexample &&
          (all || refutes))
        all &= implies(reader, substitute(arena, e, by), bounds, refutes,
                       why) == Tri::Yes;
    };
    domain.forEachVar(
        [&](Var v) { require(arena.variable(v), domain.bounds(v)); });
    for (const Constraint &c : domain.constraints)
      require(c.expr, c.bounds);
    return all;
  }

  /// Whether everything that side `reader` reads the other side reads as well.
  bool includes(int reader, const char *&why) {
    const Side &other = sides[1 - reader];
    const Map &mine = sides[reader].getMap(), &theirs = other.getMap();
    // The same values for the ranges of both: enough, but not necessary.
    if (other.numRanges() != 0 &&
        other.numRanges() == sides[reader].numRanges()) {
      Domain wanted = theirs.domain;
      for (size_t i = 0; i < theirs.numResults(); ++i)
        wanted.addConstraint(arena.sub(theirs.results[i], mine.results[i]),
                             Interval::point(0));
      const char *ignored = nullptr;
      if (impliesAll(reader, wanted, {}, false, ignored))
        return true;
    }
    Map graph = graphOf(other);
    if (graph.isKnownEmpty()) {
      EmptinessAnswer answer = isEmpty(arena, mine.domain);
      if (answer.empty == Tri::No)
        refuteAt(reader, answer.witness, "the other map's domain is empty");
      why = answer.reason;
      return answer.empty == Tri::Yes;
    }
    llvm::SmallVector<Expr, 12> dims(theirs.numDims());
    llvm::append_range(dims, mine.results);
    Substitution by{.dims = dims, .ranges = {}, .runtimes = {}};
    if (graph.domain.ranges.empty())
      return impliesAll(reader, graph.domain, by, true, why);
    // Ranges that are left only have to exist: those of this side may do.
    if (graph.domain.ranges.size() <= sides[reader].numRanges() &&
        impliesAll(reader, graph.domain, by, false, why))
      return true;
    why = "range variables that no equation determines";
    return false;
  }

  Arena &arena;
  const ProveOptions &options;
  Verdict &verdict;
  Side sides[2];
  std::vector<Values> rows[2];
  uint64_t state = 1;
  /// The time of integer-set reasoning grows about fourfold a column; this
  /// allows 16 questions of 8 columns, or many smaller ones.
  int64_t budget = int64_t(16) << (2 * 8);
};

/// A counterexample of the simplified maps, told of the maps as given: their
/// range variables are others.
void showAsGiven(Verdict &verdict, const Map &first, const Map &second) {
  Counterexample &c = *verdict.counterexample;
  Values outer(c.dims);
  llvm::append_range(outer, c.runtimes);
  Side reader(c.firstReads ? verdict.first : verdict.second);
  EmptinessAnswer ranges = reader.whoReads(outer, c.element);
  if (ranges.empty == Tri::No) {
    c.ranges.assign(ranges.witness.begin(), ranges.witness.end());
  } else {
    verdict.first = first;
    verdict.second = second;
  }
}

/// "1 dimension", "2 dimensions".
std::string counted(size_t n, const char *what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

/// An empty map whose ranks are not known: `KNOWN EMPTY` alone.
bool isEmptyOfAnyRank(const Map &m) {
  return m.isKnownEmpty() && m.numDims() == 0 && m.numResults() == 0;
}
} // namespace

Verdict prove(const Map &a, const Map &b, const ProveOptions &options) {
  assert(a.arena == b.arena);
  Arena &arena = *a.arena;
  Verdict verdict{.reason = {}, .counterexample = {}, .first = a, .second = b};
  auto decide = [&](Verdict::Kind kind, std::string reason) {
    verdict.kind = kind;
    verdict.reason = std::move(reason);
  };
  if (a == b) {
    decide(Verdict::Kind::Equal, "the maps are the same");
    return verdict;
  }
  if (isEmptyOfAnyRank(a) || isEmptyOfAnyRank(b)) {
    const Map &other = isEmptyOfAnyRank(a) ? b : a;
    EmptinessAnswer answer = isEmpty(arena, other.domain);
    if (answer.empty == Tri::Yes)
      decide(Verdict::Kind::Equal, "both domains are empty");
    else if (answer.empty == Tri::No)
      decide(Verdict::Kind::Different, "only one of the domains is empty");
    else
      decide(
          Verdict::Kind::Undecided,
          std::string("one domain is empty, and whether the other is was not "
                      "decided because of ") +
              answer.reason);
    return verdict;
  }
  for (auto [x, y, what] :
       {std::tuple(a.numDims(), b.numDims(), "dimension"),
        std::tuple(a.numResults(), b.numResults(), "result")})
    if (x != y) {
      decide(Verdict::Kind::Different, "the first map has " + counted(x, what) +
                                           ", the second has " +
                                           counted(y, what));
      return verdict;
    }

  // What is compared has its unused variables dropped, what is shown does not.
  constexpr SimplifyOptions kKeep{.foldPoints = true, .dropUnused = false};
  Map first = options.trustSimplifier ? simplify(a, kKeep) : a;
  Map second = options.trustSimplifier ? simplify(b, kKeep) : b;
  if (first.isKnownEmpty() && second.isKnownEmpty()) {
    decide(Verdict::Kind::Equal, "both domains are empty");
    return verdict;
  }
  alignRuntimes(first, second);
  alignRuntimes(verdict.first, verdict.second);
  if (verdict.first.domain.runtimes.size() != first.domain.runtimes.size()) {
    // Simplifying freed a side from a variable: show what was compared.
    verdict.first = first;
    verdict.second = second;
  }
  if (options.trustSimplifier) {
    first = canonical(first);
    second = canonical(second);
    if (sameText(first, second)) {
      decide(Verdict::Kind::Equal, "both simplify to the same map");
      return verdict;
    }
  }
  // A known empty map has lost its bounds.
  if (first.isKnownEmpty() || second.isKnownEmpty()) {
    const Map &other = first.isKnownEmpty() ? second : first;
    for (Map *m : {&first, &second})
      if (m->isKnownEmpty())
        m->domain = other.domain, m->domain.knownEmpty = true;
  }
  Prover(first, second, options, verdict).run();
  if (verdict.counterexample)
    showAsGiven(verdict, first, second);
  return verdict;
}

bool sameMeaning(const Map &a, const Map &b, int64_t maxSteps) {
  if (a == b)
    return true;
  if (a.numDims() != b.numDims() || a.numResults() != b.numResults() ||
      a.domain.runtimes.size() != b.domain.runtimes.size())
    return false;
  for (auto [x, y] : llvm::zip(a.domain.runtimes, b.domain.runtimes))
    if (!sameSource(x, y) || x.bounds != y.bounds)
      return false;
  Map first = canonical(a), second = canonical(b);
  if (sameText(first, second))
    return true;
  // Different boxes of simplified maps are different domains, nearly always.
  for (auto [x, y] : llvm::zip(first.domain.dims, second.domain.dims))
    if (x.bounds != y.bounds)
      return false;
  if (first.isKnownEmpty() || second.isKnownEmpty() || maxSteps == 0)
    return false;
  // Too many points to compare: do not even prepare for it.
  int64_t points = 1;
  for (const Variable &v : first.domain.dims)
    if (!v.bounds.isBounded() ||
        __builtin_mul_overflow(points, v.bounds.upper - v.bounds.lower + 1,
                               &points) ||
        points > maxSteps)
      return false;
  Verdict verdict{
      .reason = {}, .counterexample = {}, .first = {}, .second = {}};
  ProveOptions options{.maxSteps = maxSteps};
  return Prover(first, second, options, verdict).agreesEverywhere();
}

} // namespace mercator::indexing
