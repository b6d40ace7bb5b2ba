// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The records of `mercator map` as tables: one table for each computation and
/// direction, printed when the next one begins.

#ifndef MERCATOR_TOOLS_DRIVER_MAPTABLE_H
#define MERCATOR_TOOLS_DRIVER_MAPTABLE_H

#include "mercator/compiler/Maps.h"

namespace mercator {

class MapTable {
public:
  /// `targets` is what the maps lead to: "operands" or "parameters".
  MapTable(llvm::raw_ostream &os, bool color, llvm::StringRef targets)
      : os(os), color(color), targets(targets) {}

  void write(const MapRecord &record);
  /// Prints the last table.
  void finish() { flush(); }

private:
  /// A line of the table. A map is one cell, so that it can be copied whole;
  /// its two halves are aligned within the cell.
  struct Row {
    std::string instruction, operand, exact;
    std::string head, domain; ///< of a map, or a remark about the map above
    bool isRemark = false;
  };

  void addTarget(const MapRecord &record, const MapTarget &target);
  void addMap(Row row, const MapDescription &map);
  void addRemark(std::string text);
  void flush();

  llvm::raw_ostream &os;
  bool color;
  std::string targets;
  std::string computation;
  std::string between; ///< the title for a pair of instructions
  bool isOutToIn = true;
  std::vector<Row> rows;
  bool wroteTable = false;
};

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_MAPTABLE_H
