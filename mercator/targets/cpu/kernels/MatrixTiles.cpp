// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/MatrixTiles.h"
#include "mercator/targets/cpu/kernels/MatrixUnit.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

namespace {
class TileEmitter {
public:
  TileEmitter(OpBuilder &builder, Location loc, const MatrixTile &own)
      : builder(builder), loc(loc), own(own) {
    element = cast<MemRefType>(own.c.getType()).getElementType();
    Type factor = cast<TypeAttr>(own.types[0]).getValue();
    isFloat = isa<FloatType>(factor);
    perWord = isFloat ? 2 : 4;
    factors = amx::TileType::get({kTileRows, kTileWords * perWord},
                                 isFloat ? factor : builder.getI8Type());
    sums = amx::TileType::get({kTileRows, kTileWords}, element);
    vector = VectorType::get({kTileWords}, element);
    for (int64_t first = 0; first < own.rows; first += kTileRows)
      for (int64_t v = 0; v < own.vectors; ++v)
        squares.push_back(
            {std::min(first, own.rows - kTileRows), first, v * kTileWords});
  }

  void run();

private:
  /// 16 rows and columns of c. Its first rows may be those of the square before, and
  /// are not kept.
  struct Square {
    int64_t row, firstKept, column;
  };

  mlir::Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  mlir::Value plus(mlir::Value base, int64_t offset) {
    return offset == 0
               ? base
               : arith::AddIOp::create(builder, loc, base, index(offset))
                     .getResult();
  }
  mlir::Value plus(mlir::Value base, mlir::Value counter, int64_t stride) {
    return arith::AddIOp::create(
        builder, loc, base,
        arith::MulIOp::create(builder, loc, counter, index(stride)));
  }
  [[nodiscard]] bool isWhole(const Square &square) const {
    return square.row == square.firstKept &&
           square.column + kTileWords <= own.columns;
  }
  mlir::Value load(amx::TileType type, mlir::Value from, mlir::Value at,
                   int64_t stride) {
    return amx::TileLoadOp::create(builder, loc, type, from, ValueRange(at),
                                   index(stride));
  }
  void store(mlir::Value tile, mlir::Value to, mlir::Value at, int64_t stride) {
    amx::TileStoreOp::create(builder, loc, to, ValueRange(at), tile,
                             index(stride));
  }
  mlir::Value begin(const Square &square);
  void end(const Square &square, mlir::Value sum);
  void copyKept(const Square &square, bool isToC);
  void steps(ArrayRef<ContractionLoop> loops, mlir::Value atA, mlir::Value atB,
             SmallVector<mlir::Value> &into);
  mlir::Value scratch();

  OpBuilder &builder;
  Location loc;
  MatrixTile own;
  Type element;
  bool isFloat = false;
  int64_t perWord = 4; ///< elements of a
  amx::TileType factors, sums;
  VectorType vector;
  SmallVector<Square> squares;
  mlir::Value room;      ///< for a square
  ContractionLoop depth; ///< the terms that are neighbors, in words
};
} // namespace

/// On the stack of the function or of the part that the code is in.
mlir::Value TileEmitter::scratch() {
  if (room)
    return room;
  OpBuilder::InsertionGuard guard(builder);
  Operation *around = builder.getInsertionBlock()->getParentOp();
  while (!isa<func::FuncOp>(around) && !around->hasAttr(kParallel))
    around = around->getParentOp();
  builder.setInsertionPointToStart(&around->getRegion(0).front());
  room = memref::AllocaOp::create(
      builder, loc, MemRefType::get({kTileRows * kTileWords}, element),
      builder.getI64IntegerAttr(64));
  return room;
}

/// Copies the rows that are kept between c and the scratch.
void TileEmitter::copyKept(const Square &square, bool isToC) {
  int64_t left = own.columns - square.column;
  for (int64_t i = square.firstKept;
       i < std::min(square.row + kTileRows, own.rows); ++i) {
    mlir::Value at = plus(own.atC, i * own.rowC + square.column),
                in = index((i - square.row) * kTileWords);
    mlir::Value mask = vector::CreateMaskOp::create(
        builder, loc, VectorType::get({kTileWords}, builder.getI1Type()),
        ValueRange(index(std::min(left, kTileWords))));
    if (isToC) {
      mlir::Value row = vector::LoadOp::create(builder, loc, vector, scratch(),
                                               ValueRange(in));
      vector::MaskedStoreOp::create(builder, loc, own.c, ValueRange(at), mask,
                                    row);
      continue;
    }
    mlir::Value zero = arith::ConstantOp::create(builder, loc, vector,
                                                 builder.getZeroAttr(vector));
    mlir::Value row = vector::MaskedLoadOp::create(builder, loc, vector, own.c,
                                                   ValueRange(at), mask, zero);
    vector::StoreOp::create(builder, loc, row, scratch(), ValueRange(in));
  }
}

mlir::Value TileEmitter::begin(const Square &square) {
  if (own.isZero)
    return amx::TileZeroOp::create(builder, loc, sums);
  if (isWhole(square))
    return load(sums, own.c,
                plus(own.atC, square.row * own.rowC + square.column), own.rowC);
  copyKept(square, /*isToC=*/false);
  return load(sums, scratch(), index(0), kTileWords);
}

void TileEmitter::end(const Square &square, mlir::Value sum) {
  if (isWhole(square))
    return store(sum, own.c,
                 plus(own.atC, square.row * own.rowC + square.column),
                 own.rowC);
  store(sum, scratch(), index(0), kTileWords);
  copyKept(square, /*isToC=*/true);
}

void TileEmitter::steps(ArrayRef<ContractionLoop> loops, mlir::Value atA,
                        mlir::Value atB, SmallVector<mlir::Value> &into) {
  ContractionLoop loop = loops.empty() ? depth : loops.front();
  if (loops.empty())
    loop = {depth.extent / kTileWords, depth.a * kTileWords,
            depth.b * kTileWords, 0};
  auto made = scf::ForOp::create(builder, loc, index(0), index(loop.extent),
                                 index(1), into);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    mlir::Value counter = made.getInductionVar();
    SmallVector<mlir::Value> inner(made.getRegionIterArgs());
    atA = plus(atA, counter, loop.a);
    atB = plus(atB, counter, loop.b);
    if (!loops.empty()) {
      steps(loops.drop_front(), atA, atB, inner);
    } else {
      auto isUnsigned = [&](unsigned i) {
        return cast<TypeAttr>(own.types[i]).getValue().isUnsignedInteger();
      };
      SmallVector<mlir::Value> columns(size_t(own.vectors));
      mlir::Value row;
      for (auto [square, sum] : llvm::zip_equal(squares, inner)) {
        if (square.column == 0)
          row =
              load(factors, own.a, plus(atA, square.row * own.rowA), own.rowA);
        mlir::Value &column = columns[size_t(square.column / kTileWords)];
        if (!column)
          column = load(factors, own.b, plus(atB, square.column), depth.b);
        if (isFloat)
          sum = amx::TileMulFOp::create(builder, loc, sums, row, column, sum);
        else
          sum = amx::TileMulIOp::create(builder, loc, sums, row, column, sum,
                                        isUnsigned(0), isUnsigned(1));
      }
    }
    scf::YieldOp::create(builder, loc, inner);
  }
  into.assign(made.getResults().begin(), made.getResults().end());
}

void TileEmitter::run() {
  SmallVector<ContractionLoop> loops(own.sums);
  auto *words =
      llvm::find_if(llvm::reverse(loops),
                    [&](const auto &loop) {
                      return loop.a == perWord && loop.extent % kTileWords == 0;
                    })
          .base() -
      1;
  depth = *words;
  loops.erase(words);
  SmallVector<mlir::Value> values;
  for (const Square &square : squares)
    values.push_back(begin(square));
  steps(loops, own.atA, own.atB, values);
  for (auto [square, value] : llvm::zip_equal(squares, values))
    end(square, value);
}

void cpu::emitMatrixTile(OpBuilder &builder, Location loc,
                         const MatrixTile &tile) {
  TileEmitter(builder, loc, tile).run();
}
