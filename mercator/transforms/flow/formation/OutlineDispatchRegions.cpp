// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/flow/Flow.h"
#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/formation/DispatchSummary.h"

#include "mlir/IR/SymbolTable.h"

namespace mercator::flow {
#define GEN_PASS_DEF_OUTLINEDISPATCHREGIONS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// Clones all functions that `function` calls, transitively, into the module of
/// the symbol table `inner`.
static void copyCallees(func::FuncOp function, SymbolTable &outer,
                        SymbolTable &inner) {
  llvm::SmallVector<Operation *> worklist = {function};
  while (!worklist.empty()) {
    auto uses = SymbolTable::getSymbolUses(worklist.pop_back_val());
    if (!uses)
      continue;
    for (const SymbolTable::SymbolUse &use : *uses) {
      StringAttr name = use.getSymbolRef().getRootReference();
      Operation *callee = outer.lookup(name);
      if (inner.lookup(name) || !isa_and_nonnull<FunctionOpInterface>(callee))
        continue;
      Operation *copy = callee->clone();
      SymbolTable::setSymbolVisibility(copy, SymbolTable::Visibility::Private);
      inner.insert(copy);
      worklist.push_back(copy);
    }
  }
}

/// The body of `dispatch` as a function that is not in a module yet.
static func::FuncOp takeBody(flow::DispatchWorkgroupsOp dispatch,
                             llvm::StringRef name) {
  Region &body = dispatch.getWorkgroupBody();
  auto type = FunctionType::get(dispatch.getContext(), body.getArgumentTypes(),
                                /*results=*/{});
  auto function = func::FuncOp::create(dispatch.getLoc(), name, type);
  function.getBody().takeBody(body);
  for (Block &block : function.getBody())
    if (auto end = dyn_cast<flow::ReturnOp>(block.back())) {
      OpBuilder builder(end);
      func::ReturnOp::create(builder, end.getLoc(), end.getOperands());
      end.erase();
    }
  return function;
}

/// Creates an executable of `dispatch` before `function` and dispatches it.
static void outline(flow::DispatchWorkgroupsOp dispatch, llvm::StringRef name,
                    FunctionOpInterface function, SymbolTable &symbols) {
  Location loc = dispatch.getLoc();
  OpBuilder builder(function);
  auto executable = flow::ExecutableOp::create(builder, loc, name);
  executable->remove();
  SymbolTable::setSymbolVisibility(executable,
                                   SymbolTable::Visibility::Private);
  // Chooses a name that is not taken.
  std::string exportName =
      symbols.insert(executable, Block::iterator(function)).str();
  std::string summary = flow::summarizeDispatch(dispatch.getWorkgroupBody());
  if (!summary.empty())
    exportName += "_" + summary;
  // The name must also differ from those of called functions.
  while (!summary.empty() && symbols.lookup(exportName))
    exportName += "_";

  builder.setInsertionPointToStart(&executable.getBlock());
  auto exportOp = flow::ExecutableExportOp::create(
      builder, loc, exportName,
      FlatSymbolRefAttr::get(builder.getContext(), exportName));
  exportOp.getWorkgroupCount().takeBody(dispatch.getWorkgroupCount());
  auto module = ModuleOp::create(builder, loc);
  func::FuncOp body = takeBody(dispatch, exportName);
  module.push_back(body);
  SymbolTable inner(module);
  copyCallees(body, symbols, inner);

  builder.setInsertionPoint(dispatch);
  auto call = flow::DispatchOp::create(
      builder, loc, exportOp, dispatch.getWorkload(), dispatch.getResultTypes(),
      dispatch.getResultDims(), dispatch.getArguments(),
      dispatch.getArgumentDims(), dispatch.getTiedArguments(),
      llvm::to_vector(dispatch->getDiscardableAttrs()));
  dispatch->replaceAllUsesWith(call);
  dispatch.erase();
}

namespace {
struct OutlineDispatchRegions
    : flow::impl::OutlineDispatchRegionsBase<OutlineDispatchRegions> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    unsigned initializers = 0;
    llvm::SmallVector<FunctionOpInterface> functions(
        getOperation().getOps<FunctionOpInterface>());
    for (auto [i, function] : llvm::enumerate(functions)) {
      std::string prefix;
      if (auto name = function->getAttrOfType<StringAttr>(
              SymbolTable::getSymbolAttrName()))
        prefix = name.str();
      else if (function->getName().getStringRef() == "util.initializer")
        prefix = "_initializer_" + std::to_string(initializers++);
      else
        prefix = "_function_like_" + std::to_string(i);

      llvm::SmallVector<flow::DispatchWorkgroupsOp> dispatches;
      function->walk<WalkOrder::PreOrder>([&](flow::DispatchWorkgroupsOp op) {
        dispatches.push_back(op);
        return WalkResult::skip();
      });
      for (auto [number, dispatch] : llvm::enumerate(dispatches))
        outline(dispatch, prefix + "_dispatch_" + std::to_string(number),
                function, symbols);
    }
  }
};
} // namespace
