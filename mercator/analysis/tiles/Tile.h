// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The part of an operand that a tile of the result needs.
///
///   map    (d0, d1)[s0] -> (d0, s0), s0 in [0, 255]      the left operand of a
///                                                        product of 256 terms
///   tile   16 by 128 of the result, at (p0, p1)
///   needs  [p0 : p0 + 16, 0 : 256], 4096 elements, each for 128 elements of
///          the tile
///
/// ```cpp (Arena &arena, const Map &lhs)
/// TileDim rows{.size = 16}, columns{.size = 128};
/// OperandTile tile = tileOf(lhs, {rows, columns});
/// assert(tile.isBox.value && tile.dims[0].size == 16 && tile.reads.value == 16 * 128 * 256);
/// ```
///
/// The tile of the result has an offset, a size and a stride in each dimension.
/// An offset is a number, or a parameter p<i>: any multiple of the size. The
/// part of the operand is a box of the same form if every index is an offset
/// that depends on the position of the tile, plus a part that depends on the
/// position inside it. If not, the smallest box that is known to contain it is
/// given, with the elements that it has too many, and the sizes of tiles that
/// would make it exact.
///
/// Runtime variables. One that has the same value in the whole tile is part of
/// an offset: `rt0 + p0`. One that differs inside the tile makes *places*: the
/// tile needs the same box once for each place.
///
///   map    (d0, d1){rt0} -> (rt0, d1), rt0 is element (d0) of %rows
///   tile   8 by 64 of the result, at (p0, 0)
///   needs  [rt0, 0 : 64] at 8 places, at most 512 elements
///
/// A count is the number at the position of the tile where it is largest: tiles
/// at a border need less. It is exact if it is the same for every value of the
/// runtime variables.
///
/// Source: the symbolic tiles of XLA, which refuses maps that do not split.

#ifndef MERCATOR_ANALYSIS_TILES_TILE_H
#define MERCATOR_ANALYSIS_TILES_TILE_H

#include "mercator/indexing/decide/MapSet.h"
#include "mercator/indexing/map/Map.h"
#include "mercator/support/Verdict.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator::tiles {

/// A dimension of a tile of the result: offset, offset + stride, ...
struct TileDim {
  std::optional<int64_t> offset = {}; ///< none: the parameter p<i>
  int64_t size = 1, stride = 1;
  /// The positions of the tile along this dimension of the result. A map may read
  /// for fewer indices: the mask then says for which. 0: as many as the map has.
  int64_t extent = 0;
};

/// A dimension of a box of the operand.
struct BoxDim {
  std::string offset = {}; ///< in the parameters: `p0 + 2`
  int64_t size = 1, stride = 1;
  bool isExact = true; ///< false: an interval that contains what is read
};

struct OperandTile {
  /// A box that contains what is read, for all values of the runtime variables
  /// that differ inside the tile.
  std::vector<BoxDim> dims;
  /// True if a tile at any position reads exactly the elements of the box, except
  /// at the positions that `mask` excludes. If not: why, the map, the term of it
  /// that does not split, and sizes of tiles that would make it a box. Exact: it is
  /// proved that this is no box; else no proof was found.
  Verdict<bool> isBox = {.value = true, .why = {.exactness = Exactness::Exact}};
  int64_t boxElements = 1; ///< saturates
  /// The values that the runtime variables have inside one tile, at most; 1 if
  /// none differs. If there are several: the box at one of them.
  int64_t places = 1;
  std::vector<BoxDim> placeDims = {};
  /// The positions of the tile at which anything may be read.
  int64_t positions = 1;
  /// Distinct elements that a tile reads.
  Verdict<int64_t> elements;
  /// Pairs (element of the tile, element that it reads).
  Verdict<int64_t> reads;
  /// Conditions under which elements of the box are read, in the parameters,
  /// the position t<i> in the tile, and range variables.
  std::vector<std::string> mask;

  /// Elements of the boxes at all places, or of the box around them, whichever
  /// are fewer. Saturates.
  [[nodiscard]] int64_t heldElements() const;
  /// Elements held for each element that is read; at least 1.
  [[nodiscard]] double overRead() const {
    return elements.value > 0 ? double(heldElements()) / elements.value : 1;
  }
  /// Reads of each element.
  [[nodiscard]] double reuse() const {
    return elements.value > 0 ? double(reads.value) / elements.value : 0;
  }
};

/// Requires: a dimension of the tile for each dimension of the map, sizes and
/// strides of at least 1. Complexity: that of simplifying the map; for counts
/// that differ from position to position, of counting at up to 64 of them.
[[nodiscard]] OperandTile tileOf(const indexing::Map &map,
                                 llvm::ArrayRef<TileDim> tile);
/// The same without counts: `isBox`, `elements` and `reads` are not known.
[[nodiscard]] OperandTile boxOf(const indexing::Map &map,
                                llvm::ArrayRef<TileDim> tile);

/// How often tiles of these sizes, at all their positions, compute an element
/// that they need, on average, if nothing is kept from tile to tile:
///
///   (d0) -> (d0)                          1 with any tile
///   (d0, d1) -> (d0) and tiles of 8x128   8, if d1 has 1024 values
///
/// An upper bound if a map is not exact, if the values of runtime variables
/// decide, or if the elements are not counted within a small budget. Offsets and
/// strides of the tile are ignored. Requires: maps from one domain, with bounds
/// from 0.
[[nodiscard]] Verdict<double> recomputed(const indexing::MapSet &maps,
                                         llvm::ArrayRef<TileDim> tile);

} // namespace mercator::tiles

#endif // MERCATOR_ANALYSIS_TILES_TILE_H
