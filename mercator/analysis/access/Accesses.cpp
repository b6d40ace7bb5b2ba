// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/access/Accesses.h"
#include "mercator/analysis/tiles/Tile.h"
#include "mercator/indexing/decide/CountRange.h"
#include "mercator/indexing/decide/Footprint.h"
#include "mercator/indexing/notation/Notation.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mercator::access;
using namespace mercator::indexing;

//===----------------------------------------------------------------------===//
// Utilization
//===----------------------------------------------------------------------===//

/// Closed forms, and small maps.
static constexpr Budget kCount{.steps = 1 << 12};

static Verdict<int64_t> verdictOf(const CountRange &range) {
  Verdict<int64_t> verdict;
  std::optional<int64_t> most = range.most.exact();
  if (!most) {
    llvm::raw_string_ostream(verdict.why.reason) << range.most;
    return verdict;
  }
  verdict.value = *most;
  verdict.why = {.exactness =
                     range.isExact() ? Exactness::Exact : Exactness::UpperBound,
                 .reason = range.reason};
  return verdict;
}

/// How often one element is read, on average: as often as tiles of one element
/// each compute it.
static Verdict<double> readsEachOf(const MapSet &maps,
                                   const ReadCounts &operand) {
  if (operand.read.isExact() && operand.pairs.isExact() &&
      operand.read.value > 0)
    return {double(operand.pairs.value) / double(operand.read.value),
            operand.pairs.why};
  for (const OperandMap &m : maps)
    if (!m.map.isKnownEmpty())
      return tiles::recomputed(maps,
                               std::vector<tiles::TileDim>(m.map.numDims()));
  return {};
}

ReadCounts access::readCountsOf(const MapSet &given) {
  ReadCounts counts;
  MapSet maps = withoutContained(given);
  counts.read = verdictOf(countElements(maps, kCount));
  counts.pairs = verdictOf(indexing::countReads(maps, kCount));
  // An element that is read is read once, or more.
  if (!counts.read.isExact() &&
      counts.pairs.why.exactness != Exactness::Unknown &&
      (counts.read.why.exactness == Exactness::Unknown ||
       counts.pairs.value < counts.read.value))
    counts.read = {
        counts.pairs.value,
        {.exactness = Exactness::UpperBound, .reason = "as many as are read"}};
  counts.readsEach = readsEachOf(maps, counts);
  return counts;
}

/// Distinct lines: the images of the maps to addresses, divided by the line.
static Verdict<int64_t> countLines(const MapSet &given, const Layout &layout,
                                   const Verdict<int64_t> &read,
                                   int64_t lineBytes) {
  int64_t all = layout.bytes() / lineBytes + (layout.bytes() % lineBytes != 0);
  bool isPadded = layout.bytes() != (layout.elements() * layout.bits + 7) / 8;
  if (read.isExact() && read.value == layout.elements() && !isPadded)
    return {all, read.why};
  MapSet lines;
  for (const OperandMap &m : withoutContained(given)) {
    if (m.map.isKnownEmpty())
      continue;
    OperandMap line{.map = m.map, .exact = m.exact, .reason = m.reason};
    line.map.results = {line.map.arena->floorDiv(
        layout.byteOf(*line.map.arena, line.map.results), lineBytes)};
    lines.insert(std::move(line));
  }
  constexpr Budget budget{.steps = 1 << 14};
  CountRange counted = countElements(lines, budget);
  bool isBounded = read.why.exactness != Exactness::Unknown;
  int64_t most = isBounded ? std::min(all, read.value) : all;
  if (std::optional<int64_t> value = counted.most.exact()) {
    // An element that straddles two lines counts as one.
    bool isExact = counted.isExact() &&
                   lineBytes % std::max<int64_t>(1, layout.bits / 8) == 0;
    if (isExact)
      return {*value, {.exactness = Exactness::Exact}};
    return {std::min(most, *value),
            {.exactness = Exactness::UpperBound, .reason = counted.reason}};
  }
  return {most,
          {.exactness = Exactness::UpperBound,
           .reason = "a line for each element, or all lines"}};
}

Verdict<int64_t> access::linesOf(const MapSet &maps, const Layout &layout,
                                 int64_t lineBytes) {
  return countLines(maps, layout, readCountsOf(maps).read, lineBytes);
}

//===----------------------------------------------------------------------===//
// Traffic
//===----------------------------------------------------------------------===//

/// Different for layouts that differ.
static std::string keyOf(const Layout &layout) {
  std::string key = "|" + std::to_string(layout.bits);
  for (int64_t x : layout.shape)
    key += "," + std::to_string(x);
  for (int64_t x : layout.minorToMajor)
    key += ";" + std::to_string(x);
  for (const Layout::Tile &tile : layout.tiles)
    for (int64_t x : tile)
      key += "T" + std::to_string(x);
  return key;
}

static std::string textOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (type)
    os << type;
  return text;
}

static std::string tuple(const Map &map) {
  std::vector<std::string> parts;
  for (Expr e : map.results)
    parts.push_back(toString(*map.arena, e, &map.domain));
  return "(" + llvm::join(parts, ", ") + ")";
}

std::optional<LaneMapping> Accesses::mappingOf(Arena &arena,
                                               const Layout &result,
                                               const Map &map,
                                               int64_t threads) const {
  if (!options.laneMap.empty()) {
    ParseError error;
    std::optional<Map> given = parseMap(arena, options.laneMap, error);
    if (!given || given->results.size() != map.numDims() ||
        given->numDims() < 2)
      return std::nullopt;
    auto size = [&](unsigned i) {
      return given->domain.dims[i].bounds.size().value_or(1);
    };
    return LaneMapping{*given, size(0), size(1)};
  }
  int64_t lanes =
      threads > 0 ? threads : options.lanes.value_or(options.memory.lanes);
  llvm::SmallVector<int64_t, 4> sizes(result.shape), order(result.minorToMajor);
  // The range variables of a reduction are dimensions here.
  for (size_t i = sizes.size(); i < map.numDims(); ++i) {
    sizes.push_back(map.domain.dims[i].bounds.size().value_or(1));
    order.insert(order.begin(), i);
  }
  if (options.laneDim && *options.laneDim < int64_t(sizes.size()))
    return lanesAlong(arena, sizes, *options.laneDim, lanes, options.vector);
  return lanesOf(arena, sizes, order, lanes, options.vector);
}

/// The map with a range variable as its last dimension, if that variable walks
/// the fastest dimension of the operand and no other does: the lanes then share
/// a row of a reduction.
static std::optional<std::pair<Map, std::string>>
alongReduction(const Map &map, const Layout &operand) {
  Arena &arena = *map.arena;
  if (map.domain.ranges.empty() || operand.minorToMajor.empty())
    return std::nullopt;
  Expr fastest = map.results[operand.minorToMajor.front()];
  if (arena.kind(fastest) != ExprKind::Variable ||
      arena.var(fastest).kind != VarKind::Range)
    return std::nullopt;
  uint32_t lane = arena.var(fastest).index;
  Variable range = map.domain.ranges[lane];
  if (range.bounds.lower != 0 || !range.bounds.size())
    return std::nullopt;
  std::string name = variableNames(arena, map.domain)[map.numDims() + lane];
  Map turned = map;
  Expr dim = turned.domain.addDim(arena, range.bounds);
  llvm::SmallVector<Expr, 4> ranges;
  for (uint32_t i = 0; i < map.domain.ranges.size(); ++i)
    ranges.push_back(i == lane ? dim : arena.range(i < lane ? i : i - 1));
  turned.domain.ranges.erase(turned.domain.ranges.begin() + lane);
  substitute(turned, {.dims = {}, .ranges = ranges, .runtimes = {}});
  return std::pair(std::move(turned), std::move(name));
}

/// The traffic of an over-approximation is an upper bound.
static void limit(std::optional<Traffic> &traffic, const OperandMap &m) {
  if (!traffic || m.exact)
    return;
  for (Exactness *e :
       {&traffic->loadsAre, &traffic->usedAre, &traffic->fetchedAre})
    if (*e == Exactness::Exact)
      *e = Exactness::UpperBound;
  if (traffic->grounds.exactness == Exactness::Exact)
    traffic->grounds.exactness = Exactness::Sampled;
}

MemoryAccess Accesses::of(const AccessedResult &from, const OperandMap &m,
                          const Layout &operand, int64_t mostTogether) {
  const Layout &result = from.layout;
  MemoryAccess access{.by = tuple(m.map), .isExact = m.exact};
  if (m.map.isKnownEmpty() || result.elements() == 0)
    return access;
  if (m.devices != 0) {
    access.unknown = "it is read from other devices";
    return access;
  }
  if (m.map.numDims() != result.shape.size()) {
    access.unknown = "the map has other dimensions than the result";
    return access;
  }
  Map map = m.map;
  bool isReduction =
      from.isReduction || result.elements() <= operand.elements() / 8;
  if (isReduction && options.sharesRows && !options.laneDim &&
      options.laneMap.empty())
    if (auto turned = alongReduction(m.map, operand))
      std::tie(map, access.lanesAlong) = *turned;
  std::optional<LaneMapping> lanes = mappingOf(*map.arena, result, map, 0);
  if (!lanes) {
    access.unknown = "the lane mapping has another rank than the result";
    return access;
  }
  lanes->mostTogether = mostTogether;
  std::string key = indexing::toString(map) + textOf(from.type) +
                    keyOf(operand) + "|" + std::to_string(mostTogether);
  access.traffic = trafficOf(*lanes, map, key, operand);
  if (access.traffic &&
      access.traffic->grounds.exactness == Exactness::Unknown) {
    access.unknown = access.traffic->grounds.reason;
    access.traffic.reset();
  }
  if (options.block && options.laneMap.empty() && access.traffic)
    if (auto block = mappingOf(*map.arena, result, map, *options.block)) {
      block->mostTogether = mostTogether;
      access.block = trafficOf(*block, map, key + "block", operand);
    }
  limit(access.traffic, m);
  limit(access.block, m);
  if (options.warp)
    access.addresses = addressesOf(*lanes, map, operand, *options.warp);
  return access;
}

std::optional<Traffic> Accesses::trafficOf(const LaneMapping &lanes,
                                           const Map &map,
                                           const std::string &key,
                                           const Layout &operand) {
  auto [it, isNew] = known.try_emplace(key);
  if (isNew)
    it->second = access::trafficOf(lanes, map, operand, options.memory);
  return it->second;
}

TensorAccess Accesses::of(const MapSet &maps, mlir::Type type,
                          const AccessedResult &result) {
  TensorAccess access{readCountsOf(maps)};
  std::optional<Layout> layout = Layout::of(type);
  if (layout) {
    access.elements = layout->elements();
    access.bytes = std::max<int64_t>(1, layout->bits / 8);
    access.lines =
        countLines(maps, *layout, access.read, options.memory.lineBytes);
  }
  for (const OperandMap &m : maps) {
    if (layout)
      access.accesses.push_back(of(result, m, *layout));
    else
      access.accesses.push_back({.by = tuple(m.map),
                                 .isExact = m.exact,
                                 .unknown = "its extents are not known"});
  }
  return access;
}

MemoryAccess Accesses::ofStore(Arena &arena, const AccessedResult &result) {
  Map identity = Map::identity(arena, result.layout.shape);
  return of(result, {identity, true}, result.layout, result.mostTogether);
}
