// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The sizes of tiles that move the fewest bytes and fit the smallest cache.
///
///   y = dot(a, b), f32[64,64] of 64 terms, a cache of 8 KiB
///     16x8    needs 6656 bytes, 32 tiles move 294912
///     8x16    needs 6656 bytes, 32 tiles move 212992: the better one
///
/// A tile of a product stays in the cache while it loops over tiles of the
/// contracted dimension:
///
///   sizes = {64, 128}, contracted = 32
///     a  [p0:+64, s0:+32]   b  [s0:+32, p1:+128]   for s0 in 0, 32, .., 1024
///
/// Method. Sizes are divisors, multiples of 8 and powers of two of each extent,
/// at most 24 of them. If there are more than 2048 combinations, a slower
/// dimension is either whole or 1. Each combination is priced by trafficOf.
/// Complexity: 2048 times the number of maps, each the time of boxOf.

#ifndef MERCATOR_ANALYSIS_TILES_SEARCH_H
#define MERCATOR_ANALYSIS_TILES_SEARCH_H

#include "mercator/analysis/tiles/Traffic.h"

namespace mercator::tiles {

struct TileChoice {
  std::vector<int64_t> sizes;
  int64_t contracted = 0; ///< terms at a time; 0 if no dimension is divided
  int64_t footprint = 0, moved = 0, tiles = 0;
};

struct TileSearch {
  int64_t tried = 0;
  int64_t tooLarge = 0; ///< sizes whose footprint exceeds the cache
  /// At most five: the fewest bytes first, then the fewest tiles.
  std::vector<TileChoice> best = {};
  /// The choice with the smallest footprint of all sizes.
  std::optional<TileChoice> smallest = {};
};

/// A tensor that the result reads, by these maps.
struct SearchedOperand {
  mlir::Type type;
  indexing::MapSet maps = {};
};

/// `contracted`: the range variable of all maps with ranges whose terms may be
/// divided. The powers of two from 8 on are tried; the longest that fits moves the
/// fewest bytes. Without a cache, every footprint fits. Requires: as trafficOf, and
/// that the bounds of the range are finite and the same in each map.
[[nodiscard]] TileSearch
searchTiles(mlir::Type result, llvm::ArrayRef<int64_t> extents,
            llvm::ArrayRef<SearchedOperand> operands, const Device &memory,
            std::optional<unsigned> contracted = std::nullopt);

} // namespace mercator::tiles

#endif // MERCATOR_ANALYSIS_TILES_SEARCH_H
