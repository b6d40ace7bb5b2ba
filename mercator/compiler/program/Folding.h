// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Constant folding by the reference evaluator: a folded constant is what the
/// program would compute, bit for bit. Transforms may not know the evaluator and
/// take these functions instead.

#ifndef MERCATOR_COMPILER_PROGRAM_FOLDING_H
#define MERCATOR_COMPILER_PROGRAM_FOLDING_H

#include "mercator/reference/core/Tensor.h"
#include "mercator/transforms/stablehlo/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace mercator {

/// Evaluates operations of the module. All of them together may take some
/// tenths of a second; then nothing more is folded. Requires: the module
/// outlives it.
[[nodiscard]] stablehlo::FoldFn foldByEvaluator(mlir::ModuleOp module);

/// Evaluates an operation without results for its errors: a shape assertion.
/// Requires: the module outlives it.
[[nodiscard]] std::function<llvm::LogicalResult(
    mlir::Operation *op, llvm::ArrayRef<mlir::ElementsAttr> operands)>
checkByEvaluator(mlir::ModuleOp module);

/// The elements as an attribute. Null for a type that is not held in whole bytes.
[[nodiscard]] mlir::ElementsAttr elementsOf(const reference::Tensor &tensor);

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_FOLDING_H
