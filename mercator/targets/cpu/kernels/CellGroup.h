// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Internal. A group of operations on buffers that one loop over tiles of cells
/// computes (CellLoops.h).
///
///   group.add(product, fills)    while operations have coordinates in common
///   group.choose()               the tiles, as a schedule; false if they do not pay
///   group.emit(notes)            the loop that has the schedule
///
/// Five files have its parts: CellGroup.cpp what can be in a group and the schedule,
/// CellLoops.cpp the tiles, and in a tile ColumnBlocks.cpp the blocks of columns of a
/// softmax (OnlineSoftmax.h), SumBlocks.cpp those of sums (ColumnSums.h), and
/// InfiniteBlocks.cpp whether what they weigh is finite.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_CELLGROUP_H
#define MERCATOR_TARGETS_CPU_KERNELS_CELLGROUP_H

#include "mercator/targets/cpu/kernels/CellLoops.h"
#include "mercator/targets/cpu/kernels/CellSchedule.h"
#include "mercator/targets/cpu/kernels/ColumnSums.h"
#include "mercator/targets/cpu/kernels/ExcludedValues.h"
#include "mercator/targets/cpu/kernels/Masks.h"
#include "mercator/targets/cpu/kernels/OnlineSoftmax.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <random>

namespace mercator::cpu {

/// The dimension of a buffer that each coordinate is; none if the operation
/// accesses all of the buffer. With blocks of columns, these are one more coordinate.
using Places = llvm::SmallVector<std::optional<unsigned>, 4>;

/// What the group does with a buffer.
struct CellUse {
  Places places;
  bool isWritten = false;
  /// The first operation writes all elements of a tile, without reading them.
  bool beginsWritten = false;
  bool isLocal = false;
  /// Of a local buffer: the one in whose room its tile is.
  mlir::Value room;
};

class CellGroup {
public:
  CellGroup(const Machine &machine, std::mt19937_64 *random)
      : machine(&machine), vectorBytes(machine.vectorBytes()),
        isPrecise(machine.preciseMath), random(random) {}

  /// Adds an operation with its fills. Coordinates that it does not have are
  /// dropped. False if none would be left, or if the code of the operation cannot
  /// be in a tile.
  bool add(mlir::linalg::LinalgOp op,
           llvm::ArrayRef<mlir::linalg::FillOp> fills);
  /// Adds an operation whose attribute says which of its loops the coordinates are.
  /// Fails after an error.
  llvm::LogicalResult addGiven(mlir::linalg::LinalgOp op,
                               llvm::ArrayRef<mlir::linalg::FillOp> fills);
  /// Whether the operation needs what a member writes, or changes what one needs.
  [[nodiscard]] bool meets(mlir::linalg::LinalgOp op) const;
  /// Chooses the tiles. False if they do not pay.
  bool choose();
  /// Takes the tiles that the first member says. Fails after an error.
  llvm::LogicalResult obey();
  /// Notes the schedules that the code has. Fails after an error: a product in a tile
  /// has one that is not possible.
  llvm::LogicalResult emit(ScheduleNotes &notes);

  llvm::SmallVector<CellMember> members;
  CellProblem problem;
  CellSchedule schedule;

private:
  [[nodiscard]] llvm::StringRef whyNever(mlir::linalg::LinalgOp op) const;
  void append(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> loops,
              llvm::ArrayRef<mlir::linalg::FillOp> fills);
  void describeProblem();
  [[nodiscard]] bool isGoodLoop(mlir::linalg::LinalgOp op, unsigned loop) const;
  [[nodiscard]] bool fits(mlir::linalg::LinalgOp op, unsigned loop,
                          unsigned coordinate) const;
  [[nodiscard]] Places placesOf(const CellMember &member,
                                mlir::OpOperand &operand) const;
  void collectUses();
  void findBlocks(std::optional<int64_t> block);
  [[nodiscard]] size_t lastUse(mlir::Value buffer, size_t first) const;
  void shareRooms();
  [[nodiscard]] bool isInPlace(const CellMember &member, mlir::Value from,
                               mlir::Value to) const;
  [[nodiscard]] int64_t tileBytes(mlir::Value buffer, const Places &places,
                                  bool &hasRow) const;
  mlir::Value allocateLocal(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value part, llvm::ArrayRef<int64_t> shape,
                            mlir::Type element);
  void allocateLocals(mlir::OpBuilder &builder, mlir::Value part);
  mlir::Value viewOf(mlir::OpBuilder &builder, mlir::Value buffer,
                     const Places &places, llvm::ArrayRef<mlir::Value> first,
                     llvm::ArrayRef<int64_t> sizes);
  void findMasks();
  /// The part of the loops that operations are made for: the first iteration and the
  /// number of each coordinate, and the columns of a block.
  struct Tile {
    llvm::SmallVector<mlir::Value> first;
    llvm::SmallVector<int64_t> sizes;
    /// One view of each part of a buffer, so that a fill and the product after it
    /// have the same one.
    std::vector<std::tuple<mlir::Value, Places, mlir::Value>> views;
    /// The products that were made so far, and their numbers.
    std::vector<std::pair<mlir::linalg::LinalgOp, size_t>> products;
    /// In a loop of kEverything: products of blocks leave out excluded terms.
    bool limitsTerms = false;
  };
  void setRanges(mlir::linalg::LinalgOp made, size_t number, const Tile &tile);
  mlir::Value viewIn(mlir::OpBuilder &builder, Tile &tile, mlir::Value buffer,
                     const Places &places);
  void emitMember(mlir::OpBuilder &builder, Tile &tile, size_t number);
  void emitTile(mlir::OpBuilder &builder, Tile tile, mlir::Value number);
  void emitBlocks(mlir::OpBuilder &builder, Tile &tile, mlir::Value number);
  void emitBlock(mlir::OpBuilder &builder, Tile tile, mlir::Value begin,
                 int64_t size);
  SoftmaxRows rowsOf(mlir::OpBuilder &builder, Tile &tile);
  [[nodiscard]] int64_t blockCount() const;
  void forEachBlock(
      mlir::OpBuilder &builder, mlir::Value from, mlir::Value to,
      llvm::function_ref<void(mlir::Value, mlir::Value, int64_t)> body);
  mlir::Value countsIf(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value isLeft, llvm::function_ref<void()> look);
  void emitSum(mlir::OpBuilder &builder, Tile &tile, size_t number,
               mlir::Value isLeft);
  /// A sum over columns in a block that a mask excludes.
  struct Excluded {
    size_t sum;
    mlir::OpOperand *other; ///< what is weighed
    ExcludedValue weight;
  };
  [[nodiscard]] std::vector<Excluded>
  excludedOf(llvm::ArrayRef<size_t> numbers) const;
  void lookAtExcluded(mlir::OpBuilder &builder, Tile tile, mlir::Value block,
                      llvm::ArrayRef<Excluded> excluded);
  void emitPhase(mlir::OpBuilder &builder, const Tile &tile,
                 llvm::ArrayRef<size_t> numbers, mlir::Value tileNumber);
  void emitSums(mlir::OpBuilder &builder, Tile &tile, mlir::Value number);
  /// Some blocks: from the first one to before the second one.
  using Blocks = std::pair<mlir::Value, mlir::Value>;
  Blocks blocksLeft(mlir::OpBuilder &builder, const Tile &tile,
                    llvm::ArrayRef<MaskBound> bounds, mlir::Value number,
                    bool asWhole);
  [[nodiscard]] std::vector<std::pair<size_t, mlir::OpOperand *>>
  weighedOperands() const;
  mlir::Value numberOf(mlir::OpBuilder &builder, const Places &places,
                       const Tile &tile, mlir::Value block);
  void findInfiniteBlocks(mlir::OpBuilder &builder);
  mlir::Value infiniteBlock(mlir::OpBuilder &builder, const Tile &tile,
                            size_t number, mlir::OpOperand &operand,
                            mlir::Value block);
  void findInfiniteOperands(mlir::OpBuilder &builder, const Tile &tile,
                            Blocks whole);
  mlir::Value countsExcluded(mlir::OpBuilder &builder, const SoftmaxRows &rows,
                             Blocks whole);
  void scale(mlir::OpBuilder &builder, Tile &tile, mlir::Value row,
             bool divides);
  void scheduleProduct(mlir::linalg::LinalgOp made, size_t number);
  void scheduleProducts(Tile &tile);
  [[nodiscard]] bool canRepeatRows() const;
  [[nodiscard]] bool canBeNamed() const;
  llvm::LogicalResult write(ScheduleNotes &notes);

  const Machine *machine;
  int64_t vectorBytes;
  bool isPrecise;
  std::mt19937_64 *random;                    ///< null: the best tiles
  llvm::MapVector<mlir::Value, CellUse> uses; ///< of buffers that are written
  llvm::DenseMap<mlir::Value, mlir::Value> locals;
  /// Of some members: what a mask leaves of the columns of a product, or of its terms.
  struct Mask {
    llvm::SmallVector<MaskBound> bounds;
    bool isOfTerms = false;
  };
  llvm::DenseMap<size_t, Mask> masks;
  /// Of some operands: a bit pattern for each of its cells and blocks of columns, 0 if
  /// all elements are finite.
  llvm::DenseMap<mlir::OpOperand *, mlir::Value> infiniteBlocks;
  std::optional<OnlineSoftmax> softmax;
  std::optional<ColumnSums> sums; ///< if there is no softmax in blocks
  SoftmaxRows own;                ///< its buffers, of the rows of a tile
  mlir::Value foundInfinite, foundCounting; ///< 0 if there is none
  /// Of some members: the schedules of the product, in the order of their code.
  llvm::DenseMap<size_t, llvm::SmallVector<std::string>> products;
  bool isRefused = false; ///< after an error
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_CELLGROUP_H
