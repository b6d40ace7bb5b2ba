// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The place of each element of a tensor in memory.
///
/// ```cpp (Arena &arena, Expr d0, Expr d1)
/// Layout columns{.shape = {64, 32}, .minorToMajor = {0, 1}, .bits = 32};
/// Expr byte = columns.byteOf(arena, {d0, d1}); // d0 * 4 + d1 * 256
/// assert(columns.bytes() == 64 * 32 * 4);
/// ```
///
/// A layout is a map from elements to bytes. Composed with the map of an
/// operand, it gives the address that each element of a result reads.
///
/// Tiles. `T(8,128)(2,1)` cuts the two fastest dimensions into tiles of 8 rows
/// by 128 columns, which are stored one after the other, each row-major; then
/// each tile into tiles of 2 by 1. Extents are padded to whole tiles. `*` in
/// place of an extent joins a dimension with the next faster one. Source: the
/// tiled layouts of XLA.

#ifndef MERCATOR_ANALYSIS_LAYOUT_H
#define MERCATOR_ANALYSIS_LAYOUT_H

#include "mercator/indexing/map/Map.h"

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace mercator::access {

struct Layout {
  using Tile = llvm::SmallVector<int64_t, 2>;
  /// In place of an extent of a tile: `*`.
  static constexpr int64_t kJoined = -1;

  llvm::SmallVector<int64_t, 4> shape;
  llvm::SmallVector<int64_t, 4> minorToMajor; ///< the fastest dimension first
  llvm::SmallVector<Tile, 2> tiles = {};
  int64_t bits = 8; ///< of an element in memory

  /// The layout of a tensor: its encoding, else row-major. i1 takes a byte, i4
  /// half of one. Nothing for unknown extents, for elements without a size, and
  /// for the null type.
  [[nodiscard]] static std::optional<Layout> of(mlir::Type type);

  /// The address of an element relative to the first, in bytes, rounded down.
  /// Requires: an index for each dimension.
  [[nodiscard]] indexing::Expr
  byteOf(indexing::Arena &arena, llvm::ArrayRef<indexing::Expr> index) const;

  /// The size with the padding of tiles; the largest int64 if it does not fit.
  [[nodiscard]] int64_t bytes() const;
  [[nodiscard]] int64_t elements() const;
};

/// The tiles of `T(8,128)(2,1)`. Nothing if the text is no tiling.
[[nodiscard]] std::optional<llvm::SmallVector<Layout::Tile, 2>>
parseTiles(llvm::StringRef text);

} // namespace mercator::access

#endif // MERCATOR_ANALYSIS_LAYOUT_H
