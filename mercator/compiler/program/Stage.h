// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The stages of a program on its way to a target:
///
///   source   as the text has it: HLO, StableHLO, linalg, ...
///   linalg   linalg on tensors, arith, math, complex, tensor and scf
///   flow     dispatches of executables
///   cpu      machine code, made from flow (Native.h)

#ifndef MERCATOR_COMPILER_PROGRAM_STAGE_H
#define MERCATOR_COMPILER_PROGRAM_STAGE_H

#include "mercator/transforms/flow/Pipeline.h"
#include "mercator/transforms/stablehlo/Passes.h"
#include "mercator/transforms/verify/VerifyMaps.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <optional>
#include <string>

namespace mlir {
class PassManager;
} // namespace mlir

namespace mercator {

class CacheKey;

enum class Stage { Source, Linalg, Flow, Cpu };

/// `linalg`, `flow`, or `source`.
[[nodiscard]] std::optional<Stage> stageNamed(llvm::StringRef name);

/// What decides which operations share a dispatch: indexing maps and costs, or
/// the seed's rules, of which the aggressive ones take more.
enum class Fusion { Maps, Aggressive, Seed };

/// How dispatches are formed. From maps, a device decides, and operations of
/// given lines share a dispatch whatever it costs.
struct Formation {
  Fusion fusion = Fusion::Maps;
  std::string device = "zen5"; ///< or the JSON text that describes it
  std::string fuse = {};       ///< lines PRODUCER,CONSUMER;...
  bool keepSums = false;       ///< as precise math does
};

/// The options of the flow pipeline that it stands for.
[[nodiscard]] flow::PipelineOptions flowOptionsOf(const Formation &formation);

struct LoweringOptions {
  Formation formation = {};
  /// Whether StableHLO is simplified and its constants are evaluated first.
  /// Tests of the lowering turn it off: their programs are constant.
  bool simplify = true;
  /// Called for each pass manager before it runs, to add instrumentations.
  std::function<void(mlir::PassManager &)> instrument = {};
  /// Called when dispatches are formed, before the rest of the pipeline may merge
  /// them.
  std::function<void(mlir::ModuleOp)> atDispatches = {};
  /// Compare what functions read before and after each pass, and count here.
  verify::MapCounts *verifyMaps = nullptr;
  /// The processes that exchange data; without them, collectives stay what they are.
  std::optional<stablehlo::ProcessCounts> grid = {};
};

/// What machine code depends on.
void addTo(CacheKey &key, const Formation &formation);
void addTo(CacheKey &key, const LoweringOptions &options);

/// Rewrites a module, which may be at any earlier stage. Fails after an error.
/// The module of the stage `cpu` is that of flow.
/// A refutation by `verifyMaps` is an error too, but the passes go on.
llvm::LogicalResult lowerTo(mlir::ModuleOp module, Stage stage,
                            const LoweringOptions &options = {});

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_STAGE_H
