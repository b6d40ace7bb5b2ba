// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What calls of linear algebra libraries compute. JAX calls `lapack_spotrf_ffi`
/// on a CPU, `cusolver_potrf_ffi` on a GPU, and other names on a TPU:
///
///   linearAlgebraOf("lapack_spotrf_ffi")   LinearAlgebra::cholesky
///   linearAlgebraOf("Qr")                  LinearAlgebra::qr
///   linearAlgebraOf("topk")                LinearAlgebra::none

#ifndef MERCATOR_DIALECTS_STABLEHLO_LINEARALGEBRACALLS_H
#define MERCATOR_DIALECTS_STABLEHLO_LINEARALGEBRACALLS_H

#include "llvm/ADT/StringRef.h"

namespace mercator::stablehlo {

enum class LinearAlgebra {
  none, ///< the target is of no library of linear algebra
  cholesky,
  triangularSolve,
  lu,
  qr,
  pivotedQr,
  qFactor,
  qProduct,
  singularValues,
  symmetricEigenvalues,
  hermitianEigenvalues,
  eigenvalues,
  schur,
  hessenberg,
  tridiagonal,
  tridiagonalSolve,
  other, ///< a routine without a row in the table
};

[[nodiscard]] LinearAlgebra linearAlgebraOf(llvm::StringRef target);

/// "a Cholesky factorization". Requires: not `none`.
[[nodiscard]] llvm::StringRef describe(LinearAlgebra what);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_LINEARALGEBRACALLS_H
