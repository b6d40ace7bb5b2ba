// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/maps/Maps.h"
#include "mercator/compiler/maps/Prove.h"
#include "mercator/indexing/decide/Footprint.h"
#include "mercator/indexing/notation/Notation.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;

/// Pairs are counted for display by closed forms, and in small maps.
static constexpr Budget kShownCount{.steps = 1 << 12};

MapDescription mercator::describe(const OperandMap &m) {
  MapDescription described{.map = shownText(m.map),
                           .isEmpty = m.map.isKnownEmpty(),
                           .exact = m.exact,
                           .reason = m.reason,
                           .acrossDevices = m.devices != 0};
  constexpr llvm::StringLiteral separator = ", domain: ";
  auto [formula, domain] = llvm::StringRef(described.map).split(separator);
  described.formula = formula.str();
  if (formula.size() != described.map.size())
    described.domain = (separator.drop_front(2) + domain).str();
  if (std::optional<OverRead> over = overRead(m, kShownCount)) {
    if (over->given.exact())
      described.givenPairs = over->given.value;
    if (over->leastRead > 0)
      described.leastReadPairs = over->leastRead;
  }
  described.runtimeVariables = runtimeVariablesOf(m.map);
  return described;
}

std::vector<MapDescription::RuntimeVariable>
mercator::runtimeVariablesOf(const Map &map) {
  std::vector<MapDescription::RuntimeVariable> variables;
  if (map.domain.runtimes.empty())
    return variables;
  std::vector<std::string> names = variableNames(*map.arena, map.domain);
  size_t first = map.domain.dims.size() + map.domain.ranges.size();
  for (auto [i, variable] : llvm::enumerate(map.domain.runtimes)) {
    if (variable.isParameter) // stands in the text and the structure
      continue;
    MapDescription::RuntimeVariable &runtime = variables.emplace_back();
    runtime.name = names[first + i];
    runtime.lower = variable.bounds.lower;
    runtime.upper = variable.bounds.upper;
    runtime.source = map.arena->name(variable.source).str();
    if (variable.element >= 0)
      runtime.element = variable.element;
    runtime.map = sourceMapToString(map, i);
  }
  return variables;
}

void mercator::writeJson(const OperandMap &m, llvm::json::OStream &json) {
  MapDescription described = describe(m);
  json.object([&] {
    json.attribute("map", described.map);
    json.attribute("exact", described.exact);
    if (!described.exact)
      json.attribute("reason", described.reason);
    if (described.givenPairs)
      json.attribute("gives_pairs", *described.givenPairs);
    if (described.leastReadPairs)
      json.attribute("reads_pairs_at_least", *described.leastReadPairs);
    if (described.acrossDevices)
      json.attribute("across_devices", true);
    json.attributeArray("runtime_variables", [&] {
      for (const auto &runtime : described.runtimeVariables)
        json.object([&] {
          json.attribute("name", runtime.name);
          json.attributeArray("interval", [&] {
            json.value(runtime.lower);
            json.value(runtime.upper);
          });
          json.attribute("source", runtime.source);
          if (runtime.element)
            json.attribute("element", *runtime.element);
          json.attribute("map", runtime.map);
        });
    });
    json.attributeBegin("structure");
    writeStructure(m.map, json);
    json.attributeEnd();
  });
}

static void writeMaps(llvm::json::OStream &json, const MapSet &maps) {
  json.array([&] {
    for (const OperandMap &m : maps)
      writeJson(m, json);
  });
}

using WriteMapsFn =
    llvm::function_ref<void(llvm::json::OStream &, const MapSet &)>;

static void writeTarget(llvm::json::OStream &json, const MapTarget &target,
                        const MapRecord &record, WriteMapsFn writeMaps) {
  bool isOperand = record.isOutToIn() && record.toInstruction.empty();
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
  bool reads = record.isOutToIn();
  json.object([&] {
    json.attribute("computation", record.computation);
    json.attribute("instruction", record.instruction);
    if (!record.operation.empty())
      json.attribute("operation", record.operation);
    if (!record.at.empty())
      json.attribute("at", record.at);
    if (!record.origin.empty())
      json.attribute("origin", record.origin);
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

void mercator::writeJson(const MapRecord &record, llvm::json::OStream &json) {
  writeRecord(json, record, writeMaps);
}

void MapsJson::begin() {
  os << R"({"schema":"mercator.map/1","module":)";
  llvm::json::OStream(os).value(module);
  os << R"(,"records":[)";
  isEmpty = false;
}

void MapsJson::write(const MapRecord &record) {
  bool isFirst = isEmpty;
  if (isFirst)
    begin();
  os << (isFirst ? "\n  " : ",\n  ");
  llvm::json::OStream json(os);
  writeRecord(json, record, [&](llvm::json::OStream &to, const MapSet &maps) {
    to.rawValue(textOf(maps));
  });
}

void MapsJson::finish() {
  bool hasRecords = !isEmpty;
  if (!hasRecords)
    begin();
  os << (hasRecords ? "\n]}\n" : "]}\n");
}

/// Composed through a program, one set may occur in thousands of records. Its
/// text is made once.
llvm::StringRef MapsJson::textOf(const MapSet &maps) {
  constexpr size_t kMostTexts = 1 << 12;
  if (texts.size() == kMostTexts)
    texts.clear();
  auto [it, isNew] = texts.try_emplace(maps.identity());
  auto &[set, text] = it->second;
  if (isNew) {
    set = maps;
    llvm::raw_string_ostream textStream(text);
    llvm::json::OStream json(textStream);
    writeMaps(json, maps);
  }
  return text;
}
