// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What calls of linear algebra libraries compute. JAX calls `lapack_spotrf_ffi`
/// on a CPU, `cusolver_potrf_ffi` on a GPU, and other names on a TPU:
///
///   linearAlgebraOf("lapack_spotrf_ffi")   LinearAlgebra::Cholesky
///   linearAlgebraOf("Qr")                  LinearAlgebra::Qr
///   linearAlgebraOf("topk")                LinearAlgebra::None

#ifndef MERCATOR_DIALECTS_STABLEHLO_LINEARALGEBRACALLS_H
#define MERCATOR_DIALECTS_STABLEHLO_LINEARALGEBRACALLS_H

#include "llvm/ADT/StringRef.h"

namespace mercator::stablehlo {

enum class LinearAlgebra {
  None, ///< the target is of no library of linear algebra
  Cholesky,
  TriangularSolve,
  Lu,
  Qr,
  PivotedQr,
  QFactor,
  QProduct,
  SingularValues,
  SymmetricEigenvalues,
  HermitianEigenvalues,
  Eigenvalues,
  Schur,
  Hessenberg,
  Tridiagonal,
  TridiagonalSolve,
  Other, ///< a routine without a row in the table
};

[[nodiscard]] LinearAlgebra linearAlgebraOf(llvm::StringRef target);

/// "a Cholesky factorization". Requires: not `none`.
[[nodiscard]] llvm::StringRef describe(LinearAlgebra what);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_LINEARALGEBRACALLS_H
