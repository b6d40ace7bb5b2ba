// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplification of maps.
//
// Constraints come first: each is simplified with the help of all the others.
// Then the results are simplified on the remaining domain. Both steps repeat
// until the map no longer changes, since smaller bounds may allow more rules.

#include "mercator/indexing/map/Analyses.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/map/RemoveUnused.h"
#include "mercator/indexing/simplify/Simplifier.h"

#include "llvm/ADT/bit.h"

#include <tuple>

namespace mercator::indexing {

namespace {
class MapSimplifier {
public:
  MapSimplifier(Map &map, const SimplifyOptions &options)
      : arena(*map.arena), options(options), given(map.domain.constraints),
        map(map) {}

  void run() {
    simplifyDomain();
    if (map.domain.knownEmpty)
      return makeEmpty();
    Simplifier s(arena, map.domain, options.foldPoints, options.trace);
    for (Expr &e : map.results)
      e = smaller(s.simplify(e), e);
    if (!options.normalForm)
      keepSmallerConstraints();
    for (RuntimeVariable &v : map.domain.runtimes)
      for (Expr &e : v.index)
        e = s.simplify(e);
    const Domain &domain = map.domain;
    if (!options.dropUnused ||
        (domain.ranges.empty() && domain.runtimes.empty()))
      return;
    std::optional<Map> kept = withoutUnused(map, UnusedVars::RangesAndRuntimes);
    if (!kept)
      return;
    note(Rule::UnusedDropped, Expr(), Expr());
    map = std::move(*kept);
  }

private:
  static constexpr unsigned kMaxRounds = 16;
  /// With more constraints than this, each is simplified on the box alone, so
  /// that the time stays linear.
  static constexpr size_t kMaxMutual = 12;

  /// Simplifies the constraints until they no longer change. The arena remembers
  /// the domain that results, except where the steps are wanted.
  void simplifyDomain() {
    if (map.domain.constraints.empty() || map.domain.knownEmpty)
      return tighten();
    IntervalAnalysis first(arena, map.domain);
    Analyses &state = analysesOf(arena);
    if (uint32_t known = first.data().simplifiedEpoch; known && !options.trace)
      return take(*state.domains[known - 1]);
    unsigned round = 0;
    for (; round < kMaxRounds; ++round) {
      tighten();
      if (map.domain.knownEmpty || !simplifyConstraints())
        break;
    }
    if (round == kMaxRounds)
      return;
    IntervalAnalysis last(arena, map.domain);
    last.data().simplifiedEpoch = first.data().simplifiedEpoch = last.epoch();
  }

  /// Takes the bounds and constraints of a domain with the same variables.
  void take(const IntervalAnalysis::Data &data) {
    map.domain.forEachVar(
        [&](Var v) { map.domain.bounds(v) = data.given[data.slot(v)]; });
    map.domain.constraints = data.constraints;
    map.domain.knownEmpty = data.knownEmpty;
  }

  /// The normal form, or the given form if it is smaller.
  Expr smaller(Expr normal, Expr given) {
    bool isLeaf =
        arena.isConstant(normal) || arena.kind(normal) == ExprKind::Variable;
    if (options.normalForm || normal == given || isLeaf ||
        sizeOf(arena, normal) <= sizeOf(arena, given))
      return normal;
    given = withoutPoints(given);
    return sizeOf(arena, normal) <= sizeOf(arena, given) ? normal : given;
  }

  /// e with each variable that has only one value replaced by the value.
  Expr withoutPoints(Expr e) {
    if (!options.foldPoints)
      return e;
    llvm::SmallVector<Expr, 6> by[3];
    map.domain.forEachVar([&](Var v) {
      Interval b = map.domain.bounds(v);
      by[static_cast<int>(v.kind)].push_back(
          b.isPoint() ? arena.constant(b.lower) : Expr());
    });
    return substitute(arena, e,
                      {.dims = by[static_cast<int>(VarKind::Dim)],
                       .ranges = by[static_cast<int>(VarKind::Range)],
                       .runtimes = by[static_cast<int>(VarKind::Runtime)]});
  }

  /// Restores the constraints as given if they are smaller than their normal
  /// form. The bounds are those implied by the normal form.
  void keepSmallerConstraints() {
    auto size = [&](llvm::ArrayRef<Constraint> list) {
      uint64_t sum = list.size();
      for (const Constraint &c : list)
        sum += sizeOf(arena, c.expr);
      return sum;
    };
    auto &now = map.domain.constraints;
    if (now.empty() || now == given || size(now) <= size(given))
      return;
    now = given;
    for (Constraint &c : now)
      c.expr = withoutPoints(c.expr);
  }

  void makeEmpty() {
    note(Rule::KnownEmpty, Expr(), Expr());
    map = Map::makeEmpty(arena, map.numDims(), map.numResults());
  }

  void note(Rule rule, Expr before, Expr after) {
    if (options.trace)
      options.trace->push_back({rule, before, after});
  }

  /// Tightens the bounds of dimensions and ranges to those that the constraints
  /// imply. Runtime variables keep theirs: their values are clamped to them.
  void tighten() {
    if (map.domain.constraints.empty()) {
      map.domain.knownEmpty = map.domain.hasEmptyBounds();
      return;
    }
    IntervalAnalysis bounds(arena, map.domain);
    if (bounds.isKnownEmpty()) {
      map.domain.knownEmpty = true;
      return;
    }
    map.domain.forEachVar([&](Var v) {
      if (v.kind == VarKind::Runtime)
        return;
      Interval &b = map.domain.bounds(v);
      Interval t = bounds.data().tightened[bounds.data().slot(v)];
      if (t != b) {
        b = t;
        unsettle(v);
        note(Rule::BoundsTightened, arena.variable(v), arena.variable(v));
      }
    });
  }

  /// One pass over the constraints; true if any changed.
  bool simplifyConstraints() {
    if (areAllSettled())
      return false;
    llvm::SmallVector<Constraint, 4> before = map.domain.constraints;
    boundsChanged = false;
    simplifyOnBox(before);
    if (!map.domain.knownEmpty)
      mergeResidues();
    if (!map.domain.knownEmpty)
      simplifyMutually();
    if (map.domain.knownEmpty)
      return true;
    mergeEqual();
    mergeResidues();
    return map.domain.knownEmpty || boundsChanged ||
           map.domain.constraints != before;
  }

  /// Each constraint on the box alone, which decides most constraints.
  void simplifyOnBox(llvm::ArrayRef<Constraint> constraints) {
    map.domain.constraints.clear();
    const Domain box = map.domain;
    narrowed = {};
    for (const Constraint &c : constraints) {
      if (map.domain.knownEmpty)
        return;
      if (isSettled(c))
        add(c.expr, c.bounds);
      else
        peel(c, box);
    }
    // A constraint that came out of this is settled on the box as it was.
    settled.clear();
    for (const Constraint &c : map.domain.constraints)
      if (!arena.vars(c.expr).mayIntersect(narrowed))
        settled.push_back(c);
  }

  /// Each constraint with the help of the others. A constraint must not justify
  /// dropping itself, so it is removed from the domain meanwhile.
  void simplifyMutually() {
    auto &list = map.domain.constraints;
    size_t n = list.size();
    if (n < 2 || n > kMaxMutual)
      return;
    for (size_t i = 0; i < n && !map.domain.knownEmpty; ++i) {
      Constraint c = list.front();
      list.erase(list.begin());
      if (isSettled(c) && !sharesVariables(c.expr))
        list.push_back(c);
      else
        peel(c, map.domain);
    }
  }

  /// True only if `c` comes out of peel() as it is, on the box as it is. Never
  /// where the steps are wanted: a peel that changes nothing may note some.
  [[nodiscard]] bool isSettled(const Constraint &c) const {
    return !options.trace && settled.size() <= kMaxMutual &&
           llvm::is_contained(settled, c);
  }
  /// True if other constraints may say something about the variables of e.
  [[nodiscard]] bool sharesVariables(Expr e) const {
    VarSet vars = arena.vars(e);
    return vars.isEmpty() ||
           llvm::any_of(map.domain.constraints, [&](const Constraint &other) {
             return arena.vars(other.expr).mayIntersect(vars);
           });
  }
  /// True only if simplifyConstraints changes nothing.
  [[nodiscard]] bool areAllSettled() const {
    VarSet seen;
    return llvm::all_of(map.domain.constraints, [&](const Constraint &c) {
      VarSet vars = arena.vars(c.expr);
      bool isAlone = !vars.isEmpty() && !seen.mayIntersect(vars);
      seen = seen | vars;
      return isAlone && isSettled(c);
    });
  }
  /// The bounds of v became smaller.
  void unsettle(Var v) {
    boundsChanged = true;
    narrowed = narrowed | VarSet::of(v);
    llvm::erase_if(settled, [&](const Constraint &c) {
      return arena.vars(c.expr).mayContain(v);
    });
  }

  void add(Expr e, Interval bounds) {
    map.domain.constraints.push_back({e, bounds});
  }

  /// Simplifies `c` on `domain`, which does not contain it, and adds the result
  /// to map.domain.
  void peel(Constraint c, const Domain &domain) {
    // The simplifier copies the domain, so `domain` may be map.domain.
    Simplifier s(arena, domain, /*foldPoints=*/true, options.trace);
    IntervalAnalysis &known = s.getBounds();
    if (known.isKnownEmpty()) {
      map.domain.knownEmpty = true;
      return;
    }
    // Each turn removes a node of the expression or reduces its coefficients.
    while (true) {
      c.expr = s.simplify(c.expr);
      Interval value = known.interval(c.expr);
      if (c.bounds.contains(value)) {
        note(Rule::ConstraintImplied, c.expr, Expr());
        return;
      }
      c.bounds = c.bounds.intersect(value);
      if (Interval clipped = known.residue(c.expr).clip(c.bounds);
          clipped != c.bounds) {
        note(Rule::ConstraintClipped, c.expr, c.expr);
        c.bounds = clipped;
      }
      if (c.bounds.isEmpty()) {
        map.domain.knownEmpty = true;
        return;
      }
      switch (arena.kind(c.expr)) {
      case ExprKind::Constant:
        return; // implied or empty, both handled above
      case ExprKind::Variable:
        return imposeOnVariable(c);
      case ExprKind::Sum:
        if (peelSum(c, known))
          continue;
        break;
      case ExprKind::Quotient:
        if (int64_t d = arena.divisor(c.expr)) {
          Interval low = Interval{c.bounds.lower, Interval::kMax} * d;
          Interval high = Interval{Interval::kMin, c.bounds.upper} * d +
                          Interval::point(d - 1);
          // A bound overflows: keep the constraint.
          if ((c.bounds.hasLower() && !low.hasLower()) ||
              (c.bounds.hasUpper() && !high.hasUpper()))
            break;
          Expr x = arena.lhs(c.expr);
          note(Rule::ConstraintPeeled, c.expr, x);
          c = {x, {low.lower, high.upper}};
          continue;
        }
        break;
      case ExprKind::Min:
      case ExprKind::Max:
        if (splitMinMax(c, value, domain))
          return;
        break;
      default:
        break;
      }
      add(c.expr, c.bounds);
      return;
    }
  }

  void imposeOnVariable(const Constraint &c) {
    Var v = arena.var(c.expr);
    if (v.kind == VarKind::Runtime) {
      add(c.expr, c.bounds);
      return;
    }
    Interval &b = map.domain.bounds(v);
    Interval narrower = b.intersect(c.bounds);
    if (narrower != b)
      unsettle(v);
    b = narrower;
    map.domain.knownEmpty |= b.isEmpty();
    note(Rule::BoundsTightened, c.expr, c.expr);
  }

  /// Moves the constant and the common factor of a sum into the interval, makes
  /// the first coefficient positive, and drops a part that does not matter.
  bool peelSum(Constraint &c, IntervalAnalysis &known) {
    LinearCopy l = arena.linearCopy(c.expr);
    int64_t g = 0;
    for (const Term &t : l.terms) {
      if (t.coefficient == Interval::kMin)
        return false;
      g = std::gcd(g, t.coefficient);
    }
    // The choice of the first term must not depend on handles: the sign of a
    // constraint must not change when variables are renumbered.
    auto order = [&](const Term &t) {
      uint64_t vars = arena.vars(t.expr).bits;
      return std::tuple(arena.kind(t.expr) != ExprKind::Variable,
                        llvm::countr_zero(vars), vars, arena.kind(t.expr),
                        arena.divisor(t.expr), std::abs(t.coefficient));
    };
    const Term *first = l.terms.begin();
    for (const Term &t : l.terms)
      if (order(t) < order(*first))
        first = &t;
    if (first->coefficient < 0)
      g = -g;
    if (g != 1 || l.constant != 0) {
      // Subtracting must be exact: the smallest int64 has no negation, and a
      // bound that leaves int64 cannot move.
      if (l.constant == Interval::kMin)
        return false;
      Interval shifted = c.bounds - Interval::point(l.constant);
      Interval b = g < 0 ? -shifted : shifted;
      bool low = g < 0 ? b.hasUpper() : b.hasLower(),
           high = g < 0 ? b.hasLower() : b.hasUpper();
      if (low != c.bounds.hasLower() || high != c.bounds.hasUpper() ||
          g == Interval::kMin)
        return false;
      int64_t d = g < 0 ? -g : g;
      b = {b.hasLower() ? ceilDivPositive(b.lower, d) : Interval::kMin,
           b.hasUpper() ? floorDivPositive(b.upper, d) : Interval::kMax};
      for (Term &t : l.terms)
        t.coefficient /= g;
      Expr e = arena.sum(l.terms, 0);
      note(Rule::ConstraintPeeled, c.expr, e);
      c = {e, b.isEmpty() ? Interval::empty() : b};
      if (b.isEmpty())
        map.domain.knownEmpty = true;
      return true;
    }
    return dropPart(c, l, known);
  }

  /// g*x + y in [a, b]: y is dropped if the same x satisfy it for every y.
  bool dropPart(Constraint &c, const LinearCopy &l, IntervalAnalysis &known) {
    llvm::SmallVector<Term, 8> order(l.terms);
    llvm::sort(order, [](const Term &a, const Term &b) {
      int64_t x = std::abs(a.coefficient), y = std::abs(b.coefficient);
      return x != y ? x > y : a.expr < b.expr;
    });
    // A bound that always holds is no restriction.
    Interval value = known.interval(c.expr);
    bool lower = c.bounds.hasLower() && c.bounds.lower > value.lower;
    bool upper = c.bounds.hasUpper() && c.bounds.upper < value.upper;
    int64_t g = 0;
    for (size_t i = 0; i + 1 < order.size(); ++i) {
      g = std::gcd(g, order[i].coefficient);
      if (g == 1)
        return false;
      llvm::SmallVector<Term, 8> rest(order.begin() + i + 1, order.end());
      if (llvm::any_of(rest,
                       [&](const Term &t) { return t.coefficient % g == 0; }))
        continue;
      llvm::sort(rest,
                 [](const Term &a, const Term &b) { return a.expr < b.expr; });
      Interval y = known.interval(rest, 0);
      if (!y.isBounded())
        continue;
      Interval low = Interval::point(c.bounds.lower) - y,
               high = Interval::point(c.bounds.upper) - y;
      if ((lower && (!low.isBounded() || ceilDivPositive(low.lower, g) !=
                                             ceilDivPositive(low.upper, g))) ||
          (upper && (!high.isBounded() || floorDivPositive(high.lower, g) !=
                                              floorDivPositive(high.upper, g))))
        continue;
      llvm::SmallVector<Term, 8> x(order.begin(), order.begin() + i + 1);
      for (Term &t : x)
        t.coefficient /= g;
      Expr e = arena.sum(x, 0);
      note(Rule::ConstraintDropPart, c.expr, e);
      c = {e,
           {lower ? ceilDivPositive(low.lower, g) : Interval::kMin,
            upper ? floorDivPositive(high.upper, g) : Interval::kMax}};
      return true;
    }
    return false;
  }

  /// min(x, y) >= a is x >= a and y >= a. Requires an upper bound that always
  /// holds. Likewise for max.
  bool splitMinMax(const Constraint &c, Interval value, const Domain &domain) {
    bool isMin = arena.kind(c.expr) == ExprKind::Min;
    bool lower = c.bounds.lower > value.lower,
         upper = c.bounds.upper < value.upper;
    if (isMin ? upper : lower)
      return false;
    Interval side = isMin ? Interval{c.bounds.lower, Interval::kMax}
                          : Interval{Interval::kMin, c.bounds.upper};
    note(Rule::ConstraintSplit, c.expr, arena.lhs(c.expr));
    Expr a = arena.lhs(c.expr), b = arena.rhs(c.expr);
    peel({a, side}, domain);
    if (!map.domain.knownEmpty)
      peel({b, side}, domain);
    return true;
  }

  /// Merges constraints on equal expressions.
  void mergeEqual() {
    auto &cs = map.domain.constraints;
    for (size_t i = 0; i < cs.size(); ++i)
      for (size_t j = i + 1; j < cs.size();) {
        if (cs[i].expr != cs[j].expr) {
          ++j;
          continue;
        }
        cs[i].bounds = cs[i].bounds.intersect(cs[j].bounds);
        map.domain.knownEmpty |= cs[i].bounds.isEmpty();
        note(Rule::ConstraintMerged, cs[i].expr, cs[i].expr);
        cs.erase(cs.begin() + j);
      }
  }

  /// A residue constraint without its constant: sum of terms = residue.
  struct ResidueConstraint {
    size_t index;
    llvm::SmallVector<Term, 4> terms;
    Residue residue;
  };

  /// x mod m in [r, r] with a constant m.
  [[nodiscard]] bool isResidue(const Constraint &c) const {
    return arena.kind(c.expr) == ExprKind::Remainder &&
           arena.divisor(c.expr) > 0 && c.bounds.isPoint();
  }

  /// True if there are no residues to merge, nor one with a constant or a
  /// coefficient to move.
  [[nodiscard]] bool areResiduesMerged() const {
    llvm::SmallVector<Expr, 8> seen;
    return llvm::all_of(map.domain.constraints, [&](const Constraint &c) {
      if (!isResidue(c))
        return true;
      Expr x = arena.lhs(c.expr);
      Linear l = arena.linear(x);
      bool fits = l.constant == 0 && c.bounds.lower >= 0 &&
                  c.bounds.lower < arena.divisor(c.expr) &&
                  (l.terms.size() > 1 ||
                   (l.terms.size() == 1 && l.terms[0].coefficient == 1)) &&
                  !llvm::is_contained(seen, x);
      seen.push_back(x);
      return fits;
    });
  }

  void mergeResidues() {
    auto &cs = map.domain.constraints;
    if (areResiduesMerged())
      return;
    llvm::SmallVector<ResidueConstraint, 4> found;
    for (size_t i = 0; i < cs.size(); ++i) {
      Expr e = cs[i].expr;
      if (!isResidue(cs[i]))
        continue;
      LinearCopy x = arena.linearCopy(arena.lhs(e));
      int64_t m = arena.divisor(e);
      Residue r =
          Residue::of(m, cs[i].bounds.lower - modPositive(x.constant, m));
      // a * v = r (mod m) is v = r' (mod m / gcd).
      if (x.terms.size() == 1) {
        auto solved = solveCongruence(x.terms[0].coefficient, r.remainder, m);
        if (!solved) {
          map.domain.knownEmpty = true;
          return;
        }
        x.terms[0].coefficient = 1;
        r = *solved;
      }
      auto same = llvm::find_if(found, [&](const ResidueConstraint &f) {
        return llvm::ArrayRef<Term>(f.terms) == llvm::ArrayRef<Term>(x.terms);
      });
      if (same == found.end()) {
        found.push_back({i, {x.terms.begin(), x.terms.end()}, r});
        continue;
      }
      auto both = same->residue.intersect(r);
      if (!both) {
        map.domain.knownEmpty = true;
        return;
      }
      // If the modulus leaves int64, both constraints stay.
      int64_t lcm;
      if (__builtin_mul_overflow(same->residue.modulus /
                                     std::gcd(same->residue.modulus, r.modulus),
                                 r.modulus, &lcm)) {
        found.push_back({i, {x.terms.begin(), x.terms.end()}, r});
        continue;
      }
      note(Rule::ConstraintResidues, e, cs[same->index].expr);
      same->residue = *both;
      cs[i].expr = Expr(); // merged into the other
    }
    for (const ResidueConstraint &f : found) {
      Expr e = arena.mod(arena.sum(f.terms, 0), f.residue.modulus);
      // x mod 1 is the constant 0: no restriction.
      cs[f.index] = {arena.isConstant(e) ? Expr() : e,
                     Interval::point(f.residue.remainder)};
    }
    llvm::erase_if(cs, [](const Constraint &c) { return !c.expr; });
  }

  Arena &arena;
  const SimplifyOptions &options;
  const llvm::SmallVector<Constraint, 4> given; ///< the constraints
  Map &map;
  llvm::SmallVector<Constraint, 4> settled; ///< see isSettled
  VarSet narrowed;            ///< since the pass over the box began
  bool boundsChanged = false; ///< in this pass
};
using Rewritten = IntervalAnalysis::Data::Rewritten;

/// The result of simplifying the map, if its range variables were rewritten
/// before. Valid until the next call of simplify.
const Map *find(llvm::ArrayRef<Rewritten> list, const Map &map,
                const SimplifyOptions &options) {
  for (const Rewritten &known : list)
    if (known.foldPoints == options.foldPoints &&
        known.normalForm == options.normalForm && known.given == map)
      return &known.simple;
  return nullptr;
}
} // namespace

void simplifyInPlace(Map &map, const SimplifyOptions &options) {
  MapSimplifier(map, options).run();
}

bool isSimple(const Map &map, bool foldPoints) {
  if (!map.domain.constraints.empty() || !map.domain.runtimes.empty())
    return false;
  VarSet used;
  for (Expr e : map.results) {
    if (map.arena->isConstant(e))
      continue;
    if (map.arena->kind(e) != ExprKind::Variable ||
        (foldPoints && map.domain.bounds(map.arena->var(e)).isPoint()))
      return false;
    used = used | map.arena->vars(e);
  }
  for (auto [i, v] : llvm::enumerate(map.domain.ranges))
    if (v.bounds.isPoint() ||
        !used.mayContain({VarKind::Range, static_cast<uint32_t>(i)}))
      return false;
  return used.isExact();
}

Map simplify(const Map &map, const SimplifyOptions &options) {
  if (isSimple(map, options.foldPoints) && !map.domain.hasEmptyBounds())
    return map;
  bool rewrites = options.dropUnused && !map.domain.ranges.empty();
  std::vector<Rewritten> *known = nullptr;
  if (rewrites && !options.trace) {
    known = &IntervalAnalysis(*map.arena, map.domain).data().rewritten;
    if (const Map *simple = find(*known, map, options))
      return *simple;
  }
  Map simple = map;
  simplifyInPlace(simple, options);
  // Simplifying may make the indices of two runtime variables equal.
  while (simple.domain.runtimes.size() > 1) {
    size_t before = simple.domain.runtimes.size();
    Map merged = simple;
    mergeRuntimes(merged);
    if (merged.domain.runtimes.size() == before)
      break;
    simple = std::move(merged);
    simplifyInPlace(simple, options);
  }
  // The maps of one domain are few: a search in a list.
  constexpr size_t kMostKnown = 16;
  if (rewrites && simplifyRanges(simple, options) && known &&
      known->size() < kMostKnown)
    known->emplace_back(map, simple, options.foldPoints, options.normalForm);
  return simple;
}

} // namespace mercator::indexing
