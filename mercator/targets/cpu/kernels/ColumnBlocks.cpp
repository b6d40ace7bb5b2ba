// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/CellGroup.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

/// The buffers of the rows of a tile, as many as it has.
SoftmaxRows CellGroup::rowsOf(OpBuilder &builder, Tile &tile) {
  const Places &places = uses.find(softmax->maxima)->second.places;
  auto part = [&](mlir::Value whole) {
    auto type = cast<MemRefType>(whole.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
        sizes, strides(type.getRank(), builder.getIndexAttr(1));
    for (int64_t extent : type.getShape())
      sizes.push_back(builder.getIndexAttr(extent));
    size_t last = problem.extents.size() - 1;
    sizes[*places[last]] = builder.getIndexAttr(tile.sizes[last]);
    return memref::SubViewOp::create(builder, whole.getLoc(), whole, offsets,
                                     sizes, strides)
        .getResult();
  };
  auto view = [&](mlir::Value buffer) {
    return viewIn(builder, tile, buffer, uses.find(buffer)->second.places);
  };
  return {view(softmax->maxima), part(own.old), part(own.shift),
          part(own.factor), view(softmax->sums)};
}

/// Multiplies the rows of the result by what a row has, or divides.
void CellGroup::scale(OpBuilder &builder, Tile &tile, mlir::Value row,
                      bool divides) {
  const Places &rowPlaces = uses.find(softmax->maxima)->second.places,
               &places = uses.find(softmax->result)->second.places;
  SmallVector<unsigned> dims(cast<MemRefType>(row.getType()).getRank());
  for (auto [own, place] : llvm::zip_equal(rowPlaces, places))
    if (own)
      dims[*own] = *place;
  scaleResult(builder, softmax->result.getLoc(),
              viewIn(builder, tile, softmax->result, places), row, dims,
              divides);
}

void CellGroup::emitBlock(OpBuilder &builder, Tile tile, mlir::Value begin,
                          int64_t size) {
  tile.first.push_back(begin);
  tile.sizes.push_back(size);
  tile.products.clear();
  Location loc = softmax->maxima.getLoc();
  for (size_t i = softmax->first; i <= softmax->last; ++i) {
    if (i == softmax->division || softmax->isBeginning(i, members[i]) ||
        llvm::is_contained(softmax->after, i))
      continue;
    if (i == softmax->maximum)
      keepMaxima(builder, loc, rowsOf(builder, tile));
    if (i == softmax->last)
      scale(builder, tile, rowsOf(builder, tile).factor, /*divides=*/false);
    emitMember(builder, tile, i);
    if (i == softmax->maximum)
      rescaleSums(builder, loc, rowsOf(builder, tile));
  }
  scheduleProducts(tile);
}

/// The blocks that have columns which a mask leaves for some row of the tile; or, as
/// whole blocks, those that it leaves for all rows.
CellGroup::Blocks CellGroup::blocksLeft(OpBuilder &builder, const Tile &tile,
                                        ArrayRef<MaskBound> bounds,
                                        mlir::Value number, bool asWhole) {
  Location loc = members.back().op.getLoc();
  auto index = [&](int64_t value) -> mlir::Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  MaskRange range = rangeOf(bounds, schedule.rows, builder.getContext());
  mlir::Value none = index(0), first = none,
              last = index(tile.sizes[problem.extents.size() - 1] - 1);
  if (asWhole)
    std::swap(first, last);
  SmallVector<mlir::Value> place{number, none, none, first, last};
  auto clamped = [&](mlir::Value column) -> mlir::Value {
    column = arith::MaxSIOp::create(builder, loc, column, index(0));
    return arith::MinSIOp::create(builder, loc, column, index(problem.columns));
  };
  mlir::Value from = index(0), to = index(problem.columns),
              size = index(schedule.block);
  if (range.begin)
    from =
        clamped(affine::AffineMaxOp::create(builder, loc, range.begin, place));
  if (range.end)
    to = clamped(affine::AffineMinOp::create(builder, loc, range.end, place));
  auto over = [&](mlir::Value column, bool roundsUp) -> mlir::Value {
    if (roundsUp)
      return arith::CeilDivUIOp::create(builder, loc, column, size);
    return arith::DivUIOp::create(builder, loc, column, size);
  };
  from = over(from, asWhole);
  to = over(to, !asWhole);
  return {from, arith::MaxUIOp::create(builder, loc, from, to)};
}

/// Whether blocks that a mask does not leave whole add something.
mlir::Value CellGroup::countsExcluded(OpBuilder &builder,
                                      const SoftmaxRows &rows, Blocks whole) {
  Location loc = softmax->maxima.getLoc();
  storeZero(builder, loc, foundCounting);
  findCounting(builder, loc, rows.maxima, softmax->excluded, foundCounting);
  mlir::Value found = arith::OrIOp::create(
      builder, loc,
      memref::LoadOp::create(builder, loc, foundInfinite, ValueRange()),
      memref::LoadOp::create(builder, loc, foundCounting, ValueRange()));
  mlir::Value none = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(found.getType(), 0));
  mlir::Value counts = arith::CmpIOp::create(
                  builder, loc, arith::CmpIPredicate::ne, found, none),
              isPart = arith::CmpIOp::create(
                  builder, loc, arith::CmpIPredicate::ult,
                  arith::SubIOp::create(builder, loc, whole.second,
                                        whole.first),
                  arith::ConstantIndexOp::create(builder, loc, blockCount()));
  return arith::AndIOp::create(builder, loc, counts, isPart);
}

int64_t CellGroup::blockCount() const {
  return (problem.columns + schedule.block - 1) / schedule.block;
}

/// A loop over blocks. The body gets the number of a block, its first column and how
/// many it has.
void CellGroup::forEachBlock(
    OpBuilder &builder, mlir::Value from, mlir::Value to,
    llvm::function_ref<void(mlir::Value, mlir::Value, int64_t)> body) {
  Location loc = members.back().op.getLoc();
  auto index = [&](int64_t value) -> mlir::Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  int64_t full = problem.columns / schedule.block,
          rest = problem.columns % schedule.block;
  auto loop = scf::ForOp::create(builder, loc, from, to, index(1));
  loop->setAttr(kBlocks, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  mlir::Value number = loop.getInductionVar();
  mlir::Value begin =
      arith::MulIOp::create(builder, loc, number, index(schedule.block));
  if (rest == 0)
    return body(number, begin, schedule.block);
  mlir::Value isWhole = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, number, index(full));
  auto either = scf::IfOp::create(builder, loc, isWhole, /*withElse=*/true);
  builder.setInsertionPointToStart(either.thenBlock());
  body(number, begin, schedule.block);
  builder.setInsertionPointToStart(either.elseBlock());
  body(number, begin, rest);
}

void CellGroup::emitBlocks(OpBuilder &builder, Tile &tile, mlir::Value number) {
  Location loc = softmax->maxima.getLoc();
  auto index = [&](int64_t value) -> mlir::Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  for (size_t i = 0; i < softmax->first; ++i)
    if (!softmax->isBeginning(i, members[i]))
      emitMember(builder, tile, i);
  SoftmaxRows rows = rowsOf(builder, tile);
  viewIn(builder, tile, softmax->result,
         uses.find(softmax->result)->second.places);
  auto begin = [&] {
    for (size_t i = 0; i < softmax->last; ++i)
      if (softmax->isBeginning(i, members[i]))
        emitMember(builder, tile, i);
  };
  mlir::Value count = index(blockCount());
  auto mask = masks.find(softmax->scores);
  tile.limitsTerms = mask != masks.end() && !infiniteBlocks.empty();
  auto blocks = [&](mlir::Value from, mlir::Value to) {
    forEachBlock(builder, from, to,
                 [&](mlir::Value, mlir::Value begin, int64_t size) {
                   emitBlock(builder, tile, begin, size);
                 });
  };
  if (!tile.limitsTerms) {
    begin();
    blocks(index(0), count);
  } else {
    auto [from, to] = blocksLeft(builder, tile, mask->second.bounds, number,
                                 /*asWhole=*/false);
    Blocks whole = blocksLeft(builder, tile, mask->second.bounds, number,
                              /*asWhole=*/true);
    findInfiniteOperands(builder, tile, whole);
    // Once, and if what was left out counts, again with all of it.
    auto passes =
        scf::ForOp::create(builder, loc, index(0), index(2), index(1));
    passes->setAttr(kEverything, builder.getUnitAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(passes.getBody());
    mlir::Value isFirst =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                              passes.getInductionVar(), index(0));
    mlir::Value counts = countsExcluded(builder, rows, whole);
    auto runs = scf::IfOp::create(
        builder, loc, arith::OrIOp::create(builder, loc, isFirst, counts),
        /*withElse=*/false);
    builder.setInsertionPointToStart(runs.thenBlock());
    begin();
    auto either = [&](mlir::Value first, mlir::Value second) -> mlir::Value {
      return arith::SelectOp::create(builder, loc, isFirst, first, second);
    };
    blocks(either(from, index(0)), either(to, count));
  }
  scale(builder, tile, rows.sums, /*divides=*/true);
  for (size_t i : softmax->after)
    emitMember(builder, tile, i);
  for (size_t i = softmax->last + 1; i < members.size(); ++i)
    emitMember(builder, tile, i);
  scheduleProducts(tile);
}
