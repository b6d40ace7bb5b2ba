// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Union and composition of states, within the limits.

#include "mercator/analysis/maps/Reads.h"
#include "mercator/indexing/simplify/Simplify.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

/// True for the identity on the whole of a tensor of these sizes.
static bool isWholeIdentity(const Map &map, Sizes sizes) {
  return !map.isKnownEmpty() && map.isIdentity() &&
         map.domain.constraints.empty() &&
         map.domain.dims.size() == sizes.size() &&
         llvm::all_of(llvm::zip(map.domain.dims, sizes), [](auto pair) {
           return std::get<0>(pair).bounds ==
                  Interval::ofSize(std::get<1>(pair));
         });
}

Map maps::onDevices(Map map) {
  Arena &arena = *map.arena;
  Expr device = map.domain.addDim(arena, Interval::ofSize(Interval::kMax));
  map.domain.dims.back().name = arena.intern("device");
  map.results.push_back(device);
  for (RuntimeVariable &v : map.domain.runtimes)
    v.index.push_back(device);
  return map;
}

Map maps::everywhere(Arena &arena, Sizes from, Sizes to, int64_t devices) {
  SmallVector<int64_t> a(from), b(to);
  a.push_back(devices);
  b.push_back(devices);
  Map map = everything(arena, a, b);
  map.domain.dims.back().name = arena.intern("device");
  return map;
}

bool Reads::widen(State &to, Sizes sizes, llvm::Twine reason) {
  if (to.isFull && to.maps.front().devices == devices)
    return false;
  to.isFull = true;
  OperandMap m{devices ? everywhere(arena, rootSizes, sizes, devices)
                       : everything(arena, rootSizes, sizes),
               false, reason.str(), 0, devices};
  to.maps = {};
  to.maps.insert(std::move(m));
  return true;
}

bool Reads::insert(State &to, Sizes sizes, OperandMap &&m) {
  devices = std::max(devices, m.devices);
  if (to.isFull)
    return m.devices > to.maps.front().devices &&
           widen(to, sizes, to.maps.front().reason);
  const Domain &domain = m.map.domain;
  if (domain.ranges.size() + domain.runtimes.size() >
          FusionMaps::kMaxVariables ||
      domain.constraints.size() > FusionMaps::kMaxVariables)
    return widen(to, sizes,
                 "a map needs more than " +
                     llvm::Twine(FusionMaps::kMaxVariables) +
                     " variables or constraints");
  bool changed = to.maps.insert(std::move(m));
  if (to.maps.size() > FusionMaps::kMaxMaps)
    return widen(to, sizes,
                 "read in more than " + llvm::Twine(FusionMaps::kMaxMaps) +
                     " different ways");
  return changed;
}

bool Reads::add(const State &from, State &to, Sizes sizes) {
  if (&from == &to)
    return false;
  if (to.maps.empty()) {
    to = from;
    return !from.maps.empty();
  }
  if (from.isFull)
    return widen(to, sizes, from.maps.front().reason);
  bool changed = false;
  for (const OperandMap &m : from.maps)
    changed |= insert(to, sizes, OperandMap(m));
  return changed;
}

bool Reads::addSome(const State &from, State &to, Sizes sizes,
                    llvm::Twine reason) {
  State some = from;
  some.maps = {};
  for (OperandMap m : from.maps) {
    m.leastRead = 0;
    if (m.exact && !m.map.isKnownEmpty()) {
      m.exact = false;
      m.reason = reason.str();
    }
    some.maps.insert(std::move(m));
  }
  return add(some, to, sizes);
}

/// Counts the cost of composing two maps and simplifying the result, which
/// compares each constraint with the others. False if it exceeds the budget.
bool Reads::spend(const Map &a, const Map &b) {
  auto count = [](const Map &m) {
    return m.domain.ranges.size() + m.domain.runtimes.size() +
           m.domain.constraints.size();
  };
  uint64_t size = 1 + count(a) + count(b);
  work += size * size;
  return work <= allowed;
}

bool Reads::compose(const State &from, Sizes fromSizes, State &to,
                    Sizes toSizes, const MapSet &step) {
  bool changed = false;
  for (const OperandMap &m : from.maps)
    for (const OperandMap &s : step) {
      if (to.isFull && !s.devices && !m.devices)
        return changed;
      if (!spend(m.map, s.map))
        return changed |
               widen(to, toSizes, "following all reads exceeds the work limit");
      // One reason is enough: the first one.
      OperandMap through{{},
                         m.exact && s.exact,
                         m.exact ? s.reason : m.reason,
                         0,
                         std::max(m.devices, s.devices)};
      if (!m.devices && isWholeIdentity(m.map, fromSizes)) {
        through.map = simplify(s.map);
        through.leastRead = m.exact ? s.leastRead : 0;
      } else if (!s.devices && isWholeIdentity(s.map, fromSizes)) {
        through.map = m.map;
        through.leastRead = s.exact ? m.leastRead : 0;
      } else if (!through.devices) {
        through.map = simplify(indexing::compose(m.map, s.map));
      } else if (m.map.isKnownEmpty() || s.map.isKnownEmpty()) {
        through.map =
            Map::makeEmpty(arena, rootSizes.size() + 1, toSizes.size() + 1);
      } else if (m.devices && s.devices && m.devices != s.devices) {
        devices = std::max(devices, through.devices);
        return changed | widen(to, toSizes,
                               "collectives with different numbers of devices");
      } else {
        through.map =
            simplify(indexing::compose(m.devices ? m.map : onDevices(m.map),
                                       s.devices ? s.map : onDevices(s.map)));
      }
      changed |= insert(to, toSizes, std::move(through));
    }
  return changed;
}

bool Reads::addAll(State &to, Sizes sizes, llvm::Twine reason) {
  std::string why = reason.str();
  if (why.empty())
    return insert(to, sizes, {everything(arena, rootSizes, sizes)});
  return widen(to, sizes, why);
}

bool maps::contains(const MapSet &set, const OperandMap &m) {
  MapSet copy = set;
  return !copy.insert(m);
}
