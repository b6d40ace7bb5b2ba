// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Results that no cache can hold are written past the caches.
///
/// An ordinary store reads the line of memory first, and displaces another line
/// from the caches. Of a result larger than the last cache neither is of use: a
/// *streamed* store (MOVNTPS) does not read, and writes whole lines. A layer norm
/// of 4096x4096 takes 6 ms instead of 10 in one thread.
///
/// The instruction needs vectors at their natural alignment, and LLVM makes vectors
/// of loops only after the stores were chosen. So this takes three steps:
///
/// 1. `streamStores`: a parallel loop that stores to a large argument of its kernel,
///    which nothing reads, becomes two. The first runs if the argument begins at a
///    multiple of 64 bytes: its stores are `nontemporal`.
/// 2. `hideStreams`, before the optimizer: the vectorizer refuses scalar stores with
///    that mark. They get one that it copies to the vectors, an access group.
/// 3. `showStreams`, after the optimizer: vectors that are known to be aligned get
///    the mark back; other stores are ordinary ones.

#ifndef MERCATOR_TARGETS_CPU_LLVM_STREAMEDSTORES_H
#define MERCATOR_TARGETS_CPU_LLVM_STREAMEDSTORES_H

#include "mercator/analysis/device/Device.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/PassManager.h"

namespace mercator::cpu {

/// Marks the stores of a module with loops, before the loops are outlined. A result
/// is large from streamedBytes() on (machine/Buffers.h).
void streamStores(mlir::ModuleOp module, const Device &device);

void hideStreams(llvm::Module &code);
void showStreams(llvm::Module &code, llvm::FunctionAnalysisManager &analyses);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_STREAMEDSTORES_H
