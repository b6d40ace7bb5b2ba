// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/maps/Tile.h"

#include "mercator/analysis/access/Layout.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/maps/VerdictJson.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/support/Saturating.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::tiles;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

namespace {
class PartParser {
public:
  PartParser(const SourceBuffer &source, DiagnosticEngine &diagnostics)
      : source(source), text(source.getText()), diagnostics(diagnostics) {}

  std::optional<TensorPart> parse() {
    TensorPart part;
    size_t open = text.rfind('[');
    part.name = text.take_front(std::min(open, text.size())).trim().str();
    if (part.name.empty())
      return fail(0, "expected the name of an instruction");
    at = open;
    if (open == StringRef::npos)
      return part;
    ++at;
    part.hasBrackets = true;
    if (!consume(']')) { // `[]` is the element of a scalar
      do {
        TensorPart::Range &range = part.ranges.emplace_back();
        if (!parseRange(range))
          return std::nullopt;
      } while (consume(','));
      if (!consume(']'))
        return fail(at, "expected ',' or ']'");
    }
    skip();
    if (at != text.size())
      return fail(at, "expected the end after ']'");
    return part;
  }

private:
  std::nullopt_t fail(size_t where, const char *message) {
    (void)diagnostics.error({&source, where, std::min(where + 1, text.size())},
                            message);
    diagnostics.help("a part of a tensor looks like '%35[0:16, :, 3]'");
    return std::nullopt;
  }
  void skip() {
    while (at < text.size() && text[at] == ' ')
      ++at;
  }
  bool consume(char c) {
    skip();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  std::optional<int64_t> number() {
    skip();
    StringRef digits =
        text.substr(at).take_while([](char c) { return llvm::isDigit(c); });
    int64_t value;
    if (digits.empty() || digits.getAsInteger(10, value))
      return std::nullopt;
    at += digits.size();
    return value;
  }
  bool parseRange(TensorPart::Range &range) {
    size_t begin = at;
    range.begin = number();
    if (!consume(':')) {
      if (!range.begin) {
        fail(begin, "expected an index or a range");
        return false;
      }
      range.end = *range.begin + 1;
      return true;
    }
    range.end = number();
    if (consume(':')) {
      std::optional<int64_t> step = number();
      if (!step || *step < 1) {
        fail(at, "expected a step of at least 1");
        return false;
      }
      range.step = *step;
    }
    if (range.begin && range.end && *range.begin >= *range.end) {
      fail(begin, "expected a range that begins before its end");
      return false;
    }
    return true;
  }

  const SourceBuffer &source;
  StringRef text;
  DiagnosticEngine &diagnostics;
  size_t at = 0;
};
} // namespace

std::optional<TensorPart>
mercator::parseTensorPart(const SourceBuffer &text,
                          DiagnosticEngine &diagnostics) {
  return PartParser(text, diagnostics).parse();
}

/// The part as a tile of the result; none after an error.
static std::optional<std::vector<TileDim>>
tileOf(const TensorPart &part, llvm::ArrayRef<int64_t> sizes,
       DiagnosticEngine &diagnostics) {
  std::vector<TileDim> dims;
  if (part.hasBrackets && part.ranges.size() != sizes.size()) {
    (void)diagnostics.error({}, "expected " + std::to_string(sizes.size()) +
                                    " ranges for " + quote(part.name) +
                                    ", got " +
                                    std::to_string(part.ranges.size()));
    return std::nullopt;
  }
  for (auto [i, size] : llvm::enumerate(sizes)) {
    TensorPart::Range range =
        part.hasBrackets ? part.ranges[i] : TensorPart::Range();
    int64_t begin = range.begin.value_or(0), end = range.end.value_or(size);
    if (begin >= end || end > size) {
      (void)diagnostics.error(
          {}, "expected a range within 0:" + std::to_string(size) +
                  " for dimension " + std::to_string(i) + " of " +
                  quote(part.name) + ", got " + std::to_string(begin) + ":" +
                  std::to_string(end));
      return std::nullopt;
    }
    dims.push_back({.offset = begin,
                    .size = (end - begin + range.step - 1) / range.step,
                    .stride = range.step});
  }
  return dims;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static std::string typeText(mlir::Type type) {
  std::string text;
  if (type)
    llvm::raw_string_ostream(text) << type;
  return text;
}

static std::optional<int64_t> elementBytes(mlir::Type type) {
  auto layout = access::Layout::of(type);
  if (!layout)
    return std::nullopt;
  return std::max<int64_t>(1, layout->bits / 8);
}

/// Bytes of the lines that hold a box: whole lines along the fastest dimension.
static int64_t fetchedBytes(mlir::Type type, llvm::ArrayRef<int64_t> extents,
                            const MemorySystem &memory) {
  auto layout = access::Layout::of(type);
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

/// Elements that two boxes at numbers share.
static int64_t sharedElements(const OperandTile &a, const OperandTile &b) {
  int64_t shared = 1;
  for (auto [x, y] : llvm::zip(a.dims, b.dims)) {
    int64_t from, to;
    if (StringRef(x.offset).getAsInteger(10, from) ||
        StringRef(y.offset).getAsInteger(10, to) || x.stride != y.stride ||
        (to - from) % x.stride != 0)
      return 0;
    int64_t moved = std::abs(to - from) / x.stride;
    shared = saturatingMul(shared, std::max<int64_t>(0, x.size - moved));
  }
  return shared;
}

/// The overlap with the next tile along each dimension.
static std::vector<int64_t> sharedWithNext(const Map &map,
                                           llvm::ArrayRef<TileDim> dims) {
  std::vector<TileDim> here(dims.begin(), dims.end());
  for (TileDim &dim : here)
    dim.offset = 0;
  OperandTile own = tiles::boxOf(map, here);
  if (own.places > 1) // which elements the places share is not known
    return std::vector<int64_t>(dims.size(), 0);
  std::vector<int64_t> shared;
  for (auto [i, dim] : llvm::enumerate(map.domain.dims)) {
    std::vector<TileDim> next = here;
    next[i].offset = next[i].size;
    bool exists = !dim.bounds.hasUpper() || next[i].size <= dim.bounds.upper;
    shared.push_back(exists ? sharedElements(own, tiles::boxOf(map, next)) : 0);
  }
  return shared;
}

/// Sizes for all dimensions: the last ones are given.
static std::vector<TileDim> dimsOf(llvm::ArrayRef<int64_t> given,
                                   llvm::ArrayRef<int64_t> sizes) {
  std::vector<TileDim> dims;
  size_t free = sizes.size() - std::min(given.size(), sizes.size());
  given = given.take_back(sizes.size());
  for (auto [i, size] : llvm::enumerate(sizes)) {
    int64_t wanted = i < free ? size : given[i - free];
    TileDim dim{.size = std::max<int64_t>(1, std::min(wanted, size)),
                .extent = size};
    if (dim.size >= size)
      dim.offset = 0; // one tile along this dimension
    dims.push_back(dim);
  }
  return dims;
}

static std::string instructionName(const MapRecord &record) {
  if (std::string own = record.resultName(record.from); !own.empty())
    return own;
  return record.hasSeveralResults
             ? record.instruction + ", result " + std::to_string(record.from)
             : record.instruction;
}

static void setAbout(InstructionTile &tile, const MapRecord &record) {
  tile.computation = record.computation;
  if (record.isOutToIn()) {
    tile.name = instructionName(record);
  } else {
    tile.name = record.fromName;
    if (record.fromIsRepeated)
      tile.name += " (" + std::to_string(record.from) + ")";
    if (record.element)
      tile.name += "{" + std::to_string(*record.element) + "}";
    tile.readBy = record.instruction;
  }
  tile.movesOwnBytes = record.movesOwnBytes;
  tile.operation = record.operation;
  tile.at = record.at;
  tile.origin = record.origin;
  tile.type = typeText(record.type);
}

static std::string whyNoTiles(const MapRecord &record) {
  if (!record.type || !elementBytes(record.type))
    return "its extents are not known";
  for (int64_t size : record.sizes)
    if (size == 0)
      return "it has no elements";
  return "";
}

static std::string nameOf(const MapTarget &target, const MapRecord &record) {
  std::string name = target.name;
  if (name.empty()) { // in-to-out: a result
    name = record.resultName(target.number);
    if (name.empty())
      name = record.instruction;
    if (record.hasSeveralResults)
      name += ", result " + std::to_string(target.number);
  }
  if (target.isRepeated)
    name += " (" + std::to_string(target.number) + ")";
  if (target.element)
    name += "{" + std::to_string(*target.element) + "}";
  return name;
}

static std::vector<NeededTile::Loop> loopsOf(const Map &map) {
  std::vector<NeededTile::Loop> loops;
  std::vector<std::string> names = variableNames(*map.arena, map.domain);
  for (auto [i, range] : llvm::enumerate(map.domain.ranges))
    if (std::optional<int64_t> size = range.bounds.size(); size && *size > 1)
      loops.push_back({names[map.numDims() + i], range.bounds.lower,
                       range.bounds.lower + *size});
  return loops;
}

static int64_t fetchedBytes(mlir::Type type, llvm::ArrayRef<BoxDim> box,
                            const MemorySystem &memory) {
  llvm::SmallVector<int64_t> extents;
  for (const BoxDim &dim : box)
    extents.push_back(saturatingMul(dim.size, dim.stride));
  return fetchedBytes(type, extents, memory);
}

/// The elements of a tensor; the largest number if they are not known.
static int64_t elementsOf(mlir::Type type) {
  auto layout = access::Layout::of(type);
  return layout ? layout->elements() : Interval::kMax;
}

/// What the tile needs of the target, by one map; counted, or only the box.
static NeededTile neededBy(const OperandMap &m, const MapTarget &target,
                           const MapRecord &record,
                           llvm::ArrayRef<TileDim> dims,
                           const MemorySystem &memory, bool isCounted = true) {
  NeededTile needed{.name = nameOf(target, record),
                    .type = typeText(target.type),
                    .operation = target.operation,
                    .isExactMap = m.exact,
                    .loops = loopsOf(m.map),
                    .tile = isCounted ? tiles::tileOf(m.map, dims)
                                      : tiles::boxOf(m.map, dims)};
  OperandTile &tile = needed.tile;
  if (tile.elements.value > elementsOf(target.type))
    tile.elements.value = elementsOf(target.type);
  if (!m.exact)
    for (mercator::Verdict<int64_t> *count : {&tile.elements, &tile.reads})
      if (count->isExact() && count->value > 0)
        count->why = {.exactness = Exactness::UpperBound, .reason = m.reason};
  // A box may reach over the border of its operand.
  if (std::optional<int64_t> bytes = elementBytes(target.type))
    needed.bytes = saturatingMul(
        *bytes, std::min(tile.heldElements(), elementsOf(target.type)));
  needed.fetched = fetchedBytes(target.type, tile.dims, memory);
  if (tile.places > 1)
    needed.fetched = std::min(
        needed.fetched,
        saturatingMul(tile.places,
                      fetchedBytes(target.type, tile.placeDims, memory)));
  return needed;
}

static bool hasTiles(const OperandMap &m, const InstructionTile &tile) {
  return !m.map.isKnownEmpty() && m.map.numDims() == tile.dims.size();
}

static void addNeeded(InstructionTile &tile, const MapTarget &target,
                      const MapRecord &record, const MemorySystem &memory,
                      bool withShared, bool isCounted = true) {
  for (const OperandMap &m : target.maps) {
    if (!hasTiles(m, tile))
      continue;
    tile.needed.push_back(
        neededBy(m, target, record, tile.dims, memory, isCounted));
    if (withShared)
      tile.needed.back().shared = sharedWithNext(m.map, tile.dims);
  }
}

static void addProducers(InstructionTile &tile, const MapRecord &record,
                         const MemorySystem &memory, bool atPlace) {
  for (const MapTarget &target : record.producers) {
    size_t first = tile.producers.size();
    for (const OperandMap &m : target.maps)
      if (hasTiles(m, tile))
        tile.producers.push_back(
            neededBy(m, target, record, tile.dims, memory));
    if (atPlace || first == tile.producers.size())
      continue;
    tile.producers[first].recomputed =
        tiles::recomputed(target.maps, tile.dims);
  }
}

static void addFootprint(InstructionTile &tile, const MapRecord &record,
                         const MemorySystem &memory) {
  int64_t elements = 1;
  for (auto [dim, size] : llvm::zip(tile.dims, record.sizes)) {
    elements = saturatingMul(elements, dim.size);
    tile.tiles = saturatingMul(tile.tiles, (size + dim.size - 1) / dim.size);
  }
  tile.resultBytes = saturatingMul(elements, *elementBytes(record.type));
  int64_t bytes = *tile.resultBytes;
  llvm::SmallVector<int64_t> extents;
  for (const TileDim &dim : tile.dims)
    extents.push_back(saturatingMul(dim.size, dim.stride));
  int64_t moved =
      saturatingMul(fetchedBytes(record.type, extents, memory), tile.tiles);
  // A tile at a place stands for all tiles of its sizes.
  int64_t atPlace = 1;
  for (auto [dim, size] : llvm::zip(tile.dims, record.sizes))
    if (dim.offset)
      atPlace = saturatingMul(atPlace, (size + dim.size - 1) / dim.size);
  size_t next = 0;
  for (const MapTarget &target : record.to) {
    int64_t held = 0; // by all maps of the operand
    for (const OperandMap &m : target.maps) {
      if (!hasTiles(m, tile))
        continue;
      const NeededTile &needed = tile.needed[next++];
      if (!needed.bytes)
        return;
      held = saturatingAdd(held, *needed.bytes);
      moved = saturatingAdd(
          moved, saturatingMul(needed.fetched,
                               saturatingMul(needed.tile.positions, atPlace)));
    }
    int64_t whole = held;
    if (std::optional<int64_t> bytes = elementBytes(target.type))
      whole = saturatingMul(*bytes, elementsOf(target.type));
    bytes = saturatingAdd(bytes, std::min(held, whole));
  }
  tile.footprint = bytes;
  tile.moved = moved;
  for (const MemorySystem::Cache &cache : memory.caches)
    if (tile.fits.empty() && bytes <= cache.bytes)
      tile.fits = cache.name;
}

/// True if the record starts from the operand of that name.
static bool isNamed(const MapRecord &record, StringRef name) {
  StringRef operand = record.fromName;
  operand.consume_front("%");
  if (name.contains('/') && name.consume_front(record.computation))
    name.consume_front("/");
  name.consume_front("%");
  return operand == name;
}

ExitCode
Compilation::tile(const TileQuery &query,
                  llvm::function_ref<void(const InstructionTile &)> f) {
  MapQuery maps = query.maps;
  bool inToOut = maps.directions == MapQuery::Directions::inToOut;
  maps.directions =
      inToOut ? MapQuery::Directions::inToOut : MapQuery::Directions::outToIn;
  maps.producers = !inToOut;
  if (inToOut && query.of) // of any reader
    maps.instruction.reset();
  bool isWrong = false, isMet = false;
  ExitCode code = map(maps, [&](const MapRecord &record) {
    if (isWrong || (inToOut && query.of && !isNamed(record, query.of->name)))
      return;
    isMet = true;
    InstructionTile tile;
    setAbout(tile, record);
    tile.refused = whyNoTiles(record);
    if (!tile.refused.empty()) {
      f(tile);
      return;
    }
    if (query.of) {
      auto dims = ::tileOf(*query.of, record.sizes, diagnostics);
      isWrong = !dims;
      if (isWrong)
        return;
      tile.dims = std::move(*dims);
    } else {
      tile.dims = dimsOf(query.sizes, record.sizes);
    }
    for (const MapTarget &target : record.to)
      addNeeded(tile, target, record, query.memory, /*withShared=*/!query.of);
    if (record.isOutToIn())
      addFootprint(tile, record, query.memory);
    addProducers(tile, record, query.memory, query.of.has_value());
    f(tile);
  });
  if (inToOut && query.of && !isMet && code == ExitCode::done) {
    (void)diagnostics.error({},
                            "no instruction reads " + quote(query.of->name));
    return ExitCode::wrongUsage;
  }
  return isWrong ? ExitCode::wrongUsage : code;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Divisors, multiples of 8, and powers of two of an extent: at most 24.
static std::vector<int64_t> sizesOf(int64_t extent) {
  std::set<int64_t> sizes = {1, extent};
  for (int64_t p = 2; p < extent && p <= 4096; p *= 2)
    sizes.insert(p);
  for (int64_t d = 2; d <= 512 && d < extent && sizes.size() < 24; ++d)
    if (extent % d == 0)
      sizes.insert(d);
  for (int64_t m = 8; m < extent && sizes.size() < 24; m += 8)
    sizes.insert(m);
  return {sizes.begin(), sizes.end()};
}

static TileChoices choicesOf(const MapRecord &record, const TileQuery &query) {
  constexpr size_t most = 2048, shown = 5;
  InstructionTile about;
  setAbout(about, record);
  TileChoices choices{.computation = about.computation,
                      .name = about.name,
                      .operation = about.operation,
                      .at = about.at,
                      .origin = about.origin,
                      .type = about.type,
                      .cache = "no cache",
                      .movesOwnBytes = about.movesOwnBytes,
                      .cacheBytes = Interval::kMax};
  if (!query.memory.caches.empty()) {
    choices.cache = query.memory.caches.front().name;
    choices.cacheBytes = query.memory.caches.front().bytes;
  }
  std::vector<std::vector<int64_t>> candidates = {{}};
  for (size_t i = record.sizes.size(); i-- > 0;) {
    std::vector<std::vector<int64_t>> longer;
    std::vector<int64_t> sizes = sizesOf(record.sizes[i]);
    if (candidates.size() * sizes.size() > most)
      sizes = {1, record.sizes[i]}; // the slower dimensions: one, or all
    for (int64_t size : sizes)
      for (const auto &rest : candidates) {
        longer.push_back({size});
        llvm::append_range(longer.back(), rest);
      }
    candidates = std::move(longer);
  }
  for (const std::vector<int64_t> &sizes : candidates) {
    InstructionTile tile;
    tile.dims = dimsOf(sizes, record.sizes);
    for (const MapTarget &target : record.to)
      addNeeded(tile, target, record, query.memory, /*withShared=*/false,
                /*isCounted=*/false);
    addFootprint(tile, record, query.memory);
    ++choices.tried;
    if (!tile.footprint)
      continue;
    if (!choices.smallest || *tile.footprint < choices.smallest->footprint)
      choices.smallest = {sizes, *tile.footprint, *tile.moved, tile.tiles};
    if (*tile.footprint > choices.cacheBytes) {
      ++choices.tooLarge;
      continue;
    }
    choices.best.push_back({sizes, *tile.footprint, *tile.moved, tile.tiles});
  }
  llvm::sort(choices.best, [](const TileChoice &a, const TileChoice &b) {
    return std::tie(a.moved, a.tiles, a.footprint, a.sizes) <
           std::tie(b.moved, b.tiles, b.footprint, b.sizes);
  });
  if (choices.best.size() > shown)
    choices.best.resize(shown);
  return choices;
}

ExitCode
Compilation::chooseTiles(const TileQuery &query,
                         llvm::function_ref<void(const TileChoices &)> f) {
  MapQuery maps = query.maps;
  maps.directions = MapQuery::Directions::outToIn;
  return map(maps, [&](const MapRecord &record) {
    if (whyNoTiles(record).empty())
      f(choicesOf(record, query));
  });
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeBox(llvm::StringRef name, llvm::ArrayRef<BoxDim> dims,
                     llvm::json::OStream &json) {
  json.attributeArray(name, [&] {
    for (const BoxDim &dim : dims)
      json.object([&] {
        json.attribute("offset", dim.offset);
        json.attribute("size", dim.size);
        json.attribute("stride", dim.stride);
        json.attribute("exact", dim.isExact);
      });
  });
}

static void write(const NeededTile &needed, llvm::json::OStream &json) {
  const OperandTile &tile = needed.tile;
  json.object([&] {
    json.attribute("name", needed.name);
    json.attribute("type", needed.type);
    if (!needed.operation.empty())
      json.attribute("operation", needed.operation);
    json.attribute("exact_map", needed.isExactMap);
    json.attributeArray("loops", [&] {
      for (const NeededTile::Loop &loop : needed.loops)
        json.object([&] {
          json.attribute("name", loop.name);
          json.attribute("begin", loop.begin);
          json.attribute("end", loop.end);
        });
    });
    writeBox("box", tile.dims, json);
    if (tile.places > 1)
      json.attributeObject("places", [&] {
        json.attribute("count", tile.places);
        writeBox("box", tile.placeDims, json);
      });
    writeVerdict("is_box", tile.isBox, json);
    writeVerdict("elements", tile.elements, json);
    json.attribute("box_elements", tile.boxElements);
    json.attribute("reads", tile.reads.value);
    json.attribute("reads_exactness", nameOf(tile.reads.why.exactness));
    if (needed.bytes)
      json.attribute("bytes", *needed.bytes);
    json.attributeArray("mask", [&] {
      for (const std::string &entry : tile.mask)
        json.value(entry);
    });
    json.attributeArray("shared", [&] {
      for (int64_t elements : needed.shared)
        json.value(elements);
    });
    if (needed.recomputed.why.exactness != Exactness::Unknown)
      writeVerdict("recomputed", needed.recomputed, json);
  });
}

void mercator::writeJson(const InstructionTile &tile,
                         llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("computation", tile.computation);
    json.attribute("instruction", tile.name);
    for (auto [key, text] : {std::pair("operation", &tile.operation),
                             {"at", &tile.at},
                             {"origin", &tile.origin},
                             {"read_by", &tile.readBy},
                             {"refused", &tile.refused},
                             {"fits", &tile.fits}})
      if (!text->empty())
        json.attribute(key, *text);
    json.attribute("type", tile.type);
    json.attributeArray("tile", [&] {
      for (auto [i, dim] : llvm::enumerate(tile.dims))
        json.object([&] {
          json.attribute("offset", dim.offset ? std::to_string(*dim.offset)
                                              : "p" + std::to_string(i));
          json.attribute("size", dim.size);
          json.attribute("stride", dim.stride);
        });
    });
    json.attributeArray("needs", [&] {
      for (const NeededTile &needed : tile.needed)
        write(needed, json);
    });
    json.attributeArray("producers", [&] {
      for (const NeededTile &needed : tile.producers)
        write(needed, json);
    });
    if (tile.footprint)
      json.attribute("footprint", *tile.footprint);
    json.attribute("tiles", tile.tiles);
    if (tile.moved)
      json.attribute("bytes_moved", *tile.moved);
  });
}

void mercator::writeJson(const TileChoices &choices,
                         llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("computation", choices.computation);
    json.attribute("instruction", choices.name);
    json.attribute("operation", choices.operation);
    json.attribute("at", choices.at);
    if (!choices.origin.empty())
      json.attribute("origin", choices.origin);
    json.attribute("type", choices.type);
    json.attribute("cache", choices.cache);
    json.attribute("tried", choices.tried);
    json.attribute("too_large", choices.tooLarge);
    json.attributeArray("sizes", [&] {
      for (const TileChoice &choice : choices.best)
        json.object([&] {
          json.attributeArray("tile", [&] {
            for (int64_t size : choice.sizes)
              json.value(size);
          });
          json.attribute("footprint", choice.footprint);
          json.attribute("tiles", choice.tiles);
          json.attribute("bytes_moved", choice.moved);
        });
    });
  });
}
