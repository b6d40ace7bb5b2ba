// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `check` dialect: expectations that a test program states about its own
/// values. The programs that accompany the StableHLO specification use it, and the
/// tests of IREE, in a syntax of their own:
///
///   check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>
///   check.expect_close %0, %1, max_ulp_difference = 3 :
///     tensor<2xf32>, tensor<2xf32>
///   check.expect_eq_const(%0, dense<[1, 2]> : tensor<2xi32>) : tensor<2xi32>
///   check.expect_almost_eq(%0, %1, atol 1.0e-2, rtol 1.0e-3) : tensor<2xf32>
///
/// Each operation compares a value with another value, or, with the suffix
/// `_const`, with a constant:
///
///   expect_eq         elements are equal; a NaN equals a NaN
///   expect_close      they are at most `max_ulp_difference` floats apart
///   expect_almost_eq  they differ by at most `tolerance`, or by at most `atol` +
///                     `rtol` * |expected|
///
/// expect_true, expect_false and expect_all_true have one operand, of integers.

#ifndef MERCATOR_DIALECTS_CHECK_CHECK_H
#define MERCATOR_DIALECTS_CHECK_CHECK_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mercator/dialects/check/CheckDialect.h.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/check/CheckOps.h.inc"

#endif // MERCATOR_DIALECTS_CHECK_CHECK_H
