// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of `chlo` that need more than a formula. Each function creates
// StableHLO at the builder's insertion point and returns the values that
// replace the results, or fails with an error at the operation.

#ifndef MERCATOR_TRANSFORMS_CHLO_REWRITES_H
#define MERCATOR_TRANSFORMS_CHLO_REWRITES_H

#include "mercator/dialects/chlo/Chlo.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mercator::chlo {

using Values = llvm::SmallVector<mlir::Value>;

/// The operands, broadcast to a common shape.
Values broadcastOperands(mlir::ImplicitLocOpBuilder &builder,
                         mlir::ValueRange operands,
                         std::optional<llvm::ArrayRef<int64_t>> dims,
                         mlir::RankedTensorType result);

llvm::FailureOr<Values> mulhi(mlir::ImplicitLocOpBuilder &builder, MulhiOp op);
/// The elements in descending order along the last dimension, and their
/// positions. A NaN comes before all other numbers.
Values sortDescending(mlir::ImplicitLocOpBuilder &builder, mlir::Value operand);
/// The first `count` elements along a dimension. `count` is an integer of rank
/// 0, and `type` the type of the result.
mlir::Value firstOf(mlir::ImplicitLocOpBuilder &builder, mlir::Value tensor,
                    int64_t dim, mlir::Value count,
                    mlir::RankedTensorType type);
llvm::FailureOr<Values> topK(mlir::ImplicitLocOpBuilder &builder, TopKOp op);
llvm::FailureOr<Values> raggedDot(mlir::ImplicitLocOpBuilder &builder,
                                  RaggedDotOp op);
llvm::FailureOr<Values> scan(mlir::ImplicitLocOpBuilder &builder, ScanOp op);

} // namespace mercator::chlo

#endif // MERCATOR_TRANSFORMS_CHLO_REWRITES_H
