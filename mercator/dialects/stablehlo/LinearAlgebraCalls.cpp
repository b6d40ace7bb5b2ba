// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/LinearAlgebraCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using llvm::StringLiteral;
using llvm::StringRef;
using mercator::stablehlo::LinearAlgebra;

namespace {
struct Routine {
  StringLiteral name;
  LinearAlgebra what;
};
} // namespace

/// A part of the target, after the prefix of a library.
static constexpr Routine routines[] = {
    {"potrf", LinearAlgebra::cholesky},
    {"trsm", LinearAlgebra::triangularSolve},
    {"getrf", LinearAlgebra::lu},
    {"geqrf", LinearAlgebra::qr},
    {"geqp3", LinearAlgebra::pivotedQr},
    {"orgqr", LinearAlgebra::qFactor},
    {"ungqr", LinearAlgebra::qFactor},
    {"ormqr", LinearAlgebra::qProduct},
    {"unmqr", LinearAlgebra::qProduct},
    {"gesdd", LinearAlgebra::singularValues},
    {"gesvd", LinearAlgebra::singularValues},
    {"syev", LinearAlgebra::symmetricEigenvalues},
    {"heev", LinearAlgebra::hermitianEigenvalues},
    {"geev", LinearAlgebra::eigenvalues},
    {"gees", LinearAlgebra::schur},
    {"gehrd", LinearAlgebra::hessenberg},
    {"sytrd", LinearAlgebra::tridiagonal},
    {"hetrd", LinearAlgebra::tridiagonal},
    {"gtsv", LinearAlgebra::tridiagonalSolve},
};
static constexpr Routine wholeTargets[] = {
    {"Eigh", LinearAlgebra::symmetricEigenvalues},
    {"LuDecomposition", LinearAlgebra::lu},
    {"Qr", LinearAlgebra::qr},
    {"ProductOfElementaryHouseholderReflectors", LinearAlgebra::qFactor},
};
static constexpr StringLiteral libraries[] = {
    "lapack_", "blas_",    "cusolver_", "hipsolver_",
    "cublas_", "hipblas_", "cusparse_", "hipsparse_"};

LinearAlgebra mercator::stablehlo::linearAlgebraOf(StringRef target) {
  for (const Routine &whole : wholeTargets)
    if (target == whole.name)
      return whole.what;
  if (llvm::none_of(libraries, [&](StringRef prefix) {
        return target.starts_with(prefix);
      }))
    return LinearAlgebra::none;
  for (const Routine &routine : routines)
    if (target.contains(routine.name))
      return routine.what;
  return LinearAlgebra::other;
}

StringRef mercator::stablehlo::describe(LinearAlgebra what) {
  switch (what) {
  case LinearAlgebra::none:
    break;
  case LinearAlgebra::cholesky:
    return "a Cholesky factorization";
  case LinearAlgebra::triangularSolve:
    return "a triangular solve";
  case LinearAlgebra::lu:
    return "an LU factorization";
  case LinearAlgebra::qr:
    return "a QR factorization";
  case LinearAlgebra::pivotedQr:
    return "a QR factorization with pivoting";
  case LinearAlgebra::qFactor:
    return "the Q of a QR factorization";
  case LinearAlgebra::qProduct:
    return "a product with the Q of a QR factorization";
  case LinearAlgebra::singularValues:
    return "a singular value decomposition";
  case LinearAlgebra::symmetricEigenvalues:
    return "the eigenvalues of a symmetric matrix";
  case LinearAlgebra::hermitianEigenvalues:
    return "the eigenvalues of a Hermitian matrix";
  case LinearAlgebra::eigenvalues:
    return "the eigenvalues of a matrix";
  case LinearAlgebra::schur:
    return "a Schur decomposition";
  case LinearAlgebra::hessenberg:
    return "a reduction to Hessenberg form";
  case LinearAlgebra::tridiagonal:
    return "a reduction to tridiagonal form";
  case LinearAlgebra::tridiagonalSolve:
    return "a tridiagonal solve";
  case LinearAlgebra::other:
    return "linear algebra";
  }
  llvm_unreachable("a call of another kind has no description");
}
