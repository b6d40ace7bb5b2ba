// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size of a union of maps.
//
// Each map has a bounding box. Maps whose boxes are disjoint are counted
// separately (Count.h). Overlapping maps that fill their boxes are counted as a
// union of boxes: a sweep along the first dimension cuts the boxes into slabs,
// and each slab is counted along the next dimension (Klee's measure problem, by
// recursion). All other maps are enumerated.

#include "mercator/indexing/decide/Footprint.h"
#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/evaluate/PointWalk.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <vector>

namespace mercator::indexing {

namespace {

using Box = llvm::SmallVector<Interval, 6>;

/// A box around the elements that a map gives, by interval analysis.
Box boxAround(const Map &map) {
  IntervalAnalysis bounds(*map.arena, map.domain);
  Box box;
  for (Expr e : map.results)
    box.push_back(bounds.interval(e));
  return box;
}

bool areApart(const Box &a, const Box &b) {
  for (auto [x, y] : llvm::zip_equal(a, b))
    if (x.intersect(y).isEmpty())
      return true;
  return false;
}

std::optional<int64_t> volume(const Box &box) {
  int64_t n = 1;
  for (Interval i : box) {
    std::optional<int64_t> size = i.size();
    if (!size || __builtin_mul_overflow(n, *size, &n))
      return std::nullopt;
  }
  return n;
}

/// The size of a union of boxes of one rank. The bounds of all boxes cut one
/// dimension into slabs; each slab is counted along the next dimension.
class BoxUnion {
public:
  explicit BoxUnion(Budget budget) : budget(budget) {}

  /// Nothing if it takes too many steps or overflows.
  std::optional<int64_t> count(llvm::ArrayRef<const Box *> boxes, size_t dim) {
    if (boxes.empty())
      return 0;
    if (dim == boxes.front()->size())
      return 1;
    if (!budget.spend(static_cast<int64_t>(boxes.size())))
      return std::nullopt;
    llvm::SmallVector<int64_t, 8> cuts; // the first index of each slab
    for (const Box *box : boxes) {
      cuts.push_back((*box)[dim].lower);
      cuts.push_back((*box)[dim].upper + 1);
    }
    llvm::sort(cuts);
    cuts.erase(llvm::unique(cuts), cuts.end());
    int64_t total = 0;
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      llvm::SmallVector<const Box *, 8> inside;
      for (const Box *box : boxes)
        if ((*box)[dim].contains(cuts[i]))
          inside.push_back(box);
      std::optional<int64_t> slab = count(inside, dim + 1);
      if (!slab ||
          __builtin_mul_overflow(*slab, cuts[i + 1] - cuts[i], &*slab) ||
          __builtin_add_overflow(total, *slab, &total))
        return std::nullopt;
    }
    return total;
  }

private:
  Budget budget;
};

/// Enumerates the elements of several maps.
Count enumerateUnion(llvm::ArrayRef<const Map *> maps, Budget budget) {
  std::vector<llvm::SmallVector<int64_t, 6>> seen;
  for (const Map *map : maps) {
    System system = System::of(map->domain);
    PointWalk walk(*map->arena, system, map->results);
    auto end = walk.run(budget, [&](auto, llvm::ArrayRef<int64_t> element) {
      seen.emplace_back(element.begin(), element.end());
      return true;
    });
    if (end == PointWalk::End::OverBudget)
      return Count::unknown("the overlap of maps that are not boxes");
    if (end != PointWalk::End::Complete)
      return Count::unknown(reasonOf(end));
  }
  llvm::sort(seen);
  int64_t n = std::unique(seen.begin(), seen.end()) - seen.begin();
  return {Count::Kind::Exact, n};
}

/// Counts maps whose boxes overlap, directly or through others.
Count countTogether(llvm::ArrayRef<const Map *> maps,
                    llvm::ArrayRef<const Box *> boxes, Budget budget) {
  bool areBoxes = true;
  for (auto [map, box] : llvm::zip_equal(maps, boxes)) {
    Count n = countImage(*map, budget);
    if (maps.size() == 1)
      return n;
    std::optional<int64_t> size = volume(*box);
    areBoxes &= size && n.exact() == size;
  }
  if (areBoxes)
    if (std::optional<int64_t> n =
            BoxUnion({.steps = std::max<int64_t>(budget.steps, 1 << 12)})
                .count(boxes, 0))
      return {Count::Kind::Exact, *n};
  return enumerateUnion(maps, budget);
}

} // namespace

MapSet withoutContained(const MapSet &maps) {
  llvm::SmallVector<bool, 8> isOut(maps.size());
  for (size_t i = 0; i < maps.size(); ++i)
    for (size_t k = 0; k < maps.size() && !isOut[i]; ++k)
      isOut[i] = k != i && !isOut[k] && (maps[k].exact || !maps[i].exact) &&
                 contains(maps[k].map, maps[i].map);
  MapSet out;
  for (auto [m, leaveOut] : llvm::zip_equal(maps, isOut))
    if (!leaveOut)
      out.insert(m);
  return out;
}

Count countUnion(const MapSet &given, Budget budget) {
  std::vector<Map> maps;
  for (const OperandMap &m : given) {
    Map map = simplify(m.map);
    if (!map.isKnownEmpty())
      maps.push_back(std::move(map));
  }
  for (const Map &map : maps)
    if (map.numResults() != maps.front().numResults())
      return Count::unknown(kOtherDevices);
  std::vector<Box> boxes;
  for (const Map &map : maps)
    boxes.push_back(boxAround(map));

  // Maps whose boxes overlap, directly or through others, form one group.
  llvm::IntEqClasses group(maps.size());
  for (size_t i = 0; i < maps.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (!areApart(boxes[i], boxes[k]))
        group.join(k, i);
  group.compress();
  int64_t total = 0;
  for (size_t g = 0; g < group.getNumClasses(); ++g) {
    llvm::SmallVector<const Map *, 8> members;
    llvm::SmallVector<const Box *, 8> around;
    for (size_t i = 0; i < maps.size(); ++i) {
      if (group[i] != g)
        continue;
      // A map that another map contains adds nothing.
      bool adds = true;
      for (size_t k = 0; k < maps.size() && adds; ++k)
        adds = k == i || group[k] != g || !contains(maps[k], maps[i]) ||
               (k > i && contains(maps[i], maps[k]));
      if (adds) {
        members.push_back(&maps[i]);
        around.push_back(&boxes[i]);
      }
    }
    if (members.empty())
      continue;
    Count n = countTogether(members, around, budget);
    if (!n.exact())
      return n;
    if (__builtin_add_overflow(total, n.value, &total))
      return {Count::Kind::TooLarge};
  }
  return {Count::Kind::Exact, total};
}

Count countPairs(const Map &given, Budget budget) {
  Map pairs = given;
  if (pairs.isKnownEmpty())
    return {Count::Kind::Exact, 0};
  for (uint32_t i = 0; i < given.numDims(); ++i)
    pairs.results.push_back(given.arena->dim(i));
  return countImage(pairs, budget);
}

std::optional<OverRead> overRead(const OperandMap &m, Budget budget) {
  if (m.exact)
    return std::nullopt;
  OverRead answer;
  answer.leastRead = m.leastRead;
  if (!m.map.domain.runtimes.empty()) {
    answer.given = Count::unknown("values known only when the program runs");
    return answer;
  }
  answer.given = countPairs(m.map, budget);
  // One d gives at most one element for each choice of the ranges.
  int64_t elements = 1;
  for (const Variable &v : m.map.domain.ranges) {
    std::optional<int64_t> size = v.bounds.size();
    if (!size || __builtin_mul_overflow(elements, *size, &elements))
      elements = 0;
    if (elements == 0)
      break;
  }
  std::optional<int64_t> around = volume(boxAround(m.map));
  answer.elements =
      around && (elements == 0 || *around < elements) ? *around : elements;
  return answer;
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const OverRead &overRead) {
  os << overRead.given << " pairs";
  if (overRead.leastRead)
    os << ", of which at least " << overRead.leastRead << " are read";
  return os;
}

} // namespace mercator::indexing
