// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Equal loop nests become one function, which is compiled once.
///
/// A program that shares a kernel among its layers computes many products of the same
/// shape. Their tiles, their remainders and the transposes before them are the same
/// nests with other buffers:
///
///   scf.for %i = 0 to 8 { ... %a, %b ... }       call @kernel_0_f_part_loop0(%a, %b)
///   scf.for %i = 0 to 8 { ... %c, %d ... }  =>   call @kernel_0_f_part_loop0(%c, %d)
///
/// Two nests are equal if they have the same operations, and the values from outside
/// correspond: equal constants, or values of the same type. Larger nests come first;
/// nests inside of a shared one may be shared with others.
///
/// Cost. A call passes each buffer as the address of its first element, and a number
/// for each extent and stride that the type does not say (BufferArguments.h). Only nests
/// of at least 40 operations are shared.
///
/// Aliases. LLVM's vectorizer needs to know which buffers overlap. An argument is `noalias`
/// if, in every call, its buffer is an allocation or an argument of the kernel, and no
/// other argument of the call is a part of the same buffer. A nest with loops that LLVM vectorizes stays if two of its
/// buffers are parts of one.
///
/// Limits. Nests with tiles of AMX stay, because LLVM configures the tile registers once
/// for each function.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_EQUALLOOPS_H
#define MERCATOR_TARGETS_CPU_KERNELS_EQUALLOOPS_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::cpu {

/// For the kernels of a module and their tasks (ParallelLoops.h), whose loops are
/// scf.for.
void shareEqualLoops(mlir::ModuleOp module);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_EQUALLOOPS_H
