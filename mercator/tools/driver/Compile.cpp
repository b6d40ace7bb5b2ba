// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator compile FILE`: to a target, or to a stage before it.

#include "mercator/compiler/Compilation.h"
#include "mercator/support/Suggest.h"
#include "mercator/tools/driver/Command.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mercator;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

static const GraphFormat *findFormat(StringRef name) {
  return llvm::find_if(graphFormats(),
                       [&](const GraphFormat &f) { return f.name == name; });
}

/// Null after an error.
static const GraphFormat *chooseFormat(Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  bool toFile = invocation.has("o") && invocation.get("o") != "-";
  const GraphFormat *format = nullptr;
  if (invocation.has("format")) {
    format = findFormat(invocation.get("format"));
  } else if (toFile) {
    StringRef suffix = llvm::sys::path::extension(invocation.get("o"));
    const auto *found =
        llvm::find_if(graphFormats(), [&](const GraphFormat &f) {
          return suffix.equals_insensitive(f.suffix);
        });
    if (found == graphFormats().end()) {
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

static ExitCode compileToAscend(Invocation &invocation) {
  const GraphFormat *format = chooseFormat(invocation);
  if (!format)
    return ExitCode::wrongUsage;
  // An .air file is one message of protobuf, which is at most this long.
  constexpr size_t kLargest = size_t(1) << 31;
  const SourceBuffer *source = invocation.readInput(0, kLargest);
  if (!source)
    return ExitCode::inputRejected;
  auto compilation =
      Compilation::load(*source, invocation.getDiagnostics(), {.air = true});
  if (!compilation)
    return ExitCode::inputRejected;
  AscendOptions options{.format = format->name.str(),
                        .soc = invocation.get("soc").str(),
                        .gatherV2D = invocation.has("gather-v2d"),
                        .partial = invocation.has("partial")};
  if (invocation.has("function"))
    options.function = invocation.get("function").str();
  return compilation->compileToAscend(options, invocation.getOut());
}

static ExitCode compileToStage(Invocation &invocation) {
  const SourceBuffer *source = invocation.readInput(0);
  if (!source)
    return ExitCode::inputRejected;
  auto compilation = Compilation::load(*source, invocation.getDiagnostics());
  if (!compilation)
    return ExitCode::inputRejected;
  std::optional<Stage> stage = stageNamed(invocation.get("stop-after"));
  LoweringOptions options{.fusion = fusionOf(invocation)};
  verify::MapCounts counts;
  if (invocation.has("verify-maps"))
    options.verifyMaps = &counts;
  ExitCode code = compilation->compileTo(stage.value_or(Stage::flow), options,
                                         invocation.getOut());
  if (!invocation.has("verify-maps"))
    return code;
  llvm::errs() << "maps: " << counts << "\n";
  return code == ExitCode::done && counts.refuted ? ExitCode::propertyFalse
                                                  : code;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// Options of `--stop-after` alone.
static constexpr StringRef flowOptions[] = {"fusion", "verify-maps"};

/// Options of `--target=ascend` alone.
static constexpr StringRef ascendOptions[] = {"soc", "format", "partial",
                                              "function", "gather-v2d"};

static ExitCode refuse(Invocation &invocation, const llvm::Twine &message,
                       StringRef help = "") {
  (void)invocation.getDiagnostics().error({}, message);
  if (!help.empty())
    invocation.getDiagnostics().help(help);
  return ExitCode::wrongUsage;
}

static ExitCode refuseTarget(Invocation &invocation) {
  StringRef target = invocation.get("target");
  if (target == "cpu" || target == "nvptx")
    return refuse(invocation,
                  "expected --target=ascend, got '" + target +
                      "', for which there is no code generation yet",
                  "mercator run --reference FILE");
  constexpr StringRef targets[] = {"ascend"};
  return refuse(invocation, "expected --target=ascend, got " + quote(target),
                suggest(target, targets) ? "did you mean `--target=ascend`?"
                                         : "mercator compile --help");
}

static ExitCode run(Invocation &invocation) {
  if (invocation.has("target")) {
    if (invocation.get("target") != "ascend")
      return refuseTarget(invocation);
    if (invocation.has("stop-after"))
      return refuse(invocation, "expected --target or --stop-after, got both: "
                                "--stop-after makes no graphs");
    for (StringRef option : flowOptions)
      if (invocation.has(option))
        return refuse(invocation,
                      "expected --stop-after=flow with --" + option +
                          ", got --target=ascend",
                      "mercator compile FILE --stop-after=flow");
    return compileToAscend(invocation);
  }
  for (StringRef option : ascendOptions)
    if (invocation.has(option))
      return refuse(invocation,
                    "expected --target=ascend with --" + option + ", got none",
                    "mercator compile FILE --target=ascend");
  if (!invocation.has("stop-after"))
    return refuse(invocation, "expected --target=ascend or --stop-after=flow, "
                              "got neither");
  return compileToStage(invocation);
}

static constexpr Option options[] = {
    {.name = "target", .value = "TARGET", .help = "the target: `ascend`"},
    {.name = "soc",
     .value = "910b|any",
     .help = "the generation of devices; any: operators that all of them have"},
    {.name = "format",
     .value = "air|onnx|graphdef|text|mlir",
     .help =
         "the format of the graph; by default what -o FILE ends in (.air .onnx .pb .txt .mlir), or text"},
    {.name = "function",
     .value = "NAME",
     .help = "only the graph of this function"},
    {.name = "gather-v2d",
     .help =
         "GatherV2D, which GE deprecates, instead of GatherV2 where possible"},
    {.name = "partial",
     .help =
         "print the program as MLIR, with the operations that could not be converted"},
    {.name = "stop-after",
     .value = "linalg|flow",
     .help = "instead of a target: the last stage to run"},
    {.name = "fusion",
     .value = "aggressive|seed",
     .help = "how much goes into one dispatch; seed fuses less"},
    {.name = "verify-maps",
     .help = "compare what the results read before and after each pass"},
};

const Command mercator::compileCommand = {
    .name = "compile",
    .operands = "FILE",
    .summary = "turn a program into graphs of a target, or into dispatches",
    .details =
        "--target=ascend makes each public function a graph of Ascend's Graph "
        "Engine. FILE is\nStableHLO, HLO text, an .air file, or MLIR that "
        "holds an ascend.graph.\n--stop-after=linalg lowers a program to linalg "
        "on tensors, --stop-after=flow to\ndispatches of executables.\n",
    .options = options,
    .examples = "mercator compile examples/embedding.mlir --target=ascend\n"
                "mercator compile examples/embedding.mlir --target=ascend -o "
                "embedding.air\n"
                "mercator compile embedding.air --target=ascend --format=mlir\n"
                "mercator compile examples/mlp.mlir --stop-after=flow -o "
                "mlp.flow.mlir\n",
    .insteadOfJson = "use `--format=mlir`",
    .run = run};
