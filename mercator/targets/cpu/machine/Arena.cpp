// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/machine/Arena.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

using namespace mercator;
using namespace mercator::cpu;

static int64_t aligned(int64_t bytes) {
  return (std::max<int64_t>(bytes, 1) + kAlignment - 1) / kAlignment *
         kAlignment;
}

namespace {
/// The buffers of one piece of memory, by offset.
class Piece {
public:
  /// The lowest offset where the bytes of `own` are free while it is needed.
  int64_t placeFor(const Lifetime &own) const {
    int64_t size = aligned(own.bytes), offset = 0;
    for (const auto &[at, its] : placed) {
      if (its.last < own.first || own.last < its.first)
        continue;
      if (offset + size <= at)
        break;
      offset = std::max(offset, at + aligned(its.bytes));
    }
    return offset;
  }

  void add(int64_t offset, const Lifetime &own) {
    auto place = std::upper_bound(
        placed.begin(), placed.end(), offset,
        [](int64_t at, const auto &other) { return at < other.first; });
    placed.insert(place, {offset, own});
  }

private:
  std::vector<std::pair<int64_t, Lifetime>> placed;
};
} // namespace

static bool fits(const Lifetime &buffer, const Room &room) {
  constexpr int64_t kPage = 4096;
  return !buffer.isScratch && buffer.bytes >= kPage &&
         buffer.bytes <= room.bytes && room.alignment % buffer.alignment == 0 &&
         (buffer.last < room.first || room.last < buffer.first);
}

/// Largest first, and scratch after the others.
static ArenaPlan bySize(const std::vector<Lifetime> &buffers,
                        const std::vector<Room> &rooms) {
  ArenaPlan plan;
  plan.offsets.resize(buffers.size());
  plan.rooms.assign(buffers.size(), ArenaPlan::kArena);
  std::vector<size_t> order(buffers.size()), roomsBySize(rooms.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    auto keyOf = [&](size_t each) {
      return std::tuple(buffers[each].isScratch, -buffers[each].bytes, each);
    };
    return keyOf(a) < keyOf(b);
  });
  std::iota(roomsBySize.begin(), roomsBySize.end(), 0);
  std::sort(roomsBySize.begin(), roomsBySize.end(), [&](size_t a, size_t b) {
    return std::pair(rooms[a].bytes, a) < std::pair(rooms[b].bytes, b);
  });
  Piece arena;
  std::vector<Piece> pieces(rooms.size());
  for (size_t each : order) {
    const Lifetime &own = buffers[each];
    auto found = std::find_if(
        roomsBySize.begin(), roomsBySize.end(), [&](size_t number) {
          return fits(own, rooms[number]) &&
                 pieces[number].placeFor(own) + own.bytes <=
                     rooms[number].bytes;
        });
    Piece &piece = found == roomsBySize.end() ? arena : pieces[*found];
    int64_t offset = piece.placeFor(own);
    piece.add(offset, own);
    plan.offsets[each] = offset;
    if (found == roomsBySize.end())
      plan.bytes = std::max(plan.bytes, offset + aligned(own.bytes));
    else
      plan.rooms[each] = int64_t(*found);
  }
  return plan;
}

/// In order of time: a freed piece of the same size is used again.
static ArenaPlan byTime(const std::vector<Lifetime> &buffers) {
  ArenaPlan plan;
  plan.offsets.resize(buffers.size());
  plan.rooms.assign(buffers.size(), ArenaPlan::kArena);
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(buffers[a].first, a) < std::pair(buffers[b].first, b);
  });
  std::multimap<int64_t, int64_t> free; // size, offset
  std::priority_queue<std::pair<int64_t, size_t>,
                      std::vector<std::pair<int64_t, size_t>>, std::greater<>>
      ends;
  std::vector<int64_t> sizes(buffers.size());
  for (size_t each : order) {
    while (!ends.empty() && ends.top().first < buffers[each].first) {
      size_t other = ends.top().second;
      free.insert({sizes[other], plan.offsets[other]});
      ends.pop();
    }
    int64_t size = aligned(buffers[each].bytes);
    auto found = free.lower_bound(size);
    if (found != free.end() && found->first <= 2 * size) {
      sizes[each] = found->first;
      plan.offsets[each] = found->second;
      free.erase(found);
    } else {
      sizes[each] = size;
      plan.offsets[each] = plan.bytes;
      plan.bytes += size;
    }
    ends.push({buffers[each].last, each});
  }
  return plan;
}

ArenaPlan cpu::planArena(const std::vector<Lifetime> &buffers,
                         const std::vector<Room> &rooms) {
  constexpr size_t kMany = 4000;
  return buffers.size() > kMany ? byTime(buffers) : bySize(buffers, rooms);
}
