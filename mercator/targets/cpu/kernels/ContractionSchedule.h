// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How the code of a contraction computes it: a decision, as data.
///
///   product of 512x1024 and 1024x2048, f32, vectors of 64 bytes
///
///   form=tiles lanes=16 rows=7 vectors=4 pack=b terms=1024 chunk=0 parts=64
///
/// A *tile* of the result, 7 rows of 4 vectors of 16 elements, stays in registers
/// while the sum runs. `pack=b` copies the columns of b to panels, in the order in
/// which tiles read them; `pack=ab` the rows of a too, `chunk` blocks of rows at a
/// time, which reads long pieces where rows are neighbors in a. With `copy=1` the first
/// rows read b in place, and copy what they read to the panel that the other rows read:
/// one panel, which stays in the first cache. With `ahead=1` the other rows fetch what the
/// next panel copies to the second cache. The sum is added up in blocks of `terms`
/// terms, so that panels stay in the cache. The work is divided into `parts`. With
/// `epilogue=1` the next operation, such as a bias with an activation, is computed
/// before a tile leaves the registers. With `prologue=1` elements of b, such as weights of
/// 8 bits, are computed where they are read (Prologue.h); with `prologue_a=1`, elements of a
/// are computed as they are packed. With `unit=matrix` a tile stays in the registers
/// of the matrix unit (MatrixUnit.h), in squares of 16 rows and one vector. Terms are
/// then words of four bytes.
///
/// ContractionCode.h makes code of a schedule, and decides nothing. The attribute
/// `mercator.schedule` of an operation has its schedule (Schedules.h).
///
/// The order in which the terms of a sum are added follows from `form`, `lanes`
/// of dots, and `split` (docs/cpu.md). So `choose` takes these from the shape alone,
/// whatever the CPU is. Blocks of terms have whole chains, and do not change it. Floats
/// have another order in the matrix unit, which few CPUs have.
///
/// The parts of a sum that is split are products of their own, for which `choose`
/// decides.
///
/// Laws. check(choose(p)) holds for every problem p. Two schedules that `check`
/// accepts and that have the same order of sums compute the same bits.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_CONTRACTIONSCHEDULE_H
#define MERCATOR_TARGETS_CPU_KERNELS_CONTRACTIONSCHEDULE_H

#include "mercator/targets/cpu/kernels/Contraction.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <random>
#include <string>

namespace mercator::cpu {

/// The attribute of an operation with its schedule, as text.
inline constexpr llvm::StringLiteral kSchedule = "mercator.schedule";
/// The attribute of one in tiles of cells, a list of texts (CellSchedule.h).
inline constexpr llvm::StringLiteral kProducts = "mercator.products";
/// The attribute of a product whose terms are those of a block of a longer sum
/// (ColumnSums.h): they are a chain, or several.
inline constexpr llvm::StringLiteral kAddsBlock = "mercator.adds_block";

/// The terms of a sum that a tile adds one after another. A longer sum has several
/// such chains.
inline constexpr int64_t kChain = 256;
/// Rows of b that are read side by side, if b is streamed.
inline constexpr int64_t kStreamedRows = 16;

/// What a schedule is chosen for.
struct ContractionProblem {
  ContractionProblem() = default;
  ContractionProblem(const Contraction &contraction, int64_t vectorBytes);

  /// The innermost loops of rows and of columns, and those around them.
  ContractionLoop row{1, 0, 0, 0}, column{1, 0, 1, 1};
  /// Columns that are neighbors in c may be in groups of `group` that are apart in
  /// b, such as the heads of each query: column i is at
  /// (i / group) * column.b + (i % group) * groupB. A vector has whole groups.
  int64_t group = 1, groupB = 0;
  llvm::SmallVector<ContractionLoop> outerRows, outerColumns, sums, batch;
  int64_t elementBits = 32; ///< of the result
  bool isFloat = true;
  bool isPairs = false; ///< operands are pairs of numbers (NarrowProducts.h)
  bool isMatrix =
      false; ///< operands are words of the matrix unit (MatrixUnit.h)
  std::string noMatrix;     ///< why they are not, if that is known
  int64_t vectorBytes = 64; ///< of the machine
  /// The result was filled with zeros just before.
  bool isZero = false;
  /// The result is a whole buffer of known extents.
  bool isWhole = false;
  /// The next operation can be computed from a tile of finished sums (Epilogue.h).
  bool hasEpilogue = false;
  /// The operation before can be computed where b is read (Prologue.h), or a is packed.
  bool hasPrologue = false, hasRowsPrologue = false;
  /// The result of that operation is larger than a core's own cache: rows that are
  /// written from end to end, past the cache, are better than parts of many rows.
  bool isEpilogueFar = false;
  /// So is the result of the product.
  bool isFar = false;

  [[nodiscard]] int64_t rows() const;    ///< of all loops
  [[nodiscard]] int64_t columns() const; ///< of all loops
  [[nodiscard]] int64_t terms() const;
  [[nodiscard]] int64_t members() const; ///< of the batch
  /// `8 products of 96 x 80 x 64`: rows, columns and terms.
  [[nodiscard]] std::string describe() const;
  /// Whether columns are neighbors in b.
  [[nodiscard]] bool hasNeighbors() const {
    return group == 1 && column.b == 1;
  }
  /// Whether squares of columns and terms can be transposed to panels, in vectors.
  [[nodiscard]] bool hasSquares(int64_t lanes) const {
    return !hasNeighbors() && !sums.empty() && sums.back().b == 1 && lanes >= 4;
  }
  /// The terms are those of a block.
  bool addsBlock = false;

  /// Whether terms are added up before they are added to what the result has: a sum has
  /// several chains, or is one of a longer sum. In the matrix unit it has one, to which
  /// sums of 32 products are added.
  [[nodiscard]] bool isChained() const {
    return isFloat && !isMatrix && (addsBlock || terms() > kChain);
  }
};

struct ContractionSchedule {
  enum class Form {
    Tiles,   ///< tiles of the result in registers, read from panels or in place
    Streams, ///< the same, for a few rows of b at a time, in the order of memory
    Dots     ///< each element is a sum along contiguous terms of a and b
  } form = Form::Tiles;
  enum class Unit { Vector, Matrix } unit = Unit::Vector; ///< that multiplies
  int64_t lanes = 1; ///< elements of a vector
  /// Of a tile: its rows, and its vectors; of dots, its columns.
  int64_t rows = 1, vectors = 1;
  bool packsColumns = false, packsRows = false;
  bool copies = false; ///< the first block of rows packs b while it is computed
  bool fetchesAhead =
      false; ///< the other blocks fetch the next panel's columns
  /// The last block of rows begins in the one before, and computes some rows again.
  bool overlaps = false;
  bool epilogue = false; ///< tiles are given to the next operation in registers
  bool prologue = false; ///< b is computed where it is read
  bool rowsPrologue = false; ///< a is computed as it is packed
  bool prefetches = false;   ///< the lines of a tile, before its sum begins
  int64_t terms = 0;         ///< of a block of the sum; 0: the whole sum
  int64_t split = 0; ///< terms of a part of the sum with a result of its own
  int64_t chunk = 0; ///< blocks of rows that are packed together
  int64_t parts = 1; ///< that several threads may compute

  /// `vectorBytes`: the width of vectors of the machine. `cacheBytes`: of the cache
  /// that a core has alone.
  [[nodiscard]] static ContractionSchedule
  choose(const ContractionProblem &problem, int64_t vectorBytes,
         int64_t cacheBytes);

  /// Of a part of a product, some of its rows, whose sums have the order of the whole.
  /// Requires: the form of the whole is Tiles, and its split is 0.
  [[nodiscard]] static ContractionSchedule
  ofTile(const ContractionProblem &part, int64_t vectorBytes);

  /// Any other schedule with the same order of sums, for tests.
  [[nodiscard]] ContractionSchedule varied(const ContractionProblem &problem,
                                           std::mt19937_64 &random,
                                           bool isInTile = false) const;

  /// Why the problem cannot be computed like this; empty if it can.
  [[nodiscard]] std::string check(const ContractionProblem &problem) const;
  /// The same, if the problem is a part of a product in a tile of cells.
  [[nodiscard]] std::string
  checkInTile(const ContractionProblem &problem) const;

  /// The schedule that an attribute of an operation gives by hand. Fails after an error
  /// at the operation, which names this schedule as one that is possible.
  [[nodiscard]] llvm::FailureOr<ContractionSchedule>
  given(mlir::Operation *op, mlir::Attribute text,
        const ContractionProblem &problem, bool isInTile) const;

  void print(llvm::raw_ostream &os) const;
  [[nodiscard]] std::string text() const; ///< that `print` writes
  /// Of a text that `print` writes. An error says what was expected.
  [[nodiscard]] static llvm::Expected<ContractionSchedule>
  parse(llvm::StringRef text);

  bool operator==(const ContractionSchedule &) const = default;
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_CONTRACTIONSCHEDULE_H
