// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/tiles/Search.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <tuple>

using namespace mercator;
using namespace mercator::tiles;
using indexing::OperandMap;

static constexpr size_t kMostSizes = 24, kMostCombinations = 2048, kShown = 5;

/// Divisors, multiples of 8, and powers of two of an extent.
static std::vector<int64_t> sizesOf(int64_t extent) {
  std::set<int64_t> sizes = {1, extent};
  for (int64_t p = 2; p < extent && p <= 4096; p *= 2)
    sizes.insert(p);
  for (int64_t d = 2; d <= 512 && d < extent && sizes.size() < kMostSizes; ++d)
    if (extent % d == 0)
      sizes.insert(d);
  for (int64_t m = 8; m < extent && sizes.size() < kMostSizes; m += 8)
    sizes.insert(m);
  return {sizes.begin(), sizes.end()};
}

/// Combinations of sizes, one for each extent.
static std::vector<std::vector<int64_t>>
candidatesOf(llvm::ArrayRef<int64_t> extents) {
  std::vector<std::vector<int64_t>> candidates = {{}};
  for (size_t i = extents.size(); i-- > 0;) {
    std::vector<std::vector<int64_t>> longer;
    std::vector<int64_t> sizes = sizesOf(extents[i]);
    if (candidates.size() * sizes.size() > kMostCombinations)
      sizes = {1, extents[i]}; // the slower dimensions: one, or all
    for (int64_t size : sizes)
      for (const auto &rest : candidates) {
        longer.push_back({size});
        llvm::append_range(longer.back(), rest);
      }
    candidates = std::move(longer);
  }
  return candidates;
}

TileSearch tiles::searchTiles(mlir::Type result,
                              llvm::ArrayRef<int64_t> extents,
                              llvm::ArrayRef<SearchedOperand> operands,
                              const MemorySystem &memory) {
  TileSearch search;
  for (const std::vector<int64_t> &sizes : candidatesOf(extents)) {
    std::vector<TileDim> dims = tileOfSizes(sizes, extents);
    std::vector<TileOperand> needed;
    for (const SearchedOperand &operand : operands) {
      needed.push_back({operand.type});
      for (const OperandMap &m : operand.maps)
        if (hasTiles(m, dims))
          needed.back().parts.push_back(
              boxPartOf(m, operand.type, dims, memory));
    }
    TileTraffic traffic = trafficOf(result, extents, dims, needed, memory);
    ++search.tried;
    if (!traffic.footprint)
      continue;
    TileChoice choice{sizes, *traffic.footprint, *traffic.moved, traffic.tiles};
    if (!search.smallest || choice.footprint < search.smallest->footprint)
      search.smallest = choice;
    if (!memory.caches.empty() &&
        choice.footprint > memory.caches.front().bytes)
      ++search.tooLarge;
    else
      search.best.push_back(std::move(choice));
  }
  llvm::sort(search.best, [](const TileChoice &a, const TileChoice &b) {
    return std::tie(a.moved, a.tiles, a.footprint, a.sizes) <
           std::tie(b.moved, b.tiles, b.footprint, b.sizes);
  });
  if (search.best.size() > kShown)
    search.best.resize(kShown);
  return search;
}
