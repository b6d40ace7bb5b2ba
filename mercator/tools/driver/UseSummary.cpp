// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/UseSummary.h"

#include "mercator/support/Color.h"
#include "mercator/support/Numbers.h"
#include "mercator/support/Table.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using llvm::StringRef;

/// Rows of each table of the summary.
static constexpr size_t shownUses = 8;

void UseSummary::Count::add(int64_t more, StringRef name) {
  ++times;
  if (__builtin_add_overflow(bytes, more, &bytes))
    bytes = INT64_MAX;
  if (first.empty())
    first = name.str();
}

void UseSummary::add(StringRef computation, StringRef name, StringRef operation,
                     StringRef at, int64_t bytes) {
  std::string whole = (computation + "/" + name).str();
  all.add(bytes, whole);
  kinds[operation.str()].add(bytes, whole);
  at = at == "?" ? "" : at.substr(at.rfind('/') + 1);
  instructions.push_back({bytes, whole, operation.str(), at.str()});
}

void UseSummary::addWaste(StringRef cause, int64_t bytes) {
  causes[cause.str()].add(bytes, instructions.back().name);
}

void UseSummary::print(StringRef assuming, StringRef command, size_t lines,
                       bool color, llvm::raw_ostream &os) const {
  os << all.times
     << (all.times == 1 ? " instruction moves " : " instructions move ")
     << bytesText(all.bytes) << ", " << assuming << '\n';
  auto printCounts = [&](const char *title, const char *key,
                         const Counts &counts) {
    std::vector<std::pair<std::string, Count>> list(counts.begin(),
                                                    counts.end());
    llvm::sort(list, [](const auto &a, const auto &b) {
      return std::pair(-a.second.bytes, StringRef(a.first)) <
             std::pair(-b.second.bytes, StringRef(b.first));
    });
    os << '\n' << paint(title, Style::Bold, color) << '\n';
    Table table({{key, Style::Cyan},
                 {"times", Style::Plain, Align::Right},
                 {"bytes", Style::Plain, Align::Right},
                 {"first"}});
    for (const auto &[name, count] : llvm::ArrayRef(list).take_front(shownUses))
      table.addRow({name, std::to_string(count.times), bytesText(count.bytes),
                    count.first});
    table.print(os, color, 2);
    if (list.size() > shownUses)
      os << "  and " << list.size() - shownUses << " more\n";
  };
  printCounts("instructions by kind", "kind", kinds);
  if (!causes.empty())
    printCounts("bytes that are not used", "cause", causes);

  std::vector<Large> largest = instructions;
  llvm::sort(largest, [](const Large &a, const Large &b) {
    return std::tie(b.bytes, a.name) < std::tie(a.bytes, b.name);
  });
  os << '\n' << paint("most bytes", Style::Bold, color) << '\n';
  Table table({{"bytes", Style::Plain, Align::Right},
               {"instruction", Style::Cyan},
               {"kind"},
               {"line"}});
  for (const Large &l : llvm::ArrayRef(largest).take_front(shownUses))
    table.addRow({bytesText(l.bytes), l.name, l.operation, l.at});
  table.print(os, color, 2);
  os << '\n' << paint("next", Style::Bold, color) << '\n';
  if (!largest.empty())
    os << "  " << command
       << " --instruction=" << StringRef(largest.front().name).split(", ").first
       << '\n';
  os << "  " << command << " --all   all " << lines << " lines\n";
}
