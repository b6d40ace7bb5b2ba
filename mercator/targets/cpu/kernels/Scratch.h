// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Memory for what a kernel computes on the way.
///
///   func.func @f(%a: memref<64x64xf32>)        func.func @f(%a: .., %s: memref<32768xi8>)
///     %x = memref.alloc : memref<64x64xf32> =>   %x = memref.view %s[0]
///     %y = memref.alloc : memref<64x64xf32>      %y = memref.view %s[16384]
///
/// Buffers with a piece for each worker (ParallelLoops.h) lie after the others, and what
/// one worker uses lies together: what workers do not touch takes no memory.
///
///     the others | x and y of worker 0 | x and y of worker 1 | ..

#ifndef MERCATOR_TARGETS_CPU_KERNELS_SCRATCH_H
#define MERCATOR_TARGETS_CPU_KERNELS_SCRATCH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

struct Scratch {
  mlir::MemRefType type;     ///< of the parameter; null: there is none
  int64_t workers = 1;       ///< that have a part of it
  int64_t bytesOfWorker = 0; ///< of such a part
};

/// Makes the large buffers of a kernel parts of one parameter, which lies in the
/// arena. Buffers that are not used at the same time share memory, which is then
/// in the cache. Small buffers lie on the stack.
[[nodiscard]] Scratch takeScratch(mlir::func::FuncOp kernel);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_SCRATCH_H
