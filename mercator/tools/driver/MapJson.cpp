// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/Footprint.h"
#include "mercator/indexing/Notation.h"
#include "mercator/tools/driver/MapOperand.h"
#include "mercator/tools/driver/MapWriter.h"

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

static void writeTarget(llvm::json::OStream &json, const MapTarget &target,
                        const MapRecord &record) {
  bool isOperand =
      record.direction == Direction::OutToIn && record.toInstruction.empty();
  json.object([&] {
    json.attribute(isOperand ? "operand" : "result", target.number);
    if (!target.name.empty())
      json.attribute("name", target.name);
    if (target.element && record.toInstruction.empty())
      json.attribute("element", *target.element);
    json.attributeArray("maps", [&] {
      for (const OperandMap &m : target.maps)
        writeMap(json, m);
    });
  });
}

void mercator::writeMapRecord(llvm::json::OStream &json,
                              const MapRecord &record) {
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
        writeTarget(json, target, record);
    });
  });
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
    writeMapRecord(json, record);
  }

  void finish() override { os << (first ? "]}\n" : "\n]}\n"); }

private:
  llvm::raw_ostream &os;
  bool first = true;
};
} // namespace

std::unique_ptr<MapWriter> mercator::makeMapJson(llvm::raw_ostream &os,
                                                 llvm::StringRef module) {
  return std::make_unique<MapJson>(os, module);
}
