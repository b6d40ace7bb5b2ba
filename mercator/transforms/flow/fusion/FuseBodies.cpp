// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/fusion/FusionGroups.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mercator::flow;

namespace {
/// The operands of the fused operation: the values that members read and no
/// member computes, each value and map once. Their order is that of pairwise
/// fusion: the operands of a producer replace its result.
struct Operands {
  explicit Operands(const FusionGroup &group);

  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> inputMaps, initMaps;
  SmallVector<Type> results;
  /// For each member and operand its position in `inputs`, or -1.
  std::vector<SmallVector<int>> places;
};
} // namespace

/// Root members write their inits; for other members an init is an additional
/// input.
static bool isRead(linalg::GenericOp op, OpOperand &operand, bool isRoot) {
  return op.isDpsInput(&operand) ||
         (!isRoot && op.payloadUsesValueFromOperand(&operand));
}

Operands::Operands(const FusionGroup &group) : places(group.size()) {
  llvm::DenseMap<std::pair<Value, AffineMap>, int> known;
  // A member is entered once, at the first operand that it computes. A stack
  // replaces recursion: a chain may be as long as the program.
  SmallVector<std::pair<unsigned, unsigned>> stack;
  auto enter = [&](unsigned member) {
    places[member].assign(group[member].op->getNumOperands(), -1);
    stack.emplace_back(member, 0);
  };
  enter(0);
  while (!stack.empty()) {
    auto &[number, next] = stack.back();
    const FusedMember &member = group[number];
    linalg::GenericOp op = member.op;
    if (next == op->getNumOperands()) {
      stack.pop_back();
      continue;
    }
    OpOperand &operand = op->getOpOperand(next++);
    if (int producer = member.producers[operand.getOperandNumber()];
        producer >= 0) {
      if (places[producer].empty())
        enter(producer);
      continue;
    }
    if (!isRead(op, operand, number == 0))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand).compose(member.loops);
    auto [it, isNew] = known.try_emplace({operand.get(), map}, inputs.size());
    places[number][operand.getOperandNumber()] = it->second;
    if (isNew) {
      inputs.push_back(operand.get());
      inputMaps.push_back(map);
    }
  }
  for (const FusedMember &member : llvm::reverse(group))
    for (unsigned kept : member.kept) {
      linalg::GenericOp op = member.op;
      OpOperand *init = op.getDpsInitOperand(kept);
      inits.push_back(init->get());
      initMaps.push_back(op.getMatchingIndexingMap(init).compose(member.loops));
      results.push_back(op->getResult(kept).getType());
    }
  linalg::GenericOp root = group.front().op;
  for (OpOperand &init : root.getDpsInitsMutable()) {
    inits.push_back(init.get());
    initMaps.push_back(root.getMatchingIndexingMap(&init));
  }
  llvm::append_range(results, root->getResultTypes());
}

namespace {
/// Concatenates the bodies of the members.
class Bodies {
public:
  Bodies(IRRewriter &rewriter, const FusionGroup &group,
         const Operands &operands, Block *block)
      : rewriter(rewriter), group(group), operands(operands), block(block),
        yields(group.size()) {}

  /// Returns the yielded values of the fused operation.
  SmallVector<Value> join();

private:
  Value argument(unsigned member, OpOperand &operand);
  Value index(Location loc, unsigned loop);
  Value index(Location loc, AffineMap loops, unsigned loop);
  void take(unsigned member);

  IRRewriter &rewriter;
  const FusionGroup &group;
  const Operands &operands;
  Block *block;
  std::vector<SmallVector<Value>> yields;
  llvm::SmallDenseMap<unsigned, Value> indices;
};
} // namespace

/// The value in the body for an operand of the member; null if the member does
/// not read it.
Value Bodies::argument(unsigned number, OpOperand &operand) {
  unsigned at = operand.getOperandNumber();
  if (int producer = group[number].producers[at]; producer >= 0)
    return yields[producer][cast<OpResult>(operand.get()).getResultNumber()];
  if (int place = operands.places[number][at]; place >= 0)
    return block->getArgument(place);
  linalg::GenericOp op = group[number].op;
  if (number != 0)
    return {};
  unsigned init = at - op.getNumDpsInputs();
  return block->getArgument(block->getNumArguments() - op.getNumDpsInits() +
                            init);
}

Value Bodies::index(Location loc, unsigned loop) {
  Value &known = indices[loop];
  if (!known) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(block);
    known = linalg::IndexOp::create(rewriter, loc, loop);
  }
  return known;
}

/// The member's own index `loop`, computed from the loops of the fused
/// operation.
Value Bodies::index(Location loc, AffineMap loops, unsigned loop) {
  AffineExpr expr = loops.getResult(loop);
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return index(loc, dim.getPosition());
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(rewriter, loc, constant.getValue());
  // Only the loops that occur in the expression.
  SmallVector<Value> used;
  SmallVector<AffineExpr> renumbered(loops.getNumDims());
  for (unsigned dim = 0; dim < loops.getNumDims(); ++dim)
    if (expr.isFunctionOfDim(dim)) {
      renumbered[dim] = rewriter.getAffineDimExpr(used.size());
      used.push_back(index(loc, dim));
    }
  for (AffineExpr &unused : renumbered)
    if (!unused)
      unused = rewriter.getAffineConstantExpr(0);
  auto map = AffineMap::get(used.size(), 0, expr.replaceDims(renumbered));
  return affine::AffineApplyOp::create(rewriter, loc, map, used);
}

void Bodies::take(unsigned number) {
  const FusedMember &member = group[number];
  linalg::GenericOp op = member.op;
  Block *body = op.getBody();
  rewriter.setInsertionPointToEnd(block);
  IRMapping mapping;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument from = op.getMatchingBlockArgument(&operand);
    Value to = argument(number, operand);
    if (!to)
      continue;
    if (member.cloned)
      mapping.map(from, to);
    else
      from.replaceAllUsesWith(to);
  }
  auto yield = cast<linalg::YieldOp>(body->getTerminator());
  if (member.cloned) {
    for (Operation &inner : body->without_terminator()) {
      auto old = dyn_cast<linalg::IndexOp>(inner);
      if (!old)
        rewriter.clone(inner, mapping);
      else
        mapping.map(old.getResult(),
                    index(old.getLoc(), member.loops, old.getDim()));
    }
    for (Value value : yield.getValues())
      yields[number].push_back(mapping.lookupOrDefault(value));
    return;
  }
  if (number != 0)
    for (auto old :
         llvm::make_early_inc_range(body->getOps<linalg::IndexOp>())) {
      old.replaceAllUsesWith(index(old.getLoc(), member.loops, old.getDim()));
      old.erase();
    }
  llvm::append_range(yields[number], yield.getValues());
  yield.erase();
  block->getOperations().splice(block->end(), body->getOperations());
}

SmallVector<Value> Bodies::join() {
  for (unsigned number = group.size(); number-- > 0;)
    take(number);
  SmallVector<Value> values;
  for (unsigned number = group.size(); number-- > 0;)
    for (unsigned kept : group[number].kept)
      values.push_back(yields[number][kept]);
  llvm::append_range(values, yields[0]);
  return values;
}

linalg::GenericOp mercator::flow::fuse(IRRewriter &rewriter,
                                       const FusionGroup &group) {
  linalg::GenericOp root = group.front().op;
  Location loc = root.getLoc();
  Operands operands(group);
  SmallVector<AffineMap> maps(operands.inputMaps);
  llvm::append_range(maps, operands.initMaps);
  rewriter.setInsertionPoint(root);
  auto whole = linalg::GenericOp::create(
      rewriter, loc, operands.results, operands.inputs, operands.inits,
      rewriter.getAffineMapArrayAttr(maps), root.getIteratorTypes(),
      /*doc=*/nullptr, /*library_call=*/nullptr);
  whole->setDiscardableAttrs(root->getDiscardableAttrDictionary());

  SmallVector<Type> types;
  for (Value operand : whole->getOperands())
    types.push_back(getElementTypeOrSelf(operand.getType()));
  Block *block = rewriter.createBlock(&whole.getRegion(), {}, types,
                                      SmallVector<Location>(types.size(), loc));
  SmallVector<Value> values = Bodies(rewriter, group, operands, block).join();
  rewriter.setInsertionPointToEnd(block);
  linalg::YieldOp::create(rewriter, loc, values);

  unsigned result = 0;
  for (const FusedMember &member : llvm::reverse(group))
    for (unsigned kept : member.kept) {
      linalg::GenericOp op = member.op;
      op->getResult(kept).replaceAllUsesWith(whole->getResult(result++));
    }
  root->replaceAllUsesWith(whole->getResults().drop_front(result));
  return whole;
}

void mercator::flow::eraseFused(ArrayRef<linalg::GenericOp> ops) {
  // The operations use one another.
  for (linalg::GenericOp op : ops)
    op->dropAllReferences();
  for (linalg::GenericOp op : ops)
    op->erase();
}
