// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/explain/Profile.h"

#include "mercator/support/Utf8.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace mercator;
using llvm::StringRef;

namespace {
struct CounterName {
  Counter counter;
  StringRef name, metric;
  enum Unit { Count, Bytes, Time } unit = Count;
};
constexpr CounterName kNames[] = {
    {Counter::Grid, "grid", "launch__grid_size"},
    {Counter::Block, "block", "launch__block_size"},
    {Counter::Loads, "loads",
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {Counter::LoadSectors, "load_sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {Counter::Stores, "stores",
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    {Counter::StoreSectors, "store_sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {Counter::BytesRead, "dram_read", "dram__bytes_read.sum",
     CounterName::Bytes},
    {Counter::BytesWritten, "dram_write", "dram__bytes_write.sum",
     CounterName::Bytes},
    {Counter::Microseconds, "us", "gpu__time_duration.sum", CounterName::Time},
};
static_assert(std::size(kNames) == kCounters);

/// A cell of a line, without its quotes.
struct Cell {
  std::string text;
  size_t begin, end; ///< in the buffer, with quotes
};
} // namespace

StringRef mercator::nameOf(Counter counter) {
  return kNames[size_t(counter)].name;
}
StringRef mercator::metricOf(Counter counter) {
  return kNames[size_t(counter)].metric;
}

namespace {
class ProfileReader {
public:
  ProfileReader(const SourceBuffer &text,
                mercator::DiagnosticEngine &diagnostics)
      : text(text), diagnostics(diagnostics) {}

  std::optional<Profile> read() {
    unsigned number = 1;
    if (failed(findTitles(number)) || failed(findColumns()))
      return std::nullopt;
    Profile profile;
    for (++number; number <= text.getLineCount(); ++number) {
      StringRef line = text.getLine(number);
      if (line.trim().empty() || line.starts_with("=="))
        continue;
      std::optional<std::vector<Cell>> cells = cellsOf(number);
      if (!cells)
        return std::nullopt;
      if (cells->size() != titles.size()) {
        // What the program prints after the last launch.
        if (cells->size() == 1 && !line.starts_with("\""))
          continue;
        (void)diagnostics.error(whole(number),
                                "expected " + llvm::Twine(titles.size()) +
                                    " cells, as the line of titles has, got " +
                                    llvm::Twine(cells->size()));
        return std::nullopt;
      }
      if (profile.launches.empty() && (*cells)[nameColumn].text.empty()) {
        if (failed(readUnits(*cells)))
          return std::nullopt;
        continue;
      }
      std::optional<Profile::Launch> launch = readLaunch(*cells);
      if (!launch)
        return std::nullopt;
      profile.launches.push_back(std::move(*launch));
    }
    if (profile.launches.empty()) {
      (void)diagnostics.error(whole(text.getLineCount()),
                              "expected a line for each launch, got none");
      return std::nullopt;
    }
    return profile;
  }

private:
  SourceRange whole(unsigned number) const {
    size_t begin = text.getOffset({number, 1});
    return {&text, begin, begin + text.getLine(number).size()};
  }
  SourceRange rangeOf(const Cell &cell) const {
    return {&text, cell.begin, cell.end};
  }

  /// None after an error about an open quote.
  std::optional<std::vector<Cell>> cellsOf(unsigned number) {
    StringRef line = text.getLine(number);
    size_t start = text.getOffset({number, 1}), i = 0;
    std::vector<Cell> cells;
    while (true) {
      Cell cell{.text = {}, .begin = start + i, .end = 0};
      if (i < line.size() && line[i] == '"') {
        for (++i;; ++i) {
          if (i >= line.size()) {
            (void)diagnostics.error({&text, cell.begin, start + line.size()},
                                    "expected '\"' at the end of this cell");
            return std::nullopt;
          }
          if (line[i] == '"') {
            if (i + 1 >= line.size() || line[i + 1] != '"')
              break;
            ++i; // two are one
          }
          cell.text += line[i];
        }
        ++i;
      }
      for (; i < line.size() && line[i] != ','; ++i)
        cell.text += line[i];
      cell.end = start + i;
      cells.push_back(std::move(cell));
      if (i >= line.size())
        return cells;
      ++i;
    }
  }

  llvm::LogicalResult findTitles(unsigned &number) {
    for (; number <= text.getLineCount(); ++number) {
      StringRef line = text.getLine(number);
      if (line.starts_with("==") || !line.contains("Kernel Name"))
        continue;
      std::optional<std::vector<Cell>> cells = cellsOf(number);
      if (!cells)
        return llvm::failure();
      titles = std::move(*cells);
      return llvm::success();
    }
    (void)diagnostics.error({&text, 0, 0},
                            "expected the CSV of Nsight Compute, with a line "
                            "of titles that has 'Kernel Name', got none");
    helpCommand();
    return llvm::failure();
  }

  llvm::LogicalResult findColumns() {
    bool hasName = false, hasCounter = false;
    for (auto [i, title] : llvm::enumerate(titles)) {
      if (title.text == "Kernel Name") {
        nameColumn = i;
        hasName = true;
      } else if (title.text == "Grid Size") {
        gridColumn = i;
      } else if (title.text == "Block Size") {
        blockColumn = i;
      } else if (title.text == "Metric Name") {
        (void)diagnostics.error(
            rangeOf(title),
            "expected the raw page, with a column for each counter, got a line "
            "for each counter");
        helpCommand();
        return llvm::failure();
      }
      for (const CounterName &name : kNames)
        if (name.metric == title.text) {
          columns[size_t(name.counter)] = i;
          hasCounter = true;
        }
    }
    if (hasName && hasCounter)
      return llvm::success();
    (void)diagnostics.error({&text, titles.front().begin, titles.back().end},
                            "expected a column 'Kernel Name' and one such as "
                            "'gpu__time_duration.sum'");
    helpCommand();
    return llvm::failure();
  }

  void helpCommand() {
    diagnostics.help("ncu --import report.ncu-rep --page raw --csv");
  }

  /// Powers of 1000, and for times microseconds.
  llvm::LogicalResult readUnits(llvm::ArrayRef<Cell> cells) {
    for (const CounterName &name : kNames) {
      std::optional<size_t> column = columns[size_t(name.counter)];
      if (!column || name.unit == CounterName::Count)
        continue;
      const Cell &cell = cells[*column];
      StringRef unit = cell.text;
      double &scale = scales[size_t(name.counter)];
      if (name.unit == CounterName::Time) {
        scale = llvm::StringSwitch<double>(unit)
                    .Cases({"ns", "nsecond"}, 1e-3)
                    .Cases({"us", "usecond"}, 1)
                    .Cases({"ms", "msecond"}, 1e3)
                    .Cases({"s", "second"}, 1e6)
                    .Default(0);
      } else {
        scale = llvm::StringSwitch<double>(unit)
                    .Cases({"byte", "B"}, 1)
                    .Cases({"Kbyte", "KB"}, 1e3)
                    .Cases({"Mbyte", "MB"}, 1e6)
                    .Cases({"Gbyte", "GB"}, 1e9)
                    .Cases({"Tbyte", "TB"}, 1e12)
                    .Default(0);
      }
      if (scale == 0)
        return diagnostics.error(rangeOf(cell),
                                 "expected a unit of " +
                                     llvm::Twine(name.unit == CounterName::Time
                                                     ? "time, such as us"
                                                     : "bytes, such as Mbyte") +
                                     ", got " + quote(unit));
    }
    return llvm::success();
  }

  std::optional<Profile::Launch> readLaunch(llvm::ArrayRef<Cell> cells) {
    Profile::Launch launch;
    // `void f<int>(float *)` has types; kernels of XLA do not.
    launch.kernel = StringRef(cells[nameColumn].text).split('(').first.trim();
    for (const CounterName &name : kNames) {
      std::optional<size_t> column = columns[size_t(name.counter)];
      if (!column)
        continue;
      const Cell &cell = cells[*column];
      std::string digits = cell.text;
      llvm::erase(digits, ',');
      if (digits.empty() || digits == "n/a" || digits == "nan")
        continue;
      double value = 0;
      if (StringRef(digits).getAsDouble(value) || !std::isfinite(value) ||
          value < 0) {
        (void)diagnostics.error(rangeOf(cell), "expected a number of '" +
                                                   name.metric + "', got " +
                                                   quote(cell.text));
        return std::nullopt;
      }
      launch.values[size_t(name.counter)] =
          value * scales[size_t(name.counter)];
    }
    for (auto [counter, column] :
         {std::pair(Counter::Grid, gridColumn), {Counter::Block, blockColumn}})
      if (column && !launch.values[size_t(counter)])
        launch.values[size_t(counter)] = productOf(cells[*column].text);
    return launch;
  }

  /// `(800, 1, 1)`; none for another form.
  static std::optional<double> productOf(StringRef text) {
    if (!text.consume_front("(") || !text.consume_back(")"))
      return std::nullopt;
    double product = 1;
    llvm::SmallVector<StringRef, 3> parts;
    text.split(parts, ',');
    for (StringRef part : parts) {
      int64_t size = 0;
      if (part.trim().getAsInteger(10, size) || size < 0)
        return std::nullopt;
      product *= double(size);
    }
    return product;
  }

  const SourceBuffer &text;
  mercator::DiagnosticEngine &diagnostics;
  std::vector<Cell> titles;
  size_t nameColumn = 0;
  std::optional<size_t> gridColumn, blockColumn;
  std::array<std::optional<size_t>, kCounters> columns = {};
  std::array<double, kCounters> scales = {1, 1, 1, 1, 1, 1, 1, 1, 1e-3};
};
} // namespace

std::optional<Profile> mercator::readProfile(const SourceBuffer &text,
                                             DiagnosticEngine &diagnostics) {
  return ProfileReader(text, diagnostics).read();
}

/// The name that XLA gives the kernel of an instruction.
static std::string kernelName(StringRef instruction) {
  std::string name = instruction.str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

Measured mercator::measure(const Profile &profile,
                           llvm::ArrayRef<KernelRecord> kernels) {
  llvm::StringMap<size_t> numbers;
  std::vector<Measured::Group> groups;
  std::vector<std::array<int64_t, kCounters>> counts;
  for (const Profile::Launch &launch : profile.launches) {
    auto [it, isNew] = numbers.try_emplace(launch.kernel, groups.size());
    if (isNew) {
      groups.push_back({.kernel = launch.kernel});
      counts.push_back({});
    }
    Measured::Group &group = groups[it->second];
    ++group.launches;
    for (size_t i = 0; i < kCounters; ++i)
      if (launch.values[i]) {
        group.mean[i] = group.mean[i].value_or(0) + *launch.values[i];
        ++counts[it->second][i];
      }
  }
  for (auto [group, count] : llvm::zip(groups, counts))
    for (size_t i = 0; i < kCounters; ++i)
      if (group.mean[i])
        *group.mean[i] /= double(count[i]);
  Measured measured;
  std::vector<bool> isUsed(groups.size());
  llvm::DenseMap<uint64_t, size_t> byWork; // of what they compute, mixed
  for (const KernelRecord &kernel : kernels) {
    std::optional<Measured::Group> &own = measured.kernels.emplace_back();
    if (!kernel.kernel.isKnown())
      continue;
    auto it = numbers.find(kernelName(kernel.instruction));
    uint64_t work = kernel.computes >> 1; // the map reserves the largest keys
    size_t number = groups.size();
    if (it != numbers.end()) {
      number = it->second;
      byWork.try_emplace(work, number);
    } else if (auto same = byWork.find(work); same != byWork.end()) {
      number = same->second;
    }
    if (number == groups.size())
      continue;
    own = groups[number];
    isUsed[number] = true;
  }
  for (auto [i, group] : llvm::enumerate(groups))
    if (!isUsed[i])
      measured.others.push_back(std::move(group));
  return measured;
}

std::optional<double> mercator::predicted(const KernelRecord &kernel,
                                          Counter counter) {
  const kernels::Counts &counts = kernel.counts;
  if (!kernel.kernel.isKnown())
    return std::nullopt;
  auto of = [](const Verdict<int64_t> &verdict) -> std::optional<double> {
    if (verdict.why.exactness == Exactness::Unknown)
      return std::nullopt;
    return double(verdict.value);
  };
  switch (counter) {
  case Counter::Grid:
    return double(kernel.kernel.grid);
  case Counter::Block:
    return double(kernel.kernel.block);
  case Counter::Loads:
    return of(counts.loads);
  case Counter::LoadSectors:
    return of(counts.loadSectors);
  case Counter::Stores:
    return of(counts.stores);
  case Counter::StoreSectors:
    return of(counts.storeSectors);
  case Counter::BytesRead:
    return of(counts.bytesRead);
  case Counter::BytesWritten:
    return of(counts.bytesWritten);
  case Counter::Microseconds:
    return kernel.time.microseconds;
  }
  llvm_unreachable("all counters are listed");
}

void mercator::writeMembers(const Measured::Group &group,
                            llvm::json::OStream &json) {
  json.attribute("kernel", validUtf8(group.kernel));
  json.attribute("launches", group.launches);
  for (const CounterName &name : kNames)
    if (std::optional<double> value = group.mean[size_t(name.counter)])
      json.attribute(name.name, *value);
}
