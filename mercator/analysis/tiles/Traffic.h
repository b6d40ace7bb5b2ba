// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The bytes that tiles of a result hold and move.
///
///   y = dot(a, b), f32[64,64] of 64 terms     tiles of 16x16, lines of 64 bytes
///     a   [p0:+16, 0:64]   4096 bytes, 16 rows of 4 lines: 4096 bytes fetched
///     b   [0:64, p1:+16]   4096 bytes, 64 rows of 1 line: 4096 bytes fetched
///     y   [p0:+16, p1:+16] 1024 bytes
///     a tile holds 9216 bytes; the 16 tiles move 147456
///
/// Nothing stays in a cache from one tile to the next. A count saturates at the
/// largest int64.

#ifndef MERCATOR_ANALYSIS_TILES_TRAFFIC_H
#define MERCATOR_ANALYSIS_TILES_TRAFFIC_H

#include "mercator/analysis/device/Device.h"
#include "mercator/analysis/tiles/Tile.h"

#include "mlir/IR/Types.h"

namespace mercator::tiles {

/// The bytes of an element in memory, at least 1. Nothing for a type without a
/// layout (Layout.h).
[[nodiscard]] std::optional<int64_t> elementBytes(mlir::Type type);

/// The tile of a result whose last dimensions have the given sizes; the others
/// are whole. A dimension with one tile has the offset 0, others a parameter.
[[nodiscard]] std::vector<TileDim> tileOfSizes(llvm::ArrayRef<int64_t> given,
                                               llvm::ArrayRef<int64_t> extents);

/// What a tile needs of a tensor, by one map.
struct TilePart {
  OperandTile tile;
  std::optional<int64_t> bytes = {}; ///< of the boxes at all places
  int64_t fetched = 0;               ///< bytes of the lines that hold them
};
/// `type` is that of the tensor. Requires: hasTiles(m, dims).
[[nodiscard]] TilePart partOf(const indexing::OperandMap &m, mlir::Type type,
                              llvm::ArrayRef<TileDim> dims,
                              const Device &memory);
/// The same without counts, as boxOf.
[[nodiscard]] TilePart boxPartOf(const indexing::OperandMap &m, mlir::Type type,
                                 llvm::ArrayRef<TileDim> dims,
                                 const Device &memory);

/// Whether the map reads anything, and has a dimension for each of the tile.
[[nodiscard]] bool hasTiles(const indexing::OperandMap &m,
                            llvm::ArrayRef<TileDim> dims);

/// Elements that a tile shares with the next one along each of its dimensions.
[[nodiscard]] std::vector<int64_t> sharedWithNext(const indexing::Map &map,
                                                  llvm::ArrayRef<TileDim> dims);

/// A tensor, and what a tile needs of it by each of its maps.
struct TileOperand {
  mlir::Type type;
  std::vector<TilePart> parts = {};
};

struct TileTraffic {
  int64_t tiles = 1;       ///< of the result
  int64_t resultBytes = 0; ///< of one tile
  /// Bytes of the tile and what it needs, at most: boxes that overlap count
  /// twice, up to the size of the operand. Nothing if an operand has no layout.
  std::optional<int64_t> footprint = {};
  /// Bytes of the lines that all tiles move, at most.
  std::optional<int64_t> moved = {};
};
/// A tile at a place stands for all tiles of its sizes. Requires: a result with a
/// layout, and its extents.
[[nodiscard]] TileTraffic trafficOf(mlir::Type result,
                                    llvm::ArrayRef<int64_t> extents,
                                    llvm::ArrayRef<TileDim> dims,
                                    llvm::ArrayRef<TileOperand> operands,
                                    const Device &memory);

} // namespace mercator::tiles

#endif // MERCATOR_ANALYSIS_TILES_TRAFFIC_H
