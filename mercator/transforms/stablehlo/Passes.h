// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_PASSES_H
#define MERCATOR_TRANSFORMS_STABLEHLO_PASSES_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <functional>
#include <memory>
#include <optional>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mercator::stablehlo {

/// Evaluates an operation whose operands are constants. Fails, without an
/// error, if it cannot be evaluated.
using FoldFn = std::function<llvm::LogicalResult(
    mlir::Operation *op, llvm::ArrayRef<mlir::ElementsAttr> operands,
    llvm::SmallVectorImpl<mlir::ElementsAttr> &results)>;

/// The processes that run a program: replicas of partitions.
struct ProcessCounts {
  int64_t replicas = 1, partitions = 1;

  [[nodiscard]] int64_t size() const { return replicas * partitions; }
  [[nodiscard]] int64_t number(int64_t replica, int64_t partition) const {
    return replica * partitions + partition;
  }
};

/// `--stablehlo-exchange-collectives`: collectives become calls that move data between
/// processes (runtime/Collectives.h), and computation. See collectives/.
std::unique_ptr<mlir::Pass>
createExchangeCollectives(const ProcessCounts &grid = {});

/// `--stablehlo-inline-calls`: a call of a private function becomes the
/// function's operations.
std::unique_ptr<mlir::Pass> createInlineCalls();

/// `--stablehlo-unroll-loops`: a loop over arrays with few iterations, all of elementwise
/// operations, becomes the iterations.
std::unique_ptr<mlir::Pass> createUnrollLoops();

/// `--stablehlo-keep-bounded`: bounded tensors whose sizes grow keep the elements
/// beyond their sizes, as in XLA. See KeepBounded.cpp.
std::unique_ptr<mlir::Pass> createKeepBounded();

/// `--stablehlo-check-extents`: operations assert that the unknown extents of
/// their operands fit together. See checks/ExtentChecks.h.
std::unique_ptr<mlir::Pass> createCheckExtents();

/// Inlines the calls in bodies that are applied to numbers, those of reductions,
/// sorts, scatters and maps. Calls of recursive functions stay.
void inlineCallsInBodies(mlir::ModuleOp module);

/// `--stablehlo-simplify`: the equations of Simplify.h. Constants are evaluated
/// if `fold` is given.
std::unique_ptr<mlir::Pass> createSimplify(FoldFn fold = {});

/// `--stablehlo-legalize-to-linalg`: the rules of Lowering.h, applied to every
/// function of a module.
std::unique_ptr<mlir::Pass> createLegalizeToLinalg();

/// `--stablehlo-spell-custom-calls`: custom calls that stand for operations, such
/// as @TopK, become those operations.
std::unique_ptr<mlir::Pass> createSpellCustomCalls();

struct LinalgOptions {
  /// Whether calls are inlined and the equations applied.
  bool simplify = true;
  /// Evaluates constants, if it is given.
  FoldFn fold = {};
  /// The processes; without them, collectives stay.
  std::optional<ProcessCounts> grid = {};
};

/// From StableHLO, chlo and hlo to linalg on tensors: spells custom calls and
/// chlo, simplifies, lowers, and cleans up. A program without these dialects does not change.
void buildPipelineToLinalg(mlir::OpPassManager &passes,
                           const LinalgOptions &options = {});

/// For command lines: the passes above, and `--mercator-linalg-pipeline`.
void registerStablehloPasses();

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_PASSES_H
