// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Load.h"

#include "mercator/analysis/Names.h"
#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/frontends/calls/LibraryCalls.h"
#include "mercator/frontends/hlo/Import.h"
#include "mercator/frontends/hlo/Looks.h"
#include "mercator/frontends/hlo/Parser.h"
#include "mercator/frontends/hlo/Proto.h"
#include "mercator/frontends/stablehlo/Binary.h"
#include "mercator/frontends/stablehlo/MhloCalls.h"
#include "mercator/frontends/stablehlo/Parse.h"
#include "mercator/frontends/stablehlo/Places.h"
#include "mercator/frontends/vhlo/Read.h"
#include "mercator/targets/ascend/formats/AirReader.h"
#include "mercator/transforms/chlo/Passes.h"
#include "mercator/transforms/stablehlo/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mercator;
using llvm::StringRef;

std::unique_ptr<mlir::MLIRContext> mercator::makeContext() {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  auto context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  // The source line shows the operation.
  context->printOpOnDiagnostic(false);
  return context;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// True if the bytes are a ge.ModelDef with a graph: only the fields 1, 2, 3,
/// 7 (a graph) and 11.
static bool isModel(StringRef bytes) {
  auto varint = [&]() -> uint64_t {
    uint64_t value = 0;
    for (unsigned shift = 0; !bytes.empty() && shift < 64; shift += 7) {
      unsigned char byte = bytes.front();
      bytes = bytes.drop_front();
      value |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80))
        break;
    }
    return value;
  };
  bool hasGraph = false;
  while (!bytes.empty()) {
    char tag = bytes.front();
    if (!StringRef("\x0A\x10\x1A\x3A\x5A").contains(tag))
      return false;
    bytes = bytes.drop_front();
    hasGraph |= tag == '\x3A';
    uint64_t value = varint();
    if (tag != '\x10')
      bytes = bytes.drop_front(std::min<uint64_t>(value, bytes.size()));
  }
  return hasGraph;
}

/// True if the source is an .air file, by its name or its first bytes.
static bool looksLikeAir(const SourceBuffer &source) {
  StringRef bytes = source.getText();
  return source.getName().ends_with_insensitive(".air") ||
         (stablehlo::isBinary(bytes) && isModel(bytes));
}

/// What XLA has written to its dump folder beside the programs; empty for other
/// files.
static StringRef dumpFileOf(const SourceBuffer &source) {
  StringRef name = llvm::sys::path::filename(source.getName()),
            text = source.getText().ltrim();
  if (text.starts_with("BufferAssignment:") ||
      name.ends_with("buffer-assignment.txt"))
    return "XLA's buffer assignment";
  if (name.ends_with("memory-usage-report.txt"))
    return "XLA's report of memory";
  if (name.ends_with("debug_options") || text.starts_with("xla_"))
    return "XLA's options";
  if (name.ends_with("thunk_sequence.txt"))
    return "XLA's list of thunks";
  if (name.ends_with(".ll"))
    return "text of LLVM";
  if (name.ends_with(".ptx"))
    return "text of PTX";
  return {};
}

/// The compiled program of the same module in the same folder; empty if there is
/// none.
static std::string programBeside(StringRef file) {
  // module_0001.jit_f.debug_options
  StringRef folder = llvm::sys::path::parent_path(file),
            name = llvm::sys::path::filename(file);
  auto [number, rest] = name.split('.');
  std::string module = (number + "." + rest.split('.').first + ".").str();
  std::string found;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           it(folder.empty() ? "." : folder, error),
       end;
       !error && it != end; it.increment(error)) {
    StringRef other = llvm::sys::path::filename(it->path());
    if (other.starts_with(module) &&
        other.ends_with("after_optimizations.txt") &&
        (found.empty() || it->path() < found))
      found = it->path();
  }
  StringRef path = found;
  path.consume_front("./");
  return path.str();
}

/// Fails after one error if the text does not look like HLO at all.
static llvm::LogicalResult expectHlo(const SourceBuffer &source,
                                     DiagnosticEngine &diagnostics) {
  if (source.getText().trim().empty() || hlo::looksLikeHlo(source.getText()))
    return mlir::success();
  if (StringRef what = dumpFileOf(source); !what.empty()) {
    (void)diagnostics.error({}, "expected HLO or StableHLO text, got " + what +
                                    " in " + quote(source.getName()));
    if (std::string program = programBeside(source.getName()); !program.empty())
      diagnostics.help("the program is " + program);
    return mlir::failure();
  }
  (void)diagnostics.error({}, quote(source.getName()) +
                                  " is neither HLO nor StableHLO text");
  diagnostics.help("JAX gives StableHLO by `jax.jit(f).lower(x).as_text()`");
  return mlir::failure();
}

/// The source as a command line names it.
static std::string fileOf(const SourceBuffer &source) {
  return source.getName() == "<stdin>" ? "-" : source.getName().str();
}

static std::unique_ptr<LoadedProgram> loadAir(const SourceBuffer &source,
                                              DiagnosticEngine &diagnostics) {
  auto program = std::make_unique<LoadedProgram>();
  program->context = makeContext();
  program->file = fileOf(source);
  program->isAir = true;
  auto handler = forwardDiagnostics(*program->context, source, diagnostics,
                                    /*isAir=*/true);
  program->module = ascend::readAir(source.getText(), source.getName(),
                                    program->context.get());
  if (!program->module || diagnostics.hasErrors())
    return nullptr;
  program->name = program->module->getSymName().value_or("module").str();
  return program;
}

/// A program in binary form, of which a reader has made text.
static std::unique_ptr<LoadedProgram>
loadDecoded(const SourceBuffer &source, std::optional<std::string> text,
            DiagnosticEngine &diagnostics, const LoadOptions &options) {
  if (!text)
    return nullptr;
  auto decoded =
      std::make_unique<SourceBuffer>(source.getName().str(), std::move(*text));
  auto program = loadProgram(*decoded, diagnostics, options);
  if (program)
    program->decoded = std::move(decoded);
  return program;
}

std::unique_ptr<LoadedProgram>
mercator::loadProgram(const SourceBuffer &source, DiagnosticEngine &diagnostics,
                      const LoadOptions &options) {
  if (options.air && looksLikeAir(source))
    return loadAir(source, diagnostics);
  if (vhlo::findBytecode(source.getText()))
    return loadDecoded(source, vhlo::readBytecode(source, diagnostics),
                       diagnostics, options);
  if (hlo::looksLikeProto(source.getText()))
    return loadDecoded(source, hlo::readProto(source, diagnostics), diagnostics,
                       options);
  if (failed(stablehlo::refuseBinary(source, diagnostics)))
    return nullptr;
  auto program = std::make_unique<LoadedProgram>();
  program->context = makeContext();
  program->file = fileOf(source);
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
    auto handler = forwardDiagnostics(context, source, diagnostics);
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
  stablehlo::spellMhloCalls(*program->module);
  if (!program->isHlo) {
    auto handler = forwardDiagnostics(context, source, diagnostics);
    if (failed(calls::spellLibraryCalls(*program->module)))
      return nullptr;
  }
  return program;
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

std::unique_ptr<mlir::ScopedDiagnosticHandler>
mercator::forwardDiagnostics(mlir::MLIRContext &context,
                             const SourceBuffer &source,
                             DiagnosticEngine &diagnostics, bool isAir) {
  if (!isAir)
    return std::make_unique<mlir::ScopedDiagnosticHandler>(
        &context, [&](mlir::Diagnostic &diagnostic) {
          stablehlo::tell(diagnostic, source, diagnostics);
        });
  // Bytes have no lines.
  auto say = [&diagnostics](const mlir::Diagnostic &diagnostic) {
    std::string before, text = diagnostic.str();
    mlir::Location location = diagnostic.getLocation();
    if (auto place = location->findInstanceOf<mlir::FileLineColLoc>())
      before =
          place.getLine() == 0 ? place.getFilename().str() : placeOf(place);
    if (llvm::StringRef node = nameIn(location); !node.empty())
      before += ", node " + quote(node);
    if (!before.empty())
      text = before + ": " + text;
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      (void)diagnostics.error({}, text);
    else if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Warning)
      diagnostics.warning({}, text);
    else
      diagnostics.note({}, text);
  };
  return std::make_unique<mlir::ScopedDiagnosticHandler>(
      &context, [say](mlir::Diagnostic &diagnostic) {
        say(diagnostic);
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          say(note);
      });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

llvm::LogicalResult mercator::spellInStablehlo(mlir::ModuleOp module) {
  mlir::WalkResult found = module.walk([](mlir::Operation *op) {
    return llvm::isa_and_nonnull<chlo::ChloDialect>(op->getDialect()) ||
                   llvm::isa<stablehlo::SetDimensionSizeOp>(op)
               ? mlir::WalkResult::interrupt()
               : mlir::WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return llvm::success();
  mlir::PassManager passes(module.getContext());
  passes.addPass(chlo::createChloLegalizeToStablehlo());
  passes.addPass(stablehlo::createKeepBounded());
  return passes.run(module);
}

void mercator::nameNodes(mlir::ModuleOp module) {
  module.walk([](ascend::GraphOp graph) {
    for (mlir::Operation &op : graph.getBody().front())
      if (auto named = llvm::dyn_cast<mlir::NameLoc>(op.getLoc())) {
        StringRef bare = named.getName().strref().ltrim('%');
        op.setLoc(mlir::NameLoc::get(
            mlir::StringAttr::get(op.getContext(), bare), named.getChildLoc()));
      }
  });
}

std::string mercator::placeOf(mlir::Location loc) {
  auto place = loc->findInstanceOf<mlir::FileLineColLoc>();
  if (!place)
    return "?";
  return (place.getFilename().getValue() + ":" + llvm::Twine(place.getLine()))
      .str();
}

std::string mercator::originOf(mlir::Location loc) {
  std::string origin;
  mlir::StringAttr text;
  loc->walk([&](mlir::Location inner) {
    auto place = llvm::dyn_cast<mlir::FileLineColRange>(inner);
    if (!place)
      return mlir::WalkResult::advance();
    if (!text)
      text = place.getFilename();
    if (text == place.getFilename())
      return mlir::WalkResult::advance();
    origin = (place.getFilename().getValue() + ":" +
              llvm::Twine(place.getStartLine()))
                 .str();
    return mlir::WalkResult::interrupt();
  });
  return origin;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

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
static StringRef entryOf(mlir::ModuleOp module) {
  StringRef first;
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

std::optional<OneModule> mercator::findModule(const LoadedProgram &program,
                                              StringRef &function,
                                              DiagnosticEngine &diagnostics,
                                              bool canChoose) {
  std::vector<mlir::ModuleOp> modules;
  collectModules(*program.module, modules);
  OneModule whole{*program.module, program.name};
  auto one = [&](mlir::ModuleOp module) {
    if (module == whole.module)
      return whole;
    return OneModule{module, module.getSymName().value_or("module").str()};
  };
  for (mlir::ModuleOp module : modules)
    if (std::string path = pathOf(module);
        !path.empty() && function.consume_front(path))
      return one(module);
  // A nested module is no choice if the outer module has functions.
  if (modules.empty() || modules.front() == whole.module)
    return whole;
  if (modules.size() == 1)
    return one(modules.front());
  std::string names;
  constexpr size_t kShown = 8;
  for (mlir::ModuleOp module : llvm::ArrayRef(modules).take_front(kShown))
    names += (names.empty() ? "" : ", ") +
             StringRef(pathOf(module)).drop_back().str();
  if (modules.size() > kShown)
    names += " and " + std::to_string(modules.size() - kShown) + " others";
  (void)diagnostics.error({}, "expected one module, got " +
                                  llvm::Twine(modules.size()) + ": " + names);
  if (canChoose)
    diagnostics.help("--function=" + pathOf(modules.front()) +
                     entryOf(modules.front()).str());
  else
    diagnostics.help("put one of them into a file of its own; `mercator map` "
                     "accepts all of them");
  return std::nullopt;
}

bool mercator::isEntry(mlir::Operation *function) {
  // An initializer has no name.
  auto name = function->getAttrOfType<mlir::StringAttr>(
      mlir::SymbolTable::getSymbolAttrName());
  return function->hasAttr(hlo::kEntryAttr) || (name && name == "main");
}
