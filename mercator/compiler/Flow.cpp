// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/BoolElements.h"
#include "mercator/frontends/stablehlo/Parse.h"
#include "mercator/tools/driver/Compile.h"
#include "mercator/tools/driver/Program.h"
#include "mercator/transforms/flow/Pipeline.h"
#include "mercator/transforms/util/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mercator;

/// The passes would say so, too, of each operation, and after some of them have
/// been rewritten.
static llvm::LogicalResult refuseStablehlo(mlir::ModuleOp module) {
  mlir::Operation *first = nullptr;
  unsigned count = 0;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (!llvm::is_contained({"stablehlo", "hlo", "chlo", "sdy"},
                            op->getName().getDialectNamespace()))
      return;
    ++count;
    if (!first)
      first = op;
  });
  if (!first)
    return mlir::success();
  return first->emitError()
         << "expected operations of linalg, tensor and arith, got "
         << first->getName() << (count > 1 ? " and others" : "")
         << ": StableHLO and HLO are not lowered to linalg yet";
}

ExitCode mercator::compileToFlow(Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  const SourceBuffer *source = invocation.readInput(0);
  if (!source)
    return ExitCode::inputRejected;
  std::unique_ptr<Program> program = loadProgram(*source, diagnostics);
  if (!program)
    return ExitCode::inputRejected;
  llvm::StringRef function;
  if (failed(keepOneModule(*program, function, diagnostics,
                           /*canChoose=*/false)))
    return ExitCode::inputRejected;

  // The pipeline that runs to a fixed point is known by its text.
  util::registerUtilPasses();
  mlir::registerTransformsPasses();
  auto handler =
      stablehlo::forwardDiagnostics(*program->context, *source, diagnostics);
  if (failed(refuseStablehlo(*program->module)))
    return ExitCode::inputRejected;
  mlir::PassManager passes(program->context.get());
  auto onError = [&](const llvm::Twine &message) {
    return diagnostics.error({}, message.str());
  };
  flow::PipelineOptions options;
  options.aggressiveFusion = invocation.get("fusion") == "aggressive";
  if (failed(flow::buildPipeline(passes, options, onError)) ||
      failed(passes.run(*program->module))) {
    if (!diagnostics.hasErrors())
      (void)diagnostics.error({}, "a pass of the flow pipeline failed");
    return ExitCode::inputRejected;
  }
  stablehlo::print(*program->module, invocation.getOut());
  // As mercator-opt ends a program.
  invocation.getOut() << "\n";
  return ExitCode::done;
}
