// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Whether a program takes subnormal numbers for zero.
///
///   i32 mercator_main(context, inputs, results) {
///     before = mercator_begin_floats(flushes)
///     status = mercator_body(context, inputs, results)   // what was mercator_main
///     mercator_end_floats(before)
///     return status
///   }
///
/// Results do not depend on the caller's floating-point mode, and the caller has its
/// mode back. The optimizer learns of the mode by the attribute "denormal-fp-math".

#ifndef MERCATOR_TARGETS_CPU_LLVM_FLOATMODE_H
#define MERCATOR_TARGETS_CPU_LLVM_FLOATMODE_H

namespace llvm {
class Module;
} // namespace llvm

namespace mercator::cpu {

void setFloatMode(llvm::Module &code, bool flushes);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_FLOATMODE_H
