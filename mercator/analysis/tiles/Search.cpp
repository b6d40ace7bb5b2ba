// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/tiles/Search.h"
#include "mercator/support/Saturating.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <set>
#include <tuple>

using namespace mercator;
using namespace mercator::tiles;
using indexing::Interval;
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

namespace {
/// The operands with some of the terms of a contracted dimension.
struct Terms {
  int64_t count; ///< 0: no dimension is divided
  int64_t parts; ///< how many such tiles there are
  std::vector<SearchedOperand> operands;
};
} // namespace

/// The first `count` terms of a dimension; a tile at another place reads as many.
static std::vector<SearchedOperand>
withTerms(llvm::ArrayRef<SearchedOperand> operands, unsigned range,
          int64_t count) {
  std::vector<SearchedOperand> some;
  for (const SearchedOperand &operand : operands) {
    some.push_back({operand.type});
    for (OperandMap m : operand.maps) {
      if (range < m.map.domain.ranges.size()) {
        Interval &bounds = m.map.domain.ranges[range].bounds;
        bounds = {bounds.lower, bounds.lower + count - 1};
      }
      some.back().maps.insert(std::move(m));
    }
  }
  return some;
}

/// All terms first, then ever fewer.
static std::vector<Terms> termsOf(llvm::ArrayRef<SearchedOperand> operands,
                                  std::optional<unsigned> range) {
  std::vector<Terms> terms;
  for (const SearchedOperand &operand : operands)
    for (const OperandMap &m : operand.maps)
      if (range && terms.empty() && *range < m.map.domain.ranges.size()) {
        int64_t extent = *m.map.domain.ranges[*range].bounds.size();
        terms.push_back({extent, 1, operands.vec()});
        for (auto count = int64_t(llvm::bit_floor(uint64_t(extent - 1)));
             count >= 8; count /= 2)
          terms.push_back({count, (extent + count - 1) / count,
                           withTerms(operands, *range, count)});
      }
  if (terms.empty())
    terms.push_back({0, 1, operands.vec()});
  return terms;
}

/// Nothing if an operand has no layout.
static std::optional<TileChoice> choiceOf(mlir::Type result,
                                          llvm::ArrayRef<int64_t> extents,
                                          const std::vector<int64_t> &sizes,
                                          const Terms &terms,
                                          const Device &memory) {
  std::vector<TileDim> dims = tileOfSizes(sizes, extents);
  std::vector<TileOperand> needed;
  for (const SearchedOperand &operand : terms.operands) {
    needed.push_back({operand.type});
    for (const OperandMap &m : operand.maps)
      if (hasTiles(m, dims))
        needed.back().parts.push_back(boxPartOf(m, operand.type, dims, memory));
  }
  TileTraffic traffic = trafficOf(result, extents, dims, needed, memory);
  if (!traffic.footprint)
    return std::nullopt;
  TileChoice choice{sizes, terms.count, *traffic.footprint, *traffic.moved,
                    traffic.tiles};
  if (terms.parts == 1)
    return choice;
  // The operands are read for each part, the result is written once.
  int64_t written = *trafficOf(result, extents, dims, {}, memory).moved;
  choice.moved = saturatingAdd(
      written, saturatingMul(choice.moved - written, terms.parts));
  return choice;
}

TileSearch tiles::searchTiles(mlir::Type result,
                              llvm::ArrayRef<int64_t> extents,
                              llvm::ArrayRef<SearchedOperand> operands,
                              const Device &memory,
                              std::optional<unsigned> contracted) {
  TileSearch search;
  std::vector<Terms> terms = termsOf(operands, contracted);
  for (const std::vector<int64_t> &sizes : candidatesOf(extents)) {
    ++search.tried;
    bool fits = false, isKnown = false;
    for (const Terms &some : terms) {
      std::optional<TileChoice> choice =
          choiceOf(result, extents, sizes, some, memory);
      if (!choice)
        break;
      isKnown = true;
      if (!search.smallest || choice->footprint < search.smallest->footprint)
        search.smallest = choice;
      fits = memory.caches.empty() ||
             choice->footprint <= memory.caches.front().bytes;
      if (fits) {
        search.best.push_back(std::move(*choice));
        break;
      }
    }
    search.tooLarge += isKnown && !fits;
  }
  llvm::sort(search.best, [](const TileChoice &a, const TileChoice &b) {
    return std::tie(a.moved, a.tiles, a.footprint, a.sizes) <
           std::tie(b.moved, b.tiles, b.footprint, b.sizes);
  });
  if (search.best.size() > kShown)
    search.best.resize(kShown);
  return search;
}
