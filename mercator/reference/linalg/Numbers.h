// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Numbers that operations take and give, which are held as tensors of rank 0.

#ifndef MERCATOR_REFERENCE_LINALG_NUMBERS_H
#define MERCATOR_REFERENCE_LINALG_NUMBERS_H

#include "mercator/reference/Evaluator.h"

#include "mlir/IR/OpDefinition.h"

namespace mercator::reference {

/// The integers that attributes or values of the program are: sizes, offsets.
/// Fails where one of the values has not been evaluated.
llvm::FailureOr<llvm::SmallVector<int64_t>>
integers(Step &step, llvm::ArrayRef<mlir::OpFoldResult> mixed);
llvm::FailureOr<llvm::SmallVector<int64_t>> integers(Step &step,
                                                     mlir::ValueRange values);

/// The shape of a type, in which `dynamic` are the extents that it leaves open,
/// in order. Fails where one of them is negative.
llvm::FailureOr<llvm::SmallVector<int64_t>>
shapeOf(Step &step, mlir::ShapedType type, mlir::ValueRange dynamic);

/// Fails unless the shape of a tensor is the one that its type and the extents
/// listed for it say. Programs that list wrong ones are found so.
llvm::LogicalResult expectExtents(Step &step, const Value &value,
                                  mlir::RankedTensorType type,
                                  mlir::ValueRange dynamic);

/// A number as a value.
llvm::FailureOr<Value> number(Step &step, mlir::Type type, Scalar value);
llvm::FailureOr<Value> indexNumber(Step &step, int64_t value);

/// Makes `index` result 0.
llvm::LogicalResult giveIndex(Step &step, int64_t index);
/// Makes `values` the results.
llvm::LogicalResult give(Step &step,
                         llvm::FailureOr<std::vector<Value>> values);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_LINALG_NUMBERS_H
