// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Removes arguments and results that calls need not pass. For a private
/// function whose calls are all known:
///
///   an unused argument or result          is removed
///   the same constant everywhere          is replaced by the constant
///   always equal to an earlier one        is replaced by that one
///   a result that is always an argument   is replaced by the caller's operand
///
///   func.func private @f(%a: i32, %b: i32) -> (i32, i32) {
///     %0 = arith.addi %a, %a : i32
///     return %0, %b : i32, i32
///   }
///   %1:2 = call @f(%x, %y) : (i32, i32) -> (i32, i32)
/// ->
///   func.func private @f(%a: i32) -> i32 { ... return %0 : i32 }
///   %1 = call @f(%x) : (i32) -> i32           with %y for %1#1

#include "mercator/transforms/util/Constants.h"
#include "mercator/transforms/util/Passes.h"
#include "mercator/transforms/util/SymbolNames.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/BitVector.h"

namespace mercator::util {
#define GEN_PASS_DEF_IPO
#include "mercator/transforms/util/Passes.h.inc"
} // namespace mercator::util

using namespace mlir;
using namespace mercator;
using namespace mercator::util;

/// The constant that all values are; null if they differ.
static TypedAttr findConstant(ArrayRef<Value> values) {
  TypedAttr constant;
  for (Value value : values) {
    TypedAttr attr;
    if (!matchPattern(value, m_Constant(&attr)) ||
        attr.getType() != value.getType() || (constant && constant != attr))
      return {};
    constant = attr;
  }
  return constant;
}

/// For each row, the first equal row.
static SmallVector<unsigned> findFirst(ArrayRef<SmallVector<Value>> rows) {
  std::map<SmallVector<const void *>, unsigned> seen;
  SmallVector<unsigned> first;
  for (auto [i, row] : llvm::enumerate(rows)) {
    SmallVector<const void *> key;
    for (Value value : row)
      key.push_back(value.getAsOpaquePointer());
    first.push_back(
        row.empty() ? i : seen.try_emplace(std::move(key), i).first->second);
  }
  return first;
}

namespace {
class Function {
public:
  Function(func::FuncOp op, ArrayRef<func::CallOp> calls);

  void simplify();

private:
  void simplifyArguments();
  void simplifyResults();
  void findDeadArguments();
  void update();
  void update(func::CallOp call);
  ArrayAttr dropAttrs(ArrayAttr attrs, const BitVector &dead);

  func::FuncOp op;
  SmallVector<func::CallOp> calls;
  SmallVector<func::ReturnOp> returns;
  BitVector deadArguments, deadResults;
};

struct IPO : util::impl::IPOBase<IPO> {
  using Base::Base;

  void runOnOperation() override;
};
} // namespace

Function::Function(func::FuncOp op, ArrayRef<func::CallOp> calls)
    : op(op), calls(calls), deadArguments(op.getNumArguments()),
      deadResults(op.getNumResults()) {
  for (Block &block : op.getBody())
    if (!block.empty())
      if (auto last = dyn_cast<func::ReturnOp>(block.back()))
        returns.push_back(last);
}

void Function::simplify() {
  simplifyArguments();
  simplifyResults();
  if (deadResults.any())
    for (func::ReturnOp last : returns)
      last->eraseOperands(deadResults);
  findDeadArguments();
  if (deadArguments.any() || deadResults.any())
    update();
}

void Function::simplifyArguments() {
  // The operands of all calls. A recursive call that passes an argument on
  // unchanged adds no information: null in `rows`.
  SmallVector<SmallVector<Value>> rows(op.getNumArguments());
  SmallVector<SmallVector<Value>> given(op.getNumArguments());
  for (func::CallOp call : calls)
    for (auto [i, value] : llvm::enumerate(call.getOperands())) {
      bool isHandedOn = value == op.getArgument(i);
      rows[i].push_back(isHandedOn ? Value() : value);
      if (!isHandedOn)
        given[i].push_back(value);
    }
  SmallVector<unsigned> first = findFirst(rows);
  auto builder = OpBuilder::atBlockBegin(&op.getBody().front());
  for (BlockArgument argument : op.getArguments()) {
    unsigned i = argument.getArgNumber();
    if (argument.use_empty())
      continue;
    if (TypedAttr constant = findConstant(given[i]))
      if (Value value = materialize(builder, given[i][0].getLoc(), constant)) {
        argument.replaceAllUsesWith(value);
        deadArguments.set(i);
        continue;
      }
    if (first[i] == i || deadArguments.test(first[i]) ||
        op.getArgument(first[i]).getType() != argument.getType())
      continue;
    argument.replaceAllUsesWith(op.getArgument(first[i]));
    deadArguments.set(i);
  }
}

void Function::simplifyResults() {
  SmallVector<SmallVector<Value>> rows(op.getNumResults());
  for (func::ReturnOp last : returns)
    for (auto [i, value] : llvm::enumerate(last.getOperands()))
      rows[i].push_back(value);
  SmallVector<unsigned> first = findFirst(rows);
  auto isUnused = [&](unsigned i) {
    return llvm::all_of(calls, [i](func::CallOp call) {
      return call.getResult(i).use_empty();
    });
  };
  // From the last to the first, so that a result still exists when another
  // replaces it.
  for (unsigned i = op.getNumResults(); i-- > 0;) {
    if (isUnused(i)) {
      deadResults.set(i);
      continue;
    }
    if (TypedAttr constant = findConstant(rows[i])) {
      bool isMade = true;
      for (func::CallOp call : calls) {
        OpBuilder builder(call->getContext());
        builder.setInsertionPointAfter(call);
        Value value = materialize(builder, rows[i][0].getLoc(), constant);
        isMade &= bool(value);
        if (value)
          call.getResult(i).replaceAllUsesWith(value);
      }
      deadResults[i] = isMade;
      if (isMade)
        continue;
    }
    if (first[i] != i) {
      for (func::CallOp call : calls)
        call.getResult(i).replaceAllUsesWith(call.getResult(first[i]));
      deadResults.set(i);
      continue;
    }
    auto argument =
        rows[i].empty() ? BlockArgument() : dyn_cast<BlockArgument>(rows[i][0]);
    if (!argument || argument.getOwner() != &op.getBody().front() ||
        !llvm::all_equal(rows[i]))
      continue;
    for (func::CallOp call : calls)
      call.getResult(i).replaceAllUsesWith(
          call.getOperand(argument.getArgNumber()));
    deadResults.set(i);
  }
}

/// Arguments that are unused except in recursive calls.
void Function::findDeadArguments() {
  SmallPtrSet<Operation *, 4> own;
  for (func::CallOp call : calls)
    own.insert(call);
  for (BlockArgument argument : op.getArguments())
    if (llvm::all_of(argument.getUses(), [&](OpOperand &use) {
          return own.contains(use.getOwner()) &&
                 use.getOperandNumber() == argument.getArgNumber();
        }))
      deadArguments.set(argument.getArgNumber());
}

void Function::update() {
  for (func::CallOp call : calls)
    update(call);
  (void)op.eraseArguments(deadArguments);
  (void)op.eraseResults(deadResults);
}

void Function::update(func::CallOp call) {
  SmallVector<Value> operands, results;
  SmallVector<Type> types;
  for (auto [i, operand] : llvm::enumerate(call.getOperands()))
    if (!deadArguments.test(i))
      operands.push_back(operand);
  for (auto [i, result] : llvm::enumerate(call.getResults()))
    if (!deadResults.test(i)) {
      results.push_back(result);
      types.push_back(result.getType());
    }
  OpBuilder builder(call);
  auto fresh = func::CallOp::create(builder, call.getLoc(), types, operands,
                                    call->getAttrs());
  if (ArrayAttr attrs = call.getArgAttrsAttr())
    fresh.setArgAttrsAttr(dropAttrs(attrs, deadArguments));
  if (ArrayAttr attrs = call.getResAttrsAttr())
    fresh.setResAttrsAttr(dropAttrs(attrs, deadResults));
  for (auto [before, after] : llvm::zip_equal(results, fresh.getResults()))
    before.replaceAllUsesWith(after);
  call.erase();
}

ArrayAttr Function::dropAttrs(ArrayAttr attrs, const BitVector &dead) {
  SmallVector<Attribute> kept;
  for (auto [i, attr] : llvm::enumerate(attrs))
    if (!dead.test(i))
      kept.push_back(attr);
  return ArrayAttr::get(attrs.getContext(), kept);
}

void IPO::runOnOperation() {
  // The callers of each function, and all other used symbols.
  DenseMap<StringAttr, SmallVector<func::CallOp>> calls;
  DenseSet<StringAttr> escapes;
  SymbolNames names;
  for (Operation &top : *getOperation().getBody())
    top.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto call = dyn_cast<func::CallOp>(op);
      if (call)
        calls[call.getCalleeAttr().getAttr()].push_back(call);
      for (StringAttr name : names.of(op))
        if (!call || name != call.getCalleeAttr().getAttr())
          escapes.insert(name);
      return op->hasTrait<OpTrait::SymbolTable>() ? WalkResult::skip()
                                                  : WalkResult::advance();
    });
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    auto it = calls.find(function.getSymNameAttr());
    if (function.isPrivate() && !function.isExternal() && it != calls.end() &&
        !escapes.contains(it->first))
      Function(function, it->second).simplify();
  }
}
