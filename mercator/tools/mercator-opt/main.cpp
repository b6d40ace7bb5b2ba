// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"
#include "mercator/frontends/stablehlo/Binary.h"
#include "mercator/frontends/stablehlo/BoolElements.h"
#include "mercator/frontends/stablehlo/Foreign.h"
#include "mercator/frontends/stablehlo/Limits.h"
#include "mercator/frontends/stablehlo/Parse.h"
#include "mercator/frontends/stablehlo/Places.h"
#include "mercator/frontends/vhlo/Read.h"
#include "mercator/support/File.h"
#include "mercator/targets/ascend/Pipeline.h"
#include "mercator/targets/cpu/Passes.h"
#include "mercator/transforms/Passes.h"
#include "mercator/transforms/flow/script/Script.h"
#include "mercator/transforms/verify/VerifyMaps.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mercator;

/// Whether MLIR's driver reads its input as one module and verifies it.
static bool readsOneModule(const mlir::MlirOptMainConfig &config) {
  return !config.shouldVerifyDiagnostics() &&
         !config.shouldAllowUnregisteredDialects() &&
         config.inputSplitMarker().empty() && config.shouldVerifyOnParsing();
}

/// Verifies a text in which operations say where another program wrote them:
/// MLIR's driver would name those places only.
static llvm::LogicalResult verifyPlaces(const SourceBuffer &source,
                                        const mlir::MlirOptMainConfig &config,
                                        mlir::DialectRegistry &registry,
                                        DiagnosticEngine &diagnostics) {
  if (!source.getText().contains("loc(") || !readsOneModule(config))
    return llvm::success();
  mlir::MLIRContext context(registry);
  return llvm::success(
      bool(stablehlo::parseStablehlo(source, context, diagnostics)));
}

/// Text with attributes of unknown dialects, or with operations of mhlo or shape,
/// as MLIR's driver can read it. Nothing after an error.
static std::optional<std::string> readForeign(const SourceBuffer &source,
                                              mlir::DialectRegistry &registry,
                                              DiagnosticEngine &diagnostics) {
  mlir::MLIRContext context(registry);
  auto module = stablehlo::parseStablehlo(source, context, diagnostics);
  if (!module)
    return std::nullopt;
  stablehlo::restoreLocations(*module, source);
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, mlir::OpPrintingFlags().enableDebugInfo());
  return text;
}

static llvm::cl::opt<bool> verifyMaps(
    "verify-maps",
    llvm::cl::desc("Compare what functions read before and after each pass"));

/// The configuration of the command line, with the verifier of maps.
static mlir::MlirOptMainConfig configure(verify::MapCounts &counts) {
  auto given = mlir::MlirOptMainConfig::createFromCLOptions();
  if (!verifyMaps)
    return given;
  mlir::MlirOptMainConfig config = given;
  config.setPassPipelineSetupFn([given, &counts](mlir::PassManager &passes) {
    passes.getContext()->disableMultithreading();
    passes.addInstrumentation(verify::createMapVerifier(counts));
    return given.setupPassPipeline(passes);
  });
  return config;
}

/// MLIR's driver, given only what its parser can bear.
static llvm::LogicalResult optimize(llvm::StringRef in, llvm::StringRef out,
                                    mlir::DialectRegistry &registry) {
  std::string message;
  auto input = mlir::openInputFile(in, &message);
  DiagnosticEngine diagnostics(llvm::errs());
  if (!input)
    return diagnostics.error({}, message);
  std::string content = input->getBuffer().str();
  if (vhlo::findBytecode(content)) {
    std::optional<std::string> text = vhlo::readBytecode(
        SourceBuffer(input->getBufferIdentifier().str(), content), diagnostics);
    if (!text)
      return llvm::failure();
    content = std::move(*text);
  }
  SourceBuffer source(input->getBufferIdentifier().str(), std::move(content));
  // A copy, as the output may be the same file.
  std::optional<std::string> packed =
      stablehlo::packBoolElements(source.getText());
  input = llvm::MemoryBuffer::getMemBufferCopy(
      packed ? llvm::StringRef(*packed) : source.getText(), source.getName());
  verify::MapCounts counts;
  mlir::MlirOptMainConfig config = configure(counts);
  if (failed(stablehlo::refuseBinary(source, diagnostics)) ||
      failed(stablehlo::checkNesting(source, diagnostics)))
    return llvm::failure();
  if (readsOneModule(config) &&
      stablehlo::namesForeign(source.getText(), registry)) {
    std::optional<std::string> read =
        readForeign(source, registry, diagnostics);
    if (!read)
      return llvm::failure();
    input = llvm::MemoryBuffer::getMemBufferCopy(*read, source.getName());
    config.allowUnregisteredDialects(true);
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(verifyPlaces(source, config, registry, diagnostics)) ||
      failed(mlir::MlirOptMain(os, std::move(input), registry, config)))
    return llvm::failure();
  if (verifyMaps)
    llvm::errs() << "maps: " << counts << "\n";
  if (counts.refuted)
    return llvm::failure();
  if (!config.shouldEmitBytecode())
    text = stablehlo::listBoolElements(std::move(text));
  if (llvm::Error error =
          writeFile(out, [&](llvm::raw_ostream &file) { file << text; }))
    return diagnostics.error({}, llvm::toString(std::move(error)));
  return llvm::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  flow::registerScripts(registry);
  registerUpstreamPasses();
  registerMercatorPasses();
  ascend::registerAscendPipeline();
  cpu::registerCpuPasses();
  auto [in, out] = mlir::registerAndParseCLIOptions(
      argc, argv, "MLIR's optimizer driver with Mercator's dialects\n",
      registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  return mlir::asMainReturnCode(
      config.shouldShowDialects() || config.shouldListPasses()
          ? mlir::MlirOptMain(argc, argv, in, out, registry)
          : optimize(in, out, registry));
}
