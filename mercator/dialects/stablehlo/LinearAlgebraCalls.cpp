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
    {"potrf", LinearAlgebra::Cholesky},
    {"trsm", LinearAlgebra::TriangularSolve},
    {"getrf", LinearAlgebra::Lu},
    {"geqrf", LinearAlgebra::Qr},
    {"geqp3", LinearAlgebra::PivotedQr},
    {"orgqr", LinearAlgebra::QFactor},
    {"ungqr", LinearAlgebra::QFactor},
    {"ormqr", LinearAlgebra::QProduct},
    {"unmqr", LinearAlgebra::QProduct},
    {"gesdd", LinearAlgebra::SingularValues},
    {"gesvd", LinearAlgebra::SingularValues},
    {"syev", LinearAlgebra::SymmetricEigenvalues},
    {"heev", LinearAlgebra::HermitianEigenvalues},
    {"geev", LinearAlgebra::Eigenvalues},
    {"gees", LinearAlgebra::Schur},
    {"gehrd", LinearAlgebra::Hessenberg},
    {"sytrd", LinearAlgebra::Tridiagonal},
    {"hetrd", LinearAlgebra::Tridiagonal},
    {"gtsv", LinearAlgebra::TridiagonalSolve},
};
static constexpr Routine wholeTargets[] = {
    {"Eigh", LinearAlgebra::SymmetricEigenvalues},
    {"LuDecomposition", LinearAlgebra::Lu},
    {"Qr", LinearAlgebra::Qr},
    {"ProductOfElementaryHouseholderReflectors", LinearAlgebra::QFactor},
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
    return LinearAlgebra::None;
  for (const Routine &routine : routines)
    if (target.contains(routine.name))
      return routine.what;
  return LinearAlgebra::Other;
}

StringRef mercator::stablehlo::describe(LinearAlgebra what) {
  switch (what) {
  case LinearAlgebra::None:
    break;
  case LinearAlgebra::Cholesky:
    return "a Cholesky factorization";
  case LinearAlgebra::TriangularSolve:
    return "a triangular solve";
  case LinearAlgebra::Lu:
    return "an LU factorization";
  case LinearAlgebra::Qr:
    return "a QR factorization";
  case LinearAlgebra::PivotedQr:
    return "a QR factorization with pivoting";
  case LinearAlgebra::QFactor:
    return "the Q of a QR factorization";
  case LinearAlgebra::QProduct:
    return "a product with the Q of a QR factorization";
  case LinearAlgebra::SingularValues:
    return "a singular value decomposition";
  case LinearAlgebra::SymmetricEigenvalues:
    return "the eigenvalues of a symmetric matrix";
  case LinearAlgebra::HermitianEigenvalues:
    return "the eigenvalues of a Hermitian matrix";
  case LinearAlgebra::Eigenvalues:
    return "the eigenvalues of a matrix";
  case LinearAlgebra::Schur:
    return "a Schur decomposition";
  case LinearAlgebra::Hessenberg:
    return "a reduction to Hessenberg form";
  case LinearAlgebra::Tridiagonal:
    return "a reduction to tridiagonal form";
  case LinearAlgebra::TridiagonalSolve:
    return "a tridiagonal solve";
  case LinearAlgebra::Other:
    return "linear algebra";
  }
  llvm_unreachable("a call of another kind has no description");
}
