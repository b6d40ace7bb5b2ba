// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The pass pipeline from a program of StableHLO to graphs of Ascend's Graph
/// Engine:
///
///   mercator-ascend-hide-computations    comparators become private
///   stablehlo-spell-custom-calls         @TopK and others, in operations
///   mercator-ascend-undo-hlo             no fusions, bitcasts, layouts
///   mercator-ascend-move-bounds          bounds are attributes of parameters
///   mercator-ascend-inline-calls         one function for each graph
///   mercator-ascend-fold-tuples
///      `--shape` gives inputs their shapes here
///   mercator-ascend-inline-calls
///   mercator-ascend-remove-control-flow  no loops and branches
///   mercator-ascend-fuse-operators       SoftmaxV2, LayerNormV3, RmsNorm, GeluV2
///   mercator-ascend-spell-total-order
///   convert-stablehlo-to-ascend          one rule for each family of operations
///   mercator-ascend-convert-chlo         what GE has no operator for
///   form-ascend-graphs
///
/// On a command line it is `--mercator-ascend-pipeline`, with the options of
/// convert-stablehlo-to-ascend:
///
///   mercator-opt --mercator-ascend-pipeline="soc=any way=gather-nd"
///
/// `mercator compile --target=ascend` runs the same passes, and prints the same
/// text with `--format=mlir`.

#ifndef MERCATOR_TARGETS_ASCEND_PIPELINE_H
#define MERCATOR_TARGETS_ASCEND_PIPELINE_H

#include "mercator/targets/ascend/Passes.h"

#include "mlir/Pass/PassManager.h"

namespace mercator::ascend {

/// Adds the passes, which run on a module. After the last one, `rest` has what
/// is in no graph; it may be null.
void buildPipeline(mlir::OpPassManager &passes, const ConvertOptions &options,
                   NotConverted *rest = nullptr);

/// The same in two parts. Between them, each function has its calls inlined, and
/// its parameters are the inputs of a graph: they may get other types there.
void buildPipelineToInputs(mlir::OpPassManager &passes);
void buildPipelineFromInputs(mlir::OpPassManager &passes,
                             const ConvertOptions &options,
                             NotConverted *rest = nullptr);

/// For command lines: the passes, and the pipeline under its name.
void registerAscendPipeline();

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_PIPELINE_H
