// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/util/GlobalTable.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::util;

GlobalTable::GlobalTable(ModuleOp module) {
  for (Operation &op : *module.getBody()) {
    if (auto symbol = dyn_cast<SymbolOpInterface>(op))
      if (StringAttr name = symbol.getNameAttr())
        symbols[name] = &op;
    if (auto global = dyn_cast<GlobalOp>(op))
      globals[global.getSymNameAttr()].op = global;
  }
  for (Operation &op : *module.getBody())
    findAccesses(&op);
  findTimes(module);
}

void GlobalTable::findAccesses(Operation *top) {
  top->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto load = dyn_cast<GlobalLoadOp>(op)) {
      auto it = globals.find(load.getGlobalAttr().getAttr());
      if (it != globals.end())
        it->second.loads.push_back({load, top});
      return WalkResult::advance();
    }
    if (auto store = dyn_cast<GlobalStoreOp>(op)) {
      auto it = globals.find(store.getGlobalAttr().getAttr());
      if (it != globals.end()) {
        it->second.stores.push_back({store, top});
        firstStores.try_emplace({op->getBlock(), it->first}, op);
      }
      return WalkResult::advance();
    }
    findReferences(op, top);
    // Nested symbol tables have their own names.
    return op->hasTrait<OpTrait::SymbolTable>() ? WalkResult::skip()
                                                : WalkResult::advance();
  });
}

void GlobalTable::findReferences(Operation *op, Operation *top) {
  if (!op->isRegistered())
    code[top].isOpaque = true;
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    auto callee = name ? dyn_cast_if_present<FunctionOpInterface>(
                             symbols.lookup(name.getRootReference()))
                       : FunctionOpInterface();
    if (!callee || callee.isExternal())
      code[top].isOpaque = true;
  }
  for (StringAttr name : names.of(op))
    if (auto global = globals.find(name); global != globals.end())
      global->second.escapes = true;
    else if (Operation *named = symbols.lookup(name))
      code[top].references.push_back(named);
}

void GlobalTable::findTimes(ModuleOp module) {
  bool isOpaque = false;
  auto reach = [&](Operation *root, Time time) {
    SmallVector<Operation *> worklist = {root};
    while (!worklist.empty()) {
      Operation *op = worklist.pop_back_val();
      if (!times.try_emplace(op, time).second)
        continue;
      auto it = code.find(op);
      if (it == code.end())
        continue;
      isOpaque |= it->second.isOpaque;
      worklist.append(it->second.references);
    }
  };
  // An initializer runs in its turn, even if a symbol refers to it. Any other
  // operation that is no function may run at any time.
  Time number = 0;
  for (Operation &op : *module.getBody())
    if (isa<InitializerOp>(op))
      times[&op] = number++;
  for (Operation &op : *module.getBody())
    if (op.getNumRegions() > 0 && !isa<FunctionOpInterface>(op))
      reach(&op, kAnyTime);
  Time opaqueSince = isOpaque ? kAnyTime : kLater;
  for (auto initializer : module.getOps<InitializerOp>()) {
    isOpaque = false;
    Time time = times.lookup(initializer);
    auto it = code.find(initializer);
    if (it == code.end())
      continue;
    isOpaque |= it->second.isOpaque;
    for (Operation *named : it->second.references)
      reach(named, time);
    if (isOpaque)
      opaqueSince = std::min(opaqueSince, time);
  }
  for (Operation &op : *module.getBody())
    if (!isa<InitializerOp>(op)) {
      Time &time = times.try_emplace(&op, kLater).first->second;
      time = std::min(time, opaqueSince);
    }
}

Time GlobalTable::getLastStore(const Global &global) const {
  Time last = kNever;
  for (const Access<GlobalStoreOp> &store : global.stores)
    last = std::max(last, isa<InitializerOp>(store.top) ? getTime(store.top)
                                                        : kLater);
  return last;
}

bool GlobalTable::isStoredBeforeLoads(const Global &global) const {
  // The first initializer that certainly stores: in its only path.
  Time sure = kLater;
  for (const Access<GlobalStoreOp> &store : global.stores)
    if (auto initializer = dyn_cast<InitializerOp>(store.top);
        initializer && store.op->getBlock() == &initializer.getBody().front())
      sure = std::min(sure, getTime(store.top));
  return llvm::all_of(global.loads, [&](const Access<GlobalLoadOp> &load) {
    return sure < getTime(load.top) || isStoredBefore(load);
  });
}

/// Whether a store precedes the load in its block or in a block that always
/// runs before.
bool GlobalTable::isStoredBefore(const Access<GlobalLoadOp> &load) const {
  StringAttr name = load.op.getGlobalAttr().getAttr();
  for (Operation *op = load.op; op != load.top; op = op->getParentOp()) {
    if (op->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return false;
    Block *block = op->getBlock();
    if (Operation *store = firstStores.lookup({block, name});
        store && store->isBeforeInBlock(op))
      return true;
    Block *entry = &block->getParent()->front();
    if (block != entry && firstStores.lookup({entry, name}))
      return true;
  }
  return false;
}
