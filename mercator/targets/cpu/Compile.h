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

#include "mercator/support/Phases.h"
#include "mercator/targets/cpu/host/Host.h"
#include "mercator/targets/cpu/llvm/Object.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mercator::cpu {

struct Code {
  std::vector<std::string> texts; ///< objects, or one text
  HostProgram host;
};

/// The elements of a constant as the program reads them; fails after an error.
using ElementsFn =
    llvm::function_ref<llvm::FailureOr<std::string>(mlir::ElementsAttr)>;

/// Rewrites the module. The phases are `dispatches` (buffers and loops), `code`
/// (to LLVM's dialect) and `LLVM`. With `elements`, the code contains its constants. Fails
/// after an error.
llvm::FailureOr<Code> compile(mlir::ModuleOp module, llvm::StringRef function,
                              const Machine &machine, Emit form = Emit::Objects,
                              ElementsFn elements = {},
                              Phases *phases = nullptr);

/// The bytes of the parameters and results, as far as extents are known.
[[nodiscard]] double bytesOf(mlir::ModuleOp module, llvm::StringRef function);

/// How the kernels of a program would be computed. Rewrites the module. Fails after
/// an error.
llvm::FailureOr<std::vector<KernelSchedule>>
schedulesOf(mlir::ModuleOp module, llvm::StringRef function,
            const Machine &machine);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_COMPILE_H
