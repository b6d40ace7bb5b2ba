// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Pipeline.h"

#include "mercator/dialects/flow/Flow.h"
#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/util/Passes.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mercator;

namespace {
/// Passes on each function and each initializer.
class FunctionPasses {
public:
  explicit FunctionPasses(OpPassManager &passes) : passes(passes) {}

  FunctionPasses &add(std::unique_ptr<Pass> (*create)()) {
    return addMade(create);
  }

  /// Adds a pass; `make` is called once for each kind of function.
  FunctionPasses &addMade(function_ref<std::unique_ptr<Pass>()> make) {
    passes.addNestedPass<func::FuncOp>(make());
    passes.addNestedPass<util::InitializerOp>(make());
    return *this;
  }

private:
  OpPassManager &passes;
};

using OnError = function_ref<LogicalResult(const Twine &)>;

/// linalg-detensorize, except on functions that never return: it leaves them
/// with branches to blocks of another region (MLIR 22).
class Detensorize : public PassWrapper<Detensorize, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Detensorize)

  StringRef getName() const override { return "Detensorize"; }

  void runOnOperation() override {
    Operation *function = getOperation();
    bool returns = llvm::any_of(function->getRegion(0), [](Block &block) {
      return block.mightHaveTerminator() &&
             block.getTerminator()->hasTrait<OpTrait::ReturnLike>();
    });
    if (!returns)
      return;
    OpPassManager inner(function->getName().getStringRef());
    inner.addPass(createLinalgDetensorizePass());
    if (failed(runPipeline(inner, function)))
      signalPassFailure();
  }
};
} // namespace

/// Conversion to the form that the later passes expect.
static LogicalResult addPreparation(OpPassManager &passes,
                                    const flow::PipelineOptions &options,
                                    OnError onError) {
  if (options.demoteF64ToF32)
    passes.addPass(util::createDemoteF64ToF32());
  FunctionPasses functions(passes);
  functions.add(flow::createConvert1x1FilterConv2DToMatmul);
  if (options.convToImg2Col)
    functions.add(flow::createConvertConv2DToImg2Col);
  functions.add(flow::createDetachElementwiseFromNamedOps);
  passes.addPass(flow::createVerifyInputLegality());
  if (!options.mmt4dTarget.empty()) {
    std::unique_ptr<Pass> pass = flow::createConvertLinalgMatmulToMmt4D();
    if (failed(pass->initializeOptions(options.mmt4dTarget, onError)))
      return failure();
    passes.addPass(std::move(pass));
  }
  if (options.padLinalgOps)
    passes.addPass(
        flow::createPadLinalgOps({.paddingSize = options.paddingSize}));
  functions.add(createSimplifyDepthwiseConvPass)
      .add(flow::createDecomposeTensorOps);
  passes.addPass(flow::createExpandTensorShapes());
  return success();
}

/// Optimizes globals and computations on them, until a fixed point.
static void addGlobalOptimization(OpPassManager &passes,
                                  const flow::PipelineOptions &options) {
  OpPassManager round(ModuleOp::getOperationName());
  FunctionPasses(round).add(util::createSimplifyGlobalAccesses);
  round.addPass(util::createApplyPatterns());
  round.addPass(util::createFoldGlobals());
  round.addPass(util::createIPO());
  if (options.constExprHoisting)
    round.addPass(util::createHoistIntoGlobals());
  FunctionPasses(round).add(createCanonicalizerPass).add(createCSEPass);
  passes.addPass(util::createFixedPointIterator(std::move(round)));
}

/// Fewer and larger linalg operations.
static void addFusion(OpPassManager &passes,
                      const flow::PipelineOptions &options) {
  passes.addPass(flow::createTensorPadToTensorInsertSlice(
      {.skipOneLinalgUse = options.fusePadding}));
  FunctionPasses functions(passes);
  functions.add(flow::createConvertElementwiseToLinalg);
  if (options.composeMaps)
    functions.add(flow::createGeneralizeNamedOps);
  functions.add(createLinalgFoldUnitExtentDimsPass)
      .add(flow::createInterchangeGenericOps)
      .add(flow::createAskOrigins)
      .add(memref::createResolveShapedTypeResultDimsPass)
      .add(createCanonicalizerPass)
      .add(createCSEPass);
  if (options.composeMaps)
    functions.add(flow::createFoldPermutations);
  functions.addMade([&] {
    return flow::createFusionOfTensorOps(
        {.fuseMultiUse = options.aggressiveFusion,
         .recompute = !options.composeMaps});
  });
  if (options.detensorize)
    functions.addMade([] { return std::make_unique<Detensorize>(); });
  functions.add(createCanonicalizerPass)
      .add(createCSEPass)
      .addMade([&] {
        return flow::createSplitReduction(
            {.splitMatmulReduction = options.splitMatmulReduction});
      })
      .add(flow::createInterchangeGenericOps);
  if (options.normalizeInputMaps)
    functions.add(flow::createInterchangeTransposeGenericOps);
  if (options.groupByMaps && !options.keepSums)
    functions.add(flow::createFactorSums);
  if (options.groupByMaps)
    functions.add(flow::createRecomputeTensors).addMade([&] {
      return flow::createRecomputeSlices({.device = options.device});
    });
}

/// Formation of dispatches. Equal operations must not be merged before
/// dispatches are isolated: a region would lose its own clones.
static void addRegions(OpPassManager &passes,
                       const flow::PipelineOptions &options) {
  FunctionPasses functions(passes);
  if (!options.transformFile.empty())
    functions.addMade([&] {
      return flow::createDispatchWithTransformDialect(
          {.transformFileName = options.transformFile});
    });
  functions.addMade([&] {
    return flow::createFormDispatchRegions(
        {.fusion = options.groupByMaps ? "maps" : "heuristic",
         .aggressiveFusion = options.aggressiveFusion,
         .fuse = options.fuse,
         .device = options.device,
         .generateWorkloadRegion = options.generateWorkloadRegion},
        options.time);
  });
}

/// Isolated dispatches with explicit operands.
static void addWorkgroups(OpPassManager &passes,
                          const flow::PipelineOptions &options) {
  FunctionPasses(passes)
      .addMade([&] {
        return flow::createFormDispatchWorkgroups(
            {.generateWorkloadRegion = options.generateWorkloadRegion,
             .inlineConstantsMaxByteLength =
                 options.inlineConstantsMaxByteLength});
      })
      .add(flow::createCaptureDispatchDynamicDims)
      .add(createCanonicalizerPass)
      .add(createCSEPass);
  passes.addPass(flow::createInitializeEmptyTensors(
      {.zeroFill = options.zeroFillEmptyTensors}));
}

static void addOutlining(OpPassManager &passes,
                         const flow::PipelineOptions &options) {
  passes.addPass(flow::createOutlineDispatchRegions());
  passes.addNestedPass<flow::ExecutableOp>(util::createStripDebugOps());
  FunctionPasses functions(passes);
  functions.add(createCanonicalizerPass);
  passes.addPass(flow::createDeduplicateExecutables());
  if (options.traceDispatchTensors)
    functions.add(flow::createInjectDispatchTracing);
  passes.addPass(flow::createVerifyFlowForm());
  functions.add(flow::createCleanupTensorShapes)
      .add(createCanonicalizerPass)
      .add(createCSEPass);
  passes.addNestedPass<flow::ExecutableOp>(createCanonicalizerPass());
  passes.addNestedPass<flow::ExecutableOp>(createCSEPass());
  passes.addPass(createSymbolDCEPass());
}

flow::PipelineOptions flow::fewestDispatches() {
  PipelineOptions options;
  options.aggressiveFusion = true;
  options.composeMaps = true;
  options.fusePadding = true;
  options.normalizeInputMaps = true;
  return options;
}

flow::PipelineOptions flow::dispatchesFromMaps() {
  PipelineOptions options = fewestDispatches();
  options.groupByMaps = true;
  return options;
}

LogicalResult flow::buildPipelineToDispatches(OpPassManager &passes,
                                              const PipelineOptions &options,
                                              OnError onError) {
  if (failed(addPreparation(passes, options, onError)))
    return failure();
  addGlobalOptimization(passes, options);
  addFusion(passes, options);
  addRegions(passes, options);
  addWorkgroups(passes, options);
  return success();
}

void flow::buildPipelineFromDispatches(OpPassManager &passes,
                                       const PipelineOptions &options) {
  addOutlining(passes, options);
}

LogicalResult flow::buildFlowTransformPassPipeline(
    OpPassManager &passes, const PipelineOptions &options, OnError onError) {
  if (failed(buildPipelineToDispatches(passes, options, onError)))
    return failure();
  buildPipelineFromDispatches(passes, options);
  return success();
}

//===----------------------------------------------------------------------===//
// Command lines
//===----------------------------------------------------------------------===//

namespace {
/// The flags of a process: the defaults of the options below.
struct Flags {
#define FLOW_OPTION(type, member, name, initial, help)                         \
  llvm::cl::opt<type> member{"iree-flow-" name, llvm::cl::desc(help),          \
                             llvm::cl::init(type(initial))};
#include "mercator/transforms/flow/PipelineOptions.def"
#undef FLOW_OPTION
};

/// The options as a command line spells them, in the braces of the pipeline.
struct SpelledOptions : PassPipelineOptions<SpelledOptions> {
  explicit SpelledOptions(const Flags &flags) : flags(flags) {}

  flow::PipelineOptions get() const {
    return {
#define FLOW_OPTION(type, member, name, initial, help) .member = member,
#include "mercator/transforms/flow/PipelineOptions.def"
#undef FLOW_OPTION
    };
  }

private:
  const Flags &flags;
#define FLOW_OPTION(type, member, name, initial, help)                         \
  Option<type> member{*this, name, llvm::cl::desc(help),                       \
                      llvm::cl::init(flags.member.getValue())};
#include "mercator/transforms/flow/PipelineOptions.def"
#undef FLOW_OPTION
};
} // namespace

void flow::registerFlowPipeline() {
  auto flags = std::make_shared<Flags>();
  for (StringRef name :
       {"mercator-flow-pipeline", "iree-flow-transformation-pipeline"})
    registerPassPipeline(
        name, "programs on tensors to dispatches of executables",
        [flags](OpPassManager &passes, StringRef text, OnError onError) {
          SpelledOptions options(*flags);
          return failure(failed(options.parseFromString(text)) ||
                         failed(buildFlowTransformPassPipeline(
                             passes, options.get(), onError)));
        },
        [flags](function_ref<void(const mlir::detail::PassOptions &)> handle) {
          handle(SpelledOptions(*flags));
        });
}
