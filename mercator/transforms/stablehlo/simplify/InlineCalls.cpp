// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines calls of private functions, as JAX makes them for jit in jit: a
// dispatch does not cross a call. Functions with several blocks, recursive
// functions and those with `no_inline` stay.
//
// A call in the body of a reduction, sort, scatter or map is inlined in any case:
// such a body becomes arithmetic in a loop.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/stablehlo/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

/// The program grows by at most so many operations, and at most so many times:
/// calls that double at each level would let it grow without bounds.
static constexpr size_t kMostAdded = 100'000;
static constexpr size_t kMostGrowth = 8;

namespace {
class Inliner {
public:
  explicit Inliner(ModuleOp module) : module(module), symbols(module) {}
  void run();
  void runInBodies();

private:
  struct Callee {
    size_t operations = 0;
    SmallVector<func::CallOp> calls;
  };

  size_t collect();
  bool isInlinable(func::FuncOp function);
  func::FuncOp calleeOf(func::CallOp call);
  SmallVector<func::FuncOp> calleesFirst();
  void inlineCalls(func::FuncOp function);
  void inlineCall(func::CallOp call, func::FuncOp callee,
                  SmallVectorImpl<func::CallOp> *made = nullptr);
  void eraseUnused();

  ModuleOp module;
  SymbolTable symbols;
  DenseMap<Operation *, Callee> functions;
  /// Those that call themselves, at any distance.
  DenseSet<Operation *> recursive;
  size_t budget = 0;
};
} // namespace

static bool hasOneBlock(func::FuncOp function) {
  return llvm::hasSingleElement(function.getBody()) &&
         isa<func::ReturnOp>(function.getBody().front().back());
}

static bool fits(func::CallOp call, func::FuncOp callee) {
  return callee.getFunctionType() == FunctionType::get(call.getContext(),
                                                       call.getOperandTypes(),
                                                       call.getResultTypes());
}

bool Inliner::isInlinable(func::FuncOp function) {
  return function && function.isPrivate() && hasOneBlock(function) &&
         !function.getNoInline() && !recursive.contains(function);
}

func::FuncOp Inliner::calleeOf(func::CallOp call) {
  return symbols.lookup<func::FuncOp>(call.getCallee());
}

/// The functions, each after those that it calls, as far as there is no cycle.
SmallVector<func::FuncOp> Inliner::calleesFirst() {
  SmallVector<func::FuncOp> order;
  DenseSet<Operation *> done;
  // The path from the first function, and the next call of each on it.
  SmallVector<std::pair<func::FuncOp, size_t>> path;
  DenseMap<Operation *, size_t> onPath;
  auto enter = [&](func::FuncOp function) {
    onPath[function] = path.size();
    path.emplace_back(function, 0);
  };
  for (auto function : module.getOps<func::FuncOp>()) {
    if (done.contains(function))
      continue;
    enter(function);
    while (!path.empty()) {
      auto &[top, next] = path.back();
      ArrayRef<func::CallOp> calls = functions[top].calls;
      if (next == calls.size()) {
        onPath.erase(top);
        done.insert(top);
        order.push_back(top);
        path.pop_back();
        continue;
      }
      func::CallOp call = calls[next++];
      func::FuncOp callee = calleeOf(call);
      if (!callee || done.contains(callee))
        continue;
      // One function of the cycle is enough to break it.
      if (onPath.contains(callee))
        recursive.insert(callee);
      else
        enter(callee);
    }
  }
  return order;
}

/// `%1` of the text becomes `@f/%1`: the caller may have another `%1`. What was
/// inlined into the callee keeps its name.
static Location nameInCallee(Location loc, StringRef callee) {
  if (auto named = dyn_cast<NameLoc>(loc)) {
    if (!named.getName().strref().starts_with("%"))
      return loc;
    auto name = StringAttr::get(loc.getContext(),
                                "@" + callee + "/" + named.getName().strref());
    return NameLoc::get(name, named.getChildLoc());
  }
  auto fused = dyn_cast<FusedLoc>(loc);
  if (!fused)
    return loc;
  SmallVector<Location> parts;
  for (Location part : fused.getLocations())
    parts.push_back(nameInCallee(part, callee));
  return FusedLoc::get(loc.getContext(), parts, fused.getMetadata());
}

void Inliner::inlineCall(func::CallOp call, func::FuncOp callee,
                         SmallVectorImpl<func::CallOp> *made) {
  Block &body = callee.getBody().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), call.getOperands());
  OpBuilder b(call);
  for (Operation &op : body.without_terminator()) {
    Operation *clone = b.clone(op, mapping);
    clone->walk([&](Operation *inner) {
      inner->setLoc(nameInCallee(inner->getLoc(), callee.getName()));
    });
    if (made)
      clone->walk([&](func::CallOp inner) { made->push_back(inner); });
  }
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.back().getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

void Inliner::inlineCalls(func::FuncOp function) {
  Callee &caller = functions[function];
  for (func::CallOp call : caller.calls) {
    func::FuncOp callee = calleeOf(call);
    if (callee == function || !isInlinable(callee) || !fits(call, callee))
      continue;
    size_t added = functions[callee].operations;
    if (added > budget)
      continue;
    budget -= added;
    caller.operations += added;
    inlineCall(call, callee);
  }
}

/// The private functions that nothing refers to any more.
void Inliner::eraseUnused() {
  auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (!uses)
    return;
  DenseSet<Operation *> used;
  for (SymbolTable::SymbolUse use : *uses)
    used.insert(symbols.lookup(use.getSymbolRef().getRootReference()));
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!function.isExternal() && isInlinable(function) &&
        !used.contains(function))
      symbols.erase(function);
}

/// Collects the calls of all functions. Returns the number of operations.
size_t Inliner::collect() {
  size_t total = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    Callee &callee = functions[function];
    function.walk([&](Operation *op) {
      ++callee.operations;
      if (auto call = dyn_cast<func::CallOp>(op))
        callee.calls.push_back(call);
    });
    total += callee.operations;
  }
  return total;
}

void Inliner::run() {
  size_t total = collect();
  if (llvm::all_of(functions,
                   [](auto &entry) { return entry.second.calls.empty(); }))
    return;
  budget = std::max(kMostAdded, kMostGrowth * total);
  // A round makes the callees of the first functions unused; their own callees
  // become unused with them.
  for (func::FuncOp function : calleesFirst())
    inlineCalls(function);
  eraseUnused();
}

/// Whether an operation applies its regions to numbers.
static bool hasBodyOnNumbers(Operation *op) {
  using namespace mercator::stablehlo;
  return isa<ReduceOp, ReduceWindowOp, SelectAndScatterOp, ScatterOp, SortOp,
             MapOp>(op);
}

void Inliner::runInBodies() {
  SmallVector<func::CallOp> calls;
  DenseSet<Attribute> named;
  module.walk([&](mercator::stablehlo::CustomCallOp op) {
    if (ArrayAttr called = op.getCalledComputationsAttr())
      for (Attribute name : called)
        if (auto symbol = dyn_cast<FlatSymbolRefAttr>(name))
          named.insert(symbol.getAttr());
  });
  module.walk([&](func::CallOp call) {
    for (Operation *at = call->getParentOp(); at; at = at->getParentOp()) {
      auto function = dyn_cast<func::FuncOp>(at);
      if (hasBodyOnNumbers(at) ||
          (function && named.contains(function.getNameAttr())))
        return calls.push_back(call);
    }
  });
  if (calls.empty())
    return;
  budget = std::max(kMostAdded, kMostGrowth * collect());
  (void)calleesFirst(); // finds the recursive functions
  while (!calls.empty()) {
    func::CallOp call = calls.pop_back_val();
    func::FuncOp callee = calleeOf(call);
    if (!callee || !hasOneBlock(callee) || recursive.contains(callee) ||
        !fits(call, callee))
      continue;
    size_t added = functions[callee].operations;
    if (added > budget)
      continue;
    budget -= added;
    inlineCall(call, callee, &calls);
  }
}

void mercator::stablehlo::inlineCallsInBodies(ModuleOp module) {
  Inliner(module).runInBodies();
}

namespace {
class InlineCalls : public PassWrapper<InlineCalls, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InlineCalls)

  StringRef getArgument() const final { return "stablehlo-inline-calls"; }
  StringRef getDescription() const final {
    return "inline calls of private functions";
  }
  void runOnOperation() override {
    // Other programs keep their calls.
    bool isStablehlo =
        getOperation()
            .walk([](Operation *op) {
              return isa_and_nonnull<mercator::stablehlo::StablehloDialect>(
                         op->getDialect())
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted();
    if (isStablehlo)
      Inliner(getOperation()).run();
  }
};
} // namespace

std::unique_ptr<Pass> mercator::stablehlo::createInlineCalls() {
  return std::make_unique<InlineCalls>();
}
