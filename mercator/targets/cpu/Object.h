// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Machine code from the LLVM dialect.

#ifndef MERCATOR_TARGETS_CPU_OBJECT_H
#define MERCATOR_TARGETS_CPU_OBJECT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mercator::cpu {

/// What code is made for.
struct Machine {
  /// A name that LLVM knows: `znver5`, `x86-64-v3`.
  std::string cpu;
  /// As in `+avx512f,-avx512bf16`.
  std::string features;
  /// exp, tanh and the like as the C library computes them, one by one, and
  /// subnormal numbers are kept.
  bool preciseMath = false;
  /// Subnormal numbers are kept without precise math, too.
  bool keepsSubnormals = false;
  /// The host program reports when each dispatch begins and ends.
  bool isTraced = false;
  /// Every load and store is checked to be in a buffer of the program, and
  /// buffers have distances (runtime/Abi.h).
  bool isChecked = false;

  /// The width of vectors that are multiplied and added in one instruction; 0 if
  /// there is none.
  [[nodiscard]] int64_t vectorBytes() const;

  /// This machine.
  [[nodiscard]] static Machine host();
  /// `host`, or a name that LLVM knows: `x86-64-v3`. None for another name.
  [[nodiscard]] static std::optional<Machine> named(llvm::StringRef name);
};

/// What to write. `objects` are several that belong together: they are made in
/// several threads.
enum class Emit { Objects, Object, Assembly, Llvm };

/// The elements of constants by the names of their symbols.
using ConstantBytes = std::map<std::string, std::string>;

/// The code of a module in the LLVM dialect: one text, or the objects. Constants
/// that are not among `constants` stay references.
llvm::Expected<std::vector<std::string>>
emitCode(mlir::ModuleOp module, const Machine &machine, Emit form,
         const ConstantBytes &constants = {});

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_OBJECT_H
