// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/ContractionSchedule.h"
#include "mercator/targets/cpu/kernels/Epilogue.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/MatrixUnit.h"
#include "mercator/targets/cpu/kernels/NarrowProducts.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/Prologue.h"
#include "mercator/targets/cpu/kernels/ScheduleText.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

/// With as many rows, copying b to panels pays; and if the first rows do it while they
/// are computed.
static constexpr int64_t kFewRows = 256, kManyRows = 48, kSomeRows = 16;

static int64_t extentOf(ArrayRef<ContractionLoop> loops) {
  int64_t total = 1;
  for (const ContractionLoop &loop : loops)
    total *= loop.extent;
  return total;
}

/// Whether a buffer is a part of a result that is larger than a core's own cache.
static bool isLargeResult(mlir::Value buffer) {
  constexpr int64_t kCacheBytes = 1024 * 1024;
  mlir::Value root = rootOf(buffer);
  auto type = cast<MemRefType>(root.getType());
  return isa<BlockArgument>(root) && type.hasStaticShape() &&
         type.getNumElements() * elementBytes(type.getElementType()) >=
             kCacheBytes;
}

ContractionProblem::ContractionProblem(const Contraction &contraction,
                                       int64_t vectorBytes)
    : outerRows(contraction.rows), outerColumns(contraction.columns),
      sums(contraction.sums), batch(contraction.batch),
      vectorBytes(vectorBytes) {
  if (!outerRows.empty())
    row = outerRows.pop_back_val();
  if (!outerColumns.empty())
    column = outerColumns.pop_back_val();
  auto type = cast<MemRefType>(contraction.c.getType());
  elementBits = type.getElementType().getIntOrFloatBitWidth();
  isFloat = isa<FloatType>(type.getElementType());
  isPairs = contraction.op->hasAttr(kPairs);
  addsBlock = contraction.op->hasAttr(kAddsBlock);
  isMatrix = contraction.op->hasAttr(kMatrix);
  if (auto why = contraction.op->getAttrOfType<StringAttr>(kNoMatrix))
    noMatrix = why.getValue();
  isZero = bool(fillBefore(contraction));
  isWhole = type.hasStaticShape() && type.getLayout().isIdentity();
  std::optional<Epilogue> epilogue = Epilogue::of(contraction, row, column);
  hasEpilogue = epilogue.has_value();
  isEpilogueFar = epilogue && isLargeResult(epilogue->result.buffer);
  isFar = isLargeResult(contraction.c);
  mlir::Value result = epilogue ? epilogue->result.buffer : mlir::Value();
  hasPrologue =
      !isMatrix && Prologue::ofColumns(contraction, column, result).has_value();
  hasRowsPrologue =
      !isMatrix && Prologue::ofRows(contraction, row, result).has_value();
  // Few rows may be dots, on any machine.
  if (outerColumns.empty() || rows() < kManyRows || column.extent == 1)
    return;
  const ContractionLoop &outer = outerColumns.back();
  int64_t lanes = vectorBytes * 8 / elementBits;
  if (outer.c == column.extent * column.c && lanes % column.extent == 0) {
    group = column.extent;
    groupB = column.b;
    column = {outer.extent * group, 0, outer.b, column.c};
    outerColumns.pop_back();
    hasEpilogue = hasPrologue = false;
  }
}

int64_t ContractionProblem::rows() const {
  return extentOf(outerRows) * row.extent;
}
int64_t ContractionProblem::columns() const {
  return extentOf(outerColumns) * column.extent;
}
int64_t ContractionProblem::terms() const { return extentOf(sums); }
int64_t ContractionProblem::members() const { return extentOf(batch); }

std::string ContractionProblem::describe() const {
  std::string count =
      members() == 1 ? "product" : std::to_string(members()) + " products";
  return (count + " of " + Twine(rows()) + " x " + Twine(columns()) + " x " +
          Twine(terms()))
      .str();
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// The terms of a dot product that are added side by side, on any machine.
static constexpr int64_t kDotBytes = 64;
static int64_t ceilOf(int64_t extent, int64_t size) {
  return (extent + size - 1) / size;
}

/// 32 vector registers hold at most 28 of c, one of a and some of b.
static constexpr int64_t kMostRegisters = 28;
static int64_t registersFor(int64_t lanes, int64_t bits) {
  return lanes * bits >= 512 ? kMostRegisters : 12;
}

/// Whether a block of rows can be computed while it copies its panel of b.
static bool canCopy(const ContractionProblem &p) {
  return p.hasNeighbors() && p.outerRows.empty() && p.outerColumns.empty() &&
         p.sums.size() == 1;
}

/// Whether it is. Threads divide the panels, or the batch: columns or members must be
/// enough for that. Low tiles read b often, and gain from panels of a if rows are many.
/// Ensures: for fewer than kManyRows the answer is the same on all machines.
static bool copiesPanels(const ContractionProblem &p, int64_t registers) {
  constexpr int64_t kColumns = 384, kMembers = 8;
  static_assert(kManyRows <= kFewRows);
  return canCopy(p) && p.row.extent >= kSomeRows &&
         (registers == kMostRegisters || p.rows() <= kFewRows) &&
         (p.column.extent >= kColumns || p.members() >= kMembers);
}

/// Rows of a and columns of b that both are contiguous, and too few rows to make up
/// for panels.
static bool areDots(const ContractionProblem &p, int64_t dotLanes) {
  return !p.isPairs && !p.hasNeighbors() && p.rows() < kManyRows &&
         !p.sums.empty() && p.sums.back().a == 1 && p.sums.back().b == 1 &&
         p.sums.back().extent >= 2 * dotLanes;
}

/// What is as far apart is on different pages, or nearly so.
static constexpr int64_t kFarBytes = 2048;

/// A few rows read b once. Its rows are far apart: reading them one after the other, a
/// few at a time, keeps to the order of memory.
static bool isStreamed(const ContractionProblem &p) {
  return p.sums.size() == 1 && p.sums[0].extent >= 4 * kStreamedRows &&
         p.sums[0].b * p.elementBits / 8 >= kFarBytes;
}

/// Rows that are far apart compete for the same places of the cache.
static bool competes(const ContractionProblem &p, int64_t leastRows,
                     int64_t width) {
  return p.outerRows.empty() && p.row.extent >= leastRows &&
         p.column.extent >= 4 * width && p.sums.size() == 1 &&
         (p.row.a * p.elementBits / 8) % 1024 == 0;
}

/// Rows are neighbors in a, and its terms are far apart: a tile would read each of them
/// on another page. Copying them reads long pieces.
static bool hasFarTerms(const ContractionProblem &p, int64_t leastRows) {
  return p.outerRows.empty() && p.row.a == 1 && p.row.extent >= leastRows &&
         p.sums.size() == 1 && p.sums[0].a * p.elementBits / 8 >= kFarBytes;
}

/// The terms of a part, if the sum is split. Streamed rows are added to c one by one,
/// and blocks of terms are.
static int64_t chooseSplit(const ContractionProblem &p,
                           ContractionSchedule::Form form) {
  using Form = ContractionSchedule::Form;
  constexpr int64_t kBlocks = 32 * 1024;
  int64_t length = form == Form::Streams ? kChain : kBlocks;
  bool isLong = form != Form::Dots && p.isFloat && p.sums.size() == 1 &&
                p.sums[0].extent >= 2 * length;
  return isLong && p.isWhole ? length : 0;
}

/// A sum of many terms is added up in blocks of whole chains: rows and panels of a
/// block are in the caches. Short blocks add up c more often. They pay where terms are
/// apart in a, and where all of b is packed, unless many rows have few columns.
static int64_t chooseTerms(const ContractionProblem &p, bool copies) {
  constexpr int64_t kMost = 1536, kGood = 1024, kShort = 256, kColumns = 128;
  static_assert(kGood % kChain == 0 && kShort % kChain == 0);
  if (p.sums.size() != 1)
    return 0;
  bool gains = p.sums[0].a > 1 ||
               (!copies && (p.rows() <= kFewRows || p.columns() >= kColumns));
  if (gains && !p.hasEpilogue && p.sums[0].extent >= (copies ? 2 : 3) * kShort)
    return kShort;
  if (p.sums[0].extent <= kMost)
    return 0;
  return p.rows() <= kFewRows ? kShort : kGood;
}

/// The height of tiles that costs least. A step of a tile's sum takes a cycle for each
/// of its vectors, and about two more (measured on Zen 5).
static int64_t chooseRows(const ContractionProblem &p, int64_t most,
                          int64_t vectors, bool overlaps) {
  constexpr int64_t kLeast = 4, kBetweenSteps = 2;
  int64_t cheapest = INT64_MAX, chosen = std::min(p.row.extent, most);
  auto costOf = [&](int64_t height) {
    return height == 0 ? 0 : std::max(height * vectors, kLeast) + kBetweenSteps;
  };
  for (int64_t rows = std::min(p.row.extent, most);
       rows >= std::min({p.row.extent, most, kLeast}); --rows) {
    int64_t full = p.row.extent / rows, rest = p.row.extent % rows;
    int64_t cost = overlaps ? ceilOf(p.row.extent, rows) * costOf(rows)
                            : full * costOf(rows) + costOf(rest);
    if (cost < cheapest) {
      cheapest = cost;
      chosen = rows;
    }
  }
  return chosen;
}

/// Whether b is computed where it is read: in vectors.
static bool canComputeB(const ContractionProblem &p,
                        const ContractionSchedule &s) {
  return p.hasNeighbors() || s.form == ContractionSchedule::Form::Dots ||
         p.hasSquares(s.lanes);
}

/// Each block of rows computes b again, unless it is packed: that takes longer than to
/// read it from the second cache.
static bool paysToComputeB(const ContractionProblem &p,
                           const ContractionSchedule &s, int64_t cacheBytes) {
  constexpr int64_t kMostTimes = 2;
  int64_t times = s.packsColumns ? 1 : ceilOf(p.rows(), s.rows);
  return times <= kMostTimes ||
         p.columns() * p.terms() * p.elementBits / 8 > cacheBytes;
}

/// A small a is as large as the panels.
static bool paysToComputeA(const ContractionProblem &p, int64_t cacheBytes) {
  return p.rows() * p.terms() * p.elementBits / 8 > cacheBytes / 2;
}

/// The first rows wait for b if it is in no cache near the core: the others have time to
/// fetch it. If they are many, b is read rarely. Terms that lie at a multiple of a page
/// share few places of the cache, and would push each other out.
static bool paysToFetchAhead(const ContractionProblem &p,
                             const ContractionSchedule &s, int64_t cacheBytes) {
  constexpr int64_t kMostBlocks = 12, kShared = 1024;
  int64_t blocks = ceilOf(p.row.extent, s.rows),
          distance = p.sums[0].b * p.elementBits / 8;
  return blocks > 2 && blocks <= kMostBlocks && distance % kShared != 0 &&
         p.sums[0].extent * distance > cacheBytes;
}

/// Squares of 2 by 2, which load four tiles for four products, or a row of up to 3. Few
/// rows read b in place. A panel of kGood words stays in the first cache.
static ContractionSchedule chooseMatrix(const ContractionProblem &p) {
  constexpr int64_t kMost = 512, kGood = 256;
  ContractionSchedule s;
  s.unit = ContractionSchedule::Unit::Matrix;
  s.lanes = kTileWords;
  s.rows = p.row.extent >= 2 * kTileRows ? 2 * kTileRows : kTileRows;
  s.vectors = std::min<int64_t>(s.rows == kTileRows ? 3 : 2,
                                ceilOf(p.column.extent, s.lanes));
  s.packsColumns = !p.hasNeighbors() || p.rows() >= kManyRows ||
                   p.column.extent % s.lanes != 0;
  s.split = chooseSplit(p, s.form);
  if (s.split == 0 && s.packsColumns && p.sums.size() == 1 &&
      p.sums[0].extent > kMost)
    s.terms = kGood;
  s.epilogue =
      p.hasEpilogue && !p.isEpilogueFar && s.terms == 0 && s.split == 0;
  s.prefetches = p.isFar && !s.epilogue;
  // A tile is multiplied in the time of about 64 products of vectors.
  s.parts = partsFor(2.0 * double(p.members()) * double(p.rows()) *
                     double(p.columns()) * double(p.terms()) / 64);
  return s;
}

ContractionSchedule ContractionSchedule::choose(const ContractionProblem &p,
                                                int64_t vectorBytes,
                                                int64_t cacheBytes) {
  if (p.isMatrix)
    return chooseMatrix(p);
  ContractionSchedule s;
  s.lanes = vectorBytes * 8 / p.elementBits;
  int64_t registers = registersFor(s.lanes, p.elementBits);
  s.vectors = std::min<int64_t>(p.row.extent <= registers / 4 ? 4 : 2,
                                ceilOf(p.column.extent, s.lanes));
  int64_t dotLanes = kDotBytes * 8 / p.elementBits;
  s.copies = !hasFarTerms(p, kFewRows) && copiesPanels(p, registers);
  s.packsColumns = s.copies || !p.hasNeighbors() || p.rows() >= kManyRows;
  if (s.packsColumns && p.row.extent >= kSomeRows &&
      registers == kMostRegisters && p.column.extent >= 6 * s.lanes)
    s.vectors = 3;
  if (areDots(p, dotLanes)) {
    s.form = Form::Dots;
    int64_t mostSums = 24 * s.lanes / dotLanes;
    s.lanes = dotLanes;
    s.packsColumns = false;
    // Several blocks of rows come from the second cache for each block of columns:
    // more columns read them less often.
    s.rows = p.row.extent <= 8 ? p.row.extent : 6;
    s.vectors = std::min<int64_t>(
        {8, std::max<int64_t>(1, mostSums / s.rows), p.column.extent});
  } else if (!s.packsColumns && isStreamed(p)) {
    s.form = Form::Streams;
  }
  s.split = chooseSplit(p, s.form);
  if (s.form == Form::Tiles && s.packsColumns)
    s.terms = chooseTerms(p, s.copies);
  s.epilogue = p.hasEpilogue && !p.isEpilogueFar && s.form == Form::Tiles &&
               s.terms == 0 && s.split == 0;
  // Of a shorter sum, the lines do not arrive before it ends.
  s.prefetches =
      p.isFar && !s.epilogue && s.form == Form::Tiles && p.terms() >= kChain;
  // Rows that are computed twice must not be added twice, nor be added up in c:
  // another thread may do so.
  bool startsAtZero = p.isZero && s.terms == 0 && s.form == Form::Tiles;
  if (s.form != Form::Dots) {
    int64_t most = registers / s.vectors;
    // Rows that are read in place: as many as a set of the first cache has places. Of
    // short blocks of terms that is fast enough.
    constexpr int64_t kWays = 8;
    s.rowsPrologue = p.hasRowsPrologue && s.form == Form::Tiles &&
                     s.split == 0 && p.outerRows.empty() &&
                     paysToComputeA(p, cacheBytes);
    bool inPlace =
        !s.rowsPrologue && (s.copies || (s.terms != 0 && s.terms <= kChain));
    if (inPlace && competes(p, kManyRows, s.vectors * s.lanes))
      most = std::min(most, kWays);
    s.overlaps = startsAtZero && p.row.extent > most && !p.isChained();
    s.rows = chooseRows(p, most, s.vectors, s.overlaps);
    s.packsRows = s.rowsPrologue || hasFarTerms(p, kFewRows) ||
                  (!inPlace && competes(p, kManyRows, s.vectors * s.lanes));
  }
  if (s.packsRows) {
    // Their elements of a fill half of the cache.
    int64_t terms = s.terms != 0 ? s.terms : p.terms();
    int64_t bytes = terms * s.rows * p.elementBits / 8;
    int64_t blocks =
        s.overlaps ? ceilOf(p.row.extent, s.rows) : p.row.extent / s.rows;
    int64_t most = std::max<int64_t>(1, cacheBytes / 2 / bytes);
    s.chunk = std::min(blocks, most);
    // Each chunk copies b again: few, and of the same size.
    if (s.copies)
      s.chunk = ceilOf(blocks, ceilOf(blocks, most + most / 2));
  }
  s.prologue =
      p.hasPrologue && canComputeB(p, s) && paysToComputeB(p, s, cacheBytes);
  s.fetchesAhead =
      s.copies && !s.prologue && paysToFetchAhead(p, s, cacheBytes);
  // A multiplication of a vector and an addition to it count as two operations.
  s.parts = partsFor(2.0 * double(p.members()) * double(p.rows()) *
                     double(p.columns()) * double(p.terms()) / 8);
  return s;
}

/// Whether b as it lies is as good as a panel: it fits into the first cache, and a tile
/// has all of its columns.
static bool isLikePanel(const ContractionProblem &p, int64_t lanes) {
  constexpr int64_t kBytes = 32 * 1024, kMostVectors = 4;
  return p.hasNeighbors() && p.outerColumns.empty() && p.sums.size() == 1 &&
         p.column.extent <= kMostVectors * lanes &&
         p.sums[0].extent * p.sums[0].b * p.elementBits / 8 <= kBytes;
}

ContractionSchedule ContractionSchedule::ofTile(const ContractionProblem &p,
                                                int64_t vectorBytes) {
  ContractionSchedule s;
  s.lanes = vectorBytes * 8 / p.elementBits;
  int64_t registers = registersFor(s.lanes, p.elementBits);
  bool isInPlace = registers == kMostRegisters && isLikePanel(p, s.lanes);
  s.vectors =
      std::min<int64_t>(isInPlace || p.row.extent <= registers / 4 ? 4 : 2,
                        ceilOf(p.column.extent, s.lanes));
  int64_t most = registers / s.vectors;
  s.packsColumns = !p.hasNeighbors() || !p.outerColumns.empty() ||
                   p.column.extent > s.vectors * s.lanes;
  s.overlaps = p.isZero && p.row.extent > most && !p.isChained();
  s.rows = chooseRows(p, most, s.vectors, s.overlaps);
  s.epilogue = p.hasEpilogue && !p.isEpilogueFar;
  s.prefetches = p.isFar && !s.epilogue;
  constexpr int64_t kFewPanels = 4; // each reads the rows once
  s.packsRows = competes(p, kSomeRows, s.vectors * s.lanes) ||
                (hasFarTerms(p, kSomeRows) &&
                 p.column.extent >= kFewPanels * s.vectors * s.lanes);
  if (s.packsRows)
    s.chunk = s.overlaps ? ceilOf(p.row.extent, s.rows) : p.row.extent / s.rows;
  return s;
}

ContractionSchedule ContractionSchedule::varied(const ContractionProblem &p,
                                                std::mt19937_64 &random,
                                                bool isInTile) const {
  auto drawn = [&](int64_t most) {
    return 1 + int64_t(random() % uint64_t(std::max<int64_t>(1, most)));
  };
  auto once = [&](int64_t in) { return drawn(in) == 1; };
  // Whatever comes: `check` says what is possible.
  constexpr int kTries = 16;
  for (int i = 0; i < kTries; ++i) {
    ContractionSchedule s = *this;
    s.rows = p.isMatrix ? drawn(6) * kTileRows : drawn(once(4) ? 40 : 8);
    s.vectors = drawn(form == Form::Dots || once(4) ? 8 : 4);
    s.parts = parts == 1 ? 1 : drawn(64);
    if (form != Form::Dots && !p.isMatrix && once(4))
      s.lanes = once(2) ? lanes * 2 : std::max<int64_t>(2, lanes / 2);
    if (once(2))
      s.packsColumns = !s.packsColumns;
    if (split == 0 && once(2))
      s.terms = p.isMatrix ? drawn(p.terms() / kTileWords) * kTileWords
                : once(2)  ? drawn(8) * kChain
                           : drawn(p.terms());
    s.copies = s.packsColumns && !p.isMatrix && once(2);
    s.fetchesAhead = s.copies && once(2);
    s.overlaps = once(2);
    s.packsRows = once(2);
    s.rowsPrologue = p.hasRowsPrologue && s.packsRows && once(2);
    s.chunk = s.packsRows ? drawn(once(4) ? 40 : 4) : 0;
    s.prefetches = once(2);
    s.epilogue &= !once(4);
    s.prologue &= !once(4);
    s.fetchesAhead &= !s.prologue;
    if ((isInTile ? s.checkInTile(p) : s.check(p)).empty())
      return s;
  }
  return *this;
}

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

/// What the matrix unit asks for.
static std::string checkMatrix(const ContractionSchedule &s,
                               const ContractionProblem &p) {
  if (s.unit != ContractionSchedule::Unit::Matrix)
    return "operands in the form of the matrix unit need unit=matrix";
  if (!p.isMatrix)
    return p.noMatrix.empty()
               ? "the matrix unit multiplies bf16, or integers of 8 bits, with at "
                 "least 65536 multiply-adds"
               : p.noMatrix;
  if (s.form != ContractionSchedule::Form::Tiles || s.packsRows)
    return "the matrix unit has form=tiles, and reads rows of a in place";
  if (s.copies)
    return "the matrix unit reads b from panels that are packed before";
  if (s.lanes != kTileWords)
    return "a tile of the matrix unit has 16 lanes";
  if (s.rows % kTileRows != 0)
    return "tiles of the matrix unit have 16 rows each";
  // Those of c, a row of those of b, and one of a.
  int64_t down = s.rows / kTileRows;
  if (down * s.vectors + (down == 1 ? 1 : s.vectors) + 1 > kTileRegisters)
    return "the matrix unit has 8 tiles: rows / 16 * vectors of c, vectors of b "
           "and one of a";
  if (s.terms % kTileWords != 0 || s.split % kTileWords != 0)
    return "the matrix unit adds 16 terms at a time, of 4 bytes each";
  if (!s.packsColumns && p.column.extent % kTileWords != 0)
    return "columns that the matrix unit reads in place are a multiple of 16";
  return "";
}

std::string ContractionSchedule::check(const ContractionProblem &p) const {
  bool isDots = form == Form::Dots, isTiles = form == Form::Tiles;
  if (lanes < 1 || rows < 1 || vectors < 1 || parts < 1 || terms < 0 ||
      split < 0 || chunk < 0)
    return "lanes, rows, vectors and parts are at least 1, other numbers at "
           "least 0";
  if (!llvm::isPowerOf2_64(uint64_t(lanes)) || lanes > 64)
    return "lanes is a power of 2, at most 64";
  if (rows > std::max<int64_t>(p.row.extent, 1))
    return "a tile has more rows than the result";
  if (unit == Unit::Matrix || p.isMatrix)
    if (std::string why = checkMatrix(*this, p); !why.empty())
      return why;
  constexpr int64_t kMostVectors = 64;
  if ((unit == Unit::Vector && rows * vectors > kMostVectors) || parts > 64)
    return "a tile has at most 64 vectors, and there are at most 64 parts";
  if (p.isPairs && lanes * p.elementBits != p.vectorBytes * 8)
    return "pairs are multiplied in a whole vector of the CPU, of " +
           std::to_string(p.vectorBytes * 8 / p.elementBits) + " lanes";
  if (p.group != 1 && lanes % p.group != 0)
    return "a vector has whole groups of columns";
  if (isDots) {
    if (p.isPairs || p.group != 1 || p.sums.empty() || p.sums.back().a != 1 ||
        p.sums.back().b != 1)
      return "dots need terms that are neighbors in a and in b";
    if (vectors > p.column.extent)
      return "a tile has more columns than the result";
    if (packsColumns || packsRows || split != 0)
      return "dots pack nothing, and add up the whole sum";
  } else if (!packsColumns && !p.hasNeighbors()) {
    return "columns that are not neighbors in b must be packed";
  }
  if (form == Form::Streams && (packsColumns || p.sums.size() != 1))
    return "streams read b in place, and have one loop of terms";
  if (terms != 0 &&
      (!isTiles || p.sums.size() != 1 || terms > p.sums[0].extent))
    return "blocks of terms need form=tiles, and one loop of as many terms";
  if (copies && !canCopy(p))
    return "the first rows can copy b if columns are neighbors in b, and rows, "
           "columns and terms are one loop each";
  if (copies && (!isTiles || !packsColumns))
    return "the first rows copy b to a panel: form=tiles, pack=b or ab";
  if (fetchesAhead && (!copies || prologue))
    return "rows fetch columns of b that others copy as they are: copy=1, no "
           "prologue";
  if (terms % kChain != 0 && p.isChained())
    return "blocks of terms have whole chains of 256";
  if (overlaps && (!isTiles || !p.isZero || terms != 0 || p.isChained()))
    return "rows may be computed twice only if their sums begin with zero, in "
           "one chain";
  if (epilogue && (!p.hasEpilogue || !isTiles || terms != 0 || split != 0))
    return "an epilogue needs an operation that can be computed from tiles of "
           "whole sums";
  if (prologue && (!p.hasPrologue || !canComputeB(p, *this)))
    return "a prologue needs an operation that can be computed in vectors as b "
           "is read";
  if (rowsPrologue && (!p.hasRowsPrologue || !packsRows || split != 0))
    return "a prologue of a needs pack=a, a whole sum, and an operation that can be "
           "computed in vectors as rows are packed";
  if (prefetches && !isTiles)
    return "lines of the result are fetched ahead of tiles: form=tiles";
  if (packsRows != (chunk != 0))
    return "chunk is the blocks of rows of a that are packed: pack=ab";
  if (packsRows && (!p.outerRows.empty() || p.sums.size() != 1))
    return "rows can be packed if they are one loop, and the terms are";
  if (split != 0 && (!p.isFloat || p.sums.size() != 1 || !p.isWhole ||
                     split > p.sums[0].extent))
    return "a sum can be split if it is of floats, in one loop, and its result "
           "a whole buffer";
  return "";
}

std::string
ContractionSchedule::checkInTile(const ContractionProblem &p) const {
  if (form != Form::Tiles || parts != 1 || split != 0 || copies || prologue ||
      rowsPrologue)
    return "in a tile of cells, a product has form=tiles and parts=1, does not "
           "split its sum, has no prologue, and packs b before it begins";
  return check(p);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kForms[] = {"tiles", "streams", "dots"};
static constexpr llvm::StringLiteral kUnits[] = {"vector", "matrix"};

void ContractionSchedule::print(llvm::raw_ostream &os) const {
  os << "form=" << kForms[size_t(form)];
  if (unit != Unit::Vector)
    os << " unit=" << kUnits[size_t(unit)];
  os << " lanes=" << lanes << " rows=" << rows << " vectors=" << vectors;
  if (packsColumns || packsRows)
    os << " pack=" << (packsRows ? packsColumns ? "ab" : "a" : "b");
  auto number = [&](llvm::StringRef name, int64_t value) {
    if (value != 0)
      os << ' ' << name << '=' << value;
  };
  number("copy", copies);
  number("ahead", fetchesAhead);
  number("overlaps", overlaps);
  number("epilogue", epilogue);
  number("prologue", prologue);
  number("prologue_a", rowsPrologue);
  number("prefetch", prefetches);
  number("terms", terms);
  number("split", split);
  number("chunk", chunk);
  os << " parts=" << parts;
}

std::string ContractionSchedule::text() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

FailureOr<ContractionSchedule>
ContractionSchedule::given(Operation *op, Attribute text,
                           const ContractionProblem &problem,
                           bool isInTile) const {
  auto words = dyn_cast<StringAttr>(text);
  llvm::Expected<ContractionSchedule> parsed =
      words ? parse(words.getValue())
            : llvm::createStringError("expected a string");
  std::string why = !parsed    ? llvm::toString(parsed.takeError())
                    : isInTile ? parsed->checkInTile(problem)
                               : parsed->check(problem);
  if (why.empty())
    return *parsed;
  return refuseSchedule(op, text,
                        problem.members() == 1 ? "a " + problem.describe()
                                               : problem.describe(),
                        why, isInTile ? kProducts : kSchedule, this->text());
}

llvm::Expected<ContractionSchedule>
ContractionSchedule::parse(llvm::StringRef text) {
  ContractionSchedule s;
  SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    auto [name, value] = word.split('=');
    if (name == "form") {
      const auto *known = llvm::find(kForms, value);
      if (known == std::end(kForms))
        return llvm::createStringError("'" + word +
                                       "': expected tiles, streams or dots");
      s.form = Form(known - std::begin(kForms));
      continue;
    }
    if (name == "unit") {
      const auto *known = llvm::find(kUnits, value);
      if (known == std::end(kUnits))
        return llvm::createStringError("'" + word +
                                       "': expected vector or matrix");
      s.unit = Unit(known - std::begin(kUnits));
      continue;
    }
    if (name == "pack") {
      s.packsColumns = value.contains('b');
      s.packsRows = value.contains('a');
      if (value != "a" && value != "b" && value != "ab")
        return llvm::createStringError("'" + word + "': expected a, b or ab");
      continue;
    }
    int64_t copies = 0, ahead = 0, overlaps = 0, epilogue = 0, prologue = 0,
            rowsPrologue = 0, prefetches = 0;
    int64_t *field = llvm::StringSwitch<int64_t *>(name)
                         .Case("lanes", &s.lanes)
                         .Case("rows", &s.rows)
                         .Case("vectors", &s.vectors)
                         .Case("copy", &copies)
                         .Case("ahead", &ahead)
                         .Case("overlaps", &overlaps)
                         .Case("epilogue", &epilogue)
                         .Case("prologue", &prologue)
                         .Case("prologue_a", &rowsPrologue)
                         .Case("prefetch", &prefetches)
                         .Case("terms", &s.terms)
                         .Case("split", &s.split)
                         .Case("chunk", &s.chunk)
                         .Case("parts", &s.parts)
                         .Default(nullptr);
    if (!field)
      return llvm::createStringError(
          "'" + word +
          "': expected form, unit, lanes, rows, vectors, pack, copy, ahead, overlaps, "
          "epilogue, prologue, prologue_a, prefetch, terms, split, chunk or parts");
    if (value.getAsInteger(10, *field))
      return llvm::createStringError("'" + word + "': expected a number");
    s.copies |= copies != 0;
    s.fetchesAhead |= ahead != 0;
    s.overlaps |= overlaps != 0;
    s.epilogue |= epilogue != 0;
    s.prologue |= prologue != 0;
    s.rowsPrologue |= rowsPrologue != 0;
    s.prefetches |= prefetches != 0;
  }
  return s;
}
