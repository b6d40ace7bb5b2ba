// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "mercator/transforms/flow/formation/maps/Arrange.h"
#include "mercator/transforms/flow/formation/Blocks.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/PriorityQueue.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

bool flow::isView(Operation *op) {
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return pad.getConstantPaddingValue() != nullptr;
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
             tensor::ExtractSliceOp>(op) &&
         isa<RankedTensorType>(op->getOperand(0).getType()) &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

//===--- Views ------------------------------------------------------------===//

namespace {
/// Gives a group its own copies of the views between its members.
class ViewsInside {
public:
  ViewsInside(DispatchGroups &grouping, unsigned number)
      : grouping(grouping), number(number) {}

  void run() {
    for (Operation *member : std::exchange(members(), {})) {
      SmallVector<OpOperand *> operands;
      member->walk([&](Operation *inner) {
        for (OpOperand &operand : inner->getOpOperands())
          operands.push_back(&operand);
      });
      for (OpOperand *operand : operands)
        keep(member, *operand);
      members().push_back(member);
    }
    for (Operation *view : llvm::reverse(originals))
      if (view->use_empty())
        view->erase();
  }

private:
  DispatchGroups &grouping;
  unsigned number;
  DenseMap<Operation *, Operation *> copies;
  SmallVector<Operation *> originals;

  SmallVector<Operation *> &members() {
    return grouping.groups[number].members;
  }

  void keep(Operation *member, OpOperand &operand) {
    SmallVector<Operation *> views;
    Value value = operand.get();
    Operation *op = value.getDefiningOp();
    while (op && op->getBlock() == member->getBlock() && isView(op) &&
           !grouping.isMember(op)) {
      views.push_back(op);
      value = op->getOperand(0);
      op = value.getDefiningOp();
    }
    auto from = grouping.groupOf.find(op);
    if (views.empty() || from == grouping.groupOf.end() ||
        from->second != number)
      return;
    for (Operation *view : llvm::reverse(views)) {
      auto [it, isNew] = copies.try_emplace(view);
      if (isNew) {
        it->second = OpBuilder(member).clone(*view);
        it->second->setOperand(0, value);
        members().push_back(it->second);
        grouping.groupOf[it->second] = number;
        originals.push_back(view);
      }
      value = it->second->getResult(0);
    }
    operand.set(value);
  }
};
} // namespace

//===--- Order ------------------------------------------------------------===//

/// Moves the operations of the block. Returns false, without changes, if two
/// groups depend on each other.
///
/// Topological sorting (A. B. Kahn, 1962) of the groups and of the operations in
/// none. Of those that can come next, the one whose last operation came first
/// does.
static bool reorder(Block &block,
                    const DenseMap<Operation *, unsigned> &groupOf) {
  if (!block.mightHaveTerminator())
    return true;
  // Items: a group, or an operation in none.
  std::vector<SmallVector<Operation *, 2>> items;
  DenseMap<unsigned, unsigned> itemOfGroup;
  DenseMap<Operation *, unsigned> itemOf;
  SmallVector<unsigned> last;
  unsigned position = 0;
  for (Operation &op : block.without_terminator()) {
    unsigned item = items.size();
    if (auto it = groupOf.find(&op); it != groupOf.end())
      item = itemOfGroup.try_emplace(it->second, item).first->second;
    if (item == items.size()) {
      items.emplace_back();
      last.push_back(0);
    }
    items[item].push_back(&op);
    last[item] = position++;
    itemOf[&op] = item;
  }
  std::vector<SmallVector<unsigned, 2>> next(items.size());
  SmallVector<unsigned> waits(items.size());
  auto after = [&](unsigned first, unsigned second) {
    if (first == second)
      return;
    next[first].push_back(second);
    ++waits[second];
  };
  Operation *lastEffect = nullptr;
  for (Operation &op : block.without_terminator()) {
    unsigned item = itemOf[&op];
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *maker = operand.getDefiningOp();
            maker && maker->getBlock() == &block)
          after(itemOf[maker], item);
    });
    if (isMemoryEffectFree(&op) || groupOf.contains(&op))
      continue;
    if (lastEffect)
      after(itemOf[lastEffect], item);
    lastEffect = &op;
  }
  using Ready = std::pair<unsigned, unsigned>;
  llvm::PriorityQueue<Ready, std::vector<Ready>, std::greater<Ready>> ready;
  for (unsigned item = 0; item < items.size(); ++item)
    if (waits[item] == 0)
      ready.push({last[item], item});
  SmallVector<unsigned> order;
  while (!ready.empty()) {
    unsigned item = ready.top().second;
    ready.pop();
    order.push_back(item);
    for (unsigned user : next[item])
      if (--waits[user] == 0)
        ready.push({last[user], user});
  }
  if (order.size() != items.size())
    return false;
  Operation *end = block.getTerminator();
  for (unsigned item : order)
    for (Operation *op : items[item])
      op->moveBefore(end);
  return true;
}

void flow::arrange(FunctionOpInterface function, DispatchGroups &grouping) {
  for (unsigned number = 0; number < grouping.groups.size(); ++number)
    ViewsInside(grouping, number).run();
  // Now the pads that are left are seen.
  for (Operation *pad :
       padsOfTheirOwn(FormationBlocks(function),
                      [&](Operation *op) { return grouping.isMember(op); })) {
    grouping.groupOf[pad] = grouping.groups.size();
    grouping.groups.push_back({pad, {pad}});
  }
  SetVector<Block *> blocks;
  for (const Group &group : grouping.groups)
    blocks.insert(group.root->getBlock());
  for (Block *block : blocks) {
    bool ordered = reorder(*block, grouping.groupOf);
    assert(ordered && "groups depend on each other");
    (void)ordered;
  }
  for (Group &group : grouping.groups) {
    llvm::sort(group.members, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    group.root = group.members.back();
  }
}
