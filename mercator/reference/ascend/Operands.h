// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the rules of GE's operators ask of their operands. GE takes axes,
/// shapes and permutations as tensors, so most of what a verifier would see is
/// known only here; each of these is an error at the operation where the
/// operand is none that GE gives a meaning to.
///
///   FailureOr<int64_t> given = scalarOf(step, 2);
///   FailureOr<int64_t> axis = axisOf(step, *given, x.rank());

#ifndef MERCATOR_REFERENCE_ASCEND_OPERANDS_H
#define MERCATOR_REFERENCE_ASCEND_OPERANDS_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

using Ints = llvm::SmallVector<int64_t, 6>;

/// The integers of a tensor, in row-major order.
[[nodiscard]] Ints integersOf(const Tensor &tensor);
/// The integer that operand `i` holds, which must be one.
[[nodiscard]] llvm::FailureOr<int64_t> scalarOf(Step &step, size_t i);
/// An axis of `rank`, counted from the end where it is negative.
[[nodiscard]] llvm::FailureOr<int64_t> axisOf(Step &step, int64_t axis,
                                              int64_t rank);
/// A tensor of zeros for the result. Unlike Step::make it takes any numbers.
[[nodiscard]] llvm::FailureOr<Tensor> makeOf(Step &step,
                                             llvm::ArrayRef<int64_t> shape);

/// The shape that all operands broadcast to, as numpy has it.
[[nodiscard]] llvm::FailureOr<Ints> broadcastShape(Step &step);
/// The place in `x` of an index of what it is broadcast to.
[[nodiscard]] int64_t broadcastPlace(const Tensor &x,
                                     llvm::ArrayRef<int64_t> index);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_ASCEND_OPERANDS_H
