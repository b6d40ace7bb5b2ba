// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Expressions with the same value in each call (ConstantExpressions.h) are
/// computed once, by an initializer at the end of the module, and stored in a
/// global.
///
///   func.func @f(%x: tensor<4xf32>) {
///     %0 = arith.mulf %c, %c : tensor<4xf32>
///     %1 = arith.addf %x, %0 : tensor<4xf32>
/// ->
///   util.global private @hoisted : tensor<4xf32>
///   func.func @f(%x: tensor<4xf32>) {
///     %hoisted = util.global.load @hoisted : tensor<4xf32>
///     %1 = arith.addf %x, %hoisted : tensor<4xf32>
///   ...
///   util.initializer { ... util.global.store %0, @hoisted ... }
///
/// Hoists the values that the rest of the program uses; intermediate values are
/// not stored. Some values are not worth a global: broadcasts, empty tensors,
/// integers that are no whole bytes, initial values of destinations, and values
/// that take over a MiB more than their operands. Initializers are appended in
/// program order, so each can load the values stored by earlier ones.

#include "mercator/transforms/util/ConstantExpressions.h"
#include "mercator/transforms/util/Passes.h"

#include "mlir/IR/IRMapping.h"

namespace mercator::util {
#define GEN_PASS_DEF_HOISTINTOGLOBALS
#include "mercator/transforms/util/Passes.h.inc"
} // namespace mercator::util

using namespace mlir;
using namespace mercator;
using namespace mercator::util;

static constexpr int64_t kMaxGrowth = 1 << 20;

/// The size of a value in bytes; none if the type does not determine it.
static std::optional<int64_t> findBytes(Type type) {
  int64_t count = 1;
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    if (!isa<RankedTensorType, VectorType>(type) || !shaped.hasStaticShape())
      return std::nullopt;
    for (int64_t size : shaped.getShape())
      if (llvm::MulOverflow(count, size, count))
        return std::nullopt;
    type = shaped.getElementType();
  }
  int64_t numbers = 1;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    numbers = 2;
    type = complex.getElementType();
  }
  if (!type.isIntOrIndexOrFloat())
    return std::nullopt;
  int64_t bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (llvm::MulOverflow(count, numbers * ((bits + 7) / 8), count))
    return std::nullopt;
  return count;
}

/// The bytes that the program stores for a constant or a global.
static int64_t findRootBytes(Operation *root) {
  auto value = root->getAttrOfType<DenseElementsAttr>("value");
  Type type = value && value.isSplat() ? value.getElementType()
                                       : root->getResult(0).getType();
  return findBytes(type).value_or(0);
}

/// Whether the operation only repeats its operand.
static bool isBroadcast(Operation *op) {
  if (isa<tensor::SplatOp>(op) ||
      op->getName().getStringRef() == "flow.tensor.splat")
    return true;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured ||
      structured.getNumParallelLoops() != structured.getNumLoops())
    return false;
  if (!isa<linalg::YieldOp>(structured.getBlock()->front()))
    return false;
  return llvm::any_of(
      structured.getDpsInputOperands(), [&](OpOperand *operand) {
        AffineMap map = structured.getMatchingIndexingMap(operand);
        return map.isProjectedPermutation() &&
               map.getNumDims() != map.getNumResults();
      });
}

/// Whether a global can hold the value.
static bool isKeepable(Value value) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(value.getType()));
  return (!integer || integer.getWidth() % 8 == 0) &&
         findBytes(value.getType()).has_value();
}

namespace {
class Hoisting {
public:
  explicit Hoisting(ModuleOp module)
      : module(module), expressions(module), symbols(module),
        budget(1024 + 8 * int64_t(expressions.getInOrder().size())) {}

  void run();

private:
  void choose();
  bool isNeeded(OpResult result, bool &isKept);
  bool isWorthIt(Operation *op);
  std::optional<SmallVector<Operation *>> findParts(Operation *op);
  void hoist(Operation *op);
  void replace();

  ModuleOp module;
  ConstantExpressions expressions;
  SymbolTable symbols;
  /// The number of operations that may still be examined or cloned. It bounds
  /// the work for expressions that share many operands.
  int64_t budget;

  /// Constant operations that are not hoisted and whose results are needed.
  DenseSet<Operation *> staying;
  SmallVector<Operation *> chosen;
  llvm::MapVector<Value, GlobalOp> hoisted;
};

struct HoistIntoGlobals : util::impl::HoistIntoGlobalsBase<HoistIntoGlobals> {
  using Base::Base;

  void runOnOperation() override { Hoisting(getOperation()).run(); }
};
} // namespace

void Hoisting::run() {
  choose();
  llvm::sort(chosen, [this](Operation *a, Operation *b) {
    return expressions.getPosition(a) < expressions.getPosition(b);
  });
  for (Operation *op : chosen)
    hoist(op);
  replace();
}

/// From users to operands: the operands of an operation that stays must stay
/// too or be hoisted.
void Hoisting::choose() {
  for (Operation *op : llvm::reverse(expressions.getInOrder())) {
    bool isNeeded = false, isKept = false;
    for (OpResult result : op->getResults())
      isNeeded |= this->isNeeded(result, isKept);
    if (!isNeeded || expressions.isRoot(op))
      continue;
    if (isKept && isWorthIt(op))
      chosen.push_back(op);
    else
      staying.insert(op);
  }
}

/// Whether an operation that stays uses the result. Sets `isKept` to whether a
/// use does more than overwrite it.
bool Hoisting::isNeeded(OpResult result, bool &isKept) {
  bool isNeeded = false;
  for (OpOperand &use : result.getUses()) {
    Operation *user = expressions.findAround(use.getOwner());
    if (user && !staying.contains(user))
      continue;
    isNeeded = true;
    auto destination = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    isKept |= !destination || !destination.isDpsInit(&use);
  }
  return isNeeded;
}

bool Hoisting::isWorthIt(Operation *op) {
  if (isa<tensor::EmptyOp>(op) || isBroadcast(op) ||
      op->getName().getStringRef() == "iree_unregistered.non_leaf_const_expr")
    return false;
  int64_t bytes = 0;
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    if (!isKeepable(result) ||
        llvm::AddOverflow(bytes, *findBytes(result.getType()), bytes))
      return false;
  }
  if (bytes <= kMaxGrowth)
    return true;
  std::optional<SmallVector<Operation *>> parts = findParts(op);
  if (!parts)
    return false;
  for (Operation *part : *parts)
    if (expressions.isRoot(part))
      bytes -= std::min(bytes, findRootBytes(part));
  return bytes <= kMaxGrowth;
}

/// The operations to hoist for `op`, including `op`, each after its operands.
/// Nothing if that exceeds the budget.
std::optional<SmallVector<Operation *>> Hoisting::findParts(Operation *op) {
  DenseSet<Operation *> seen = {op};
  SmallVector<Operation *> parts = {op};
  auto add = [&](Value value) {
    Operation *part = value.getDefiningOp();
    if (part && expressions.contains(part) && !hoisted.contains(value) &&
        seen.insert(part).second)
      parts.push_back(part);
  };
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i]->walk([&](Operation *inside) {
      --budget;
      for (Value operand : inside->getOperands())
        add(operand);
    });
    if (budget < 0)
      return std::nullopt;
  }
  llvm::sort(parts, [this](Operation *a, Operation *b) {
    return expressions.getOrder(a) < expressions.getOrder(b);
  });
  return parts;
}

void Hoisting::hoist(Operation *op) {
  std::optional<SmallVector<Operation *>> parts = findParts(op);
  if (!parts)
    return;
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto initializer = InitializerOp::create(builder, op->getLoc());
  builder.setInsertionPointToStart(&initializer.getBody().emplaceBlock());
  IRMapping mapping;
  for (Operation *part : *parts)
    part->walk([&](Operation *inside) {
      for (Value operand : inside->getOperands())
        if (auto it = hoisted.find(operand);
            it != hoisted.end() && !mapping.contains(operand))
          mapping.map(operand,
                      GlobalLoadOp::create(builder, op->getLoc(), it->second));
    });
  for (Operation *part : *parts)
    builder.clone(*part, mapping);
  auto begin = OpBuilder::atBlockBegin(module.getBody());
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    auto global = GlobalOp::create(begin, op->getLoc(), "hoisted",
                                   /*isMutable=*/false, result.getType());
    SymbolTable::setSymbolVisibility(global, SymbolTable::Visibility::Private);
    symbols.insert(global);
    begin.setInsertionPoint(global);
    GlobalStoreOp::create(builder, op->getLoc(), mapping.lookup(result),
                          global);
    hoisted.insert({result, global});
  }
  InitializerReturnOp::create(builder, op->getLoc());
}

/// Replaces hoisted values by loads and erases operations without users.
void Hoisting::replace() {
  for (auto &[value, global] : hoisted) {
    OpBuilder builder(module.getContext());
    builder.setInsertionPointAfter(value.getDefiningOp());
    Value load = GlobalLoadOp::create(builder, global.getLoc(), global);
    value.replaceAllUsesWith(load);
  }
  for (Operation *op : llvm::reverse(expressions.getInOrder()))
    if (op->use_empty())
      op->erase();
}
