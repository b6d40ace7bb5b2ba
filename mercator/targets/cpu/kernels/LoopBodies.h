// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Small kernels that loops of the host program call. They become part of the
/// loop: LLVM inlines them, and keeps small buffers in registers.
///
///   ^body:
///     call @kernel_0_multiply(%a, %b) // 2 ns in itself
///     call @kernel_1_add(%b, %c)
///
/// Problem. A call has a descriptor for each buffer, and its operands and
/// results lie in memory. In a loop whose iteration has few operations, most of
/// the time goes there.
///
/// Decision. A kernel is small if its code has few operations, runs in one
/// thread, and allocates nothing.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_LOOPBODIES_H
#define MERCATOR_TARGETS_CPU_KERNELS_LOOPBODIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace llvm {
class Module;
}

namespace mercator::cpu {

/// Marks a kernel as part of the loops that call it, if it is small.
void inlineIntoLoops(mlir::func::FuncOp kernel);

/// Loops of a few iterations in marked kernels become straight code: their
/// buffers have no variable index then, and need no memory.
void unrollLoopBodies(mlir::ModuleOp module);

/// In LLVM: inlines the marked kernels. The buffers of a kernel do not overlap.
void inlineLoopBodies(llvm::Module &code);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_LOOPBODIES_H
