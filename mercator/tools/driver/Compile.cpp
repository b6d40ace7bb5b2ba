// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator compile FILE`: to a target, or to a stage before it.

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/compile/Ascend.h"
#include "mercator/compiler/compile/Cpu.h"
#include "mercator/compiler/program/Device.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/compiler/shard/Shard.h"
#include "mercator/support/Suggest.h"
#include "mercator/tools/driver/Device.h"
#include "mercator/tools/driver/Formation.h"
#include "mercator/tools/driver/PhaseText.h"
#include "mercator/tools/driver/ShardOptions.h"
#include "mercator/tools/driver/StatusLine.h"

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
    return ExitCode::WrongUsage;
  std::optional<std::optional<RandomElements>> fill = fillSeedOf(invocation);
  if (!fill)
    return ExitCode::WrongUsage;
  // An .air file is one message of protobuf, which is at most this long.
  constexpr size_t kLargest = size_t(1) << 31;
  Compilation *compilation = invocation.load(0, /*air=*/true, kLargest);
  if (!compilation)
    return ExitCode::InputRejected;
  AscendOptions options{.format = format->name.str(),
                        .soc = socOf(invocation),
                        .way = invocation.get("way").str(),
                        .shapes = invocation.getAll("shape").vec(),
                        .gatherV2D = invocation.has("gather-v2d"),
                        .partial = invocation.has("partial")};
  options.fillSeed = *fill;
  if (invocation.has("function"))
    options.function = invocation.get("function").str();
  if (invocation.has("weights"))
    options.weights = invocation.get("weights").str();
  return compilation->compileToAscend(options, invocation.getOut());
}

/// False after an error.
static bool checkCpuOutput(Invocation &invocation, StringRef emit) {
  if (emit != "so" && emit != "obj")
    return true;
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  StringRef path = invocation.get("o"), suffix = emit == "so" ? ".so" : ".o";
  if (path.empty() || (path == "-" && emit == "so")) {
    (void)diagnostics.error(
        {}, "`--emit=" + emit + "` is binary: give `-o FILE" + suffix + "`");
    diagnostics.help("-o program" + suffix);
    return false;
  }
  if (emit == "so" && !path.ends_with(".so")) {
    (void)diagnostics.error({}, "expected a name that ends in .so after `-o`, "
                                "got " +
                                    quote(path) + ": the header is beside it");
    diagnostics.help("-o " + path + ".so");
    return false;
  }
  return true;
}

static ExitCode compileToCpu(Invocation &invocation, StringRef emit) {
  std::optional<Formation> formation = formationOf(invocation, /*runs=*/true);
  if (!formation)
    return ExitCode::WrongUsage;
  CpuOptions options{.emit = emit.str(),
                     .preciseMath = invocation.get("math") == "precise",
                     .function = invocation.get("function").str(),
                     .path = invocation.get("o").str(),
                     .lowering = {.formation = *formation}};
  options.lowering.formation.keepSums = options.preciseMath;
  if (invocation.has("cpu"))
    options.cpu = invocation.get("cpu").str();
  // The caches of this machine say nothing of another one.
  if (options.cpu != "host" && deviceName(invocation) == "host")
    options.lowering.formation.device = nearestDevice(options.cpu).name;
  std::optional<std::optional<RandomElements>> fill = fillSeedOf(invocation);
  std::optional<uint64_t> seed = scheduleSeedOf(invocation);
  if (!fill || !seed || !checkCpuOutput(invocation, options.emit))
    return ExitCode::WrongUsage;
  options.fillSeed = *fill;
  options.scheduleSeed = *seed;
  Compilation *compilation = invocation.load(0);
  if (!compilation)
    return ExitCode::InputRejected;
  Phases phases;
  StatusLine status;
  phases.onBegin = [&](const char *phase) { status.at(phase); };
  options.phases = &phases;
  ExitCode code = compilation->compileToCpu(options, invocation.getOut());
  status.stop();
  if (invocation.has("timing"))
    writePhases(phases, llvm::errs());
  return code;
}

static ExitCode compileToStage(Invocation &invocation) {
  std::optional<Formation> formation = formationOf(invocation);
  if (!formation)
    return ExitCode::WrongUsage;
  Compilation *compilation = invocation.load(0);
  if (!compilation)
    return ExitCode::InputRejected;
  std::optional<Stage> stage = stageNamed(invocation.get("stop-after"));
  LoweringOptions options{.formation = *formation};
  verify::MapCounts counts;
  if (invocation.has("verify-maps"))
    options.verifyMaps = &counts;
  ExitCode code = compilation->compileTo(stage.value_or(Stage::Flow), options,
                                         invocation.getOut());
  if (!invocation.has("verify-maps"))
    return code;
  llvm::errs() << "maps: " << counts << "\n";
  return code == ExitCode::Done && counts.refuted ? ExitCode::PropertyFalse
                                                  : code;
}

static ExitCode compileToSpmd(Invocation &invocation) {
  Compilation *compilation = invocation.load(0);
  if (!compilation)
    return ExitCode::InputRejected;
  Answer<ShardedText> sharded =
      compilation->shard({.request = shardRequestOf(invocation)});
  if (!sharded)
    return sharded.getFailure();
  invocation.getOut() << sharded->text;
  return ExitCode::Done;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// Options that belong to one of the three ways.
struct Owner {
  StringRef option, of;
};
static constexpr Owner owners[] = {
    {"verify-maps", "--stop-after=flow"},
    {"soc", "--target=ascend"},
    {"way", "--target=ascend"},
    {"shape", "--target=ascend"},
    {"format", "--target=ascend"},
    {"partial", "--target=ascend"},
    {"gather-v2d", "--target=ascend"},
    {"weights", "--target=ascend"},
    {"emit", "--target=cpu"},
    {"cpu", "--target=cpu"},
    {"math", "--target=cpu"},
    {"schedule", "--target=cpu"},
    {"timing", "--target=cpu"},
    {"mesh", "--stop-after=spmd"},
    {"in", "--stop-after=spmd"},
    {"out", "--stop-after=spmd"},
};

static ExitCode refuse(Invocation &invocation, const llvm::Twine &message,
                       StringRef help = "") {
  (void)invocation.getDiagnostics().error({}, message);
  if (!help.empty())
    invocation.getDiagnostics().help(help);
  return ExitCode::WrongUsage;
}

static ExitCode refuseTarget(Invocation &invocation) {
  StringRef target = invocation.get("target");
  if (target == "nvptx")
    return refuse(invocation,
                  "expected --target=cpu or --target=ascend, got 'nvptx', for "
                  "which there is no code generation yet",
                  "mercator compile FILE --target=cpu -o program.so");
  constexpr StringRef targets[] = {"cpu", "ascend"};
  auto nearest = suggest(target, targets);
  return refuse(invocation,
                "expected --target=cpu or --target=ascend, got " +
                    quote(target),
                nearest ? "did you mean `--target=" + nearest->str() + "`?"
                        : std::string("mercator compile --help"));
}

static ExitCode runCompile(Invocation &invocation) {
  StringRef target = invocation.get("target");
  bool hasTarget = invocation.has("target"),
       hasStage = invocation.has("stop-after");
  if (hasTarget && target != "ascend" && target != "cpu")
    return refuseTarget(invocation);
  if (hasTarget && hasStage)
    return refuse(invocation, "expected --target or --stop-after, got both: "
                              "--stop-after ends before a target");
  StringRef stop = invocation.get("stop-after");
  bool isOfCpu =
      hasStage && (stop == "schedule" || stop == "kernels" || stop == "llvm");
  std::string way = hasTarget        ? ("--target=" + target).str()
                    : stop == "spmd" ? "--stop-after=spmd"
                                     : "--stop-after=flow";
  // The stages of a CPU ask what its machine code asks, but for its form.
  auto belongs = [&](const Owner &owner) {
    return isOfCpu ? owner.of == "--target=cpu" && owner.option != "emit"
                   : owner.of == way;
  };
  for (const Owner &owner : owners)
    if (invocation.has(owner.option) && !belongs(owner))
      return refuse(invocation,
                    "expected " + owner.of + " with --" + owner.option +
                        ", got " +
                        (isOfCpu ? ("--stop-after=" + stop).str()
                         : hasTarget || hasStage ? way
                                                 : std::string("none")),
                    ("mercator compile FILE " + owner.of).str());
  for (StringRef option : {"function", "fill-elided"})
    if (invocation.has(option) && !hasTarget && !isOfCpu)
      return refuse(invocation,
                    "expected a target with --" + option + ", got none",
                    "mercator compile FILE --target=cpu -o program.so");
  if (invocation.has("fusion") && target == "ascend")
    return refuse(invocation,
                  "expected --stop-after=flow with --fusion, got "
                  "--target=ascend",
                  "mercator compile FILE --stop-after=flow");
  if (isOfCpu)
    return compileToCpu(invocation, stop == "llvm" ? "llvm-dialect" : stop);
  if (hasTarget)
    return target == "cpu" ? compileToCpu(invocation, invocation.get("emit"))
                           : compileToAscend(invocation);
  if (!hasStage)
    return refuse(invocation, "expected --target=cpu, --target=ascend or "
                              "--stop-after=flow, got neither");
  return stop == "spmd" ? compileToSpmd(invocation)
                        : compileToStage(invocation);
}

static constexpr Option compileOptions[] = {
    {.name = "target",
     .value = "TARGET",
     .help = "the target: `cpu` or `ascend`"},
    {.name = "emit",
     .value = "so|obj|asm|llvm",
     .help = "for a CPU: a shared library and its header of C, an object, "
             "assembly, or LLVM IR"},
    {.name = "cpu",
     .value = "NAME",
     .help = "the CPU that runs the code: host (default), x86-64-v3, znver5"},
    {.name = "math",
     .value = "fast|precise",
     .help =
         "exp and the like within 2 ULP and subnormal numbers as zero, or the C library's and kept"},
    {.name = "timing", .help = "print how long each phase took"},
    {.name = "fill-elided",
     .value = "random:SEED",
     .help = "draw the elements of constants that the text leaves out"},
    {.name = "soc",
     .value = "CHIP",
     .help = "910b (default), as ATC calls a chip (Ascend910B1), or any"},
    {.name = "way",
     .value = "NAME",
     .help = "how to gather where possible: gather-v2, gather-nd, .. as "
             "`explain` lists them"},
    {.name = "shape",
     .value = "NAME:4x8",
     .help = "the shape of an input with unknown extents, once for each; "
             "without NAME: of the only one"},
    {.name = "format",
     .value = "air|onnx|graphdef|text|mlir",
     .help =
         "the format of the graph; by default what -o FILE ends in (.air .onnx .pb .txt .mlir), or text"},
    {.name = "function", .value = "NAME", .help = "only this function"},
    {.name = "weights",
     .value = "FILE.npz",
     .help = "constants instead of the inputs that the arrays of FILE.npz are "
             "named after"},
    {.name = "gather-v2d",
     .help =
         "GatherV2D, which GE deprecates, instead of GatherV2 where possible"},
    {.name = "partial",
     .help =
         "print the program as MLIR, with the operations that could not be converted"},
    {.name = "stop-after",
     .value = "linalg|flow|schedule|kernels|llvm|spmd",
     .help =
         "instead of a target: the last stage to run. schedule, kernels and "
         "llvm are for a CPU: dispatches with schedules, the loops of the "
         "kernels, and the LLVM dialect. spmd: StableHLO for all devices of "
         "a mesh"},
    scheduleOption,
    meshOption,
    inOption,
    outOption,
    fusionOption,
    cpuOption,
    fuseOption,
    {.name = "verify-maps",
     .help = "compare what the results read before and after each pass"},
};

const Command mercator::compileCommand = {
    .name = "compile",
    .operands = "FILE",
    .summary =
        "turn a program into machine code, graphs of a target, or dispatches",
    .details =
        "--target=cpu makes a shared library of a function, and a header of C.\n"
        "--target=ascend makes each public function a graph of Ascend's Graph "
        "Engine. FILE is\nStableHLO, HLO text, an .air file, or MLIR that "
        "holds an ascend.graph.\n--stop-after=linalg lowers a program to linalg "
        "on tensors, --stop-after=flow to\ndispatches of executables, =schedule "
        "writes how a CPU computes them, =kernels has its loops.\n",
    .options = compileOptions,
    .examples = "mercator compile examples/mlp.mlir --target=cpu -o mlp.so\n"
                "mercator compile examples/embedding.mlir --target=ascend\n"
                "mercator compile examples/embedding.mlir --target=ascend -o "
                "embedding.air\n"
                "mercator compile embedding.air --target=ascend --format=mlir\n"
                "mercator compile examples/mlp.mlir --stop-after=flow -o "
                "mlp.flow.mlir\n",
    .insteadOfJson = "use `--format=mlir`",
    .run = runCompile};
