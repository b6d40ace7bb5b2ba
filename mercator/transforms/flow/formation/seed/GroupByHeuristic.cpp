// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/seed/GroupByHeuristic.h"
#include "mercator/transforms/flow/extents/Extents.h"
#include "mercator/transforms/flow/formation/Blocks.h"
#include "mercator/transforms/flow/formation/Cloneable.h"
#include "mercator/transforms/flow/formation/seed/Questions.h"
#include "mercator/transforms/flow/operations/Candidates.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/PriorityQueue.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

namespace {

/// The first use of the results of an operation in its own block.
struct FirstUse {
  /// The operation that precedes all other users. Null if there is no such
  /// operation: it is in a region, or the block contains no user.
  Operation *owner = nullptr;
  /// The operands of `owner` that are results of the operation.
  SmallVector<OpOperand *, 1> uses;
  /// The number of all uses.
  unsigned count = 0;
  /// Whether a region of `owner` uses a result too.
  bool captured = false;
  /// Whether all uses are in other blocks.
  bool elsewhere = true;
  /// The answer to the request of `owner` to pull the operation in: the rule
  /// that allows it, or all rules that refuse it. Empty before the request.
  Refusals answer;
};

constexpr unsigned kNowhere = ~0u;

/// A group under construction.
struct GrowingGroup {
  Operation *root = nullptr;
  SmallVector<Operation *> members;
  /// The users of all members in the block, by position. Users that join the
  /// group are removed when they reach the top.
  using User = std::pair<unsigned, Operation *>;
  llvm::PriorityQueue<User, std::vector<User>, std::greater<User>> users;
};

class HeuristicGrouping {
public:
  HeuristicGrouping(FunctionOpInterface function, bool aggressive,
                    Reasons &reasons)
      : aggressive(aggressive), reasons(reasons), blocks(function),
        position(blocks.position) {}

  DispatchGroups run() {
    for (Operation *loop : blocks.scalarLoops)
      start(loop);
    for (Block *block : blocks.blocks)
      groupRoots(*block);
    for (Block *block : blocks.blocks)
      groupElementwise(*block);
    groupPads();
    return finish();
  }

private:
  bool aggressive;
  Reasons &reasons;
  FormationBlocks blocks;
  const DenseMap<Operation *, unsigned> &position;
  DenseMap<Operation *, FirstUse> firstUses;
  DenseMap<Operation *, unsigned> groupOf;
  std::vector<GrowingGroup> groups;
  DispatchGroups result;

  void groupRoots(Block &block);
  void groupElementwise(Block &block);
  void groupPads();
  DispatchGroups finish();

  unsigned start(Operation *root);
  void join(unsigned group, Operation *op);
  void pullProducers(unsigned group);
  Refusals askToPull(unsigned group, OpOperand &operand);
  bool isUsedBefore(unsigned group, Operation *producer);
  Refusals askToPush(unsigned group, Operation *consumer,
                     ArrayRef<OpOperand *> uses);
  void pushIntoConsumers(unsigned group);
  FirstUse &firstUseOf(Operation *op);
  void askUse(const FirstUse &use, Operation *consumer, Refusals &no);
  bool othersComeAfter(unsigned group, Operation *newRoot);
};

} // namespace

//===--- Uses -------------------------------------------------------------===//

FirstUse &HeuristicGrouping::firstUseOf(Operation *op) {
  auto [it, isNew] = firstUses.try_emplace(op);
  FirstUse &first = it->second;
  if (!isNew)
    return first;
  unsigned earliest = kNowhere;
  for (OpOperand &use : op->getUses()) {
    Operation *user = use.getOwner();
    if (isResolvableDim(user))
      continue;
    ++first.count;
    Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
    if (!inBlock)
      continue;
    first.elsewhere = false;
    unsigned where = position.lookup(inBlock);
    if (where < earliest) {
      earliest = where;
      first.owner = inBlock;
      first.uses.clear();
      first.captured = false;
    }
    if (where > earliest)
      continue;
    if (user == inBlock)
      first.uses.push_back(&use);
    else
      first.captured = true;
  }
  // A use list is ordered from the last use to the first.
  llvm::sort(first.uses, [](OpOperand *a, OpOperand *b) {
    return a->getOperandNumber() < b->getOperandNumber();
  });
  return first;
}

/// Whether the producer's uses allow it to move to the consumer.
void HeuristicGrouping::askUse(const FirstUse &use, Operation *consumer,
                               Refusals &no) {
  if (!aggressive && use.count != 1)
    no.insert(EdgeReason::ManyUses);
  else if (use.owner != consumer)
    no.insert(use.elsewhere ? EdgeReason::OtherBlock : EdgeReason::NotFirstUse);
  else if (use.captured)
    no.insert(EdgeReason::Capture);
}

/// The operands of the consumer that are results of the producer.
static SmallVector<OpOperand *> usesBetween(Operation *producer,
                                            Operation *consumer) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &operand : consumer->getOpOperands())
    if (operand.get().getDefiningOp() == producer)
      uses.push_back(&operand);
  return uses;
}

//===--- Groups -----------------------------------------------------------===//

unsigned HeuristicGrouping::start(Operation *root) {
  groups.emplace_back();
  groups.back().root = root;
  unsigned group = groups.size() - 1;
  join(group, root);
  return group;
}

void HeuristicGrouping::join(unsigned group, Operation *op) {
  groupOf[op] = group;
  groups[group].members.push_back(op);
  Block *block = op->getBlock();
  for (Operation *user : op->getUsers())
    if (!isResolvableDim(user))
      if (Operation *inBlock = block->findAncestorOpInBlock(*user))
        groups[group].users.push({position.lookup(inBlock), inBlock});
}

/// Whether all users of the group outside of it come after `newRoot`, which is
/// about to join.
bool HeuristicGrouping::othersComeAfter(unsigned group, Operation *newRoot) {
  auto &users = groups[group].users;
  while (!users.empty()) {
    auto [where, user] = users.top();
    auto it = groupOf.find(user);
    bool joined = it != groupOf.end() && it->second == group;
    if (!joined && user != newRoot)
      return where > position.lookup(newRoot);
    users.pop();
  }
  return true;
}

//===--- Producers --------------------------------------------------------===//

/// Whether a user of the producer outside of the group precedes the group's
/// root, which does not move. Users in the group were checked before.
bool HeuristicGrouping::isUsedBefore(unsigned group, Operation *producer) {
  unsigned root = position.lookup(groups[group].root);
  return llvm::any_of(producer->getUsers(), [&](Operation *user) {
    if (isResolvableDim(user))
      return false;
    Operation *inBlock = producer->getBlock()->findAncestorOpInBlock(*user);
    if (!inBlock || position.lookup(inBlock) > root)
      return false;
    auto it = groupOf.find(inBlock);
    return it == groupOf.end() || it->second != group;
  });
}

/// The rule that pulls the producer of an operand in, or all rules that refuse
/// it. If no one listens to the reasons, one refusal is enough.
Refusals HeuristicGrouping::askToPull(unsigned group, OpOperand &operand) {
  Operation *consumer = operand.getOwner();
  Operation *producer = operand.get().getDefiningOp();
  Refusals no;
  if (isCloneable(producer))
    no.insert(EdgeReason::Cloned);
  else if (producer->getBlock() != consumer->getBlock())
    no.insert(EdgeReason::OtherBlock);
  if (!no.empty())
    return no;
  FirstUse &first = firstUseOf(producer);
  if (groupOf.contains(producer))
    no.insert(EdgeReason::OtherDispatch);
  askUse(first, consumer, no);
  if (!no.empty()) {
    if (reasons.isListening())
      no.insert_range(ask({producer, consumer, usesBetween(producer, consumer),
                           Growth::PullProducer, aggressive}));
    return no;
  }
  if (!first.answer.empty())
    return first.answer;
  no = ask({producer, consumer, first.uses, Growth::PullProducer, aggressive});
  if ((no.empty() || reasons.isListening()) && isUsedBefore(group, producer))
    no.insert(EdgeReason::UsedBefore);
  if ((no.empty() || reasons.isListening()) && !canStart(producer) &&
      hasNoEffects(producer))
    no.insert(EdgeReason::IndexTensor);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(consumer);
  if (no.empty())
    no.insert(linalgOp && linalgOp.isDpsInit(&operand)
                  ? EdgeReason::Pulled
                  : EdgeReason::PulledInput);
  first.answer = no;
  return no;
}

void HeuristicGrouping::pullProducers(unsigned group) {
  // From the last to the first operation: the users of a producer are decided
  // before the producer.
  // decided when it is asked about.
  llvm::PriorityQueue<std::pair<unsigned, Operation *>> worklist;
  Operation *root = groups[group].root;
  worklist.push({position.lookup(root), root});
  while (!worklist.empty()) {
    Operation *candidate = worklist.top().second;
    worklist.pop();
    for (OpOperand &operand : candidate->getOpOperands()) {
      Operation *producer = operand.get().getDefiningOp();
      if (!producer || !isa<ShapedType>(operand.get().getType()))
        continue;
      auto it = groupOf.find(producer);
      if (it != groupOf.end() && it->second == group)
        continue;
      Refusals answer = askToPull(group, operand);
      reasons.note(operand, answer.getArrayRef());
      if (!isTaken(answer.front()))
        continue;
      for (OpOperand *use : firstUseOf(producer).uses)
        reasons.note(*use, answer.getArrayRef());
      join(group, producer);
      worklist.push({position.lookup(producer), producer});
    }
  }
}

//===--- Consumers --------------------------------------------------------===//

/// The rule that moves the group into the consumer of its root, or all rules
/// that refuse it. If no one listens to the reasons, one refusal is enough.
Refusals HeuristicGrouping::askToPush(unsigned group, Operation *consumer,
                                      ArrayRef<OpOperand *> uses) {
  Operation *root = groups[group].root;
  FirstUse &first = firstUseOf(root);
  Refusals no;
  if (groupOf.contains(consumer))
    no.insert(EdgeReason::OtherDispatch);
  askUse(first, consumer, no);
  if (no.empty() || reasons.isListening())
    no.insert_range(
        ask({root, consumer, uses, Growth::PushIntoConsumer, aggressive}));
  if (no.empty() && !othersComeAfter(group, consumer))
    no.insert(EdgeReason::UsedBefore);
  if ((no.empty() || reasons.isListening()) && !canStart(consumer) &&
      hasNoEffects(consumer))
    no.insert(EdgeReason::IndexTensor);
  if (no.empty())
    no.insert(EdgeReason::Pushed);
  return no;
}

void HeuristicGrouping::pushIntoConsumers(unsigned group) {
  while (true) {
    Operation *root = groups[group].root;
    FirstUse &first = firstUseOf(root);
    Operation *consumer = first.owner;
    if (reasons.isListening())
      for (OpOperand &use : root->getUses())
        if (Operation *other = use.getOwner();
            other != consumer && other->getBlock() == root->getBlock())
          reasons.note(
              use,
              askToPush(group, other, usesBetween(root, other)).getArrayRef());
    if (!consumer || first.uses.empty() ||
        consumer->hasTrait<OpTrait::IsTerminator>())
      return;
    Refusals answer = askToPush(group, consumer, first.uses);
    for (OpOperand *use : first.uses)
      reasons.note(*use, answer.getArrayRef());
    if (!isTaken(answer.front()))
      return;
    groups[group].root = consumer;
    join(group, consumer);
  }
}

//===--- Sweeps -----------------------------------------------------------===//

void HeuristicGrouping::groupRoots(Block &block) {
  SmallVector<unsigned> roots;
  for (Operation &op : llvm::reverse(block)) {
    if (groupOf.contains(&op) || !isRoot(&op) || !canStart(&op))
      continue;
    unsigned group = start(&op);
    pullProducers(group);
    roots.push_back(group);
  }
  for (unsigned group : roots)
    pushIntoConsumers(group);
}

void HeuristicGrouping::groupElementwise(Block &block) {
  for (Operation &op : block)
    if (!groupOf.contains(&op) && isElementwiseRoot(&op) && canStart(&op))
      start(&op);
}

/// A pad is cloned into the dispatches that read it. A pad with other readers
/// gets its own dispatch.
void HeuristicGrouping::groupPads() {
  for (Operation *pad : padsOfTheirOwn(
           blocks, [&](Operation *op) { return groupOf.contains(op); }))
    start(pad);
}

DispatchGroups HeuristicGrouping::finish() {
  DenseMap<Operation *, unsigned> rootOf;
  for (auto [i, group] : llvm::enumerate(groups)) {
    llvm::sort(group.members, [&](Operation *a, Operation *b) {
      return position.lookup(a) < position.lookup(b);
    });
    rootOf[group.root] = i;
  }
  for (Operation *op : blocks.operations) {
    auto it = rootOf.find(op);
    if (it == rootOf.end())
      continue;
    GrowingGroup &group = groups[it->second];
    for (Operation *member : group.members)
      result.groupOf[member] = result.groups.size();
    result.groups.push_back({group.root, std::move(group.members)});
  }
  result.operations = std::move(blocks.operations);
  return std::move(result);
}

DispatchGroups flow::groupByHeuristic(FunctionOpInterface function,
                                      bool aggressive, Reasons &reasons) {
  return HeuristicGrouping(function, aggressive, reasons).run();
}
