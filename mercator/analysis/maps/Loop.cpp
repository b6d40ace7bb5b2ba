// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps through a loop: iteration to a fixed point.
//
// The idea is Kleene iteration on sets of maps: X(0) is the identity on the
// result, and X(t + 1) = F(X(t)) composes with the maps of the body. The domain
// is finite in practice, because almost all loops carry a value unchanged,
// shift it or exchange it with another, so the sets repeat after one or two
// steps. There are three cases:
//
//   1. A small constant number of iterations: all are unrolled, each with the
//      exact value of its counter.
//   2. The number of iterations is an expression of runtime values, and the
//      sets repeat (`Sequence`): the maps of X(t) hold if the number is t, or
//      is congruent to t modulo the period. That is a constraint of each map.
//   3. Otherwise the union of all X(t). A counter whose number of iterations is
//      constant becomes a range variable over all iterations, so one map covers
//      them. After kMaxIterations steps a set that still grows is widened to
//      the whole tensor (P. Cousot and R. Cousot, "Abstract interpretation",
//      1977).
//
// Reads of values outside the loop are collected on the way. LoopSlices.cpp
// handles loops that fill a tensor slice by slice.

#include "mercator/analysis/maps/Loop.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/indexing/simplify/Solve.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

static constexpr llvm::StringLiteral kHowOften =
    "while: the number of iterations is not known";
static constexpr llvm::StringLiteral kReaders =
    "while: which of the iterations read it is not known";
static constexpr llvm::StringLiteral kWhich =
    "while: an offset changes from iteration to iteration";
static constexpr llvm::StringLiteral kAlternates =
    "while: the iterations read different elements";

Loop::Loop(FusionMaps::Cache &cache, stablehlo::WhileOp op)
    : cache(cache), op(op), arena(cache.arena()),
      counter(op, cache.leaves, cache.symbols) {
  if (!counter.iterations())
    trips = counter.trips();
  for (auto [number, value] : llvm::enumerate(op->getOperands()))
    for (unsigned leaf = 0, e = cache.leaves.count(value.getType()); leaf < e;
         ++leaf)
      carried.push_back({(unsigned)number, leaf,
                         counter.isUnchanged(number, leaf),
                         cache.sizes({value, leaf})});
}

std::optional<unsigned> Loop::indexOf(unsigned number, unsigned leaf) const {
  for (auto [k, c] : llvm::enumerate(carried))
    if (c.number == number && c.leaf == leaf)
      return k;
  return std::nullopt;
}

std::vector<Leaf> Loop::argumentsOf(mlir::Block *block) const {
  std::vector<Leaf> out;
  for (const Carried &c : carried)
    out.push_back({block->getArgument(c.number), c.leaf});
  return out;
}

//===--- Iterations -------------------------------------------------------===//

Loop::When Loop::anyIteration() const {
  std::optional<int64_t> count = counter.iterations();
  return {0, count ? std::max<int64_t>(*count - 1, 0) : 0, count.has_value()};
}

/// Replaces the runtime variables of the map by `kept`, and the old variable i
/// by the expression `by[i]`.
static void replaceRuntimes(Map &map, SmallVector<RuntimeVariable, 1> kept,
                            llvm::ArrayRef<Expr> by) {
  map.domain.runtimes = std::move(kept);
  substitute(map, {{}, {}, by});
}

/// The map in the given iterations. A runtime variable that is read from a
/// counter becomes the value of the counter. One that is read from another
/// value of the loop becomes a range variable, which is an over-approximation.
/// With
/// `drop`, constraints on the latter are dropped, so that all iterations have
/// the same map.
OperandMap Loop::during(OperandMap m, const When &when, bool drop) {
  Map &map = m.map;
  SmallVector<RuntimeVariable, 1> kept;
  SmallVector<Expr, 4> by;
  SmallVector<Expr, 2> dropped;
  Expr iteration;
  std::string reason;
  bool changed = false;
  auto addRuntime = [&](auto &to, RuntimeVariable v) {
    to.push_back(std::move(v));
    return arena.runtime(to.size() - 1);
  };
  auto mayBeInside = [&](const SourcePlace &place) {
    mlir::Block *block = place.block();
    return !block || op->isAncestor(block->getParentOp());
  };
  // Runtime variables are clamped to their bounds. `matters` holds the counter
  // values that make a difference.
  auto countedValue = [&](const RuntimeVariable &v) -> std::optional<Affine> {
    SourcePlace place = sourcePlace(arena, v.source, v.element);
    if (!when.beforeLast || drop || !mayBeInside(place))
      return std::nullopt;
    return counter.valueAtCounter(place, v.element, arena);
  };
  Interval matters = Interval::empty();
  for (const RuntimeVariable &v : map.domain.runtimes)
    if (std::optional<Affine> value = countedValue(v);
        value && value->scale != 0) {
      Interval reached = (v.bounds - Interval::point(value->offset)) *
                         (value->scale < 0 ? -1 : 1);
      int64_t by = std::abs(value->scale);
      matters = matters.hull(
          {reached.floorDiv(by).lower, (-(-reached).floorDiv(by)).upper});
    }
  bool isCounted = false;
  for (RuntimeVariable v : map.domain.runtimes) {
    // A source that is not found may be inside the loop.
    SourcePlace place = sourcePlace(arena, v.source, v.element);
    mlir::Block *block = place.block();
    if (!mayBeInside(place)) {
      by.push_back(arena.runtime(kept.size()));
      kept.push_back(std::move(v));
      continue;
    }
    changed = true;
    auto argument = llvm::dyn_cast_if_present<mlir::BlockArgument>(place.value);
    if (argument && block->getParentOp() == op &&
        counter.isUnchanged(argument.getArgNumber(), 0)) {
      Source outside =
          internSource(arena, op->getOperand(argument.getArgNumber()));
      v.source = outside.id;
      v.element = outside.element;
      by.push_back(arena.runtime(kept.size()));
      kept.push_back(std::move(v));
      continue;
    }
    std::optional<Affine> value = when.isKnown && !drop
                                      ? counter.valueOf(place, v.element, arena)
                                      : std::nullopt;
    if (value) {
      if (!iteration)
        iteration = when.first == when.last ? arena.constant(when.first)
                    : when.isShared
                        ? addRuntime(kept, sharedIteration(when))
                        : map.domain.addRange(arena, {when.first, when.last});
      Expr x = arena.add(arena.scale(iteration, value->scale), value->offset);
      by.push_back(arena.clamp(x, v.bounds.lower, v.bounds.upper));
      continue;
    }
    if (std::optional<Affine> atCounter = countedValue(v)) {
      if (!iteration)
        iteration = map.domain.addRange(arena, matters);
      Expr x = arena.add(arena.scale(iteration, atCounter->scale),
                         atCounter->offset);
      by.push_back(arena.clamp(x, v.bounds.lower, v.bounds.upper));
      isCounted = true;
      continue;
    }
    by.push_back(map.domain.addRange(arena, v.bounds));
    dropped.push_back(by.back());
    reason = kWhich.str();
  }
  if (!changed)
    return m;
  m.leastRead = 0;
  replaceRuntimes(map, std::move(kept), by);
  if (isCounted)
    restrictCounter(map, iteration, when, matters);
  if (drop)
    llvm::erase_if(map.domain.constraints, [&](const Constraint &c) {
      return llvm::any_of(dropped, [&](Expr e) {
        return arena.uses(c.expr, arena.var(e)) &&
               llvm::none_of(map.results, [&](Expr result) {
                 return arena.uses(result, arena.var(e));
               });
      });
    });
  map = simplify(map);
  if (!reason.empty() && m.exact) {
    m.exact = false;
    m.reason = reason;
  }
  return m;
}

/// The value of a bound of the counter plus `more`, clamped to `matters`.
Expr Loop::boundValue(Map &map, const Trips::Bound &bound, int64_t more,
                      Interval matters) {
  int64_t constant = bound.constant + more;
  if (!bound.leaf)
    return arena.constant(std::clamp(constant, matters.lower, matters.upper));
  SmallVector<Expr> at(sizesOf(bound.leaf->value.getType()).size(),
                       arena.constant(0));
  IndexValue value = indexValue(arena, map.domain, bound.leaf->value, at);
  return arena.add(
      clampedIndex(map, value, matters - Interval::point(constant)), constant);
}

/// Restricts the counter `x`, clamped to `matters`, to its values in the given
/// iterations: all numbers from the first to the last, since its step is 1.
void Loop::restrictCounter(Map &map, Expr x, const When &when,
                           Interval matters) {
  int64_t more = trips->goesUp ? -*when.beforeLast : *when.beforeLast;
  Expr first = boundValue(map, trips->first, 0, matters),
       last = boundValue(map, trips->last, more, matters);
  if (!trips->goesUp)
    std::swap(first, last);
  auto add = [&](Expr distance) {
    Interval bounds = IntervalAnalysis(arena, map.domain).interval(distance);
    if (bounds.lower < 0)
      map.domain.addConstraint(distance, bounds.intersect({0, Interval::kMax}));
  };
  if (when.orBefore || trips->goesUp)
    add(arena.sub(last, x));
  if (when.orBefore || !trips->goesUp)
    add(arena.sub(x, first));
  if (!when.orBefore)
    trips->goesUp ? add(arena.sub(x, last)) : add(arena.sub(first, x));
  map = mergeRuntimes(std::move(map));
}

RuntimeVariable Loop::sharedIteration(const When &when) {
  RuntimeVariable v;
  v.bounds = {when.first, when.last};
  // The iteration number is not a value of the program: the key is the loop and
  // a word.
  v.source =
      arena.internSource({op.getOperation(), arena.intern("iteration")}, [&] {
        return "an iteration of " + computationName(&op.getBody());
      });
  return v;
}

OperandMap Loop::inSome(OperandMap m, const When &when) {
  Map &map = m.map;
  SmallVector<RuntimeVariable, 1> kept;
  SmallVector<Expr, 4> by;
  uint32_t shared = sharedIteration(when).source;
  for (const RuntimeVariable &v : map.domain.runtimes)
    if (v.source == shared) {
      by.push_back(map.domain.addRange(arena, {when.first, when.last}));
    } else {
      by.push_back(arena.runtime(kept.size()));
      kept.push_back(v);
    }
  replaceRuntimes(map, std::move(kept), by);
  return m;
}

MapSet Loop::during(const MapSet &maps, const When &when, bool drop) {
  MapSet out;
  for (const OperandMap &m : maps)
    out.insert(during(m, when, drop));
  return out;
}

/// F: the reads at the start of an iteration, given those at its end.
Loop::States Loop::step(Reads &reads, const States &from, const When &when,
                        bool drop) {
  States to(carried.size());
  mlir::Block *body = &op.getBody().front();
  for (auto [k, c] : llvm::enumerate(carried)) {
    if (from[k].maps.empty())
      continue;
    if (c.isUnchanged) {
      reads.add(from[k], to[k], c.sizes);
      continue;
    }
    const WalkResult &answer =
        cache.answer(body, Direction::OutToIn,
                     {body->getTerminator()->getOperand(c.number), c.leaf});
    if (!answer.refusal.empty()) {
      for (auto [i, other] : llvm::enumerate(carried))
        reads.widen(to[i], other.sizes, answer.refusal);
      continue;
    }
    for (const Reached &r : answer.reached) {
      std::optional<unsigned> i = indexOf(r.number, r.leaf);
      if (i && slices && k == slices->carried && *i == k)
        reads.add(from[k], to[k], c.sizes); // see notReplaced
      else if (i && !carried[*i].isUnchanged)
        reads.compose(from[k], c.sizes, to[*i], carried[*i].sizes,
                      during(r.maps, when, drop));
    }
  }
  addCondition(reads, to);
  return to;
}

/// Collects the reads of values outside the loop by the body, in the given
/// iterations.
void Loop::collect(Reads &reads, const States &from, const When &when,
                   Certainty certainty) {
  mlir::Block *body = &op.getBody().front();
  auto add = [&](unsigned k, Leaf leaf, std::optional<unsigned> operand,
                 const MapSet &maps) {
    State start = from[k], composed, here;
    SmallVector<int64_t> sizes = cache.sizes(leaf);
    When then = when;
    if (slices && k == slices->carried) {
      then.isShared = when.first != when.last;
      Map map = notReplaced(*slices, then.isShared ? arena.runtime(0)
                                                   : arena.constant(when.last));
      if (then.isShared)
        map.domain.addRuntime(arena, sharedIteration(when));
      start.maps = simplify(map);
    }
    reads.compose(start, carried[k].sizes, composed, sizes, during(maps, then));
    // The position of a written slice determines the iteration: solving for it
    // removes the range variable.
    here.isFull = composed.isFull;
    for (OperandMap m : composed.maps) {
      if (then.isShared)
        m = inSome(std::move(m), when);
      if (!m.map.domain.ranges.empty() && !m.map.domain.constraints.empty())
        m.map = simplify(solveRanges(m.map));
      if (certainty.kind == Certainty::IfRun)
        m = whereTrips(std::move(m), *certainty.sequence,
                       {certainty.iteration + 1, Interval::kMax}, false);
      here.maps.insert(std::move(m));
    }
    State &all = collected(leaf, operand);
    certainty.kind == Certainty::Perhaps
        ? reads.addSome(here, all, sizes,
                        counter.iterations() ? kReaders : kHowOften)
        : reads.add(here, all, sizes);
  };
  for (auto [k, c] : llvm::enumerate(carried)) {
    if (from[k].maps.empty() || c.isUnchanged)
      continue;
    const WalkResult &answer =
        cache.answer(body, Direction::OutToIn,
                     {body->getTerminator()->getOperand(c.number), c.leaf});
    if (!answer.refusal.empty())
      for (mlir::Value value : cache.capturesOf(op))
        for (unsigned leaf = 0, e = cache.leaves.count(value.getType());
             leaf < e; ++leaf)
          reads.widen(collected({value, leaf}, std::nullopt),
                      cache.sizes({value, leaf}), answer.refusal);
    for (const Reached &r : answer.reached) {
      std::optional<unsigned> i = indexOf(r.number, r.leaf);
      if (i && carried[*i].isUnchanged)
        add(k, initial(*i), r.number, r.maps);
    }
    for (const Outside &outside : answer.captured)
      add(k, outside.leaf, std::nullopt, outside.maps);
  }
}

State &Loop::collected(Leaf leaf, std::optional<unsigned> operand) {
  for (Found &f : found)
    if (f.leaf.value == leaf.value && f.leaf.leaf == leaf.leaf &&
        f.operand == operand)
      return f.state;
  found.push_back({leaf, operand, {}});
  return found.back().state;
}

//===--- The condition ----------------------------------------------------===//

void Loop::addCondition(Reads &reads, States &states) {
  mlir::Block *cond = &op.getCond().front();
  const WalkResult &answer = cache.answer(
      cond, Direction::OutToIn, {cond->getTerminator()->getOperand(0), 0});
  State predicate;
  reads.addAll(predicate, {});
  When when = anyIteration();
  ++when.last; // the condition runs once more than the body
  if (!answer.refusal.empty())
    for (auto [k, c] : llvm::enumerate(carried))
      reads.widen(states[k], c.sizes, answer.refusal);
  for (const Reached &r : answer.reached) {
    std::optional<unsigned> k = indexOf(r.number, r.leaf);
    if (k)
      reads.compose(predicate, {}, states[*k], carried[*k].sizes,
                    during(r.maps, when));
  }
}

void Loop::collectCondition(Reads &reads) {
  mlir::Block *cond = &op.getCond().front();
  const WalkResult &answer = cache.answer(
      cond, Direction::OutToIn, {cond->getTerminator()->getOperand(0), 0});
  State predicate;
  reads.addAll(predicate, {});
  When when = anyIteration();
  ++when.last;
  for (const Outside &outside : answer.captured)
    reads.compose(predicate, {}, collected(outside.leaf, std::nullopt),
                  cache.sizes(outside.leaf), during(outside.maps, when));
}

//===--- All iterations ---------------------------------------------------===//

/// True if both have the same maps for every value.
bool Loop::same(const States &a, const States &b, bool alsoExactness) {
  auto within = [&](const MapSet &x, const MapSet &y) {
    return llvm::all_of(x, [&](OperandMap m) {
      m.exact &= alsoExactness;
      return contains(y, m);
    });
  };
  return llvm::all_of(llvm::zip_equal(a, b), [&](auto pair) {
    const auto &[x, y] = pair;
    return x.maps.size() == y.maps.size() && within(x.maps, y.maps) &&
           within(y.maps, x.maps);
  });
}

bool Loop::addAll(Reads &reads, const States &from, States &to) {
  bool changed = false;
  for (auto [k, c] : llvm::enumerate(carried))
    changed |= reads.add(from[k], to[k], c.sizes);
  return changed;
}

std::vector<Outside> Loop::asOutside(const States &states) const {
  std::vector<Outside> out;
  for (auto [k, c] : llvm::enumerate(carried))
    if (!states[k].maps.empty())
      out.push_back({initial(k), states[k].maps, c.number});
  return out;
}

void Loop::follow(Reads &reads, const States &atEnd, States &anywhere,
                  std::vector<Outside> &outside) {
  found.clear();
  When when = anyIteration();
  anywhere = atEnd;
  States now = atEnd;
  for (unsigned t = 0;; ++t) {
    collect(reads, now, when, {Certainty::Perhaps});
    States next = step(reads, now, when, /*drop=*/true);
    for (auto [k, c] : llvm::enumerate(carried)) {
      State some;
      reads.addSome(next[k], some, c.sizes,
                    counter.iterations() ? kReaders : kHowOften);
      if (t >= FusionMaps::kMaxIterations && !some.maps.empty())
        for (const OperandMap &m : some.maps)
          if (!contains(anywhere[k].maps, m)) {
            reads.widen(some, c.sizes, kAlternates);
            break;
          }
      next[k] = std::move(some);
    }
    if (!addAll(reads, next, anywhere))
      break;
    now = std::move(next);
  }
  outside.clear();
  for (Found &f : found)
    outside.push_back({f.leaf, f.state.maps, f.operand});
}

/// Collects the reads of all iterations outside the loop. If the loop is
/// stable, the states before `all.back()` belong to one iteration each, and
/// `all.back()` to all earlier iterations.
void Loop::collectMany(Reads &reads, const std::vector<States> &all,
                       const States &together, bool isStable) {
  std::optional<int64_t> count = counter.iterations();
  if (!count || !isStable || *count < (int64_t)all.size())
    return collect(reads, together, anyIteration(), {Certainty::Perhaps});
  // Iterations whose maps differ only in exactness are handled together.
  size_t t = 0;
  while (t + 1 < all.size() &&
         !same(all[t], all.back(), /*alsoExactness=*/false)) {
    int64_t n = *count - 1 - int64_t(t);
    collect(reads, all[t], {n, n, true}, {Certainty::Always});
    ++t;
  }
  collect(reads, all.back(), {0, *count - 1 - int64_t(t), true},
          {Certainty::Always});
}

//===--- Loops whose number of iterations is a runtime value --------------===//

/// Nothing if the states do not repeat after a few iterations.
std::optional<Loop::Sequence> Loop::sequenceOf(Reads &reads,
                                               const States &atEnd) {
  Sequence sequence{{atEnd}};
  for (unsigned t = 0; t < FusionMaps::kMaxIterations; ++t) {
    reads.allow();
    States next = step(reads, sequence.states.back(), anyIteration(),
                       /*drop=*/true);
    for (size_t j = sequence.states.size(); j-- > 0;)
      if (same(next, sequence.states[j], /*alsoExactness=*/true)) {
        sequence.repeats = j;
        // Without clamping, the distance must not overflow.
        if (!trips->isNarrow &&
            (sequence.period() > 1 || (trips->plus && trips->minus)))
          return std::nullopt;
        return sequence;
      }
    sequence.states.push_back(std::move(next));
  }
  return std::nullopt;
}

/// Restricts the map to runs whose number of iterations lies in `trips`; with
/// `onlyThisResidue`, also to numbers congruent to trips.lower modulo the
/// period.
OperandMap Loop::whereTrips(OperandMap m, const Sequence &sequence,
                            Interval trips, bool onlyThisResidue) {
  const Trips &by = *this->trips;
  Interval bounds;
  if (trips.lower > 0)
    bounds.lower = (trips.lower - 1) * by.step + 1;
  if (trips.hasUpper())
    bounds.upper = trips.upper * by.step;
  if ((bounds == Interval::everything() && !onlyThisResidue) ||
      m.map.isKnownEmpty())
    return m;
  Map &map = m.map;
  Expr distance = arena.constant(by.offset);
  // If the last state repeats itself, all larger distances mean the same.
  bool isClamped = sequence.period() == 1 && !(by.plus && by.minus);
  Interval matters = {0, int64_t(sequence.states.size()) * by.step + 1};
  auto add = [&](const std::optional<Leaf> &leaf, int64_t sign) {
    if (!leaf)
      return;
    SmallVector<Expr> at(sizesOf(leaf->value.getType()).size(),
                         arena.constant(0));
    IndexValue value = indexValue(arena, map.domain, leaf->value, at);
    if (m.devices) // the value on the device of the result
      value.index.push_back(arena.dim(map.numDims() - 1));
    Interval range =
        isClamped ? (matters - Interval::point(by.offset)) * sign : value.range;
    distance =
        arena.add(distance, arena.scale(clampedIndex(map, value, range), sign));
  };
  add(by.plus, 1);
  add(by.minus, -1);
  map.domain.addConstraint(
      distance,
      bounds.intersect(IntervalAnalysis(arena, map.domain).interval(distance)));
  if (onlyThisResidue) {
    Expr count = arena.max(arena.ceilDiv(distance, by.step), arena.constant(0));
    int64_t period = int64_t(sequence.period());
    map.domain.addConstraint(arena.mod(count, period),
                             Interval::point(trips.lower % period));
  }
  map = simplify(mergeRuntimes(std::move(map)));
  m.leastRead = 0;
  return m;
}

/// The maps to the initial values. Each map holds for the numbers of iterations
/// whose state contains it.
Loop::States Loop::entryBySequence(Reads &reads, const Sequence &sequence) {
  const std::vector<States> &states = sequence.states;
  States entry(carried.size());
  // A map that is not exact does not count if an exact one means the same.
  auto isIn = [&](unsigned k, size_t t, OperandMap m) {
    if (!contains(states[t][k].maps, m))
      return false;
    return m.exact || !contains(states[t][k].maps, {m.map});
  };
  for (auto [k, c] : llvm::enumerate(carried))
    for (size_t first = 0; first < states.size(); ++first)
      for (const OperandMap &m : states[first][k].maps) {
        bool isKnown = false;
        for (size_t t = 0; t < first; ++t)
          isKnown |= isIn(k, t, m);
        if (isKnown)
          continue;
        auto add = [&, k = k, &c = c](Interval trips, bool onlyThisResidue) {
          reads.insert(entry[k], c.sizes,
                       whereTrips(m, sequence, trips, onlyThisResidue));
        };
        bool always = true; // in all states that repeat
        for (size_t t = sequence.repeats; t < states.size(); ++t)
          always &= isIn(k, t, m);
        for (size_t t = first; t < states.size(); ++t) {
          if (!isIn(k, t, m))
            continue;
          if (t >= sequence.repeats && !always) {
            add({int64_t(t), Interval::kMax}, true);
            continue;
          }
          size_t end = t;
          while (end < sequence.repeats && isIn(k, end, m))
            ++end;
          bool isOpen = end >= sequence.repeats && always;
          add({int64_t(t), isOpen ? Interval::kMax : int64_t(end) - 1}, false);
          if (isOpen)
            break;
          t = end - 1;
        }
      }
  return entry;
}

std::vector<Outside> Loop::readsOf(Leaf result) {
  // Reentrant: with recursive functions, following a loop may ask for it again.
  std::vector<Found> outer = std::exchange(found, {});
  std::optional<Slices> outerSlices = std::exchange(slices, std::nullopt);
  unsigned root = *indexOf(
      llvm::cast<mlir::OpResult>(result.value).getResultNumber(), result.leaf);
  Reads reads(arena, cache.sizes(result));
  reads.allow();
  States now(carried.size());
  now[root] = reads.start();
  addCondition(reads, now);
  collectCondition(reads);

  std::optional<int64_t> count = counter.iterations();
  States entry;
  if (count && *count <= FusionMaps::kMaxIterations) {
    for (int64_t n = *count - 1; n >= 0; --n) {
      reads.allow();
      collect(reads, now, {n, n, true}, {Certainty::Always});
      now = step(reads, now, {n, n, true}, /*drop=*/false);
    }
    entry = std::move(now);
  } else if (std::optional<Sequence> sequence =
                 trips ? sequenceOf(reads, now) : std::nullopt) {
    for (auto [t, states] : llvm::enumerate(sequence->states)) {
      reads.allow();
      When when = anyIteration();
      when.beforeLast = int64_t(t);
      when.orBefore = t + 1 == sequence->states.size();
      // With a period above 1, a repeating state belongs to some iterations
      // only.
      if (t >= sequence->repeats && sequence->period() > 1)
        when.beforeLast = std::nullopt;
      collect(reads, states, when, {Certainty::IfRun, &*sequence, int64_t(t)});
    }
    entry = entryBySequence(reads, *sequence);
  } else {
    When any = anyIteration();
    std::vector<States> all; // X(0), X(1), ...
    States together;
    bool isStable = false;
    auto follow = [&] {
      States atEnd = now;
      all = {now};
      together = now;
      isStable = false;
      for (unsigned t = 0;; ++t) {
        reads.allow();
        States next = step(reads, now, any, /*drop=*/true);
        isStable = same(next, now, /*alsoExactness=*/true);
        if (isStable)
          break;
        if (t >= FusionMaps::kMaxIterations)
          for (auto [k, c] : llvm::enumerate(carried))
            if (!llvm::all_of(next[k].maps, [&](const OperandMap &m) {
                  return contains(now[k].maps, m);
                }))
              reads.widen(next[k], c.sizes, kAlternates);
        bool grows = addAll(reads, next, together);
        all.push_back(next);
        now = std::move(next);
        // Nothing new, but the states alternate.
        if (!grows && t > 0)
          break;
      }
      if (slices && !(isStable && isReadByItself(root, all))) {
        now = std::move(atEnd);
        return false;
      }
      return true;
    };
    slices = slicesOf(root);
    if (!follow()) {
      slices = std::nullopt;
      follow();
    }
    collectMany(reads, all, together, isStable);
    if (count && isStable && *count >= (int64_t)all.size() - 1) {
      entry = std::move(now);
      if (slices)
        entry[root].maps = simplify(notReplaced(*slices, arena.constant(-1)));
    } else {
      // The loop may end after any of the states.
      entry.resize(carried.size());
      for (auto [k, c] : llvm::enumerate(carried))
        for (OperandMap m : together[k].maps) {
          bool always =
              isStable && llvm::all_of(all, [&, k = k](const States &states) {
                return contains(states[k].maps, m);
              });
          if (!always)
            m.leastRead = 0;
          if (m.exact && !always) {
            m.exact = false;
            m.reason = count ? kAlternates.str() : kHowOften.str();
          }
          reads.insert(entry[k], c.sizes, std::move(m));
        }
    }
  }
  std::vector<Outside> out = asOutside(entry);
  for (Found &f : found)
    if (!f.state.maps.empty())
      out.push_back({f.leaf, f.state.maps, f.operand});
  found = std::move(outer);
  slices = outerSlices;
  return out;
}
