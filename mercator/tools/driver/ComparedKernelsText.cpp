// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Kernels beside what a profile has measured, and beside those of another compilation.

#include "mercator/support/Numbers.h"
#include "mercator/support/Table.h"
#include "mercator/tools/driver/KernelsText.h"

#include <cmath>
#include <tuple>

using namespace mercator;
using llvm::StringRef;

/// `+3 %`, from the first to the second.
static std::string percentText(double from, double to) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%+.0f %%", (to / from - 1) * 100);
  return text == "-0 %" ? "+0 %" : text;
}

//===----------------------------------------------------------------------===//
// A profile
//===----------------------------------------------------------------------===//

static std::string counterText(Counter counter, double value) {
  switch (counter) {
  case Counter::Microseconds:
    return timeText(value);
  case Counter::BytesRead:
  case Counter::BytesWritten:
    return bytesText(int64_t(std::llround(value)));
  default:
    return std::to_string(std::llround(value));
  }
}

static StringRef titleOf(Counter counter) {
  switch (counter) {
  case Counter::Grid:
    return "blocks";
  case Counter::Block:
    return "threads of a block";
  case Counter::Loads:
    return "loads";
  case Counter::LoadSectors:
    return "sectors of loads";
  case Counter::Stores:
    return "stores";
  case Counter::StoreSectors:
    return "sectors of stores";
  case Counter::BytesRead:
    return "from memory";
  case Counter::BytesWritten:
    return "to memory";
  case Counter::Microseconds:
    return "time";
  }
  llvm_unreachable("all counters are listed");
}

void mercator::printMeasured(const Explanation &explanation, bool color,
                             llvm::raw_ostream &os) {
  const Measured &measured = *explanation.measured;
  Table table({{"kernel", Style::Cyan},
               {"counter"},
               {"predicted", Style::Plain, Align::Right},
               {"measured", Style::Plain, Align::Right},
               {"difference", Style::Plain, Align::Right}});
  std::vector<StringRef> absent;
  for (auto [kernel, group] :
       llvm::zip(explanation.launches, measured.kernels)) {
    if (!group) {
      if (kernel.kernel.isKnown())
        absent.push_back(kernel.instruction);
      continue;
    }
    std::string name = kernel.instruction;
    if (group->launches != 1)
      name += ", mean of " + std::to_string(group->launches);
    for (size_t i = 0; i < kCounters; ++i) {
      auto counter = Counter(i);
      if (!group->mean[i])
        continue;
      std::optional<double> said = predicted(kernel, counter);
      bool isEqual = said && *said == *group->mean[i];
      table.addRow({std::exchange(name, {}), titleOf(counter).str(),
                    said ? counterText(counter, *said) : "not known",
                    counterText(counter, *group->mean[i]),
                    said && !isEqual && *group->mean[i] > 0
                        ? percentText(*group->mean[i], *said)
                        : ""});
    }
  }
  os << "\nbeside the profile\n\n";
  if (table.empty())
    os << "  the profile has none of these kernels\n";
  else
    table.print(os, color, 2);
  for (const Measured::Group &group : measured.others) {
    os << "  " << group.kernel
       << ", no kernel of this program: " << group.launches
       << (group.launches == 1 ? " launch" : " launches");
    if (auto us = group.mean[size_t(Counter::Microseconds)])
      os << ", " << timeText(*us * double(group.launches));
    os << "\n";
  }
  if (!absent.empty() && !table.empty()) {
    os << "  not in the profile: ";
    llvm::interleaveComma(absent, os);
    os << "\n";
  }
}

//===----------------------------------------------------------------------===//
// Another compilation
//===----------------------------------------------------------------------===//

/// `before -> now`, or one of them.
static std::string changeText(const std::string &before,
                              const std::string &now) {
  if (before.empty() || now.empty() || before == now)
    return before.empty() ? now : before;
  return before + " -> " + now;
}

namespace {
/// The cells of one kernel; all empty for none.
struct KernelCells {
  std::string name, emitter, launch, bytes, time, origin;

  explicit KernelCells(const KernelRecord *kernel) {
    if (!kernel)
      return;
    name = kernel->instruction;
    emitter = nameOf(kernel->kernel.emitter);
    origin = originOf(*kernel);
    if (!kernel->kernel.isKnown())
      return;
    launch = std::to_string(kernel->kernel.grid) + " of " +
             std::to_string(kernel->kernel.block);
    bytes = bytesText(bytesOf(*kernel));
    time = timeText(kernel->time.microseconds);
    if (kernel->repeats != 1)
      time += ", " + std::to_string(kernel->repeats) + " times";
  }
};
} // namespace

void mercator::printAgainst(const Explanation &explanation, StringRef other,
                            const Device &device, bool color,
                            llvm::raw_ostream &os) {
  const Explanation::Against &against = *explanation.against;
  const KernelTotals &before = against.comparison.before,
                     &now = against.comparison.now;
  os << "against " << other << ", predicted for " << device.title << "\n\n";
  Table totals({{""},
                {"before", Style::Plain, Align::Right},
                {"now", Style::Plain, Align::Right},
                {"", Style::Plain, Align::Right}});
  auto addTotal = [&](StringRef what, double from, double to,
                      const std::string &fromText, const std::string &toText) {
    totals.addRow({what.str(), fromText, toText,
                   from > 0 && from != to ? percentText(from, to) : ""});
  };
  addTotal("launches", double(before.launches), double(now.launches),
           std::to_string(before.launches), std::to_string(now.launches));
  addTotal("bytes", double(before.bytes), double(now.bytes),
           bytesText(before.bytes), bytesText(now.bytes));
  addTotal("time", before.microseconds, now.microseconds,
           timeText(before.microseconds), timeText(now.microseconds));
  if (before.unknown > 0 || now.unknown > 0)
    addTotal("without, of libraries", 0, 0, std::to_string(before.unknown),
             std::to_string(now.unknown));
  totals.print(os, color, 2);

  struct Row {
    double microseconds;
    std::vector<std::string> cells;
  };
  std::vector<Row> rows;
  size_t same = 0;
  double sameTime = 0;
  for (const KernelPair &pair : against.comparison.pairs) {
    const KernelRecord *a = pair.before ? &against.launches[*pair.before]
                                        : nullptr,
                       *b = pair.now ? &explanation.launches[*pair.now]
                                     : nullptr;
    auto timeOf = [](const KernelRecord *k) {
      return k ? k->time.microseconds * double(k->repeats) : 0;
    };
    if (a && b && pair.changes.empty()) {
      ++same;
      sameTime += timeOf(b);
      continue;
    }
    KernelCells x(a), y(b);
    rows.push_back(
        {std::abs(timeOf(b) - timeOf(a)),
         {a && b ? "changed"
          : a    ? "gone"
                 : "new",
          changeText(x.name, y.name), changeText(x.emitter, y.emitter),
          changeText(x.launch, y.launch), changeText(x.bytes, y.bytes),
          changeText(x.time, y.time), changeText(x.origin, y.origin)}});
  }
  llvm::sort(rows, [](const Row &a, const Row &b) {
    return std::tie(b.microseconds, a.cells) <
           std::tie(a.microseconds, b.cells);
  });
  Table table({{""},
               {"kernel", Style::Cyan},
               {"emitter"},
               {"blocks"},
               {"bytes"},
               {"time"},
               {"at", Style::Dim}});
  for (Row &row : rows)
    table.addRow(std::move(row.cells));
  os << "\n";
  if (!table.empty())
    table.print(os, color, 2);
  if (same > 0)
    os << "  " << same << (same == 1 ? " kernel is" : " kernels are")
       << " the same: " << timeText(sameTime) << "\n";
}
