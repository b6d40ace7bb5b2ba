// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Numbers that operations take and give, which are held as tensors of rank 0.

#ifndef MERCATOR_REFERENCE_CORE_NUMBERS_H
#define MERCATOR_REFERENCE_CORE_NUMBERS_H

#include "mercator/reference/core/Evaluator.h"

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

/// The place of an element; fails where it is not within the tensor.
llvm::FailureOr<int64_t> placeOf(Step &step, const Tensor &tensor,
                                 llvm::ArrayRef<int64_t> index);
/// What a region gives for an element, of whose index it takes each number.
llvm::FailureOr<Tensor> elementOf(Step &step, mlir::Region &region,
                                  llvm::ArrayRef<int64_t> index);

/// Makes `index` result 0.
llvm::LogicalResult giveIndex(Step &step, int64_t index);
/// Makes a constant, a tensor or a number, result 0.
llvm::LogicalResult giveConstant(Step &step, mlir::Attribute value);
/// Makes a tensor result 0 whose elements are all operand 0. `dynamic` are the
/// extents that its type leaves open.
llvm::LogicalResult giveSplat(Step &step, mlir::ValueRange dynamic);
/// Makes `values` the results.
llvm::LogicalResult give(Step &step,
                         llvm::FailureOr<std::vector<Value>> values);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_NUMBERS_H
