// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The shape of an operator's result, by the rules that GE publishes.
///
///   GatherV2   x[:axis] ++ indices[batch_dims:] ++ x[axis + 1:]
///   GatherNd   indices[:-1] ++ x[indices[-1]:]
///
/// It is what the verifier compares with, and what a graph read from a file is
/// checked by.

#ifndef MERCATOR_DIALECTS_ASCEND_INFER_H
#define MERCATOR_DIALECTS_ASCEND_INFER_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mercator::ascend {

using Shape = llvm::SmallVector<int64_t, 6>;

/// The shape of the result; an extent that is not known is
/// ShapedType::kDynamic. Nothing where not even the rank is known, as where a
/// Reshape's shape is no constant. Fails after an error at the operation where
/// its inputs do not go together.
[[nodiscard]] llvm::FailureOr<std::optional<Shape>>
inferShape(mlir::Operation *op);

/// The element type of the result. Requires: as many operands as the registry
/// says. Fails after an error at the operation.
[[nodiscard]] llvm::FailureOr<mlir::Type> inferElement(mlir::Operation *op);

/// The elements of an operand that is a constant of integers.
[[nodiscard]] std::optional<Shape> constantInts(mlir::Value value);

} // namespace mercator::ascend

#endif // MERCATOR_DIALECTS_ASCEND_INFER_H
