// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Vectors of maxima and minima in three instructions of AVX-512.
///
/// `maximum` of IEEE 754-2019 is a NaN if an operand is one, and +0 is above -0. No
/// instruction of x86 does that. LLVM orders the operands by their signs, takes MAXPS and
/// corrects NaNs: six instructions, which depend on each other. VRANGEPS knows the signs
/// of zeros, so this is enough:
///
///     y = vrange(a, b)            the greater one; a NaN beside a number is lost
///     y = a + b  where a or b is a NaN
///
/// A vector of 16 takes 0.6 ns instead of 1.4, with the greatest numbers so far in memory.
/// Which of two NaNs the result is may differ from LLVM's code.

#ifndef MERCATOR_TARGETS_CPU_LLVM_MAXIMA_H
#define MERCATOR_TARGETS_CPU_LLVM_MAXIMA_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace mercator::cpu {

/// Rewrites `llvm.maximum` and `llvm.minimum` of vectors of f32 and f64 of 16 to 64 bytes,
/// after the optimizer, which knows what they mean. Those with a constant stay: LLVM
/// has shorter code for them. Does nothing for a CPU without AVX512DQ and AVX512VL.
void rewriteMaxima(llvm::Module &code, const llvm::TargetMachine &target);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_MAXIMA_H
