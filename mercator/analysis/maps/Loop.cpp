// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps through a loop: iteration to a fixed point. Loop.h explains the algorithm;
// LoopIterations.cpp has the maps of the body in given iterations, LoopTrips.cpp
// the loops whose number of iterations is a runtime value, and LoopSlices.cpp
// those that fill a tensor slice by slice.

#include "mercator/analysis/maps/Loop.h"
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

const WalkResult &Loop::readsInBody(unsigned k) {
  mlir::Block *body = &op.getBody().front();
  mlir::Value next = body->getTerminator()->getOperand(carried[k].number);
  return cache.answer(body, Direction::OutToIn, {next, carried[k].leaf});
}

const WalkResult &Loop::readsInCondition() {
  mlir::Block *cond = &op.getCond().front();
  mlir::Value predicate = cond->getTerminator()->getOperand(0);
  return cache.answer(cond, Direction::OutToIn, {predicate, 0});
}

//===--- One iteration ----------------------------------------------------===//

/// F: the reads at the start of an iteration, given those at its end.
Loop::States Loop::step(Reads &reads, const States &from, const When &when,
                        bool drop) {
  States to(carried.size());
  for (auto [k, c] : llvm::enumerate(carried)) {
    if (from[k].maps.empty())
      continue;
    if (c.isUnchanged) {
      reads.add(from[k], to[k], c.sizes);
      continue;
    }
    const WalkResult &answer = readsInBody(k);
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
    const WalkResult &answer = readsInBody(k);
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
  const WalkResult &answer = readsInCondition();
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
  const WalkResult &answer = readsInCondition();
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

/// One iteration after the other, each with the exact value of its counter.
Loop::States Loop::unroll(Reads &reads, States now, int64_t count) {
  for (int64_t n = count - 1; n >= 0; --n) {
    reads.allow();
    collect(reads, now, {n, n, true}, {Certainty::Always});
    now = step(reads, now, {n, n, true}, /*drop=*/false);
  }
  return now;
}

/// Follows X(0), X(1), ... until nothing new is reached.
Loop::Union Loop::unite(Reads &reads, const States &atEnd) {
  Union u{{atEnd}, atEnd};
  for (unsigned t = 0;; ++t) {
    reads.allow();
    const States &now = u.all.back();
    States next = step(reads, now, anyIteration(), /*drop=*/true);
    u.isStable = same(next, now, /*alsoExactness=*/true);
    if (u.isStable)
      return u;
    if (t >= FusionMaps::kMaxIterations)
      widenWhereItGrows(reads, now, next);
    bool grows = addAll(reads, next, u.together);
    u.all.push_back(std::move(next));
    // Nothing new, but the states alternate.
    if (!grows && t > 0)
      return u;
  }
}

/// Reads everything of the values whose maps in `now` do not contain those in
/// `next`.
void Loop::widenWhereItGrows(Reads &reads, const States &now, States &next) {
  for (auto [k, c] : llvm::enumerate(carried))
    if (!llvm::all_of(next[k].maps, [&, k = k](const OperandMap &m) {
          return contains(now[k].maps, m);
        }))
      reads.widen(next[k], c.sizes, kAlternates);
}

/// Collects the reads of all iterations outside the loop. If the loop is
/// stable, the states before `u.all.back()` belong to one iteration each, and
/// `u.all.back()` to all earlier iterations.
void Loop::collectUnion(Reads &reads, const Union &u) {
  std::optional<int64_t> count = counter.iterations();
  const std::vector<States> &all = u.all;
  if (!count || !u.isStable || *count < (int64_t)all.size())
    return collect(reads, u.together, anyIteration(), {Certainty::Perhaps});
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

/// The maps to the initial values, if the loop may end after any of the states.
Loop::States Loop::entryAfterAny(Reads &reads, const Union &u) {
  States entry(carried.size());
  for (auto [k, c] : llvm::enumerate(carried))
    for (OperandMap m : u.together[k].maps) {
      bool always =
          u.isStable && llvm::all_of(u.all, [&, k = k](const States &states) {
            return contains(states[k].maps, m);
          });
      if (!always)
        m.leastRead = 0;
      if (m.exact && !always) {
        m.exact = false;
        m.reason = counter.iterations() ? kAlternates.str() : kHowOften.str();
      }
      reads.insert(entry[k], c.sizes, std::move(m));
    }
  return entry;
}

Loop::States Loop::followAll(Reads &reads, const States &atEnd, unsigned root) {
  slices = slicesOf(root);
  Union u = unite(reads, atEnd);
  if (slices && !(u.isStable && isReadByItself(root, u.all))) {
    slices = std::nullopt;
    u = unite(reads, atEnd);
  }
  collectUnion(reads, u);
  std::optional<int64_t> count = counter.iterations();
  if (!count || !u.isStable || *count < (int64_t)u.all.size() - 1)
    return entryAfterAny(reads, u);
  States entry = std::move(u.all.back());
  if (slices)
    entry[root].maps = simplify(notReplaced(*slices, arena.constant(-1)));
  return entry;
}

//===--- The answer -------------------------------------------------------===//

std::vector<Outside> Loop::readsOf(Leaf result) {
  // Reentrant: with recursive functions, following a loop may ask for it again.
  std::vector<Found> outer = std::exchange(found, {});
  std::optional<Slices> outerSlices = std::exchange(slices, std::nullopt);
  unsigned root = *indexOf(
      llvm::cast<mlir::OpResult>(result.value).getResultNumber(), result.leaf);
  Reads reads(arena, cache.sizes(result));
  reads.allow();
  States atEnd(carried.size());
  atEnd[root] = reads.start();
  addCondition(reads, atEnd);
  collectCondition(reads);

  States entry;
  std::optional<int64_t> count = counter.iterations();
  if (count && *count <= FusionMaps::kMaxIterations)
    entry = unroll(reads, std::move(atEnd), *count);
  else if (std::optional<Sequence> sequence =
               trips ? sequenceOf(reads, atEnd) : std::nullopt)
    entry = followTrips(reads, *sequence);
  else
    entry = followAll(reads, atEnd, root);

  std::vector<Outside> out = asOutside(entry);
  for (Found &f : found)
    if (!f.state.maps.empty())
      out.push_back({f.leaf, f.state.maps, f.operand});
  found = std::move(outer);
  slices = outerSlices;
  return out;
}
