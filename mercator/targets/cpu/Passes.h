// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The steps from dispatches to code as passes of mercator-opt, on modules.
///
///   mercator-cpu-schedule   writes the schedules of kernels (kernels/Schedules.h)
///   mercator-cpu-kernels    makes kernels that obey them, and the host program
///   mercator-cpu-llvm       makes LLVM's dialect of both
///
/// ```
/// mercator compile program.mlir --stop-after=flow |
///   mercator-opt --mercator-cpu-schedule="cpu=x86-64-v3" |
///   mercator-opt --mercator-cpu-kernels="cpu=x86-64-v3 function=main"
/// ```
///
/// `cpu` is a name that LLVM knows, or `host`. `mercator compile
/// --stop-after=schedule|kernels|llvm` writes the same for a program of any stage.

#ifndef MERCATOR_TARGETS_CPU_PASSES_H
#define MERCATOR_TARGETS_CPU_PASSES_H

namespace mercator::cpu {

/// For command lines.
void registerCpuPasses();

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_PASSES_H
