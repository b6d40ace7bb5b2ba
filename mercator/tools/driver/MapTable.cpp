// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/MapTable.h"

#include "mercator/support/Table.h"

using namespace mercator;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static std::string label(const MapRecord &record, unsigned result) {
  if (std::string own = record.resultName(result); !own.empty())
    return own;
  std::string text = record.instruction;
  if (record.hasSeveralResults)
    text += ", result " + std::to_string(result);
  return text;
}

static std::string label(StringRef name, std::optional<unsigned> element) {
  if (!element)
    return name.str();
  return (name + "{" + llvm::Twine(*element) + "}").str();
}

/// An operand, with its number if another operand has the same name.
static std::string label(StringRef name, unsigned number, bool isRepeated,
                         std::optional<unsigned> element) {
  std::string text = label(name, element);
  return isRepeated ? text + " (" + std::to_string(number) + ")" : text;
}

static std::string overApproximation(const MapDescription &map) {
  std::string text = "more than is read: " + map.reason;
  if (!map.givenPairs)
    return text;
  text += "; gives " + std::to_string(*map.givenPairs) + " pairs of elements";
  if (map.leastReadPairs)
    text += ", of which at least " + std::to_string(*map.leastReadPairs) +
            " are read";
  return text;
}

void MapTable::addRemark(std::string text) {
  rows.push_back({"", "", "", std::move(text), "", /*isRemark=*/true});
}

void MapTable::addMap(Row row, const MapDescription &map) {
  row.exact = map.exact ? "exact" : "more";
  row.head = map.isEmpty ? "nothing" : map.formula;
  row.domain = map.isEmpty ? "" : map.domain;
  if (!row.domain.empty())
    row.head += ",";
  rows.push_back(std::move(row));
  if (!map.exact)
    addRemark(overApproximation(map));
  for (const MapDescription::RuntimeVariable &runtime : map.runtimeVariables) {
    std::string source = runtime.source;
    if (runtime.element)
      source += "{" + std::to_string(*runtime.element) + "}";
    addRemark(runtime.name + ": in [" + std::to_string(runtime.lower) + ", " +
              std::to_string(runtime.upper) + "], read from " + source +
              " at " + runtime.map);
  }
}

void MapTable::addTarget(const MapRecord &record, const MapTarget &target) {
  bool reads = record.isOutToIn();
  Row row{label(label(record, reads ? record.from : target.number),
                reads ? record.element : target.element),
          reads ? label(target.name, target.number, target.isRepeated,
                        target.element)
                : label(record.fromName, record.from, record.fromIsRepeated,
                        record.element),
          "exact", "nothing", ""};
  if (!record.toInstruction.empty()) {
    row.instruction = label(record, record.from);
    row.operand = label(target.name, target.element);
  }
  if (target.maps.empty())
    rows.push_back(row);
  for (const indexing::OperandMap &map : target.maps)
    addMap(row, describe(map));
}

void MapTable::write(const MapRecord &record) {
  if (rows.empty() || record.computation != computation ||
      record.isOutToIn() != isOutToIn) {
    flush();
    between.clear();
    if (!record.toInstruction.empty())
      between =
          ": from " + record.instruction + " to " + record.toInstruction +
          (record.isOutToIn() ? ", which it reads\n" : ", which reads it\n");
    computation = record.computation;
    isOutToIn = record.isOutToIn();
  }
  for (const MapTarget &target : record.to)
    addTarget(record, target);
  if (record.to.empty())
    rows.push_back({label(record, record.from), "", "exact",
                    "reads none of the " + targets, ""});
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

void MapTable::flush() {
  if (rows.empty())
    return;
  // A few very long maps do not push all the domains to the right.
  constexpr size_t kWidest = 48;
  size_t width = 0;
  for (const Row &row : rows)
    if (!row.isRemark && row.head.size() <= kWidest)
      width = std::max(width, row.head.size());
  Table table({{"instruction", Style::cyan},
               {!between.empty()          ? "other"
                : targets == "parameters" ? "parameter"
                                          : "operand"},
               {"", Style::dim},
               {"map"}});
  const Row *last = nullptr;
  for (const Row &row : rows) {
    std::string map = row.isRemark ? "  " + row.head : row.head;
    if (!row.domain.empty()) {
      map.resize(std::max(map.size(), width), ' ');
      map += " " + row.domain;
    }
    bool sameInstruction = last && last->instruction == row.instruction;
    bool sameOperand = sameInstruction && last->operand == row.operand;
    table.addRow({sameInstruction ? "" : row.instruction,
                  sameOperand ? "" : row.operand, row.exact, map});
    if (!row.isRemark)
      last = &row;
  }
  os << (wroteTable ? "\n" : "") << paint(computation, Style::bold, color)
     << (!between.empty() ? between
         : isOutToIn      ? ": from each result to the " + targets + "\n"
                          : ": from the " + targets + " to each result\n");
  table.print(os, color, /*indent=*/2);
  wroteTable = true;
  rows.clear();
}
