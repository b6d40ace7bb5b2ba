// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Access to the operands of GE's operators. GE takes axes, shapes and
/// permutations as tensors, so most checks of a verifier are only possible
/// here. An operand for which GE defines no result is an error at the
/// operation.
///
///   FailureOr<int64_t> given = scalarOf(step, 2);
///   FailureOr<int64_t> axis = axisOf(step, *given, x.rank());

#ifndef MERCATOR_REFERENCE_ASCEND_OPERANDS_H
#define MERCATOR_REFERENCE_ASCEND_OPERANDS_H

#include "mercator/reference/Rules.h"

namespace mercator::reference {

using Ints = llvm::SmallVector<int64_t, 6>;

/// The integers of a tensor, in row-major order.
[[nodiscard]] Ints integersOf(const Tensor &tensor);
/// The integer that operand `i` holds. Requires: it is a tensor of one element.
[[nodiscard]] llvm::FailureOr<int64_t> scalarOf(Step &step, size_t i);
/// An axis of `rank`; a negative axis counts from the end.
[[nodiscard]] llvm::FailureOr<int64_t> axisOf(Step &step, int64_t axis,
                                              int64_t rank);
/// A tensor of zeros for the result. Unlike Step::make it takes any shape.
[[nodiscard]] llvm::FailureOr<Tensor> makeOf(Step &step,
                                             llvm::ArrayRef<int64_t> shape);

/// The shape that all operands broadcast to, as in NumPy.
[[nodiscard]] llvm::FailureOr<Ints> broadcastShape(Step &step);
/// The position in `x` for an index of the broadcast shape.
[[nodiscard]] int64_t broadcastPlace(const Tensor &x,
                                     llvm::ArrayRef<int64_t> index);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_ASCEND_OPERANDS_H
