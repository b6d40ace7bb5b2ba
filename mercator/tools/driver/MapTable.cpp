// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/MapTable.h"

#include "mercator/compiler/maps/RecordDomains.h"
#include "mercator/support/Color.h"
#include "mercator/support/Terminal.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mercator::indexing;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Names
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

/// `y = fusion`, or `y = fusion, from x` where the maps start from an operand.
static std::string titleOf(const MapRecord &record) {
  bool fromResult = record.isOutToIn() || !record.toInstruction.empty();
  std::string name = fromResult
                         ? label(label(record, record.from), record.element)
                         : record.instruction;
  if (!record.operation.empty())
    name += " = " + shortName(record.operation).str();
  if (!fromResult)
    name += ", from " + label(record.fromName, record.from,
                              record.fromIsRepeated, record.element);
  return name;
}

/// `f.mlir:12, model.py:3`.
static std::string placeOfRecord(const MapRecord &record) {
  StringRef at = record.at == "?" ? "" : StringRef(record.at);
  at = at.substr(at.rfind('/') + 1);
  if (record.origin.empty() || at.empty())
    return at.empty() ? record.origin : at.str();
  return at.str() + ", " + record.origin;
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

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void MapTable::addTarget(Block &block, const MapRecord &record,
                         const MapTarget &target, const RecordDomains &domains,
                         const Runtimes &runtimes) {
  Row row;
  if (!record.toInstruction.empty())
    row.operand = label(target.name, target.element);
  else if (record.isOutToIn())
    row.operand =
        label(target.name, target.number, target.isRepeated, target.element);
  else
    row.operand = label(label(record, target.number), target.element);
  if (target.maps.empty()) {
    row.exact = "exact", row.formula = "nothing";
    block.rows.push_back(std::move(row));
    return;
  }
  for (const OperandMap &m : target.maps) {
    MapDescription map = describe(m);
    row.exact = map.exact ? "exact" : "more";
    row.formula = map.isEmpty ? "nothing" : map.formula;
    row.domain = map.isEmpty ? "" : domains.own(m.map);
    block.rows.push_back(row);
    if (!map.exact)
      block.rows.push_back(
          {.formula = overApproximation(map), .kind = Row::RemarkOnMap});
    for (const auto &variable : map.runtimeVariables)
      if (runtimes.find(variable.name)->second.size() > 1)
        block.rows.push_back(
            {.formula = toShortString(variable), .kind = Row::RemarkOnMap});
  }
}

MapTable::Runtimes MapTable::runtimesOf(const MapRecord &record) {
  Runtimes runtimes;
  for (const MapTarget &target : record.to)
    for (const OperandMap &m : target.maps)
      for (const auto &variable : runtimeVariablesOf(m.map)) {
        std::vector<std::string> &texts = runtimes[variable.name];
        std::string text = toShortString(variable);
        if (!llvm::is_contained(texts, text))
          texts.push_back(std::move(text));
      }
  return runtimes;
}

void MapTable::write(const MapRecord &record) {
  if (blocks.empty() || record.computation != computation ||
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
  RecordDomains domains(record);
  Block block{titleOf(record), placeOfRecord(record), domains.common(), {}};
  Runtimes runtimes = runtimesOf(record);
  for (const MapTarget &target : record.to)
    addTarget(block, record, target, domains, runtimes);
  // A variable with one meaning stands once, behind the maps.
  for (const auto &[name, texts] : runtimes)
    if (texts.size() == 1)
      block.rows.push_back({.formula = texts.front(), .kind = Row::Remark});
  if (record.to.empty())
    block.rows.push_back(
        {.formula = "reads none of the " + targets, .kind = Row::Remark});
  blocks.push_back(std::move(block));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The largest width up to `limit`: a few long texts do not push all others to
/// the right.
static void widen(size_t &width, StringRef text, size_t limit) {
  size_t own = displayWidth(text);
  if (own <= limit)
    width = std::max(width, own);
}

static void pad(llvm::raw_ostream &os, StringRef text, size_t width) {
  size_t own = displayWidth(text);
  os.indent(own < width ? width - own : 0);
}

/// Prints the lines of a text that starts in column `start`.
static void printWrapped(llvm::raw_ostream &os, StringRef text, size_t start,
                         unsigned columns) {
  constexpr size_t least = 24;
  unsigned width = columns == 0              ? 0
                   : start + least < columns ? unsigned(columns - start)
                                             : unsigned(least);
  bool first = true;
  for (const std::string &line : wrap(text, width)) {
    if (!first)
      os << '\n', os.indent(start);
    os << line;
    first = false;
  }
  os << '\n';
}

void MapTable::print(const Block &block, size_t nameWidth, size_t atWidth) {
  os << "  " << paint(block.name, Style::Cyan, color);
  size_t start = 2 + std::max<size_t>(displayWidth(block.name), nameWidth);
  bool more = !block.at.empty() || !block.domain.empty();
  if (more)
    pad(os, block.name, nameWidth);
  if (!block.at.empty())
    os << "  " << paint(block.at, Style::Dim, color);
  else if (!block.domain.empty() && atWidth > 0)
    os << "  ";
  if (!block.domain.empty()) {
    pad(os, block.at, atWidth);
    start += atWidth == 0
                 ? 0
                 : 2 + std::max<size_t>(displayWidth(block.at), atWidth);
    os << "  ";
    printWrapped(os, block.domain, start + 2, columns);
  } else {
    os << '\n';
  }
  printRows(block);
}

void MapTable::printRows(const Block &block) {
  constexpr size_t indent = 4, gap = 2, widestFormula = 48;
  size_t operandWidth = 0, formulaWidth = 0, exactWidth = 0;
  for (const Row &row : block.rows) {
    operandWidth = std::max<size_t>(operandWidth, displayWidth(row.operand));
    exactWidth = std::max(exactWidth, row.exact.size());
    if (row.kind == Row::Map && !row.domain.empty())
      widen(formulaWidth, row.formula + ",", widestFormula);
  }
  size_t start = indent + operandWidth + gap + exactWidth + gap;
  const Row *last = nullptr;
  for (const Row &row : block.rows) {
    if (row.kind != Row::Map) {
      size_t at = row.kind == Row::Remark ? indent : start + 2;
      os.indent(at);
      printWrapped(os, row.formula, at, columns);
      continue;
    }
    bool same = last && last->operand == row.operand;
    os.indent(indent) << (same ? "" : row.operand);
    pad(os, same ? "" : row.operand, operandWidth + gap);
    os << paint(row.exact, row.exact == "more" ? Style::Yellow : Style::Dim,
                color);
    pad(os, row.exact, exactWidth + gap);
    last = &row;
    std::string text = row.formula;
    if (!row.domain.empty()) {
      text += ",";
      bool fits = columns == 0 || start + std::max(text.size(), formulaWidth) +
                                          1 + row.domain.size() <=
                                      columns;
      if (!fits) { // the domain has lines of its own
        printWrapped(os, text, start, columns);
        os.indent(start + 2);
        printWrapped(os, row.domain, start + 2, columns);
        continue;
      }
      text.resize(std::max(text.size(), formulaWidth), ' ');
      text += " " + row.domain;
    }
    printWrapped(os, text, start, columns);
  }
}

void MapTable::flush() {
  if (blocks.empty())
    return;
  constexpr size_t widestName = 40, widestPlace = 40;
  size_t nameWidth = 0, atWidth = 0;
  for (const Block &block : blocks) {
    widen(nameWidth, block.name, widestName);
    widen(atWidth, block.at, widestPlace);
  }
  os << (wroteTable ? "\n" : "") << paint(computation, Style::Bold, color)
     << (!between.empty() ? between
         : isOutToIn      ? ": from each result to the " + targets + "\n"
                          : ": from the " + targets + " to each result\n");
  for (const Block &block : blocks)
    print(block, nameWidth, atWidth);
  wroteTable = true;
  blocks.clear();
}
