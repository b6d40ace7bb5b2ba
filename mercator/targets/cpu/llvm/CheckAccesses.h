// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Checks of the loads and stores of a program, before LLVM optimizes it.
///
/// Each access calls `mercator_check` (runtime/Abi.h), which ends the process if
/// the bytes are in no buffer. What functions allocate on the stack and on the heap
/// counts as a buffer. Functions that the program calls are not checked.

#ifndef MERCATOR_TARGETS_CPU_LLVM_CHECKACCESSES_H
#define MERCATOR_TARGETS_CPU_LLVM_CHECKACCESSES_H

#include "llvm/IR/Module.h"

namespace mercator::cpu {

void checkAccesses(llvm::Module &code);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_CHECKACCESSES_H
