// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/CellGroup.h"
#include "mercator/targets/cpu/kernels/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

/// A sum of a block. Where a mask excludes the block, the sum is left out if it adds
/// nothing: products of zeros and finite numbers.
void CellGroup::emitSum(OpBuilder &builder, Tile &tile, size_t number,
                        mlir::Value isLeft) {
  const CellMember &member = members[number];
  if (!isLeft)
    return emitMember(builder, tile, number);
  Location loc = member.op.getLoc();
  SmallVector<mlir::Value> views; // before the branches, which share them
  for (OpOperand &operand : member.op->getOpOperands())
    views.push_back(
        viewIn(builder, tile, operand.get(), placesOf(member, operand)));
  Contraction own = *Contraction::of(member.op);
  Type bits = cast<MemRefType>(foundInfinite.getType()).getElementType();
  mlir::Value none =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(bits, 0));
  memref::StoreOp::create(builder, loc, none, foundInfinite, ValueRange());
  mlir::Value isExcluded = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, isLeft,
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false)));
  auto looks = scf::IfOp::create(builder, loc, isExcluded,
                                 /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(looks.thenBlock());
    for (auto [view, operand] :
         llvm::zip(views, member.op.getDpsInputOperands()))
      if (operand->get() == own.a)
        findNumbers(builder, loc, view, foundInfinite);
      else
        findInfinite(builder, loc, view, foundInfinite);
  }
  mlir::Value found =
      memref::LoadOp::create(builder, loc, foundInfinite, ValueRange());
  mlir::Value counts = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ne, found, none);
  auto runs = scf::IfOp::create(
      builder, loc, arith::OrIOp::create(builder, loc, isLeft, counts),
      /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(runs.thenBlock());
  emitMember(builder, tile, number);
}

/// The blocks of a phase.
void CellGroup::emitPhase(OpBuilder &builder, const Tile &tile,
                          ArrayRef<size_t> numbers, mlir::Value tileNumber) {
  Location loc = members.back().op.getLoc();
  auto index = [&](int64_t value) -> mlir::Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto compare = [&](arith::CmpIPredicate is, mlir::Value x, mlir::Value y) {
    return arith::CmpIOp::create(builder, loc, is, x, y);
  };
  // The blocks that the mask of each sum leaves.
  DenseMap<size_t, std::pair<mlir::Value, mlir::Value>> left;
  for (size_t number : numbers)
    if (auto mask = masks.find(number);
        mask != masks.end() && mask->second.isOfTerms)
      left[number] = blocksLeft(builder, tile, mask->second.bounds, tileNumber);
  forEachBlock(
      builder, index(0), index(blockCount()),
      [&](mlir::Value block, mlir::Value begin, int64_t size) {
        Tile part = tile;
        part.first.push_back(begin);
        part.sizes.push_back(size);
        part.products.clear();
        for (size_t number : numbers) {
          mlir::Value isLeft;
          if (auto range = left.find(number); range != left.end())
            isLeft = arith::AndIOp::create(
                builder, loc,
                compare(arith::CmpIPredicate::uge, block, range->second.first),
                compare(arith::CmpIPredicate::ult, block,
                        range->second.second));
          emitSum(builder, part, number, isLeft);
        }
        scheduleProducts(part);
      });
}

void CellGroup::emitSums(OpBuilder &builder, Tile &tile, mlir::Value number) {
  for (const ColumnSums::Phase &phase : sums->phases) {
    for (size_t row : phase.before)
      emitMember(builder, tile, row);
    if (!phase.blocks.empty())
      emitPhase(builder, tile, phase.blocks, number);
  }
  scheduleProducts(tile);
}
