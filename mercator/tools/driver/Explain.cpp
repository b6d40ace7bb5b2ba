// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator explain FILE`: the dispatches of a program, what is in each, and
/// why each ends where it does; and the plans of gathers.

#include "mercator/compiler/Compilation.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/ExplanationText.h"

using namespace mercator;

Fusion mercator::fusionOf(const Invocation &invocation) {
  return invocation.get("fusion") == "seed" ? Fusion::seed : Fusion::aggressive;
}

static ExitCode run(Invocation &invocation) {
  const SourceBuffer *source = invocation.readInput(0);
  if (!source)
    return ExitCode::inputRejected;
  auto compilation = Compilation::load(*source, invocation.getDiagnostics());
  if (!compilation)
    return ExitCode::inputRejected;
  Answer<Explanation> explanation = compilation->explain(
      {.fusion = fusionOf(invocation), .soc = invocation.get("soc").str()});
  if (!explanation)
    return explanation.getFailure();
  llvm::raw_ostream &os = invocation.getOut();
  if (invocation.has("json")) {
    writeJson(*explanation, os);
    return ExitCode::done;
  }
  printGathers(*explanation, invocation.useColor(), os);
  if (explanation->hasDispatches) {
    os << (explanation->gathers.empty() ? "" : "\n");
    printDispatches(*explanation, os);
  }
  return ExitCode::done;
}

static constexpr Option options[] = {
    {.name = "fusion",
     .value = "aggressive|seed",
     .help = "how much goes into one dispatch; seed fuses less"},
    {.name = "soc",
     .value = "910b|any",
     .help = "plan gathers for this generation of Ascend, or for any"},
};

const Command mercator::explainCommand = {
    .name = "explain",
    .operands = "FILE",
    .summary = "print the dispatches, or how gathers are done, and why",
    .details =
        "FILE is a program on tensors in linalg, or in flow; `-` is standard input. It is\n"
        "brought to dispatches first, so one line may stand for several operations of the\n"
        "text. For the gathers of StableHLO or HLO text (gather, dynamic_gather,\n"
        "dynamic_slice) it prints what is known, every way to do them, and the plan.\n",
    .options = options,
    .examples = "mercator explain examples/perceptron.mlir\n"
                "mercator explain examples/perceptron.mlir --fusion=seed\n"
                "mercator explain examples/perceptron.mlir --json\n"
                "mercator explain examples/embedding.mlir\n",
    .run = run};
