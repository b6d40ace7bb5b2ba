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

/// Whether what a mask excludes of a block counts: it excludes something, and what `look`
/// finds of it is not 0.
mlir::Value CellGroup::countsIf(OpBuilder &builder, Location loc,
                                mlir::Value isLeft,
                                llvm::function_ref<void()> look) {
  storeZero(builder, loc, foundInfinite);
  mlir::Value isExcluded = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, isLeft,
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false)));
  auto looks = scf::IfOp::create(builder, loc, isExcluded,
                                 /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(looks.thenBlock());
    look();
  }
  mlir::Value found =
      memref::LoadOp::create(builder, loc, foundInfinite, ValueRange());
  mlir::Value none = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(found.getType(), 0));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, found,
                               none);
}

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
  mlir::Value counts = countsIf(builder, loc, isLeft, [&] {
    for (auto [view, operand] :
         llvm::zip(views, member.op.getDpsInputOperands()))
      if (operand->get() == own.a)
        findNumbers(builder, loc, view, foundInfinite);
      else
        findInfinite(builder, loc, view, foundInfinite);
  });
  auto runs = scf::IfOp::create(
      builder, loc, arith::OrIOp::create(builder, loc, isLeft, counts),
      /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(runs.thenBlock());
  emitMember(builder, tile, number);
}

/// What the sums of a phase weigh in blocks that their mask excludes; empty if one of
/// them has no mask or another one, or weights that do not follow from vectors.
std::vector<CellGroup::Excluded>
CellGroup::excludedOf(ArrayRef<size_t> numbers) const {
  std::vector<Excluded> excluded;
  for (size_t number : numbers) {
    const CellMember &member = members[number];
    if (member.op.getIteratorTypesArray()[*member.column] !=
        utils::IteratorType::reduction)
      continue;
    auto mask = masks.find(number);
    if (mask == masks.end() || !mask->second.isOfTerms ||
        (!excluded.empty() &&
         masks.find(excluded[0].sum)->second.bounds != mask->second.bounds))
      return {};
    Contraction own = *Contraction::of(member.op);
    OpOperand *other = nullptr;
    for (OpOperand *input : member.op.getDpsInputOperands())
      if (input->get() != own.a)
        other = input;
    auto value = ExcludedValue::of(members, own.a, mask->second.bounds);
    if (!value || !other || uses.contains(other->get()))
      return {};
    excluded.push_back({number, other, std::move(*value)});
  }
  return excluded;
}

/// Looks whether what a mask excludes of a block adds something to the sums.
void CellGroup::lookAtExcluded(OpBuilder &builder, Tile tile, mlir::Value block,
                               ArrayRef<Excluded> excluded) {
  for (const Excluded &each : excluded) {
    const CellMember &member = members[each.sum];
    Location loc = member.op.getLoc();
    SmallVector<mlir::Value> views;
    for (const ExcludedValue::Input &input : each.weight.inputs)
      views.push_back(viewIn(builder, tile, input.operand->get(),
                             placesOf(*input.member, *input.operand)));
    each.weight.findNumbers(builder, loc, views, foundInfinite);
    mlir::Value bits = arith::OrIOp::create(
        builder, loc,
        memref::LoadOp::create(builder, loc, foundInfinite, ValueRange()),
        infiniteBlock(builder, tile, each.sum, *each.other, block));
    memref::StoreOp::create(builder, loc, bits, foundInfinite, ValueRange());
  }
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
  auto isIn = [&](const Blocks &range, mlir::Value block) -> mlir::Value {
    return arith::AndIOp::create(
        builder, loc, compare(arith::CmpIPredicate::uge, block, range.first),
        compare(arith::CmpIPredicate::ult, block, range.second));
  };
  // The blocks that the mask of each sum leaves.
  DenseMap<size_t, Blocks> left;
  for (size_t number : numbers)
    if (auto mask = masks.find(number);
        mask != masks.end() && mask->second.isOfTerms)
      left[number] = blocksLeft(builder, tile, mask->second.bounds, tileNumber,
                                /*asWhole=*/false);
  std::vector<Excluded> excluded;
  if (!infiniteBlocks.empty())
    excluded = excludedOf(numbers);
  Blocks whole;
  if (!excluded.empty())
    whole = blocksLeft(builder, tile,
                       masks.find(excluded[0].sum)->second.bounds, tileNumber,
                       /*asWhole=*/true);
  auto isLeft = [&](size_t number, mlir::Value block) -> mlir::Value {
    auto range = left.find(number);
    return range == left.end() ? mlir::Value() : isIn(range->second, block);
  };
  forEachBlock(
      builder, index(0), index(blockCount()),
      [&](mlir::Value block, mlir::Value begin, int64_t size) {
        Tile part = tile;
        part.first.push_back(begin);
        part.sizes.push_back(size);
        part.products.clear();
        OpBuilder::InsertionGuard guard(builder);
        if (!excluded.empty()) {
          mlir::Value counts = countsIf(builder, loc, isIn(whole, block), [&] {
            lookAtExcluded(builder, part, block, excluded);
          });
          mlir::Value runs = arith::OrIOp::create(
              builder, loc, isLeft(excluded[0].sum, block), counts);
          auto branch = scf::IfOp::create(builder, loc, runs,
                                          /*withElseRegion=*/false);
          builder.setInsertionPointToStart(branch.thenBlock());
          mlir::Value from = arith::IndexCastUIOp::create(
              builder, loc, builder.getIndexType(), counts);
          auto once = scf::ForOp::create(
              builder, loc, from,
              arith::AddIOp::create(builder, loc, from, index(1)), index(1));
          once->setAttr(kEverything, builder.getUnitAttr());
          builder.setInsertionPointToStart(once.getBody());
          part.limitsTerms = true;
        }
        for (size_t number : numbers)
          emitSum(builder, part, number,
                  excluded.empty() ? isLeft(number, block) : mlir::Value());
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
