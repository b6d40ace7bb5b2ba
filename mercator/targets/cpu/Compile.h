// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A program of dispatches as machine code.
///
///   mlir::OwningOpRef<mlir::ModuleOp> module = ...; // at flow
///   llvm::FailureOr<cpu::Code> code =
///       cpu::compile(*module, "main", cpu::Machine::host());
///
/// The code exports @mercator_main (runtime/Abi.h). It refers to the functions of
/// the runtime, of the C library, and to `constants`.

#ifndef MERCATOR_TARGETS_CPU_COMPILE_H
#define MERCATOR_TARGETS_CPU_COMPILE_H

#include "mercator/targets/cpu/Host.h"
#include "mercator/targets/cpu/Object.h"

namespace mercator::cpu {

struct Code {
  std::string text; ///< an object, assembly or LLVM IR
  HostProgram host;
};

/// Rewrites the module. Fails after an error.
llvm::FailureOr<Code> compile(mlir::ModuleOp module, llvm::StringRef function,
                              const Machine &machine, Emit form = Emit::object);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_COMPILE_H
