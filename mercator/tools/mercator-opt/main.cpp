// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/Register.h"
#include "mercator/frontends/stablehlo/Limits.h"
#include "mercator/frontends/stablehlo/Parse.h"
#include "mercator/transforms/Passes.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mercator;

/// MLIR's driver, given only what its parser can bear.
static llvm::LogicalResult optimize(llvm::StringRef in, llvm::StringRef out,
                                    mlir::DialectRegistry &registry) {
  std::string message;
  auto input = mlir::openInputFile(in, &message);
  auto output = input ? mlir::openOutputFile(out, &message) : nullptr;
  DiagnosticEngine diagnostics(llvm::errs());
  if (!output)
    return diagnostics.error({}, message);
  SourceBuffer source(input->getBufferIdentifier().str(),
                      input->getBuffer().str());
  if (failed(stablehlo::refuseBytecode(source, diagnostics)) ||
      failed(stablehlo::checkNesting(source, diagnostics)) ||
      failed(mlir::MlirOptMain(output->os(), std::move(input), registry,
                               mlir::MlirOptMainConfig::createFromCLOptions())))
    return llvm::failure();
  output->keep();
  return llvm::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  mlir::registerTransformsPasses();
  registerMercatorPasses();
  auto [in, out] = mlir::registerAndParseCLIOptions(
      argc, argv, "MLIR's optimizer driver with Mercator's dialects\n",
      registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  return mlir::asMainReturnCode(
      config.shouldShowDialects() || config.shouldListPasses()
          ? mlir::MlirOptMain(argc, argv, in, out, registry)
          : optimize(in, out, registry));
}
