// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Tiles of results, and the parts of their operands, producers and parameters
/// that they need.
///
///   tiles of 16x128 of %y = dot_general(%a, %b), at (p0, p1)
///     %a  [p0:+16, 0:256]    4096 elements, each for 128 elements of the tile
///     %b  [0:256, p1:+128]  32768 elements, each for 16
///
/// In the other direction, from a tile of an operand to the part of the result
/// that depends on it:
///
///   tiles of 16x256 of %a, read by %y, at (p0, 0)
///     %y  [p0:+16, 0:512]
///
/// analysis/tiles/ finds the boxes, the bytes, and the sizes that fit a cache.
/// This adds names.

#ifndef MERCATOR_COMPILER_MAPS_TILE_H
#define MERCATOR_COMPILER_MAPS_TILE_H

#include "mercator/analysis/device/Device.h"
#include "mercator/analysis/tiles/Search.h"
#include "mercator/compiler/maps/Kernels.h"
#include "mercator/compiler/maps/Maps.h"
#include "mercator/support/Verdict.h"

namespace mercator {

/// A part of a tensor by name: `%35[0:16, :, 3, 0:10:2]`, as in Python.
struct TensorPart {
  struct Range {
    std::optional<int64_t> begin, end; ///< none: the first, the last
    int64_t step = 1;
  };
  std::string name;
  std::vector<Range> ranges; ///< without brackets, none: the whole tensor
  bool hasBrackets = false;
};
/// None after a diagnostic about `text`.
[[nodiscard]] std::optional<TensorPart>
parseTensorPart(const SourceBuffer &text, DiagnosticEngine &diagnostics);

struct TileQuery {
  MapQuery maps = {}; ///< which instructions; out-to-in, or in-to-out
  /// Sizes of the tile; a rank of fewer dimensions means the last ones, and
  /// whole extents of the others.
  std::vector<int64_t> sizes = {};
  /// Instead of sizes: a part of a result, at a place.
  std::optional<TensorPart> of = {};
  /// Instead of sizes: what a block of a kernel computes, for results of these shapes.
  std::vector<KernelTile> ofKernel = {};
  /// Instead of sizes: those that move the fewest bytes.
  bool isAuto = false;
  Device memory = {};
};

/// An operand, a producer or a parameter, read by one map; in-to-out, a result.
struct NeededTile {
  std::string name, type;
  std::string operation = {}; ///< of a producer
  bool isExactMap = true;
  /// Ranges that the tile loops over: reduced and contracted dimensions.
  struct Loop {
    std::string name;
    int64_t begin, end;
  };
  std::vector<Loop> loops = {};
  tiles::OperandTile tile;
  std::optional<int64_t> bytes = {}; ///< of the boxes at all places
  int64_t fetched = 0;               ///< bytes of the lines that hold them
  /// Elements that the tile shares with the next one, for each dimension of the
  /// result. Of parameters p<i> only.
  std::vector<int64_t> shared = {};
  /// For a producer: how often all tiles together compute an element that they
  /// need, if nothing is kept from tile to tile. At least 1.
  Verdict<double> recomputed = {};
};

struct InstructionTile {
  std::string computation, name, operation, at, origin, type;
  bool movesOwnBytes = true; ///< see MapRecord
  std::string readBy =
      {}; ///< in-to-out: the instruction; `name` is its operand
  std::vector<tiles::TileDim> dims; ///< of the result; in-to-out, the operand
  std::vector<NeededTile> needed;
  /// For a fusion or a computation: what the tile needs of the values between the
  /// result and the parameters, the nearest first.
  std::vector<NeededTile> producers = {};
  std::optional<int64_t> resultBytes = {};
  /// Bytes of the tile and what it needs, at most: boxes that overlap count
  /// twice, up to the size of the operand.
  std::optional<int64_t> footprint = {};
  /// The smallest cache that holds the footprint; empty if none does.
  std::string fits = {};
  int64_t tiles = 1; ///< of the result
  /// Bytes of the lines that all tiles move, at most, if nothing stays in a
  /// cache between them.
  std::optional<int64_t> moved = {};
  std::string refused = {}; ///< why there are no tiles
};

/// Sizes of tiles of one result, with isAuto.
struct TileChoices {
  std::string computation, name, operation, at, origin, type, cache;
  bool movesOwnBytes = true; ///< see MapRecord
  int64_t cacheBytes = 0;
  /// The smaller caches, if no tile fits them; then `cache` is the next one.
  std::vector<std::string> tooSmall = {};
  /// For a product: the contracted dimension that is divided.
  std::optional<NeededTile::Loop> loop = {};
  tiles::TileSearch search = {};
};

/// Writes one object of `mercator.tile/1`.
void writeJson(const InstructionTile &tile, llvm::json::OStream &json);
void writeJson(const TileChoices &choices, llvm::json::OStream &json);

} // namespace mercator

#endif // MERCATOR_COMPILER_MAPS_TILE_H
