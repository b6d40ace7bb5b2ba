// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/tiles/Traffic.h"
#include "mercator/analysis/Layout.h"
#include "mercator/support/Saturating.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::tiles;
using access::Layout;
using indexing::Map;
using indexing::OperandMap;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

std::optional<int64_t> tiles::elementBytes(mlir::Type type) {
  auto layout = Layout::of(type);
  if (!layout)
    return std::nullopt;
  return std::max<int64_t>(1, layout->bits / 8);
}

std::vector<TileDim> tiles::tileOfSizes(llvm::ArrayRef<int64_t> given,
                                        llvm::ArrayRef<int64_t> extents) {
  std::vector<TileDim> dims;
  size_t free = extents.size() - std::min(given.size(), extents.size());
  given = given.take_back(extents.size());
  for (auto [i, extent] : llvm::enumerate(extents)) {
    int64_t wanted = i < free ? extent : given[i - free];
    TileDim dim{.size = std::max<int64_t>(1, std::min(wanted, extent)),
                .extent = extent};
    if (dim.size >= extent)
      dim.offset = 0; // one tile along this dimension
    dims.push_back(dim);
  }
  return dims;
}

/// The elements of a tensor; the largest number if they are not known.
static int64_t elementsOf(mlir::Type type) {
  auto layout = Layout::of(type);
  return layout ? layout->elements() : indexing::Interval::kMax;
}

static int64_t tilesAlong(const TileDim &dim, int64_t extent) {
  return (extent + dim.size - 1) / dim.size;
}

//===----------------------------------------------------------------------===//
// Parts of operands
//===----------------------------------------------------------------------===//

/// Bytes of the lines that hold a box: whole lines along the fastest dimension.
static int64_t fetchedBytes(mlir::Type type, llvm::ArrayRef<int64_t> extents,
                            const Device &memory) {
  auto layout = Layout::of(type);
  if (!layout)
    return 0;
  int64_t bytes = std::max<int64_t>(1, layout->bits / 8);
  bool isContiguous = true; ///< all faster dimensions are whole
  int64_t run = bytes, runs = 1;
  for (int64_t dim : layout->minorToMajor) {
    if (size_t(dim) >= extents.size())
      continue;
    (isContiguous ? run : runs) =
        saturatingMul(isContiguous ? run : runs, extents[dim]);
    isContiguous &= extents[dim] >= layout->shape[dim];
  }
  int64_t lines = (run + memory.lineBytes - 1) / memory.lineBytes;
  return saturatingMul(runs, saturatingMul(lines, memory.lineBytes));
}

static int64_t fetchedBytes(mlir::Type type, llvm::ArrayRef<BoxDim> box,
                            const Device &memory) {
  llvm::SmallVector<int64_t> extents;
  for (const BoxDim &dim : box)
    extents.push_back(saturatingMul(dim.size, dim.stride));
  return fetchedBytes(type, extents, memory);
}

bool tiles::hasTiles(const OperandMap &m, llvm::ArrayRef<TileDim> dims) {
  return !m.map.isKnownEmpty() && m.map.numDims() == dims.size();
}

static TilePart withBytes(OperandTile tile, const OperandMap &m,
                          mlir::Type type, const Device &memory) {
  if (tile.elements.value > elementsOf(type))
    tile.elements.value = elementsOf(type);
  if (!m.exact)
    for (Verdict<int64_t> *count : {&tile.elements, &tile.reads})
      if (count->isExact() && count->value > 0)
        count->why = {.exactness = Exactness::UpperBound, .reason = m.reason};
  TilePart part{.tile = std::move(tile)};
  const OperandTile &own = part.tile;
  // A box may reach over the border of its operand.
  if (std::optional<int64_t> bytes = elementBytes(type))
    part.bytes =
        saturatingMul(*bytes, std::min(own.heldElements(), elementsOf(type)));
  part.fetched = fetchedBytes(type, own.dims, memory);
  if (own.places > 1)
    part.fetched = std::min(
        part.fetched,
        saturatingMul(own.places, fetchedBytes(type, own.placeDims, memory)));
  return part;
}

TilePart tiles::partOf(const OperandMap &m, mlir::Type type,
                       llvm::ArrayRef<TileDim> dims, const Device &memory) {
  return withBytes(tileOf(m.map, dims), m, type, memory);
}

TilePart tiles::boxPartOf(const OperandMap &m, mlir::Type type,
                          llvm::ArrayRef<TileDim> dims, const Device &memory) {
  return withBytes(boxOf(m.map, dims), m, type, memory);
}

//===----------------------------------------------------------------------===//
// Neighbors
//===----------------------------------------------------------------------===//

/// Elements that two boxes at numbers share.
static int64_t sharedElements(const OperandTile &a, const OperandTile &b) {
  int64_t shared = 1;
  for (auto [x, y] : llvm::zip(a.dims, b.dims)) {
    int64_t from, to;
    if (llvm::StringRef(x.offset).getAsInteger(10, from) ||
        llvm::StringRef(y.offset).getAsInteger(10, to) ||
        x.stride != y.stride || (to - from) % x.stride != 0)
      return 0;
    int64_t moved = std::abs(to - from) / x.stride;
    shared = saturatingMul(shared, std::max<int64_t>(0, x.size - moved));
  }
  return shared;
}

std::vector<int64_t> tiles::sharedWithNext(const Map &map,
                                           llvm::ArrayRef<TileDim> dims) {
  std::vector<TileDim> here(dims.begin(), dims.end());
  for (TileDim &dim : here)
    dim.offset = 0;
  OperandTile own = boxOf(map, here);
  if (own.places > 1) // which elements the places share is not known
    return std::vector<int64_t>(dims.size(), 0);
  std::vector<int64_t> shared;
  for (auto [i, dim] : llvm::enumerate(map.domain.dims)) {
    std::vector<TileDim> next = here;
    next[i].offset = next[i].size;
    bool exists = !dim.bounds.hasUpper() || next[i].size <= dim.bounds.upper;
    shared.push_back(exists ? sharedElements(own, boxOf(map, next)) : 0);
  }
  return shared;
}

//===----------------------------------------------------------------------===//
// Traffic
//===----------------------------------------------------------------------===//

TileTraffic tiles::trafficOf(mlir::Type result, llvm::ArrayRef<int64_t> extents,
                             llvm::ArrayRef<TileDim> dims,
                             llvm::ArrayRef<TileOperand> operands,
                             const Device &memory) {
  TileTraffic traffic;
  int64_t elements = 1;
  // A tile at a place stands for all tiles of its sizes.
  int64_t atPlace = 1;
  llvm::SmallVector<int64_t> spans;
  for (auto [dim, extent] : llvm::zip(dims, extents)) {
    elements = saturatingMul(elements, dim.size);
    traffic.tiles = saturatingMul(traffic.tiles, tilesAlong(dim, extent));
    if (dim.offset)
      atPlace = saturatingMul(atPlace, tilesAlong(dim, extent));
    spans.push_back(saturatingMul(dim.size, dim.stride));
  }
  traffic.resultBytes = saturatingMul(elements, *elementBytes(result));
  int64_t bytes = traffic.resultBytes;
  int64_t moved =
      saturatingMul(fetchedBytes(result, spans, memory), traffic.tiles);
  for (const TileOperand &operand : operands) {
    int64_t held = 0; // by all maps of the operand
    for (const TilePart &part : operand.parts) {
      if (!part.bytes)
        return traffic;
      held = saturatingAdd(held, *part.bytes);
      moved = saturatingAdd(
          moved, saturatingMul(part.fetched,
                               saturatingMul(part.tile.positions, atPlace)));
    }
    int64_t whole = held;
    if (std::optional<int64_t> each = elementBytes(operand.type))
      whole = saturatingMul(*each, elementsOf(operand.type));
    bytes = saturatingAdd(bytes, std::min(held, whole));
  }
  traffic.footprint = bytes;
  traffic.moved = moved;
  return traffic;
}
