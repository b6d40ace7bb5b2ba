// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The shapes of an operator's results, by the rules that GE publishes.
///
///   GatherV2   x[:axis] ++ indices[batch_dims:] ++ x[axis + 1:]
///   GatherNd   indices[:-1] ++ x[indices[-1]:]
///
/// The verifier compares result types with these rules, and so does the reader
/// of graph files.

#ifndef MERCATOR_DIALECTS_ASCEND_INFER_H
#define MERCATOR_DIALECTS_ASCEND_INFER_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mercator::ascend {

using Shape = llvm::SmallVector<int64_t, 6>;

/// The shape of a result. An unknown extent is ShapedType::kDynamic. Nothing
/// if not even the rank is known, for example if the shape operand of a Reshape
/// is no constant. Emits an error at the operation and fails if the inputs are
/// inconsistent.
[[nodiscard]] llvm::FailureOr<std::optional<Shape>>
inferShape(mlir::Operation *op, unsigned result = 0);

/// The element type of a result. Requires: as many operands as the registry
/// lists. Emits an error at the operation and fails if there is no such type.
[[nodiscard]] llvm::FailureOr<mlir::Type> inferElement(mlir::Operation *op,
                                                       unsigned result = 0);

/// The elements of an operand that is an integer constant.
[[nodiscard]] std::optional<Shape> constantInts(mlir::Value value);

} // namespace mercator::ascend

#endif // MERCATOR_DIALECTS_ASCEND_INFER_H
