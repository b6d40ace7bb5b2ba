// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/frontends/stablehlo/BoolElements.h"

using namespace mercator;

ExitCode Compilation::compileTo(Stage stage, const LoweringOptions &options,
                                llvm::raw_ostream &os) {
  llvm::StringRef function;
  std::optional<OneModule> found =
      findModule(*program, function, diagnostics, /*canChoose=*/false);
  if (!found)
    return ExitCode::InputRejected;
  mlir::OwningOpRef<mlir::ModuleOp> module = found->module.clone();
  auto handler = forward();
  if (failed(lowerTo(*module, stage, options))) {
    if (!diagnostics.hasErrors())
      (void)diagnostics.error({}, "a pass of the pipeline failed");
    return ExitCode::InputRejected;
  }
  stablehlo::print(*module, os);
  // As mercator-opt ends a program.
  os << "\n";
  return ExitCode::Done;
}
