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

/// Largest first, and scratch after the others.
static ArenaPlan bySize(const std::vector<Lifetime> &buffers) {
  ArenaPlan plan;
  plan.offsets.resize(buffers.size());
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    auto keyOf = [&](size_t each) {
      return std::tuple(buffers[each].isScratch, -buffers[each].bytes, each);
    };
    return keyOf(a) < keyOf(b);
  });
  std::vector<size_t> placed; // by offset
  for (size_t each : order) {
    const Lifetime &own = buffers[each];
    int64_t size = aligned(own.bytes), offset = 0;
    for (size_t other : placed) {
      const Lifetime &its = buffers[other];
      if (its.last < own.first || own.last < its.first)
        continue;
      if (offset + size <= plan.offsets[other])
        break;
      offset = std::max(offset, plan.offsets[other] + aligned(its.bytes));
    }
    plan.offsets[each] = offset;
    plan.bytes = std::max(plan.bytes, offset + size);
    auto place = std::upper_bound(
        placed.begin(), placed.end(), offset,
        [&](int64_t at, size_t other) { return at < plan.offsets[other]; });
    placed.insert(place, each);
  }
  return plan;
}

/// In order of time: a freed piece of the same size is used again.
static ArenaPlan byTime(const std::vector<Lifetime> &buffers) {
  ArenaPlan plan;
  plan.offsets.resize(buffers.size());
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

ArenaPlan cpu::planArena(const std::vector<Lifetime> &buffers) {
  constexpr size_t kMany = 4000;
  return buffers.size() > kMany ? byTime(buffers) : bySize(buffers);
}
