// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/Pipeline.h"

#include "mercator/transforms/stablehlo/Passes.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

void ascend::buildPipelineToInputs(OpPassManager &passes) {
  passes.addPass(createHideComputations());
  passes.addPass(stablehlo::createSpellCustomCalls());
  passes.addPass(createUndoHlo());
  passes.addPass(createMoveBounds());
  passes.addPass(createInlineCallsOfGraphs());
  passes.addPass(createFoldTuples()); // the body of a loop of HLO takes a tuple
}

void ascend::buildPipelineFromInputs(OpPassManager &passes,
                                     const ConvertOptions &options,
                                     NotConverted *rest) {
  // Other shapes may have replaced calls by operations: this erases the bodies.
  passes.addPass(createInlineCallsOfGraphs());
  passes.addPass(createRemoveControlFlow());
  passes.addPass(createFuseOperators());
  passes.addPass(createSpellTotalOrder());
  passes.addPass(createConvertStablehloToAscend(options, rest));
  passes.addPass(createConvertChloToAscend(options, rest));
  passes.addPass(createFormAscendGraphs(rest));
}

void ascend::buildPipeline(OpPassManager &passes, const ConvertOptions &options,
                           NotConverted *rest) {
  buildPipelineToInputs(passes);
  buildPipelineFromInputs(passes, options, rest);
}

namespace {
/// The options as a command line spells them.
struct SpelledOptions : PassPipelineOptions<SpelledOptions> {
  Option<std::string> soc{*this, "soc", llvm::cl::desc("the device"),
                          llvm::cl::init("910b")};
  Option<std::string> way{
      *this, "way",
      llvm::cl::desc("take this strategy for gathers where it is possible")};
  Option<bool> gatherV2D{*this, "gather-v2d",
                         llvm::cl::desc("GatherV2D in the place of GatherV2"),
                         llvm::cl::init(false)};
};
} // namespace

void ascend::registerAscendPipeline() {
  registerAscendPasses();
  using OnError = function_ref<LogicalResult(const Twine &)>;
  registerPassPipeline(
      "mercator-ascend-pipeline", "StableHLO to graphs of Ascend",
      [](OpPassManager &passes, StringRef text, OnError onError) {
        SpelledOptions spelled;
        if (failed(spelled.parseFromString(text)))
          return failure();
        std::optional<ConvertOptions> options = parseConvertOptions(
            spelled.soc, spelled.way, spelled.gatherV2D, onError);
        if (options)
          buildPipeline(passes, *options);
        return success(options.has_value());
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> handle) {
        handle(SpelledOptions());
      });
}
