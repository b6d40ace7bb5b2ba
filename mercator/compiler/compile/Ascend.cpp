// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/compile/Ascend.h"

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/compile/InputShapes.h"
#include "mercator/compiler/compile/Unconverted.h"
#include "mercator/compiler/compile/Weights.h"
#include "mercator/compiler/program/AscendDevice.h"
#include "mercator/compiler/program/Filling.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/frontends/stablehlo/BoolElements.h"
#include "mercator/support/Suggest.h"
#include "mercator/targets/ascend/Pipeline.h"
#include "mercator/targets/ascend/formats/Air.h"
#include "mercator/targets/ascend/formats/GraphDef.h"
#include "mercator/targets/ascend/formats/Onnx.h"
#include "mercator/targets/ascend/formats/Text.h"
#include "mercator/targets/ascend/operators/NodeCost.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mercator;
using ascend::GraphOp;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

static constexpr GraphFormat formats[] = {
    {"air", ".air", true},     {"onnx", ".onnx", true},
    {"graphdef", ".pb", true}, {"text", ".txt", false},
    {"mlir", ".mlir", false},
};

llvm::ArrayRef<GraphFormat> mercator::graphFormats() { return formats; }

using WriteGraph = llvm::LogicalResult (*)(GraphOp, llvm::raw_ostream &);

/// Null for MLIR, which shows the whole module.
static WriteGraph writerOf(const GraphFormat &format) {
  return llvm::StringSwitch<WriteGraph>(format.name)
      .Case("air", ascend::writeAir)
      .Case("onnx", ascend::writeOnnx)
      .Case("graphdef", ascend::writeGraphDef)
      .Case("text", ascend::writeText)
      .Default(nullptr);
}

/// The only graph, for a binary format, whose file holds one. Null after an
/// error.
static GraphOp chooseGraph(llvm::ArrayRef<GraphOp> graphs, StringRef format,
                           DiagnosticEngine &diagnostics) {
  if (graphs.size() == 1)
    return graphs.front();
  llvm::SmallVector<StringRef> names;
  for (GraphOp graph : graphs)
    names.push_back(graph.getSymName());
  constexpr size_t kShown = 8;
  std::string list = llvm::join(llvm::ArrayRef(names).take_front(kShown), ", ");
  if (names.size() > kShown)
    list += " and " + std::to_string(names.size() - kShown) + " others";
  (void)diagnostics.error({}, "expected one graph for the format " + format +
                                  ", got " + list);
  diagnostics.help("--function=" + names.front());
  return nullptr;
}

/// Writes all graphs, or nothing.
static ExitCode write(mlir::ModuleOp module, llvm::ArrayRef<GraphOp> graphs,
                      const GraphFormat &format, DiagnosticEngine &diagnostics,
                      llvm::raw_ostream &os) {
  WriteGraph writeGraph = writerOf(format);
  if (!writeGraph) {
    stablehlo::print(module, os);
    return ExitCode::Done;
  }
  bool failed = false;
  if (format.isBinary) {
    GraphOp only = chooseGraph(graphs, format.name, diagnostics);
    if (!only)
      return ExitCode::WrongUsage;
    failed = llvm::failed(writeGraph(only, os));
  } else {
    std::string all;
    llvm::raw_string_ostream allStream(all);
    for (GraphOp graph : graphs) {
      allStream << (all.empty() ? "" : "\n");
      failed |= llvm::failed(writeGraph(graph, allStream));
    }
    if (!failed)
      os << all;
  }
  if (!failed)
    return ExitCode::Done;
  if (!diagnostics.hasErrors())
    (void)diagnostics.error({}, "the graph cannot be written");
  return ExitCode::InputRejected;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// Keeps the function or graph `only` public. The others remain for its calls.
/// Fails after an error if no function has that name.
static llvm::LogicalResult keepOnly(mlir::ModuleOp module, StringRef only,
                                    DiagnosticEngine &diagnostics) {
  llvm::SmallVector<StringRef> names;
  mlir::SymbolOpInterface kept;
  std::vector<mlir::SymbolOpInterface> others;
  for (mlir::Operation &op : module.getOps()) {
    auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
    if (!llvm::isa<GraphOp>(op) && (!function || function.isExternal()))
      continue;
    // An initializer is a function without a name.
    auto symbol = llvm::dyn_cast<mlir::SymbolOpInterface>(op);
    if (!symbol)
      continue;
    names.push_back(symbol.getName());
    if (symbol.getName() == only)
      kept = symbol;
    else
      others.push_back(symbol);
  }
  if (kept) {
    kept.setPublic();
    for (mlir::SymbolOpInterface other : others)
      if (llvm::isa<GraphOp>(other))
        other->erase();
      else
        other.setPrivate();
    return mlir::success();
  }
  (void)diagnostics.error({}, "expected a function of the program, got " +
                                  quote(only));
  if (auto nearest = suggest(only, names))
    diagnostics.help("did you mean `--function=" + *nearest + "`?");
  else if (!names.empty())
    diagnostics.help("--function=" + names.front());
  return mlir::failure();
}

/// The functions that become graphs.
static llvm::SmallVector<mlir::func::FuncOp> entriesOf(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::func::FuncOp> entries;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      entries.push_back(function);
  return entries;
}

/// Gives the inputs of the only function the shapes of `--shape`.
static ExitCode refine(mlir::ModuleOp module, llvm::ArrayRef<std::string> words,
                       DiagnosticEngine &diagnostics) {
  std::vector<ShapeChoice> choices;
  for (const std::string &word : words) {
    std::optional<ShapeChoice> choice = parseShape(word, diagnostics);
    if (!choice)
      return ExitCode::WrongUsage;
    choices.push_back(std::move(*choice));
  }
  llvm::SmallVector<mlir::func::FuncOp> entries = entriesOf(module);
  // The bodies of calls have scalars.
  if (entries.size() > 1)
    llvm::erase_if(entries, [](mlir::func::FuncOp entry) {
      return suggestShapes(entry).empty();
    });
  if (entries.size() != 1) {
    (void)diagnostics.error({}, "expected one function with inputs for "
                                "`--shape`, got " +
                                    llvm::Twine(entries.size()));
    if (!entries.empty())
      diagnostics.help("--function=" + entries.front().getSymName());
    return ExitCode::WrongUsage;
  }
  return failed(refineShapes(entries.front(), choices, diagnostics))
             ? ExitCode::InputRejected
             : ExitCode::Done;
}

/// Shapes for the inputs of the first function that has unknown extents; empty
/// if none has.
static std::vector<std::string> shapesFor(mlir::ModuleOp module) {
  for (mlir::func::FuncOp entry : entriesOf(module))
    if (std::vector<std::string> shapes = suggestShapes(entry); !shapes.empty())
      return shapes;
  return {};
}

/// Runs a part of the pipeline. Only the last module is verified.
static llvm::LogicalResult
runPart(mlir::ModuleOp module,
        llvm::function_ref<void(mlir::OpPassManager &)> build) {
  auto passes = mlir::PassManager::on<mlir::ModuleOp>(module.getContext());
  passes.enableVerifier(false);
  build(passes);
  return passes.run(module);
}

/// The operations that are in no graph, each once.
static std::vector<ascend::Unconverted>
notConverted(const ascend::NotConverted &left) {
  std::vector<ascend::Unconverted> all;
  for (const ascend::Unconverted &it : left.functions) {
    auto function = llvm::cast<mlir::FunctionOpInterface>(it.op);
    if (function.isExternal())
      continue; // its calls are reported
    std::vector<ascend::Unconverted> rest =
        unconvertedOf(function, left.operations);
    if (rest.empty())
      all.push_back(it);
    llvm::append_range(all, rest);
  }
  return all;
}

/// Each reason once, with the place of its first node and what its nodes cost.
static void reportBesideCores(mlir::ModuleOp module, const Device &device) {
  std::vector<mlir::Operation *> nodes;
  module.walk([&](mlir::Operation *op) { nodes.push_back(op); });
  for (const ascend::BesideCores &it : ascend::besideCores(nodes, device))
    mlir::emitRemark(it.loc)
        << "runs on the AI CPU: " << it.why << "; " << it.nodes << " node"
        << (it.nodes == 1 ? "" : "s") << ", " << it.bytes << " bytes";
}

/// Whether the text leaves out the elements of a constant.
static bool lacksConstants(mlir::ModuleOp module) {
  return module
      .walk([](stablehlo::ConstantOp constant) {
        return constant.isElided() ? mlir::WalkResult::interrupt()
                                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

ExitCode Compilation::compileToAscend(const AscendOptions &options,
                                      llvm::raw_ostream &os) {
  const auto *format = llvm::find_if(
      formats, [&](const GraphFormat &f) { return f.name == options.format; });
  if (format == std::end(formats)) {
    (void)diagnostics.error({}, "expected a format for graphs, got " +
                                    quote(options.format));
    return ExitCode::WrongUsage;
  }
  std::optional<ascend::PlanOptions> plan =
      findPlanOptions(options.soc, options.way, diagnostics);
  if (!plan)
    return ExitCode::WrongUsage;
  StringRef function = options.function ? StringRef(*options.function) : "";
  std::optional<OneModule> found = findModule(*program, function, diagnostics);
  if (!found)
    return ExitCode::InputRejected;
  mlir::OwningOpRef<mlir::ModuleOp> module = found->module.clone();
  auto handler = forward();
  // Constants have their numbers in the program as a whole.
  if (options.fillSeed && failed(Filling(*module, options.fillSeed).write()))
    return ExitCode::InputRejected;
  bool lacksElements = lacksConstants(*module);
  if (!program->isAir)
    nameNodes(*module);
  program->context->loadDialect<ascend::AscendDialect>();
  if (options.function && failed(keepOnly(*module, function, diagnostics)))
    return ExitCode::WrongUsage;
  if (options.weights) {
    ExitCode bound = bindWeights(*module, *options.weights, diagnostics);
    if (bound != ExitCode::Done)
      return bound;
  }

  if (failed(runPart(*module, ascend::buildPipelineToInputs)))
    return ExitCode::InputRejected;
  if (!options.shapes.empty())
    if (ExitCode code = refine(*module, options.shapes, diagnostics);
        code != ExitCode::Done)
      return code;
  std::vector<std::string> shapes = shapesFor(*module);
  ascend::NotConverted left;
  if (failed(runPart(*module, [&](mlir::OpPassManager &passes) {
        ascend::buildPipelineFromInputs(
            passes, {.plan = *plan, .gatherV2D = options.gatherV2D}, &left);
      })))
    return ExitCode::InputRejected;
  llvm::SmallVector<GraphOp> graphs(module->getOps<GraphOp>());
  std::vector<ascend::Unconverted> rest = notConverted(left);
  reportBesideCores(*module, *plan->device);
  if (graphs.empty() && rest.empty()) {
    (void)diagnostics.error({}, "expected a program with a public function or "
                                "a graph, got one without either");
    return ExitCode::InputRejected;
  }
  report(rest, !options.partial, diagnostics);
  if (!rest.empty() && !options.partial) {
    std::string help = "mercator compile " + program->file + " --target=ascend";
    for (const std::string &shape : shapes)
      help += " --shape=" + shape;
    diagnostics.help(help + (shapes.empty() ? " --partial" : ""));
    return ExitCode::InputRejected;
  }
  if (!rest.empty() && writerOf(*format)) {
    (void)diagnostics.error(
        {}, "expected --format=mlir, got " + format->name +
                ": some operations were not converted, and that format holds "
                "graphs only");
    diagnostics.help("--format=mlir");
    return ExitCode::InputRejected;
  }
  if (failed(mlir::verify(*module))) {
    (void)diagnostics.error({}, "the converted program is invalid; this is a "
                                "bug of Mercator");
    return ExitCode::InternalError;
  }
  ExitCode code = write(*module, graphs, *format, diagnostics, os);
  if (code == ExitCode::InputRejected && lacksElements)
    diagnostics.help("--fill-elided=random:1");
  return code;
}
