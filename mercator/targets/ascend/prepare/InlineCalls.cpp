// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/prepare/InlineCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

/// A program whose calls double at each level would grow without bounds.
static constexpr int64_t kMostOperations = int64_t(1) << 22;

namespace {
class Inliner {
public:
  explicit Inliner(ModuleOp module) : module(module), symbols(module) {}

  LogicalResult run() {
    if (failed(refuseRecursion()))
      return failure();
    // Functions that are only called are sources of copies: nothing is inlined
    // into them.
    SmallVector<func::FuncOp> roots, gone;
    findRoots(roots, gone);
    for (func::FuncOp root : roots)
      if (failed(expand(root)))
        return failure();
    for (func::FuncOp function : gone)
      function.erase();
    return success();
  }

private:
  /// The function whose body can replace the call; null if there is none.
  func::FuncOp calleeOf(func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || !llvm::hasSingleElement(callee.getBody()) ||
        !isa<func::ReturnOp>(callee.getBody().front().back()))
      return nullptr;
    return callee;
  }

  LogicalResult refuseRecursion();
  void findRoots(SmallVectorImpl<func::FuncOp> &roots,
                 SmallVectorImpl<func::FuncOp> &gone);
  LogicalResult expand(func::FuncOp root);

  ModuleOp module;
  SymbolTable symbols;
  int64_t made = 0;
};
} // namespace

/// Walks over the calls, depth first.
LogicalResult Inliner::refuseRecursion() {
  struct Visit {
    func::FuncOp function;
    SmallVector<func::CallOp> calls;
  };
  DenseSet<Operation *> done, open;
  SmallVector<Visit> path;
  auto enter = [&](func::FuncOp function) {
    Visit visit{function, {}};
    function.walk([&](func::CallOp call) { visit.calls.push_back(call); });
    open.insert(function);
    path.push_back(std::move(visit));
  };
  for (auto function : module.getOps<func::FuncOp>()) {
    if (done.contains(function))
      continue;
    enter(function);
    while (!path.empty()) {
      Visit &top = path.back();
      if (top.calls.empty()) {
        open.erase(top.function);
        done.insert(top.function);
        path.pop_back();
        continue;
      }
      func::CallOp call = top.calls.pop_back_val();
      func::FuncOp callee = calleeOf(call);
      if (!callee || done.contains(callee))
        continue;
      if (open.contains(callee))
        return call.emitError("expected functions without recursion, "
                              "because a graph has no calls, got a call of @")
               << callee.getSymName() << " from within it";
      enter(callee);
    }
  }
  return success();
}

/// Roots are the public functions, and those referenced by anything but a call
/// to inline.
void Inliner::findRoots(SmallVectorImpl<func::FuncOp> &roots,
                        SmallVectorImpl<func::FuncOp> &gone) {
  DenseSet<Operation *> referred;
  // None if an unknown operation exists, which may refer to any symbol.
  auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (uses)
    for (SymbolTable::SymbolUse use : *uses) {
      Operation *symbol = symbols.lookup(use.getSymbolRef().getRootReference());
      auto call = dyn_cast<func::CallOp>(use.getUser());
      bool isInlined =
          call && call->getParentOfType<func::FuncOp>() && calleeOf(call);
      if (symbol && !isInlined)
        referred.insert(symbol);
    }
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isRoot = !uses || !function.isPrivate() || referred.contains(function);
    (isRoot ? roots : gone).push_back(function);
  }
}

LogicalResult Inliner::expand(func::FuncOp root) {
  SmallVector<func::CallOp> calls;
  auto collect = [&](func::CallOp call) { calls.push_back(call); };
  root.walk(collect);
  while (!calls.empty()) {
    func::CallOp call = calls.pop_back_val();
    func::FuncOp callee = calleeOf(call);
    if (!callee)
      continue;
    Block &body = callee.getBody().front();
    IRMapping mapping;
    mapping.map(body.getArguments(), call.getOperands());
    OpBuilder b(call);
    for (Operation &op : body.without_terminator()) {
      Operation *copy = b.clone(op, mapping);
      copy->walk([&](Operation *) { ++made; });
      copy->walk(collect);
    }
    if (made > kMostOperations)
      return root.emitError("expected the functions that it calls to have ")
             << kMostOperations << " operations at most, got more";
    for (auto [result, value] :
         llvm::zip_equal(call.getResults(), body.back().getOperands()))
      result.replaceAllUsesWith(mapping.lookup(value));
    call.erase();
  }
  return success();
}

LogicalResult ascend::inlineCalls(ModuleOp module) {
  return Inliner(module).run();
}

std::optional<llvm::DenseSet<StringAttr>>
ascend::referredSymbols(ModuleOp module) {
  auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (!uses)
    return std::nullopt;
  llvm::DenseSet<StringAttr> referred;
  for (SymbolTable::SymbolUse use : *uses)
    referred.insert(use.getSymbolRef().getRootReference());
  return referred;
}
