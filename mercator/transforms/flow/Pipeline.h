// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The pass pipeline from a program on tensors to dispatches of executables, in
/// the order of the seed's buildFlowTransformPassPipeline. docs/flow.md
/// describes each pass.
///
///   mlir::PassManager passes(module.getContext());
///   if (failed(flow::buildFlowTransformPassPipeline(
///           passes, {.aggressiveFusion = true}, onError)))
///     ...
///   passes.run(module)
///
/// Nothing need be registered for that.
///
/// On a command line it is `--mercator-flow-pipeline`, in braces or by flags:
///
///   mercator-opt --mercator-flow-pipeline="enable-aggressive-fusion=true"
///   mercator-opt --mercator-flow-pipeline --iree-flow-enable-aggressive-fusion

#ifndef MERCATOR_TRANSFORMS_FLOW_PIPELINE_H
#define MERCATOR_TRANSFORMS_FLOW_PIPELINE_H

#include "mlir/Pass/PassManager.h"

namespace mercator::flow {

class DispatchTime;

struct PipelineOptions {
#define FLOW_OPTION(type, member, name, initial, help) type member = initial;
#include "mercator/transforms/flow/PipelineOptions.def"
#undef FLOW_OPTION
  /// Of the target, which reviews dispatches from maps; null if there is none. It must
  /// outlive the passes.
  DispatchTime *time = nullptr;
};

/// The seed's rules and all options that lower the number of dispatches. The
/// defaults are those of the seed.
[[nodiscard]] PipelineOptions fewestDispatches();

/// The same, with dispatches from indexing maps (formation/maps/GroupByMaps.h).
[[nodiscard]] PipelineOptions dispatchesFromMaps();

/// Adds the passes to `passes`, which run on a module. If an option is invalid,
/// calls `onError` and fails.
llvm::LogicalResult buildFlowTransformPassPipeline(
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
void registerFlowPipeline();

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_PIPELINE_H
