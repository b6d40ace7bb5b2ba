// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/indexing/decide/Footprint.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/support/Table.h"
#include "mercator/tools/driver/MapOperand.h"
#include "mercator/tools/driver/MapWriter.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;
using llvm::StringRef;

namespace {
/// A line of the table. A map is one cell, so that it can be copied whole; its
/// two halves are aligned within it.
struct Row {
  std::string instruction, operand, exact;
  std::string head, domain; // of a map, or a remark about the map above
  bool isRemark = false;
};

class MapTable : public MapWriter {
public:
  MapTable(llvm::raw_ostream &os, bool color, StringRef targets)
      : os(os), color(color), targets(targets) {}

  void write(const MapRecord &record) override {
    if (rows.empty() || record.computation != computation ||
        record.direction != direction) {
      flush();
      pair.clear();
      if (!record.toInstruction.empty())
        pair = ": from " + record.instruction.str() + " to " +
               record.toInstruction +
               (record.direction == Direction::OutToIn ? ", which it reads\n"
                                                       : ", which reads it\n");
      computation = record.computation.str();
      direction = record.direction;
    }
    for (const MapTarget &target : record.to)
      addTarget(record, target);
    if (record.to.empty())
      rows.push_back({label(record, record.from), "", "exact",
                      "reads none of the " + targets, ""});
  }

  void finish() override { flush(); }

private:
  static std::string label(const MapRecord &record, unsigned result) {
    if (StringRef own = resultName(record.instruction, result); !own.empty())
      return own.str();
    std::string text = record.instruction.str();
    if (record.hasSeveralResults)
      text += ", result " + std::to_string(result);
    return text;
  }

  static std::string label(StringRef name, std::optional<unsigned> element) {
    if (!element)
      return name.str();
    return (name + "{" + llvm::Twine(*element) + "}").str();
  }

  /// An operand; with its number where the name is not enough.
  static std::string label(StringRef name, unsigned number, bool isRepeated,
                           std::optional<unsigned> element) {
    std::string text = label(name, element);
    return isRepeated ? text + " (" + std::to_string(number) + ")" : text;
  }

  void addTarget(const MapRecord &record, const MapTarget &target) {
    bool reads = record.direction == Direction::OutToIn;
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
    for (const OperandMap &m : target.maps) {
      row.exact = m.exact ? "exact" : "more";
      std::tie(row.head, row.domain) = halves(m.map);
      rows.push_back(row);
      if (!m.exact)
        addRemark("more than is read: " + m.reason + howMuchMore(m));
      addRuntimeVariables(m.map);
    }
  }

  static std::string howMuchMore(const OperandMap &m) {
    std::optional<OverRead> over = overRead(m, kShownCount);
    if (!over || !over->given.exact())
      return "";
    std::string text =
        "; gives " + std::to_string(over->given.value) + " pairs of elements";
    if (over->leastRead > 0)
      text += ", of which at least " + std::to_string(over->leastRead) +
              " are read";
    return text;
  }

  void addRuntimeVariables(const Map &map) {
    std::vector<std::string> names = variableNames(*map.arena, map.domain);
    size_t first = map.domain.dims.size() + map.domain.ranges.size();
    for (auto [i, variable] : llvm::enumerate(map.domain.runtimes)) {
      std::string source = map.arena->name(variable.source).str();
      if (variable.element >= 0)
        source += "{" + std::to_string(variable.element) + "}";
      addRemark(names[first + i] + ": in [" +
                std::to_string(variable.bounds.lower) + ", " +
                std::to_string(variable.bounds.upper) + "], read from " +
                source + " at " + sourceMapToString(map, i));
    }
  }

  void addRemark(std::string text) {
    rows.push_back({"", "", "", std::move(text), "", /*isRemark=*/true});
  }

  static std::pair<std::string, std::string> halves(const Map &map) {
    if (map.isKnownEmpty())
      return {"nothing", ""};
    std::string text = toString(map);
    StringRef separator = ", domain: ";
    size_t at = text.find(separator);
    if (at == std::string::npos)
      return {text, ""};
    return {text.substr(0, at + 1), text.substr(at + 2)};
  }

  void flush() {
    if (rows.empty())
      return;
    // A few very long maps do not push all the domains to the right.
    constexpr size_t kWidest = 48;
    size_t width = 0;
    for (const Row &row : rows)
      if (!row.isRemark && row.head.size() <= kWidest)
        width = std::max(width, row.head.size());
    Table table({{"instruction", Style::cyan},
                 {!pair.empty()             ? "other"
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
       << (!pair.empty() ? pair
           : direction == Direction::OutToIn
               ? ": from each result to the " + targets + "\n"
               : ": from the " + targets + " to each result\n");
    table.print(os, color, /*indent=*/2);
    wroteTable = true;
    rows.clear();
  }

  llvm::raw_ostream &os;
  bool color;
  std::string targets;
  std::string computation;
  std::string pair; // of instructions: the title
  Direction direction = Direction::OutToIn;
  std::vector<Row> rows;
  bool wroteTable = false;
};
} // namespace

std::unique_ptr<MapWriter>
mercator::makeMapTable(llvm::raw_ostream &os, bool color, StringRef targets) {
  return std::make_unique<MapTable>(os, color, targets);
}
