// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Machine code from the LLVM dialect.

#ifndef MERCATOR_TARGETS_CPU_LLVM_OBJECT_H
#define MERCATOR_TARGETS_CPU_LLVM_OBJECT_H

#include "mercator/targets/cpu/machine/Machine.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace mercator::cpu {

/// What to write. `objects` are several that belong together: they are made in
/// several threads. The last three are MLIR, before machine code: the dispatches with
/// their schedules, the kernels with their loops and vectors, and the module in the LLVM
/// dialect.
enum class Emit {
  Objects,
  Object,
  Assembly,
  Llvm,
  Schedules,
  Kernels,
  LlvmDialect
};

/// The elements of constants by the names of their symbols.
using ConstantBytes = std::map<std::string, std::string>;

/// The code of a module in the LLVM dialect: one text, or the objects. Constants
/// that are not among `constants` stay references.
llvm::Expected<std::vector<std::string>>
emitCode(mlir::ModuleOp module, const Machine &machine, Emit form,
         const ConstantBytes &constants = {});

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_OBJECT_H
