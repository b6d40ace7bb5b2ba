// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/CellGroup.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

/// What sums weigh in blocks that a mask may exclude, with the member of the sum. None
/// if a tile would have to look at it: members write it, or it has rows of its own.
std::vector<std::pair<size_t, OpOperand *>> CellGroup::weighedOperands() const {
  std::vector<std::pair<size_t, OpOperand *>> weighed;
  if (softmax && softmax->excluded && masks.contains(softmax->scores)) {
    linalg::LinalgOp product = members[softmax->last].op;
    for (OpOperand *input : product.getDpsInputOperands())
      if (input->get() != softmax->weights)
        weighed.emplace_back(softmax->last, input);
  }
  if (sums)
    for (const ColumnSums::Phase &phase : sums->phases)
      for (const Excluded &each : excludedOf(phase.blocks))
        weighed.emplace_back(each.sum, each.other);
  for (auto [number, operand] : weighed) {
    Places places = placesOf(members[number], *operand);
    if (uses.contains(operand->get()) || !places.back() ||
        places[problem.extents.size() - 1])
      return {};
  }
  return weighed;
}

/// The number of a block among those of all cells of an operand.
mlir::Value CellGroup::numberOf(OpBuilder &builder, const Places &places,
                                const Tile &tile, mlir::Value block) {
  Location loc = members.back().op.getLoc();
  mlir::Value number = arith::ConstantIndexOp::create(builder, loc, 0);
  auto add = [&](int64_t extent, mlir::Value place) {
    number = arith::MulIOp::create(
        builder, loc, number,
        arith::ConstantIndexOp::create(builder, loc, extent));
    number = arith::AddIOp::create(builder, loc, number, place);
  };
  for (size_t k = 0; k + 1 < problem.extents.size(); ++k)
    if (places[k])
      add(problem.extents[k], tile.first[k]);
  add(blockCount(), block);
  return number;
}

/// Looks at the operands before all tiles, once for each block: tiles would look at most
/// blocks many times.
void CellGroup::findInfiniteBlocks(OpBuilder &builder) {
  constexpr double kElementsOfOperation = 8;
  Location loc = members.back().op.getLoc();
  auto index = [&](int64_t value) -> mlir::Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  for (auto [number, operand] : weighedOperands()) {
    Places places = placesOf(members[number], *operand);
    auto type = cast<MemRefType>(operand->get().getType());
    int64_t total = blockCount();
    SmallVector<int64_t> extents;
    for (size_t k = 0; k + 1 < problem.extents.size(); ++k) {
      extents.push_back(places[k] ? problem.extents[k] : 1);
      total *= extents.back();
    }
    mlir::Value bits;
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&members.back()
                                            .op->getParentOfType<func::FuncOp>()
                                            .getBody()
                                            .front());
      bits = memref::AllocOp::create(
          builder, loc,
          MemRefType::get(
              {total}, builder.getIntegerType(type.getElementTypeBitWidth())),
          builder.getI64IntegerAttr(64));
    }
    infiniteBlocks[operand] = bits;
    int64_t parts = evenParts(
        total, partsFor(double(type.getNumElements()) / kElementsOfOperation));
    forEachPart(builder, loc, parts, [&](mlir::Value part) {
      mlir::Value found = bitsFor(builder, operand->get());
      auto [from, to] = rangeOfPart(builder, loc, part, total, parts);
      auto loop = scf::ForOp::create(builder, loc, from, to, index(1));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      auto split = [&](mlir::Value place,
                       int64_t extent) -> std::pair<mlir::Value, mlir::Value> {
        return {arith::DivUIOp::create(builder, loc, place, index(extent)),
                arith::RemUIOp::create(builder, loc, place, index(extent))};
      };
      auto [cell, block] = split(loop.getInductionVar(), blockCount());
      Tile tile;
      tile.first.assign(problem.extents.size(), index(0));
      tile.sizes.assign(problem.extents.size(), 1);
      for (size_t k = extents.size(); k-- > 0;)
        std::tie(cell, tile.first[k]) = split(cell, extents[k]);
      auto look = [&](mlir::Value, mlir::Value begin, int64_t size) {
        tile.first.push_back(begin);
        tile.sizes.push_back(size);
        storeZero(builder, loc, found);
        findInfinite(
            builder, loc,
            viewOf(builder, operand->get(), places, tile.first, tile.sizes),
            found);
        tile.first.pop_back();
        tile.sizes.pop_back();
      };
      forEachBlock(builder, block,
                   arith::AddIOp::create(builder, loc, block, index(1)), look);
      memref::StoreOp::create(
          builder, loc,
          memref::LoadOp::create(builder, loc, found, ValueRange()), bits,
          ValueRange(loop.getInductionVar()));
    });
  }
}

/// What findInfiniteBlocks() found of a block, in the cell of a tile.
mlir::Value CellGroup::infiniteBlock(OpBuilder &builder, const Tile &tile,
                                     size_t number, OpOperand &operand,
                                     mlir::Value block) {
  mlir::Value at =
      numberOf(builder, placesOf(members[number], operand), tile, block);
  return memref::LoadOp::create(builder, members[number].op.getLoc(),
                                infiniteBlocks.lookup(&operand),
                                ValueRange(at));
}

/// Whether what a softmax weighs is finite, but for the blocks that a mask leaves whole.
void CellGroup::findInfiniteOperands(OpBuilder &builder, const Tile &tile,
                                     Blocks whole) {
  Location loc = softmax->maxima.getLoc();
  auto index = [&](int64_t value) -> mlir::Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  storeZero(builder, loc, foundInfinite);
  auto look = [&](mlir::Value from, mlir::Value to) {
    auto loop = scf::ForOp::create(builder, loc, from, to, index(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    for (auto [number, operand] : weighedOperands()) {
      mlir::Value bits = arith::OrIOp::create(
          builder, loc,
          memref::LoadOp::create(builder, loc, foundInfinite, ValueRange()),
          infiniteBlock(builder, tile, number, *operand,
                        loop.getInductionVar()));
      memref::StoreOp::create(builder, loc, bits, foundInfinite, ValueRange());
    }
  };
  look(index(0), whole.first);
  look(whole.second, index(blockCount()));
}
