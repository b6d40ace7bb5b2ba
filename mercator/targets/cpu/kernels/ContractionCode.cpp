// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/ContractionCode.h"
#include "mercator/targets/cpu/kernels/CellLoops.h"
#include "mercator/targets/cpu/kernels/Contraction.h"
#include "mercator/targets/cpu/kernels/ContractionSchedule.h"
#include "mercator/targets/cpu/kernels/ElementBody.h"
#include "mercator/targets/cpu/kernels/Epilogue.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/Masks.h"
#include "mercator/targets/cpu/kernels/MatrixTiles.h"
#include "mercator/targets/cpu/kernels/MatrixUnit.h"
#include "mercator/targets/cpu/kernels/NarrowProducts.h"
#include "mercator/targets/cpu/kernels/OnlineSoftmax.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/Prologue.h"
#include "mercator/targets/cpu/kernels/RowSchedule.h"
#include "mercator/targets/cpu/kernels/TransposeCode.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include <functional>
#include <random>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

static void emitPart(const Contraction &part, const Prologues &prologues,
                     const Machine &machine, std::mt19937_64 *random);

static int64_t product(ArrayRef<ContractionLoop> loops) {
  int64_t total = 1;
  for (const ContractionLoop &loop : loops)
    total *= loop.extent;
  return total;
}

namespace {
using Loops = ArrayRef<ContractionLoop>;
using Body = llvm::function_ref<void()>;

/// Addresses of the current position, in elements.
struct Position {
  mlir::Value a, b, c;
};

/// An operand that is computed where it is read.
struct Computed {
  Prologue prologue;
  /// Of each input: the buffer of one dimension, or null for a scalar, and the index of
  /// the element that belongs to the current one of the operand.
  SmallVector<mlir::Value> buffers, at;
};

/// Panels of b for all tiles. A last tile of fewer rows has code of its own, and reads the
/// same panels.
struct TilePanels {
  Operation *place; ///< they are packed before it
  mlir::Value b;
  SmallVector<int64_t> numbers; ///< that say what a panel has
  mlir::Value packed;
};

/// The steps of a dot product that are added one after another.
constexpr int64_t kDotFan = 32;

class ContractionEmitter {
public:
  ContractionEmitter(const Contraction &contraction,
                     const ContractionProblem &problem,
                     const ContractionSchedule &schedule,
                     const Prologues &prologues,
                     std::vector<TilePanels> &tilePanels,
                     const Machine &machine, std::mt19937_64 *random)
      : own(contraction), problem(problem), schedule(schedule),
        machine(machine), random(random), prologues(prologues),
        tilePanels(tilePanels), builder(contraction.op),
        loc(contraction.op->getLoc()), row(problem.row), column(problem.column),
        outerRows(problem.outerRows), outerColumns(problem.outerColumns) {
    element = cast<MemRefType>(own.c.getType()).getElementType();
    operand = cast<MemRefType>(own.b.getType()).getElementType();
    if (auto type = own.op->getAttrOfType<TypeAttr>(kPairs))
      pairsOf = type.getValue();
    vector = VectorType::get({schedule.lanes}, element);
    if (schedule.epilogue)
      epilogue = Epilogue::of(own, row, column);
  }

  /// The code before the operation.
  void emit();

private:
  using Form = ContractionSchedule::Form;

  void split();
  void emitInTile(scf::ForOp tiles);
  [[nodiscard]] bool isByRows(StringRef name) const;
  mlir::Value boundOf(StringRef name, int64_t extent, mlir::Value first,
                      mlir::Value last);
  void limitTerms();
  void ofRows(Position at, mlir::Value first, int64_t rows, int64_t columnsLeft,
              Body body);
  mlir::Value countNothing(mlir::Value begin, mlir::Value end);
  /// Whether a tile adds chains: of a block of terms too, if the whole sum does.
  [[nodiscard]] bool isChained() const {
    return schedule.form == Form::Tiles && problem.isChained();
  }
  mlir::Value flat(mlir::Value buffer) { return lineOf(builder, loc, buffer); }
  void allocatePanels(int64_t copies);
  bool packBefore(scf::ForOp tiles);
  void pack(int64_t parts);
  struct PanelLoops {
    SmallVector<ContractionLoop> sums, columns; ///< c: the stride in panels
    int64_t elements;                           ///< of a panel
  };
  [[nodiscard]] PanelLoops panelLoops() const;
  void readPanels();
  [[nodiscard]] SmallVector<int64_t> panelNumbers() const;
  void packSquares(Loops sums, Position at, int64_t columns);
  void chunks(Position at, mlir::Value from, mlir::Value to);
  void forChunks(mlir::Value from, mlir::Value to,
                 llvm::function_ref<void(mlir::Value, mlir::Value)> body);
  void startRows(mlir::Value at);
  void allocateRows(int64_t copies);
  /// Where the memory of a part's worker begins, of which each has `total` elements.
  mlir::Value ofWorker(mlir::Value part, int64_t total) {
    return plus(index(0), workerOf(builder, loc, part), total);
  }
  void divideBatch(int64_t divided);
  void member(Position at, int64_t divided);
  void blockOfTerms(Position at, int64_t divided);
  void sumBlocks(Position at, llvm::function_ref<void(Position)> body);
  void dots(Position at, int64_t divided);
  void dotNodes(Position at, int64_t divided);
  [[nodiscard]] int64_t nodeTerms() const;
  mlir::Value nodeAt(mlir::Value node, Position at, int64_t row,
                     int64_t column);
  void dotRows(Position at, int64_t columns);
  void dotTile(Position at, int64_t rows, int64_t columns);
  SmallVector<mlir::Value> treesOf(SmallVector<mlir::Value> sums);
  void packRows(mlir::Value origin, mlir::Value first, mlir::Value end);
  void packRest(mlir::Value origin);
  void packBlock(mlir::Value firstRow, mlir::Value to);
  void packTerms(mlir::Value origin, mlir::Value first, mlir::Value end,
                 int64_t rows);
  mlir::Value blockOfA(Position at, mlir::Value block, mlir::Value origin);
  void packLines(mlir::Value origin, mlir::Value first, mlir::Value end);
  /// Whether rows that are computed along their terms stay so in panels. Others are
  /// packed term by term.
  [[nodiscard]] bool keepsLines() const {
    return computedA && computedA->prologue.isAlongTerms;
  }
  void swapRows();
  void inPackedRows(Body body);
  /// Whether the rows after the last block are packed.
  [[nodiscard]] bool packsRest() const { return computedA && hasRest(); }
  void panels(Position at, llvm::function_ref<void(Position, int64_t)> body);
  void sharedChunks(
      Position at, int64_t divided,
      llvm::function_ref<void(Position, mlir::Value, mlir::Value)> body);
  void packedBlocks(Position at, mlir::Value first, mlir::Value end,
                    int64_t columnsLeft);
  void copyingBlock(Position at, int64_t divided);
  void copyPanels(Position at, mlir::Value first, mlir::Value end,
                  mlir::Value origin, int64_t divided);
  void rowBlocks(Position at, mlir::Value first, mlir::Value end,
                 int64_t columnsLeft, mlir::Value origin = {});
  void restOfRows(Position at, int64_t columnsLeft, mlir::Value origin = {});
  [[nodiscard]] bool hasRest() const {
    return !schedule.overlaps && row.extent % schedule.rows != 0;
  }
  /// The body if `end` is `count`, the end of all.
  void ifLast(mlir::Value end, int64_t count, Body body);
  void tile(Position at, int64_t rows, int64_t columnsLeft);
  void sumTile(Position at, int64_t rows, int64_t columnsLeft);
  [[nodiscard]] bool isMatrix() const {
    return schedule.unit == ContractionSchedule::Unit::Matrix;
  }
  void beginEpilogue();
  void prefetchTile(Position at, int64_t rows, int64_t columnsLeft);
  mlir::Value addressOf(mlir::Value buffer, ArrayRef<int64_t> strides,
                        mlir::Value at);
  std::optional<Computed> computed(const std::optional<Prologue> &prologue);
  /// Whether elements of b are computed; not if they are read from panels.
  [[nodiscard]] bool computesB() const { return computedB && !b; }
  void startInputs(mlir::Value atB);
  void startInputs(Computed &operand, mlir::Value buffer, mlir::Value at);
  mlir::Value loadOfA(mlir::Value row, mlir::Value term, int64_t count);
  mlir::Value loadComputed(
      const Computed &operand, int64_t count,
      llvm::function_ref<mlir::Value(mlir::Value, const Prologue::Operand &)>
          placeOf);
  mlir::Value loadOfB(mlir::Value at, int64_t count, int64_t column,
                      mlir::Value term = {});
  void prefetchB(mlir::Value at, int64_t column, int64_t terms,
                 mlir::Value term = {});
  void finish(Position at, int64_t rows, int64_t columnsLeft,
              llvm::function_ref<mlir::Value(int64_t, int64_t)> sumAt);
  void someChains(Position at, int64_t rows, int64_t columnsLeft);
  void chain(Loops loops, Position at, int64_t rows, int64_t columnsLeft,
             bool startsFresh);
  void sum(Loops loops, Position at, int64_t rows, int64_t columnsLeft,
           SmallVector<mlir::Value> &sums);

  mlir::Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  mlir::Value plus(mlir::Value base, mlir::Value counter, int64_t stride);
  mlir::Value plus(mlir::Value base, int64_t offset) {
    return offset == 0
               ? base
               : arith::AddIOp::create(builder, loc, base, index(offset));
  }
  /// The body for each position of the loops.
  void loopOver(Loops loops, Position at,
                llvm::function_ref<void(Position)> body);
  /// The same for one loop, with the number of the iteration.
  void loopOver(const ContractionLoop &loop, Position at,
                llvm::function_ref<void(Position, mlir::Value)> body);
  /// The same for a part of one loop.
  void loopOver(const ContractionLoop &loop, mlir::Value from, mlir::Value to,
                Position at, llvm::function_ref<void(Position)> body);
  /// The beginning of part `number` if `total` is divided into `parts`.
  PartRange rangeOf(mlir::Value number, int64_t total, int64_t parts) {
    return rangeOfPart(builder, loc, number, total, parts);
  }
  /// How far column `i` of a panel is from its first one, in b.
  [[nodiscard]] int64_t columnB(int64_t i) const {
    return i / problem.group * column.b + i % problem.group * problem.groupB;
  }
  mlir::Value load(mlir::Value from, mlir::Value at, int64_t count) {
    return load(from, at, count, schedule.lanes);
  }
  /// A vector of `lanes` lanes, with the first `count` elements.
  mlir::Value load(mlir::Value from, mlir::Value at, int64_t count,
                   int64_t lanes);
  /// Into the cache of this level.
  void prefetch(mlir::Value from, mlir::Value at, uint32_t level) {
    memref::PrefetchOp::create(builder, loc, from, ValueRange(at),
                               /*isWrite=*/false, /*localityHint=*/4 - level,
                               /*isDataCache=*/true);
  }
  mlir::Value zeros(VectorType type) {
    return arith::ConstantOp::create(builder, loc, type,
                                     builder.getZeroAttr(type));
  }
  /// c + a * b, for vectors; of pairs both products.
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value c);
  void store(mlir::Value value, mlir::Value to, mlir::Value at, int64_t count);
  mlir::Value mask(int64_t count) { return mask(count, schedule.lanes); }
  mlir::Value mask(int64_t count, int64_t lanes);
  /// Blocks of rows. With `overlaps` they have all rows, else a rest remains.
  [[nodiscard]] int64_t rowBlockCount() const {
    return schedule.overlaps ? (row.extent + schedule.rows - 1) / schedule.rows
                             : row.extent / schedule.rows;
  }
  /// What is divided if parts have some of the rows: blocks, or the outermost loop.
  [[nodiscard]] int64_t rowUnitCount() const {
    return outerRows.empty() ? rowBlockCount() : outerRows.front().extent;
  }
  struct Division {
    bool isByRows;
    int64_t pieces;
  };
  [[nodiscard]] Division divisionOf(int64_t divided) const;
  /// The first row of a block.
  mlir::Value firstRow(mlir::Value block);

  Contraction own;
  ContractionProblem problem;
  ContractionSchedule schedule;
  const Machine &machine;  ///< for the parts of a split sum
  std::mt19937_64 *random; ///< null: the best schedules
  const Prologues &prologues;
  std::vector<TilePanels> &tilePanels; ///< of the kernel so far
  std::optional<Computed> computedA, computedB;
  OpBuilder builder;
  Location loc;
  Type element; ///< of c
  Type operand; ///< of b, and of a that is multiplied in vectors
  Type pairsOf; ///< null if there are no pairs
  VectorType vector;
  /// The panels were made before a loop around the operation.
  bool arePacked = false;
  /// Sums begin with zero, not with what c has.
  bool isZero = false;
  /// What is computed of finished tiles, its operands as buffers of one dimension, and
  /// its result.
  std::optional<Epilogue> epilogue;
  SmallVector<mlir::Value> epilogueInputs;
  mlir::Value epilogueResult;
  /// Of a tile with a mask: the columns, and the terms, that are computed; null if
  /// all are. Of the chain that is added: its terms.
  mlir::Value columnsBegin, columnsEnd, termsBegin, termsEnd, chainBegin,
      chainEnd;
  /// The address in c of the first column; null if no mask leaves out columns.
  mlir::Value columnsStart;
  /// Places that move with the terms of a tile's sum; null if it has none.
  struct AlongTerms {
    mlir::Value copyTo;    ///< the panel of b that the tile copies
    mlir::Value fetchFrom; ///< what it fetches of the columns of the next panel
  } along;
  /// The places this many times `terms` terms later.
  AlongTerms later(mlir::Value times, int64_t terms);
  /// The next panel's columns, as b has them, while tiles fetch them.
  struct NextColumns {
    mlir::Value b, start;
    int64_t term = 0; ///< the distance of its terms
  } nextColumns;
  /// The sums of the nodes of dot products, if threads divide these, and the node
  /// that is computed.
  mlir::Value nodeSums, node;
  /// As buffers of one dimension; b is null where it is computed.
  mlir::Value a, b, c;
  mlir::Value packedRows; ///< panels of a
  /// While a is read from panels: a in memory, and the strides of its rows and terms.
  struct Rows {
    mlir::Value a;
    int64_t row, term;
  } otherRows;
  mlir::Value rowsStart;       ///< the address in a of the first row
  mlir::Value packed;          ///< panels of b
  mlir::Value bStart;          ///< the address in b of the current batch
  mlir::Value packedStart;     ///< the address in `packed` of the current batch
  mlir::Value packedRowsStart; ///< the address in `packedRows` of this worker
  int64_t panelStride = 0, panelsTotal = 0, rowsStride = 0, rowsTotal = 0,
          lineStride = 0;
  ContractionLoop row, column;
  SmallVector<ContractionLoop> outerRows, outerColumns;
};
} // namespace

/// How many parts of a size it takes.
static int64_t parts(int64_t extent, int64_t size) {
  return (extent + size - 1) / size;
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

mlir::Value ContractionEmitter::plus(mlir::Value base, mlir::Value counter,
                                     int64_t stride) {
  if (stride == 0)
    return base;
  mlir::Value step =
      arith::MulIOp::create(builder, loc, counter, index(stride));
  return arith::AddIOp::create(builder, loc, base, step);
}

void ContractionEmitter::loopOver(Loops loops, Position at,
                                  llvm::function_ref<void(Position)> body) {
  if (loops.empty())
    return body(at);
  const ContractionLoop &loop = loops.front();
  auto made =
      scf::ForOp::create(builder, loc, index(0), index(loop.extent), index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  mlir::Value counter = made.getInductionVar();
  Position next{plus(at.a, counter, loop.a), plus(at.b, counter, loop.b),
                plus(at.c, counter, loop.c)};
  loopOver(loops.drop_front(), next, body);
}

void ContractionEmitter::loopOver(
    const ContractionLoop &loop, Position at,
    llvm::function_ref<void(Position, mlir::Value)> body) {
  auto made =
      scf::ForOp::create(builder, loc, index(0), index(loop.extent), index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  mlir::Value counter = made.getInductionVar();
  body({plus(at.a, counter, loop.a), plus(at.b, counter, loop.b),
        plus(at.c, counter, loop.c)},
       counter);
}

void ContractionEmitter::loopOver(const ContractionLoop &loop, mlir::Value from,
                                  mlir::Value to, Position at,
                                  llvm::function_ref<void(Position)> body) {
  auto made = scf::ForOp::create(builder, loc, from, to, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  mlir::Value counter = made.getInductionVar();
  body({plus(at.a, counter, loop.a), plus(at.b, counter, loop.b),
        plus(at.c, counter, loop.c)});
}

mlir::Value ContractionEmitter::mask(int64_t count, int64_t lanes) {
  return vector::CreateMaskOp::create(
      builder, loc, VectorType::get({lanes}, builder.getI1Type()),
      ValueRange(index(count)));
}

mlir::Value ContractionEmitter::multiplyAdd(mlir::Value a, mlir::Value b,
                                            mlir::Value c) {
  if (!pairsOf)
    return vector::FMAOp::create(builder, loc, a, b, c);
  auto pairs = VectorType::get({2 * schedule.lanes}, pairsOf);
  a = vector::BitCastOp::create(builder, loc, pairs, a);
  b = vector::BitCastOp::create(builder, loc, pairs, b);
  auto call = [&](StringRef name, ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(builder, loc, vector,
                                         builder.getStringAttr(name), operands)
        .getResult(0);
  };
  if (pairsOf.isBF16())
    return call("llvm.x86.avx512bf16.dpbf16ps.512", {c, a, b});
  constexpr int64_t kWide = 16;
  mlir::Value products =
      call(schedule.lanes == kWide ? "llvm.x86.avx512.pmaddw.d.512"
                                   : "llvm.x86.avx2.pmadd.wd",
           {a, b});
  return arith::AddIOp::create(builder, loc, products, c);
}

mlir::Value ContractionEmitter::load(mlir::Value from, mlir::Value at,
                                     int64_t count, int64_t lanes) {
  auto type = VectorType::get(
      {lanes}, cast<MemRefType>(from.getType()).getElementType());
  if (count >= lanes)
    return vector::LoadOp::create(builder, loc, type, from, ValueRange(at));
  return vector::MaskedLoadOp::create(builder, loc, type, from, ValueRange(at),
                                      mask(count, lanes), zeros(type));
}

void ContractionEmitter::store(mlir::Value value, mlir::Value to,
                               mlir::Value at, int64_t count) {
  if (count >= schedule.lanes)
    vector::StoreOp::create(builder, loc, value, to, ValueRange(at));
  else
    vector::MaskedStoreOp::create(builder, loc, to, ValueRange(at), mask(count),
                                  value);
}

mlir::Value ContractionEmitter::firstRow(mlir::Value block) {
  mlir::Value first =
      arith::MulIOp::create(builder, loc, block, index(schedule.rows));
  if (!schedule.overlaps || row.extent % schedule.rows == 0)
    return first;
  return arith::MinSIOp::create(builder, loc, first,
                                index(row.extent - schedule.rows));
}

//===----------------------------------------------------------------------===//
// Panels of b
//===----------------------------------------------------------------------===//

void ContractionEmitter::allocatePanels(int64_t copies) {
  int64_t width = schedule.vectors * schedule.lanes;
  int64_t panels = product(outerColumns) * parts(column.extent, width),
          terms = schedule.terms != 0 ? schedule.terms : product(own.sums);
  if (schedule.copies)
    panels = 1;
  int64_t total = panels * terms * width;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(
      &own.op->getParentOfType<func::FuncOp>().getBody().front());
  packed = allocateForWorkers(
      builder, loc, MemRefType::get({copies * total}, operand), copies);
  panelsTotal = total;
}

/// Columns whose terms are neighbors in memory: squares are transposed in registers.
/// Lanes without a column repeat one; they are never read from c.
void ContractionEmitter::packSquares(Loops sums, Position at, int64_t columns) {
  const ContractionLoop terms = sums.back();
  auto square = [&](Position at, int64_t columns, int64_t count) {
    SmallVector<mlir::Value> rows;
    startInputs(at.b);
    for (int64_t i = 0; i < schedule.lanes; ++i)
      rows.push_back(i < columns ? loadOfB(plus(at.b, columnB(i)), count, i)
                                 : rows.back());
    rows = transposed(builder, loc, std::move(rows));
    for (int64_t k = 0; k < count; ++k)
      store(rows[size_t(k)], packed, plus(at.c, k * terms.c), schedule.lanes);
  };
  auto vectorOf = [&](Position at, int64_t columns) {
    loopOver(sums.drop_back(), at, [&](Position at) {
      int64_t full = terms.extent / schedule.lanes,
              rest = terms.extent % schedule.lanes;
      ContractionLoop squares{full, 0, schedule.lanes,
                              schedule.lanes * terms.c};
      if (full > 0)
        loopOver(squares, at,
                 [&](Position at) { square(at, columns, schedule.lanes); });
      if (rest != 0)
        square(
            {at.a, plus(at.b, full * squares.b), plus(at.c, full * squares.c)},
            columns, rest);
    });
  };
  ContractionLoop vectors{columns / schedule.lanes, 0, columnB(schedule.lanes),
                          schedule.lanes};
  if (vectors.extent > 0)
    loopOver(vectors, at, [&](Position at) { vectorOf(at, schedule.lanes); });
  if (columns % schedule.lanes != 0)
    vectorOf({at.a, plus(at.b, vectors.extent * vectors.b),
              plus(at.c, vectors.extent * vectors.c)},
             columns % schedule.lanes);
}

ContractionEmitter::PanelLoops ContractionEmitter::panelLoops() const {
  int64_t width = schedule.vectors * schedule.lanes;
  PanelLoops loops{own.sums, outerColumns, width};
  for (ContractionLoop &loop : llvm::reverse(loops.sums)) {
    loop.c = loops.elements;
    loops.elements *= loop.extent;
  }
  int64_t outer = loops.elements * parts(column.extent, width);
  for (ContractionLoop &loop : llvm::reverse(loops.columns)) {
    loop.c = outer;
    outer *= loop.extent;
  }
  return loops;
}

/// b is read from its panels.
void ContractionEmitter::readPanels() {
  PanelLoops loops = panelLoops();
  b = packed;
  for (auto [loop, other] : llvm::zip_equal(own.sums, loops.sums))
    loop.b = other.c;
  for (auto [loop, other] : llvm::zip_equal(outerColumns, loops.columns))
    loop.b = other.c;
  panelStride = loops.elements;
}

/// In several parts, unless columns have outer loops.
void ContractionEmitter::pack(int64_t parallelParts) {
  int64_t width = schedule.vectors * schedule.lanes;
  auto [sumLoops, columnLoops, stride] = panelLoops();
  int64_t panelElements = stride;
  auto vectors = [&](Position at, int64_t columnsLeft, int64_t panels = 1) {
    if (problem.hasNeighbors()) {
      loopOver(sumLoops, at, [&](Position at) {
        startInputs(at.b);
        for (int64_t p = 0; p < panels; ++p)
          for (int64_t v = 0; v < schedule.vectors; ++v) {
            int64_t left = columnsLeft - v * schedule.lanes,
                    first = p * width + v * schedule.lanes;
            mlir::Value value =
                left > 0 ? loadOfB(plus(at.b, first), left, first)
                         : zeros(VectorType::get({schedule.lanes}, operand));
            store(value, packed,
                  plus(at.c, p * panelElements + v * schedule.lanes),
                  schedule.lanes);
          }
      });
      return;
    }
    if (problem.hasSquares(schedule.lanes) &&
        (computesB() || sumLoops.back().extent >= schedule.lanes / 2))
      return packSquares(sumLoops, at, std::min(columnsLeft, width));
    // Column by column; lanes without a column are never read from c.
    ContractionLoop groups{std::min(columnsLeft, width) / problem.group, 0,
                           column.b, problem.group};
    ContractionLoop inGroup{problem.group, 0, problem.groupB, 1};
    loopOver({groups, inGroup}, at, [&](Position at) {
      loopOver(sumLoops, at, [&](Position at) {
        mlir::Value value =
            memref::LoadOp::create(builder, loc, b, ValueRange(at.b));
        memref::StoreOp::create(builder, loc, value, packed, ValueRange(at.c));
      });
    });
  };
  Position start{index(0), bStart, packedStart};
  loopOver(columnLoops, start, [&](Position at) {
    int64_t full = column.extent / width;
    ContractionLoop panel{full, 0, columnB(width), stride};
    if (full > 0) {
      // Several panels at a time read longer pieces of rows. Some parts are enough for
      // that, and for threads.
      constexpr int64_t kPanels = 8, kLeastParts = 8;
      int64_t divided = std::min(parallelParts, full);
      if (problem.hasNeighbors())
        divided = std::min(divided, std::max(kLeastParts, full / kPanels));
      bool isWide = problem.hasNeighbors() && full >= kPanels * divided &&
                    product(sumLoops) >= kPanels;
      forEachPart(builder, loc, divided, [&](mlir::Value number) {
        auto [from, to] = rangeOf(number, full, divided);
        if (isWide) {
          mlir::Value count = arith::SubIOp::create(builder, loc, to, from);
          mlir::Value groups =
              arith::DivUIOp::create(builder, loc, count, index(kPanels));
          ContractionLoop group{0, 0, panel.b * kPanels, panel.c * kPanels};
          Position start{at.a, plus(at.b, from, panel.b),
                         plus(at.c, from, panel.c)};
          loopOver(group, index(0), groups, start,
                   [&](Position at) { vectors(at, width, kPanels); });
          from = plus(from, groups, kPanels);
        }
        loopOver(panel, from, to, at, [&](Position at) { vectors(at, width); });
      });
    }
    if (column.extent % width != 0)
      vectors(
          {at.a, plus(at.b, full * columnB(width)), plus(at.c, full * stride)},
          column.extent % width);
  });
  readPanels();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void ContractionEmitter::sum(Loops loops, Position at, int64_t rows,
                             int64_t columnsLeft,
                             SmallVector<mlir::Value> &sums) {
  int64_t vectors =
      std::min(schedule.vectors, parts(columnsLeft, schedule.lanes));
  if (loops.empty()) {
    SmallVector<mlir::Value> columns;
    for (int64_t v = 0; v < vectors; ++v) {
      mlir::Value place = plus(at.b, v * schedule.lanes);
      columns.push_back(loadOfB(place,
                                schedule.packsColumns && !along.copyTo
                                    ? schedule.lanes
                                    : columnsLeft - v * schedule.lanes,
                                v * schedule.lanes));
      if (along.copyTo) {
        store(columns.back(), packed, plus(along.copyTo, v * schedule.lanes),
              schedule.lanes);
        prefetchB(plus(place, kStreamedRows * own.sums[0].b),
                  v * schedule.lanes, kStreamedRows);
      }
      // What one block of rows reads is in no cache yet. The first level has no room
      // for the next block of the sum.
      if (schedule.form == Form::Streams && outerRows.empty() &&
          row.extent == rows)
        prefetchB(plus(place, kStreamedRows * own.sums[0].b),
                  v * schedule.lanes, kStreamedRows);
    }
    if (along.fetchFrom)
      prefetch(nextColumns.b, along.fetchFrom, /*level=*/2);
    for (int64_t i = 0; i < rows; ++i) {
      mlir::Value value = memref::LoadOp::create(
          builder, loc, a, ValueRange(plus(at.a, i * row.a)));
      value = vector::BroadcastOp::create(
          builder, loc, VectorType::get({schedule.lanes}, operand), value);
      for (int64_t v = 0; v < vectors; ++v) {
        mlir::Value &into = sums[size_t(i * vectors + v)];
        into = multiplyAdd(value, columns[size_t(v)], into);
      }
    }
    return;
  }
  const ContractionLoop &loop = loops.front();
  mlir::Value from = chainBegin ? chainBegin : index(0),
              to = chainEnd ? chainEnd : index(loop.extent);
  auto made = scf::ForOp::create(builder, loc, from, to, index(1), sums);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    mlir::Value counter = made.getInductionVar();
    SmallVector<mlir::Value> inner(made.getRegionIterArgs());
    AlongTerms first = along;
    along = later(counter, 1);
    SmallVector<mlir::Value> starts;
    if (computesB())
      starts = computedB->at;
    if (computesB())
      for (auto [at, input] :
           llvm::zip_equal(computedB->at, computedB->prologue.inputs))
        at = at ? plus(at, counter, input.term) : at;
    sum(loops.drop_front(),
        {plus(at.a, counter, loop.a), plus(at.b, counter, loop.b), at.c}, rows,
        columnsLeft, inner);
    along = first;
    if (computesB())
      computedB->at = starts;
    scf::YieldOp::create(builder, loc, inner);
  }
  sums.assign(made.getResults().begin(), made.getResults().end());
}

/// Adds the terms of some loops to a tile of c. Fresh sums begin with zero, others
/// with what c has.
void ContractionEmitter::chain(Loops loops, Position at, int64_t rows,
                               int64_t columnsLeft, bool startsFresh) {
  int64_t vectors =
      std::min(schedule.vectors, parts(columnsLeft, schedule.lanes));
  auto placeOf = [&](int64_t i, int64_t v) {
    return plus(at.c, i * row.c + v * schedule.lanes);
  };
  SmallVector<mlir::Value> sums;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t v = 0; v < vectors; ++v)
      sums.push_back(
          startsFresh || isZero
              ? zeros(vector)
              : load(c, placeOf(i, v), columnsLeft - v * schedule.lanes));
  startInputs(at.b);
  sum(loops, at, rows, columnsLeft, sums);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t v = 0; v < vectors; ++v) {
      mlir::Value &own = sums[size_t(i * vectors + v)];
      if (startsFresh)
        own = arith::AddFOp::create(
            builder, loc,
            load(c, placeOf(i, v), columnsLeft - v * schedule.lanes), own);
      if (!epilogue || epilogue->storesSum || isChained())
        store(own, c, placeOf(i, v), columnsLeft - v * schedule.lanes);
    }
  if (epilogue && !isChained())
    finish(at, rows, columnsLeft,
           [&](int64_t i, int64_t v) { return sums[size_t(i * vectors + v)]; });
}

ContractionEmitter::AlongTerms ContractionEmitter::later(mlir::Value times,
                                                         int64_t terms) {
  AlongTerms places = along;
  if (places.copyTo)
    places.copyTo =
        plus(places.copyTo, times, terms * schedule.vectors * schedule.lanes);
  if (places.fetchFrom)
    places.fetchFrom = plus(places.fetchFrom, times, terms * nextColumns.term);
  return places;
}

/// A tile of c with its epilogue.
void ContractionEmitter::tile(Position at, int64_t rows, int64_t columnsLeft) {
  if (schedule.prefetches)
    prefetchTile(at, rows, columnsLeft);
  sumTile(at, rows, columnsLeft);
  if (epilogue && (isChained() || isMatrix()))
    finish(at, rows, columnsLeft, [&](int64_t i, int64_t v) {
      return load(c, plus(at.c, i * row.c + v * schedule.lanes),
                  columnsLeft - v * schedule.lanes);
    });
}

/// The lines that a tile will write: they arrive while its sum runs.
void ContractionEmitter::prefetchTile(Position at, int64_t rows,
                                      int64_t columnsLeft) {
  int64_t vectors =
      std::min(schedule.vectors, parts(columnsLeft, schedule.lanes));
  mlir::Value start =
      epilogue ? addressOf(own.c, epilogue->result.strides, at.c) : at.c;
  int64_t next = epilogue ? epilogue->result.row : row.c;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t v = 0; v < vectors; ++v)
      memref::PrefetchOp::create(
          builder, loc, epilogue ? epilogueResult : c,
          ValueRange(plus(start, i * next + v * schedule.lanes)),
          /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
}

/// Where an operand is read that has these strides in the dimensions of a buffer, from
/// an address in the buffer.
mlir::Value ContractionEmitter::addressOf(mlir::Value buffer,
                                          ArrayRef<int64_t> own,
                                          mlir::Value at) {
  SmallVector<int64_t> strides = *stridesOf(buffer);
  if (own == ArrayRef(strides))
    return at;
  ArrayRef<int64_t> extents = cast<MemRefType>(buffer.getType()).getShape();
  SmallVector<size_t> dims;
  for (size_t d = 0; d < extents.size(); ++d)
    if (extents[d] != 1)
      dims.push_back(d);
  llvm::sort(dims, [&](size_t x, size_t y) { return strides[x] > strides[y]; });
  mlir::Value address = index(0), rest = at;
  for (size_t d : dims) {
    mlir::Value place = rest;
    if (strides[d] != 1) {
      place = arith::DivUIOp::create(builder, loc, rest, index(strides[d]));
      rest = arith::RemUIOp::create(builder, loc, rest, index(strides[d]));
    }
    address = plus(address, place, own[d]);
  }
  return address;
}

/// The epilogue of a tile whose sums are finished.
void ContractionEmitter::finish(
    Position at, int64_t rows, int64_t columnsLeft,
    llvm::function_ref<mlir::Value(int64_t, int64_t)> sumAt) {
  int64_t vectors =
      std::min(schedule.vectors, parts(columnsLeft, schedule.lanes));
  auto spread = [&](mlir::Value value) -> mlir::Value {
    return vector::BroadcastOp::create(builder, loc, vector, value);
  };
  SmallVector<mlir::Value> starts;
  for (auto [operand, buffer] :
       llvm::zip_equal(epilogue->inputs, epilogueInputs))
    starts.push_back(buffer ? addressOf(own.c, operand.strides, at.c)
                            : mlir::Value());
  mlir::Value result = addressOf(own.c, epilogue->result.strides, at.c);
  // Of each input: what all rows share, or all vectors of a row.
  SmallVector<SmallVector<mlir::Value>> shared(starts.size());
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t v = 0; v < vectors; ++v) {
      int64_t left = columnsLeft - v * schedule.lanes;
      SmallVector<mlir::Value> values;
      for (size_t k = 0; k < starts.size(); ++k) {
        const Epilogue::Operand &operand = epilogue->inputs[k];
        if (!operand.buffer) {
          values.push_back(sumAt(i, v));
          continue;
        }
        SmallVector<mlir::Value> &known = shared[k];
        bool isOfRow = operand.column == 0,
             isNew = (operand.row != 0 || i == 0) && (!isOfRow || v == 0);
        if (isNew && (v == 0 || isOfRow))
          known.clear();
        if (isNew && !starts[k]) {
          known.push_back(spread(operand.buffer));
        } else if (isNew) {
          mlir::Value place = plus(
              starts[k], i * operand.row + (isOfRow ? 0 : v * schedule.lanes));
          known.push_back(
              isOfRow ? spread(memref::LoadOp::create(
                            builder, loc, epilogueInputs[k], ValueRange(place)))
                      : load(epilogueInputs[k], place, left));
        }
        values.push_back(known[isOfRow ? 0 : size_t(v)]);
      }
      store(emitBody(builder, loc, epilogue->op, values, schedule.lanes),
            epilogueResult,
            plus(result, i * epilogue->result.row + v * schedule.lanes), left);
    }
  }
}

/// Its operands as buffers of one dimension.
void ContractionEmitter::beginEpilogue() {
  epilogue->moveOperandsBefore(own.op);
  for (const Epilogue::Operand &operand : epilogue->inputs)
    epilogueInputs.push_back(operand.buffer &&
                                     isa<MemRefType>(operand.buffer.getType())
                                 ? flat(operand.buffer)
                                 : mlir::Value());
  epilogueResult = flat(epilogue->result.buffer);
  // Sums that nobody reads are added up where the result will be.
  mlir::Value sums = own.c;
  if (!epilogue->storesSum && isZero && sums != epilogue->result.buffer &&
      epilogue->result.strides == *stridesOf(sums)) {
    own.c = epilogue->result.buffer;
    own.op.getDpsInitsMutable()[0].set(own.c);
    epilogue->op
        .getDpsInputOperand(unsigned(
            llvm::find_if(epilogue->inputs,
                          [](const auto &input) { return !input.buffer; }) -
            epilogue->inputs.begin()))
        ->set(own.c);
    Operation *room = sums.getDefiningOp();
    if (room && room->use_empty())
      room->erase();
  }
}

std::optional<Computed>
ContractionEmitter::computed(const std::optional<Prologue> &prologue) {
  if (!prologue)
    return std::nullopt;
  Computed made{*prologue, {}, {}};
  for (const Prologue::Operand &input : prologue->inputs)
    made.buffers.push_back(isa<MemRefType>(input.value.getType())
                               ? flat(input.value)
                               : mlir::Value());
  return made;
}

/// The inputs are read where the operand would be read at this address.
void ContractionEmitter::startInputs(Computed &operand, mlir::Value buffer,
                                     mlir::Value at) {
  operand.at.clear();
  for (auto [input, own] :
       llvm::zip_equal(operand.prologue.inputs, operand.buffers))
    operand.at.push_back(own ? addressOf(buffer, input.strides, at)
                             : mlir::Value());
}

void ContractionEmitter::startInputs(mlir::Value atB) {
  if (computesB())
    startInputs(*computedB, own.b, atB);
}

/// A vector that is computed from elements of the inputs. `placeOf`: where they are, from
/// the current element.
mlir::Value ContractionEmitter::loadComputed(
    const Computed &operand, int64_t count,
    llvm::function_ref<mlir::Value(mlir::Value, const Prologue::Operand &)>
        placeOf) {
  const Prologue &prologue = operand.prologue;
  auto spread = [&](mlir::Value value) -> mlir::Value {
    return vector::BroadcastOp::create(
        builder, loc, VectorType::get({schedule.lanes}, value.getType()),
        value);
  };
  SmallVector<mlir::Value> values, after(prologue.inputs.size());
  for (auto [i, input] : llvm::enumerate(prologue.inputs)) {
    mlir::Value buffer = operand.buffers[i];
    if (!buffer) {
      values.push_back(spread(input.value));
      continue;
    }
    if (input.before) {
      values.push_back(after[*input.before]);
      continue;
    }
    mlir::Value place = placeOf(operand.at[i], input);
    int64_t inVector = prologue.inVector(input);
    if (inVector == 2) {
      auto both = vector::DeinterleaveOp::create(
          builder, loc, load(buffer, place, 2 * count, 2 * schedule.lanes));
      values.push_back(both.getRes1());
      after[i] = both.getRes2();
    } else {
      values.push_back(inVector == 1
                           ? load(buffer, place, count)
                           : spread(memref::LoadOp::create(builder, loc, buffer,
                                                           ValueRange(place))));
    }
  }
  mlir::Value value =
      emitBody(builder, loc, prologue.op, values, schedule.lanes);
  // A lane without an element is 0, as if it were loaded.
  return count >= schedule.lanes
             ? value
             : arith::SelectOp::create(
                   builder, loc, mask(count), value,
                   zeros(cast<VectorType>(value.getType())));
}

/// A vector of b: loaded, or computed from the elements of the inputs at this column and
/// this term.
mlir::Value ContractionEmitter::loadOfB(mlir::Value at, int64_t count,
                                        int64_t column, mlir::Value term) {
  if (!computesB())
    return load(b, at, count);
  return loadComputed(*computedB, count,
                      [&](mlir::Value start, const Prologue::Operand &input) {
                        mlir::Value place = plus(start, column * input.across);
                        return term ? plus(place, term, input.term) : place;
                      });
}

/// A vector of a, from a row and a term that are counted from the current element. Its
/// elements are neighbors along the rows if these are neighbors in a, else along the terms.
mlir::Value ContractionEmitter::loadOfA(mlir::Value row, mlir::Value term,
                                        int64_t count) {
  if (computedA)
    return loadComputed(*computedA, count,
                        [&](mlir::Value start, const Prologue::Operand &input) {
                          return plus(plus(start, row, input.across), term,
                                      input.term);
                        });
  return load(a, plus(plus(rowsStart, row, this->row.a), term, own.sums[0].a),
              count);
}

/// Fetches the part of b that is read later into the second cache.
void ContractionEmitter::prefetchB(mlir::Value at, int64_t column,
                                   int64_t terms, mlir::Value term) {
  if (!computesB())
    return prefetch(b, at, /*level=*/2);
  for (auto [input, buffer, start] : llvm::zip_equal(
           computedB->prologue.inputs, computedB->buffers, computedB->at)) {
    if (input.across == 0 || input.term == 0 || input.before)
      continue; // short, or fetched
    mlir::Value place = plus(start, column * input.across + terms * input.term);
    prefetch(buffer, term ? plus(place, term, input.term) : place,
             /*level=*/2);
  }
}

/// A long sum of floats is added up in chains of kChain terms.
void ContractionEmitter::sumTile(Position at, int64_t rows,
                                 int64_t columnsLeft) {
  if (isMatrix()) {
    MatrixTile tile{.a = a,
                    .b = b,
                    .c = c,
                    .atA = at.a,
                    .atB = at.b,
                    .atC = at.c,
                    .rowA = row.a,
                    .rowC = row.c,
                    .rows = rows,
                    .columns = columnsLeft,
                    .vectors = std::min(schedule.vectors,
                                        parts(columnsLeft, schedule.lanes)),
                    .sums = own.sums,
                    .types = own.op->getAttrOfType<ArrayAttr>(kMatrix),
                    .isZero = isZero};
    return emitMatrixTile(builder, loc, tile);
  }
  if (!isChained() || problem.terms() <= kChain) {
    chainBegin = termsBegin;
    chainEnd = termsEnd;
    chain(own.sums, at, rows, columnsLeft, /*startsFresh=*/isChained());
    chainBegin = chainEnd = {};
    return;
  }
  if (isZero)
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t left = columnsLeft, v = 0; v < schedule.vectors && left > 0;
           ++v, left -= schedule.lanes)
        store(zeros(vector), c, plus(at.c, i * row.c + v * schedule.lanes),
              left);
  if (termsEnd)
    return someChains(at, rows, columnsLeft);
  // The loops inside of `divided` have at most kChain terms.
  SmallVector<ContractionLoop> inner = own.sums, outer;
  while (product(Loops(inner).drop_front()) > kChain) {
    outer.push_back(inner.front());
    inner.erase(inner.begin());
  }
  ContractionLoop divided = inner.front();
  int64_t extent = kChain / product(Loops(inner).drop_front());
  int64_t full = divided.extent / extent, rest = divided.extent % extent;
  ContractionLoop blocks{full, divided.a * extent, divided.b * extent, 0};
  // A sum that is copied has one loop.
  AlongTerms first = along;
  loopOver(outer, at, [&](Position at) {
    inner.front().extent = extent;
    loopOver(blocks, at, [&](Position at, mlir::Value number) {
      along = later(number, extent);
      chain(inner, at, rows, columnsLeft, /*startsFresh=*/true);
      along = first;
    });
    inner.front().extent = rest;
    along = later(index(full), extent);
    if (rest != 0)
      chain(inner,
            {plus(at.a, full * blocks.a), plus(at.b, full * blocks.b), at.c},
            rows, columnsLeft, /*startsFresh=*/true);
  });
  along = first;
}

/// The chains that have terms between termsBegin and termsEnd.
void ContractionEmitter::someChains(Position at, int64_t rows,
                                    int64_t columnsLeft) {
  ContractionLoop terms = own.sums[0];
  mlir::Value length = index(kChain);
  mlir::Value first = arith::DivUIOp::create(builder, loc, termsBegin, length),
              last = arith::CeilDivUIOp::create(builder, loc, termsEnd, length);
  auto made = scf::ForOp::create(builder, loc, first, last, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  mlir::Value start =
      arith::MulIOp::create(builder, loc, made.getInductionVar(), length);
  auto inChain = [&](mlir::Value term) -> mlir::Value {
    mlir::Value place = arith::SubIOp::create(builder, loc, term, start);
    place = arith::MaxSIOp::create(builder, loc, place, index(0));
    return arith::MinSIOp::create(builder, loc, place, length);
  };
  chainBegin = inChain(termsBegin);
  chainEnd = inChain(termsEnd);
  chain(terms, {plus(at.a, start, terms.a), plus(at.b, start, terms.b), at.c},
        rows, columnsLeft, /*startsFresh=*/true);
  chainBegin = chainEnd = {};
}

/// Where a block of rows begins in a. Panels begin with the block `origin`.
mlir::Value ContractionEmitter::blockOfA(Position at, mlir::Value block,
                                         mlir::Value origin) {
  if (!origin)
    return plus(at.a, firstRow(block), row.a);
  if (keepsLines())
    return plus(
        at.a,
        arith::SubIOp::create(builder, loc, firstRow(block), firstRow(origin)),
        lineStride);
  return plus(at.a, arith::SubIOp::create(builder, loc, block, origin),
              rowsStride);
}

void ContractionEmitter::rowBlocks(Position at, mlir::Value first,
                                   mlir::Value end, int64_t columnsLeft,
                                   mlir::Value origin) {
  auto made = scf::ForOp::create(builder, loc, first, end, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  mlir::Value block = made.getInductionVar(), start = firstRow(block);
  mlir::Value fromA = blockOfA(at, block, origin);
  if (nextColumns.b) {
    // The blocks after the one that copies fetch a vector of columns each.
    mlir::Value vector = arith::MinUIOp::create(
        builder, loc, arith::SubIOp::create(builder, loc, block, first),
        index(schedule.vectors - 1));
    along.fetchFrom = plus(nextColumns.start, vector, schedule.lanes);
  }
  ofRows(at, start, schedule.rows, columnsLeft, [&] {
    tile({fromA, at.b, plus(at.c, start, row.c)}, schedule.rows, columnsLeft);
  });
  along.fetchFrom = {};
}

void ContractionEmitter::restOfRows(Position at, int64_t columnsLeft,
                                    mlir::Value origin) {
  if (!hasRest())
    return;
  int64_t full = row.extent / schedule.rows, rest = row.extent % schedule.rows;
  // They are few: they are packed only if they are computed.
  bool isInPlace = origin && !computedA;
  if (isInPlace) {
    swapRows();
    at.a = rowsStart;
    origin = {};
  }
  ofRows(at, index(full * schedule.rows), rest, columnsLeft, [&] {
    tile({blockOfA(at, index(full), origin), at.b,
          plus(at.c, full * row.c * schedule.rows)},
         rest, columnsLeft);
  });
  if (isInPlace)
    swapRows();
}

/// The body for some rows and the panel of columns at this position, with the terms that
/// a mask leaves of these rows; nothing if it leaves no column of the panel.
void ContractionEmitter::ofRows(Position at, mlir::Value first, int64_t rows,
                                int64_t columnsLeft, Body body) {
  mlir::Value last = plus(first, rows - 1);
  auto rangeOf = [&](StringRef begin, StringRef end, int64_t extent) {
    mlir::Value from = boundOf(begin, extent, first, last),
                to = boundOf(end, extent, first, last);
    return std::pair(from ? from : index(0), to ? to : index(extent));
  };
  OpBuilder::InsertionGuard guard(builder);
  if (columnsStart && (isByRows(kColumnsBegin) || isByRows(kColumnsEnd))) {
    auto [from, to] = rangeOf(kColumnsBegin, kColumnsEnd, column.extent);
    mlir::Value begin = arith::SubIOp::create(builder, loc, at.c, columnsStart);
    mlir::Value runs = arith::AndIOp::create(
        builder, loc,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, begin,
                              to),
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                              plus(begin, columnsLeft), from));
    auto made = scf::IfOp::create(builder, loc, runs, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(made.thenBlock());
  }
  bool isLimited = isByRows(kTermsBegin) || isByRows(kTermsEnd);
  if (isLimited)
    std::tie(termsBegin, termsEnd) =
        rangeOf(kTermsBegin, kTermsEnd, own.sums[0].extent);
  body();
  if (isLimited)
    termsBegin = termsEnd = {};
}

/// The body for each panel of columns, with the number of its columns.
void ContractionEmitter::panels(
    Position at, llvm::function_ref<void(Position, int64_t)> body) {
  int64_t width = schedule.vectors * schedule.lanes;
  int64_t full = column.extent / width, rest = column.extent % width;
  int64_t next = schedule.packsColumns ? panelStride : width;
  ContractionLoop panel{full, 0, next, width};
  Position last{at.a, plus(at.b, full * next), plus(at.c, full * width)};
  auto whole = [&](Position at) { body(at, width); };
  if (!columnsEnd) {
    if (full > 0)
      loopOver(panel, at, whole);
    if (rest != 0)
      body(last, rest);
    return;
  }
  columnsStart = at.c;
  mlir::Value size = index(width);
  mlir::Value from = arith::DivUIOp::create(builder, loc, columnsBegin, size),
              to = arith::CeilDivUIOp::create(builder, loc, columnsEnd, size);
  if (full > 0)
    loopOver(panel, from, arith::MinUIOp::create(builder, loc, to, index(full)),
             at, whole);
  if (rest == 0)
    return;
  mlir::Value hasRest = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ugt, to, index(full));
  auto made =
      scf::IfOp::create(builder, loc, hasRest, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.thenBlock());
  body(last, rest);
}

/// Copies the blocks from `first` to `end`, as tiles read them, to panels that begin with
/// the block `origin`.
void ContractionEmitter::packRows(mlir::Value origin, mlir::Value first,
                                  mlir::Value end) {
  if (row.a == 1)
    return packTerms(origin, first, end, schedule.rows);
  if (keepsLines()) {
    // The last block may begin in the one before.
    mlir::Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, first, origin);
    mlir::Value begin =
        arith::SelectOp::create(builder, loc, isFirst, firstRow(first),
                                plus(index(0), first, schedule.rows));
    mlir::Value stop = arith::MinSIOp::create(
        builder, loc, plus(index(0), end, schedule.rows), index(row.extent));
    return packLines(origin, begin, stop);
  }
  auto made = scf::ForOp::create(builder, loc, first, end, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  mlir::Value block = made.getInductionVar();
  packBlock(firstRow(block),
            blockOfA({packedRowsStart, {}, {}}, block, origin));
}

/// The rows after the last block.
void ContractionEmitter::packRest(mlir::Value origin) {
  int64_t full = rowBlockCount(), rest = row.extent % schedule.rows;
  if (keepsLines())
    return packLines(origin, index(full * schedule.rows), index(row.extent));
  packTerms(origin, index(full), index(full + 1), rest);
}

/// Terms that are neighbors in memory are transposed in squares, in registers. A column is
/// stored with a few elements that the next one overwrites, or that lie after the panel.
void ContractionEmitter::packBlock(mlir::Value firstRow, mlir::Value to) {
  int64_t rows = schedule.rows;
  const ContractionLoop &terms = own.sums[0];
  auto rowAt = [&](int64_t i) { return plus(firstRow, i); };
  if (terms.a != 1 || rows > schedule.lanes) {
    auto made = scf::ForOp::create(builder, loc, index(0), index(terms.extent),
                                   index(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    mlir::Value term = made.getInductionVar();
    for (int64_t i = 0; i < rows; ++i) {
      mlir::Value from = plus(plus(rowsStart, rowAt(i), row.a), term, terms.a);
      mlir::Value value =
          memref::LoadOp::create(builder, loc, a, ValueRange(from));
      memref::StoreOp::create(
          builder, loc, value, packedRows,
          ValueRange(plus(plus(to, term, schedule.rows), i)));
    }
    return;
  }
  auto square = [&](mlir::Value term, int64_t count) {
    SmallVector<mlir::Value> lines;
    for (int64_t i = 0; i < schedule.lanes; ++i)
      lines.push_back(i < rows ? loadOfA(rowAt(i), term, count) : lines.back());
    lines = transposed(builder, loc, std::move(lines));
    mlir::Value start = plus(to, term, schedule.rows);
    for (int64_t k = 0; k < count; ++k)
      store(lines[size_t(k)], packedRows, plus(start, k * schedule.rows),
            schedule.lanes);
  };
  int64_t rest = terms.extent % schedule.lanes, full = terms.extent - rest;
  if (full != 0) {
    auto made = scf::ForOp::create(builder, loc, index(0), index(full),
                                   index(schedule.lanes));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    square(made.getInductionVar(), schedule.lanes);
  }
  if (rest != 0)
    square(index(full), rest);
}

/// Rows that are neighbors in a: term by term, each for all blocks, in the order of
/// memory.
void ContractionEmitter::packTerms(mlir::Value origin, mlir::Value first,
                                   mlir::Value end, int64_t rows) {
  auto terms = scf::ForOp::create(builder, loc, index(0),
                                  index(own.sums[0].extent), index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(terms.getBody());
  auto blocks = scf::ForOp::create(builder, loc, first, end, index(1));
  builder.setInsertionPointToStart(blocks.getBody());
  mlir::Value term = terms.getInductionVar(), block = blocks.getInductionVar();
  mlir::Value from = firstRow(block),
              to = plus(blockOfA({packedRowsStart, {}, {}}, block, origin),
                        term, schedule.rows);
  for (int64_t i = 0; i < rows; i += schedule.lanes)
    store(loadOfA(plus(from, i), term, rows - i), packedRows, plus(to, i),
          rows - i);
}

/// Rows from `first` to `end`, each from end to end.
void ContractionEmitter::packLines(mlir::Value origin, mlir::Value first,
                                   mlir::Value end) {
  auto rows = scf::ForOp::create(builder, loc, first, end, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(rows.getBody());
  mlir::Value line = rows.getInductionVar();
  mlir::Value place =
      arith::SubIOp::create(builder, loc, line, firstRow(origin));
  mlir::Value to = plus(packedRowsStart, place, lineStride);
  int64_t extent = own.sums[0].extent, rest = extent % schedule.lanes;
  auto copy = [&](mlir::Value term, int64_t count) {
    store(loadOfA(line, term, count), packedRows, plus(to, term, 1),
          schedule.lanes);
  };
  auto steps = scf::ForOp::create(builder, loc, index(0), index(extent - rest),
                                  index(schedule.lanes));
  if (rest != 0)
    copy(index(extent - rest), rest);
  builder.setInsertionPointToStart(steps.getBody());
  copy(steps.getInductionVar(), schedule.lanes);
}

/// Exchanges a in memory for a in panels of rows, or back.
void ContractionEmitter::swapRows() {
  std::swap(a, otherRows.a);
  std::swap(row.a, otherRows.row);
  std::swap(own.sums[0].a, otherRows.term);
}

/// The body with a in panels of rows.
void ContractionEmitter::inPackedRows(Body body) {
  otherRows = keepsLines() ? Rows{packedRows, lineStride, 1}
                           : Rows{packedRows, 1, schedule.rows};
  swapRows();
  body();
  swapRows();
}

void ContractionEmitter::ifLast(mlir::Value end, int64_t count, Body body) {
  mlir::Value isLast = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, end, index(count));
  auto made = scf::IfOp::create(builder, loc, isLast, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&made.getThenRegion().front());
  body();
}

/// The body for each chunk of the blocks from `from` to `to`.
void ContractionEmitter::forChunks(
    mlir::Value from, mlir::Value to,
    llvm::function_ref<void(mlir::Value, mlir::Value)> body) {
  auto made = scf::ForOp::create(builder, loc, from, to, index(schedule.chunk));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  mlir::Value first = made.getInductionVar();
  body(first,
       arith::MinSIOp::create(builder, loc, plus(first, schedule.chunk), to));
}

/// Chunks of rows that stay in the second-level cache while all columns pass.
void ContractionEmitter::chunks(Position at, mlir::Value from, mlir::Value to) {
  forChunks(from, to, [&](mlir::Value first, mlir::Value end) {
    startRows(at.a);
    packRows(first, first, end);
    if (packsRest())
      ifLast(end, rowBlockCount(), [&] { packRest(first); });
    inPackedRows([&] {
      panels({packedRowsStart, at.b, at.c},
             [&](Position at, int64_t columnsLeft) {
               packedBlocks(at, first, end, columnsLeft);
             });
    });
  });
}

/// The blocks of a chunk, and the rest of the rows with the last one.
void ContractionEmitter::packedBlocks(Position at, mlir::Value first,
                                      mlir::Value end, int64_t columnsLeft) {
  rowBlocks(at, first, end, columnsLeft, first);
  if (hasRest())
    ifLast(end, rowBlockCount(), [&] { restOfRows(at, columnsLeft, first); });
}

/// Rows are packed from this address in a on.
void ContractionEmitter::startRows(mlir::Value at) {
  rowsStart = at;
  if (computedA)
    startInputs(*computedA, own.a, at);
}

/// Room for the chunk of each part.
void ContractionEmitter::allocateRows(int64_t copies) {
  int64_t terms = schedule.terms != 0 ? schedule.terms : product(own.sums);
  // With what the last column of a panel stores after it (see packBlock). Lines that are
  // a power of two apart would share few places of the cache.
  auto padded = [&](int64_t count) {
    return (parts(count, schedule.lanes) + 1) * schedule.lanes;
  };
  if (keepsLines())
    lineStride = padded(terms);
  rowsStride =
      keepsLines() ? lineStride * schedule.rows : padded(terms * schedule.rows);
  rowsTotal = (schedule.chunk + (packsRest() ? 1 : 0)) * rowsStride;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(
      &own.op->getParentOfType<func::FuncOp>().getBody().front());
  packedRows = allocateForWorkers(
      builder, loc, MemRefType::get({copies * rowsTotal}, operand), copies);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Each part of the batch does everything for its members.
void ContractionEmitter::divideBatch(int64_t divided) {
  int64_t members = product(own.batch);
  if (schedule.packsColumns)
    allocatePanels(divided);
  if (schedule.packsRows)
    allocateRows(divided);
  forEachPart(builder, loc, divided, [&](mlir::Value number) {
    if (schedule.packsColumns)
      packedStart = ofWorker(number, panelsTotal);
    if (schedule.packsRows)
      packedRowsStart = ofWorker(number, rowsTotal);
    auto [from, to] = rangeOf(number, members, divided);
    auto made = scf::ForOp::create(builder, loc, from, to, index(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    Position at{index(own.firstA), index(own.firstB), index(0)};
    mlir::Value rest = made.getInductionVar();
    for (const ContractionLoop &loop : llvm::reverse(own.batch)) {
      mlir::Value counter =
          arith::RemUIOp::create(builder, loc, rest, index(loop.extent));
      rest = arith::DivUIOp::create(builder, loc, rest, index(loop.extent));
      at = {plus(at.a, counter, loop.a), plus(at.b, counter, loop.b),
            plus(at.c, counter, loop.c)};
    }
    member(at, 1);
  });
}

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

/// The terms of the largest nodes of a dot product. There are at most kDotFan of
/// these nodes.
int64_t ContractionEmitter::nodeTerms() const {
  int64_t size = schedule.lanes,
          full = own.sums.back().extent / schedule.lanes * schedule.lanes;
  while (size * kDotFan < full)
    size *= kDotFan;
  return size;
}

/// Where the sums of a node for an element of c are: in the order of c.
mlir::Value ContractionEmitter::nodeAt(mlir::Value node, Position at,
                                       int64_t row, int64_t column) {
  int64_t elements = cast<MemRefType>(own.c.getType()).getNumElements();
  mlir::Value place = plus(at.c, row * this->row.c + column * this->column.c);
  return plus(plus(index(0), place, schedule.lanes), node,
              elements * schedule.lanes);
}

/// Each element of c is a sum along contiguous elements of a and b: its lanes are
/// parts of this sum, which are added at the end.
void ContractionEmitter::dotTile(Position at, int64_t rows, int64_t columns) {
  int64_t extent = own.sums.back().extent,
          full = extent / schedule.lanes * schedule.lanes;
  startInputs(at.b);
  using Sums = SmallVector<mlir::Value>;
  auto step = [&](mlir::Value k, int64_t count, Sums &into) {
    SmallVector<mlir::Value> left;
    for (int64_t i = 0; i < rows; ++i)
      left.push_back(load(a, plus(plus(at.a, k, 1), i * row.a), count));
    for (int64_t j = 0; j < columns; ++j) {
      mlir::Value place = plus(plus(at.b, k, 1), j * column.b);
      mlir::Value right = loadOfB(place, count, j, k);
      // The next columns: b is often in memory. Of many blocks of rows, all but the
      // first read it from the cache, and the instructions take time.
      if (count == schedule.lanes && this->row.extent <= 2 * schedule.rows)
        prefetchB(plus(place, schedule.vectors * column.b),
                  j + schedule.vectors, /*terms=*/0, k);
      for (int64_t i = 0; i < rows; ++i) {
        mlir::Value &sum = into[size_t(i * columns + j)];
        sum = vector::FMAOp::create(builder, loc, left[size_t(i)], right, sum);
      }
    }
  };
  // Terms from `from` to `to`, in loops over steps of `size` terms: of a longer step,
  // the sums are added up first.
  std::function<void(mlir::Value, mlir::Value, int64_t, Sums &)> steps =
      [&](mlir::Value from, mlir::Value to, int64_t size, Sums &sums) {
        auto made =
            scf::ForOp::create(builder, loc, from, to, index(size), sums);
        {
          OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPointToStart(made.getBody());
          Sums all(made.getRegionIterArgs());
          mlir::Value first = made.getInductionVar();
          if (size == schedule.lanes) {
            step(first, schedule.lanes, all);
          } else {
            mlir::Value end =
                arith::MinSIOp::create(builder, loc, plus(first, size), to);
            Sums inner(all.size(), zeros(vector));
            steps(first, end, size / kDotFan, inner);
            for (auto [sum, own] : llvm::zip(all, inner))
              sum = arith::AddFOp::create(builder, loc, sum, own);
          }
          scf::YieldOp::create(builder, loc, all);
        }
        sums.assign(made.getResults().begin(), made.getResults().end());
      };
  Sums sums(size_t(rows * columns), zeros(vector));
  int64_t size = nodeTerms();
  auto forElements = [&](llvm::function_ref<void(int64_t, int64_t)> body) {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        body(i, j);
  };
  if (node) {
    mlir::Value first = plus(index(0), node, size);
    mlir::Value end =
        arith::MinSIOp::create(builder, loc, plus(first, size), index(full));
    steps(first, end, size / kDotFan, sums);
    forElements([&](int64_t i, int64_t j) {
      store(sums[size_t(i * columns + j)], nodeSums, nodeAt(node, at, i, j),
            schedule.lanes);
    });
    return;
  }
  if (nodeSums) {
    auto made = scf::ForOp::create(builder, loc, index(0),
                                   index(parts(full, size)), index(1), sums);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    Sums all(made.getRegionIterArgs());
    forElements([&](int64_t i, int64_t j) {
      mlir::Value &sum = all[size_t(i * columns + j)];
      sum = arith::AddFOp::create(builder, loc, sum,
                                  load(nodeSums,
                                       nodeAt(made.getInductionVar(), at, i, j),
                                       schedule.lanes));
    });
    scf::YieldOp::create(builder, loc, all);
    sums.assign(made.getResults().begin(), made.getResults().end());
  } else {
    steps(index(0), index(full), size, sums);
  }
  if (extent != full) {
    Sums rest(sums.size(), zeros(vector));
    step(index(full), extent - full, rest);
    for (auto [sum, own] : llvm::zip(sums, rest))
      sum = arith::AddFOp::create(builder, loc, sum, own);
  }
  sums = treesOf(std::move(sums));
  forElements([&](int64_t i, int64_t j) {
    mlir::Value place = plus(at.c, i * row.c + j * column.c);
    mlir::Value sum = sums[size_t(i * columns + j)];
    if (!isZero)
      sum = arith::AddFOp::create(
          builder, loc, sum,
          memref::LoadOp::create(builder, loc, c, ValueRange(place)));
    memref::StoreOp::create(builder, loc, sum, c, ValueRange(place));
  });
}

/// The sum of all lanes of each vector: halves are added. Two vectors are added up in
/// one, whose lower half is that of the first.
SmallVector<mlir::Value>
ContractionEmitter::treesOf(SmallVector<mlir::Value> sums) {
  size_t count = sums.size();
  // A vector holds the sums of `length` lanes each.
  for (int64_t length = schedule.lanes; length > 1; length /= 2) {
    auto type = cast<VectorType>(sums.front().getType());
    bool isOne = sums.size() == 1;
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < (isOne ? 1 : 2) * type.getDimSize(0); ++lane)
      (lane % length < length / 2 ? low : high).push_back(lane);
    SmallVector<mlir::Value> next;
    for (size_t i = 0; i < sums.size(); i += 2) {
      mlir::Value first = sums[i],
                  second = sums[std::min(i + 1, sums.size() - 1)];
      next.push_back(arith::AddFOp::create(
          builder, loc,
          vector::ShuffleOp::create(builder, loc, first, second, low),
          vector::ShuffleOp::create(builder, loc, first, second, high)));
    }
    sums = std::move(next);
  }
  SmallVector<mlir::Value> scalars;
  for (size_t i = 0; i < count; ++i) {
    auto lanes = size_t(cast<VectorType>(sums.front().getType()).getDimSize(0));
    scalars.push_back(vector::ExtractOp::create(
        builder, loc, sums[i / lanes], ArrayRef<int64_t>{int64_t(i % lanes)}));
  }
  return scalars;
}

/// All rows, for some columns.
void ContractionEmitter::dotRows(Position at, int64_t columns) {
  loopOver(outerRows, at, [&](Position at) {
    int64_t full = row.extent / schedule.rows,
            rest = row.extent % schedule.rows;
    ContractionLoop block{full, row.a * schedule.rows, 0,
                          row.c * schedule.rows};
    loopOver(block, at,
             [&](Position at) { dotTile(at, schedule.rows, columns); });
    if (rest != 0)
      dotTile({plus(at.a, full * block.a), at.b, plus(at.c, full * block.c)},
              rest, columns);
  });
}

/// Of long sums with few columns, threads compute the nodes of the highest level.
/// Then these are added in their order.
void ContractionEmitter::dotNodes(Position at, int64_t divided) {
  constexpr int64_t kMostElements = 64;
  auto type = cast<MemRefType>(own.c.getType());
  int64_t extent = own.sums.back().extent / schedule.lanes * schedule.lanes,
          size = nodeTerms(), nodes = parts(extent, size),
          columns = product(outerColumns) * (column.extent / schedule.vectors);
  if (std::min(nodes, divided) <= std::min(columns, divided) ||
      size == schedule.lanes || own.sums.size() != 1 ||
      !type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getNumElements() > kMostElements)
    return;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(
        &own.op->getParentOfType<func::FuncOp>().getBody().front());
    nodeSums = memref::AllocOp::create(
        builder, loc,
        MemRefType::get({nodes * type.getNumElements() * schedule.lanes},
                        element),
        builder.getI64IntegerAttr(64));
  }
  int64_t pieces = std::min(divided, nodes);
  forEachPart(builder, loc, pieces, [&](mlir::Value number) {
    auto [from, to] = rangeOf(number, nodes, pieces);
    auto made = scf::ForOp::create(builder, loc, from, to, index(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    node = made.getInductionVar();
    dots(at, 1);
    node = {};
  });
}

void ContractionEmitter::dots(Position at, int64_t divided) {
  if (divided > 1)
    dotNodes(at, divided);
  if (nodeSums)
    divided = 1;
  loopOver(outerColumns, at, [&](Position at) {
    int64_t units = column.extent / schedule.vectors;
    int64_t rest = column.extent % schedule.vectors;
    ContractionLoop unit{units, 0, column.b * schedule.vectors,
                         column.c * schedule.vectors};
    int64_t pieces = std::min(divided, units);
    forEachPart(builder, loc, pieces, [&](mlir::Value number) {
      auto [first, end] = rangeOf(number, units, pieces);
      // c has the sums of the outer loops so far.
      loopOver(Loops(own.sums).drop_back(), at, [&](Position at) {
        loopOver(unit, first, end, at,
                 [&](Position at) { dotRows(at, schedule.vectors); });
      });
    });
    if (rest != 0)
      loopOver(Loops(own.sums).drop_back(),
               {at.a, plus(at.b, units * unit.b), plus(at.c, units * unit.c)},
               [&](Position at) { dotRows(at, rest); });
  });
}

/// The body for each block of the sum; for the whole sum if it is not divided.
void ContractionEmitter::sumBlocks(Position at,
                                   llvm::function_ref<void(Position)> body) {
  if (schedule.form != Form::Streams)
    return body(at);
  ContractionLoop whole = own.sums[0];
  int64_t blocks = whole.extent / kStreamedRows,
          rest = whole.extent % kStreamedRows;
  ContractionLoop block{blocks, whole.a * kStreamedRows,
                        whole.b * kStreamedRows, 0};
  own.sums[0].extent = kStreamedRows;
  loopOver(block, at, body);
  own.sums[0].extent = rest;
  if (rest != 0)
    body({plus(at.a, blocks * block.a), plus(at.b, blocks * block.b), at.c});
  own.sums[0] = whole;
}

/// One member of the batch.
void ContractionEmitter::member(Position at, int64_t divided) {
  if (schedule.form == Form::Dots)
    return dots(at, divided);
  if (schedule.terms == 0)
    return blockOfTerms(at, divided);
  // What the code of a block changes is put back.
  Contraction plain = own;
  SmallVector<ContractionLoop> plainColumns = outerColumns;
  mlir::Value plainB = b;
  ContractionLoop terms = own.sums[0];
  int64_t full = terms.extent / schedule.terms,
          rest = terms.extent % schedule.terms;
  terms.extent = own.sums[0].extent = schedule.terms;
  ContractionLoop block{full, terms.a * terms.extent, terms.b * terms.extent,
                        0};
  loopOver(block, at, [&](Position at) { blockOfTerms(at, divided); });
  own = plain;
  outerColumns = plainColumns;
  b = plainB;
  if (rest == 0)
    return;
  own.sums[0].extent = rest;
  blockOfTerms({plus(at.a, full * block.a), plus(at.b, full * block.b), at.c},
               divided);
}

/// The body for each chunk of blocks of rows, from `first` to `end`, with a in panels that
/// all parts read.
void ContractionEmitter::sharedChunks(
    Position at, int64_t divided,
    llvm::function_ref<void(Position, mlir::Value, mlir::Value)> body) {
  int64_t count = rowBlockCount(), pieces = std::min(divided, schedule.chunk);
  forChunks(index(0), index(count), [&](mlir::Value first, mlir::Value end) {
    forEachPart(builder, loc, pieces, [&](mlir::Value number) {
      auto [from, to] = rangeOf(number, schedule.chunk, pieces);
      startRows(at.a);
      packRows(first, plus(first, from, 1),
               arith::MinSIOp::create(builder, loc, plus(first, to, 1), end));
    });
    if (packsRest())
      ifLast(end, count, [&] {
        startRows(at.a);
        packRest(first);
      });
    inPackedRows([&] { body({packedRowsStart, at.b, at.c}, first, end); });
  });
}

/// A block of terms. For each panel of columns, the first block of rows copies it.
void ContractionEmitter::copyingBlock(Position at, int64_t divided) {
  if (!schedule.packsRows)
    return copyPanels(at, index(0), index(rowBlockCount()), {}, divided);
  sharedChunks(at, divided,
               [&](Position at, mlir::Value first, mlir::Value end) {
                 copyPanels(at, first, end, first, divided);
               });
}

/// The same for the blocks of rows from `first` to `end`.
void ContractionEmitter::copyPanels(Position at, mlir::Value first,
                                    mlir::Value end, mlir::Value origin,
                                    int64_t divided) {
  int64_t width = schedule.vectors * schedule.lanes;
  int64_t full = column.extent / width, rest = column.extent % width;
  int64_t pieces = std::max<int64_t>(1, std::min(divided, full));
  auto allRows = [&](Position at, mlir::Value panel, int64_t columnsLeft) {
    ContractionLoop plainTerms = own.sums[0];
    mlir::Value plainB = b;
    along.copyTo = panel;
    tile(
        {blockOfA(at, first, origin), at.b, plus(at.c, firstRow(first), row.c)},
        schedule.rows, columnsLeft);
    along.copyTo = {};
    if (schedule.fetchesAhead)
      nextColumns = {b, plus(at.b, width), plainTerms.b};
    b = packed;
    own.sums[0].b = width;
    at.b = panel;
    rowBlocks(at, plus(first, 1), end, columnsLeft, origin);
    nextColumns = {};
    if (hasRest())
      ifLast(end, rowBlockCount(),
             [&] { restOfRows(at, columnsLeft, origin); });
    b = plainB;
    own.sums[0] = plainTerms;
  };
  forEachPart(builder, loc, pieces, [&](mlir::Value number) {
    auto [from, to] = rangeOf(number, full, pieces);
    mlir::Value panel =
        pieces > 1 ? ofWorker(number, panelsTotal) : packedStart;
    if (full > 0)
      loopOver({full, 0, width, width}, from, to, at,
               [&](Position at) { allRows(at, panel, width); });
    if (rest == 0)
      return;
    Position last{at.a, plus(at.b, full * width), plus(at.c, full * width)};
    if (pieces == 1)
      return allRows(last, panel, rest);
    ifLast(to, full, [&] { allRows(last, panel, rest); });
  });
}

/// A part has some rows, or some panels of columns.
ContractionEmitter::Division
ContractionEmitter::divisionOf(int64_t divided) const {
  // A part with some rows reads all panels: it has enough rows for that.
  constexpr int64_t kRowsOfPart = 96;
  int64_t byRows = std::min(
              {divided, rowUnitCount(), parts(product(own.rows), kRowsOfPart)}),
          byColumns = std::min(
              divided, column.extent / (schedule.vectors * schedule.lanes));
  bool isByRows = byRows >= byColumns || byRows >= 8;
  return {isByRows, std::max<int64_t>(1, isByRows ? byRows : byColumns)};
}

void ContractionEmitter::blockOfTerms(Position at, int64_t divided) {
  if (schedule.copies)
    return copyingBlock(at, divided);
  bStart = at.b;
  if (schedule.packsColumns) {
    if (!arePacked)
      pack(divided);
    at.b = packedStart;
  }
  loopOver(outerColumns, at, [&](Position at) {
    int64_t full = rowBlockCount(), width = schedule.vectors * schedule.lanes;
    int64_t rowUnits = rowUnitCount(), columnUnits = column.extent / width;
    auto [isByRows, pieces] = divisionOf(divided);
    auto rowsOf = [&](Position at, mlir::Value first, mlir::Value end,
                      int64_t columnsLeft) {
      if (outerRows.empty()) {
        rowBlocks(at, first, end, columnsLeft);
        return;
      }
      loopOver(outerRows.front(), first, end, at, [&](Position at) {
        loopOver(Loops(outerRows).drop_front(), at, [&](Position at) {
          rowBlocks(at, index(0), index(full), columnsLeft);
          restOfRows(at, columnsLeft);
        });
      });
    };
    if (isByRows) {
      forEachPart(builder, loc, pieces, [&](mlir::Value number) {
        auto [first, end] = rangeOf(number, rowUnits, pieces);
        if (schedule.packsRows) {
          if (pieces > 1)
            packedRowsStart = ofWorker(number, rowsTotal);
          return chunks(at, first, end);
        }
        sumBlocks(at, [&](Position at) {
          panels(at, [&](Position at, int64_t columnsLeft) {
            rowsOf(at, first, end, columnsLeft);
            if (outerRows.empty() && hasRest())
              ifLast(end, rowBlockCount(),
                     [&] { restOfRows(at, columnsLeft); });
          });
        });
      });
      return;
    }
    ContractionLoop panel{columnUnits, 0,
                          schedule.packsColumns ? panelStride : width, width};
    auto allPanels = [&](Position at, auto allRows) {
      forEachPart(builder, loc, pieces, [&](mlir::Value number) {
        auto [first, end] = rangeOf(number, columnUnits, pieces);
        sumBlocks(at, [&](Position at) {
          loopOver(panel, first, end, at,
                   [&](Position at) { allRows(at, width); });
        });
      });
      if (column.extent % width != 0)
        sumBlocks({at.a, plus(at.b, columnUnits * panel.b),
                   plus(at.c, columnUnits * width)},
                  [&](Position at) { allRows(at, column.extent % width); });
    };
    if (schedule.packsRows)
      return sharedChunks(
          at, divided, [&](Position at, mlir::Value first, mlir::Value end) {
            allPanels(at, [&](Position at, int64_t columnsLeft) {
              packedBlocks(at, first, end, columnsLeft);
            });
          });
    allPanels(at, [&](Position at, int64_t columnsLeft) {
      rowsOf(at, index(0), index(rowUnits), columnsLeft);
      if (outerRows.empty())
        restOfRows(at, columnsLeft);
    });
  });
}

/// The parts of a sum are members of a batch, with results of their own. Then these
/// are a sum like any other (SumCode.h).
void ContractionEmitter::split() {
  int64_t length = schedule.split;
  const ContractionLoop &terms = own.sums[0];
  int64_t full = terms.extent / length, rest = terms.extent % length;
  auto type = cast<MemRefType>(own.c.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin(), full);
  mlir::Value partial;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(
        &own.op->getParentOfType<func::FuncOp>().getBody().front());
    partial =
        memref::AllocOp::create(builder, loc, MemRefType::get(shape, element),
                                builder.getI64IntegerAttr(64));
  }
  mlir::Value zero = arith::ConstantOp::create(
      builder, loc, cast<TypedAttr>(builder.getZeroAttr(element)));
  linalg::FillOp::create(builder, loc, zero, partial);
  Contraction parts = own;
  parts.isPart = true;
  parts.c = partial;
  parts.sums[0].extent = length;
  parts.batch.insert(
      parts.batch.begin(),
      {full, terms.a * length, terms.b * length, type.getNumElements()});
  emitPart(parts, prologues, machine, random);
  if (rest != 0) {
    Contraction last = own;
    last.isPart = true;
    last.sums[0].extent = rest;
    last.firstA += full * length * terms.a;
    last.firstB += full * length * terms.b;
    emitPart(last, prologues, machine, random);
  }
  auto rank = unsigned(shape.size());
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  kinds.front() = utils::IteratorType::reduction;
  AffineMap whole = builder.getMultiDimIdentityMap(rank);
  linalg::GenericOp::create(
      builder, loc, ValueRange(partial), ValueRange(own.c),
      ArrayRef<AffineMap>{whole, whole.dropResult(0)}, kinds,
      [](OpBuilder &b, Location at, ValueRange elements) {
        mlir::Value sum =
            arith::AddFOp::create(b, at, elements[1], elements[0]);
        linalg::YieldOp::create(b, at, sum);
      });
}

/// The loop with this attribute around an operation; null if there is none.
static scf::ForOp enclosingLoop(Operation *op, StringRef attribute) {
  auto loop = op->getParentOfType<scf::ForOp>();
  while (loop && !loop->hasAttr(attribute))
    loop = loop->getParentOfType<scf::ForOp>();
  return loop;
}

void ContractionEmitter::emit() {
  if (schedule.split != 0)
    return split();
  isZero = problem.isZero && schedule.terms == 0 &&
           schedule.form != Form::Streams &&
           !(schedule.form == Form::Dots && own.sums.size() > 1);
  if (isZero)
    fillBefore(own).erase();
  builder.setInsertionPoint(own.op);
  if (epilogue)
    beginEpilogue();
  computedA = computed(prologues.rows);
  computedB = computed(prologues.columns);
  packedStart = packedRowsStart = index(0);
  if (auto tiles = enclosingLoop(own.op, kTiles))
    return emitInTile(tiles);
  if (!computedA)
    a = flat(own.a);
  if (!computedB)
    b = flat(own.b);
  c = flat(own.c);
  int64_t members = product(own.batch), divided = schedule.parts;
  constexpr int64_t kManyMembers = 8;
  if (members >= kManyMembers || (members > 1 && divided <= members)) {
    divideBatch(std::min(divided, members));
  } else {
    if (schedule.packsColumns)
      allocatePanels(schedule.copies ? divided : 1);
    if (schedule.packsRows)
      allocateRows(schedule.copies || !divisionOf(divided).isByRows ? 1
                                                                    : divided);
    loopOver(own.batch, {index(own.firstA), index(own.firstB), index(0)},
             [&](Position at) { member(at, divided); });
  }
}

/// The same value before a loop; null if it depends on the loop.
static mlir::Value valueBefore(OpBuilder &builder, mlir::Value value,
                               Operation *loop, IRMapping &made) {
  if (mlir::Value known = made.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  Block *block = op ? op->getBlock() : value.getParentBlock();
  if (!loop->isAncestor(block->getParentOp()))
    return value;
  if (!op || !isMemoryEffectFree(op) || op->getNumRegions() != 0)
    return {};
  for (mlir::Value operand : op->getOperands()) {
    mlir::Value own = valueBefore(builder, operand, loop, made);
    if (!own)
      return {};
    made.map(operand, own);
  }
  builder.clone(*op, made);
  return made.lookup(value);
}

SmallVector<int64_t> ContractionEmitter::panelNumbers() const {
  SmallVector<int64_t> numbers{own.firstB,
                               schedule.vectors * schedule.lanes,
                               column.extent,
                               column.b,
                               problem.group,
                               problem.groupB,
                               int64_t(own.sums.size())};
  for (Loops loops : {Loops(own.sums), Loops(outerColumns)})
    for (const ContractionLoop &loop : loops)
      numbers.append({loop.extent, loop.b});
  return numbers;
}

/// Packs b before the loop over tiles, for all tiles of a part; or before all parts,
/// for all of them. False if b is not the same for all tiles.
bool ContractionEmitter::packBefore(scf::ForOp tiles) {
  if (!own.op->hasAttr(kSamePanels) || product(own.batch) != 1 ||
      schedule.terms != 0)
    return false;
  OpBuilder::InsertionGuard guard(builder);
  scf::ForOp parts = enclosingLoop(tiles, kParallel);
  auto packAt = [&](Operation *place, int64_t copies, mlir::Value number,
                    int64_t threads) {
    builder.setInsertionPoint(place);
    IRMapping made;
    mlir::Value operand = valueBefore(builder, own.b, place, made);
    if (!operand)
      return false;
    arePacked = true;
    TilePanels panels{place, operand, panelNumbers(), {}};
    auto known = llvm::find_if(tilePanels, [&](const TilePanels &other) {
      return other.place == place && other.numbers == panels.numbers &&
             areSame(other.b, operand);
    });
    if (known != tilePanels.end()) {
      packed = known->packed;
      readPanels();
      return true;
    }
    b = flat(operand);
    allocatePanels(copies);
    packedStart = number ? ofWorker(number, panelsTotal) : index(0);
    bStart = index(own.firstB);
    pack(threads);
    panels.packed = packed;
    if (!number)
      tilePanels.push_back(panels);
    return true;
  };
  // Moving an element costs about as much as eight operations of a vector's lane.
  int64_t threads =
      partsFor(double(product(own.sums)) * double(product(outerColumns)) *
               double(column.extent));
  if (parts && packAt(parts, 1, {}, threads))
    return true;
  int64_t copies = 1;
  if (parts)
    copies = *getConstantIntValue(parts.getUpperBound());
  return packAt(tiles, copies, parts ? parts.getInductionVar() : mlir::Value(),
                1);
}

/// Whether a bound differs for the rows of the tile, and code can follow it.
bool ContractionEmitter::isByRows(StringRef name) const {
  auto map = own.op->getAttrOfType<AffineMapAttr>(name);
  return map &&
         (map.getValue().isFunctionOfDim(kFirstRowDim) ||
          map.getValue().isFunctionOfDim(kLastRowDim)) &&
         problem.isFloat && !problem.isPairs && !isMatrix() &&
         own.sums.size() == 1 && schedule.terms == 0;
}

/// A column or a term up to which a mask leaves something of some rows, between 0 and
/// `extent`. Null if the operation has no such bound.
mlir::Value ContractionEmitter::boundOf(StringRef name, int64_t extent,
                                        mlir::Value first, mlir::Value last) {
  auto map = own.op->getAttrOfType<AffineMapAttr>(name);
  if (!map)
    return {};
  auto numberIn = [&](StringRef attribute) {
    scf::ForOp loop = enclosingLoop(own.op, attribute);
    return loop ? loop.getInductionVar() : index(0);
  };
  SmallVector<mlir::Value> place{numberIn(kTiles), numberIn(kBlocks),
                                 numberIn(kEverything), first, last};
  bool isEnd = name == kColumnsEnd || name == kTermsEnd;
  mlir::Value bound = isEnd ? mlir::Value(affine::AffineMinOp::create(
                                  builder, loc, map.getValue(), place))
                            : mlir::Value(affine::AffineMaxOp::create(
                                  builder, loc, map.getValue(), place));
  bound = arith::MaxSIOp::create(builder, loc, bound, index(0));
  return arith::MinSIOp::create(builder, loc, bound, index(extent));
}

/// Whether the terms before `begin` and from `end` on add nothing: a is zero, and b is
/// finite.
mlir::Value ContractionEmitter::countNothing(mlir::Value begin,
                                             mlir::Value end) {
  int64_t terms = own.sums[0].extent, width = schedule.vectors * schedule.lanes;
  auto bitsType =
      VectorType::get({schedule.lanes},
                      builder.getIntegerType(operand.getIntOrFloatBitWidth()));
  auto maskOfSign = APInt::getSignedMaxValue(operand.getIntOrFloatBitWidth());
  mlir::Value size = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(bitsType, ArrayRef<APInt>(maskOfSign)));
  // All bits that are not those of a zero.
  mlir::Value found = zeros(bitsType);
  auto look = [&](mlir::Value buffer, mlir::Value place, int64_t count,
                  bool isDifference, mlir::Value found) -> mlir::Value {
    mlir::Value value = load(buffer, place, count);
    if (isDifference) // x - x is 0 or NaN
      value = arith::SubFOp::create(builder, loc, value, value);
    mlir::Value bits = arith::AndIOp::create(
        builder, loc, vector::BitCastOp::create(builder, loc, bitsType, value),
        size);
    return arith::OrIOp::create(builder, loc, bits, found);
  };
  auto lookAt = [&](mlir::Value buffer, mlir::Value from, mlir::Value to,
                    mlir::Value place, bool isDifference, mlir::Value found) {
    auto made = scf::ForOp::create(builder, loc, from, to,
                                   index(schedule.lanes), ValueRange(found));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    mlir::Value bits =
        look(buffer, plus(place, made.getInductionVar(), 1), schedule.lanes,
             isDifference, made.getRegionIterArgs().front());
    scf::YieldOp::create(builder, loc, bits);
    return made.getResult(0);
  };
  auto forNumbers = [&](int64_t count, auto body) {
    auto made = scf::ForOp::create(builder, loc, index(0), index(count),
                                   index(1), ValueRange(found));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    scf::YieldOp::create(builder, loc,
                         body(made.getInductionVar(),
                              mlir::Value(made.getRegionIterArgs().front())));
    found = made.getResult(0);
  };
  forNumbers(row.extent, [&](mlir::Value i, mlir::Value found) {
    mlir::Value place = plus(index(own.firstA), i, row.a);
    found = lookAt(a, index(0), begin, place, false, found);
    return lookAt(a, end, index(terms), place, false, found);
  });
  if (arePacked) {
    forNumbers(parts(column.extent, width), [&](mlir::Value i,
                                                mlir::Value found) {
      mlir::Value place = plus(packedStart, i, terms * width);
      auto at = [&](mlir::Value term) { return plus(index(0), term, width); };
      found = lookAt(packed, index(0), at(begin), place, true, found);
      return lookAt(packed, at(end), index(terms * width), place, true, found);
    });
  } else {
    forNumbers(terms, [&](mlir::Value k, mlir::Value found) {
      mlir::Value isInside = arith::AndIOp::create(
          builder, loc,
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, k,
                                begin),
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, k,
                                end));
      auto made = scf::IfOp::create(builder, loc, found.getType(), isInside,
                                    /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(made.thenBlock());
      scf::YieldOp::create(builder, loc, found);
      builder.setInsertionPointToStart(made.elseBlock());
      mlir::Value place = plus(index(own.firstB), k, own.sums[0].b);
      for (int64_t first = 0; first < column.extent; first += schedule.lanes)
        found = look(b, plus(place, first), column.extent - first, true, found);
      scf::YieldOp::create(builder, loc, found);
      return made.getResult(0);
    });
  }
  mlir::Value any = vector::ReductionOp::create(
      builder, loc, vector::CombiningKind::OR, found);
  mlir::Value none = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(bitsType.getElementType(), 0));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, any,
                               none);
}

/// Adds only the terms that a mask leaves, where the others add nothing.
void ContractionEmitter::limitTerms() {
  if (isByRows(kTermsBegin) || isByRows(kTermsEnd) || own.sums.size() != 1 ||
      own.sums[0].a != 1 || !outerRows.empty() || !outerColumns.empty() ||
      product(own.batch) != 1 || arePacked != schedule.packsColumns ||
      !problem.isFloat || problem.isPairs || schedule.packsRows ||
      schedule.terms != 0 || own.sums[0].extent % schedule.lanes != 0)
    return;
  int64_t terms = own.sums[0].extent;
  mlir::Value first = index(0), last = index(row.extent - 1),
              begin = boundOf(kTermsBegin, terms, first, last),
              end = boundOf(kTermsEnd, terms, first, last);
  if (!begin && !end)
    return;
  mlir::Value lanes = index(schedule.lanes);
  begin = begin
              ? mlir::Value(arith::DivUIOp::create(builder, loc, begin, lanes))
              : index(0);
  begin = arith::MulIOp::create(builder, loc, begin, lanes);
  end = end ? mlir::Value(arith::CeilDivUIOp::create(builder, loc, end, lanes))
            : index(terms / schedule.lanes);
  end = arith::MulIOp::create(builder, loc, end, lanes);
  end = arith::MaxUIOp::create(builder, loc, begin, end);
  mlir::Value isLimited = countNothing(begin, end);
  termsBegin =
      arith::SelectOp::create(builder, loc, isLimited, begin, index(0));
  termsEnd =
      arith::SelectOp::create(builder, loc, isLimited, end, index(terms));
}

/// A part of a product that one thread computes.
void ContractionEmitter::emitInTile(scf::ForOp tiles) {
  bool isPacked = schedule.packsColumns && packBefore(tiles);
  a = flat(own.a);
  c = flat(own.c);
  if (!isPacked) {
    b = flat(own.b);
    if (schedule.packsColumns) {
      scf::ForOp parts = enclosingLoop(tiles, kParallel);
      allocatePanels(parts ? *getConstantIntValue(parts.getUpperBound()) : 1);
      if (parts)
        packedStart = ofWorker(parts.getInductionVar(), panelsTotal);
    }
  }
  if (schedule.packsRows) {
    scf::ForOp parts = enclosingLoop(tiles, kParallel);
    allocateRows(parts ? *getConstantIntValue(parts.getUpperBound()) : 1);
    if (parts)
      packedRowsStart = ofWorker(parts.getInductionVar(), rowsTotal);
  }
  mlir::Value first = index(0), last = index(row.extent - 1);
  if (mlir::Value end = boundOf(kColumnsEnd, column.extent, first, last))
    columnsEnd = end;
  if (mlir::Value begin = boundOf(kColumnsBegin, column.extent, first, last))
    columnsBegin = begin;
  if (columnsBegin || columnsEnd) {
    columnsBegin = columnsBegin ? columnsBegin : index(0);
    columnsEnd = columnsEnd ? columnsEnd : index(column.extent);
  }
  limitTerms();
  loopOver(own.batch, {index(own.firstA), index(own.firstB), index(0)},
           [&](Position at) { member(at, 1); });
}

static ContractionSchedule chosenFor(const ContractionProblem &problem,
                                     const Machine &machine,
                                     std::mt19937_64 *random) {
  ContractionSchedule best = ContractionSchedule::choose(
      problem, machine.vectorBytes(), machine.ownCacheBytes());
  return random ? best.varied(problem, *random) : best;
}

/// The schedule that the operation has, or one that is chosen. Fails after an error.
static FailureOr<ContractionSchedule>
scheduleOf(const Contraction &contraction, const ContractionProblem &problem,
           const Machine &machine, std::mt19937_64 *random) {
  ContractionSchedule best = chosenFor(problem, machine, random);
  Attribute text = contraction.op->getAttr(kSchedule);
  return text ? best.given(contraction.op, text, problem,
                           bool(enclosingLoop(contraction.op, kTiles)))
              : best;
}

static ScheduleNote noteOf(const Contraction &contraction,
                           const ContractionProblem &problem,
                           const ContractionSchedule &schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << problem.describe() << ": " << schedule.text();
  if (contraction.op->hasAttr(kSamePanels))
    os << ", packed once for all tiles";
  if (contraction.op->hasAttr(kColumnsBegin) ||
      contraction.op->hasAttr(kColumnsEnd))
    os << ", only columns that the mask leaves";
  if (contraction.op->hasAttr(kTermsBegin) ||
      contraction.op->hasAttr(kTermsEnd))
    os << ", only terms that the mask leaves";
  return {contraction.op->getLoc(), text,
          bool(enclosingLoop(contraction.op, kTiles))};
}

/// A part of a sum that is split. It has the prologue of the whole.
static void emitPart(const Contraction &part, const Prologues &prologues,
                     const Machine &machine, std::mt19937_64 *random) {
  std::vector<TilePanels> none;
  ContractionProblem problem(part, machine.vectorBytes());
  problem.hasRowsPrologue = false; // a is in memory
  problem.hasPrologue = prologues.columns.has_value();
  ContractionSchedule schedule = chosenFor(problem, machine, random);
  schedule.prologue = prologues.columns.has_value();
  if (!schedule.check(problem).empty()) // drawn without the prologue
    schedule = chosenFor(problem, machine, nullptr);
  ContractionEmitter(part, problem, schedule, prologues, none, machine, random)
      .emit();
}

/// A product has no use for the schedule of rows, and other operations for that of a
/// product.
static LogicalResult refuseOtherSchedules(func::FuncOp kernel) {
  auto found =
      kernel.walk([](linalg::LinalgOp op) {
        bool isProduct = Contraction::of(op).has_value();
        if (!op->hasAttr(isProduct ? kRows : kSchedule))
          return WalkResult::advance();
        if (isProduct)
          op->emitOpError() << "has " << kRows
                            << ", but is a product: expected " << kSchedule;
        else
          op->emitOpError()
              << "has a schedule of a product: expected a product of f32, "
                 "f64 or narrower numbers, with known extents";
        return WalkResult::interrupt();
      });
  return failure(found.wasInterrupted());
}

LogicalResult cpu::emitContractions(func::FuncOp kernel, const Machine &machine,
                                    ScheduleNotes &notes) {
  if (failed(refuseOtherSchedules(kernel)))
    return failure();
  std::mt19937_64 random(machine.scheduleSeed);
  SmallVector<Contraction> contractions;
  kernel.walk([&](linalg::LinalgOp op) {
    if (auto contraction = Contraction::of(op))
      contractions.push_back(*contraction);
  });
  std::vector<TilePanels> tilePanels;
  for (const Contraction &contraction : contractions) {
    ContractionProblem problem(contraction, machine.vectorBytes());
    std::mt19937_64 *drawn = machine.scheduleSeed ? &random : nullptr;
    FailureOr<ContractionSchedule> schedule =
        scheduleOf(contraction, problem, machine, drawn);
    if (failed(schedule))
      return failure();
    std::optional<Epilogue> epilogue;
    if (schedule->epilogue)
      epilogue = Epilogue::of(contraction, problem.row, problem.column);
    mlir::Value result = epilogue ? epilogue->result.buffer : mlir::Value();
    Prologues prologues;
    if (schedule->prologue)
      prologues.columns =
          Prologue::ofColumns(contraction, problem.column, result);
    if (schedule->rowsPrologue)
      prologues.rows = Prologue::ofRows(contraction, problem.row, result);
    notes.lines.push_back(noteOf(contraction, problem, *schedule));
    if (prologues.rows)
      notes.lines.back().text +=
          ", " + namesOfBody(prologues.rows->op) + " as a is packed";
    if (prologues.columns)
      notes.lines.back().text +=
          ", " + namesOfBody(prologues.columns->op) + " as b is read";
    if (epilogue)
      notes.lines.back().text +=
          ", " + namesOfBody(epilogue->op) + " in registers";
    if (!enclosingLoop(contraction.op, kTiles))
      notes.choose(contraction.op, kSchedule,
                   StringAttr::get(kernel.getContext(), schedule->text()));
    ContractionEmitter(contraction, problem, *schedule, prologues, tilePanels,
                       machine, drawn)
        .emit();
    if (epilogue)
      epilogue->op->erase();
    contraction.op->erase();
    auto erase = [](const std::optional<Prologue> &prologue,
                    mlir::Value operand) {
      if (!prologue)
        return;
      prologue->op->erase();
      operand.getDefiningOp()->erase();
    };
    erase(prologues.rows, contraction.a);
    erase(prologues.columns, contraction.b);
  }
  return success();
}
