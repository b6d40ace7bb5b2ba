// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator conformance DIR|FILE...`: runs test programs that carry their
/// expected results, and counts for each operation the programs that pass.

#include "mercator/compiler/run/Conformance.h"
#include "mercator/support/Table.h"
#include "mercator/tools/driver/Command.h"

using namespace mercator;
using llvm::StringRef;

static constexpr StringRef outcomeNames[kOutcomes] = {
    "pass", "fail", "unsupported", "round trip"};
static StringRef nameOf(Outcome outcome) {
  return outcomeNames[size_t(outcome)];
}

static std::string placeOf(const ConformanceFile &file,
                           const ConformanceCase &c) {
  std::string place = file.path;
  if (c.line != 0)
    place += ":" + std::to_string(c.line);
  if (!c.function.empty() && c.function != "main")
    place += " @" + c.function;
  return place;
}

static ConformanceTally tallyOf(const ConformanceFile &file) {
  ConformanceTally tally;
  for (const ConformanceCase &c : file.cases)
    tally.add(c);
  return tally;
}

static void writeCases(llvm::raw_ostream &os, bool color, Outcome outcome,
                       const std::vector<ConformanceFile> &files) {
  bool any = false;
  for (const ConformanceFile &file : files) {
    if (file.disabled)
      continue;
    for (const ConformanceCase &c : file.cases) {
      if (c.outcome != outcome)
        continue;
      if (!any)
        os << '\n' << paint(nameOf(outcome), Style::Bold, color) << '\n';
      any = true;
      os << "  " << placeOf(file, c) << ": " << c.reason << '\n';
    }
  }
}

static void writeDisabled(llvm::raw_ostream &os, bool color,
                          const std::vector<ConformanceFile> &files) {
  bool any = false;
  for (const ConformanceFile &file : files) {
    if (!file.disabled)
      continue;
    if (!any)
      os << '\n'
         << paint("disabled by their authors, not counted", Style::Bold, color)
         << '\n';
    any = true;
    ConformanceTally tally = tallyOf(file);
    os << "  " << file.path << ": ";
    if (tally[Outcome::Fail] + tally[Outcome::Unsupported] == 0) {
      os << "passes here\n";
      continue;
    }
    for (const ConformanceCase &c : file.cases)
      if (c.outcome == Outcome::Fail || c.outcome == Outcome::Unsupported) {
        os << nameOf(c.outcome) << ": " << c.reason << '\n';
        break;
      }
  }
}

static void writeSummary(llvm::raw_ostream &os, size_t files,
                         const ConformanceTally &total) {
  os << files << (files == 1 ? " file, " : " files, ")
     << total[Outcome::Pass] + total[Outcome::Fail] +
            total[Outcome::Unsupported]
     << " cases, " << total.checks << " checks: " << total[Outcome::Pass]
     << " pass, " << total[Outcome::Fail] << " fail, "
     << total[Outcome::Unsupported] << " unsupported; "
     << total[Outcome::RoundTrip]
     << (total[Outcome::RoundTrip] == 1 ? " program" : " programs")
     << " without inputs read back\n";
}

static void writeText(llvm::raw_ostream &os, bool color,
                      const ConformanceReport &report) {
  Table table({{"operation", Style::Cyan},
               {"pass", Style::Plain, Align::Right},
               {"fail", Style::Plain, Align::Right},
               {"unsupported", Style::Plain, Align::Right},
               {"read back", Style::Plain, Align::Right}});
  for (const auto &[operation, tally] : report.operations) {
    std::vector<std::string> row = {operation};
    for (int64_t count : tally.counts)
      row.push_back(count == 0 ? "." : std::to_string(count));
    table.addRow(std::move(row));
  }
  table.print(os, color);
  writeCases(os, color, Outcome::Fail, report.files);
  writeCases(os, color, Outcome::Unsupported, report.files);
  writeDisabled(os, color, report.files);
  os << '\n';
  writeSummary(os, report.files.size(), report.total);
}

static ExitCode runFiles(Invocation &invocation) {
  ConformanceOptions options;
  if (invocation.has("through"))
    options.through =
        stageNamed(invocation.get("through")).value_or(Stage::Source);
  if (invocation.has("target"))
    options.through = Stage::Cpu;
  options.native.isChecked = invocation.has("sanitize");
  options.native.keepsSubnormals = true; // as the specification says
  options.native.preciseMath = invocation.get("math") == "precise";
  if (invocation.get("cache") != "off")
    options.cache = invocation.get("cache").str();
  for (StringRef name : {"sanitize", "math", "cache"})
    if (invocation.has(name) && options.through != Stage::Cpu) {
      (void)invocation.getDiagnostics().error(
          {}, "expected machine code for `--" + name + "`, got the evaluator");
      invocation.getDiagnostics().help("--target=cpu --" + name);
      return ExitCode::WrongUsage;
    }
  verify::MapCounts counts;
  if (invocation.has("verify-maps"))
    options.lowering.verifyMaps = &counts;
  Answer<ConformanceReport> report = runConformance(
      invocation.getOperands(), invocation.getDiagnostics(), options);
  if (!report)
    return report.getFailure();
  if (invocation.has("json"))
    writeJson(*report, invocation.getOut());
  else
    writeText(invocation.getOut(), invocation.useColor(), *report);
  if (!options.cache.empty())
    llvm::errs() << "machine code of " << report->cached
                 << " cases was read from the cache\n";
  if (options.lowering.verifyMaps)
    llvm::errs() << "maps: " << counts << "\n";
  return report->total[Outcome::Fail] == 0 && counts.refuted == 0
             ? ExitCode::Done
             : ExitCode::PropertyFalse;
}

static constexpr Option conformanceOptions[] = {
    {.name = "through",
     .value = "linalg|flow",
     .help = "lower each program to this stage first"},
    {.name = "target",
     .value = "cpu",
     .help = "run machine code instead of the evaluator"},
    {.name = "sanitize",
     .help = "with --target=cpu: check every load and store of the programs"},
    {.name = "math",
     .value = "fast|precise",
     .help = "with --target=cpu: as for `mercator run`"},
    {.name = "cache",
     .value = "DIR",
     .help = "with --target=cpu: where machine code is kept; default: off"},
    {.name = "verify-maps",
     .help = "compare what functions read before and after each pass"},
};

const Command mercator::conformanceCommand = {
    .name = "conformance",
    .operands = "DIR|FILE...",
    .summary = "run programs that carry their expected results",
    .details =
        "Prints for each operation how many test programs pass, and why the others do not.\n"
        "A folder stands for all .mlir files in and below it. A file holds programs separated\n"
        "by `// -----` lines. Every function without arguments that no operation refers to is\n"
        "called; a program without such a function is read, printed and read again. The exit\n"
        "code is 3 if any fails.\n",
    .options = conformanceOptions,
    .examples = "mercator conformance examples/checks.mlir\n"
                "mercator conformance examples/checks.mlir --through=linalg\n",
    .run = runFiles};
