// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/Compilation.h"
#include "mercator/frontends/stablehlo/BoolElements.h"
#include "mercator/transforms/flow/InputLegality.h"
#include "mercator/transforms/flow/Pipeline.h"

#include "mlir/Pass/PassManager.h"

using namespace mercator;

ExitCode Compilation::compileToFlow(const FlowOptions &options,
                                    llvm::raw_ostream &os) {
  llvm::StringRef function;
  std::optional<OneModule> found =
      findModule(*program, function, diagnostics, /*canChoose=*/false);
  if (!found)
    return ExitCode::inputRejected;
  mlir::OwningOpRef<mlir::ModuleOp> module = found->module.clone();
  auto handler = forward();
  // The pass that verifies the input runs after others have rewritten it.
  if (failed(flow::verifyInputLegality(*module)))
    return ExitCode::inputRejected;
  mlir::PassManager passes(module->getContext());
  auto onError = [&](const llvm::Twine &message) {
    return diagnostics.error({}, message.str());
  };
  flow::PipelineOptions flowOptions;
  flowOptions.aggressiveFusion = options.fusion == Fusion::aggressive;
  if (failed(
          flow::buildFlowTransformPassPipeline(passes, flowOptions, onError)) ||
      failed(passes.run(*module))) {
    if (!diagnostics.hasErrors())
      (void)diagnostics.error({}, "a pass of the flow pipeline failed");
    return ExitCode::inputRejected;
  }
  stablehlo::print(*module, os);
  // As mercator-opt ends a program.
  os << "\n";
  return ExitCode::done;
}
