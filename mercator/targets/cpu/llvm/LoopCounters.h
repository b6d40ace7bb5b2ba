// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Strength reduction of innermost loops.
///
///   for k = 0 .. 8:  load b + 64 * k     =>     for k64 = 0, 64 .. 512:  load b + k64
///
/// Problem. LLVM's loop strength reduction tries many forms of each address, and takes a
/// third of the time of code generation.
///
/// Decision. It does not run on kernels that have loops with vectors before LLVM makes
/// some. Others need it: sums of 5x549x32 took 1.5 times as long. Addresses are made in steps (Addresses.h), which leave the
/// loops that they do not depend on. What remains in an innermost loop is a multiple of
/// its counter: it becomes a counter of its own, and ends the loop if nothing else
/// needs the old one.

#ifndef MERCATOR_TARGETS_CPU_LLVM_LOOPCOUNTERS_H
#define MERCATOR_TARGETS_CPU_LLVM_LOOPCOUNTERS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace mercator::cpu {

/// The attribute of functions that get such counters (Optimize.h).
inline constexpr llvm::StringLiteral kCounted = "mercator-counted";

/// For a function after the optimizer.
void countMultiples(llvm::Function &function);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_LOOPCOUNTERS_H
