// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Functions that the C++ library lacks. Each is accurate to a few units in the
/// last place of a double if the result is a double; intermediate results are
/// long double. The values at poles and outside the domain are those of XLA.

#ifndef MERCATOR_REFERENCE_CORE_SPECIALFUNCTIONS_H
#define MERCATOR_REFERENCE_CORE_SPECIALFUNCTIONS_H

namespace mercator::reference {

/// log |Gamma(x)|; infinity at 0, -1, -2, ..
[[nodiscard]] double logGamma(double x);

/// The derivative of logGamma; NaN at its poles.
[[nodiscard]] double digamma(double x);

/// The sum over k = 0, 1, .. of (q + k)^-x. Infinity at x = 1, and if q is 0,
/// -1, -2, ..; NaN for x < 1, and for q < 0 unless x is an integer.
[[nodiscard]] double hurwitzZeta(double x, double q);

/// The n-th derivative of digamma; NaN unless n is 0, 1, 2, ..
[[nodiscard]] double polygamma(double n, double x);

/// The x with erf(x) = y; NaN outside [-1, 1].
[[nodiscard]] double inverseErf(double y);

/// exp(-|x|) I_1(x), where I_1 is the modified Bessel function.
[[nodiscard]] double scaledBesselI1(double x);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_SPECIALFUNCTIONS_H
