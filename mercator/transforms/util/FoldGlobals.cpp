// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Removes or freezes globals. Alternates with all canonicalizations until a
/// fixed point:
///
///   all stores store one constant     it becomes the initial value
///   all stores store one other global loads read that global
///   no store after initialization     the global becomes immutable
///   immutable, with an initial value  loads become that value
///   private, without loads            the global and its stores are removed
///   immutable, equal, private         the globals are merged
///
/// The first two apply only if no load can see the value before the store:
/// GlobalTable.h determines the order. A global that is public or whose address
/// is taken may also be loaded elsewhere, at any time. A global without an
/// initial value may begin with any value.

#include "mercator/transforms/util/Canonicalizations.h"
#include "mercator/transforms/util/Constants.h"
#include "mercator/transforms/util/GlobalTable.h"
#include "mercator/transforms/util/Passes.h"

#include "mlir/IR/Matchers.h"

namespace mercator::util {
#define GEN_PASS_DEF_FOLDGLOBALS
#include "mercator/transforms/util/Passes.h.inc"
} // namespace mercator::util

using namespace mlir;
using namespace mercator;
using namespace mercator::util;

static constexpr int kMostRounds = 10;

template <typename OpT> static void eraseAll(SmallVector<Access<OpT>> &all) {
  for (Access<OpT> &access : all)
    access.op.erase();
  all.clear();
}

static void eraseGlobal(Global &global) {
  eraseAll(global.stores);
  global.op.erase();
  global.op = nullptr;
}

/// The value of all stores, if it is one constant of the global's type.
static TypedAttr findStoredConstant(const Global &global) {
  TypedAttr constant;
  for (const Access<GlobalStoreOp> &store : global.stores) {
    TypedAttr value;
    if (!matchPattern(store.op->getOperand(0), m_Constant(&value)) ||
        value.getType() != global.op.getType() ||
        (constant && value != constant))
      return {};
    constant = value;
  }
  return constant;
}

/// Makes util.global.store %c, @a, if it is the value of all stores, the
/// initial value:
///   util.global mutable @a : i32   ->   util.global mutable @a = 5 : i32
static bool foldConstantStores(Global &global, GlobalTable &table) {
  if (global.escapes)
    return false;
  TypedAttr constant = findStoredConstant(global);
  if (!constant)
    return false;
  TypedAttr initial = global.op.getInitialValueAttr();
  if (initial != constant) {
    if (initial && !global.isLocal())
      return false;
    if (!table.isStoredBeforeLoads(global))
      return false;
    global.op.setInitialValueAttr(constant);
  }
  eraseAll(global.stores);
  return true;
}

/// The global whose value all stores store, if it does not change after the
/// first of them.
static Global *findStoredGlobal(Global &global, GlobalTable &table) {
  Global *other = nullptr;
  for (const Access<GlobalStoreOp> &store : global.stores) {
    auto load = store.op.getValue().getDefiningOp<GlobalLoadOp>();
    if (!load || load.getType() != global.op.getType())
      return nullptr;
    auto it = table.globals.find(load.getGlobalAttr().getAttr());
    if (it == table.globals.end() || (other && other != &it->second))
      return nullptr;
    other = &it->second;
    if (!other->op || other->escapes || other == &global ||
        other->op.getType() != global.op.getType() ||
        (other->op.getIsMutable() && !other->isLocal()) ||
        table.getLastStore(*other) >= table.getTime(store.top))
      return nullptr;
  }
  return other;
}

static bool renameCopies(Global &global, GlobalTable &table) {
  if (!global.isLocal())
    return false;
  Global *other = findStoredGlobal(global, table);
  if (!other || !table.isStoredBeforeLoads(global))
    return false;
  for (Access<GlobalLoadOp> &load : global.loads)
    load.op.setGlobal(other->op.getSymName());
  other->loads.append(global.loads);
  eraseGlobal(global);
  return true;
}

static bool makeImmutable(Global &global, GlobalTable &table) {
  if (!global.op.getIsMutable() || !global.isLocal())
    return false;
  Time last = table.getLastStore(global);
  // A load that may run before the last store reads a changing value.
  for (const Access<GlobalLoadOp> &load : global.loads)
    if (table.getTime(load.top) <= last)
      return false;
  if (last == kLater)
    return false;
  global.op.setIsMutable(false);
  return true;
}

static bool inlineLoads(Global &global, GlobalTable &table) {
  TypedAttr value = global.op.getInitialValueAttr();
  if (!value || global.op.getIsMutable() || !global.op.isInlinable() ||
      global.escapes || !global.stores.empty())
    return false;
  bool changed = false;
  llvm::erase_if(global.loads, [&](Access<GlobalLoadOp> &load) {
    // Under a less precise type the value is not this constant.
    OpBuilder builder(load.op);
    Value constant = load.op.getType() == value.getType()
                         ? materialize(builder, load.op.getLoc(), value)
                         : Value();
    if (!constant)
      return false;
    load.op.replaceAllUsesWith(constant);
    load.op.erase();
    return changed = true;
  });
  return changed;
}

static bool eraseUnused(Global &global, GlobalTable &table) {
  if (!global.isLocal() || !global.loads.empty())
    return false;
  eraseGlobal(global);
  return true;
}

static bool mergeEqual(GlobalTable &table) {
  // Everything except the name.
  using Key = std::tuple<Type, Attribute, Attribute>;
  DenseMap<Key, Global *> first;
  bool changed = false;
  for (auto &[name, global] : table.globals) {
    if (!global.op || global.op.getIsMutable() || !global.isLocal() ||
        !global.stores.empty() || !global.op.getInitialValueAttr())
      continue;
    auto [it, isNew] = first.try_emplace(
        Key(global.op.getType(), global.op.getInitialValueAttr(),
            global.op->getDiscardableAttrDictionary()),
        &global);
    if (isNew)
      continue;
    GlobalOp stays = it->second->op;
    for (Access<GlobalLoadOp> &load : global.loads)
      load.op.setGlobal(stays.getSymName());
    stays->setLoc(FusedLoc::get(stays.getContext(),
                                {stays.getLoc(), global.op.getLoc()}));
    eraseGlobal(global);
    changed = true;
  }
  return changed;
}

namespace {
struct FoldGlobals : util::impl::FoldGlobalsBase<FoldGlobals> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    patterns = collectCanonicalizations(context);
    return success();
  }

  void runOnOperation() override {
    // Folding first leaves less to canonicalize.
    for (int i = 0; i < kMostRounds; ++i) {
      if (!fold() && i > 0)
        return;
      canonicalize(getOperation(), patterns);
    }
  }

private:
  bool fold() {
    GlobalTable table(getOperation());
    bool changed = false;
    for (auto *fold : {foldConstantStores, renameCopies, makeImmutable,
                       inlineLoads, eraseUnused})
      for (auto &[name, global] : table.globals)
        if (global.op)
          changed |= fold(global, table);
    return mergeEqual(table) || changed;
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
