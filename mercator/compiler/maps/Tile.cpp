// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/maps/Tile.h"

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/maps/VerdictJson.h"
#include "mercator/indexing/notation/Notation.h"

#include "llvm/ADT/StringExtras.h"

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

/// What the tile needs of the target by one map, by name.
static NeededTile named(TilePart part, const OperandMap &m,
                        const MapTarget &target, const MapRecord &record) {
  return {.name = nameOf(target, record),
          .type = typeText(target.type),
          .operation = target.operation,
          .isExactMap = m.exact,
          .loops = loopsOf(m.map),
          .tile = std::move(part.tile),
          .bytes = part.bytes,
          .fetched = part.fetched};
}

/// What the tile needs of the operands, and of a result what its tiles move.
static void addNeeded(InstructionTile &tile, const MapRecord &record,
                      const Device &memory, bool withShared) {
  std::vector<TileOperand> operands;
  for (const MapTarget &target : record.to) {
    operands.push_back({target.type});
    for (const OperandMap &m : target.maps) {
      if (!hasTiles(m, tile.dims))
        continue;
      TilePart part = partOf(m, target.type, tile.dims, memory);
      tile.needed.push_back(named(part, m, target, record));
      if (withShared)
        tile.needed.back().shared = sharedWithNext(m.map, tile.dims);
      operands.back().parts.push_back(std::move(part));
    }
  }
  if (!record.isOutToIn())
    return;
  TileTraffic traffic =
      trafficOf(record.type, record.sizes, tile.dims, operands, memory);
  tile.tiles = traffic.tiles;
  tile.resultBytes = traffic.resultBytes;
  tile.footprint = traffic.footprint;
  tile.moved = traffic.moved;
  for (const Device::Cache &cache : memory.caches)
    if (tile.fits.empty() && tile.footprint && *tile.footprint <= cache.bytes)
      tile.fits = cache.name;
}

static void addProducers(InstructionTile &tile, const MapRecord &record,
                         const Device &memory, bool atPlace) {
  for (const MapTarget &target : record.producers) {
    size_t first = tile.producers.size();
    for (const OperandMap &m : target.maps)
      if (hasTiles(m, tile.dims))
        tile.producers.push_back(named(
            partOf(m, target.type, tile.dims, memory), m, target, record));
    if (atPlace || first == tile.producers.size())
      continue;
    tile.producers[first].recomputed =
        tiles::recomputed(target.maps, tile.dims);
  }
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
  bool inToOut = maps.directions == MapQuery::Directions::InToOut;
  maps.directions =
      inToOut ? MapQuery::Directions::InToOut : MapQuery::Directions::OutToIn;
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
      llvm::ArrayRef<int64_t> sizes = query.sizes;
      for (const KernelTile &kernel : query.ofKernel)
        if (llvm::ArrayRef(kernel.shape) == llvm::ArrayRef(record.sizes)) {
          sizes = kernel.sizes;
          break;
        }
      tile.dims = tileOfSizes(sizes, record.sizes);
    }
    addNeeded(tile, record, query.memory, /*withShared=*/!query.of);
    addProducers(tile, record, query.memory, query.of.has_value());
    f(tile);
  });
  if (inToOut && query.of && !isMet && code == ExitCode::Done) {
    (void)diagnostics.error({},
                            "no instruction reads " + quote(query.of->name));
    return ExitCode::WrongUsage;
  }
  return isWrong ? ExitCode::WrongUsage : code;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The range variable of the longest contracted dimension of a product. The maps of
/// both operands number these dimensions alike.
static std::optional<unsigned> contractedRange(const MapRecord &record) {
  StringRef operation = shortName(record.operation);
  if (operation != "dot_general" && operation != "dot" &&
      !operation.ends_with("matmul"))
    return std::nullopt;
  std::optional<unsigned> longest;
  llvm::ArrayRef<Variable> ranges;
  unsigned factors = 0;
  for (const MapTarget &target : record.to) {
    if (target.maps.size() != 1)
      return std::nullopt;
    llvm::ArrayRef<Variable> own = target.maps.front().map.domain.ranges;
    if (own.empty()) // the initial value of a product in linalg
      continue;
    auto haveOneExtent = [](const Variable &a, const Variable &b) {
      return a.bounds == b.bounds;
    };
    if (factors++ > 0 && !std::equal(own.begin(), own.end(), ranges.begin(),
                                     ranges.end(), haveOneExtent))
      return std::nullopt;
    ranges = own;
  }
  for (auto [i, range] : llvm::enumerate(ranges)) {
    std::optional<int64_t> size = range.bounds.size();
    if (factors == 2 && size && *size > 1 &&
        (!longest || *size > *ranges[*longest].bounds.size()))
      longest = i;
  }
  return longest;
}

static TileChoices choicesOf(const MapRecord &record, const TileQuery &query) {
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
  std::vector<SearchedOperand> operands;
  for (const MapTarget &target : record.to)
    operands.push_back({target.type, target.maps});
  std::optional<unsigned> range = contractedRange(record);
  if (range)
    for (const MapTarget &target : record.to) {
      const OperandMap &first = target.maps.front();
      if (choices.loop || first.map.domain.ranges.empty())
        continue;
      const Interval &bounds = first.map.domain.ranges[*range].bounds;
      choices.loop = {
          variableNames(*first.map.arena,
                        first.map.domain)[first.map.numDims() + *range],
          bounds.lower, bounds.upper + 1};
    }
  // If no tile fits the smallest cache, the next one is asked.
  Device memory = query.memory;
  while (true) {
    if (!memory.caches.empty()) {
      choices.cache = memory.caches.front().name;
      choices.cacheBytes = memory.caches.front().bytes;
    }
    choices.search =
        searchTiles(record.type, record.sizes, operands, memory, range);
    if (!choices.search.best.empty() || memory.caches.size() < 2)
      return choices;
    choices.tooSmall.push_back(memory.caches.front().name);
    memory.caches.erase(memory.caches.begin());
  }
}

ExitCode
Compilation::chooseTiles(const TileQuery &query,
                         llvm::function_ref<void(const TileChoices &)> f) {
  MapQuery maps = query.maps;
  maps.directions = MapQuery::Directions::OutToIn;
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

static void write(const NeededTile::Loop &loop, llvm::json::OStream &json) {
  json.attribute("name", loop.name);
  json.attribute("begin", loop.begin);
  json.attribute("end", loop.end);
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
        json.object([&] { write(loop, json); });
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
    if (choices.loop)
      json.attributeObject("loop", [&] { write(*choices.loop, json); });
    json.attribute("tried", choices.search.tried);
    json.attribute("too_large", choices.search.tooLarge);
    json.attributeArray("sizes", [&] {
      for (const TileChoice &choice : choices.search.best)
        json.object([&] {
          json.attributeArray("tile", [&] {
            for (int64_t size : choice.sizes)
              json.value(size);
          });
          if (choices.loop)
            json.attribute("contracted", choice.contracted);
          json.attribute("footprint", choice.footprint);
          json.attribute("tiles", choice.tiles);
          json.attribute("bytes_moved", choice.moved);
        });
    });
  });
}
