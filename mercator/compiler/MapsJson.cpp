// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/decide/Footprint.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/tools/driver/MapOperand.h"
#include "mercator/tools/driver/MapWriter.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;

static void writeRuntimeVariables(llvm::json::OStream &json, const Map &map) {
  std::vector<std::string> names = variableNames(*map.arena, map.domain);
  size_t first = map.domain.dims.size() + map.domain.ranges.size();
  for (auto [i, variable] : llvm::enumerate(map.domain.runtimes))
    json.object([&] {
      json.attribute("name", names[first + i]);
      json.attributeArray("interval", [&] {
        json.value(variable.bounds.lower);
        json.value(variable.bounds.upper);
      });
      json.attribute("source", map.arena->name(variable.source));
      if (variable.element >= 0)
        json.attribute("element", variable.element);
      json.attribute("map", sourceMapToString(map, i));
    });
}

static void writeMap(llvm::json::OStream &json, const OperandMap &m) {
  json.object([&] {
    json.attribute("map", shownText(m.map));
    json.attribute("exact", m.exact);
    if (!m.exact)
      json.attribute("reason", m.reason);
    if (std::optional<OverRead> over = overRead(m, kShownCount)) {
      if (over->given.exact())
        json.attribute("gives_pairs", over->given.value);
      if (over->leastRead > 0)
        json.attribute("reads_pairs_at_least", over->leastRead);
    }
    if (m.devices)
      json.attribute("across_devices", true);
    json.attributeArray("runtime_variables",
                        [&] { writeRuntimeVariables(json, m.map); });
  });
}

static void writeMaps(llvm::json::OStream &json, const MapSet &maps) {
  json.array([&] {
    for (const OperandMap &m : maps)
      writeMap(json, m);
  });
}

using WriteMapsFn =
    llvm::function_ref<void(llvm::json::OStream &, const MapSet &)>;

static void writeTarget(llvm::json::OStream &json, const MapTarget &target,
                        const MapRecord &record, WriteMapsFn writeMaps) {
  bool isOperand =
      record.direction == Direction::OutToIn && record.toInstruction.empty();
  json.object([&] {
    json.attribute(isOperand ? "operand" : "result", target.number);
    if (!target.name.empty())
      json.attribute("name", target.name);
    if (target.element && record.toInstruction.empty())
      json.attribute("element", *target.element);
    json.attributeBegin("maps");
    writeMaps(json, target.maps);
    json.attributeEnd();
  });
}

static void writeRecord(llvm::json::OStream &json, const MapRecord &record,
                        WriteMapsFn writeMaps) {
  bool reads = record.direction == Direction::OutToIn;
  json.object([&] {
    json.attribute("computation", record.computation);
    json.attribute("instruction", record.instruction);
    json.attribute("direction", reads ? "out-to-in" : "in-to-out");
    json.attributeObject("from", [&] {
      bool isResult = reads || !record.toInstruction.empty();
      json.attribute(isResult ? "result" : "operand", record.from);
      if (record.element)
        json.attribute("element", *record.element);
    });
    json.attributeArray("to", [&] {
      for (const MapTarget &target : record.to)
        writeTarget(json, target, record, writeMaps);
    });
  });
}

void mercator::writeMapRecord(llvm::json::OStream &json,
                              const MapRecord &record) {
  writeRecord(json, record, writeMaps);
}

namespace {
class MapJson : public MapWriter {
public:
  MapJson(llvm::raw_ostream &os, llvm::StringRef module) : os(os) {
    os << R"({"schema":"mercator.map/1","module":)";
    llvm::json::OStream(os).value(module);
    os << R"(,"records":[)";
  }

  void write(const MapRecord &record) override {
    os << (first ? "\n  " : ",\n  ");
    first = false;
    llvm::json::OStream json(os);
    writeRecord(json, record, [&](llvm::json::OStream &to, const MapSet &maps) {
      to.rawValue(textOf(maps));
    });
  }

  void finish() override { os << (first ? "]}\n" : "\n]}\n"); }

private:
  /// Composed through a program, one set may stand in thousands of places; it
  /// is written out once.
  llvm::StringRef textOf(const MapSet &maps) {
    constexpr size_t kMostTexts = 1 << 12;
    if (texts.size() == kMostTexts)
      texts.clear();
    auto [it, isNew] = texts.try_emplace(maps.identity());
    auto &[set, text] = it->second;
    if (isNew) {
      set = maps; // holds on to its identity
      llvm::raw_string_ostream textStream(text);
      llvm::json::OStream json(textStream);
      writeMaps(json, maps);
    }
    return text;
  }

  llvm::raw_ostream &os;
  bool first = true;
  llvm::DenseMap<const void *, std::pair<MapSet, std::string>> texts;
};
} // namespace

std::unique_ptr<MapWriter> mercator::makeMapJson(llvm::raw_ostream &os,
                                                 llvm::StringRef module) {
  return std::make_unique<MapJson>(os, module);
}
