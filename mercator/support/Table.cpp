// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Table.h"

#include "mercator/support/Terminal.h"

#include <algorithm>
#include <cassert>

using namespace mercator;

void Table::addRow(std::vector<std::string> cells) {
  assert(cells.size() <= columns.size() && "a cell without a column");
  cells.resize(columns.size());
  rows.push_back(std::move(cells));
}

void Table::printLine(llvm::raw_ostream &os, llvm::ArrayRef<std::string> cells,
                      llvm::ArrayRef<unsigned> widths, bool isTitle, bool color,
                      unsigned indent) const {
  // Spaces are written only when text follows, so that no line ends in a space.
  unsigned owed = indent;
  for (size_t i = 0; i < columns.size(); ++i) {
    unsigned padding = widths[i] - displayWidth(cells[i]);
    if (columns[i].align == Align::Right)
      owed += padding;
    if (!cells[i].empty()) {
      os.indent(owed);
      owed = 0;
      os << paint(cells[i], isTitle ? Style::Bold : columns[i].style, color);
    }
    if (columns[i].align == Align::Left)
      owed += padding;
    owed += 2;
  }
  os << '\n';
}

void Table::print(llvm::raw_ostream &os, bool color, unsigned indent,
                  unsigned lineColumns) const {
  std::vector<std::string> titles;
  std::vector<unsigned> widths;
  bool hasTitle = false;
  for (const Column &column : columns) {
    titles.push_back(column.title);
    widths.push_back(displayWidth(column.title));
    hasTitle |= !column.title.empty();
  }
  for (const std::vector<std::string> &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], displayWidth(row[i]));

  if (hasTitle)
    printLine(os, titles, widths, /*isTitle=*/true, color, indent);
  // The columns before the last one.
  unsigned before = indent;
  for (size_t i = 0; i + 1 < widths.size(); ++i)
    before += widths[i] + 2;
  constexpr unsigned least = 16; // a narrower cell cannot be read
  unsigned width = lineColumns > before + least ? lineColumns - before : 0;
  for (const std::vector<std::string> &row : rows) {
    std::vector<std::string> cells = row;
    for (const std::string &part : wrap(row.back(), width)) {
      cells.back() = part;
      printLine(os, cells, widths, /*isTitle=*/false, color, indent);
      cells.assign(cells.size(), "");
    }
  }
}
