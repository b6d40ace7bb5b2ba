// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Converts operations of StableHLO to the operators of GE, one rule for each
/// family.
///
///   std::vector<Unconverted> left =
///       convertToAscend(module, {.plan = {.device = &devices::ascendAny()}});
///   for (const Unconverted &it : left)
///     it.op->emitError(it.why);
///
/// Element types do not change: GE has the same types, and an operation on a
/// type that GE lacks stays, with the reason. So a converted operation simply
/// replaces the original, and one function may contain converted and
/// unconverted operations.

#ifndef MERCATOR_TARGETS_ASCEND_RULES_CONVERT_H
#define MERCATOR_TARGETS_ASCEND_RULES_CONVERT_H

#include "mercator/targets/ascend/gather/EmitPlan.h"
#include "mercator/targets/ascend/operators/Unsupported.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <string>
#include <vector>

namespace mercator {
class EqualExtents;
} // namespace mercator

namespace mercator::ascend {

struct ConvertOptions {
  PlanOptions plan = {};
  /// Use GatherV2D in place of GatherV2 where it has the same meaning.
  bool gatherV2D = false;
};

/// Converts every operation of StableHLO in the functions of the module for
/// which GE has operators. Linear in their number. Remarks describe the plans
/// of gathers (category `gather-planning`) and the remaining operations
/// (category `ascend-conversion`).
[[nodiscard]] std::vector<Unconverted>
convertToAscend(mlir::ModuleOp module, const ConvertOptions &options);

/// The conversion of one operation. Rules insert before it.
struct Conversion {
  mlir::Operation *op;
  mlir::ImplicitLocOpBuilder &b;
  const ConvertOptions &options;
  /// Sets the reason and fails: `return c.no("..")`.
  std::string why;
  /// The replacements of results 1, 2, .. of an operation with several results.
  llvm::SmallVector<mlir::Value> others = {};
  /// What is known of the extents of the operands. Never null.
  EqualExtents *extents = nullptr;

  [[nodiscard]] mlir::FailureOr<mlir::Value> no(const llvm::Twine &reason) {
    why = reason.str();
    return mlir::failure();
  }
  [[nodiscard]] mlir::RankedTensorType type() const {
    return llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType());
  }
};

/// Returns the replacement of the operation's first result. A rule that fails
/// with an empty `why` does not know the operation. Requires: all types are
/// tensors with element types of GE. Only operations with rules for unknown
/// extents have them in their types.
using Converter = mlir::FailureOr<mlir::Value> (*)(Conversion &);

[[nodiscard]] mlir::FailureOr<mlir::Value> convertElementwise(Conversion &c);
[[nodiscard]] mlir::FailureOr<mlir::Value> convertDataMovement(Conversion &c);
[[nodiscard]] mlir::FailureOr<mlir::Value> convertReduction(Conversion &c);
[[nodiscard]] mlir::FailureOr<mlir::Value> convertProduct(Conversion &c);
[[nodiscard]] mlir::FailureOr<mlir::Value> convertSort(Conversion &c);

/// Reports that GE cannot express the requested precision of products.
void tellDropped(mlir::Operation *op, std::optional<mlir::ArrayAttr> precisions,
                 bool hasAlgorithm = false);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_RULES_CONVERT_H
