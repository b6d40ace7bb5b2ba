// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Conversions to floats of at most 16 bits that have no instruction, as
/// arithmetic on integers.
///
/// A conversion rounds once, to the nearest number, ties to even. It does not
/// depend on the processor's treatment of subnormal numbers. A number that is too
/// large becomes infinity, in formats without infinity NaN, and in formats without
/// NaN the largest number. NaN becomes -0 where there is no NaN. f8E8M0FNU has
/// neither a zero nor a sign: 0 and negative numbers become NaN, and positive
/// numbers at least 2^-127.

#ifndef MERCATOR_TARGETS_CPU_LLVM_ROUNDFLOATS_H
#define MERCATOR_TARGETS_CPU_LLVM_ROUNDFLOATS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mercator::cpu {

/// `value` is f32 or f64. Requires: `to` has fewer bits of exponent than `value`,
/// or is f8E8M0FNU.
mlir::Value roundFloat(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                       mlir::FloatType to);

/// An integer as f32 or f64, for a second rounding to at most 16 bits: exact, or
/// with an odd last digit, so that the second rounding is correct (Boldo and
/// Melquiond, 2008).
mlir::Value wideOfInteger(mlir::ImplicitLocOpBuilder &b, mlir::Value integer,
                          bool isUnsigned);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_ROUNDFLOATS_H
