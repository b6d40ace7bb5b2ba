// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A program with tiles of AMX asks the system for their registers, once in a process.
///
///   i32 mercator_main(context, inputs, results) {
///     status = mercator_begin_tiles(context)
///     if (status != 0) return status
///     ..
///
/// Without permission the first instruction that uses a tile would end the process.

#ifndef MERCATOR_TARGETS_CPU_LLVM_TILEPERMISSION_H
#define MERCATOR_TARGETS_CPU_LLVM_TILEPERMISSION_H

namespace llvm {
class Module;
} // namespace llvm

namespace mercator::cpu {

/// Changes nothing if no function uses tiles.
void askForTiles(llvm::Module &code);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_TILEPERMISSION_H
