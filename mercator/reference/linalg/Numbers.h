// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Numbers as operands and results of operations. They are tensors of rank 0.

#ifndef MERCATOR_REFERENCE_LINALG_NUMBERS_H
#define MERCATOR_REFERENCE_LINALG_NUMBERS_H

#include "mercator/reference/core/Evaluator.h"

#include "mlir/IR/OpDefinition.h"

namespace mercator::reference {

/// The integers of attributes or values: sizes, offsets. Fails if one of the
/// values has not been evaluated.
llvm::FailureOr<llvm::SmallVector<int64_t>>
integers(Step &step, llvm::ArrayRef<mlir::OpFoldResult> mixed);
llvm::FailureOr<llvm::SmallVector<int64_t>> integers(Step &step,
                                                     mlir::ValueRange values);

/// The shape of a type with its dynamic extents, `dynamic`, in order. Fails if
/// one of them is negative.
llvm::FailureOr<llvm::SmallVector<int64_t>>
shapeOf(Step &step, mlir::ShapedType type, mlir::ValueRange dynamic);

/// Fails unless the shape of a tensor agrees with its type and the listed
/// extents. This detects programs that list wrong extents.
llvm::LogicalResult expectExtents(Step &step, const Value &value,
                                  mlir::RankedTensorType type,
                                  mlir::ValueRange dynamic);

/// A number as a value.
llvm::FailureOr<Value> number(Step &step, mlir::Type type, Scalar value);
llvm::FailureOr<Value> indexNumber(Step &step, int64_t value);

/// The position of an element; fails if it is not within the tensor.
llvm::FailureOr<int64_t> placeOf(Step &step, const Tensor &tensor,
                                 llvm::ArrayRef<int64_t> index);
/// The element that a region computes from each number of its index.
llvm::FailureOr<Tensor> elementOf(Step &step, mlir::Region &region,
                                  llvm::ArrayRef<int64_t> index);

/// Sets result 0 to `index`.
llvm::LogicalResult giveIndex(Step &step, int64_t index);
/// Sets result 0 to a constant, a tensor or a number.
llvm::LogicalResult giveConstant(Step &step, mlir::Attribute value);
/// Sets result 0 to a tensor whose elements are all operand 0. `dynamic` are
/// the dynamic extents of its type.
llvm::LogicalResult giveSplat(Step &step, mlir::ValueRange dynamic);
/// Sets the results to `values`.
llvm::LogicalResult give(Step &step,
                         llvm::FailureOr<std::vector<Value>> values);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_LINALG_NUMBERS_H
