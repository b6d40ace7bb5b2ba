// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The maps of the body in given iterations: what Loop.h calls step 2.
//
// A map of the body has a runtime variable for each integer of the body that it
// reads, such as the index of a slice. In given iterations most of these integers
// are known: the counter %i of the example in Loop.h is n in iteration n. So each
// runtime variable of the map becomes, by the first of these that applies:
//
//   the same variable    it reads a value from outside the loop, or one that the
//                        loop carries unchanged
//   a * n + b            its value in iteration n is known. n is a constant for
//                        one iteration, and a range variable for several
//   a * i + b            its value is known from the counter i, whose bounds are
//                        runtime values. i is a range variable, with constraints
//                        that compare it with the first and last iteration
//   a range variable     nothing is known: an over-approximation

#include "mercator/analysis/maps/Loop.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Simplify.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

static constexpr llvm::StringLiteral kWhich =
    "while: an offset changes from iteration to iteration";

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

namespace {
/// The new variables of a map while its runtime variables are replaced, in
/// order.
struct Replacement {
  Map &map;
  Arena &arena;
  SmallVector<RuntimeVariable, 1> kept = {};
  /// For each old runtime variable, its new expression.
  SmallVector<Expr, 4> by = {};
  /// The range variables of which nothing is known.
  SmallVector<Expr, 2> unknown = {};
  /// The number of the iteration, or the counter.
  Expr iteration = {};

  Expr addRuntime(RuntimeVariable v) {
    kept.push_back(std::move(v));
    return arena.runtime(kept.size() - 1);
  }
  void keep(RuntimeVariable v) { by.push_back(addRuntime(std::move(v))); }
  void count(const RuntimeVariable &v, Affine value) {
    Expr x = arena.add(arena.scale(iteration, value.scale), value.offset);
    by.push_back(arena.clamp(x, v.bounds.lower, v.bounds.upper));
  }
  void forget(const RuntimeVariable &v) {
    by.push_back(map.domain.addRange(arena, v.bounds));
    unknown.push_back(by.back());
  }
  /// Drops the constraints on unknown variables that no result uses.
  void dropConstraints() {
    llvm::erase_if(map.domain.constraints, [&](const Constraint &c) {
      return llvm::any_of(unknown, [&](Expr e) {
        return arena.uses(c.expr, arena.var(e)) &&
               llvm::none_of(map.results, [&](Expr result) {
                 return arena.uses(result, arena.var(e));
               });
      });
    });
  }
};
} // namespace

/// True for a source inside the loop. A source that is not found may be inside.
bool Loop::mayBeInside(const SourcePlace &place) const {
  mlir::Block *block = place.block();
  return !block || op->isAncestor(block->getParentOp());
}

/// The value from outside the loop, if `place` is an argument of the body or of
/// the condition that the loop carries unchanged.
std::optional<Source> Loop::unchangedSource(const SourcePlace &place) {
  auto argument = llvm::dyn_cast_if_present<mlir::BlockArgument>(place.value);
  if (!argument || place.block()->getParentOp() != op ||
      !counter.isUnchanged(argument.getArgNumber(), 0))
    return std::nullopt;
  return internSource(arena, op->getOperand(argument.getArgNumber()));
}

/// The values of the counter that make a difference: runtime variables are
/// clamped to their bounds.
Interval Loop::countersThatMatter(const Map &map) {
  Interval matters = Interval::empty();
  for (const RuntimeVariable &v : map.domain.runtimes) {
    SourcePlace place = sourcePlace(arena, v.source, v.element);
    std::optional<Affine> value =
        mayBeInside(place) ? counter.valueAtCounter(place, v.element, arena)
                           : std::nullopt;
    if (!value || value->scale == 0)
      continue;
    Interval reached = (v.bounds - Interval::point(value->offset)) *
                       (value->scale < 0 ? -1 : 1);
    int64_t by = std::abs(value->scale);
    matters = matters.hull(
        {reached.floorDiv(by).lower, (-(-reached).floorDiv(by)).upper});
  }
  return matters;
}

/// The map in the given iterations. With `drop`, no value is taken from the
/// counter, and constraints on unknown variables are dropped, so that all
/// iterations have the same map.
OperandMap Loop::during(OperandMap m, const When &when, bool drop) {
  Map &map = m.map;
  auto placeOf = [&](const RuntimeVariable &v) {
    return sourcePlace(arena, v.source, v.element);
  };
  if (llvm::none_of(map.domain.runtimes, [&](const RuntimeVariable &v) {
        return mayBeInside(placeOf(v));
      }))
    return m;
  bool isKnown = when.isKnown && !drop, isCounted = when.beforeLast && !drop;
  Interval matters = isCounted ? countersThatMatter(map) : Interval::empty();
  bool usesCounter = false;
  Replacement r{map, arena};
  for (RuntimeVariable v : map.domain.runtimes) {
    SourcePlace place = placeOf(v);
    if (!mayBeInside(place)) {
      r.keep(std::move(v));
    } else if (std::optional<Source> outside = unchangedSource(place)) {
      v.source = outside->id;
      v.element = outside->element;
      r.keep(std::move(v));
    } else if (std::optional<Affine> value =
                   isKnown ? counter.valueOf(place, v.element, arena)
                           : std::nullopt) {
      if (!r.iteration)
        r.iteration = when.first == when.last ? arena.constant(when.first)
                      : when.isShared
                          ? r.addRuntime(sharedIteration(when))
                          : map.domain.addRange(arena, {when.first, when.last});
      r.count(v, *value);
    } else if (std::optional<Affine> value =
                   isCounted ? counter.valueAtCounter(place, v.element, arena)
                             : std::nullopt) {
      if (!r.iteration)
        r.iteration = map.domain.addRange(arena, matters);
      r.count(v, *value);
      usesCounter = true;
    } else {
      r.forget(v);
    }
  }
  m.leastRead = 0;
  replaceRuntimes(map, std::move(r.kept), r.by);
  if (usesCounter)
    restrictCounter(map, r.iteration, when, matters);
  if (drop)
    r.dropConstraints();
  map = simplify(map);
  if (!r.unknown.empty() && m.exact) {
    m.exact = false;
    m.reason = kWhich.str();
  }
  return m;
}

MapSet Loop::during(const MapSet &maps, const When &when, bool drop) {
  MapSet out;
  for (const OperandMap &m : maps)
    out.insert(during(m, when, drop));
  return out;
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
  mergeRuntimes(map);
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
