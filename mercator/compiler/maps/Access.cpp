// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/maps/Access.h"

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/maps/VerdictJson.h"
#include "mercator/indexing/notation/Notation.h"

#include <set>

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
// Instructions
//===----------------------------------------------------------------------===//

static std::string textOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (type)
    os << type;
  return text;
}

static std::string nameOf(const MapTarget &target) {
  std::string name = target.name;
  if (target.element)
    name += "{" + std::to_string(*target.element) + "}";
  return name;
}

static ProducerAccess producerOf(const MapTarget &target) {
  ReadCounts counts = readCountsOf(target.maps);
  return {.name = nameOf(target),
          .type = textOf(target.type),
          .operation = target.operation,
          .read = counts.read,
          .recomputed = counts.readsEach};
}

static OperandAccess operandOf(const MapTarget &target,
                               const AccessedResult &result,
                               Accesses &accesses) {
  OperandAccess operand{
      accesses.of(target.loaded.value_or(target.maps), target.type, result),
      nameOf(target), textOf(target.type)};
  if (target.isRepeated)
    operand.name += " (" + std::to_string(target.number) + ")";
  return operand;
}

InstructionAccess mercator::accessOf(const MapRecord &record,
                                     Accesses &accesses) {
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
  AccessedResult result{
      .type = record.type,
      .isReduction = llvm::StringRef(record.operation).contains("reduce")};
  std::optional<Layout> layout = Layout::of(record.type);
  if (layout)
    result.layout = *layout;
  else
    access.store.unknown = "its extents are not known";
  for (const MapTarget &target : record.to) {
    access.operands.push_back(operandOf(target, result, accesses));
    // What is loaded one by one is computed and stored one by one.
    for (const MemoryAccess &m : access.operands.back().accesses)
      if (m.traffic)
        result.mostTogether =
            std::min(result.mostTogether, m.traffic->together);
  }
  if (layout && layout->elements() > 0)
    access.store = accesses.ofStore(*record.arena, result);
  for (const MapTarget &target : record.producers)
    access.producers.push_back(producerOf(target));
  return access;
}

namespace {
/// The loads of the results of one instruction, one after the other.
class SharedLoads {
public:
  void mark(InstructionAccess &access, const MapRecord &record) {
    std::string own = record.computation + "/" + record.instruction;
    if (own != instruction || record.from == 0) {
      instruction = std::move(own);
      seen.clear();
    }
    for (auto [i, operand] : llvm::enumerate(access.operands))
      for (MemoryAccess &m : operand.accesses)
        if (m.traffic)
          m.isShared = !seen.insert(std::to_string(i) + m.lanesAlong + m.by +
                                    m.traffic->grounds.map)
                            .second;
  }

private:
  std::string instruction;
  std::set<std::string> seen;
};
} // namespace

ExitCode
Compilation::access(const AccessQuery &query,
                    llvm::function_ref<void(const InstructionAccess &)> f) {
  Accesses accesses(query);
  SharedLoads shared;
  MapQuery maps = query.maps;
  maps.directions = MapQuery::Directions::OutToIn;
  maps.producers = true;
  return map(maps, [&](const MapRecord &record) {
    InstructionAccess access = accessOf(record, accesses);
    if (record.hasSeveralResults)
      shared.mark(access, record);
    f(access);
  });
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void write(const Traffic &traffic, llvm::json::OStream &json) {
  json.attribute("loads", traffic.loads);
  if (traffic.together > 1)
    json.attribute("elements_of_a_load", traffic.together);
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
    if (access.isShared)
      json.attribute("shared", true);
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

void mercator::writeJson(const OperandAccess &operand,
                         llvm::json::OStream &json) {
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
                       const Device &memory)
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
        writeJson(operand, json);
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

void AccessJson::write(const KernelRecord &kernel) {
  os << (hasKernels ? ",\n  "
         : isEmpty  ? "],\"kernels\":[\n  "
                    : "\n],\"kernels\":[\n  ");
  hasKernels = true;
  llvm::json::OStream json(os);
  writeJson(kernel, json);
}

void AccessJson::finish() {
  os << (isEmpty && !hasKernels ? "]}\n" : "\n]}\n");
}
