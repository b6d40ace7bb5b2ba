// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Stage.h"
#include "mercator/compiler/program/CacheKey.h"
#include "mercator/compiler/program/Folding.h"
#include "mercator/targets/cpu/DispatchTimes.h"
#include "mercator/transforms/Threads.h"
#include "mercator/transforms/flow/InputLegality.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mercator;

std::optional<Stage> mercator::stageNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Stage>>(name)
      .Case("source", Stage::Source)
      .Case("linalg", Stage::Linalg)
      .Case("flow", Stage::Flow)
      .Default(std::nullopt);
}

/// Verifying a program after each pass takes two fifths of the time, so large ones are
/// verified once for each part of the pipeline. Builds without assertions verify them
/// once, at the end.
static bool isVerifiedOften(mlir::ModuleOp module) {
#ifdef NDEBUG
  return false;
#endif
  constexpr unsigned kMany = 20'000;
  unsigned count = 0;
  return !module
              .walk([&](mlir::Operation *) {
                return ++count > kMany ? mlir::WalkResult::interrupt()
                                       : mlir::WalkResult::advance();
              })
              .wasInterrupted();
}

static llvm::LogicalResult run(mlir::PassManager &passes, mlir::ModuleOp module,
                               bool isLast) {
  bool often = isVerifiedOften(module);
#ifndef NDEBUG
  isLast = true;
#endif
  passes.enableVerifier(often);
  return llvm::success(succeeded(passes.run(module)) &&
                       (often || !isLast || succeeded(mlir::verify(module))));
}

static void instrument(mlir::PassManager &passes,
                       const LoweringOptions &options) {
  if (options.verifyMaps)
    passes.addInstrumentation(verify::createMapVerifier(*options.verifyMaps));
  if (options.instrument)
    options.instrument(passes);
}

/// The CPU that reviews dispatches from maps; null for another device, and for a CPU
/// that is not known.
static std::unique_ptr<flow::DispatchTime>
reviewerOf(const Formation &formation, mlir::MLIRContext &context) {
  if (formation.fusion != Fusion::Maps)
    return nullptr;
  llvm::Expected<Device> device = readDevice(formation.device);
  if (!device) {
    llvm::consumeError(device.takeError()); // the pass says so
    return nullptr;
  }
  if (device->target != "cpu" || device->cpus.empty())
    return nullptr;
  std::optional<cpu::Machine> machine =
      cpu::Machine::named(device->cpus.front());
  if (!machine)
    return nullptr;
  machine->device = std::move(*device);
  return std::make_unique<cpu::DispatchTimes>(context, std::move(*machine));
}

flow::PipelineOptions mercator::flowOptionsOf(const Formation &formation) {
  flow::PipelineOptions options;
  if (formation.fusion == Fusion::Aggressive)
    options = flow::fewestDispatches();
  if (formation.fusion == Fusion::Maps)
    options = flow::dispatchesFromMaps();
  options.device = formation.device;
  options.fuse = formation.fuse;
  options.keepSums = formation.keepSums;
  // A program keeps its numbers.
  options.demoteF64ToF32 = false;
  return options;
}

void mercator::addTo(CacheKey &key, const Formation &formation) {
  const auto &[fusion, device, fuse, keepSums] = formation;
  key.add(int64_t(fusion)).add(device).add(fuse).add(int64_t(keepSums));
}

void mercator::addTo(CacheKey &key, const LoweringOptions &options) {
  // Three watch the passes and change nothing.
  const auto &[formation, simplify, instrument, atDispatches, verifyMaps,
               grid] = options;
  addTo(key, formation);
  key.add(int64_t(simplify));
  key.add(grid ? grid->replicas : 0).add(grid ? grid->partitions : 0);
}

llvm::LogicalResult mercator::lowerTo(mlir::ModuleOp module, Stage stage,
                                      const LoweringOptions &options) {
  if (stage == Stage::Source)
    return llvm::success();
  mlir::PassManager passes(module.getContext());
  instrument(passes, options);
  stablehlo::LinalgOptions toLinalg;
  toLinalg.simplify = options.simplify;
  toLinalg.grid = options.grid;
  if (options.simplify)
    toLinalg.fold = foldByEvaluator(module);
  stablehlo::buildPipelineToLinalg(passes, toLinalg);
  if (failed(run(passes, module, /*isLast=*/stage == Stage::Linalg)))
    return llvm::failure();
  if (stage == Stage::Linalg)
    return llvm::success();
  // Remarks and instrumentations expect functions one after the other.
  std::optional<Threads> threads;
  if (!options.verifyMaps && !options.instrument &&
      !module.getContext()->getRemarkEngine())
    threads.emplace(module.getContext());
  // The pass that verifies the input runs after others have rewritten it.
  if (failed(flow::verifyInputLegality(module)))
    return llvm::failure();
  mlir::PassManager toDispatches(module.getContext()),
      fromDispatches(module.getContext());
  instrument(toDispatches, options);
  instrument(fromDispatches, options);
  flow::PipelineOptions flowOptions = flowOptionsOf(options.formation);
  std::unique_ptr<flow::DispatchTime> reviewer =
      reviewerOf(options.formation, *module.getContext());
  flowOptions.time = reviewer.get();
  auto onError = [&](const llvm::Twine &message) {
    return mlir::emitError(module.getLoc()) << message;
  };
  if (failed(flow::buildPipelineToDispatches(toDispatches, flowOptions,
                                             onError)) ||
      failed(run(toDispatches, module, /*isLast=*/false)))
    return llvm::failure();
  if (options.atDispatches)
    options.atDispatches(module);
  flow::buildPipelineFromDispatches(fromDispatches, flowOptions);
  return run(fromDispatches, module, /*isLast=*/true);
}
