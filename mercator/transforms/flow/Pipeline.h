// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The pass pipeline from a program on tensors to dispatches of executables, in
/// the order of the seed's buildFlowTransformPassPipeline. docs/flow.md
/// describes each pass.
///
/// ```cpp (mlir::ModuleOp module)
/// #include "mlir/IR/BuiltinOps.h"
/// mlir::PassManager passes(module.getContext());
/// auto onError = [&](const llvm::Twine &message) {
///   return module.emitError(message);
/// };
/// if (succeeded(buildPipeline(passes, PipelineOptions(), onError)))
///   (void)passes.run(module);
/// ```
///
/// On a command line it is `--mercator-flow-pipeline`, with options in braces
/// or as flags:
///
///   mercator-opt --mercator-flow-pipeline="enable-aggressive-fusion=true"
///   mercator-opt --mercator-flow-pipeline --iree-flow-enable-aggressive-fusion

#ifndef MERCATOR_TRANSFORMS_FLOW_PIPELINE_H
#define MERCATOR_TRANSFORMS_FLOW_PIPELINE_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mercator::flow {

/// The default values of options. Flags write here.
struct PipelineDefaults {
#define FLOW_OPTION(type, member, name, init, help) type member = init;
#include "mercator/transforms/flow/PipelineOptions.def"
#undef FLOW_OPTION
};
PipelineDefaults &getPipelineDefaults();

struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
#define FLOW_OPTION(type, member, name, initial, help)                         \
  Option<type> member{*this, name, llvm::cl::desc(help),                       \
                      llvm::cl::init(getPipelineDefaults().member)};
#include "mercator/transforms/flow/PipelineOptions.def"
#undef FLOW_OPTION
};

/// Adds the passes to `passes`, which run on a module. If an option is invalid,
/// calls `onError` and fails.
llvm::LogicalResult buildPipeline(
    mlir::OpPassManager &passes, const PipelineOptions &options,
    llvm::function_ref<llvm::LogicalResult(const llvm::Twine &)> onError);

/// The same in two parts. After the first part, dispatches are operations of
/// the functions that run them (flow.dispatch.workgroups); their contents are
/// best examined there. The second part outlines them to executables.
llvm::LogicalResult buildPipelineToDispatches(
    mlir::OpPassManager &passes, const PipelineOptions &options,
    llvm::function_ref<llvm::LogicalResult(const llvm::Twine &)> onError);
void buildPipelineFromDispatches(mlir::OpPassManager &passes,
                                 const PipelineOptions &options);

/// For command lines: registers the pipeline under its two names, and the
/// flags.
void registerPipeline();

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_PIPELINE_H
