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

/// Whether a block is computed: it is left by the mask, or what `look` finds of it is
/// not 0.
mlir::Value CellGroup::runsIf(OpBuilder &builder, Location loc,
                              mlir::Value isLeft,
                              llvm::function_ref<void()> look) {
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
    look();
  }
  mlir::Value found =
      memref::LoadOp::create(builder, loc, foundInfinite, ValueRange());
  mlir::Value counts = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ne, found, none);
  return arith::OrIOp::create(builder, loc, isLeft, counts);
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
  auto runs = scf::IfOp::create(
      builder, loc,
      runsIf(builder, loc, isLeft,
             [&] {
               for (auto [view, operand] :
                    llvm::zip(views, member.op.getDpsInputOperands()))
                 if (operand->get() == own.a)
                   findNumbers(builder, loc, view, foundInfinite);
                 else
                   findInfinite(builder, loc, view, foundInfinite);
             }),
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
    if (!value || !other || locals.contains(other->get()))
      return {};
    excluded.push_back({number, other, std::move(*value)});
  }
  return excluded;
}

/// Looks whether an excluded block adds something to the sums.
void CellGroup::lookAtExcluded(OpBuilder &builder, Tile tile,
                               ArrayRef<Excluded> excluded) {
  for (const Excluded &each : excluded) {
    const CellMember &member = members[each.sum];
    Location loc = member.op.getLoc();
    SmallVector<mlir::Value> views;
    for (const ExcludedValue::Input &input : each.weight.inputs)
      views.push_back(viewIn(builder, tile, input.operand->get(),
                             placesOf(*input.member, *input.operand)));
    each.weight.findNumbers(builder, loc, views, foundInfinite);
    findInfinite(
        builder, loc,
        viewIn(builder, tile, each.other->get(), placesOf(member, *each.other)),
        foundInfinite);
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
  // The blocks that the mask of each sum leaves.
  DenseMap<size_t, std::pair<mlir::Value, mlir::Value>> left;
  for (size_t number : numbers)
    if (auto mask = masks.find(number);
        mask != masks.end() && mask->second.isOfTerms)
      left[number] = blocksLeft(builder, tile, mask->second.bounds, tileNumber);
  std::vector<Excluded> excluded = excludedOf(numbers);
  auto isLeft = [&](size_t number, mlir::Value block) -> mlir::Value {
    auto range = left.find(number);
    if (range == left.end())
      return {};
    return arith::AndIOp::create(
        builder, loc,
        compare(arith::CmpIPredicate::uge, block, range->second.first),
        compare(arith::CmpIPredicate::ult, block, range->second.second));
  };
  forEachBlock(builder, index(0), index(blockCount()),
               [&](mlir::Value block, mlir::Value begin, int64_t size) {
                 Tile part = tile;
                 part.first.push_back(begin);
                 part.sizes.push_back(size);
                 part.products.clear();
                 OpBuilder::InsertionGuard guard(builder);
                 if (!excluded.empty()) {
                   mlir::Value runs =
                       runsIf(builder, loc, isLeft(excluded[0].sum, block),
                              [&] { lookAtExcluded(builder, part, excluded); });
                   auto branch = scf::IfOp::create(builder, loc, runs,
                                                   /*withElseRegion=*/false);
                   builder.setInsertionPointToStart(branch.thenBlock());
                 }
                 for (size_t number : numbers)
                   emitSum(builder, part, number,
                           excluded.empty() ? isLeft(number, block)
                                            : mlir::Value());
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
