// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Loads of globals that never change move to the entry of the function, one
/// for each global. Between two operations that may use globals in ways that
/// are not seen here, a load takes the value that was stored or loaded before,
/// a store that another one overwrites goes, the first load moves up and the
/// last store down.
///
///   %0 = util.global.load @a : i32            %0 = util.global.load @a : i32
///   util.global.store %x, @a : i32            %2 = arith.addi %0, %x : i32
///   %1 = util.global.load @a : i32      ->    util.global.store %2, @a : i32
///   %2 = arith.addi %0, %1 : i32
///   util.global.store %2, @a : i32
///
/// Linear: each block is read once, and moving happens at the barriers.

#include "mercator/transforms/util/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace mercator::util {
#define GEN_PASS_DEF_SIMPLIFYGLOBALACCESSES
#include "mercator/transforms/util/Passes.h.inc"
} // namespace mercator::util

using namespace mlir;
using namespace mercator;

/// Whether the operation itself, its regions aside, may use globals other than
/// by a load or store that names one.
static bool isOpaque(Operation *op) {
  // A dispatch sees its operands alone.
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "flow" || dialect == "hal")
    return false;
  if (isa<CallOpInterface, util::GlobalLoadIndirectOp,
          util::GlobalStoreIndirectOp>(op))
    return true;
  // Names in there are not the names out here.
  if (op->hasTrait<OpTrait::SymbolTable>())
    return true;
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    // An effect on a value is on what that value points to. One on nothing is
    // on anything: an assertion that fails ends the call before later stores.
    return llvm::any_of(instances, [](MemoryEffects::EffectInstance &effect) {
      return !effect.getValue() &&
             !isa<MemoryEffects::Allocate>(effect.getEffect());
    });
  }
  return !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

namespace {
class Simplifier {
public:
  explicit Simplifier(Region &region) : region(region) {}

  void run();

private:
  /// What is known of one global since the last barrier.
  struct State {
    /// What it holds, where it was stored or loaded.
    Value value;
    /// The store that a later one overwrites.
    Operation *store = nullptr;
  };

  void findConstants();
  void hoistConstants();
  bool visit(Block &block);
  void visitLoad(util::GlobalLoadOp load);
  void visitStore(util::GlobalStoreOp store);
  void endSequence(Operation *barrier);

  Region &region;
  /// The globals that hold one value as long as this code runs.
  DenseSet<StringAttr> constants;

  // The sequence between two barriers.
  llvm::MapVector<StringAttr, State> globals;
  SmallVector<Operation *> firstLoads;
};

struct SimplifyGlobalAccesses
    : util::impl::SimplifyGlobalAccessesBase<SimplifyGlobalAccesses> {
  using Base::Base;

  void runOnOperation() override {
    Region *region = getOperation().getCallableRegion();
    if (region && !region->empty())
      Simplifier(*region).run();
  }
};
} // namespace

void Simplifier::run() {
  findConstants();
  hoistConstants();
  for (Block &block : region)
    visit(block);
}

/// An initializer may store to any global, so its own stores count, not only
/// what the global says.
void Simplifier::findConstants() {
  bool any = false;
  DenseSet<StringAttr> stored;
  WalkResult walked = region.walk([&](Operation *op) {
    any |= isa<util::GlobalLoadOp>(op);
    if (auto store = dyn_cast<util::GlobalStoreOp>(op))
      stored.insert(store.getGlobalAttr().getAttr());
    return isa<util::GlobalStoreIndirectOp>(op) ? WalkResult::interrupt()
                                                : WalkResult::advance();
  });
  Operation *symbols = SymbolTable::getNearestSymbolTable(region.getParentOp());
  if (!any || walked.wasInterrupted() || !symbols)
    return;
  for (auto global : symbols->getRegion(0).getOps<util::GlobalOp>())
    if (!global.getIsMutable() && !stored.contains(global.getSymNameAttr()))
      constants.insert(global.getSymNameAttr());
}

void Simplifier::hoistConstants() {
  llvm::MapVector<std::pair<StringAttr, Type>, Operation *> loads;
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return WalkResult::skip();
    auto load = dyn_cast<util::GlobalLoadOp>(op);
    if (!load || !constants.contains(load.getGlobalAttr().getAttr()))
      return WalkResult::advance();
    auto [it, isNew] = loads.try_emplace(
        {load.getGlobalAttr().getAttr(), load.getType()}, load);
    if (isNew)
      return WalkResult::advance();
    load.replaceAllUsesWith(it->second->getResult(0));
    load.erase();
    return WalkResult::skip();
  });
  Block &entry = region.front();
  for (auto &[key, load] : llvm::reverse(loads))
    load->moveBefore(&entry, entry.begin());
}

/// Whether the block may use globals.
bool Simplifier::visit(Block &block) {
  // What surrounds a nested block has its own sequence.
  auto outerGlobals = std::exchange(globals, {});
  auto outerLoads = std::exchange(firstLoads, {});
  Operation *barrier = nullptr;
  bool uses = false;

  auto moveLoads = [&] {
    for (Operation *load : llvm::reverse(firstLoads))
      if (barrier)
        load->moveAfter(barrier);
      else
        load->moveBefore(&block, block.begin());
    firstLoads.clear();
  };
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto load = dyn_cast<util::GlobalLoadOp>(op)) {
      if (constants.contains(load.getGlobalAttr().getAttr()))
        continue;
      visitLoad(load);
      uses = true;
      continue;
    }
    if (auto store = dyn_cast<util::GlobalStoreOp>(op)) {
      visitStore(store);
      uses = true;
      continue;
    }
    bool isBarrier = isOpaque(&op);
    if (!isBarrier)
      for (Region &nested : op.getRegions())
        for (Block &inside : nested)
          isBarrier |= visit(inside);
    uses |= isBarrier;
    if (!isBarrier && !op.hasTrait<OpTrait::IsTerminator>())
      continue;
    moveLoads();
    endSequence(&op);
    barrier = &op;
  }
  // A block without a terminator ends where its parent says; stores stay.
  moveLoads();

  globals = std::move(outerGlobals);
  firstLoads = std::move(outerLoads);
  return uses;
}

void Simplifier::visitLoad(util::GlobalLoadOp load) {
  auto [it, isNew] =
      globals.try_emplace(load.getGlobalAttr().getAttr(), State());
  State &state = it->second;
  if (isNew)
    firstLoads.push_back(load);
  if (state.value && state.value.getType() == load.getType()) {
    load.replaceAllUsesWith(state.value);
    load.erase();
    return;
  }
  // Under another type the value is read again, and whoever stored it is seen.
  state = {load.getResult(), nullptr};
}

void Simplifier::visitStore(util::GlobalStoreOp store) {
  State &state = globals[store.getGlobalAttr().getAttr()];
  if (state.store)
    state.store->erase();
  state = {store.getValue(), store};
}

void Simplifier::endSequence(Operation *barrier) {
  for (auto &[name, state] : globals)
    if (state.store)
      state.store->moveBefore(barrier);
  globals.clear();
}
