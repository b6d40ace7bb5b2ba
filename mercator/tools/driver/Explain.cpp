// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator explain FILE`: the dispatches of a program, what is in each, and
/// why each ends where it does; and the plans of gathers and scatters.

#include "mercator/compiler/explain/Explain.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/tools/driver/Device.h"
#include "mercator/tools/driver/ExplanationText.h"
#include "mercator/tools/driver/Formation.h"
#include "mercator/tools/driver/KernelsText.h"

using namespace mercator;
using llvm::StringRef;

/// Whether the plans for Ascend are wanted: with `--target=ascend`, and with an
/// option that speaks of them. None after an error.
static std::optional<bool> wantsAscend(Invocation &invocation) {
  bool ascend = invocation.get("target") == "ascend";
  for (StringRef option : {"soc", "way"}) {
    if (ascend || !invocation.has(option))
      continue;
    if (!invocation.has("target"))
      return true;
    (void)invocation.getDiagnostics().error(
        {}, "expected --target=ascend with --" + option +
                ", got --target=" + invocation.get("target"));
    return std::nullopt;
  }
  return ascend;
}

/// How to get the plans for Ascend, if there is anything to plan.
static void printAscendHint(const Explanation &explanation,
                            llvm::raw_ostream &os) {
  size_t gathers = explanation.gatherCount;
  size_t scatters = explanation.scatterCount;
  if (!gathers && !scatters)
    return;
  auto count = [&](size_t number, StringRef what) {
    os << number << " " << what << (number == 1 ? "" : "s");
  };
  os << "\n";
  if (gathers)
    count(gathers, "gather");
  os << (gathers && scatters ? " and " : "");
  if (scatters)
    count(scatters, "scatter");
  os << ": --target=ascend prints how Ascend carries "
     << (gathers + scatters == 1 ? "it" : "them") << " out\n";
}

/// The file of an option; none after an error.
static std::unique_ptr<SourceBuffer> readOption(Invocation &invocation,
                                                StringRef option) {
  std::string path = invocation.get(option).str();
  llvm::Expected<std::string> text = readFile(path);
  if (text)
    return std::make_unique<SourceBuffer>(path, std::move(*text));
  (void)invocation.getDiagnostics().error({}, llvm::toString(text.takeError()));
  return nullptr;
}

/// Options that speak of kernels need them. False after an error.
static bool checkKernels(Invocation &invocation, bool hasKernels,
                         StringRef file) {
  for (StringRef option : {"against", "counters"})
    if (invocation.has(option) && !hasKernels) {
      (void)invocation.getDiagnostics().error(
          {}, "expected HLO that XLA compiled for a GPU with --" + option +
                  ", got " + quote(file));
      invocation.getDiagnostics().help(
          "XLA_FLAGS=\"--xla_dump_to=dump --xla_dump_hlo_as_text\" python "
          "program.py");
      return false;
    }
  return true;
}

/// `--counters=FILE`: puts a profile beside the kernels. False after an error.
static bool addCounters(Invocation &invocation, Explanation &explanation) {
  if (!invocation.has("counters"))
    return true;
  std::unique_ptr<SourceBuffer> text = readOption(invocation, "counters");
  std::optional<Profile> profile =
      text ? readProfile(*text, invocation.getDiagnostics()) : std::nullopt;
  if (!profile)
    return false;
  explanation.measured = measure(*profile, explanation.launches);
  return true;
}

/// `--against=FILE`: compares the kernels with those of another program. False after
/// an error.
static bool addAgainst(Invocation &invocation, const Device &device,
                       Explanation &explanation) {
  if (!invocation.has("against"))
    return true;
  std::unique_ptr<SourceBuffer> text = readOption(invocation, "against");
  std::unique_ptr<Compilation> other =
      text ? Compilation::load(*text, invocation.getDiagnostics()) : nullptr;
  if (!other || !checkKernels(invocation, other->isCompiledForGpu(),
                              invocation.get("against")))
    return false;
  Explanation::Against &against = explanation.against.emplace();
  against.module = other->getName();
  other->forEachKernel({.device = device}, [&](const KernelRecord &kernel) {
    against.launches.push_back(kernel);
    against.launches.back().kernel.steps.clear(); // of a program that ends here
  });
  against.comparison = compareKernels(against.launches, explanation.launches);
  return true;
}

static ExitCode runExplain(Invocation &invocation) {
  std::optional<Formation> formation = formationOf(invocation);
  if (!formation)
    return ExitCode::WrongUsage;
  std::optional<bool> ascend = wantsAscend(invocation);
  if (!ascend)
    return ExitCode::WrongUsage;
  bool cpu = invocation.has("target") && invocation.get("target") == "cpu";
  Device memory;
  if (!readDevice(invocation, memory))
    return ExitCode::WrongUsage;
  Compilation *compilation = invocation.load(0);
  if (!compilation)
    return ExitCode::InputRejected;
  noteMissingOrigins(invocation, *compilation);
  bool hasKernels = hasGpuKernels(invocation, *compilation, memory);
  if (!checkKernels(invocation, hasKernels && !*ascend,
                    invocation.getOperand(0)))
    return ExitCode::WrongUsage;
  if (hasKernels)
    formForKernels(invocation, memory, *formation);
  Answer<Explanation> explanation = compilation->explain(
      {.formation = *formation,
       .cpu = cpu,
       .gpu = hasKernels && !*ascend ? std::optional(memory) : std::nullopt,
       .ascend = *ascend,
       .soc = socOf(invocation),
       .way = invocation.get("way").str()});
  if (!explanation)
    return explanation.getFailure();
  if (!addCounters(invocation, *explanation) ||
      !addAgainst(invocation, memory, *explanation))
    return ExitCode::InputRejected;
  llvm::raw_ostream &os = invocation.getOut();
  StringRef format = invocation.get("format");
  if (invocation.has("json") || format == "json") {
    writeJson(*explanation, os);
    return ExitCode::Done;
  }
  if (format == "dot" || format == "model-explorer") {
    (format == "dot" ? writeDot : writeModelExplorer)(*explanation, os);
    return ExitCode::Done;
  }
  if (invocation.has("dispatch")) {
    size_t number = 0;
    if (invocation.get("dispatch").getAsInteger(10, number) ||
        number >= explanation->dispatches.size()) {
      (void)invocation.getDiagnostics().error(
          {}, "expected --dispatch=N with N below " +
                  std::to_string(explanation->dispatches.size()) +
                  ", the number of dispatches, got " +
                  quote(invocation.get("dispatch")));
      return ExitCode::WrongUsage;
    }
    printDispatch(*explanation, number, os);
    return ExitCode::Done;
  }
  if (explanation->against) {
    printAgainst(*explanation, invocation.get("against"), memory,
                 invocation.useColor(), os);
    if (explanation->measured)
      printMeasured(*explanation, invocation.useColor(), os);
    return ExitCode::Done;
  }
  if (hasKernels && !*ascend) {
    printKernelTable(explanation->launches, memory, invocation.useColor(), os);
    if (explanation->measured)
      printMeasured(*explanation, invocation.useColor(), os);
    printLosses(*explanation, invocation.useColor(), os);
    os << "\n";
  }
  if (formation->fusion == Fusion::Maps && !*ascend)
    os << "for " << memory.title << "\n\n";
  if (!hasKernels)
    printKernels(*explanation, invocation.useColor(), os);
  printDispatches(*explanation, invocation.useColor(), os);
  if (!*ascend) {
    if (cpu)
      printSchedules(*explanation, os);
    printAscendHint(*explanation, os);
    return ExitCode::Done;
  }
  os << (explanation->gathers.empty() ? "" : "\n");
  printGathers(*explanation, invocation.useColor(), os);
  os << (explanation->scatters.empty() ? "" : "\n");
  printScatters(*explanation, invocation.useColor(), os);
  return ExitCode::Done;
}

static constexpr Option explainOptions[] = {
    {.name = "dispatch",
     .value = "N",
     .help = "all about one dispatch, and the edges into it"},
    {.name = "format",
     .value = "text|json|dot|model-explorer",
     .help = "dot: a graph for Graphviz; model-explorer: a file to open there"},
    fusionOption,
    {.name = "device", .value = "DEVICE", .help = deviceHelp},
    fuseOption,
    {.name = "target",
     .value = "cpu|ascend",
     .help = "cpu: also how this CPU computes products; ascend: how Ascend "
             "carries out gathers and scatters"},
    {.name = "against",
     .value = "FILE",
     .help = "of HLO compiled for a GPU: how its kernels differ from those of "
             "this other compilation"},
    {.name = "counters",
     .value = "FILE",
     .help = "of HLO compiled for a GPU: hardware counters beside the "
             "prediction, the CSV of `ncu --page raw --csv`"},
    {.name = "soc",
     .value = "CHIP",
     .help = "910b (default), as ATC calls a chip (Ascend910B1), or any"},
    {.name = "way",
     .value = "NAME",
     .help = "how to gather where possible: gather-v2, gather-nd, .."},
};

const Command mercator::explainCommand = {
    .name = "explain",
    .operands = "FILE",
    .summary = "print the dispatches, and why there are that many",
    .details =
        "FILE is HLO text, StableHLO, or a program in linalg or flow; `-` is standard\n"
        "input. It is brought to dispatches: a table says what each runs, reads, and\n"
        "gives, in bytes; then come the boundaries between them, each with its reasons.\n"
        "With --target=ascend, for gathers (gather, dynamic_gather, dynamic_slice) and\n"
        "scatters (scatter, dynamic_update_slice), it also prints what is known, every\n"
        "way to do them, and the plan.\n",
    .options = explainOptions,
    .examples =
        "mercator explain examples/perceptron.mlir\n"
        "mercator explain examples/perceptron.mlir --dispatch=0\n"
        "mercator explain examples/perceptron.mlir --format=dot -o dispatches.dot\n"
        "mercator explain examples/perceptron.mlir --json\n"
        "mercator explain examples/embedding.mlir --target=ascend\n"
        "mercator explain after.hlo --against=before.hlo\n"
        "mercator explain program.hlo --counters=profile.csv\n",
    .run = runExplain,
    .folds = true};
