// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator conformance DIR|FILE...`: runs test programs that carry their
/// expected results, and says for each operation how many of them pass.

#include "mercator/support/File.h"
#include "mercator/support/Table.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/ConformanceCases.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <array>
#include <map>

using namespace mercator;
using llvm::StringRef;

namespace {
struct FileReport {
  std::string path;
  bool disabled = false;
  std::vector<ConformanceCase> cases;
};

/// How many cases had each outcome.
struct Tally {
  std::array<int64_t, 4> counts{};
  int64_t &operator[](Outcome outcome) { return counts[size_t(outcome)]; }
  int64_t operator[](Outcome outcome) const { return counts[size_t(outcome)]; }
  int64_t checks = 0;
  void add(const ConformanceCase &c) {
    ++(*this)[c.outcome];
    checks += c.checks;
  }
};
} // namespace

static constexpr StringRef outcomeNames[] = {"pass", "fail", "unsupported",
                                             "round trip"};
static StringRef nameOf(Outcome outcome) {
  return outcomeNames[size_t(outcome)];
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The file itself, or every .mlir file below a folder, in order of their
/// names.
static bool collect(const std::string &path, std::vector<std::string> &files,
                    DiagnosticEngine &diagnostics) {
  namespace fs = llvm::sys::fs;
  if (!fs::is_directory(path)) {
    files.push_back(path);
    return true;
  }
  std::error_code error;
  std::vector<std::string> found;
  for (fs::recursive_directory_iterator it(path, error, /*follow=*/false), end;
       !error && it != end; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir"))
      found.push_back(it->path());
  if (error) {
    (void)diagnostics.error({}, "cannot read " + path + ": " +
                                    StringRef(error.message()).lower());
    return false;
  }
  if (found.empty()) {
    (void)diagnostics.error({},
                            "expected .mlir files in " + path + ", got none");
    return false;
  }
  llvm::sort(found);
  llvm::append_range(files, found);
  return true;
}

//===----------------------------------------------------------------------===//
// For a person
//===----------------------------------------------------------------------===//

static std::string placeOf(const FileReport &file, const ConformanceCase &c) {
  std::string place = file.path;
  if (c.line != 0)
    place += ":" + std::to_string(c.line);
  if (!c.function.empty() && c.function != "main")
    place += " @" + c.function;
  return place;
}

static Tally tallyOf(const FileReport &file) {
  Tally tally;
  for (const ConformanceCase &c : file.cases)
    tally.add(c);
  return tally;
}

static void writeCases(llvm::raw_ostream &os, bool color, Outcome outcome,
                       const std::vector<FileReport> &files) {
  bool any = false;
  for (const FileReport &file : files) {
    if (file.disabled)
      continue;
    for (const ConformanceCase &c : file.cases) {
      if (c.outcome != outcome)
        continue;
      if (!any)
        os << '\n' << paint(nameOf(outcome), Style::bold, color) << '\n';
      any = true;
      os << "  " << placeOf(file, c) << ": " << c.reason << '\n';
    }
  }
}

static void writeDisabled(llvm::raw_ostream &os, bool color,
                          const std::vector<FileReport> &files) {
  bool any = false;
  for (const FileReport &file : files) {
    if (!file.disabled)
      continue;
    if (!any)
      os << '\n'
         << paint("disabled by their authors, not counted", Style::bold, color)
         << '\n';
    any = true;
    Tally tally = tallyOf(file);
    os << "  " << file.path << ": ";
    if (tally[Outcome::fail] + tally[Outcome::unsupported] == 0) {
      os << "passes here\n";
      continue;
    }
    for (const ConformanceCase &c : file.cases)
      if (c.outcome == Outcome::fail || c.outcome == Outcome::unsupported) {
        os << nameOf(c.outcome) << ": " << c.reason << '\n';
        break;
      }
  }
}

static void writeSummary(llvm::raw_ostream &os, size_t files, Tally total) {
  os << files << (files == 1 ? " file, " : " files, ")
     << total[Outcome::pass] + total[Outcome::fail] +
            total[Outcome::unsupported]
     << " cases, " << total.checks << " checks: " << total[Outcome::pass]
     << " pass, " << total[Outcome::fail] << " fail, "
     << total[Outcome::unsupported] << " unsupported; "
     << total[Outcome::roundTrip]
     << (total[Outcome::roundTrip] == 1 ? " program" : " programs")
     << " without inputs read back\n";
}

static void writeText(llvm::raw_ostream &os, bool color,
                      const std::vector<FileReport> &files,
                      const std::map<std::string, Tally> &operations,
                      Tally total) {
  Table table({{"operation", Style::cyan},
               {"pass", Style::plain, Align::right},
               {"fail", Style::plain, Align::right},
               {"unsupported", Style::plain, Align::right},
               {"read back", Style::plain, Align::right}});
  for (const auto &[operation, tally] : operations) {
    std::vector<std::string> row = {operation};
    for (int64_t count : tally.counts)
      row.push_back(count == 0 ? "." : std::to_string(count));
    table.addRow(std::move(row));
  }
  table.print(os, color);
  writeCases(os, color, Outcome::fail, files);
  writeCases(os, color, Outcome::unsupported, files);
  writeDisabled(os, color, files);
  os << '\n';
  writeSummary(os, files.size(), total);
}

//===----------------------------------------------------------------------===//
// For a program
//===----------------------------------------------------------------------===//

static void writeTally(llvm::json::OStream &json, Tally tally) {
  json.attribute("pass", tally[Outcome::pass]);
  json.attribute("fail", tally[Outcome::fail]);
  json.attribute("unsupported", tally[Outcome::unsupported]);
  json.attribute("read_back", tally[Outcome::roundTrip]);
  json.attribute("checks", tally.checks);
}

static void writeJson(llvm::raw_ostream &os,
                      const std::vector<FileReport> &files,
                      const std::map<std::string, Tally> &operations,
                      Tally total) {
  static constexpr StringRef words[] = {"pass", "fail", "unsupported",
                                        "read_back"};
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("schema", "mercator.conformance/1");
    json.attributeObject("total", [&] { writeTally(json, total); });
    json.attributeArray("operations", [&] {
      for (const auto &[operation, tally] : operations)
        json.object([&] {
          json.attribute("operation", operation);
          writeTally(json, tally);
        });
    });
    json.attributeArray("cases", [&] {
      for (const FileReport &file : files)
        for (const ConformanceCase &c : file.cases)
          json.object([&] {
            json.attribute("file", file.path);
            json.attribute("function", c.function);
            json.attribute("operation", c.operation);
            json.attribute("outcome", words[size_t(c.outcome)]);
            json.attribute("checks", c.checks);
            json.attribute("disabled", file.disabled);
            if (!c.reason.empty()) {
              json.attribute("line", c.line);
              json.attribute("reason", c.reason);
            }
          });
    });
  });
  os << '\n';
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

static ExitCode run(Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  std::vector<std::string> paths;
  for (const std::string &operand : invocation.getOperands())
    if (!collect(operand, paths, diagnostics))
      return ExitCode::inputRejected;

  std::vector<FileReport> files;
  std::map<std::string, Tally> operations;
  Tally total;
  for (const std::string &path : paths) {
    llvm::Expected<std::string> text = readFile(path);
    if (!text) {
      (void)diagnostics.error({}, llvm::toString(text.takeError()));
      return ExitCode::inputRejected;
    }
    SourceBuffer source(path == "-" ? "<stdin>" : path, std::move(*text));
    FileReport &file = files.emplace_back();
    file.path = source.getName().str();
    file.disabled = isDisabled(source);
    file.cases = runConformance(source);
    if (file.disabled)
      continue;
    for (const ConformanceCase &c : file.cases) {
      operations[c.operation].add(c);
      total.add(c);
    }
  }
  if (invocation.has("json"))
    writeJson(invocation.getOut(), files, operations, total);
  else
    writeText(invocation.getOut(), invocation.useColor(), files, operations,
              total);
  return total[Outcome::fail] == 0 ? ExitCode::done : ExitCode::propertyFalse;
}

const Command mercator::conformanceCommand = {
    .name = "conformance",
    .operands = "DIR|FILE...",
    .summary = "run programs that carry their expected results",
    .details =
        "Prints for each operation how many test programs pass, and why the "
        "others do not.\nOf a folder, all .mlir files in and below it; in a "
        "file, programs between `// -----`\nlines. Every function without "
        "arguments that no other names is called; a program\nwithout one is "
        "read, printed and read again. Ends with code 3 if any fails.\n",
    .examples = "mercator conformance examples/checks.mlir\n",
    .run = run};
