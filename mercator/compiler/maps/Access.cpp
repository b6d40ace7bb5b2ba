// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/maps/Access.h"

#include "mercator/analysis/tiles/Tile.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/maps/VerdictJson.h"
#include "mercator/indexing/decide/CountRange.h"
#include "mercator/indexing/decide/Footprint.h"
#include "mercator/indexing/notation/Notation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mercator;
using namespace mercator::access;
using namespace mercator::indexing;

bool mercator::readLaneMap(const SourceBuffer &text, AccessQuery &query,
                           DiagnosticEngine &diagnostics) {
  Arena arena;
  ParseError error;
  std::optional<Map> map = parseMap(arena, text.getText(), error);
  if (!map) {
    report(error, text, diagnostics);
    return false;
  }
  auto isSmall = [&](unsigned i, int64_t most) {
    Interval bounds = map->domain.dims[i].bounds;
    std::optional<int64_t> size = bounds.size();
    return size && bounds.lower == 0 && *size >= 1 && *size <= most;
  };
  if (map->numDims() >= 2 && isSmall(0, 1024) && isSmall(1, 64) &&
      map->domain.ranges.empty() && map->domain.runtimes.empty()) {
    query.laneMap = text.getText().str();
    query.lanes = *map->domain.dims[0].bounds.size();
    query.vector = *map->domain.dims[1].bounds.size();
    return true;
  }
  (void)diagnostics.error({&text, 0, text.getText().size()},
                          "expected a map of dimensions only: at most 1024 "
                          "lanes, at most 64 elements of each, then loads");
  diagnostics.help("(lane, element, i) -> (i, lane + element), domain: "
                   "lane in [0, 31], element in [0, 0], i in [0, 63]");
  return false;
}

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
                                   const OperandAccess &operand) {
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

static void countReads(const MapSet &given, OperandAccess &operand) {
  MapSet maps = withoutContained(given);
  operand.read = verdictOf(countElements(maps, kCount));
  operand.pairs = verdictOf(indexing::countReads(maps, kCount));
  // An element that is read is read once, or more.
  if (!operand.read.isExact() &&
      operand.pairs.why.exactness != Exactness::Unknown &&
      (operand.read.why.exactness == Exactness::Unknown ||
       operand.pairs.value < operand.read.value))
    operand.read = {
        operand.pairs.value,
        {.exactness = Exactness::UpperBound, .reason = "as many as are read"}};
  operand.readsEach = readsEachOf(maps, operand);
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

namespace {
class Accesses {
public:
  explicit Accesses(const AccessQuery &query) : query(query) {}

  InstructionAccess of(const MapRecord &record);

private:
  OperandAccess of(const MapRecord &record, const MapTarget &target,
                   const Layout &result);
  Verdict<int64_t> linesOf(const MapSet &maps, const Layout &layout,
                           const Verdict<int64_t> &read);
  std::optional<Traffic> trafficOf(const LaneMapping &lanes, const Map &map,
                                   const std::string &key,
                                   const Layout &operand);
  MemoryAccess of(const MapRecord &record, const OperandMap &m,
                  const Layout &result, const Layout &operand);
  /// `threads` instead of the lanes of a warp, if it is not 0. None if the given
  /// mapping has another rank than the result.
  std::optional<LaneMapping> mappingOf(Arena &arena, const Layout &result,
                                       const Map &map, int64_t threads) const;

  const AccessQuery &query;
  /// Layers of a model repeat the same maps.
  llvm::StringMap<std::optional<Traffic>> known;
  llvm::StringMap<Verdict<int64_t>> knownLines;
};
} // namespace

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
  if (!query.laneMap.empty()) {
    ParseError error;
    std::optional<Map> given = parseMap(arena, query.laneMap, error);
    if (!given || given->results.size() != map.numDims() ||
        given->numDims() < 2)
      return std::nullopt;
    auto size = [&](unsigned i) {
      return given->domain.dims[i].bounds.size().value_or(1);
    };
    return LaneMapping{*given, size(0), size(1)};
  }
  int64_t lanes =
      threads > 0 ? threads : query.lanes.value_or(query.memory.lanes);
  llvm::SmallVector<int64_t, 4> sizes(result.shape), order(result.minorToMajor);
  // The range variables of a reduction are dimensions here.
  for (size_t i = sizes.size(); i < map.numDims(); ++i) {
    sizes.push_back(map.domain.dims[i].bounds.size().value_or(1));
    order.insert(order.begin(), i);
  }
  if (query.laneDim && *query.laneDim < int64_t(sizes.size()))
    return lanesAlong(arena, sizes, *query.laneDim, lanes, query.vector);
  return lanesOf(arena, sizes, order, lanes, query.vector);
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

MemoryAccess Accesses::of(const MapRecord &record, const OperandMap &m,
                          const Layout &result, const Layout &operand) {
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
  bool isReduction = llvm::StringRef(record.operation).contains("reduce") ||
                     result.elements() <= operand.elements() / 8;
  if (isReduction && !query.laneDim && query.laneMap.empty())
    if (auto turned = alongReduction(m.map, operand))
      std::tie(map, access.lanesAlong) = *turned;
  std::optional<LaneMapping> lanes = mappingOf(*map.arena, result, map, 0);
  if (!lanes) {
    access.unknown = "the lane mapping has another rank than the result";
    return access;
  }
  std::string key =
      indexing::toString(map) + textOf(record.type) + keyOf(operand);
  access.traffic = trafficOf(*lanes, map, key, operand);
  if (access.traffic &&
      access.traffic->grounds.exactness == Exactness::Unknown) {
    access.unknown = access.traffic->grounds.reason;
    access.traffic.reset();
  }
  if (query.block && query.laneMap.empty() && access.traffic)
    if (auto block = mappingOf(*map.arena, result, map, *query.block))
      access.block = trafficOf(*block, map, key + "block", operand);
  limit(access.traffic, m);
  limit(access.block, m);
  if (query.warp)
    access.addresses = addressesOf(*lanes, map, operand, *query.warp);
  return access;
}

std::optional<Traffic> Accesses::trafficOf(const LaneMapping &lanes,
                                           const Map &map,
                                           const std::string &key,
                                           const Layout &operand) {
  auto [it, isNew] = known.try_emplace(key);
  if (isNew)
    it->second = access::trafficOf(lanes, map, operand, query.memory);
  return it->second;
}

Verdict<int64_t> Accesses::linesOf(const MapSet &maps, const Layout &layout,
                                   const Verdict<int64_t> &read) {
  std::string key = keyOf(layout);
  for (const OperandMap &m : maps)
    key += indexing::toString(m.map);
  auto [it, isNew] = knownLines.try_emplace(key);
  if (isNew)
    it->second = countLines(maps, layout, read, query.memory.lineBytes);
  return it->second;
}

static ProducerAccess producerOf(const MapTarget &target) {
  ProducerAccess producer{.name = target.name,
                          .type = textOf(target.type),
                          .operation = target.operation};
  if (target.element)
    producer.name += "{" + std::to_string(*target.element) + "}";
  OperandAccess counted;
  countReads(target.maps, counted);
  producer.read = counted.read;
  producer.recomputed = counted.readsEach;
  return producer;
}

OperandAccess Accesses::of(const MapRecord &record, const MapTarget &target,
                           const Layout &result) {
  OperandAccess operand{.name = target.name, .type = textOf(target.type)};
  if (target.element)
    operand.name += "{" + std::to_string(*target.element) + "}";
  if (target.isRepeated)
    operand.name += " (" + std::to_string(target.number) + ")";
  countReads(target.maps, operand);
  std::optional<Layout> layout = Layout::of(target.type);
  if (layout) {
    operand.elements = layout->elements();
    operand.bytes = std::max<int64_t>(1, layout->bits / 8);
    operand.lines =
        countLines(target.maps, *layout, operand.read, query.memory.lineBytes);
  }
  for (const OperandMap &m : target.maps) {
    if (layout)
      operand.accesses.push_back(of(record, m, result, *layout));
    else
      operand.accesses.push_back({.by = tuple(m.map),
                                  .isExact = m.exact,
                                  .unknown = "its extents are not known"});
  }
  return operand;
}

InstructionAccess Accesses::of(const MapRecord &record) {
  InstructionAccess access{.computation = record.computation,
                           .name = record.instruction,
                           .operation = record.operation,
                           .at = record.at,
                           .origin = record.origin,
                           .type = textOf(record.type),
                           .movesOwnBytes = record.movesOwnBytes};
  if (std::string own = record.resultName(record.from); !own.empty())
    access.name = own;
  else if (record.hasSeveralResults)
    access.name += ", result " + std::to_string(record.from);
  std::optional<Layout> result = Layout::of(record.type);
  if (!result) {
    access.store.unknown = "its extents are not known";
    result = Layout{.shape = {}, .minorToMajor = {}};
  } else if (result->elements() > 0) {
    Map identity = Map::identity(*record.arena, result->shape);
    access.store = of(record, {identity, true}, *result, *result);
  }
  for (const MapTarget &target : record.to)
    access.operands.push_back(of(record, target, *result));
  for (const MapTarget &target : record.producers)
    access.producers.push_back(producerOf(target));
  return access;
}

ExitCode
Compilation::access(const AccessQuery &query,
                    llvm::function_ref<void(const InstructionAccess &)> f) {
  Accesses accesses(query);
  MapQuery maps = query.maps;
  maps.directions = MapQuery::Directions::outToIn;
  maps.producers = true;
  return map(maps, [&](const MapRecord &record) { f(accesses.of(record)); });
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void write(const Traffic &traffic, llvm::json::OStream &json) {
  json.attribute("loads", traffic.loads);
  if (traffic.laneStride)
    json.attribute("lane_stride", *traffic.laneStride);
  for (auto [key, counts] : {std::pair("sectors", &traffic.sectors),
                             std::pair("lines", &traffic.lines)})
    json.attributeArray(key, [&] {
      for (auto [count, loads] : *counts)
        json.object([&] {
          json.attribute("count", count);
          json.attribute("loads", loads);
        });
    });
  json.attribute("needed_sectors", traffic.neededSectors);
  json.attribute("used_bytes", traffic.usedBytes);
  json.attribute("fetched_bytes", traffic.fetchedBytes);
  json.attributeObject("exactness", [&] {
    json.attribute("loads", nameOf(traffic.loadsAre));
    json.attribute("used_bytes", nameOf(traffic.usedAre));
    json.attribute("fetched_bytes", nameOf(traffic.fetchedAre));
  });
  writeVerdict("traffic_factor",
               Verdict<double>{traffic.factor(), traffic.grounds}, json);
  if (const std::optional<StagedTile> &tile = traffic.staged)
    json.attributeObject("staged_tile", [&] {
      json.attribute("side", tile->side);
      json.attribute("bank_passes", tile->passes);
      json.attribute("padding", tile->padding);
      json.attribute("padded_bank_passes", tile->paddedPasses);
    });
}

static void write(const MemoryAccess &access, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("by", access.by);
    json.attribute("exact", access.isExact);
    if (!access.lanesAlong.empty())
      json.attribute("lanes_along", access.lanesAlong);
    if (!access.unknown.empty())
      json.attribute("unknown", access.unknown);
    if (access.traffic)
      write(*access.traffic, json);
    if (access.block)
      json.attributeObject("block", [&] { write(*access.block, json); });
    if (!access.addresses.empty())
      json.attributeArray("addresses", [&] {
        for (std::optional<int64_t> address : access.addresses)
          address ? json.value(*address) : json.value(nullptr);
      });
  });
}

static void write(const OperandAccess &operand, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("name", operand.name);
    json.attribute("type", operand.type);
    if (operand.elements)
      json.attribute("elements", *operand.elements);
    writeVerdict("read", operand.read, json);
    writeVerdict("pairs", operand.pairs, json);
    writeVerdict("lines", operand.lines, json);
    json.attributeArray("accesses", [&] {
      for (const MemoryAccess &access : operand.accesses)
        write(access, json);
    });
  });
}

AccessJson::AccessJson(llvm::raw_ostream &os, llvm::StringRef module,
                       const MemorySystem &memory)
    : os(os) {
  os << R"({"schema":"mercator.access/1","module":)";
  llvm::json::OStream(os).value(module);
  os << R"(,"device":)";
  llvm::json::OStream(os).value(memory.name);
  os << R"(,"instructions":[)";
}

void AccessJson::write(const InstructionAccess &instruction) {
  os << (isEmpty ? "\n  " : ",\n  ");
  isEmpty = false;
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("computation", instruction.computation);
    json.attribute("instruction", instruction.name);
    for (auto [key, text] : {std::pair("operation", &instruction.operation),
                             {"at", &instruction.at},
                             {"origin", &instruction.origin}})
      if (!text->empty())
        json.attribute(key, *text);
    json.attribute("type", instruction.type);
    json.attributeArray("operands", [&] {
      for (const OperandAccess &operand : instruction.operands)
        ::write(operand, json);
    });
    json.attributeArray("producers", [&] {
      for (const ProducerAccess &producer : instruction.producers)
        json.object([&] {
          json.attribute("name", producer.name);
          json.attribute("type", producer.type);
          json.attribute("operation", producer.operation);
          writeVerdict("read", producer.read, json);
          writeVerdict("recomputed", producer.recomputed, json);
        });
    });
    json.attributeBegin("store");
    ::write(instruction.store, json);
    json.attributeEnd();
  });
}

void AccessJson::finish() { os << (isEmpty ? "]}\n" : "\n]}\n"); }
