// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of `chlo` as formulas. All take f32 or f64 numbers (callers
// convert narrower ones); those of complex numbers take their parts. They are
// accurate to a few units in the last place unless stated otherwise.

#ifndef MERCATOR_TRANSFORMS_CHLO_FUNCTIONS_H
#define MERCATOR_TRANSFORMS_CHLO_FUNCTIONS_H

#include "mercator/transforms/chlo/Num.h"

namespace mercator::chlo {

//===--- Elementary functions (Elementary.cpp) ----------------------------===//

Num acos(Num x);
Num acosh(Num x);
Num asin(Num x);
Num asinh(Num x);
Num atan(Num x);
Num atanh(Num x);
Num cosh(Num x);
Num sinh(Num x);
/// The next number after x in the direction of y. For any float type except f8
/// types without a minus zero.
Num nextAfter(Num x, Num y);

/// Two factors whose product is cosh(x), or sinh(x). cosh(x) itself may
/// overflow.
struct Factors {
  Num first, second;
};
Factors coshFactors(Num x);
Factors sinhFactors(Num x);

//===--- Complex numbers (Complex.cpp) ------------------------------------===//

Num complexAcos(Num z);
Num complexAcosh(Num z);
Num complexAsin(Num z);
Num complexAsinh(Num z);
Num complexAtan(Num z);
Num complexAtanh(Num z);
Num complexCosh(Num z);
Num complexSinh(Num z);
Num asinAcosKernel(Num z);

//===--- Error functions, Bessel (Erf.cpp) --------------------------------===//

Num erf(Num x);
Num erfc(Num x);
Num erfInv(Num x);
Num besselI1e(Num x);

//===--- Gamma and its relatives (Gamma.cpp) ------------------------------===//

/// log |Gamma(x)|; +inf at 0, -1, -2, ..
Num lgamma(Num x);
/// Its derivative; NaN at 0, -1, -2, ..
Num digamma(Num x);
/// The n-th derivative of digamma at x; NaN unless n is 0, 1, 2, ..
Num polygamma(Num n, Num x);
/// The sum of (q + k)^-x over k >= 0. +inf if x = 1 or q is 0, -1, -2, ..; NaN
/// if x < 1, or q < 0 and x is no integer.
Num zeta(Num x, Num q);

} // namespace mercator::chlo

#endif // MERCATOR_TRANSFORMS_CHLO_FUNCTIONS_H
