// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Batches of matrices: the last two dimensions of tensors. All functions
/// compute in a type wider than any element type and round once.

#ifndef MERCATOR_REFERENCE_CORE_MATRICES_H
#define MERCATOR_REFERENCE_CORE_MATRICES_H

#include "mercator/reference/core/Fourier.h"

namespace mercator::reference {

/// The factor l of a = l l^H, or of a = l^H l if not `isLower`. The other
/// triangle is zero. Fails after an error at the step.
llvm::FailureOr<Tensor> cholesky(const Step &step, const Tensor &a,
                                 bool isLower, MakeTensor make);

struct Triangular {
  bool isLeft, isLower, isTransposed, isConjugate, isUnit;
};
/// The solution x of op(a) x = b, or of x op(a) = b if not `isLeft`.
llvm::FailureOr<Tensor> solveTriangular(const Step &step, const Tensor &a,
                                        const Tensor &b, Triangular flags,
                                        MakeTensor make);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_MATRICES_H
