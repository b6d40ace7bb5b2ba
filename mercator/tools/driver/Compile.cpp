// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator compile FILE --stop-after=flow`: the program as dispatches.

#include "mercator/frontends/stablehlo/Parse.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/Program.h"
#include "mercator/transforms/flow/Pipeline.h"
#include "mercator/transforms/util/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mercator;

static ExitCode run(Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  if (invocation.has("json")) {
    (void)diagnostics.error({},
                            "expected no --json: a compiled program is text");
    return ExitCode::wrongUsage;
  }
  if (invocation.get("stop-after") != "flow") {
    (void)diagnostics.error(
        {}, "expected --stop-after=flow, got " +
                (invocation.has("stop-after")
                     ? "'" + invocation.get("stop-after").str() + "'"
                     : std::string("none")));
    return ExitCode::wrongUsage;
  }
  const SourceBuffer *source = invocation.readInput(0);
  if (!source)
    return ExitCode::inputRejected;
  std::unique_ptr<Program> program = loadProgram(*source, diagnostics);
  if (!program)
    return ExitCode::inputRejected;

  // The pipeline that runs to a fixed point is known by its text.
  util::registerUtilPasses();
  mlir::registerTransformsPasses();
  auto handler =
      stablehlo::forwardDiagnostics(*program->context, *source, diagnostics);
  mlir::PassManager passes(program->context.get());
  auto onError = [&](const llvm::Twine &message) {
    return diagnostics.error({}, message.str());
  };
  if (failed(flow::buildPipeline(passes, flow::PipelineOptions(), onError)) ||
      failed(passes.run(*program->module))) {
    if (!diagnostics.hasErrors())
      (void)diagnostics.error({}, "a pass of the flow pipeline failed");
    return ExitCode::inputRejected;
  }
  program->module->print(invocation.getOut());
  return ExitCode::done;
}

static constexpr Option options[] = {
    {.name = "stop-after",
     .value = "STAGE",
     .help = "the last stage; there is `flow`"},
};

const Command mercator::compileCommand = {
    .name = "compile",
    .operands = "FILE",
    .summary = "turn a program on tensors into dispatches of executables",
    .details = "FILE holds operations of linalg, tensor and arith on tensors. "
               "After the "
               "stage `flow`\neach part that runs as one kernel is a "
               "flow.executable.\n",
    .options = options,
    .examples = "mercator compile examples/mlp.mlir --stop-after=flow\n"
                "mercator compile examples/mlp.mlir --stop-after=flow -o "
                "mlp.flow.mlir\n",
    .run = run};
