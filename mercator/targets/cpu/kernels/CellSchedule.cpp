// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/CellSchedule.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/ScheduleText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mercator;
using namespace mercator::cpu;

static int64_t ceilOfRows(int64_t extent, int64_t rows) {
  return (extent + rows - 1) / rows;
}

int64_t CellProblem::rowTiles(int64_t rows) const {
  return ceilOfRows(extents.back(), rows);
}

int64_t CellProblem::tiles(int64_t rows) const {
  int64_t count = rowTiles(rows);
  for (int64_t extent : llvm::ArrayRef(extents).drop_back())
    count *= extent;
  return count;
}

std::optional<CellSchedule> CellSchedule::choose(const CellProblem &p,
                                                 int64_t cacheBytes) {
  // Half of the cache is for the rows of a tile, and as much for what all rows share.
  // What fits into a whole one is in a cache anyway.
  constexpr int64_t kMostRows = 64, kLeastRows = 8, kManyRows = 16,
                    kRowsOfBlocks = 128;
  int64_t half = cacheBytes / 2;
  if (p.products == 0 || p.rowBytes == 0 ||
      (p.localBytes < cacheBytes && p.block == 0))
    return std::nullopt;
  int64_t most = std::min({p.rows(), p.block != 0 ? kRowsOfBlocks : kMostRows,
                           std::max<int64_t>(1, half / p.rowBytes)});
  int64_t least = p.sharedBytes > half ? kManyRows : kLeastRows;
  if (p.block == 0 && most < std::min(p.rows(), least))
    return std::nullopt;
  CellSchedule s;
  s.rows = ceilOfRows(p.rows(), p.rowTiles(most));
  s.block = p.block;
  s.parts = evenParts(p.tiles(s.rows), partsFor(p.operations));
  // Few rows cost less time than their code takes to compile.
  constexpr int64_t kLeastRowsOfOne = 32; ///< that is computed twice
  int64_t repeated = p.rowTiles(s.rows) * s.rows - p.rows();
  s.overlaps = repeated * kLeastRowsOfOne <= p.rows();
  if (!s.check(p).empty())
    s.overlaps = false;
  return s;
}

CellSchedule CellSchedule::drawn(const CellProblem &p,
                                 std::mt19937_64 &random) {
  // Whatever comes: `check` says what is possible.
  constexpr int kTries = 16;
  CellSchedule s;
  s.block = p.block;
  for (int i = 0; i < kTries; ++i) {
    uint64_t most = random() % 2 == 0 ? 8 : 70;
    s.rows = int64_t(random() % most);
    s.parts = int64_t(random() % most);
    s.overlaps = random() % 2 == 0;
    if (s.check(p).empty())
      return s;
  }
  return {.rows = 1, .block = p.block, .parts = 1};
}

std::string CellSchedule::check(const CellProblem &p) const {
  constexpr int64_t kMostParts = 64;
  if (p.products == 0)
    return "tiles have at least one product";
  if (rows < 1 || rows > p.rows())
    return "a tile has 1 to " + std::to_string(p.rows()) +
           " rows, the last coordinate";
  if (parts < 1 || parts > std::min(kMostParts, p.tiles(rows)))
    return "there are at least 1 and at most 64 parts, and at most one for each of "
           "the " +
           std::to_string(p.tiles(rows)) + " tiles";
  if (overlaps && p.rows() % rows == 0)
    return "no tile has fewer rows than the others: no rows are computed twice";
  if (overlaps && !p.canRepeatRows)
    return "rows may be computed twice only if nothing of them is read before it is "
           "written, and without a mask";
  if (int64_t cells = p.tiles(rows) / p.rowTiles(rows);
      overlaps && cells % parts != 0)
    return "one thread computes rows twice: expected parts to divide the " +
           std::to_string(cells) + " cells of the other coordinates";
  if (block != 0 && p.block == 0)
    return "blocks need a softmax or sums of long rows between products, and fast "
           "math";
  if (block < 0 || block > p.columns)
    return "a block has 1 to " + std::to_string(p.columns) +
           " columns, or is 0: all of them";
  return "";
}

std::string CellSchedule::text() const {
  std::string text = "rows=" + std::to_string(rows);
  if (block != 0)
    text += " block=" + std::to_string(block);
  if (overlaps)
    text += " overlaps=1";
  return text + " parts=" + std::to_string(parts);
}

llvm::Expected<CellSchedule> CellSchedule::parse(llvm::StringRef text) {
  CellSchedule s;
  int64_t overlaps = 0;
  if (llvm::Error error = readNumbers(text, {{"rows", &s.rows},
                                             {"block", &s.block},
                                             {"overlaps", &overlaps},
                                             {"parts", &s.parts}}))
    return error;
  s.overlaps = overlaps != 0;
  return s;
}

std::string CellSchedule::describe(const CellProblem &p) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(p.extents, os, " x ");
  os << " cells, tiles of " << rows << " rows, ";
  if (block != 0)
    os << "blocks of " << block << " columns, ";
  if (overlaps)
    os << "the last begins in the one before, ";
  os << parts << " parts";
  return text;
}
