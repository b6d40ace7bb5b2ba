// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/verify/CompareReads.h"
#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/decide/RuntimePairs.h"
#include "mercator/indexing/decide/Sampled.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/transforms/verify/FunctionReads.h"

#include <deque>

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::verify;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

using Numbers = SmallVector<int64_t, 6>;

//===----------------------------------------------------------------------===//
// The maps that may give an element
//===----------------------------------------------------------------------===//

/// The maps of one side, in the runtime variables of a map of the other.
class Cover {
public:
  Cover(const Map &reader, const MapSet &others) {
    for (const OperandMap &other : others) {
      Map open = other.map;
      bool isSame = openOthers(reader, open);
      RuntimePairs pairs(reader, open);
      SmallVector<Interval> own;
      for (const RuntimePairs::Joint &j : pairs.list())
        own.push_back(j.used[1] ? open.domain.runtimes[*j.place[1]].bounds
                                : Interval::everything());
      parts.push_back({SmallVector<RuntimePairs::Joint>(pairs.list()),
                       std::move(own), SampledMap(pairs.aligned(open, 1)),
                       other.exact && isSame});
    }
  }

  /// yes: an exact map gives the element. no: no map does.
  enum class Answer { Yes, No, Unknown };
  Answer gives(ArrayRef<int64_t> dims, ArrayRef<int64_t> runtimes,
               ArrayRef<int64_t> element) {
    Answer answer = Answer::No;
    for (Part &part : parts) {
      std::optional<Numbers> outer = outerOf(part, dims, runtimes);
      if (!outer) {
        answer = Answer::Unknown;
        continue;
      }
      Emptiness none = part.map.whoReads(*outer, element);
      if (none.isNo() && part.isExact)
        return Answer::Yes;
      if (!none.isYes())
        answer = Answer::Unknown;
    }
    return answer;
  }

  /// Whether certainly some map gives an element there, and none gives one that
  /// `own` may give.
  bool givesOnlyOthersThan(Cover &own, ArrayRef<int64_t> dims,
                           ArrayRef<int64_t> runtimes) {
    bool isFound = false, isShared = false;
    for (Part &part : parts) {
      std::optional<Numbers> outer = outerOf(part, dims, runtimes);
      if (!outer)
        return false;
      Budget budget{.steps = 4096};
      PointWalk::End end = part.map.forEachRead(
          *outer, budget, [&](auto, ArrayRef<int64_t> element) {
            isFound = true;
            isShared = own.gives(dims, runtimes, element) != Answer::No;
            return !isShared;
          });
      if (isShared || end != PointWalk::End::Complete)
        return false;
    }
    return isFound;
  }

private:
  struct Part {
    SmallVector<RuntimePairs::Joint> joint;
    SmallVector<Interval> own; ///< the bounds in the map, for each of `joint`
    SampledMap map;
    bool isExact;
  };

  /// Makes ranges of the runtime variables that `reader` does not have. True if
  /// there are none.
  static bool openOthers(const Map &reader, Map &map) {
    RuntimePairs pairs(reader, map);
    SmallVector<Expr, 4> by(map.domain.runtimes.size());
    bool isSame = true;
    for (const RuntimePairs::Joint &j : pairs.list())
      if (j.used[1] && !j.place[0]) {
        by[*j.place[1]] = map.domain.addRange(
            *map.arena, map.domain.runtimes[*j.place[1]].bounds);
        isSame = false;
      }
    if (!isSame)
      substitute(map, {.dims = {}, .ranges = {}, .runtimes = by});
    return isSame;
  }

  /// Nothing if the variables have other values in this map.
  static std::optional<Numbers> outerOf(const Part &part,
                                        ArrayRef<int64_t> dims,
                                        ArrayRef<int64_t> runtimes) {
    Numbers outer(dims);
    for (auto [j, own] : llvm::zip_equal(part.joint, part.own)) {
      if (!j.place[0])
        return std::nullopt;
      int64_t value = runtimes[*j.place[0]];
      if (!own.contains(value) || !j.bounds.contains(value))
        return std::nullopt;
      outer.push_back(value);
    }
    return outer;
  }

  std::deque<Part> parts;
};

//===----------------------------------------------------------------------===//
// The points of a map
//===----------------------------------------------------------------------===//

/// A point of a map: its dimensions, runtime variables and ranges.
class Scan {
public:
  Scan(const OperandMap &reader, const MapSet &others,
       ArrayRef<int64_t> resultSizes, ArrayRef<int64_t> argumentSizes)
      : map(reader.map), side(reader.map), cover(reader.map, others),
        argumentSizes(argumentSizes), bounds(side.bounds()) {
    for (auto [i, size] : llvm::enumerate(resultSizes))
      bounds[i] = bounds[i].intersect(Interval::ofSize(size));
    isTrusted = llvm::all_of(map.domain.runtimes, [&](const auto &v) {
      return isArgument(*map.arena, v) &&
             llvm::all_of(v.index, [&](Expr e) { return dependsOnDims(e); });
    });
  }

  /// An element that the other side certainly does not give.
  std::optional<ReadCounterexample> counterexample;
  Numbers runtimesThere;
  /// Whether the other side certainly reads every element of every point.
  bool isCovered = false;

  void run() {
    constexpr int64_t kFew = 1024;
    int64_t count = 1;
    for (Interval i : bounds) {
      if (i.isEmpty()) {
        isCovered = true;
        return;
      }
      bool isLarge = !i.hasLower() || !i.hasUpper() ||
                     i.upper - i.lower >= kFew ||
                     (count *= i.upper - i.lower + 1) > kFew;
      if (isLarge)
        return sample();
    }
    isCovered = true;
    Numbers point;
    for (Interval i : bounds)
      point.push_back(i.lower);
    for (int64_t n = 0; n < count && !counterexample; ++n) {
      isCovered &= visit(point);
      for (size_t k = point.size(); k-- > 0;) {
        if (++point[k] <= bounds[k].upper)
          break;
        point[k] = bounds[k].lower;
      }
    }
  }

  /// Tries one point, all of whose values are given. True if it is covered.
  bool visit(ArrayRef<int64_t> point) {
    size_t numDims = map.numDims(), numOuter = side.numOuter();
    ArrayRef<int64_t> dims = point.take_front(numDims),
                      runtimes = point.slice(numDims, numOuter - numDims);
    auto element =
        side.elementAt(point.take_front(numOuter), point.drop_front(numOuter));
    if (!element)
      return true;
    for (auto [x, size] : llvm::zip_equal(*element, argumentSizes))
      if (!Interval::ofSize(size).contains(x))
        return true;
    Cover::Answer answer = cover.gives(dims, runtimes, *element);
    if (answer == Cover::Answer::No && isTrusted && isConsistent(point)) {
      counterexample = {Numbers(dims), Numbers(*element), named(point)};
      runtimesThere = Numbers(runtimes);
    }
    return answer == Cover::Answer::Yes;
  }

  /// Whether the other side gives elements there, but none of `own`, the maps
  /// of this side.
  bool isElsewhere(const MapSet &own) {
    Cover all(map, own);
    return cover.givesOnlyOthersThan(all, counterexample->at, runtimesThere);
  }

private:
  void sample() {
    constexpr unsigned kTries = 96;
    uint64_t state = 1;
    for (unsigned round = 0; round < kTries && !counterexample; ++round) {
      Numbers point;
      for (Interval i : bounds)
        point.push_back(pick(i, round, state));
      visit(point);
    }
  }

  static int64_t pick(Interval i, unsigned round, uint64_t &state) {
    constexpr int64_t kFar = 1000;
    int64_t low = i.hasLower() ? i.lower : -kFar;
    int64_t high = i.upper;
    if (i.upper >= Interval::kMax / 2) // an unknown extent
      high = std::max(low, low < Interval::kMax / 2 ? low + kFar : low);
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t draw = state >> 33;
    if (round == 0 || (round > 1 && draw % 8 == 0))
      return low;
    if (round == 1 || draw % 8 == 1)
      return high;
    return low + int64_t((draw >> 3) % (uint64_t(high - low) + 1));
  }

  bool dependsOnDims(Expr e) const {
    bool only = true;
    map.arena->forEachPostOrder(e, [&](Expr part) {
      if (map.arena->kind(part) == ExprKind::Variable)
        only &= map.arena->var(part).kind == VarKind::Dim;
    });
    return only;
  }

  /// The point in the order of a domain: dimensions, ranges, runtimes.
  Numbers inOrder(ArrayRef<int64_t> point) const {
    size_t numDims = map.numDims(), numOuter = side.numOuter();
    Numbers out(point.take_front(numDims));
    llvm::append_range(out, point.drop_front(numOuter));
    llvm::append_range(out, point.slice(numDims, numOuter - numDims));
    return out;
  }

  std::optional<Numbers> indexOf(const RuntimeVariable &v,
                                 ArrayRef<int64_t> inOrder) const {
    Numbers index;
    for (Expr e : v.index) {
      std::optional<int64_t> x = evaluate(*map.arena, e, map.domain, inOrder);
      if (!x)
        return std::nullopt;
      index.push_back(*x);
    }
    return index;
  }

  /// False if two variables that are one element there have other values.
  bool isConsistent(ArrayRef<int64_t> point) const {
    Numbers all = inOrder(point);
    const auto &list = map.domain.runtimes;
    for (size_t i = 0; i < list.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        if (list[i].source != list[j].source)
          continue;
        auto a = indexOf(list[i], all), b = indexOf(list[j], all);
        if (!a || !b ||
            (*a == *b && point[map.numDims() + i] != point[map.numDims() + j]))
          return false;
      }
    return true;
  }

  std::vector<std::pair<std::string, int64_t>>
  named(ArrayRef<int64_t> point) const {
    std::vector<std::pair<std::string, int64_t>> out;
    Numbers all = inOrder(point);
    for (auto [i, v] : llvm::enumerate(map.domain.runtimes)) {
      std::string name = map.arena->name(v.source).str() + " at (";
      for (auto [k, x] : llvm::enumerate(*indexOf(v, all)))
        name += (k ? ", " : "") + std::to_string(x);
      out.push_back({name + ")", point[map.numDims() + i]});
    }
    return out;
  }

  const Map &map;
  SampledMap side;
  Cover cover;
  ArrayRef<int64_t> argumentSizes;
  SmallVector<Interval> bounds;
  bool isTrusted;
};

//===----------------------------------------------------------------------===//
// Two sets
//===----------------------------------------------------------------------===//

class Comparison {
public:
  Comparison(ArrayRef<int64_t> resultSizes, ArrayRef<int64_t> argumentSizes)
      : resultSizes(resultSizes), argumentSizes(argumentSizes) {}

  /// Whether one of the maps certainly gives all that `m` of `own` gives. Else,
  /// perhaps, an element that none gives, and whether they give only elements
  /// there that `own` does not.
  bool isCovered(const OperandMap &m, const MapSet &own, const MapSet &others,
                 bool onlyExact, std::optional<ReadCounterexample> &lacking,
                 bool &isElsewhere) {
    for (const OperandMap &other : others)
      if ((other.exact || !onlyExact) &&
          (sameMeaning(other.map, m.map) || contains(other.map, m.map)))
        return true;
    Scan scan(m, others, resultSizes, argumentSizes);
    scan.run();
    if (!scan.isCovered && !scan.counterexample &&
        proves(m, others, onlyExact, scan))
      return true;
    if (scan.counterexample) {
      lacking = scan.counterexample;
      isElsewhere = scan.isElsewhere(own);
      return false;
    }
    return scan.isCovered;
  }

private:
  /// By reasoning. Counterexamples are tried.
  static bool proves(const OperandMap &m, const MapSet &others, bool onlyExact,
                     Scan &scan) {
    constexpr unsigned kMost = 4;
    ProveOptions options{.budget = {.steps = 1 << 12}};
    for (auto [i, other] : llvm::enumerate(others)) {
      if (i == kMost)
        break;
      if (onlyExact && !other.exact)
        continue;
      Verdict verdict = prove(m.map, other.map, options);
      if (verdict.isYes())
        return true;
      if (!verdict.isNo() || !verdict.counterexample ||
          !verdict.counterexample->firstReads ||
          verdict.first.domain.runtimes.size() != m.map.domain.runtimes.size())
        continue;
      const Counterexample &c = *verdict.counterexample;
      Numbers point(c.dims.begin(), c.dims.end());
      llvm::append_range(point, c.runtimesOf(verdict.first, true));
      llvm::append_range(point, c.ranges);
      if (point.size() == m.map.domain.numVars())
        scan.visit(point);
      if (scan.counterexample)
        return false;
    }
    return false;
  }

  ArrayRef<int64_t> resultSizes, argumentSizes;
};

} // namespace

ReadVerdict verify::compareReads(const MapSet &before, const MapSet &after,
                                 ArrayRef<int64_t> resultSizes,
                                 ArrayRef<int64_t> argumentSizes) {
  auto hasDevices = [](const OperandMap &m) { return m.devices != 0; };
  if (llvm::any_of(before, hasDevices) || llvm::any_of(after, hasDevices)) {
    bool isSame = before.size() == after.size();
    for (auto [a, b] : llvm::zip(before, after))
      isSame &= a.exact && b.exact && a.devices == b.devices &&
                sameMeaning(a.map, b.map);
    return {isSame ? ReadVerdict::Proved : ReadVerdict::NotRefuted};
  }
  Comparison comparison(resultSizes, argumentSizes);
  bool addsNothing = true, losesNothing = true;
  std::optional<ReadCounterexample> lacking;
  bool elsewhere = false;
  for (const OperandMap &m : after) {
    lacking.reset();
    if (comparison.isCovered(m, after, before, /*onlyExact=*/true, lacking,
                             elsewhere))
      continue;
    if (lacking && m.exact)
      return {ReadVerdict::Refuted, false, lacking};
    addsNothing = false;
  }
  bool isExactAfter = after.isExact();
  ReadVerdict verdict;
  for (const OperandMap &m : before) {
    if (!m.exact)
      continue;
    lacking.reset();
    // What one map of several gives exactly is given by all of them, too.
    if (comparison.isCovered(m, before, after, /*onlyExact=*/false, lacking,
                             elsewhere))
      continue;
    losesNothing = false;
    if (!lacking)
      continue;
    verdict.drops = true;
    if (!isExactAfter && elsewhere) {
      lacking->isAdded = false;
      return {ReadVerdict::Refuted, false, lacking};
    }
  }
  if (addsNothing && (losesNothing || isExactAfter))
    verdict.kind = ReadVerdict::Proved;
  return verdict;
}
