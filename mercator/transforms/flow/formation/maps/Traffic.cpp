// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/maps/Traffic.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

// Where the device does not say: what starting a dispatch and meeting at its end
// cost, and how many times as fast as memory the last cache is.
static constexpr double kDispatchNs = 1000;
static constexpr double kSharedRate = 4;

static double knownOr(double known, double otherwise) {
  return known > 0 ? known : otherwise;
}

Machine::Machine(const Device &device)
    : bytesPerNs(knownOr(device.gigabytesPerSecond, 50)),
      flopsPerNs(knownOr(device.multiplyAddRate("f32"), 250)),
      // A vector instruction multiplies and adds; a scalar one does one of both.
      scalarsPerNs(flopsPerNs / double(2 * std::max<int64_t>(1, device.lanes))),
      cores(double(device.cores)), cacheBytes(double(1 << 20)), sharedBytes(0),
      sharedBytesPerNs(kSharedRate * bytesPerNs),
      dispatchNs(
          knownOr(1000 * (device.startMicroseconds + device.meetMicroseconds),
                  kDispatchNs)) {
  if (device.caches.empty())
    return;
  // The last cache is shared, the one before it is a core's own.
  const Device::Cache &last = device.caches.back();
  if (device.caches.size() == 1) {
    cacheBytes = double(last.bytes);
    return;
  }
  cacheBytes = double(device.caches[device.caches.size() - 2].bytes);
  sharedBytes = double(last.bytes);
  sharedBytesPerNs = knownOr(last.gigabytesPerSecond, sharedBytesPerNs);
}

double Estimate::time(const Machine &machine) const {
  double busy = std::max(1.0, std::min(cells, machine.cores));
  return machine.dispatchNs + bytes / machine.bytesPerNs +
         sharedBytes / machine.sharedBytesPerNs +
         flops / (machine.flopsPerNs * busy) + scalars / machine.scalarsPerNs;
}

unsigned GroupTraffic::kindOf(Coordinates dividers) {
  for (auto [i, kind] : llvm::enumerate(kinds))
    if (kind.dividers == dividers)
      return i;
  kinds.push_back({dividers});
  return kinds.size() - 1;
}

void GroupTraffic::addRead(Value value, double bytes, Coordinates dividers) {
  auto [it, isNew] = reads.try_emplace(value);
  if (!isNew) {
    // Two reads of one tensor: only what divides both divides it.
    kinds[it->second.kind].readBytes -= it->second.bytes;
    dividers &= kinds[it->second.kind].dividers;
    bytes = std::max(bytes, it->second.bytes);
  }
  unsigned kind = kindOf(dividers);
  it->second = {bytes, kind};
  kinds[kind].readBytes += bytes;
}

void GroupTraffic::addWrite(Value value, double bytes, Coordinates dividers,
                            unsigned uses) {
  writes[value] = {{bytes, kindOf(dividers)}, uses};
  if (uses > 0)
    written += bytes;
}

/// The coordinates of a merged group that divide a tensor.
static Coordinates renumber(Coordinates dividers, const Origins &origins) {
  Coordinates now = 0;
  for (auto [i, origin] : llvm::enumerate(origins))
    if ((origin & ~dividers) == 0)
      now |= Coordinates(1) << i;
  return now;
}

void GroupTraffic::renumber(const Origins &origins) {
  for (Kind &kind : kinds)
    kind.dividers = ::renumber(kind.dividers, origins);
}

/// The number of values of the coordinates in the set.
static double valuesOf(Coordinates set, ArrayRef<double> extents) {
  double count = 1;
  for (auto [i, extent] : llvm::enumerate(extents))
    if (set >> i & 1)
      count *= extent;
  return count;
}

Estimate GroupTraffic::sum(const Machine &machine, ArrayRef<Kind> kinds,
                           ArrayRef<double> extents, double written,
                           double flops, double repeatedFlops, bool isOne) {
  Estimate all;
  all.flops = flops;
  all.cells = valuesOf(~Coordinates(0), extents);
  double divided = 0, whole = 0;
  for (const Kind &kind : kinds) {
    double parts = valuesOf(kind.dividers, extents);
    double bytes = kind.readBytes / parts;
    all.cellBytes += bytes;
    (parts == all.cells ? divided : whole) += bytes;
    all.innerBytes = std::max(all.innerBytes, kind.innerBytes / parts);
  }
  all.cellBytes += 2 * all.innerBytes;
  divided += 2 * all.innerBytes;
  // The cells of a tile share what they read. A tile has as many cells as half
  // of the cache has room for, and there are tiles for all cores. Where a cell is
  // long, as a row of an attention's scores, its code keeps a part of it at a time.
  constexpr double kLeastCells = 16;
  double room =
      std::max(kLeastCells, machine.cacheBytes / 2 / std::max(1.0, divided));
  double tile = std::clamp(all.cells / machine.cores, 1.0, room);
  all.tiles = std::ceil(all.cells / tile);
  all.flops += repeatedFlops * all.tiles;
  bool fits = isOne || all.cellBytes <= machine.cacheBytes;
  auto timesOf = [&](const Kind &kind) {
    double others = all.cells / valuesOf(kind.dividers, extents);
    return fits ? 1 : std::max(1.0, std::ceil(others / tile));
  };
  double again = 0;
  for (const Kind &kind : kinds)
    if (timesOf(kind) > 1)
      again += kind.readBytes;
  bool isShared = again <= machine.sharedBytes / 2;
  for (const Kind &kind : kinds) {
    double times = timesOf(kind);
    all.bytes += kind.readBytes * (isShared ? 1 : times);
    if (isShared)
      all.sharedBytes += kind.readBytes * (times - 1);
    if (times > all.rereads) {
      all.rereads = times;
      all.reread = kind.readBytes;
    }
  }
  all.bytes += written;
  return all;
}

Estimate GroupTraffic::estimate(const Machine &machine) const {
  Estimate all =
      sum(machine, kinds, extents, written, flops, repeatedFlops, isOne);
  all.scalars = scalars;
  return all;
}

bool GroupTraffic::isOnlyHanded(ArrayRef<Handed> handed) const {
  unsigned whole = 0;
  for (const Handed &tensor : handed)
    if (auto it = writes.find(tensor.value);
        it != writes.end() && it->second.uses == tensor.uses)
      ++whole;
  return whole == llvm::count_if(writes, [](const auto &each) {
           return each.second.uses > 0;
         });
}

Estimate GroupTraffic::estimateMerged(
    const Machine &machine, const GroupTraffic &first,
    const Origins &firstOrigins, const GroupTraffic &second,
    const Origins &secondOrigins, ArrayRef<double> extents,
    ArrayRef<Handed> handed, bool repeatsFirst) {
  SmallVector<Kind, 8> kinds;
  auto at = [&](Coordinates dividers) -> Kind & {
    for (Kind &kind : kinds)
      if (kind.dividers == dividers)
        return kind;
    return kinds.emplace_back(Kind{dividers});
  };
  auto add = [&](const GroupTraffic &half, const Origins &origins) {
    for (const Kind &kind : half.kinds) {
      Kind &now = at(::renumber(kind.dividers, origins));
      now.readBytes += kind.readBytes;
      now.innerBytes = std::max(now.innerBytes, kind.innerBytes);
    }
  };
  add(first, firstOrigins);
  add(second, secondOrigins);
  double written = first.written + second.written;
  auto unread = [&](const GroupTraffic &half, const Part &part,
                    const Origins &origins) {
    at(::renumber(half.kinds[part.kind].dividers, origins)).readBytes -=
        part.bytes;
  };
  for (const Handed &tensor : handed) {
    if (auto it = second.reads.find(tensor.value); it != second.reads.end())
      unread(second, it->second, secondOrigins);
    auto it = first.writes.find(tensor.value);
    if (it == first.writes.end())
      continue;
    if (it->second.uses == tensor.uses)
      written -= it->second.bytes;
    Kind &kind =
        at(::renumber(first.kinds[it->second.kind].dividers, firstOrigins));
    kind.innerBytes = std::max(kind.innerBytes, it->second.bytes);
  }
  bool firstIsSmaller = first.reads.size() < second.reads.size();
  const GroupTraffic &small = firstIsSmaller ? first : second;
  const GroupTraffic &large = firstIsSmaller ? second : first;
  for (const auto &[value, part] : small.reads)
    if (large.reads.contains(value))
      unread(small, part, firstIsSmaller ? firstOrigins : secondOrigins);
  double repeated = first.repeatedFlops + second.repeatedFlops;
  double flops = second.flops;
  (repeatsFirst ? repeated : flops) += first.flops;
  Estimate all = sum(machine, kinds, extents, written, flops, repeated, false);
  all.scalars = first.scalars + second.scalars;
  return all;
}

GroupTraffic GroupTraffic::merge(GroupTraffic first,
                                 const Origins &firstOrigins,
                                 GroupTraffic second,
                                 const Origins &secondOrigins,
                                 ArrayRef<double> extents,
                                 ArrayRef<Handed> handed, bool repeatsFirst) {
  if (repeatsFirst)
    first.repeatedFlops += std::exchange(first.flops, 0);
  for (const Handed &tensor : handed) {
    auto read = second.reads.find(tensor.value);
    if (read != second.reads.end()) {
      second.kinds[read->second.kind].readBytes -= read->second.bytes;
      second.reads.erase(read);
    }
    auto written = first.writes.find(tensor.value);
    if (written == first.writes.end())
      continue;
    Kind &kind = first.kinds[written->second.kind];
    kind.innerBytes = std::max(kind.innerBytes, written->second.bytes);
    written->second.uses -= std::min(written->second.uses, tensor.uses);
    if (written->second.uses == 0)
      first.written -= written->second.bytes;
  }
  first.renumber(firstOrigins);
  second.renumber(secondOrigins);
  if (first.reads.size() + first.writes.size() <
      second.reads.size() + second.writes.size())
    std::swap(first, second);
  first.extents.assign(extents.begin(), extents.end());
  first.isOne = false;
  first.flops += second.flops;
  first.scalars += second.scalars;
  first.repeatedFlops += second.repeatedFlops;
  first.written += second.written;
  // Kinds that became equal are one; there are few.
  SmallVector<unsigned, 4> place;
  for (const Kind &kind : second.kinds) {
    unsigned at = first.kindOf(kind.dividers);
    first.kinds[at].innerBytes =
        std::max(first.kinds[at].innerBytes, kind.innerBytes);
    place.push_back(at);
  }
  for (const auto &[value, part] : second.reads) {
    auto [it, isNew] =
        first.reads.try_emplace(value, Part{part.bytes, place[part.kind]});
    if (isNew)
      first.kinds[place[part.kind]].readBytes += part.bytes;
  }
  for (const auto &[value, result] : second.writes)
    first.writes[value] = {{result.bytes, place[result.kind]}, result.uses};
  return first;
}
