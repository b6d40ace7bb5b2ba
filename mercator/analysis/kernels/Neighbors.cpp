// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/kernels/Neighbors.h"

#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mercator;
using namespace mercator::access;
using namespace mercator::kernels;
using namespace mercator::indexing;

static constexpr int64_t kMostVectorBytes = 16;

namespace {
/// Loads with one condition: bytes from a common base.
struct Offsets {
  Expr base = {};       ///< in bytes, without the offsets
  Domain domain;        ///< without the unrolled ranges
  bool isSplit = false; ///< they have conditions of their own
  std::set<int64_t> at = {};
};
} // namespace

namespace {
/// A range whose values are written one after the other.
struct Unrolled {
  Var v;
  std::optional<int64_t> step =
      {}; ///< bytes from one to the next, if always so many
  int64_t value = 0;
};
} // namespace

/// The ranges that are unrolled, those of small steps first. `isPartly` is set if
/// another one has neighbors.
static std::vector<Unrolled> unrolledRanges(const ThreadLoad &load,
                                            const LinearCopy &address,
                                            bool &isPartly) {
  Arena &arena = *load.map.arena;
  std::vector<Unrolled> ranges;
  for (auto r = uint32_t(load.loops); r < load.map.domain.ranges.size(); ++r) {
    Unrolled range{.v = {VarKind::Range, r}};
    auto uses = [&](Expr e) { return arena.uses(e, range.v); };
    // What data decide has no neighbors.
    if (llvm::any_of(load.map.domain.runtimes, [&](const RuntimeVariable &v) {
          return llvm::any_of(v.index, uses);
        }))
      continue;
    int64_t step = 0;
    bool isElsewhere = false;
    for (Term t : address.terms) {
      if (t.expr == arena.variable(range.v))
        step = t.coefficient;
      else
        isElsewhere |= uses(t.expr);
    }
    if (step == 0 && !isElsewhere)
      continue;
    if (!isElsewhere)
      range.step = step;
    range.value = load.map.domain.bounds(range.v).lower;
    ranges.push_back(range);
  }
  auto sizeOf = [](const Unrolled &range) {
    return range.step ? std::abs(*range.step) : 0;
  };
  llvm::sort(ranges, [&](const Unrolled &a, const Unrolled &b) {
    return std::pair(sizeOf(a), a.v.index) < std::pair(sizeOf(b), b.v.index);
  });
  std::vector<Unrolled> unrolled;
  int64_t loads = 1;
  for (const Unrolled &range : ranges) {
    std::optional<int64_t> size = load.map.domain.bounds(range.v).size();
    if (!size || *size > load.most / loads) {
      isPartly |= sizeOf(range) < kMostVectorBytes;
      continue;
    }
    loads *= *size;
    unrolled.push_back(range);
  }
  return unrolled;
}

/// The map with the ranges at their values, without conditions that then always hold.
static Map mapAt(const ThreadLoad &load, llvm::ArrayRef<Unrolled> ranges) {
  Arena &arena = *load.map.arena;
  Map map = load.map;
  llvm::SmallVector<Expr, 6> values(map.domain.ranges.size());
  for (const Unrolled &range : ranges)
    values[range.v.index] = arena.constant(range.value);
  substitute(map, {.dims = {}, .ranges = values, .runtimes = {}});
  for (const Unrolled &range : ranges)
    map.domain.ranges[range.v.index].bounds = {0, 0};
  Domain box = map.domain;
  box.constraints.clear();
  IntervalAnalysis analysis(arena, box);
  llvm::erase_if(map.domain.constraints, [&](const Constraint &c) {
    Interval interval = analysis.interval(c.expr);
    return interval.hasLower() && interval.hasUpper() &&
           c.bounds.contains(interval.lower) &&
           c.bounds.contains(interval.upper);
  });
  return map;
}

static std::vector<Offsets> offsetsOf(const ThreadLoad &load, bool &isPartly) {
  Arena &arena = *load.map.arena;
  LinearCopy address = arena.linearCopy(simplify(
      arena, load.layout.byteOf(arena, load.map.results), load.map.domain));
  std::vector<Unrolled> unrolled = unrolledRanges(load, address, isPartly);
  auto uses = [&](Expr e) {
    return llvm::any_of(unrolled, [&](const Unrolled &range) {
      return arena.uses(e, range.v);
    });
  };
  bool isLinear = llvm::all_of(
      unrolled, [](const Unrolled &range) { return range.step.has_value(); });
  bool asks = llvm::any_of(load.map.domain.constraints,
                           [&](const Constraint &c) { return uses(c.expr); });
  LinearCopy rest = address;
  llvm::erase_if(rest.terms, [&](const Term &t) { return uses(t.expr); });
  Expr base = arena.sum(rest.terms, 0);
  std::vector<Offsets> all;
  for (bool isDone = false; !isDone;) {
    int64_t at = address.constant;
    for (const Unrolled &range : unrolled)
      at += range.step.value_or(0) * range.value;
    if (all.empty() || asks || !isLinear) {
      Map map = mapAt(load, unrolled);
      if (!isLinear) {
        LinearCopy own = arena.linearCopy(simplify(
            arena, load.layout.byteOf(arena, map.results), map.domain));
        at = own.constant;
        base = arena.sum(own.terms, 0);
      }
      auto same = llvm::find_if(all, [&](const Offsets &other) {
        return other.base == base &&
               other.domain.constraints == map.domain.constraints;
      });
      if (same == all.end())
        all.push_back(
            {.base = base, .domain = std::move(map.domain), .at = {at}});
      else
        same->at.insert(at);
    } else {
      all.front().at.insert(at);
    }
    isDone = true;
    for (Unrolled &range : llvm::reverse(unrolled)) {
      Interval bounds = load.map.domain.bounds(range.v);
      if (range.value++ < bounds.upper) {
        isDone = false;
        break;
      }
      range.value = bounds.lower;
    }
  }
  for (Offsets &offsets : all)
    offsets.isSplit =
        offsets.domain.constraints.size() > load.conditions ||
        llvm::any_of(all, [&](const Offsets &other) {
          return other.domain.constraints != offsets.domain.constraints;
        });
  return all;
}

namespace {
/// One element of a chain. `isExtra`: no load asks for it; it lies between two that do.
struct ChainElement {
  int64_t at;
  bool isExtra = false;
};
using Chain = std::vector<ChainElement>;

/// One instruction: from `at`, that many elements.
struct Piece {
  int64_t at, elements;
};
} // namespace

/// Neighbors; loads see through a gap of one element, or of two where a vector of four
/// begins.
static std::vector<Chain> chainsOf(const std::set<int64_t> &offsets,
                                   int64_t bytes, bool isStore) {
  std::vector<Chain> chains;
  for (int64_t at : offsets) {
    if (!chains.empty()) {
      Chain &chain = chains.back();
      int64_t gap = at - chain.back().at - bytes;
      if (!isStore &&
          (gap == bytes || (gap == 2 * bytes && chain.size() % 4 == 1)))
        for (; gap > 0; gap -= bytes)
          chain.push_back({chain.back().at + bytes, true});
      if (gap == 0) {
        chain.push_back({at});
        continue;
      }
    }
    chains.push_back({{at}});
  }
  return chains;
}

/// From each element the longest vector that is aligned and at most 16 bytes. A load
/// may read on to the next power of two.
static void split(const Chain &chain, int64_t bytes, bool isStore,
                  llvm::function_ref<bool(int64_t, int64_t)> isAligned,
                  std::vector<Piece> &pieces) {
  auto fits = [&](int64_t at, int64_t elements) {
    return elements * bytes <= kMostVectorBytes &&
           isAligned(at, elements * bytes);
  };
  for (size_t begin = 0; begin < chain.size();) {
    size_t taken = 1;
    int64_t elements = 1;
    int64_t most =
        std::min<int64_t>(chain.size() - begin, kMostVectorBytes / bytes);
    for (int64_t n = most; n > 1; --n) {
      auto whole = int64_t(llvm::PowerOf2Ceil(n));
      if ((whole != n && isStore) || !fits(chain[begin].at, whole))
        continue;
      taken = n;
      elements = whole;
      break;
    }
    bool hasExtra = false;
    for (size_t i = begin; i < begin + taken; ++i)
      hasExtra |= chain[i].isExtra;
    if (elements == 1 || (elements == 2 && hasExtra)) {
      for (size_t i = begin; i < begin + taken; ++i)
        if (!chain[i].isExtra)
          pieces.push_back({chain[i].at, 1});
    } else {
      pieces.push_back({chain[begin].at, elements});
    }
    begin += taken;
  }
}

Neighbors kernels::joinNeighbors(llvm::ArrayRef<ThreadLoad> loads) {
  Neighbors found;
  if (loads.empty())
    return found;
  Arena &arena = *loads.front().map.arena;
  int64_t bytes = loads.front().layout.bits / 8;
  bool isStore = loads.front().isStore;
  bool isJoined = false;
  // Loads with one base; the first of each.
  std::vector<std::pair<size_t, Offsets>> groups;
  for (auto [i, load] : llvm::enumerate(loads))
    for (Offsets &own : offsetsOf(load, found.isPartly)) {
      bool isFound = false;
      for (auto &[first, group] : groups) {
        bool isSame = group.base == own.base &&
                      group.domain.dims == own.domain.dims &&
                      group.domain.constraints == own.domain.constraints &&
                      group.domain.runtimes == own.domain.runtimes &&
                      group.domain.ranges == own.domain.ranges;
        if (!isSame)
          continue;
        size_t before = group.at.size();
        group.at.insert(own.at.begin(), own.at.end());
        isJoined |= group.at.size() < before + own.at.size();
        group.isSplit |= own.isSplit;
        isFound = true;
        break;
      }
      if (!isFound)
        groups.push_back({i, std::move(own)});
    }
  for (auto &[first, group] : groups) {
    Residue residue = IntervalAnalysis(arena, group.domain).residue(group.base);
    // The alignment that is known of base + offset, in bytes.
    auto isAligned = [&](int64_t offset, int64_t size) {
      bool isKnown = residue.modulus == 0 || residue.modulus % size == 0;
      return isKnown && (residue.remainder + offset) % size == 0;
    };
    std::vector<Piece> pieces;
    for (const Chain &chain : chainsOf(group.at, bytes, isStore))
      split(chain, bytes, isStore, isAligned, pieces);
    LinearCopy base = arena.linearCopy(group.base);
    for (Term &t : base.terms) {
      if (t.coefficient % bytes != 0)
        return {};
      t.coefficient /= bytes;
    }
    for (Piece piece : pieces) {
      if (piece.at % bytes != 0)
        return {};
      isJoined |= piece.elements > 1;
      found.isGuess |= piece.elements > 1 && group.isSplit;
      Map map(arena);
      map.domain = group.domain;
      map.domain.dims[1].bounds = Interval::ofSize(piece.elements);
      map.results = {
          arena.add(arena.sum(base.terms, piece.at / bytes), arena.dim(1))};
      found.loads.push_back({first, std::move(map), piece.elements});
    }
  }
  if (!isJoined)
    found.loads.clear();
  return found;
}
