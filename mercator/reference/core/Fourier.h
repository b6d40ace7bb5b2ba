// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Fourier transforms along the last dimensions of tensors, computed in a wider
/// type and rounded once for each dimension.

#ifndef MERCATOR_REFERENCE_CORE_FOURIER_H
#define MERCATOR_REFERENCE_CORE_FOURIER_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

enum class Fourier { Forward, Inverse, RealToHalf, HalfToReal };

/// Makes the result for a shape.
using MakeTensor =
    llvm::function_ref<llvm::FailureOr<Tensor>(llvm::ArrayRef<int64_t>)>;

/// The transform along the last dimensions, which have these lengths. A half
/// has n / 2 + 1 elements along the last one. Fails after an error at the step.
llvm::FailureOr<Tensor> fourier(const Step &step, Fourier kind,
                                llvm::ArrayRef<int64_t> lengths,
                                const Tensor &operand, MakeTensor make);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_FOURIER_H
