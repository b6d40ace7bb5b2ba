// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equivalence of two maps by testing points: all points if there are not too
// many, else random ones. It uses the definitions (Evaluate.h) and enumeration,
// never intervals, simplification or the prover.

#ifndef MERCATOR_TESTS_INDEXING_EQUIVALENCE_H
#define MERCATOR_TESTS_INDEXING_EQUIVALENCE_H

#include "mercator/indexing/evaluate/CompiledExprs.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/notation/Notation.h"

#include "Points.h"
#include "RandomMap.h"

#include <set>
#include <sstream>

namespace mercator::indexing {

class Equivalence {
public:
  static constexpr uint64_t kSteps = 400'000;
  static constexpr int kSamples = 40'000;

  Equivalence(const Map &a, const Map &b, RandomMap &random)
      : a(a), b(b), random(random) {}

  /// Requires: equal lists of variables. Nothing if the domains have the same
  /// points and the results have the same values, where those of a have one;
  /// else a report with the point. Points at which a constraint of a has no
  /// value do not count.
  std::optional<std::string> differencePointwise();

  /// For a map b without some variables of a: nothing if the sets of pairs
  /// (dimensions, results) are equal, except at dimensions where a result of a
  /// has no value.
  std::optional<std::string> differenceOfRelations();

  /// True if all points were tested.
  bool exhaustive = true;
  uint64_t pointsSeen = 0;

private:
  using Point = std::vector<int64_t>;
  using Pairs = std::set<std::pair<Point, Point>>;

  std::optional<std::string> pointOf(const Map &map);
  std::optional<std::string> compareAt(llvm::ArrayRef<int64_t> point);
  std::string describe(llvm::ArrayRef<int64_t> point, const std::string &what);
  Pairs pairs(const Map &map, std::set<Point> &undefined);

  static bool holds(const Map &map, llvm::ArrayRef<int64_t> point) {
    return !map.isKnownEmpty() && contains(*map.arena, map.domain, point);
  }

  static bool hasValues(const Map &map, llvm::ArrayRef<int64_t> point) {
    return llvm::all_of(map.domain.constraints, [&](const Constraint &c) {
      return evaluate(*map.arena, c.expr, map.domain, point).has_value();
    });
  }

  const Map &a, &b;
  RandomMap &random;
};

inline std::string Equivalence::describe(llvm::ArrayRef<int64_t> point,
                                         const std::string &what) {
  std::ostringstream os;
  std::vector<std::string> names = variableNames(*a.arena, a.domain);
  os << what << " at";
  for (size_t v = 0; v < point.size(); ++v)
    os << (v ? ", " : " ") << names[v] << " = " << point[v];
  os << "\n  " << toString(a) << "\n  " << toString(b);
  for (const Map *m : {&a, &b}) {
    os << "\n  values:";
    for (Expr e : m->results) {
      auto value = evaluate(*m->arena, e, m->domain, point);
      os << ' ' << (value ? std::to_string(*value) : "none");
    }
  }
  return os.str();
}

inline std::optional<std::string>
Equivalence::compareAt(llvm::ArrayRef<int64_t> point) {
  bool inA = holds(a, point), inB = holds(b, point);
  if (inA != inB && !hasValues(a, point))
    return std::nullopt;
  if (inA != inB)
    return describe(point, inA ? "the second domain lacks the point"
                               : "the second domain has too much");
  if (!inA)
    return std::nullopt;
  ++pointsSeen;
  for (unsigned r = 0; r < a.numResults(); ++r) {
    auto x = evaluate(*a.arena, a.results[r], a.domain, point);
    auto y = evaluate(*b.arena, b.results[r], b.domain, point);
    if (x && x != y)
      return describe(point, "result " + std::to_string(r) + " differs");
  }
  return std::nullopt;
}

/// Reports a point of a map that should be empty.
inline std::optional<std::string> Equivalence::pointOf(const Map &map) {
  std::optional<std::string> found;
  if (map.isKnownEmpty())
    return found;
  PointWalk::End outcome = forEachPoint(
      *map.arena, map.domain, kSteps, [&](llvm::ArrayRef<int64_t> point) {
        std::ostringstream os;
        os << "not empty:";
        for (int64_t x : point)
          os << ' ' << x;
        found = os.str() + " is in\n  " + toString(map);
        return false;
      });
  exhaustive &= outcome == PointWalk::End::Complete;
  return found;
}

inline std::optional<std::string> Equivalence::differencePointwise() {
  for (auto [empty, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (empty->isKnownEmpty() && empty->numDims() == other->numDims() &&
        empty->numResults() == other->numResults())
      return pointOf(*other); // an empty map has no further variables
  if (a.domain.dims.size() != b.domain.dims.size() ||
      a.domain.ranges.size() != b.domain.ranges.size() ||
      a.domain.runtimes.size() != b.domain.runtimes.size() ||
      a.numResults() != b.numResults())
    return "different ranks:\n  " + toString(a) + "\n  " + toString(b);
  std::optional<std::string> found;
  // A fast test over all points of each domain; differences are checked slowly.
  for (auto [first, second] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    CompiledExprs here(*first->arena, first->domain, first->results);
    CompiledExprs there(*second->arena, second->domain, second->results);
    CompiledExprs insideThere(*second->arena, second->domain,
                              constrained(second->domain));
    size_t numConstraints = second->domain.constraints.size();
    size_t numResults = first->numResults();
    size_t numColumns = 2 * numResults + numConstraints;
    std::vector<int64_t> storage(numColumns * PointBlock::kCapacity);
    std::vector<int64_t *> outputs;
    for (size_t i = 0; i < numColumns; ++i)
      outputs.push_back(storage.data() + i * PointBlock::kCapacity);
    PointWalk::End outcome = forEachBlock(
        *first->arena, first->domain, kSteps, [&](const PointBlock &block) {
          const int64_t *const *columns = block.coordinates.data();
          int64_t *const *constraints = outputs.data() + 2 * numResults;
          uint8_t unused[PointBlock::kCapacity];
          bool suspicious =
              !insideThere.evaluate(block.size, columns, constraints, unused);
          auto areWithin = [&](const int64_t *column, Interval bounds) {
            return std::all_of(column, column + block.size,
                               [&](int64_t x) { return bounds.contains(x); });
          };
          size_t v = 0, c = 0;
          second->domain.forEachVar([&](Var var) {
            suspicious |= !areWithin(columns[v++], second->domain.bounds(var));
          });
          for (const Constraint &constraint : second->domain.constraints)
            suspicious |= !areWithin(constraints[c++], constraint.bounds);
          suspicious |=
              !here.evaluate(block.size, columns, outputs.data(), unused);
          suspicious |= !there.evaluate(block.size, columns,
                                        outputs.data() + numResults, unused);
          for (size_t r = 0; r < numResults && !suspicious; ++r)
            suspicious = !std::equal(outputs[r], outputs[r] + block.size,
                                     outputs[r + numResults]);
          if (!suspicious) {
            pointsSeen += block.size;
            return true;
          }
          for (size_t i = 0; i < block.size && !found; ++i) {
            found = compareAt(block.point(i));
          }
          return !found;
        });
    if (found)
      return found;
    exhaustive &= outcome == PointWalk::End::Complete;
  }
  for (int i = 0; !exhaustive && i < kSamples && !found; ++i) {
    Point point;
    a.domain.forEachVar([&](Var v) {
      Interval box = (i % 2 ? a : b).domain.bounds(v);
      point.push_back(box.isEmpty()     ? 0
                      : box.isBounded() ? random.pick(box.lower, box.upper)
                                        : random.pick(-1000, 1000));
    });
    found = compareAt(point);
  }
  return found;
}

inline Equivalence::Pairs Equivalence::pairs(const Map &map,
                                             std::set<Point> &undefined) {
  Pairs found;
  if (map.isKnownEmpty())
    return found;
  PointWalk::End outcome = forEachPoint(
      *map.arena, map.domain, kSteps, [&](llvm::ArrayRef<int64_t> point) {
        Point results;
        for (Expr e : map.results)
          if (auto value = evaluate(*map.arena, e, map.domain, point))
            results.push_back(*value);
        Point dims(point.begin(), point.begin() + map.numDims());
        if (results.size() == map.numResults())
          found.insert({std::move(dims), std::move(results)});
        else
          undefined.insert(std::move(dims));
        return true;
      });
  exhaustive &= outcome == PointWalk::End::Complete;
  return found;
}

inline std::optional<std::string> Equivalence::differenceOfRelations() {
  if (a.numDims() != b.numDims() || a.numResults() != b.numResults())
    return "different ranks:\n  " + toString(a) + "\n  " + toString(b);
  std::set<Point> undefined, unused;
  Pairs x = pairs(a, undefined), y = pairs(b, unused);
  for (Pairs *some : {&x, &y})
    std::erase_if(*some, [&](const auto &pair) {
      return undefined.contains(pair.first);
    });
  pointsSeen = x.size();
  if (x == y || !exhaustive)
    return std::nullopt;
  auto show = [](const Pairs &some, const Pairs &others) {
    std::ostringstream os;
    for (const auto &pair : some)
      if (!others.contains(pair)) {
        for (int64_t d : pair.first)
          os << ' ' << d;
        os << " ->";
        for (int64_t r : pair.second)
          os << ' ' << r;
        break;
      }
    return os.str();
  };
  return "only the first reads:" + show(x, y) +
         "\nonly the second reads:" + show(y, x) + "\n  " + toString(a) +
         "\n  " + toString(b);
}

} // namespace mercator::indexing

#endif // MERCATOR_TESTS_INDEXING_EQUIVALENCE_H
