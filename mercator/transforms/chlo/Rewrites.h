// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of `chlo` that are more than a formula. Each function writes
// StableHLO at the builder's place and returns the values that replace the
// results; or fails with an error on the operation.

#ifndef MERCATOR_TRANSFORMS_CHLO_REWRITES_H
#define MERCATOR_TRANSFORMS_CHLO_REWRITES_H

#include "mercator/dialects/chlo/Chlo.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mercator::chlo {

using Values = llvm::SmallVector<mlir::Value>;

/// The operands in the shape that they broadcast to together.
Values broadcastOperands(mlir::ImplicitLocOpBuilder &builder,
                         mlir::ValueRange operands,
                         std::optional<llvm::ArrayRef<int64_t>> dims,
                         mlir::RankedTensorType result);

llvm::FailureOr<Values> mulhi(mlir::ImplicitLocOpBuilder &builder, MulhiOp op);
llvm::FailureOr<Values> topK(mlir::ImplicitLocOpBuilder &builder, TopKOp op);
llvm::FailureOr<Values> raggedDot(mlir::ImplicitLocOpBuilder &builder,
                                  RaggedDotOp op);
llvm::FailureOr<Values> scan(mlir::ImplicitLocOpBuilder &builder, ScanOp op);

} // namespace mercator::chlo

#endif // MERCATOR_TRANSFORMS_CHLO_REWRITES_H
