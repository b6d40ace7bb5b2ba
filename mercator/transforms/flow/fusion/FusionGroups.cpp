// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/fusion/FusionGroups.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace mercator::flow;

/// The maximum number of operands of a dispatch.
static constexpr size_t kMaxOperands = 32;
/// Keeps a chain of booleans that are also used elsewhere linear.
static constexpr unsigned kMaxClones = 16;

/// The body is empty, so recomputing it is free.
static bool isCopy(linalg::GenericOp op) {
  return op.getBody()->without_terminator().empty();
}

/// Avoiding buffers of booleans is worth recomputing them.
static bool isBoolean(linalg::GenericOp op) {
  return llvm::all_of(op->getResultTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isInteger(1);
  });
}

/// The elements are indices: computing them takes less than reading them, and what
/// compares indices can be seen where it is used.
static bool isIota(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 0 &&
         llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
           return isa<linalg::IndexOp, arith::IndexCastOp>(inner);
         });
}

namespace {
/// A value and the map through which it is read.
using Read = std::pair<Value, AffineMap>;

/// The current operands of a group.
class GroupOperands {
public:
  explicit GroupOperands(unsigned loops) : bounds(loops) {}

  void add(const Read &read) {
    if (!reads.insert(read).second)
      return;
    ++values[read.first];
    count(read.second, 1);
  }
  void remove(const Read &read) {
    reads.erase(read);
    if (--values.find(read.first)->second == 0)
      values.erase(read.first);
    count(read.second, -1);
  }

  /// Whether the group may read `added` in place of `removed`: the number of
  /// operands stays small, and each loop is still determined by an operand.
  bool canReplace(const Read &removed, linalg::GenericOp producer,
                  ArrayRef<Read> added) const;

private:
  void count(AffineMap map, int by) {
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        bounds[dim.getPosition()] += by;
  }

  llvm::DenseSet<Read> reads;
  llvm::DenseMap<Value, unsigned> values;
  /// For each loop the number of operands that determine its extent.
  SmallVector<int> bounds;
};

/// An operand of a group that is a result of an operation.
struct Reference {
  unsigned group, member, operand;
  Read read;
};

class Sweep {
public:
  Sweep(bool mayClone, bool recompute)
      : mayClone(mayClone), recompute(recompute) {}

  void visit(Region &region);
  void visit(linalg::GenericOp op);
  unsigned build(MLIRContext *context);

private:
  bool join(linalg::GenericOp op, ArrayRef<Reference> references, bool cloned);
  unsigned enter(unsigned group, FusedMember member);
  bool isReadByGroups(OpOperand &use);

  struct State {
    FusionGroup members;
    GroupOperands operands;
    unsigned clones = 0;
  };
  std::vector<State> groups;
  /// For each operation in a group: its readers.
  llvm::DenseMap<Operation *, SmallVector<Reference, 2>> references;
  /// The operations in groups, and whether each is a root.
  llvm::DenseMap<Operation *, bool> placed;
  /// Operations that were cloned into all their users.
  SmallVector<linalg::GenericOp> dead;
  ExecutionCounts counts;
  bool mayClone, recompute;
};
} // namespace

/// Whether an iteration takes much longer than to read what it computes.
static bool isExpensive(linalg::GenericOp op) {
  return llvm::any_of(op.getBody()->without_terminator(), [](Operation &part) {
    return isa<math::MathDialect>(part.getDialect())
               ? !isa<math::AbsFOp, math::AbsIOp, math::CopySignOp>(part)
               : isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp,
                     arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(part);
  });
}

/// Whether several iterations of the root would each compute the same element of the
/// producer, at a price: `loops` are those of the producer.
static bool wouldRecompute(linalg::GenericOp root, AffineMap loops,
                           linalg::GenericOp producer) {
  if (loops.isPermutation())
    return false;
  auto op = cast<linalg::LinalgOp>(root.getOperation());
  if (linalg::isaContractionOpInterface(op) ||
      linalg::isaConvolutionOpInterface(op))
    return true;
  return isExpensive(producer) &&
         llvm::any_of(
             llvm::enumerate(op.getStaticLoopRanges()), [&](auto loop) {
               return loop.value() != 1 && !loops.isFunctionOfDim(loop.index());
             });
}

bool GroupOperands::canReplace(const Read &removed, linalg::GenericOp producer,
                               ArrayRef<Read> added) const {
  auto old = values.find(removed.first);
  bool leaves = old->second == 1;
  size_t number = values.size() - leaves;
  llvm::SmallDenseSet<Value, 8> fresh;
  for (Value operand : producer->getOperands())
    if ((!values.contains(operand) || (leaves && operand == removed.first)) &&
        number + fresh.size() < kMaxOperands)
      fresh.insert(operand);
  if (number + fresh.size() >= kMaxOperands)
    return false;

  SmallVector<int> bounded(bounds);
  auto count = [&](AffineMap map, int by) {
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        bounded[dim.getPosition()] += by;
  };
  count(removed.second, -1);
  for (const Read &read : added)
    count(read.second, 1);
  return !llvm::is_contained(bounded, 0);
}

/// The operands of the member, in the loops of its group.
static SmallVector<std::pair<unsigned, Read>> readsOf(const FusedMember &member,
                                                      bool isRoot) {
  linalg::GenericOp op = member.op;
  SmallVector<std::pair<unsigned, Read>> reads;
  for (OpOperand &operand : op->getOpOperands())
    if (op.isDpsInput(&operand) ||
        (!isRoot && op.payloadUsesValueFromOperand(&operand)))
      reads.push_back(
          {operand.getOperandNumber(),
           {operand.get(),
            op.getMatchingIndexingMap(&operand).compose(member.loops)}});
  return reads;
}

unsigned Sweep::enter(unsigned group, FusedMember member) {
  State &state = groups[group];
  unsigned number = state.members.size();
  bool isRoot = number == 0;
  placed.try_emplace(member.op, isRoot);
  member.producers.assign(member.op->getNumOperands(), -1);
  for (auto &[operand, read] : readsOf(member, isRoot)) {
    state.operands.add(read);
    if (auto producer = read.first.getDefiningOp<linalg::GenericOp>())
      references[producer].push_back({group, number, operand, read});
  }
  if (isRoot)
    for (OpOperand &init : member.op.getDpsInitsMutable())
      state.operands.add({init.get(), member.op.getMatchingIndexingMap(&init)});
  state.members.push_back(std::move(member));
  return number;
}

/// Whether only references of groups remain of this use.
bool Sweep::isReadByGroups(OpOperand &use) {
  auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!user)
    return false;
  auto it = placed.find(user);
  return it != placed.end() &&
         (user.isDpsInput(&use) ||
          (!it->second && user.payloadUsesValueFromOperand(&use)));
}

/// Adds the operation to the single group of the references, which all read the
/// same elements of it.
bool Sweep::join(linalg::GenericOp op, ArrayRef<Reference> references,
                 bool cloned) {
  const Reference &first = references.front();
  State &state = groups[first.group];
  linalg::GenericOp root = state.members.front().op;
  FusedMember member{
      op, loopsOfProducer(cast<OpResult>(first.read.first), first.read.second)};
  if (!member.loops || (cloned && state.clones == kMaxClones) ||
      !counts.isNoMoreOften(op->getBlock(), root->getBlock()))
    return false;
  if (!recompute && !isCopy(op) && wouldRecompute(root, member.loops, op))
    return false;
  SmallVector<Read> added;
  for (auto &[operand, read] : readsOf(member, /*isRoot=*/false))
    added.push_back(read);
  if (!state.operands.canReplace(first.read, op, added))
    return false;
  state.operands.remove(first.read);
  state.clones += cloned;
  member.cloned = cloned;
  unsigned number = enter(first.group, std::move(member));
  for (const Reference &reference : references)
    state.members[reference.member].producers[reference.operand] = number;
  return true;
}

void Sweep::visit(linalg::GenericOp op) {
  if (isOpTriviallyDead(op))
    return;
  bool isUsedElsewhere = llvm::any_of(
      op->getUses(), [&](OpOperand &use) { return !isReadByGroups(use); });
  // By the elements that are read, in the order of discovery.
  llvm::MapVector<std::pair<unsigned, Read>, SmallVector<Reference>> reads;
  if (isElementwise(op))
    for (Reference &reference : references.lookup(op))
      reads[{reference.group, reference.read}].push_back(reference);

  if (reads.size() == 1 && !isUsedElsewhere) {
    if (join(op, reads.front().second, /*cloned=*/false))
      return;
  } else if (mayClone && !reads.empty() &&
             (isCopy(op) || isBoolean(op) || isIota(op))) {
    for (auto &[read, group] : reads)
      isUsedElsewhere |= !join(op, group, /*cloned=*/true);
    if (!isUsedElsewhere) {
      dead.push_back(op);
      return;
    }
  }
  // A root stays and writes its inits. This takes precedence over membership in
  // another group.
  placed[op] = true;
  groups.push_back({{}, GroupOperands(op.getNumLoops())});
  enter(groups.size() - 1, {op, AffineMap::getMultiDimIdentityMap(
                                    op.getNumLoops(), op.getContext())});
}

void Sweep::visit(Region &region) {
  if (region.empty())
    return;
  // Blocks are visited before those that dominate them. Unreachable blocks are
  // skipped.
  for (Block *block : llvm::post_order(&region.front()))
    for (Operation &op : llvm::reverse(*block)) {
      if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
        visit(generic);
        continue;
      }
      for (Region &inner : op.getRegions())
        visit(inner);
    }
}

/// The operations that the group replaces.
static void appendFused(SmallVectorImpl<linalg::GenericOp> &ops,
                        const FusionGroup &group) {
  for (const FusedMember &member : group)
    if (!member.cloned)
      ops.push_back(member.op);
}

unsigned Sweep::build(MLIRContext *context) {
  IRRewriter rewriter(context);
  SmallVector<linalg::GenericOp> left = std::move(dead);
  unsigned fused = 0;
  for (State &group : groups)
    if (group.members.size() > 1) {
      fused += group.members.size() - 1;
      fuse(rewriter, group.members);
      appendFused(left, group.members);
    }
  eraseFused(left);
  return fused;
}

unsigned mercator::flow::fuseElementwise(Operation *root, bool mayClone,
                                         bool recompute) {
  Sweep sweep(mayClone, recompute);
  for (Region &region : root->getRegions())
    sweep.visit(region);
  return sweep.build(root->getContext());
}

unsigned mercator::flow::fuseElementwise(ArrayRef<linalg::GenericOp> ops,
                                         bool recompute) {
  Sweep sweep(/*mayClone=*/false, recompute);
  for (linalg::GenericOp op : llvm::reverse(ops))
    sweep.visit(op);
  return ops.empty() ? 0
                     : sweep.build(linalg::GenericOp(ops.front()).getContext());
}

/// The use that precedes all others, or null.
static OpOperand *firstUse(Operation *op, DominanceInfo &dominance) {
  OpOperand *first = nullptr;
  for (OpOperand &use : op->getUses())
    if (!first || dominance.dominates(use.getOwner(), first->getOwner()))
      first = &use;
  if (!first || !llvm::all_of(op->getUses(), [&](OpOperand &use) {
        return dominance.dominates(first->getOwner(), use.getOwner());
      }))
    return nullptr;
  return first;
}

unsigned mercator::flow::fuseWithFirstUser(Operation *root) {
  DominanceInfo dominance(root);
  ExecutionCounts counts;
  llvm::DenseSet<Operation *> taken;
  std::vector<FusionGroup> pairs;
  root->walk<WalkOrder::PreOrder>([&](linalg::GenericOp op) {
    if (taken.contains(op) || !isElementwise(op))
      return;
    OpOperand *use = firstUse(op, dominance);
    if (!use || !linalg::areElementwiseOpsFusable(use) ||
        taken.contains(use->getOwner()))
      return;
    auto user = cast<linalg::GenericOp>(use->getOwner());
    FusedMember producer{op, loopsOfProducer(cast<OpResult>(use->get()),
                                             user.getMatchingIndexingMap(use))};
    // A body that extracts any element of the result needs all of it first.
    bool isCaptured = llvm::any_of(op->getUsers(), [&](Operation *other) {
      return user->isProperAncestor(other);
    });
    // The result is written once for each iteration, so each iteration must
    // have its own element.
    if (!producer.loops.isPermutation() || isCaptured ||
        llvm::count_if(user->getOperands(),
                       [&](Value operand) {
                         return operand.getDefiningOp() == op;
                       }) != 1 ||
        !counts.isNoMoreOften(op->getBlock(), user->getBlock()))
      return;
    for (OpResult result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *other) { return other != user; }))
        producer.kept.push_back(result.getResultNumber());
    producer.producers.assign(op->getNumOperands(), -1);
    FusedMember consumer{user, AffineMap::getMultiDimIdentityMap(
                                   user.getNumLoops(), op.getContext())};
    consumer.producers.assign(user->getNumOperands(), -1);
    consumer.producers[use->getOperandNumber()] = 1;
    taken.insert(op);
    taken.insert(user);
    pairs.push_back({std::move(consumer), std::move(producer)});
  });
  IRRewriter rewriter(root->getContext());
  SmallVector<linalg::GenericOp> left;
  for (const FusionGroup &pair : pairs) {
    fuse(rewriter, pair);
    appendFused(left, pair);
  }
  eraseFused(left);
  return pairs.size();
}
