// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator diff A B`: what differs between two programs, and whether their
/// results read the same elements of their parameters.

#include "mercator/compiler/maps/Diff.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/support/Numbers.h"
#include "mercator/support/Table.h"
#include "mercator/tools/driver/Command.h"

using namespace mercator;
using Place = ProgramDiff::Place;

static std::string nameOf(const Place &place) {
  return place.computation.empty()
             ? place.instruction
             : place.computation + "/" + place.instruction;
}

/// `f.mlir:12, model.py:3`, without folders.
static std::string placeText(const Place &place) {
  llvm::StringRef at = place.location;
  std::string text = at.substr(at.rfind('/') + 1).str();
  return text + (place.origin.empty() ? "" : ", " + place.origin);
}

/// What has changed, readable: MLIR writes the quotes of a text in an attribute as
/// \\22, and a configuration may be long.
static std::string changeText(llvm::StringRef change) {
  std::string text;
  while (!change.empty()) {
    auto [before, rest] = change.split('\\');
    text += before;
    if (before.size() == change.size())
      break;
    if (rest.consume_front("22"))
      text += '"';
    else
      text += '\\';
    change = rest;
  }
  constexpr size_t most = 200;
  if (text.size() > most)
    text = text.substr(0, most) + "..";
  return text;
}

static void print(llvm::StringRef title, llvm::ArrayRef<Place> places,
                  bool color, llvm::raw_ostream &os) {
  if (places.empty())
    return;
  os << title << "\n";
  Table table({{"", Style::Cyan}, {""}, {""}});
  for (const Place &place : places)
    table.addRow({nameOf(place), place.operation, placeText(place)});
  table.print(os, color, 2);
}

static void print(llvm::ArrayRef<ProgramDiff::Change> changed,
                  llvm::raw_ostream &os) {
  if (changed.empty())
    return;
  os << "changed\n";
  for (const ProgramDiff::Change &change : changed) {
    os << "  " << nameOf(change.first) << " = " << change.first.operation
       << " (" << placeText(change.first) << ")";
    if (change.first.instruction != change.second.instruction ||
        change.first.location != change.second.location)
      os << ", now " << nameOf(change.second) << " ("
         << placeText(change.second) << ")";
    os << "\n";
    for (const std::string &what : change.changes)
      os << "    " << changeText(what) << "\n";
  }
}

/// The kernels that are not equal, with the bytes of their operands and results.
static void print(llvm::ArrayRef<ProgramDiff::Kernel> kernels, bool color,
                  llvm::raw_ostream &os) {
  Table table({{"", Style::Cyan}, {""}, {""}, {""}});
  auto bytes = [](const std::optional<int64_t> &count) {
    return count ? bytesText(*count) : std::string("? B");
  };
  for (const ProgramDiff::Kernel &kernel : kernels) {
    bool isFirst = !kernel.first.instruction.empty();
    bool isSecond = !kernel.second.instruction.empty();
    const Place &place = isSecond ? kernel.second : kernel.first;
    std::string size =
        isSecond ? bytes(kernel.secondBytes) : bytes(kernel.firstBytes);
    if (isFirst && isSecond && kernel.firstBytes != kernel.secondBytes)
      size = bytes(kernel.firstBytes) + " -> " + size;
    table.addRow({nameOf(place),
                  isFirst && isSecond ? "changed"
                  : isFirst           ? "only in the first"
                                      : "only in the second",
                  size, placeText(place)});
  }
  if (!kernels.empty())
    table.print(os, color, 2);
}

static void printMaps(llvm::StringRef title, llvm::ArrayRef<std::string> maps,
                      llvm::raw_ostream &os) {
  for (auto [i, map] : llvm::enumerate(maps))
    os << "    " << (i == 0 ? title : "       and") << " " << map << "\n";
  if (maps.empty())
    os << "    " << title << " nothing\n";
}

static void printReads(const ProgramDiff &diff, llvm::raw_ostream &os) {
  int64_t equal = 0;
  for (const ProgramDiff::Reads &each : diff.reads)
    equal += each.verdict == Proof::Verdict::Equal;
  os << "results: " << diff.equalResults << " computed by equal instructions\n";
  if (!diff.reads.empty())
    os << "maps from the other results to parameters: " << equal << " of "
       << diff.reads.size() << " proved equal\n";
  for (const ProgramDiff::Reads &each : diff.reads) {
    if (each.verdict == Proof::Verdict::Equal)
      continue;
    os << "  result " << each.result << " to parameter " << each.parameter
       << ": " << nameOf(each.verdict) << ", " << each.reason << "\n";
    printMaps("   first:", each.first, os);
    printMaps("  second:", each.second, os);
  }
}

static void print(const ProgramDiff &diff, bool color, llvm::raw_ostream &os) {
  if (diff.firstKernels && diff.secondKernels)
    os << "kernels: " << *diff.firstKernels << " in the first, "
       << *diff.secondKernels << " in the second\n";
  print(diff.kernels, color, os);
  os << "instructions: " << diff.equal << " equal, " << diff.changed.size()
     << " changed, " << diff.affected << " affected by a change, "
     << diff.onlyFirst.size() << " only in the first, "
     << diff.onlySecond.size() << " only in the second\n";
  print(diff.changed, os);
  print("only in the first", diff.onlyFirst, color, os);
  print("only in the second", diff.onlySecond, color, os);
  if (!diff.notComparable.empty())
    os << "results: not comparable, " << diff.notComparable << "\n";
  else
    printReads(diff, os);
  os << "maps " << nameOf(diff.verdict()) << "\n";
}

static ExitCode runDiff(Invocation &invocation) {
  if (invocation.getOperand(0) == "-" && invocation.getOperand(1) == "-") {
    (void)invocation.getDiagnostics().error(
        {}, "expected `-` for one of the programs, got it for both");
    return ExitCode::WrongUsage;
  }
  Compilation *programs[2];
  for (unsigned i : {0, 1}) {
    programs[i] = invocation.load(i);
    if (!programs[i])
      return ExitCode::InputRejected;
  }
  Answer<ProgramDiff> answer = programs[0]->diff(*programs[1]);
  if (!answer)
    return answer.getFailure();
  if (invocation.has("json"))
    writeJson(*answer, invocation.getOut());
  else
    print(*answer, invocation.useColor(), invocation.getOut());
  Proof proof;
  proof.verdict = answer->verdict();
  return exitCodeOf(proof);
}

const Command mercator::diffCommand = {
    .name = "diff",
    .operands = "A B",
    .summary = "print what differs between two programs",
    .details =
        "A and B are HLO text, StableHLO, or programs in linalg; one may be `-`, standard\n"
        "input. Instructions are matched by data flow: names and order do not matter. Then\n"
        "the maps from the results to the parameters are compared. The last line is\n"
        "`maps equal` if all of them are proved equal, `maps different` (exit code 3), or\n"
        "`maps undecided` (4).\n",
    .examples = "mercator diff examples/softmax.hlo examples/softmax.hlo\n"
                "mercator diff before.mlir after.mlir\n"
                "mercator diff before.hlo after.hlo --json\n",
    .run = runDiff,
    .folds = true};
