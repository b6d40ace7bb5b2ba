// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A program as a reader of its text knows it: computations, and the
/// instructions in them, by name.
///
///   HloModule m                            computation `f`, instruction `n`
///   f { p = f32[4] parameter(0)            computation `e`, its entry, with
///       ROOT n = f32[4] negate(p) }        the instructions `x` and `y`
///   ENTRY e { x = f32[4] parameter(0)
///     ROOT y = f32[4] fusion(x), kind=kLoop, calls=f }
///
/// A computation is a function, the body of a fusion, a branch, or the body of
/// a loop. The scalar computations of reductions, sorts and scatters are not
/// listed: each of their maps would be `() -> ()`. A fused computation with
/// several users is listed once.
///
/// An instruction is an operation or an argument that has a name. In HLO text
/// every instruction has a name, and an operation without a name was inserted
/// by the import: it is skipped. In StableHLO an operation without a name is
/// called `add#3`, after its place in its block.

#ifndef MERCATOR_COMPILER_PROGRAM_INSTRUCTIONS_H
#define MERCATOR_COMPILER_PROGRAM_INSTRUCTIONS_H

#include "mercator/compiler/program/Load.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator {

struct Computation {
  std::string name;
  mlir::Block *block = nullptr;
};

/// An operation, or an argument of the computation.
struct Instruction {
  const Computation *computation = nullptr;
  mlir::Operation *op = nullptr; ///< null for an argument
  mlir::BlockArgument argument = nullptr;
};

/// The result of a computation: the value of its root instruction, or the
/// members of a tuple.
struct Root {
  const Computation *computation = nullptr;
  std::string name;
  llvm::SmallVector<mlir::Value> values;
};

/// The computations and instructions of one module. Valid while the module
/// lives and is not changed.
class InstructionTable {
public:
  /// The instructions of `module`, which is `program`'s module, a module nested
  /// in it, or a clone of either.
  InstructionTable(const LoadedProgram &program, OneModule module);
  InstructionTable(const InstructionTable &) = delete;
  InstructionTable &operator=(const InstructionTable &) = delete;

  [[nodiscard]] llvm::StringRef getName() const { return name; }
  [[nodiscard]] mlir::ModuleOp getModule() const { return module; }
  /// The computations of the outer module, then those of nested modules. Within
  /// a module: the entry, then the others in the order of the text. The fusions
  /// and branches of a computation follow it directly. The name of a
  /// computation in a nested module begins with the path of that module,
  /// `inner/main`.
  [[nodiscard]] const std::vector<Computation> &getComputations() const {
    return computations;
  }
  /// For each module that has a function with a body: its entry, or its first
  /// function.
  [[nodiscard]] llvm::SmallVector<const Computation *> getEntries() const;

  /// The name of an instruction within its computation. Empty if the operation
  /// is no instruction.
  [[nodiscard]] std::string nameOf(mlir::Operation *op) const;
  /// The name of the instruction that makes a value.
  [[nodiscard]] std::string nameOf(mlir::Value value) const;
  [[nodiscard]] std::string nameOf(const Instruction &instruction) const {
    return instruction.op ? nameOf(instruction.op)
                          : nameOf(mlir::Value(instruction.argument));
  }

  /// The instruction with the name `name` or `computation/name`; a `%` before
  /// either is ignored. A name without a computation means the instruction of
  /// the entry, or the only instruction with that name. None after an error;
  /// `option` is the command-line option that help lines suggest.
  [[nodiscard]] std::optional<Instruction>
  find(llvm::StringRef name, llvm::StringRef option,
       DiagnosticEngine &diagnostics) const;

  [[nodiscard]] Root root(const Computation &computation) const;

  /// Calls `f` for each operation of a computation that is an instruction.
  void forEachOperation(const Computation &computation,
                        llvm::function_ref<void(mlir::Operation *)> f) const;

private:
  void collect(mlir::ModuleOp module);
  void collect(mlir::Region &region);
  void refuseUnknown(llvm::StringRef name, llvm::StringRef flag,
                     DiagnosticEngine &diagnostics) const;
  void forEachInstruction(
      llvm::function_ref<void(Instruction, std::string)> f) const;

  mlir::ModuleOp module;
  std::string name, file;
  bool isHlo;
  std::vector<Computation> computations;
  std::vector<size_t> entries; ///< indices into computations
  llvm::StringSet<> computationNames;
};

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_INSTRUCTIONS_H
