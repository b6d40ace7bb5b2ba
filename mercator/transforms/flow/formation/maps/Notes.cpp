// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/maps/MapGrouping.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;
using namespace mercator::flow::maps;
using indexing::Expr;

//===--- Reasons ----------------------------------------------------------===//

static std::string spellBytes(double bytes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (bytes < 1024)
    os << llvm::format("%.0f B", bytes);
  else if (bytes < 1024 * 1024)
    os << llvm::format("%.4g KiB", bytes / 1024);
  else
    os << llvm::format("%.4g MiB", bytes / (1024 * 1024));
  return text;
}

static std::string spellTime(double ns) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (ns < 1e6)
    os << llvm::format("%.3g us", ns / 1000);
  else
    os << llvm::format("%.3g ms", ns / 1e6);
  return text;
}

/// An unknown extent counts as the largest one: nothing of this size is a number.
static bool isKnown(double count) { return count < 0x1p56; }

static std::string spellCells(double cells) {
  if (!isKnown(cells))
    return "an unknown number of cells";
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.0f", cells) << (cells == 1 ? " cell" : " cells");
  return text;
}

static std::string spell(const indexing::MapSet &maps) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      maps, os, [&](const indexing::OperandMap &map) { os << map.map; },
      " and ");
  return text;
}

/// The index of the value that keeps a coordinate from being common: it is read
/// through a loop inside the cell.
std::string MapGrouping::whatKeepsApart(const Edge &edge, const Merge &merge) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto result = cast<OpResult>(edge.value);
  SmallVector<Expr> writer = cells::ofElements(
      arena, cellsOf(edge.from),
      nodes[edge.from].space->writes[result.getResultNumber()]);
  if (edge.maps.empty())
    return text;
  const indexing::Map &read = edge.maps.front().map;
  for (auto [i, coordinate] : llvm::enumerate(writer)) {
    if (!coordinate || llvm::any_of(merge.pairs, [&](const cells::Pair &pair) {
          return pair.writer &&
                 arena.uses(pair.writer, {indexing::VarKind::Dim, unsigned(i)});
        }))
      continue;
    Expr term =
        substitute(arena, coordinate,
                   {.dims = read.results, .ranges = {}, .runtimes = {}});
    os << (text.empty() ? "" : ", ") << "`" << indexing::Printed{arena, term}
       << "`";
  }
  return text;
}

void MapGrouping::explain(const Edge &edge, const FusedLines &lines,
                          std::optional<EdgeReason> refusal, Merge &merge,
                          const Division *division) {
  if (edge.areSiblings || !edge.use)
    return;
  auto result = cast<OpResult>(edge.value);
  EdgeNote note{.producer = result,
                .use = edge.use,
                .consumer = nodes[edge.to].op,
                .answer = refusal.value_or(EdgeReason::Together)};
  note.made = spell(indexing::MapSet(
      nodes[edge.from].space->writes[result.getResultNumber()]));
  note.read = spell(edge.maps);
  llvm::raw_string_ostream cost(note.cost);
  bool isPrice =
      refusal == EdgeReason::Slower || refusal == EdgeReason::TooLarge;
  if (refusal == EdgeReason::ThroughOthers && merge.third)
    note.third = merge.third;
  if (!refusal && isRepeated(edge.from) && !isRepeated(edge.to))
    cost << "each value is computed "
         << llvm::format(
                "%.0f",
                groups[groupOf(edge.from)].traffic.estimate(machine).tiles)
         << " times, once in each tile of cells";
  if (division) {
    note.times = {division->whole, division->parts};
    cost << "the code of one dispatch takes about "
         << spellTime(division->whole) << ", that of its parts "
         << spellTime(division->parts);
    if (lines.producer != 0 && lines.consumer != 0) {
      llvm::raw_string_ostream help(note.help);
      help << "--fuse=" << lines.producer << "," << lines.consumer;
      if (lines.number > 1)
        help << ":" << lines.number;
      help << " makes it one dispatch, slower by this estimate";
    }
  } else if (isPrice) {
    Estimate first = groups[merge.writer].traffic.estimate(machine);
    Estimate second = groups[merge.reader].traffic.estimate(machine);
    const Estimate &both = merge.estimate;
    note.times = {both.time(machine),
                  first.time(machine) + second.time(machine)};
    cost << "two dispatches of " << spellCells(first.cells) << " and "
         << spellCells(second.cells) << " take about "
         << spellTime(first.time(machine) + second.time(machine)) << ", one of "
         << spellCells(both.cells) << " " << spellTime(both.time(machine));
    if (both.cells < machine.cores)
      cost << "; " << llvm::format("%.0f", both.cells) << " of "
           << llvm::format("%.0f", machine.cores) << " cores would be busy";
    if (both.rereads > 1)
      cost << "; " << spellBytes(both.reread) << " would be read "
           << llvm::format("%.0f", both.rereads) << " times";
    if (refusal == EdgeReason::TooLarge)
      cost << "; a cell hands on " << spellBytes(both.innerBytes)
           << ", the cache of a core has " << spellBytes(machine.cacheBytes);
    if (std::string terms = whatKeepsApart(edge, merge); !terms.empty())
      cost << "; " << terms << " runs inside a cell";
    if (merge.wouldRepeat > 1 && isKnown(merge.wouldRepeat))
      cost << "; if all cells were kept, each value would be computed "
           << llvm::format("%.0f", merge.wouldRepeat) << " times";
    if (lines.producer != 0 && lines.consumer != 0) {
      llvm::raw_string_ostream help(note.help);
      help << "--fuse=" << lines.producer << "," << lines.consumer;
      if (lines.number > 1)
        help << ":" << lines.number;
      help << " makes it one dispatch, of " << spellCells(both.cells)
           << " with " << spellBytes(both.cellBytes) << " each";
      if (both.time(machine) > first.time(machine) + second.time(machine))
        help << ", and slower by this estimate";
    }
  }
  reasons.note(std::move(note));
}
