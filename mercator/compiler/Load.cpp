// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/Program.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/frontends/hlo/Import.h"
#include "mercator/frontends/hlo/Looks.h"
#include "mercator/frontends/hlo/Parser.h"
#include "mercator/frontends/stablehlo/Binary.h"
#include "mercator/frontends/stablehlo/Parse.h"
#include "mercator/transforms/Passes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"

using namespace mercator;

std::unique_ptr<mlir::MLIRContext> mercator::makeContext() {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  auto context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  // The source line says what the operation is.
  context->printOpOnDiagnostic(false);
  return context;
}

/// Fails with one error where the text does not look like HLO at all.
static llvm::LogicalResult expectHlo(const SourceBuffer &source,
                                     DiagnosticEngine &diagnostics) {
  if (source.getText().trim().empty() || hlo::looksLikeHlo(source.getText()))
    return mlir::success();
  (void)diagnostics.error({}, quote(source.getName()) +
                                  " is neither HLO nor StableHLO text");
  diagnostics.help("JAX gives StableHLO by `jax.jit(f).lower(x).as_text()`");
  return mlir::failure();
}

std::unique_ptr<Program> mercator::loadProgram(const SourceBuffer &source,
                                               DiagnosticEngine &diagnostics) {
  if (failed(stablehlo::refuseBinary(source, diagnostics)))
    return nullptr;
  auto program = std::make_unique<Program>();
  program->context = makeContext();
  program->file = source.getName() == "<stdin>" ? "-" : source.getName();
  mlir::MLIRContext &context = *program->context;
  if (stablehlo::looksLikeStablehlo(source.getText())) {
    program->module = stablehlo::parseStablehlo(source, context, diagnostics);
    if (program->module)
      program->name = program->module->getSymName().value_or("module").str();
  } else {
    if (failed(expectHlo(source, diagnostics)))
      return nullptr;
    std::vector<std::unique_ptr<hlo::Module>> trees =
        hlo::parseAll(source, diagnostics);
    auto handler = stablehlo::forwardDiagnostics(context, source, diagnostics);
    std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
    for (const std::unique_ptr<hlo::Module> &tree : trees) {
      modules.push_back(hlo::importHlo(*tree, source, context, diagnostics));
      if (!modules.back())
        return nullptr;
    }
    if (modules.empty())
      return nullptr;
    program->name = trees.size() == 1 ? trees.front()->name : "module";
    program->module =
        stablehlo::joinModules(std::move(modules), source.getName(), context);
    program->isHlo = true;
  }
  if (!program->module || diagnostics.hasErrors())
    return nullptr;
  return program;
}

llvm::LogicalResult mercator::spellInStablehlo(mlir::ModuleOp module) {
  mlir::WalkResult found = module.walk([](mlir::Operation *op) {
    return llvm::isa_and_nonnull<chlo::ChloDialect>(op->getDialect())
               ? mlir::WalkResult::interrupt()
               : mlir::WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return llvm::success();
  mlir::PassManager passes(module.getContext());
  passes.addPass(createChloLegalizeToStablehloPass());
  return passes.run(module);
}

/// The modules that have functions with bodies, or graphs, of their own.
static void collectModules(mlir::ModuleOp module,
                           std::vector<mlir::ModuleOp> &found) {
  if (llvm::any_of(module.getOps(), [](mlir::Operation &op) {
        auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
        return llvm::isa<ascend::GraphOp>(op) ||
               (function && !function.isExternal());
      }))
    found.push_back(module);
  for (auto inner : module.getOps<mlir::ModuleOp>())
    collectModules(inner, found);
}

/// The name of the function where a module begins, or else of its first.
static llvm::StringRef entryOf(mlir::ModuleOp module) {
  llvm::StringRef first;
  for (auto symbol : module.getOps<mlir::SymbolOpInterface>()) {
    bool isFunction =
        llvm::isa<mlir::FunctionOpInterface>(symbol.getOperation());
    if (isFunction && isEntry(symbol))
      return symbol.getName();
    if (first.empty() &&
        (isFunction || llvm::isa<ascend::GraphOp>(symbol.getOperation())))
      first = symbol.getName();
  }
  return first;
}

static std::string pathOf(mlir::ModuleOp module) {
  return modulePath(&module.getBody()->front());
}

llvm::LogicalResult mercator::keepOneModule(Program &program,
                                            llvm::StringRef &function,
                                            DiagnosticEngine &diagnostics,
                                            bool canChoose) {
  std::vector<mlir::ModuleOp> modules;
  collectModules(*program.module, modules);
  auto keep = [&](mlir::ModuleOp module) {
    if (module == *program.module)
      return mlir::success();
    program.name = module.getSymName().value_or("module").str();
    module->remove();
    program.module = module;
    return mlir::success();
  };
  for (mlir::ModuleOp module : modules)
    if (std::string path = pathOf(module);
        !path.empty() && function.consume_front(path))
      return keep(module);
  // Nested modules beside the functions of the program stay where they are.
  if (modules.empty() || modules.front() == *program.module)
    return mlir::success();
  if (modules.size() == 1)
    return keep(modules.front());
  std::string names;
  constexpr size_t kShown = 8;
  for (mlir::ModuleOp module : llvm::ArrayRef(modules).take_front(kShown))
    names += (names.empty() ? "" : ", ") +
             llvm::StringRef(pathOf(module)).drop_back().str();
  if (modules.size() > kShown)
    names += " and " + std::to_string(modules.size() - kShown) + " others";
  (void)diagnostics.error({}, "expected one module, got " +
                                  llvm::Twine(modules.size()) + ": " + names);
  if (canChoose)
    diagnostics.help("--function=" + pathOf(modules.front()) +
                     entryOf(modules.front()).str());
  else
    diagnostics.help("put one of them into a file of its own; `mercator map` "
                     "takes them all");
  return mlir::failure();
}

bool mercator::isEntry(mlir::Operation *function) {
  // An initializer has no name.
  auto name = function->getAttrOfType<mlir::StringAttr>(
      mlir::SymbolTable::getSymbolAttrName());
  return function->hasAttr(hlo::kEntryAttr) || (name && name == "main");
}
