// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps between any two values: a walk up through the users of blocks, and a
// walk down into computations.

#include "mercator/analysis/maps/ProgramMaps.h"
#include "mercator/analysis/maps/Branches.h"
#include "mercator/analysis/maps/Loop.h"
#include "mercator/analysis/maps/Model.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using mlir::Block;
using mlir::Operation;
using mlir::Value;
using mlir::ValueRange;

namespace {
constexpr llvm::StringRef kBlocks = "control flow between blocks";
constexpr llvm::StringRef kWhichCall =
    "several calls: it is not known which one";
constexpr llvm::StringRef kWhichIteration = "while: the iteration is not known";
constexpr llvm::StringRef kWhichBranch = "it is not known which branch runs";
} // namespace

struct ProgramMaps::Impl {
  Impl(Arena &arena, Operation *module) : maps(arena) {
    module->walk([&](Operation *op) {
      if (llvm::isa<mlir::FunctionOpInterface>(op))
        functions.push_back(op);
      // Loops, branches and fusions contain their computations. Other
      // operations refer to them by name.
      for (mlir::NamedAttribute attribute : op->getAttrs())
        attribute.getValue().walk([&](mlir::FlatSymbolRefAttr symbol) {
          if (Operation *function = maps.cache->symbols.lookupNearestSymbolFrom(
                  op, symbol.getAttr()))
            callers[function].push_back(op);
        });
    });
  }

  /// The users of a block: the operation that contains it, or its callers.
  std::vector<Operation *> usersOf(Block *block) {
    Operation *op = block->getParentOp();
    if (llvm::isa<mlir::FunctionOpInterface>(op)) {
      auto it = callers.find(op);
      return it == callers.end() ? std::vector<Operation *>() : it->second;
    }
    if (!op->getBlock())
      return {};
    return {op};
  }

  std::optional<std::vector<Block *>>
  outermostFirst(llvm::ArrayRef<Block *> starts);
  void walkBlock(FusionMaps::Walk &walk, Block *block) {
    for (Operation &op : llvm::reverse(*block))
      walk.step(&op);
  }
  void ascend(FusionMaps::Walk &walk, Block *block);
  void ascendFromLoop(FusionMaps::Walk &walk, Operation *op, Block *block);
  void descend(FusionMaps::Walk &walk, Operation *op, Block *block);
  void descendIntoLoop(FusionMaps::Walk &walk, Operation *op, Block *block);
  std::unique_ptr<FusionMaps::Walk> walkFrom(Leaf root,
                                             llvm::ArrayRef<Block *> targets);
  void copyAll(FusionMaps::Walk &walk, Value from, Value to,
               llvm::StringRef reason);

  FusionMaps maps;
  std::vector<Operation *> functions;
  llvm::DenseMap<Operation *, std::vector<Operation *>> callers;
  std::string refusal; ///< the reason if walkFrom gave null
};

/// The blocks and their transitive users, users first. Nothing if blocks are
/// mutually recursive, or branch to one another.
std::optional<std::vector<Block *>>
ProgramMaps::Impl::outermostFirst(llvm::ArrayRef<Block *> starts) {
  struct Visit {
    Block *block;
    std::vector<Operation *> users;
    size_t next = 0;
  };
  std::vector<Visit> stack;
  std::vector<Block *> finished;
  llvm::DenseMap<Block *, bool> isFinished;
  for (Block *start : starts) {
    if (!isFinished.try_emplace(start, false).second)
      continue;
    stack.push_back({start, usersOf(start)});
    while (!stack.empty()) {
      Visit &top = stack.back();
      if (!top.block->getParent()->hasOneBlock()) {
        refusal = kBlocks.str();
        return std::nullopt;
      }
      if (top.next == top.users.size()) {
        isFinished[top.block] = true;
        finished.push_back(top.block);
        stack.pop_back();
        continue;
      }
      Block *outer = top.users[top.next++]->getBlock();
      if (!outer)
        continue;
      auto [it, isNew] = isFinished.try_emplace(outer, false);
      if (!isNew && !it->second) {
        refusal = "a computation that calls itself";
        return std::nullopt;
      }
      if (isNew)
        stack.push_back({outer, usersOf(outer)});
    }
  }
  return finished;
}

/// Value `to` is read where `from` is; with a reason, perhaps.
void ProgramMaps::Impl::copyAll(FusionMaps::Walk &walk, Value from, Value to,
                                llvm::StringRef reason) {
  unsigned count = maps.cache->leaves.count(from.getType());
  for (unsigned leaf = 0; leaf < count; ++leaf)
    if (reason.empty())
      walk.copy({from, leaf}, {to, leaf});
    else
      walk.copySome({from, leaf}, {to, leaf}, reason);
}

//===--- Up ---------------------------------------------------------------===//

void ProgramMaps::Impl::ascend(FusionMaps::Walk &walk, Block *block) {
  std::vector<Operation *> users = usersOf(block);
  for (Operation *op : users) {
    if (!op->getBlock())
      continue;
    if (computationOf(op, &maps.cache->symbols).block == block) {
      for (mlir::BlockArgument argument : block->getArguments())
        copyAll(walk, argument, op->getOperand(argument.getArgNumber()),
                users.size() > 1 ? kWhichCall : llvm::StringRef());
    } else if (llvm::isa<stablehlo::WhileOp>(op)) {
      ascendFromLoop(walk, op, block);
    } else if (!isControl(op) && walk.anyKnown(block->getArguments())) {
      walk.reachAll(op->getOperands(),
                    spelling(op) +
                        ": the reads of its regions are not analyzed");
    }
  }
}

void ProgramMaps::Impl::ascendFromLoop(FusionMaps::Walk &walk, Operation *op,
                                       Block *block) {
  Loop &loop = maps.cache->loop(op);
  Loop::States atStart(loop.size()), anywhere;
  for (auto [k, leaf] : llvm::enumerate(loop.argumentsOf(block)))
    if (const State *state = walk.find(leaf))
      atStart[k] = *state;
  std::vector<Outside> outside;
  loop.follow(walk.reads, atStart, anywhere, outside);
  for (const Outside &o : outside)
    for (const OperandMap &m : o.maps)
      walk.reads.insert(walk.slot(o.leaf), walk.sizes(o.leaf), OperandMap(m));
  Block *body = &op->getRegion(1).front();
  ValueRange next = body->getTerminator()->getOperands();
  for (auto [k, leaf] : llvm::enumerate(loop.argumentsOf(body))) {
    if (anywhere[k].maps.empty())
      continue;
    unsigned number =
        llvm::cast<mlir::BlockArgument>(leaf.value).getArgNumber();
    Leaf first{op->getOperand(number), leaf.leaf},
        again{next[number], leaf.leaf};
    if (loop.isUnchanged(k)) {
      walk.reads.add(anywhere[k], walk.slot(first), walk.sizes(first));
      continue;
    }
    walk.reads.addSome(anywhere[k], walk.slot(first), walk.sizes(first),
                       kWhichIteration);
    walk.reads.addSome(anywhere[k], walk.slot(again), walk.sizes(again),
                       kWhichIteration);
  }
  // The values that earlier iterations computed.
  walkBlock(walk, body);
}

//===--- Down -------------------------------------------------------------===//

void ProgramMaps::Impl::descend(FusionMaps::Walk &walk, Operation *op,
                                Block *block) {
  if (!walk.anyKnown(op->getResults()))
    return;
  if (!block->mightHaveTerminator())
    return;
  ValueRange returned = block->getTerminator()->getOperands();
  if (computationOf(op, &maps.cache->symbols).block == block) {
    if (llvm::isa<stablehlo::AsyncStartOp>(op)) {
      for (unsigned i = 0; i < returned.size(); ++i)
        walk.copy({op->getResult(0), i}, {returned[i]});
      return;
    }
    for (auto [result, inside] : llvm::zip_equal(op->getResults(), returned))
      copyAll(walk, result, inside, "");
  } else if (llvm::isa<stablehlo::WhileOp>(op)) {
    descendIntoLoop(walk, op, block);
  } else if (isControl(op)) {
    auto live = liveBranches(op);
    if (!llvm::is_contained(live, block->getParent()))
      return;
    for (auto [result, inside] : llvm::zip_equal(op->getResults(), returned))
      copyAll(walk, result, inside,
              live.size() > 1 ? kWhichBranch : llvm::StringRef());
  } else {
    walk.reachAll(returned,
                  spelling(op) + ": the reads of its regions are not analyzed");
  }
}

void ProgramMaps::Impl::descendIntoLoop(FusionMaps::Walk &walk, Operation *op,
                                        Block *block) {
  Loop &loop = maps.cache->loop(op);
  ValueRange returned = block->getTerminator()->getOperands();
  if (block == &op->getRegion(0).front()) { // the condition
    walk.reads.addAll(walk.slot({returned[0]}), {});
    return;
  }
  Loop::States atEnd(loop.size()), anywhere;
  std::vector<Leaf> arguments = loop.argumentsOf(block);
  for (auto [k, leaf] : llvm::enumerate(arguments)) {
    unsigned number =
        llvm::cast<mlir::BlockArgument>(leaf.value).getArgNumber();
    if (const State *state = walk.find({op->getResult(number), leaf.leaf}))
      atEnd[k] = *state;
  }
  loop.addCondition(walk.reads, atEnd);
  std::vector<Outside> outside;
  loop.follow(walk.reads, atEnd, anywhere, outside);
  bool surelyRuns = loop.iterations().value_or(0) > 0;
  for (auto [k, leaf] : llvm::enumerate(arguments)) {
    if (anywhere[k].maps.empty())
      continue;
    unsigned number =
        llvm::cast<mlir::BlockArgument>(leaf.value).getArgNumber();
    Leaf inside{returned[number], leaf.leaf};
    if (surelyRuns)
      walk.reads.add(anywhere[k], walk.slot(inside), walk.sizes(inside));
    else
      walk.reads.addSome(anywhere[k], walk.slot(inside), walk.sizes(inside),
                         kWhichIteration);
  }
}

//===--- Both -------------------------------------------------------------===//

/// Null if a computation cannot be followed: see `refusal`.
std::unique_ptr<FusionMaps::Walk>
ProgramMaps::Impl::walkFrom(Leaf root, llvm::ArrayRef<Block *> targets) {
  auto up = outermostFirst(root.value.getParentBlock());
  auto down = outermostFirst(targets);
  if (!up || !down)
    return nullptr;
  auto walk =
      std::make_unique<FusionMaps::Walk>(maps, Direction::OutToIn, root);
  for (Block *block : llvm::reverse(*up)) {
    walkBlock(*walk, block);
    ascend(*walk, block);
  }
  for (Block *block : *down) {
    for (Operation *op : usersOf(block))
      if (op->getBlock())
        descend(*walk, op, block);
    walkBlock(*walk, block);
  }
  return walk;
}

ProgramMaps::ProgramMaps(Arena &arena, Operation *module)
    : impl(std::make_unique<Impl>(arena, module)) {}
ProgramMaps::~ProgramMaps() = default;

MapSet ProgramMaps::between(Leaf later, Leaf earlier) {
  auto walk = impl->walkFrom(later, earlier.value.getParentBlock());
  if (!walk) {
    FusionMaps::Cache &cache = *impl->maps.cache;
    return MapSet::approximate(
        everything(cache.arena(), cache.sizes(later), cache.sizes(earlier)),
        impl->refusal);
  }
  const State *state = walk->find(earlier);
  return state ? state->maps : MapSet();
}

std::optional<std::vector<ProgramMaps::Read>> ProgramMaps::from(Leaf root) {
  std::vector<Block *> all;
  for (Operation *function : impl->functions)
    function->walk([&](Block *block) {
      Operation *op = block->getParentOp();
      if (llvm::isa<mlir::FunctionOpInterface>(op) || isControl(op) ||
          computationOf(op, &impl->maps.cache->symbols).block == block)
        all.push_back(block);
    });
  auto walk = impl->walkFrom(root, all);
  if (!walk)
    return std::nullopt;
  std::vector<Read> out;
  for (Leaf leaf : walk->met())
    out.push_back({leaf, walk->find(leaf)->maps});
  return out;
}
