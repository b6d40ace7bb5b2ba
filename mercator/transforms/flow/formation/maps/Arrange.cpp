// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/maps/Arrange.h"
#include "mercator/transforms/flow/operations/Candidates.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
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
  ViewsInside(DispatchGroups &grouping, unsigned number,
              DenseSet<Operation *> &erased)
      : grouping(grouping), number(number), erased(erased) {}

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
      if (view->use_empty()) {
        erased.insert(view);
        view->erase();
      }
  }

private:
  DispatchGroups &grouping;
  unsigned number;
  DenseSet<Operation *> &erased;
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

Dependences flow::dependencesOf(const FormationBlocks &blocks) {
  DenseMap<Operation *, unsigned> itemOf;
  for (auto [item, op] : llvm::enumerate(blocks.operations))
    itemOf[op] = item;
  Dependences all(blocks.operations.size());
  DenseMap<Block *, unsigned> lastEffect;
  for (auto [item, op] : llvm::enumerate(blocks.operations)) {
    for (OpOperand &use : op->getUses()) {
      Operation *user = op->getBlock()->findAncestorOpInBlock(*use.getOwner());
      if (!user || user->hasTrait<OpTrait::IsTerminator>())
        continue;
      if (user == use.getOwner() && isView(user) && use.getOperandNumber() == 0)
        all.addSource(item, itemOf.lookup(user));
      else
        all.add(item, itemOf.lookup(user));
    }
    if (hasNoEffects(op) || op->hasTrait<OpTrait::IsTerminator>())
      continue;
    auto [last, isFirst] = lastEffect.try_emplace(op->getBlock(), item);
    if (!isFirst)
      all.add(std::exchange(last->second, item), item);
  }
  return all;
}

namespace {
/// The groups, and the operations in none, as one graph.
class Quotient {
public:
  Quotient(const FormationBlocks &blocks, const DispatchGroups &grouping);

  /// A group or an operation in none.
  struct Item {
    SmallVector<unsigned, 2> operations;
    int group = -1;
    SmallVector<unsigned, 2> next;
  };
  std::vector<Item> items;

  /// An order in which each item comes after what it needs. Of those that can come
  /// next, the one whose last operation came first does. Items in a circle, and
  /// those that need one, are missing.
  ///
  /// Topological sorting (A. B. Kahn, 1962).
  [[nodiscard]] SmallVector<unsigned> sort() const;
};
} // namespace

Quotient::Quotient(const FormationBlocks &blocks,
                   const DispatchGroups &grouping) {
  std::vector<unsigned> itemOf(blocks.operations.size());
  DenseMap<unsigned, unsigned> itemOfGroup;
  for (auto [number, op] : llvm::enumerate(blocks.operations)) {
    unsigned item = items.size();
    auto group = grouping.groupOf.find(op);
    if (group != grouping.groupOf.end())
      item = itemOfGroup.try_emplace(group->second, item).first->second;
    if (item == items.size())
      items.emplace_back();
    if (group != grouping.groupOf.end())
      items[item].group = int(group->second);
    items[item].operations.push_back(number);
    itemOf[number] = item;
  }
  Dependences dependences = dependencesOf(blocks);
  std::vector<unsigned> roots = dependences.roots();
  auto isInGroup = [&](unsigned view, unsigned item) {
    return roots[view] != Dependences::kNone && itemOf[roots[view]] == item;
  };
  // What the views need besides their sources.
  DenseMap<unsigned, SmallVector<unsigned, 2>> others;
  for (const Dependences::Edge &edge : dependences.edges)
    if (!edge.isSource && dependences.source[edge.to] != Dependences::kNone)
      others[edge.to].push_back(edge.from);
  for (const Dependences::Edge &edge : dependences.edges) {
    unsigned to = itemOf[edge.to];
    if (!isInGroup(edge.from, to)) {
      if (itemOf[edge.from] != to)
        items[itemOf[edge.from]].next.push_back(to);
      continue;
    }
    // The group gets copies of the chain of views.
    for (unsigned view = edge.from;
         dependences.source[view] != Dependences::kNone;
         view = dependences.source[view])
      for (unsigned other : others.lookup(view))
        if (itemOf[other] != to)
          items[itemOf[other]].next.push_back(to);
  }
}

SmallVector<unsigned> Quotient::sort() const {
  std::vector<unsigned> waits(items.size());
  for (const Item &item : items)
    for (unsigned user : item.next)
      ++waits[user];
  using Ready = std::pair<unsigned, unsigned>;
  llvm::PriorityQueue<Ready, std::vector<Ready>, std::greater<Ready>> ready;
  for (auto [number, item] : llvm::enumerate(items))
    if (waits[number] == 0)
      ready.push({item.operations.back(), number});
  SmallVector<unsigned> order;
  while (!ready.empty()) {
    unsigned item = ready.top().second;
    ready.pop();
    order.push_back(item);
    for (unsigned user : items[item].next)
      if (--waits[user] == 0)
        ready.push({items[user].operations.back(), user});
  }
  return order;
}

//===--- Circles ----------------------------------------------------------===//

/// The groups of several operations on circles, or between two circles.
static DenseSet<unsigned> groupsInCircles(const Quotient &quotient,
                                          ArrayRef<unsigned> sorted) {
  // What is not sorted needs a circle. What no circle needs is peeled off.
  std::vector<bool> isOpen(quotient.items.size(), true);
  for (unsigned item : sorted)
    isOpen[item] = false;
  std::vector<SmallVector<unsigned, 2>> needs(quotient.items.size());
  std::vector<unsigned> users(quotient.items.size());
  for (auto [number, item] : llvm::enumerate(quotient.items))
    for (unsigned user : item.next)
      if (isOpen[number] && isOpen[user]) {
        needs[user].push_back(number);
        ++users[number];
      }
  SmallVector<unsigned> work;
  for (unsigned item = 0; item < quotient.items.size(); ++item)
    if (isOpen[item] && users[item] == 0)
      work.push_back(item);
  while (!work.empty()) {
    unsigned item = work.pop_back_val();
    isOpen[item] = false;
    for (unsigned need : needs[item])
      if (--users[need] == 0)
        work.push_back(need);
  }
  DenseSet<unsigned> groups;
  for (auto [number, item] : llvm::enumerate(quotient.items))
    if (isOpen[number] && item.group >= 0 && item.operations.size() > 1)
      groups.insert(unsigned(item.group));
  return groups;
}

/// Makes each operation of the groups a group of its own.
static void takeApart(DispatchGroups &grouping,
                      const DenseSet<unsigned> &circles) {
  DenseMap<Operation *, unsigned> rank;
  for (auto [number, op] : llvm::enumerate(grouping.operations))
    rank[op] = number;
  SmallVector<Group> groups;
  for (auto [number, group] : llvm::enumerate(grouping.groups)) {
    if (!circles.contains(number)) {
      groups.push_back(std::move(group));
      continue;
    }
    for (Operation *member : group.members) {
      grouping.cells.erase(member);
      grouping.repeated.erase(member);
      grouping.apart.insert(member);
      // A slice that is alone is no dispatch, but perhaps a copy.
      if (!isa<tensor::InsertSliceOp>(member))
        groups.push_back({member, {member}});
    }
  }
  llvm::sort(groups, [&](const Group &a, const Group &b) {
    return rank.lookup(a.root) < rank.lookup(b.root);
  });
  grouping.groups = std::move(groups);
  grouping.groupOf.clear();
  for (auto [number, group] : llvm::enumerate(grouping.groups))
    for (Operation *member : group.members)
      grouping.groupOf[member] = number;
}

void flow::takeCirclesApart(FunctionOpInterface function,
                            DispatchGroups &grouping) {
  FormationBlocks blocks(function);
  while (true) {
    Quotient quotient(blocks, grouping);
    SmallVector<unsigned> sorted = quotient.sort();
    if (sorted.size() == quotient.items.size())
      return;
    DenseSet<unsigned> circles = groupsInCircles(quotient, sorted);
    if (circles.empty()) // operations in a graph region
      return;
    takeApart(grouping, circles);
  }
}

//===--- Arranging --------------------------------------------------------===//

void flow::arrange(FunctionOpInterface function, DispatchGroups &grouping) {
  takeCirclesApart(function, grouping);
  FormationBlocks blocks(function);
  Quotient quotient(blocks, grouping);
  SmallVector<unsigned> sorted = quotient.sort();
  if (sorted.size() != quotient.items.size()) // a graph region
    return;
  DenseSet<Operation *> erased;
  for (unsigned number = 0; number < grouping.groups.size(); ++number)
    ViewsInside(grouping, number, erased).run();
  DenseSet<Block *> changed;
  for (const Group &group : grouping.groups)
    if (group.root->getBlock()->mightHaveTerminator())
      changed.insert(group.root->getBlock());
  for (unsigned number : sorted) {
    const Quotient::Item &item = quotient.items[number];
    Operation *first = blocks.operations[item.operations.front()];
    if (item.group < 0 &&
        (erased.contains(first) || first->hasTrait<OpTrait::IsTerminator>()))
      continue;
    Block *block = first->getBlock();
    if (!changed.contains(block))
      continue;
    Operation *end = block->getTerminator();
    if (item.group < 0)
      first->moveBefore(end);
    else
      for (Operation *member : grouping.groups[item.group].members)
        member->moveBefore(end);
  }
  // Now the pads that are left are seen.
  for (Operation *pad :
       padsOfTheirOwn(FormationBlocks(function),
                      [&](Operation *op) { return grouping.isMember(op); })) {
    grouping.groupOf[pad] = grouping.groups.size();
    grouping.groups.push_back({pad, {pad}});
  }
  for (Group &group : grouping.groups)
    group.root = group.members.back();
}
