// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", 2014). Word i depends only on the state before and on i, so the
// loop has no chain.

#include "mercator/runtime/calls/Batch.h"

#include <atomic>

static std::atomic<uint64_t> state{0};

static constexpr uint64_t step = 0x9E3779B97F4A7C15;

static uint64_t mix(uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
  return bits ^ (bits >> 31);
}

extern "C" void mercator_seed(uint64_t value) { state = value; }

extern "C" int32_t mercator_random_bits_i64(const mercator_tensor *,
                                            const int64_t *,
                                            const mercator_tensor *results) {
  auto *words = static_cast<uint64_t *>(results[0].data);
  auto count = uint64_t(mercator::calls::elementCount(results[0]));
  uint64_t before = state.fetch_add(count * step);
  for (uint64_t i = 0; i < count; ++i)
    words[i] = mix(before + (i + 1) * step);
  return mercator_ok;
}
