// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Rows of text in aligned columns, for a person at a terminal.
///
/// ```cpp
/// Table table({{"operand", Style::Cyan},
///              {"reads", Style::Plain, Align::Right}});
/// table.addRow({"p0", "1024"});
/// table.addRow({"weights", "8"});
/// table.print(llvm::outs(), /*color=*/false);
/// ```
///
/// prints
///
///   operand  reads
///   p0        1024
///   weights      8
///
/// Columns are two spaces apart and as wide as their widest cell, measured in
/// terminal columns. No line ends in a space. If no column has a title, no
/// title line is printed. Without `columns`, the output depends on the cells
/// alone: the same input gives the same bytes.

#ifndef MERCATOR_SUPPORT_TABLE_H
#define MERCATOR_SUPPORT_TABLE_H

#include "mercator/support/Color.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace mercator {

enum class Align { Left, Right };

class Table {
public:
  struct Column {
    std::string title;
    Style style = Style::Plain; // of the cells; titles are bold
    Align align = Align::Left;
  };

  explicit Table(std::vector<Column> columns) : columns(std::move(columns)) {}

  /// Appends a row. Missing cells at the end are empty. Requires: no more cells
  /// than columns.
  void addRow(std::vector<std::string> cells);

  [[nodiscard]] bool empty() const { return rows.empty(); }

  /// Prints the titles and rows, each line indented by `indent` spaces. If lines
  /// are wider than `columns`, which is not 0, the cells of the last column are
  /// broken.
  void print(llvm::raw_ostream &os, bool color, unsigned indent = 0,
             unsigned columns = 0) const;

private:
  void printLine(llvm::raw_ostream &os, llvm::ArrayRef<std::string> cells,
                 llvm::ArrayRef<unsigned> widths, bool isTitle, bool color,
                 unsigned indent) const;

  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

} // namespace mercator

#endif // MERCATOR_SUPPORT_TABLE_H
