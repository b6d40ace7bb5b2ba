// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// LLVM's passes over the code of a program, before instructions are selected.
///
/// Problem. LLVM's `-O3` takes as long as instruction selection and everything after
/// it. Most of that time looks for what our kernels do not have: scalar loops to
/// vectorize, calls to inline, values to find again across branches.
///
/// Decision. A kernel whose innermost loops all compute with vectors gets a short
/// pipeline: SROA, CSE, loop rotation, LICM, instcombine. All other functions get `-O3`
/// without unrolling: kernels with scalar loops, and the program that calls kernels.
/// With a short pipeline and LLVM's vectorizer for large kernels that have both, an
/// attention took 6 % longer.

#ifndef MERCATOR_TARGETS_CPU_LLVM_OPTIMIZE_H
#define MERCATOR_TARGETS_CPU_LLVM_OPTIMIZE_H

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace mercator::cpu {

/// Whether the innermost loops of a kernel that access memory all have vectors, and it
/// has such loops.
[[nodiscard]] bool hasVectorsOnly(llvm::Function &function);

/// Optimizes a module for a machine. The functions are independent of each other: the
/// result of each is the same, whatever other functions the module has. Without
/// `isOptimized`, only what instruction selection needs.
void optimize(llvm::Module &module, llvm::TargetMachine &target,
              bool isOptimized);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_OPTIMIZE_H
