// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Insertion into a set of maps.
//
// A new map is compared with those of the set: first by handles, then by a hash
// of its bounds, and where the hashes agree by `sameMeaning` (Prove.h).

#include "mercator/indexing/decide/MapSet.h"
#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/decide/RangeReads.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Inverse.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mercator;
using namespace mercator::indexing;

MapSet MapSet::approximate(Map map, std::string reason, int64_t leastRead) {
  MapSet set;
  set.own().maps.push_back(
      {std::move(map), false, std::move(reason), leastRead});
  return set;
}

MapSet MapSet::acrossDevices(Map map, int64_t devices, std::string reason) {
  MapSet set;
  bool exact = reason.empty();
  set.own().maps.push_back({.map = std::move(map),
                            .exact = exact,
                            .reason = std::move(reason),
                            .devices = devices});
  return set;
}

bool MapSet::isExact() const {
  return llvm::all_of(maps(), [](const OperandMap &m) { return m.exact; });
}

/// A hash of the box and of the interval of each result.
static uint64_t boundsSignature(const Map &given) {
  uint64_t hash = 0xcbf29ce484222325;
  auto mix = [&](Interval x) {
    for (uint64_t bound : {uint64_t(x.lower), uint64_t(x.upper)})
      hash = (hash ^ bound ^ (hash >> 29)) * 0x9e3779b97f4a7c15;
  };
  if (isSimple(given) && !given.domain.hasEmptyBounds()) {
    for (const Variable &v : given.domain.dims)
      mix(v.bounds);
    for (Expr e : given.results)
      mix(given.arena->isConstant(e)
              ? Interval::point(given.arena->constantValue(e))
              : given.domain.bounds(given.arena->var(e)));
    return hash;
  }
  Map map = simplify(given); // equal maps in other forms have other bounds
  for (const Variable &v : map.domain.dims)
    mix(v.bounds);
  IntervalAnalysis bounds(*map.arena, map.domain);
  for (Expr e : map.results)
    mix(bounds.interval(e));
  return hash;
}

MapSet::Shared &MapSet::own() {
  if (!shared)
    shared = llvm::makeIntrusiveRefCnt<Shared>();
  else if (shared->UseCount() > 1)
    shared = llvm::makeIntrusiveRefCnt<Shared>(*shared);
  return *shared;
}

uint64_t MapSet::signature(size_t i) const {
  auto &signatures = shared->signatures;
  while (signatures.size() <= i)
    signatures.push_back(boundsSignature(maps()[signatures.size()].map));
  return signatures[i];
}

/// The first map that means the same. The signature of `map` is computed on
/// demand.
std::optional<size_t>
MapSet::findSame(const Map &map, std::optional<uint64_t> &itsSignature) const {
  for (size_t i = 0; i < size(); ++i)
    if (maps()[i].map == map)
      return i;
  if (empty() || readsAtRanges(map))
    return std::nullopt;
  itsSignature = boundsSignature(map);
  for (size_t i = 0; i < size(); ++i)
    if (signature(i) == itsSignature && !readsAtRanges(maps()[i].map) &&
        sameMeaning(maps()[i].map, map))
      return i;
  return std::nullopt;
}

/// One map for two exact ones that differ in the bounds of one dimension only,
/// where these touch: concatenate(x, x) of rows of one element is
///   (d0, d1) -> (d0, 0), d1 in [0, 0], and the same for d1 in [1, 1].
static std::optional<OperandMap> joined(const OperandMap &a,
                                        const OperandMap &b) {
  const Domain &x = a.map.domain, &y = b.map.domain;
  if (!a.exact || !b.exact || a.devices != b.devices ||
      a.map.results != b.map.results || x.constraints != y.constraints ||
      x.ranges != y.ranges || x.runtimes != y.runtimes ||
      x.dims.size() != y.dims.size() || x.knownEmpty || y.knownEmpty)
    return std::nullopt;
  std::optional<size_t> differs;
  for (auto [i, dims] : llvm::enumerate(llvm::zip(x.dims, y.dims))) {
    auto [p, q] = dims;
    if (p == q)
      continue;
    if (differs || p.name != q.name)
      return std::nullopt;
    differs = i;
  }
  if (!differs)
    return std::nullopt;
  Interval p = x.dims[*differs].bounds, q = y.dims[*differs].bounds;
  if (p.lower > q.lower)
    std::swap(p, q);
  if (!p.isBounded() || !q.isBounded() || p.isEmpty() || q.isEmpty() ||
      p.upper < q.lower - 1)
    return std::nullopt;
  OperandMap both = a;
  both.map.domain.dims[*differs].bounds = {p.lower, std::max(p.upper, q.upper)};
  return both;
}

bool MapSet::insert(OperandMap &&m) {
  if (m.map.isKnownEmpty() && !empty())
    return false;
  if (size() == 1 && front().map.isKnownEmpty())
    shared = nullptr;
  std::optional<uint64_t> itsSignature;
  std::optional<size_t> same = findSame(m.map, itsSignature);
  if (!same) {
    // The joined map may touch others.
    for (size_t i = 0; i < size(); ++i)
      if (std::optional<OperandMap> both = joined(maps()[i], m)) {
        Shared &mine = own();
        mine.maps.erase(mine.maps.begin() + i);
        mine.signatures.clear();
        m = std::move(*both);
        itsSignature.reset();
        i = size_t(-1);
      }
    Shared &mine = own();
    mine.maps.push_back(std::move(m));
    if (itsSignature && mine.signatures.size() + 1 == mine.maps.size())
      mine.signatures.push_back(*itsSignature);
    return true;
  }
  // If one of the two is exact, so is the other: both give the same elements.
  const OperandMap &known = maps()[*same];
  if (known.exact)
    return false;
  if (m.exact) {
    OperandMap &mine = own().maps[*same];
    mine.exact = true;
    mine.reason.clear();
    return true;
  }
  if (m.leastRead > known.leastRead)
    own().maps[*same].leastRead = m.leastRead;
  return false;
}

llvm::raw_ostream &indexing::operator<<(llvm::raw_ostream &os,
                                        const OperandMap &m) {
  os << m.map;
  if (!m.exact)
    os << ", not exact: " << m.reason;
  return os;
}

llvm::raw_ostream &indexing::operator<<(llvm::raw_ostream &os,
                                        const MapSet &maps) {
  for (const OperandMap &m : maps)
    os << m << '\n';
  return os;
}

void MapSet::dump() const { llvm::errs() << *this; }

MapSet indexing::inverse(const MapSet &maps, llvm::ArrayRef<int64_t> sizes) {
  MapSet inverses;
  for (const OperandMap &m : maps) {
    llvm::SmallVector<int64_t> all(sizes);
    if (m.devices)
      all.push_back(m.devices);
    OperandMap back = m;
    back.map = inverse(m.map, all);
    if (m.devices)
      back.map.domain.dims.back().name = m.map.arena->intern("device");
    inverses.insert(std::move(back));
  }
  return inverses;
}
