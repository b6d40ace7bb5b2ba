// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data flow inside regions: which arguments a result reads, and which steps of
// a fold an accumulator reads. A fold is followed backwards step by step until
// the set of accumulators repeats.

#include "mercator/analysis/maps/RegionReads.h"
#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/hlo/Hlo.h"

#include "llvm/ADT/DenseSet.h"

using namespace mercator;
using namespace mercator::maps;
using llvm::SmallBitVector;
using llvm::SmallVector;
using mlir::Value;

namespace {

class Follower {
public:
  explicit Follower(mlir::Region &body) : body(body) {}

  BodyReads from(unsigned result) {
    reads.arguments.resize(body.getNumArguments());
    if (!body.hasOneBlock()) {
      reads.arguments.set();
      reads.exact = false;
      return reads;
    }
    visit(body.front().getTerminator()->getOperand(result));
    while (!work.empty())
      follow(work.pop_back_val());
    return reads;
  }

private:
  void visit(Value value) {
    if (seen.insert(value).second)
      work.push_back(value);
  }

  void follow(Value value) {
    if (!body.isAncestor(value.getParentRegion()))
      return; // captured from outside
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      if (argument.getOwner()->getParent() == &body)
        reads.arguments.set(argument.getArgNumber());
      else
        whole(argument.getOwner()->getParentOp());
      return;
    }
    auto result = llvm::cast<mlir::OpResult>(value);
    mlir::Operation *op = result.getOwner();
    if (llvm::isa<stablehlo::IfOp, stablehlo::CaseOp>(op))
      return branches(op, result.getResultNumber());
    if (op->getNumRegions() > 0)
      return whole(op);
    if (op->hasTrait<stablehlo::Elementwise>()) {
      for (Value operand : op->getOperands())
        visit(operand);
      return;
    }
    for (unsigned k = 0; k < op->getNumOperands(); ++k) {
      indexing::Arena arena;
      indexing::MapSet maps = mapsOf(op, arena, indexing::Direction::OutToIn, k,
                                     result.getResultNumber());
      bool isRead = false;
      for (const indexing::OperandMap &m : maps)
        isRead |= !m.map.isKnownEmpty();
      if (!isRead)
        continue;
      reads.exact &= maps.isExact();
      visit(op->getOperand(k));
    }
  }

  /// Follows all branches, and the first operand, which selects one.
  void branches(mlir::Operation *op, unsigned result) {
    visit(op->getOperand(0));
    for (mlir::Region &branch : op->getRegions()) {
      if (!branch.hasOneBlock())
        return whole(op);
      visit(branch.front().getTerminator()->getOperand(result));
    }
  }

  /// Follows all operands of the operation, and all values that its regions
  /// use.
  void whole(mlir::Operation *op) {
    reads.exact = false;
    op->walk([&](mlir::Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!op->isAncestor(operand.getParentRegion()->getParentOp()))
          visit(operand);
    });
  }

  mlir::Region &body;
  BodyReads reads;
  llvm::SmallDenseSet<Value, 8> seen;
  SmallVector<Value> work;
};

/// The `count` bits of `set` that begin at `first`.
SmallBitVector part(const SmallBitVector &set, unsigned first, unsigned count) {
  SmallBitVector out(count);
  for (unsigned i = 0; i < count; ++i)
    out[i] = set[first + i];
  return out;
}

} // namespace

BodyReads maps::bodyReads(mlir::Region &body, unsigned result) {
  return Follower(body).from(result);
}

FoldReads maps::foldReads(mlir::Region &body, unsigned count, unsigned result,
                          FoldOrder order) {
  using Of = FoldReads::Of;
  FoldReads out;
  // The accumulators and values of one step that each accumulator reads.
  SmallVector<SmallBitVector> ofAccumulators, ofValues;
  for (unsigned i = 0; i < count; ++i) {
    BodyReads reads = bodyReads(body, i);
    out.exact &= reads.exact;
    ofAccumulators.push_back(part(reads.arguments, 0, count));
    ofValues.push_back(part(reads.arguments, count, count));
  }
  // The usual body of a reduction: every accumulator reads everything.
  auto isAll = [](const SmallBitVector &set) { return set.all(); };
  if (llvm::all_of(ofAccumulators, isAll) && llvm::all_of(ofValues, isAll)) {
    Of read = out.exact ? Of::All : Of::Some;
    out.initial = out.values = SmallVector<Of>(count, read);
    out.initialOrNone.assign(count, Of::Some);
    out.initialOrNone[result] = read;
    out.initialOnce = out.valuesOnce = SmallBitVector(count, true);
    return out;
  }
  auto image = [&](const SmallBitVector &set,
                   const SmallVector<SmallBitVector> &by) {
    SmallBitVector all(count);
    for (unsigned i : set.set_bits())
      all |= by[i];
    return all;
  };

  // The accumulators that the result reads 0, 1, 2, ... steps back. The
  // sequence becomes periodic; it is followed for a limited number of steps.
  constexpr int kMaxSteps = 64;
  SmallBitVector now(count);
  now.set(result);
  SmallVector<SmallBitVector> before;
  SmallBitVector anyInitial(count), allInitial(count, true),
      allOrNone(count, true), anyValue(count), allValues(count, true);
  bool ended = false;
  for (int step = 0; step < kMaxSteps && !ended; ++step) {
    before.push_back(now);
    allOrNone &= now;
    SmallBitVector values = image(now, ofValues);
    anyValue |= values;
    allValues &= values;
    if (step == 0)
      out.valuesOnce = values;
    now = image(now, ofAccumulators);
    if (step == 0)
      out.initialOnce = now;
    anyInitial |= now;
    allInitial &= now;
    ended = llvm::is_contained(before, now);
  }
  SmallBitVector reached = anyInitial;
  reached.set(result);
  if (order == FoldOrder::AnyTree || !ended) {
    // In a tree, an accumulator may take the place of a value, and a value that
    // of an accumulator.
    SmallBitVector last;
    while (last != reached) {
      last = reached;
      reached |= image(last, ofAccumulators);
      reached |= image(last, ofValues);
    }
    SmallBitVector stepped = image(reached, ofAccumulators);
    stepped |= image(reached, ofValues);
    anyInitial = anyValue = stepped;
  }
  if (!ended) {
    allInitial.reset();
    allOrNone.reset();
    allValues.reset();
  }
  auto of = [&](const SmallBitVector &any, const SmallBitVector &all) {
    SmallVector<Of> each;
    for (unsigned k = 0; k < count; ++k)
      each.push_back(!any[k]               ? Of::None
                     : all[k] && out.exact ? Of::All
                                           : Of::Some);
    return each;
  };
  out.initial = of(anyInitial, allInitial);
  out.values = of(anyValue, allValues);
  SmallBitVector anyOrNone = anyInitial;
  anyOrNone.set(result);
  out.initialOrNone = of(anyOrNone, allOrNone);
  return out;
}

static bool isNamedCombiner(mlir::Operation *op, unsigned count) {
  auto name = op->getAttrOfType<mlir::StringAttr>(hlo::kToApplyAttr);
  if (count < 2 || !name || !op->getRegion(0).hasOneBlock())
    return false;
  mlir::Block &body = op->getRegion(0).front();
  unsigned combined = 0;
  for (mlir::Operation &inner : body.without_terminator())
    combined += inner.getNumOperands() == 2 &&
                inner.getOperand(0) == body.getArgument(combined) &&
                inner.getName().stripDialect().starts_with(name.getValue());
  return combined == count &&
         llvm::range_size(body.without_terminator()) == count;
}

FoldReads maps::reductionReads(mlir::Operation *op, unsigned result) {
  unsigned count = op->getNumResults();
  FoldReads reads =
      foldReads(op->getRegion(0), count, result, FoldOrder::AnyTree);
  if (isNamedCombiner(op, count))
    for (unsigned k = 0; k < count; ++k)
      if (k != result)
        reads.initial[k] = reads.values[k] = FoldReads::Of::Some;
  return reads;
}

MapSet maps::foldedMaps(FoldReads::Of reads, Map map, const Query &q,
                        llvm::StringRef operation) {
  switch (reads) {
  case FoldReads::Of::None:
    return q.nothing();
  case FoldReads::Of::All:
    return map;
  case FoldReads::Of::Some:
    break;
  }
  return q.approximate(std::move(map),
                       operation +
                           ": the reads of its body are not known exactly");
}
