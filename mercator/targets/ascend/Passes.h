// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The passes of a conversion to Ascend. Passes.td gives their names and options.
/// Each has a `createX()` and, if it has options, one that takes `XOptions`.
/// Pipeline.h has their order.

#ifndef MERCATOR_TARGETS_ASCEND_PASSES_H
#define MERCATOR_TARGETS_ASCEND_PASSES_H

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/targets/ascend/rules/Convert.h"

#include "mlir/Pass/Pass.h"

namespace mercator::ascend {

#define GEN_PASS_DECL
#include "mercator/targets/ascend/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "mercator/targets/ascend/Passes.h.inc"

/// The options of convert-stablehlo-to-ascend. None after a call of `onError`
/// with the reason.
[[nodiscard]] std::optional<ConvertOptions> parseConvertOptions(
    llvm::StringRef soc, llvm::StringRef way, bool gatherV2D,
    llvm::function_ref<llvm::LogicalResult(const llvm::Twine &)> onError);

/// What is in no graph.
struct NotConverted {
  std::vector<Unconverted> operations = {};
  std::vector<Unconverted> functions = {};
};

/// The same passes for a caller that reports what stays. `rest` may be null;
/// else it outlives the pass.
std::unique_ptr<mlir::Pass>
createConvertStablehloToAscend(const ConvertOptions &options,
                               NotConverted *rest);
std::unique_ptr<mlir::Pass>
createConvertChloToAscend(const ConvertOptions &options, NotConverted *rest);
std::unique_ptr<mlir::Pass> createFormAscendGraphs(NotConverted *rest);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_PASSES_H
