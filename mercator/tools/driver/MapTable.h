// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The records of `mercator map` as tables: one table for each computation and
/// direction, printed when the next one begins.
///
///   main: from each result to the operands
///     %3 = pad  lstm.mlir:14  d0 in 0..4, d1 in 0..63
///       %2    exact  (d0, d1) -> (d0, d1),  d1 in 0..3
///       %cst  exact  (d0, d1) -> (),        d1 in 4..63
///
/// The first line of an instruction has the domain of its maps. A map repeats
/// only what differs: `(d0, d1) -> (), d1 in 4..63`.

#ifndef MERCATOR_TOOLS_DRIVER_MAPTABLE_H
#define MERCATOR_TOOLS_DRIVER_MAPTABLE_H

#include "mercator/compiler/maps/Maps.h"

#include <map>

namespace mercator {

class RecordDomains;

class MapTable {
public:
  /// `targets` is what the maps lead to: "operands" or "parameters". Lines are
  /// broken at `columns`, if that is not 0.
  MapTable(llvm::raw_ostream &os, bool color, llvm::StringRef targets,
           unsigned columns)
      : os(os), color(color), targets(targets), columns(columns) {}

  void write(const MapRecord &record);
  /// Prints the last table.
  void finish() { flush(); }

private:
  /// A map, or what is said about the maps above it.
  struct Row {
    std::string operand = {}, exact = {};
    std::string formula = {},
                domain = {}; ///< of a map; `formula` is the remark
    enum { Map, RemarkOnMap, Remark } kind = Map;
  };
  /// An instruction, from one of its results or operands.
  struct Block {
    std::string name, at, domain;
    std::vector<Row> rows;
  };

  /// By name, the descriptions of the runtime variables of a record.
  using Runtimes = std::map<std::string, std::vector<std::string>>;
  static Runtimes runtimesOf(const MapRecord &record);
  void addTarget(Block &block, const MapRecord &record, const MapTarget &target,
                 const RecordDomains &domains, const Runtimes &runtimes);
  void flush();
  void print(const Block &block, size_t nameWidth, size_t atWidth);
  void printRows(const Block &block);

  llvm::raw_ostream &os;
  bool color;
  std::string targets;
  unsigned columns;
  std::string computation;
  std::string between; ///< the title for a pair of instructions
  bool isOutToIn = true;
  std::vector<Block> blocks;
  bool wroteTable = false;
};

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_MAPTABLE_H
