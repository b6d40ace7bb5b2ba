// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/util/BlockArguments.h"

#include "mlir/IR/RegionKindInterface.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"

#include <deque>

using namespace mlir;
using namespace mercator;

namespace {
/// An edge to a block.
struct Edge {
  mutable BranchOpInterface branch;
  unsigned successor;
  /// An unreachable branch never runs, so its operands do not count and need
  /// not dominate anything.
  bool isReachable;

  /// The value of argument `i`; null if the terminator produces it.
  Value get(unsigned i) const {
    return branch.getSuccessorOperands(successor)[i];
  }
};

class Arguments {
public:
  explicit Arguments(Region &region);

  bool simplify();

private:
  bool simplify(Block *block);
  Value findOnlyValue(BlockArgument argument, ArrayRef<Edge> edges);
  void replace(BlockArgument argument, Value value);
  void erase(Block *block, ArrayRef<Edge> edges, const BitVector &dead);
  void enqueue(Block *block);

  /// The edges to each block whose arguments may be removed.
  DenseMap<Block *, SmallVector<Edge, 2>> edges;
  std::deque<Block *> worklist;
  DenseSet<Block *> waiting;
};
} // namespace

Arguments::Arguments(Region &region) {
  llvm::ReversePostOrderTraversal<Block *> order(&region.front());
  DenseSet<Block *> reachable(order.begin(), order.end());
  DenseSet<Block *> opaque;
  for (Block &block : region) {
    if (block.empty())
      continue;
    Operation &last = block.back();
    auto branch = dyn_cast<BranchOpInterface>(last);
    for (unsigned i = 0; i < last.getNumSuccessors(); ++i)
      if (branch)
        edges[last.getSuccessor(i)].push_back(
            {branch, i, reachable.contains(&block)});
      else
        opaque.insert(last.getSuccessor(i));
  }
  for (Block *block : opaque)
    edges.erase(block);
  // Values flow in this direction, so most blocks are visited once.
  for (Block *block : order)
    enqueue(block);
}

void Arguments::enqueue(Block *block) {
  if (block->getNumArguments() > 0 && edges.contains(block) &&
      waiting.insert(block).second)
    worklist.push_back(block);
}

bool Arguments::simplify() {
  bool changed = false;
  while (!worklist.empty()) {
    Block *block = worklist.front();
    worklist.pop_front();
    waiting.erase(block);
    changed |= simplify(block);
  }
  return changed;
}

bool Arguments::simplify(Block *block) {
  ArrayRef<Edge> incoming = edges[block];
  BitVector dead(block->getNumArguments());
  for (BlockArgument argument : block->getArguments())
    if (Value value = findOnlyValue(argument, incoming)) {
      replace(argument, value);
      dead.set(argument.getArgNumber());
    }

  // The operands of every branch, argument by argument. An argument that is
  // passed back to itself is ignored.
  std::map<SmallVector<const void *>, BlockArgument> seen;
  for (BlockArgument argument : block->getArguments()) {
    if (dead.test(argument.getArgNumber()))
      continue;
    SmallVector<const void *> given = {argument.getType().getAsOpaquePointer()};
    for (const Edge &edge : incoming)
      if (edge.isReachable) {
        Value value = edge.get(argument.getArgNumber());
        // A value that the terminator produces is unique.
        given.push_back(!value              ? argument.getAsOpaquePointer()
                        : value == argument ? nullptr
                                            : value.getAsOpaquePointer());
      }
    auto [it, isNew] = seen.try_emplace(std::move(given), argument);
    if (isNew)
      continue;
    replace(argument, it->second);
    dead.set(argument.getArgNumber());
  }
  if (dead.none())
    return false;
  erase(block, incoming, dead);
  return true;
}

/// The only value that branches pass, ignoring passed-back arguments. It
/// dominates the block: on every path to the block, it dominates the last
/// branch that did not pass the argument back.
Value Arguments::findOnlyValue(BlockArgument argument, ArrayRef<Edge> edges) {
  Value only;
  for (const Edge &edge : edges) {
    if (!edge.isReachable)
      continue;
    Value value = edge.get(argument.getArgNumber());
    if (value == argument)
      continue;
    if (!value || (only && only != value))
      return {};
    only = value;
  }
  return only && only.getType() == argument.getType() ? only : Value();
}

void Arguments::replace(BlockArgument argument, Value value) {
  for (Operation *user : argument.getUsers())
    for (Block *successor : user->getSuccessors())
      enqueue(successor);
  argument.replaceAllUsesWith(value);
}

void Arguments::erase(Block *block, ArrayRef<Edge> edges,
                      const BitVector &dead) {
  for (const Edge &edge : edges) {
    SuccessorOperands operands =
        edge.branch.getSuccessorOperands(edge.successor);
    unsigned produced = operands.getProducedOperandCount();
    SmallVector<Value> kept;
    for (auto [i, value] : llvm::enumerate(operands.getForwardedOperands()))
      if (!dead.test(produced + i))
        kept.push_back(value);
    operands.getMutableForwardedOperands().assign(kept);
  }
  block->eraseArguments(dead);
}

bool util::simplifyBlockArguments(Operation *op) {
  bool changed = false;
  op->walk([&](Operation *nested) {
    for (auto [i, region] : llvm::enumerate(nested->getRegions()))
      if (!region.empty() && !region.hasOneBlock() &&
          mayHaveSSADominance(region))
        changed |= Arguments(region).simplify();
  });
  return changed;
}
