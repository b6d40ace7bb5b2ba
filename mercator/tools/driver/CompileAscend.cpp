// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/frontends/stablehlo/BoolElements.h"
#include "mercator/support/Suggest.h"
#include "mercator/targets/ascend/formats/Air.h"
#include "mercator/targets/ascend/formats/GraphDef.h"
#include "mercator/targets/ascend/formats/Onnx.h"
#include "mercator/targets/ascend/formats/Text.h"
#include "mercator/targets/ascend/lowering/FormGraphs.h"
#include "mercator/targets/ascend/lowering/UndoHlo.h"
#include "mercator/tools/driver/AscendProgram.h"
#include "mercator/tools/driver/Compile.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mercator;
using ascend::GraphOp;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

namespace {
struct Format {
  StringRef name, suffix;
  bool isBinary;
  /// Null for MLIR, which shows the whole module.
  llvm::LogicalResult (*write)(GraphOp, llvm::raw_ostream &);
};
} // namespace

static constexpr Format formats[] = {
    {"air", ".air", true, ascend::writeAir},
    {"onnx", ".onnx", true, ascend::writeOnnx},
    {"graphdef", ".pb", true, ascend::writeGraphDef},
    {"text", ".txt", false, ascend::writeText},
    {"mlir", ".mlir", false, nullptr},
};

static const Format *findFormat(StringRef name) {
  return llvm::find_if(formats,
                       [&](const Format &f) { return f.name == name; });
}

/// Null after an error.
static const Format *chooseFormat(Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  bool toFile = invocation.has("o") && invocation.get("o") != "-";
  const Format *format = nullptr;
  if (invocation.has("format")) {
    format = findFormat(invocation.get("format"));
  } else if (toFile) {
    StringRef suffix = llvm::sys::path::extension(invocation.get("o"));
    const Format *found = llvm::find_if(formats, [&](const Format &f) {
      return suffix.equals_insensitive(f.suffix);
    });
    if (found == std::end(formats)) {
      (void)diagnostics.error(
          {}, "expected `--format`, or a file that ends in .air, .onnx, .pb, "
              ".txt or .mlir, got " +
                  quote(invocation.get("o")));
      diagnostics.help("--format=air -o " + invocation.get("o"));
      return nullptr;
    }
    format = found;
  } else {
    format = findFormat(invocation.has("partial") ? "mlir" : "text");
  }
  if (format->isBinary && !invocation.has("o")) {
    (void)diagnostics.error({}, "`" + format->name +
                                    "` is binary: give `-o FILE`, or `-o -` to "
                                    "write it to standard output");
    diagnostics.help("-o graph" + format->suffix);
    return nullptr;
  }
  return format;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// `--function=NAME`: the others are there to be called only. Fails after an
/// error where there is none.
static llvm::LogicalResult keepOnly(mlir::ModuleOp module, StringRef only,
                                    DiagnosticEngine &diagnostics) {
  llvm::SmallVector<StringRef> names;
  mlir::SymbolOpInterface kept;
  std::vector<mlir::SymbolOpInterface> others;
  for (mlir::Operation &op : module.getOps()) {
    auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
    if (!llvm::isa<GraphOp>(op) && (!function || function.isExternal()))
      continue;
    auto symbol = llvm::cast<mlir::SymbolOpInterface>(op);
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

/// The one graph that a file of a binary format is to hold: `main`, or the only
/// one. Null after an error.
static GraphOp chooseGraph(llvm::ArrayRef<GraphOp> graphs, const Format &format,
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
  (void)diagnostics.error({}, "expected one graph for the format " +
                                  format.name + ", got " + list);
  diagnostics.help("--function=" + names.front());
  return nullptr;
}

static ExitCode write(mlir::ModuleOp module, llvm::ArrayRef<GraphOp> graphs,
                      const Format &format, Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  llvm::raw_ostream &os = invocation.getOut();
  if (!format.write) {
    stablehlo::print(module, os);
    return ExitCode::done;
  }
  if (format.isBinary) {
    GraphOp graph = chooseGraph(graphs, format, diagnostics);
    if (!graph)
      return ExitCode::wrongUsage;
    if (succeeded(format.write(graph, os)))
      return ExitCode::done;
  } else {
    // All of the text or none.
    std::string text;
    llvm::raw_string_ostream all(text);
    bool failed = false;
    for (GraphOp graph : graphs) {
      all << (text.empty() ? "" : "\n");
      failed |= llvm::failed(format.write(graph, all));
    }
    if (!failed) {
      os << text;
      return ExitCode::done;
    }
  }
  if (!diagnostics.hasErrors())
    (void)diagnostics.error({}, "the graph cannot be written");
  return ExitCode::inputRejected;
}

/// The names of operations of chlo that are spelled in StableHLO, by their
/// places.
using Spelled = llvm::DenseMap<mlir::Location, StringRef>;

static Spelled
spelledInStablehlo(llvm::ArrayRef<ascend::Unconverted> unconverted) {
  Spelled spelled;
  for (const ascend::Unconverted &it : unconverted)
    if (it.op->getName().getDialectNamespace() == "chlo")
      spelled.insert({it.op->getLoc(), it.op->getName().getStringRef()});
  return spelled;
}

/// The program does not have the operations that spell another: that one is
/// reported.
static void nameSpelled(std::vector<ascend::Unconverted> &left,
                        const Spelled &spelled) {
  for (ascend::Unconverted &it : left) {
    auto found = spelled.find(it.op->getLoc());
    if (found == spelled.end() ||
        it.op->getName().getDialectNamespace() == "chlo")
      continue;
    it.why = ("it is spelled with " + it.op->getName().getStringRef() + ": " +
              it.why)
                 .str();
    it.name = found->second;
  }
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

ExitCode mercator::compileToAscend(Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  const Format *format = chooseFormat(invocation);
  if (!format)
    return ExitCode::wrongUsage;
  // An .air file is one message of protobuf, which ends there.
  constexpr size_t kLargest = size_t(1) << 31;
  const SourceBuffer *source = invocation.readInput(0, kLargest);
  if (!source)
    return ExitCode::inputRejected;
  std::unique_ptr<Program> program = loadAscendProgram(*source, diagnostics);
  if (!program)
    return ExitCode::inputRejected;
  StringRef function = invocation.get("function");
  if (failed(keepOneModule(*program, function, diagnostics)))
    return ExitCode::inputRejected;
  auto handler = forwardAscendDiagnostics(*program, *source, diagnostics);
  mlir::ModuleOp module = *program->module;

  program->context->loadDialect<ascend::AscendDialect>();
  if (invocation.has("function") &&
      failed(keepOnly(module, function, diagnostics)))
    return ExitCode::wrongUsage;
  ascend::ConvertOptions options;
  options.device = findDevice("ascend", invocation.get("soc"));
  options.gatherV2D = invocation.has("gather-v2d");
  ascend::undoHlo(module);
  if (failed(ascend::inlineCalls(module)))
    return ExitCode::inputRejected;
  std::vector<ascend::Unconverted> left =
      ascend::convertToAscend(module, options);
  // Operations of chlo without an operator in GE may be spelled in StableHLO.
  Spelled spelled = spelledInStablehlo(left);
  if (!spelled.empty()) {
    if (failed(spellInStablehlo(module)))
      return ExitCode::inputRejected;
    left = ascend::convertToAscend(module, options);
    nameSpelled(left, spelled);
  }
  std::vector<ascend::Unconverted> functions = ascend::formGraphs(module);

  std::vector<ascend::Unconverted> stays;
  for (const ascend::Unconverted &function : functions) {
    if (llvm::cast<mlir::FunctionOpInterface>(function.op).isExternal())
      continue; // its calls are told
    size_t before = stays.size();
    llvm::append_range(
        stays, operationsThatStay(
                   llvm::cast<mlir::FunctionOpInterface>(function.op), left));
    if (stays.size() == before)
      stays.push_back(function);
  }
  llvm::SmallVector<GraphOp> graphs(module.getOps<GraphOp>());
  if (graphs.empty() && stays.empty()) {
    (void)diagnostics.error({}, "expected a program with a public function or "
                                "a graph, got one without either");
    return ExitCode::inputRejected;
  }
  bool partial = invocation.has("partial");
  tellWhatStays(stays, !partial, diagnostics);
  if (!stays.empty() && !partial) {
    diagnostics.help("mercator compile " + invocation.getOperand(0) +
                     " --target=ascend --partial");
    return ExitCode::inputRejected;
  }
  if (!stays.empty() && format->write) {
    (void)diagnostics.error({}, "expected --format=mlir, got " + format->name +
                                    ": the program is not converted as a "
                                    "whole, and that form holds graphs only");
    diagnostics.help("--format=mlir");
    return ExitCode::inputRejected;
  }
  if (failed(mlir::verify(module))) {
    (void)diagnostics.error({}, "the converted program is wrong; this is a bug "
                                "of Mercator");
    return ExitCode::internalError;
  }
  return write(module, graphs, *format, invocation);
}
