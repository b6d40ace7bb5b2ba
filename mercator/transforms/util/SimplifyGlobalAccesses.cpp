// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Loads of globals that never change move to the entry of the function, one
/// for each global. Other accesses are simplified between two *barriers*,
/// operations that may access globals in unknown ways: a load takes the last
/// value stored or loaded, an overwritten store is removed, the first load
/// moves up and the last store down.
///
///   %0 = util.global.load @a : i32            %0 = util.global.load @a : i32
///   util.global.store %x, @a : i32            %2 = arith.addi %0, %x : i32
///   %1 = util.global.load @a : i32      ->    util.global.store %2, @a : i32
///   %2 = arith.addi %0, %1 : i32
///   util.global.store %2, @a : i32
///
/// Linear: each block is read once, and accesses move at the barriers.

#include "mercator/transforms/util/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace mercator::util {
#define GEN_PASS_DEF_SIMPLIFYGLOBALACCESSES
#include "mercator/transforms/util/Passes.h.inc"
} // namespace mercator::util

using namespace mlir;
using namespace mercator;

/// Whether the operation itself, without its regions, may access globals other
/// than by a load or store with a symbol.
static bool isOpaque(Operation *op) {
  // A dispatch accesses only its operands.
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "flow" || dialect == "hal")
    return false;
  if (isa<CallOpInterface, util::GlobalLoadIndirectOp,
          util::GlobalStoreIndirectOp>(op))
    return true;
  // Nested symbol tables have their own names.
  if (op->hasTrait<OpTrait::SymbolTable>())
    return true;
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    // An effect on a value concerns the memory behind that value. An effect
    // without a value may concern anything: a failing assertion ends the call
    // before later stores.
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
  /// The known state of a global since the last barrier.
  struct State {
    /// The current value, from the last store or load.
    Value value;
    /// The last store, which a later one may overwrite.
    Operation *store = nullptr;
  };

  void findConstants();
  void hoistConstants();
  bool visit(Block &block);
  void visitLoad(util::GlobalLoadOp load);
  void visitStore(util::GlobalStoreOp store);
  void endSequence(Operation *barrier);

  Region &region;
  /// The globals that do not change while this code runs.
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

/// An initializer may store to any global, so its own stores count as well as
/// the mutability of the global.
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

/// Whether the block may access globals.
bool Simplifier::visit(Block &block) {
  // A nested block has its own sequence.
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
  // A block without a terminator ends as its parent defines; stores stay in
  // place.
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
  // A load with another type is kept, and it makes the last store visible.
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
