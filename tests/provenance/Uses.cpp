// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Uses.h"

#include "mercator/analysis/access/Lanes.h"
#include "mercator/analysis/tiles/Tile.h"
#include "mercator/indexing/decide/Footprint.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/notation/Notation.h"

#include <random>
#include <set>

namespace mercator::testing {

using namespace indexing;
using tiles::OperandTile;
using tiles::TileDim;

namespace {

using Columns = std::set<int64_t>;

class Uses {
public:
  Uses(const MapSet &maps, const Relation &read, uint64_t seed, UsesSeen &seen)
      : maps(maps), read(read), seen(seen), random(seed) {
    isStatic = maps.isExact();
    for (const OperandMap &m : maps)
      isStatic &= m.map.domain.runtimes.empty() && m.devices == 0;
  }

  std::string run() {
    if (maps.empty() || read.rows == 0 || read.columns == 0)
      return "";
    for (auto check : {&Uses::counts, &Uses::sectors, &Uses::boxes})
      if (std::string error = (this->*check)(); !error.empty())
        return error;
    return "";
  }

private:
  int64_t in(int64_t lower, int64_t upper) {
    return lower + int64_t(random() % uint64_t(upper - lower + 1));
  }
  Columns columnsOf(const std::vector<int64_t> &rows) const {
    Columns columns;
    for (int64_t row : rows)
      for (int64_t c = 0; c < read.columns; ++c)
        if (read.at(row, c))
          columns.insert(c);
    return columns;
  }
  std::vector<int64_t> allRows() const {
    std::vector<int64_t> rows;
    for (int64_t row = 0; row < read.rows; ++row)
      rows.push_back(row);
    return rows;
  }
  static std::string text(const char *what, int64_t said, int64_t counted) {
    return std::string(what) + ": " + std::to_string(said) + ", counted " +
           std::to_string(counted);
  }

  /// Distinct elements, and reads.
  std::string counts() {
    int64_t distinct = int64_t(columnsOf(allRows()).size());
    MapSet needed = withoutContained(maps);
    if (std::optional<int64_t> said = countUnion(needed, {}).exact()) {
      if (isStatic ? *said != distinct : *said < distinct)
        return text("distinct elements", *said, distinct);
      seen.counts += isStatic;
    }
    if (needed.size() == 1 && isStatic)
      if (std::optional<int64_t> said = countPairs(needed[0].map, {}).exact();
          said && *said != read.count())
        return text("reads", *said, read.count());
    return "";
  }

  /// One element for each lane: loads are rows in the order of the layout.
  std::string sectors() {
    if (!isStatic || maps.size() != 1 || !maps[0].map.domain.ranges.empty())
      return "";
    const Map &map = maps[0].map;
    access::Layout layout;
    layout.shape.assign(read.to.begin(), read.to.end());
    for (size_t i = read.to.size(); i-- > 0;)
      layout.minorToMajor.push_back(i);
    layout.bits = 32;
    llvm::SmallVector<int64_t> order;
    for (size_t i = read.from.size(); i-- > 0;)
      order.push_back(i);
    MemorySystem memory;
    memory.lanes = int64_t(1) << in(0, 3);
    memory.sectorBytes = 4 << in(0, 2);
    memory.lineBytes = 2 * memory.sectorBytes;
    access::LaneMapping lanes =
        access::lanesOf(*map.arena, read.from, order, memory.lanes, 1);
    auto traffic = access::trafficOf(lanes, map, layout, memory);
    std::map<int64_t, int64_t> sectors;
    for (int64_t first = 0; first < read.rows; first += memory.lanes) {
      Columns touched;
      for (int64_t row = first; row < std::min(read.rows, first + memory.lanes);
           ++row)
        for (int64_t c : columnsOf({row}))
          touched.insert(c * 4 / memory.sectorBytes);
      if (!touched.empty())
        ++sectors[int64_t(touched.size())];
    }
    if (traffic && traffic->grounds.exactness != Exactness::Exact)
      return "";
    ++seen.sectors;
    bool agree = traffic ? traffic->sectors == sectors : sectors.empty();
    return agree ? "" : "sectors of " + std::to_string(memory.lanes) + " lanes";
  }

  /// Tiles at each of their positions.
  std::string boxes() {
    if (!llvm::all_of(maps, [&](const OperandMap &m) {
          return m.map.numDims() == read.from.size() &&
                 m.map.domain.runtimes.empty() && m.devices == 0;
        }))
      return "";
    std::vector<TileDim> tile;
    for (int64_t size : read.from)
      tile.push_back({.size = in(1, size), .extent = size});
    std::vector<OperandTile> parts;
    for (const OperandMap &m : maps)
      if (!m.map.isKnownEmpty())
        parts.push_back(tiles::tileOf(m.map, tile));
    std::vector<int64_t> offsets(tile.size());
    int64_t computed = 0;
    do {
      bool isWhole;
      Columns wanted = columnsOf(rowsAt(tile, offsets, isWhole)), boxes;
      computed += int64_t(wanted.size());
      for (const OperandTile &part : parts) {
        Columns box = columnsIn(part, offsets);
        boxes.insert(box.begin(), box.end());
      }
      if (!std::includes(boxes.begin(), boxes.end(), wanted.begin(),
                         wanted.end()))
        return "a tile reads elements outside its boxes";
      bool isExact = isStatic && parts.size() == 1 && isWhole &&
                     parts[0].isBox.value && parts[0].mask.empty();
      if (isExact && boxes != wanted)
        return "a tile does not read its whole box";
      seen.boxes += isExact;
    } while (moveOn(offsets, tile));
    Verdict<double> said = tiles::recomputed(maps, tile);
    int64_t distinct = int64_t(columnsOf(allRows()).size());
    if (!isStatic || distinct == 0 || said.why.exactness == Exactness::Unknown)
      return "";
    ++seen.recomputations;
    if (std::abs(said.value * double(distinct) - double(computed)) > 1e-6)
      return text("recomputed elements", int64_t(said.value * distinct),
                  computed);
    return "";
  }

  std::vector<int64_t> rowsAt(const std::vector<TileDim> &tile,
                              const std::vector<int64_t> &offsets,
                              bool &isWhole) const {
    std::vector<int64_t> rows = {0};
    isWhole = true;
    for (size_t i = 0; i < tile.size(); ++i) {
      std::vector<int64_t> longer;
      for (int64_t row : rows)
        for (int64_t t = 0; t < tile[i].size; ++t)
          if (offsets[i] + t < read.from[i])
            longer.push_back(row * read.from[i] + offsets[i] + t);
          else
            isWhole = false;
      rows = std::move(longer);
    }
    return rows;
  }

  /// The elements of the box that exist.
  Columns columnsIn(const OperandTile &part,
                    const std::vector<int64_t> &offsets) {
    Arena &arena = *maps[0].map.arena;
    Domain names;
    for (size_t i = 0; i < offsets.size(); ++i)
      (void)names.addParameter(arena, "p" + std::to_string(i), {});
    if (part.boxElements == 0)
      return {};
    std::vector<int64_t> columns = {0};
    for (auto [i, dim] : llvm::enumerate(part.dims)) {
      ParseError error;
      std::optional<Expr> offset = parseExpr(arena, dim.offset, names, error);
      int64_t first =
          offset ? evaluate(arena, *offset, names, offsets).value_or(0) : 0;
      std::vector<int64_t> longer;
      for (int64_t column : columns)
        for (int64_t k = 0; k < read.to[i]; ++k)
          if ((k - first) % dim.stride == 0 && k >= first &&
              (k - first) / dim.stride < dim.size)
            longer.push_back(column * read.to[i] + k);
      columns = std::move(longer);
    }
    return {columns.begin(), columns.end()};
  }

  bool moveOn(std::vector<int64_t> &offsets,
              const std::vector<TileDim> &tile) const {
    for (size_t i = 0; i < tile.size(); ++i) {
      offsets[i] += tile[i].size;
      if (offsets[i] < read.from[i])
        return true;
      offsets[i] = 0;
    }
    return false;
  }

  const MapSet &maps;
  const Relation &read;
  UsesSeen &seen;
  std::mt19937_64 random;
  bool isStatic; ///< exact, without runtime variables
};

} // namespace

std::string differenceOfUses(const MapSet &maps, const Relation &read,
                             uint64_t seed, UsesSeen &seen) {
  return Uses(maps, read, seed, seen).run();
}

} // namespace mercator::testing
