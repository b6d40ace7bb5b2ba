// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equivalence of two maps.
//
// The idea: two relations are equal if each includes the other. Inclusion
// "every element that A reads, B reads" is decided by refutation, as in
// dependence analysis with Presburger arithmetic (W. Pugh and D. Wonnacott,
// "Going beyond integer programming with the Omega test to eliminate false data
// dependences", 1995):
//
//   1. Write B as constraints on (d, rt, element): solve the equations
//      result(i) - element(i) = 0 for the range variables of B (Solve.h).
//   2. Substitute the results of A for the element.
//   3. For each constraint: the domain of A with the negated constraint must be
//      empty (Emptiness.h). A witness of non-emptiness is a point that A reads
//      and B may not: a candidate for a counterexample.
//
// Quantified variables that step 1 does not eliminate are instantiated with the
// range variables of A, which is sufficient but not necessary. Before
// reasoning, the maps are compared in canonical form, then at sampled points
// (random testing finds most differences at once), then at all points if there
// are few.
//
// Each counterexample is evaluated on the maps as given. So an error in the
// simplifier or in a solver can make a verdict undecided, but never gives a
// wrong "different".

#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/decide/RuntimePairs.h"
#include "mercator/indexing/decide/Sampled.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/indexing/simplify/Solve.h"

#include "llvm/ADT/DenseSet.h"

namespace mercator::indexing {

namespace {
using Values = llvm::SmallVector<int64_t, 6>;

//===----------------------------------------------------------------------===//
// The canonical form
//===----------------------------------------------------------------------===//

/// The range variables in the order of their first use by the results, then by
/// the constraints; in a sum, by coefficient.
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
  m.domain.ranges = std::move(ranges);
  substitute(m, {.dims = {}, .ranges = by, .runtimes = {}});
  return m;
}

/// The canonical form: simplified, without unused ranges, ranges in order of
/// use, constraints sorted. Runtime variables keep their positions.
Map canonical(const Map &given) {
  auto tidy = [](const Map &m) {
    return removeUnused(
        simplify(m,
                 {.foldPoints = true, .dropUnused = false, .normalForm = true}),
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

/// Equal except for names and sources.
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

/// An element that only one of two maps over the same variables reads.
struct Difference {
  int reader;   ///< 0 or 1
  Values outer; ///< dimensions and runtime variables
  Values element;
  const char *how; ///< the method that found it
};

class Prover {
public:
  Prover(const Map &first, const Map &second, const ProveOptions &options)
      : arena(*first.arena), options(options),
        sides{SampledMap(first), SampledMap(second)} {}

  Decision::Kind kind = Decision::Kind::Unknown;
  std::string reason;
  std::optional<Difference> difference;

  void run() {
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

  /// Methods 2 and 3 alone: true if there are few points and all agree.
  bool agreesEverywhere() {
    return isSmall() && !sample() && exhaust() && kind == Decision::Kind::Yes;
  }

private:
  //===--- Counterexamples -----------------------------------------------===//

  /// Requires: side `reader` reads `element` at `outer`. If the other side
  /// certainly does not read it, records the difference and returns true.
  bool refute(int reader, llvm::ArrayRef<int64_t> outer,
              llvm::ArrayRef<int64_t> element, const char *how) {
    if (!sides[1 - reader].whoReads(outer, element).isYes())
      return false;
    difference = Difference{.reader = reader,
                            .outer = Values(outer.begin(), outer.end()),
                            .element = Values(element.begin(), element.end()),
                            .how = how};
    kind = Decision::Kind::No;
    reason = how;
    return true;
  }

  /// The same for a point of side `reader`: dims, ranges, runtimes.
  bool refuteAt(int reader, llvm::ArrayRef<int64_t> point, const char *how) {
    SampledMap &side = sides[reader];
    size_t numDims = side.getMap().numDims();
    Values outer(point.begin(), point.begin() + numDims), ranges;
    for (size_t i = 0; i < side.numRanges(); ++i)
      ranges.push_back(point[numDims + i]);
    outer.append(point.begin() + numDims + ranges.size(), point.end());
    auto element = side.elementAt(outer, ranges);
    return element && refute(reader, outer, *element, how);
  }

  //===--- Some points ---------------------------------------------------===//

  uint64_t random() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

  /// A value of the interval; an end of it about half of the time.
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
    // If the other side has ranges, looking up an element is a search: fewer
    // tries.
    for (int reader : {0, 1}) {
      SampledMap &side = sides[reader];
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
        if (element && refute(reader, outer, *element, kHow))
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
           all <= options.budget.steps;
  }

  /// Each point of the box takes one step per variable.
  [[nodiscard]] int64_t stepLimit() const {
    return (options.budget.steps + 64) * 2 *
           static_cast<int64_t>(sides[0].bounds().size() +
                                sides[1].bounds().size() + 1);
  }

  /// Whether both maps certainly read the same at every point of `outer`; counts
  /// the points. Requires: no ranges, so that a map reads at most one element at
  /// a point. One walk evaluates both maps, which is many times faster than to
  /// compare sets of elements.
  bool agreeAsFunctions(const System &outer, int64_t &points) {
    llvm::SmallVector<Expr, 16> exprs;
    for (const SampledMap &side : sides) {
      for (const Constraint &c : side.getMap().domain.constraints)
        exprs.push_back(c.expr);
      llvm::append_range(exprs, side.getMap().results);
    }
    auto isInside = [](const SampledMap &side, llvm::ArrayRef<int64_t> at,
                       llvm::ArrayRef<int64_t> values) {
      bool inside = !side.getMap().isKnownEmpty();
      for (auto [x, bounds] : llvm::zip_equal(at, side.bounds()))
        inside &= bounds.contains(x);
      for (auto [x, c] : llvm::zip(values, side.getMap().domain.constraints))
        inside &= c.bounds.contains(x);
      return inside;
    };
    size_t numResults = sides[0].getMap().numResults(),
           first = sides[0].getMap().domain.constraints.size(),
           second = sides[1].getMap().domain.constraints.size();
    Budget budget{.steps = stepLimit()};
    auto end = PointWalk(arena, outer, exprs)
                   .run(budget, [&](auto at, llvm::ArrayRef<int64_t> values) {
                     ++points;
                     auto others = values.drop_front(first + numResults);
                     bool inside = isInside(sides[0], at, values);
                     if (inside != isInside(sides[1], at, others))
                       return false;
                     return !inside || values.slice(first, numResults) ==
                                           others.slice(second, numResults);
                   });
    return end == PointWalk::End::Complete;
  }

  /// Compares all points. False if it gave up.
  bool exhaust() {
    System outer = outerBox();
    if (sides[0].numRanges() == 0 && sides[1].numRanges() == 0) {
      int64_t points = 0;
      if (agreeAsFunctions(outer, points)) {
        decideEqual(points);
        return true;
      }
    }
    PointWalk walk(arena, outer);
    Budget outerSteps{.steps = stepLimit()}, innerSteps{.steps = stepLimit()};
    int64_t points = 0;
    bool lost = false;
    auto end = walk.run(outerSteps, [&](llvm::ArrayRef<int64_t> at, auto) {
      ++points;
      return !(lost = !compareAt(at, innerSteps)) && !difference;
    });
    if (difference)
      return true;
    if (lost || end != PointWalk::End::Complete)
      return false;
    decideEqual(points);
    return true;
  }

  void decideEqual(int64_t points) {
    kind = Decision::Kind::Yes;
    reason = "all " + std::to_string(points) + " points agree";
  }

  /// Compares the sets of elements read at one point. False if it gave up.
  bool compareAt(llvm::ArrayRef<int64_t> at, Budget &budget) {
    for (int i : {0, 1}) {
      rows[i].clear();
      auto end = sides[i].forEachRead(
          at, budget, [&](auto, llvm::ArrayRef<int64_t> element) {
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
          return refute(reader, at, element, "found by comparing all points");
        }
    return false;
  }

  //===--- Reasoning -----------------------------------------------------===//

  /// The relation of a side as a domain over dims and elements. Its ranges are
  /// eliminated as far as possible.
  Map graphOf(const SampledMap &side) {
    const Map &m = side.getMap();
    Map graph(arena);
    graph.domain = m.domain;
    for (Expr e : m.results) {
      Expr y = graph.domain.addDim(arena, Interval::everything());
      graph.domain.addConstraint(arena.sub(e, y), Interval::point(0));
    }
    return removeUnused(
        simplify(solveRanges(graph),
                 {.foldPoints = true, .dropUnused = false, .normalForm = true}),
        UnusedVars::Ranges);
  }

  /// Whether `e in bounds` holds on the domain of side `reader`: the domain
  /// with the negated constraint is empty. Otherwise, with `refutes`, the
  /// witness may be a counterexample.
  Decision::Kind implies(int reader, Expr e, Interval bounds, bool refutes,
                         std::string &why) {
    using Kind = Decision::Kind;
    const Domain &domain = sides[reader].getMap().domain;
    e = simplify(arena, e, domain);
    if (bounds.contains(IntervalAnalysis(arena, domain).interval(e)))
      return Kind::Yes;
    Kind all = Kind::Yes;
    auto check = [&](Interval outside) {
      Domain rest = domain;
      rest.addConstraint(e, outside);
      Emptiness answer =
          isEmpty(arena, rest,
                  {.steps = 4096,
                   .columns = columnsLeft > 0 ? options.budget.columns : 0});
      columnsLeft -= int64_t(1) << (2 * std::min(answer.columns, 16u));
      if (answer.isNo()) {
        all = Kind::No;
        if (refutes)
          refuteAt(reader, answer.witness, "found by reasoning");
      } else if (answer.isUnknown()) {
        why = answer.reason;
        if (all == Kind::Yes)
          all = Kind::Unknown;
      }
    };
    if (bounds.hasLower())
      check({Interval::kMin, bounds.lower - 1});
    if (bounds.hasUpper() && all != Kind::No)
      check({bounds.upper + 1, Interval::kMax});
    return all;
  }

  /// True if all bounds and constraints of `domain` hold at the points of side
  /// `reader`. `by` gives the variables of `domain` as expressions of that
  /// side.
  bool impliesAll(int reader, const Domain &domain, const Substitution &by,
                  bool refutes, std::string &why) {
    bool all = true;
    auto require = [&](Expr e, Interval bounds) {
      if (bounds != Interval::everything() && !difference && (all || refutes))
        all &= implies(reader, substitute(arena, e, by), bounds, refutes,
                       why) == Decision::Kind::Yes;
    };
    domain.forEachVar(
        [&](Var v) { require(arena.variable(v), domain.bounds(v)); });
    for (const Constraint &c : domain.constraints)
      require(c.expr, c.bounds);
    return all;
  }

  /// True if the other side reads all elements that side `reader` reads.
  bool includes(int reader, std::string &why) {
    const SampledMap &other = sides[1 - reader];
    const Map &mine = sides[reader].getMap(), &theirs = other.getMap();
    // Equal values for the ranges of both sides: sufficient, not necessary.
    if (other.numRanges() != 0 &&
        other.numRanges() == sides[reader].numRanges()) {
      Domain wanted = theirs.domain;
      for (size_t i = 0; i < theirs.numResults(); ++i)
        wanted.addConstraint(arena.sub(theirs.results[i], mine.results[i]),
                             Interval::point(0));
      std::string ignored;
      if (impliesAll(reader, wanted, {}, false, ignored))
        return true;
    }
    Map graph = graphOf(other);
    if (graph.isKnownEmpty()) {
      Emptiness answer = isEmpty(arena, mine.domain);
      if (answer.isNo())
        refuteAt(reader, answer.witness, "the other map's domain is empty");
      why = answer.reason;
      return answer.isYes();
    }
    llvm::SmallVector<Expr, 12> dims(theirs.numDims());
    llvm::append_range(dims, mine.results);
    Substitution by{.dims = dims, .ranges = {}, .runtimes = {}};
    if (graph.domain.ranges.empty())
      return impliesAll(reader, graph.domain, by, true, why);
    // The remaining ranges are existential: try those of this side.
    if (graph.domain.ranges.size() <= sides[reader].numRanges() &&
        impliesAll(reader, graph.domain, by, false, why))
      return true;
    why = "range variables that no equation determines";
    return false;
  }

  Arena &arena;
  const ProveOptions &options;
  SampledMap sides[2];
  std::vector<Values> rows[2];
  uint64_t state = 1;
  /// The time of integer programming grows about fourfold per column. This
  /// budget allows 16 questions of 8 columns, or many smaller ones.
  int64_t columnsLeft = int64_t(16) << (2 * 8);
};

/// Makes the difference a counterexample of the verdict. False if evaluating
/// the maps as given does not confirm it.
bool showDifference(Verdict &verdict, const RuntimePairs &pairs,
                    const Difference &found) {
  size_t numDims = verdict.first.numDims();
  Counterexample c;
  c.dims.assign(found.outer.begin(), found.outer.begin() + numDims);
  c.element = found.element;
  c.firstReads = found.reader == 0;
  for (auto [i, x] : llvm::enumerate(pairs.list()))
    c.runtimes.push_back({.value = found.outer[numDims + i],
                          .place = {x.place[0], x.place[1]},
                          .used = {x.used[0], x.used[1]}});
  const Map &reader = c.firstReads ? verdict.first : verdict.second,
            &other = c.firstReads ? verdict.second : verdict.first;
  Values at = c.dims, elsewhere = c.dims, runtimes = c.runtimesOf(reader, true);
  llvm::append_range(at, runtimes);
  llvm::append_range(elsewhere, c.runtimesOf(other, false));
  Emptiness how = SampledMap(reader).whoReads(at, c.element);
  if (!how.isNo() || !SampledMap(other).whoReads(elsewhere, c.element).isYes())
    return false;
  c.ranges.assign(how.witness.begin(), how.witness.end());
  // The witness came from a search. Check it by evaluation.
  Values point = c.dims;
  llvm::append_range(point, c.ranges);
  llvm::append_range(point, runtimes);
  if (reader.isKnownEmpty() || !contains(*reader.arena, reader.domain, point))
    return false;
  for (auto [e, wanted] : llvm::zip(reader.results, c.element))
    if (evaluate(*reader.arena, e, reader.domain, point) != wanted)
      return false;
  verdict.counterexample = std::move(c);
  return true;
}

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

llvm::SmallVector<int64_t, 2> Counterexample::runtimesOf(const Map &map,
                                                         bool ofReader) const {
  int side = ofReader == firstReads ? 0 : 1;
  llvm::SmallVector<int64_t, 2> values;
  // A variable that does not take part gets some value of its interval.
  for (const RuntimeVariable &v : map.domain.runtimes)
    values.push_back(v.bounds.isEmpty() ? 0
                                        : std::clamp<int64_t>(0, v.bounds.lower,
                                                              v.bounds.upper));
  for (const RuntimeValue &x : runtimes)
    if (x.used[side])
      values[*x.place[side]] = x.value;
  return values;
}

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

bool sameMeaning(const Map &a, const Map &b, Budget budget) {
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
