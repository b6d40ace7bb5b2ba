// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/MapSummary.h"

#include "mercator/support/Color.h"
#include "mercator/support/Table.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;

/// Rows of each table of the summary.
static constexpr size_t shownKinds = 8;

/// `f.mlir:12` of `models/f.mlir:12`.
static std::string shortPlace(llvm::StringRef at) {
  return at == "?" ? "" : at.substr(at.rfind('/') + 1).str();
}

void MapSummary::add(const MapRecord &record) {
  std::string name = record.computation + "/" + record.instruction;
  std::string kind = record.operation.empty()
                         ? "parameter"
                         : shortName(record.operation).str();
  bool isNew = name != current.name;
  if (isNew)
    current = {0, name, kind, shortPlace(record.at)};
  Count &count = kinds[kind];
  for (Count *c : {&all, &count}) {
    c->instructions += isNew;
    if (c->first.empty())
      c->first = name;
  }
  for (const MapTarget &target : record.to)
    for (const OperandMap &m : target.maps) {
      ++current.maps, ++all.maps, ++count.maps;
      if (m.exact)
        continue;
      ++all.inexact, ++count.inexact;
      Count &reason = reasons[m.reason];
      ++reason.maps;
      if (reason.first.empty())
        reason.first = name;
    }
  // The records of an instruction come together: its entry grows.
  llvm::erase_if(largest, [&](const Large &l) { return l.name == name; });
  auto place = llvm::find_if(
      largest, [&](const Large &l) { return l.maps < current.maps; });
  largest.insert(place, current);
  if (largest.size() > shownKinds)
    largest.pop_back();
}

/// The entries with the largest count first.
template <typename Map, typename Key>
static auto sorted(const Map &map, Key key) {
  std::vector<std::pair<std::string, typename Map::mapped_type>> list(
      map.begin(), map.end());
  llvm::sort(list, [&](const auto &a, const auto &b) {
    return std::pair(-key(a.second), llvm::StringRef(a.first)) <
           std::pair(-key(b.second), llvm::StringRef(b.first));
  });
  return list;
}

static void printMore(size_t count, llvm::raw_ostream &os) {
  if (count > shownKinds)
    os << "  and " << count - shownKinds << " more\n";
}

void MapSummary::printKinds(bool color, llvm::raw_ostream &os) const {
  os << '\n' << paint("instructions by kind", Style::Bold, color) << '\n';
  Table table({{"kind", Style::Cyan},
               {"instructions", Style::Plain, Align::Right},
               {"maps", Style::Plain, Align::Right},
               {"not exact", Style::Plain, Align::Right}});
  auto list = sorted(kinds, [](const Count &c) { return c.instructions; });
  for (const auto &[kind, count] : llvm::ArrayRef(list).take_front(shownKinds))
    table.addRow({kind, std::to_string(count.instructions),
                  std::to_string(count.maps), std::to_string(count.inexact)});
  table.print(os, color, 2);
  printMore(list.size(), os);
}

void MapSummary::printReasons(bool color, llvm::raw_ostream &os) const {
  if (reasons.empty())
    return;
  os << '\n' << paint("maps that are not exact", Style::Bold, color) << '\n';
  Table table({{"maps", Style::Plain, Align::Right}, {"reason"}, {"first"}});
  auto list = sorted(reasons, [](const Count &c) { return c.maps; });
  for (const auto &[reason, count] :
       llvm::ArrayRef(list).take_front(shownKinds))
    table.addRow({std::to_string(count.maps), reason, count.first});
  table.print(os, color, 2);
  printMore(list.size(), os);
}

void MapSummary::printLargest(bool color, llvm::raw_ostream &os) const {
  os << '\n' << paint("most maps", Style::Bold, color) << '\n';
  Table table({{"maps", Style::Plain, Align::Right},
               {"instruction", Style::Cyan},
               {"kind"},
               {"line"}});
  for (const Large &l : largest)
    table.addRow({std::to_string(l.maps), l.name, l.operation, l.at});
  table.print(os, color, 2);
}

void MapSummary::print(llvm::StringRef command, size_t lines, bool color,
                       llvm::raw_ostream &os) const {
  os << all.instructions << " instructions, " << all.maps << " maps, "
     << all.maps - all.inexact << " of them exact\n";
  printKinds(color, os);
  printReasons(color, os);
  printLargest(color, os);
  os << '\n' << paint("next", Style::Bold, color) << '\n';
  if (!largest.empty())
    os << "  " << command << " --instruction=" << largest.front().name << '\n';
  if (!kinds.empty())
    os << "  " << command << " --op="
       << sorted(kinds, [](const Count &c) { return c.instructions; })
              .front()
              .first
       << '\n';
  if (all.inexact > 0)
    os << "  " << command << " --inexact\n";
  os << "  " << command << " --all" << "   all " << lines << " lines\n";
}
