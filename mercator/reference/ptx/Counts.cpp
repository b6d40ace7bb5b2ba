// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/ptx/Counts.h"

#include <algorithm>

namespace mercator::reference::ptx {

llvm::StringRef nameOf(Unit unit) {
  static constexpr llvm::StringLiteral kNames[kUnits] = {
      "integer", "float",     "double", "special", "convert",
      "move",    "predicate", "global", "shared",  "local",
      "warp",    "matrix",    "control"};
  return kNames[unsigned(unit)];
}

/// Every number of a Counts, with its key.
template <typename F> static void forEachCount(F &&visit) {
  visit("instructions", &Counts::instructions);
  visit("lane_instructions", &Counts::laneInstructions);
  visit("loads", &Counts::loads);
  visit("load_sectors", &Counts::loadSectors);
  visit("stores", &Counts::stores);
  visit("store_sectors", &Counts::storeSectors);
  visit("atomics", &Counts::atomics);
  visit("atomic_sectors", &Counts::atomicSectors);
  visit("shared_loads", &Counts::sharedLoads);
  visit("shared_load_passes", &Counts::sharedLoadPasses);
  visit("shared_stores", &Counts::sharedStores);
  visit("shared_store_passes", &Counts::sharedStorePasses);
  visit("barriers", &Counts::barriers);
  visit("products", &Counts::products);
  visit("divergent_branches", &Counts::divergentBranches);
}

Counts &Counts::operator+=(const Counts &other) {
  forEachCount([&](auto, auto member) { this->*member += other.*member; });
  for (unsigned unit = 0; unit < kUnits; ++unit)
    byUnit[unit] += other.byUnit[unit];
  return *this;
}

void Counts::print(llvm::json::OStream &json) const {
  forEachCount([&](const char *key, auto member) {
    json.attribute(key, int64_t(this->*member));
  });
  json.attributeObject("units", [&] {
    for (unsigned unit = 0; unit < kUnits; ++unit)
      if (byUnit[unit] != 0)
        json.attribute(nameOf(Unit(unit)), int64_t(byUnit[unit]));
  });
}

/// Sorts up to 64 numbers, which are mostly in order already, and drops repeated ones.
static unsigned sortUnique(uint64_t *numbers, unsigned count) {
  bool isSorted = true;
  for (unsigned i = 1; i < count; ++i)
    isSorted &= numbers[i - 1] <= numbers[i];
  if (!isSorted)
    std::sort(numbers, numbers + count);
  unsigned kept = 0;
  for (unsigned i = 0; i < count; ++i)
    if (kept == 0 || numbers[kept - 1] != numbers[i])
      numbers[kept++] = numbers[i];
  return kept;
}

unsigned sectorsOf(llvm::ArrayRef<uint64_t> addresses, unsigned) {
  uint64_t sectors[32];
  for (unsigned i = 0; i < addresses.size(); ++i)
    sectors[i] = addresses[i] / 32;
  return sortUnique(sectors, addresses.size());
}

unsigned bankPasses(llvm::ArrayRef<uint64_t> addresses, unsigned bytes) {
  unsigned wordsEach = std::max(1u, bytes / 4);
  unsigned lanesAtOnce = 32 / wordsEach;
  unsigned passes = 0;
  for (unsigned first = 0; first < addresses.size(); first += lanesAtOnce) {
    uint64_t words[32];
    unsigned count = 0;
    for (uint64_t address : addresses.slice(
             first, std::min<size_t>(lanesAtOnce, addresses.size() - first)))
      for (unsigned word = 0; word < wordsEach; ++word)
        words[count++] = address / 4 + word;
    count = sortUnique(words, count);
    unsigned ofBank[32] = {}, most = 1;
    for (unsigned i = 0; i < count; ++i)
      most = std::max(most, ++ofBank[words[i] % 32]);
    passes += most;
  }
  return passes;
}

} // namespace mercator::reference::ptx
