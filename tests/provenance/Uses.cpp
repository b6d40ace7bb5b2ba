// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Uses.h"

#include "mercator/analysis/access/Lanes.h"
#include "mercator/analysis/tiles/Tile.h"
#include "mercator/indexing/decide/CountRange.h"
#include "mercator/indexing/decide/Footprint.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/notation/Notation.h"

#include <random>
#include <set>

namespace mercator::testing {

using namespace indexing;
using tiles::OperandTile;
using tiles::TileDim;

using Columns = std::set<int64_t>;

struct Uses::Answers {
  Answers(MapSet given, const Numbers &from, const Numbers &to, uint64_t seed);

  MapSet maps;
  bool isEmpty;         ///< a tensor or the set has no elements
  bool isExact = true;  ///< all maps give what is read
  bool isStatic = true; ///< no map has runtime variables
  std::vector<std::pair<const char *, CountRange>> counts;
  std::optional<Device> memory; ///< none: no sectors are checked
  std::optional<access::Traffic> traffic;
  std::optional<std::vector<TileDim>> tile;
  bool isAtPlace = false;
  std::vector<OperandTile> parts;
  Verdict<double> recomputed;
};

Uses::Answers::Answers(MapSet given, const Numbers &from, const Numbers &to,
                       uint64_t seed)
    : maps(std::move(given)) {
  std::mt19937_64 random(seed);
  auto in = [&](int64_t lower, int64_t upper) {
    return lower + int64_t(random() % uint64_t(upper - lower + 1));
  };
  Relation sizes(from, to);
  isEmpty = maps.empty() || sizes.rows == 0 || sizes.columns == 0;
  if (isEmpty)
    return;
  bool hasRank = true;
  for (const OperandMap &m : maps) {
    isExact &= m.exact && m.devices == 0;
    isStatic &= m.map.domain.runtimes.empty();
    hasRank &= m.map.numDims() == from.size() && m.devices == 0;
  }
  MapSet needed = withoutContained(maps);
  counts = {{"distinct elements", countElements(needed)},
            {"reads", countReads(needed)}};
  // One element for each lane: loads are rows in the order of the layout.
  if (maps.size() == 1 && hasRank && maps[0].map.domain.ranges.empty()) {
    access::Layout layout;
    layout.shape.assign(to.begin(), to.end());
    for (size_t i = to.size(); i-- > 0;)
      layout.minorToMajor.push_back(i);
    layout.bits = 32;
    llvm::SmallVector<int64_t> order;
    for (size_t i = from.size(); i-- > 0;)
      order.push_back(i);
    memory.emplace();
    memory->lanes = int64_t(1) << in(0, 3);
    memory->sectorBytes = 4 << in(0, 2);
    memory->lineBytes = 2 * memory->sectorBytes;
    const Map &map = maps[0].map;
    access::LaneMapping lanes =
        access::lanesOf(*map.arena, from, order, memory->lanes, 1);
    traffic = access::trafficOf(lanes, map, layout, *memory);
  }
  if (!hasRank)
    return;
  tile.emplace();
  isAtPlace = in(0, 3) == 0;
  for (int64_t size : from) {
    TileDim dim{.size = in(1, size), .extent = size};
    if (isAtPlace && in(0, 1) == 0 && size > 1) { // every second one
      dim.size = (size + 1) / 2;
      dim.stride = 2;
    }
    if (isAtPlace)
      dim.offset = in(0, size - 1 - (dim.size - 1) * dim.stride);
    tile->push_back(dim);
  }
  for (const OperandMap &m : maps)
    if (!m.map.isKnownEmpty())
      parts.push_back(tiles::tileOf(m.map, *tile));
  if (!isAtPlace)
    recomputed = tiles::recomputed(maps, *tile);
}

namespace {
/// The answers beside one run.
template <typename Answers> class Checks {
public:
  Checks(const Answers &answers, const Relation &read, UsesSeen &seen)
      : answers(answers), maps(answers.maps), read(read), seen(seen),
        isExact(answers.isExact), isStatic(answers.isStatic) {}

  std::string run() {
    if (answers.isEmpty)
      return "";
    for (auto check : {&Checks::counts, &Checks::sectors, &Checks::boxes})
      if (std::string error = (this->*check)(); !error.empty())
        return error;
    return "";
  }

private:
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

  /// Compares an answer with the number that was counted. `isBound` for the
  /// answer of a map that may give more than is read.
  std::string compare(const char *what, const Grounds &why, double said,
                      double counted, int64_t &exact, bool isBound = false) {
    bool agrees = true;
    if (why.exactness == Exactness::Exact && !isBound) {
      agrees = std::abs(said - counted) < 1e-6 * std::max(1.0, counted);
      ++exact;
      seen.runtimeCounts += !isStatic;
    } else if (why.exactness == Exactness::UpperBound || isBound) {
      agrees = said >= counted - 1e-6;
      ++seen.bounds;
    }
    return agrees ? ""
                  : std::string(what) + ": " + std::to_string(said) + " " +
                        nameOf(why.exactness).str() + ", counted " +
                        std::to_string(counted);
  }
  std::string compare(const char *what, const CountRange &said,
                      int64_t counted) {
    seen.counts += said.isExact();
    seen.runtimeCounts += said.isExact() && !isStatic;
    seen.bounds += !said.isExact();
    if (said.least <= counted && said.most.exact().value_or(counted) >= counted)
      return "";
    return text(what, said.most.value, counted) + ", at least " +
           std::to_string(said.least);
  }

  /// Distinct elements, and reads.
  std::string counts() {
    int64_t distinct = int64_t(columnsOf(allRows()).size());
    for (auto [counted, answer] :
         llvm::zip(std::array{distinct, read.count()}, answers.counts))
      if (std::string error = compare(answer.first, answer.second, counted);
          !error.empty())
        return error;
    return "";
  }

  std::string sectors() {
    if (!answers.memory)
      return "";
    const Device &memory = *answers.memory;
    const std::optional<access::Traffic> &traffic = answers.traffic;
    std::map<int64_t, int64_t> sectors;
    int64_t loads = 0, used = 0, fetched = 0;
    for (int64_t first = 0; first < read.rows; first += memory.lanes) {
      Columns touched, elements;
      for (int64_t row = first; row < std::min(read.rows, first + memory.lanes);
           ++row)
        for (int64_t c : columnsOf({row})) {
          touched.insert(c * 4 / memory.sectorBytes);
          elements.insert(c);
        }
      if (touched.empty())
        continue;
      ++sectors[int64_t(touched.size())];
      ++loads;
      used += 4 * int64_t(elements.size());
      fetched += memory.sectorBytes * int64_t(touched.size());
    }
    if (!traffic)
      return loads == 0 || !isExact ? "" : "no traffic";
    for (auto [what, exactness, said, counted] :
         {std::tuple("loads", traffic->loadsAre, traffic->loads, loads),
          std::tuple("used bytes", traffic->usedAre, traffic->usedBytes, used),
          std::tuple("fetched bytes", traffic->fetchedAre,
                     traffic->fetchedBytes, fetched)})
      if (std::string error =
              compare(what, {.exactness = exactness}, double(said),
                      double(counted), seen.sectors, !isExact);
          !error.empty())
        return error;
    bool isSame = traffic->fetchedAre != Exactness::Exact || !isExact ||
                  traffic->sectors == sectors;
    return isSame ? ""
                  : "sectors of " + std::to_string(memory.lanes) + " lanes";
  }

  /// Tiles at each of their positions, or at one place.
  std::string boxes() {
    if (!answers.tile)
      return "";
    const std::vector<TileDim> &tile = *answers.tile;
    const std::vector<OperandTile> &parts = answers.parts;
    bool isAtPlace = answers.isAtPlace;
    std::vector<int64_t> offsets;
    for (const TileDim &dim : tile)
      offsets.push_back(dim.offset.value_or(0));
    int64_t computed = 0, mostElements = 0, mostReads = 0;
    do {
      bool isWhole;
      std::vector<int64_t> rows = rowsAt(tile, offsets, isWhole);
      Columns wanted = columnsOf(rows);
      computed += int64_t(wanted.size());
      mostElements = std::max(mostElements, int64_t(wanted.size()));
      int64_t reads = 0;
      for (int64_t row : rows)
        reads += int64_t(columnsOf({row}).size());
      mostReads = std::max(mostReads, reads);
      Columns boxes;
      if (!contained(parts, offsets, wanted, boxes))
        return "a tile reads elements outside its boxes";
      bool fills = isExact && isStatic && parts.size() == 1 && isWhole &&
                   parts[0].isBox.value && parts[0].mask.empty();
      if (fills && boxes != wanted)
        return "a tile does not read its whole box";
      if (isExact && isAtPlace && parts.size() == 1 && parts[0].isBox.value &&
          parts[0].mask.empty() &&
          int64_t(wanted.size()) != parts[0].boxElements)
        return "a tile does not read its whole box";
      seen.boxes += fills;
    } while (!isAtPlace && moveOn(offsets, tile));
    if (parts.size() == 1)
      for (auto [what, said, counted] :
           {std::tuple("elements of a tile", &parts[0].elements, mostElements),
            std::tuple("reads of a tile", &parts[0].reads, mostReads)})
        if (std::string error = compare(what, said->why, double(said->value),
                                        double(counted), seen.tiles, !isExact);
            !error.empty())
          return error;
    for (const OperandTile &part : parts)
      if (parts.size() == 1 && part.heldElements() < mostElements)
        return text("elements held", part.heldElements(), mostElements);
    if (isAtPlace)
      return "";
    const Verdict<double> &said = answers.recomputed;
    int64_t distinct = int64_t(columnsOf(allRows()).size());
    if (distinct == 0)
      return "";
    return compare("recomputed", said.why, said.value,
                   double(computed) / double(distinct), seen.recomputations);
  }

  /// True if the boxes contain the elements, for some values of the runtime
  /// variables in their offsets.
  bool contained(const std::vector<OperandTile> &parts,
                 const std::vector<int64_t> &offsets, const Columns &wanted,
                 Columns &boxes) {
    constexpr size_t kMostValues = 4;
    size_t values = 0;
    for (const OperandTile &part : parts)
      for (const tiles::BoxDim &dim : part.dims)
        for (size_t i = 0; i < kMostValues; ++i)
          if (dim.offset.find("rt" + std::to_string(i)) != std::string::npos)
            values = std::max(values, i + 1);
    Interval bounds{0, 0}; // of all runtime variables
    for (const OperandMap &m : maps)
      for (const RuntimeVariable &v : m.map.domain.runtimes)
        bounds = {std::min(bounds.lower, v.bounds.lower),
                  std::max(bounds.upper, v.bounds.upper)};
    size_t each = values; // of every part
    values *= parts.size();
    std::vector<int64_t> chosen(values, bounds.lower);
    int64_t tried = 0;
    do {
      boxes.clear();
      for (auto [i, part] : llvm::enumerate(parts)) {
        std::vector<int64_t> point(chosen.begin() + i * each,
                                   chosen.begin() + (i + 1) * each);
        point.resize(kMostValues);
        llvm::append_range(point, offsets);
        Columns box = columnsIn(part, point, kMostValues);
        boxes.insert(box.begin(), box.end());
      }
      if (std::includes(boxes.begin(), boxes.end(), wanted.begin(),
                        wanted.end()))
        return true;
      size_t i = 0;
      for (; i < values && ++chosen[i] > bounds.upper; ++i)
        chosen[i] = bounds.lower;
      if (i == values)
        return false;
    } while (++tried < 4096);
    return true; // too many to be tried
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
          if (int64_t k = offsets[i] + t * tile[i].stride; k < read.from[i])
            longer.push_back(row * read.from[i] + k);
          else
            isWhole = false;
      rows = std::move(longer);
    }
    return rows;
  }

  /// The elements of the box that exist, for values of the runtime variables,
  /// then of the parameters.
  Columns columnsIn(const OperandTile &part, const std::vector<int64_t> &point,
                    size_t runtimes) {
    Arena &arena = *maps[0].map.arena;
    Domain names;
    for (size_t i = 0; i < runtimes; ++i)
      (void)names.addRuntime(arena, {});
    for (size_t i = 0; i < point.size() - runtimes; ++i)
      (void)names.addParameter(arena, "p" + std::to_string(i), {});
    if (part.boxElements == 0)
      return {};
    std::vector<int64_t> columns = {0};
    for (auto [i, dim] : llvm::enumerate(part.dims)) {
      ParseError error;
      std::optional<Expr> offset = parseExpr(arena, dim.offset, names, error);
      int64_t first =
          offset ? evaluate(arena, *offset, names, point).value_or(0) : 0;
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

  const Answers &answers;
  const MapSet &maps;
  const Relation &read;
  UsesSeen &seen;
  bool isExact, isStatic;
};
} // namespace

Uses::Uses(MapSet maps, Numbers from, Numbers to, uint64_t seed)
    : answers(std::make_unique<Answers>(std::move(maps), from, to, seed)) {}
Uses::~Uses() = default;
Uses::Uses(Uses &&) noexcept = default;

std::string Uses::differenceFrom(const Relation &read, UsesSeen &seen) {
  return Checks<Answers>(*answers, read, seen).run();
}

} // namespace mercator::testing
