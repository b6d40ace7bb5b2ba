// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method 4 of Prove.h: inclusion of relations, by reasoning about sets of
// integers.
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
// range variables of A, which is sufficient but not necessary.

#include "mercator/indexing/decide/Prover.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/indexing/simplify/Solve.h"

namespace mercator::indexing {

/// The relation of a side as a domain over dims and elements. Its ranges are
/// eliminated as far as possible.
Map Prover::graphOf(const SampledMap &side) {
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
Decision::Kind Prover::implies(int reader, Expr e, Interval bounds,
                               bool refutes, std::string &why) {
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
bool Prover::impliesAll(int reader, const Domain &domain,
                        const Substitution &by, bool refutes,
                        std::string &why) {
  bool all = true;
  auto require = [&](Expr e, Interval bounds) {
    if (bounds != Interval::everything() && !difference && (all || refutes))
      all &= implies(reader, substitute(arena, e, by), bounds, refutes, why) ==
             Decision::Kind::Yes;
  };
  domain.forEachVar(
      [&](Var v) { require(arena.variable(v), domain.bounds(v)); });
  for (const Constraint &c : domain.constraints)
    require(c.expr, c.bounds);
  return all;
}

/// True if the other side reads all elements that side `reader` reads.
bool Prover::includes(int reader, std::string &why) {
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

} // namespace mercator::indexing
