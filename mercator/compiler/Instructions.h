// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A program as `mercator map` sees it: computations, and the instructions in
/// them, by name.
///
/// What is a computation: a function, the body of a fusion, and a branch or a
/// loop body. The scalar computations that reductions, sorts and the like apply
/// are none: their maps would all be `() -> ()`. A fused computation that is
/// used several times is one.
///
/// What is an instruction: an operation or an argument with a name. Where the
/// program was HLO text these are the instructions of the text, and operations
/// that the import put between them are looked through. Operations of a
/// StableHLO program always have a name, `add#3` where they carry none.

#ifndef MERCATOR_TOOLS_DRIVER_MAPPROGRAM_H
#define MERCATOR_TOOLS_DRIVER_MAPPROGRAM_H

#include "mercator/tools/driver/Program.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

#include <memory>
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
  mlir::Operation *op = nullptr; // null for an argument
  mlir::BlockArgument argument = nullptr;
};

/// What a computation returns: the value of its root instruction, or, where
/// that is a tuple, its members.
struct Root {
  const Computation *computation = nullptr;
  std::string name;
  llvm::SmallVector<mlir::Value> values;
};

class MapProgram {
public:
  /// Reads HLO text or StableHLO, told apart by content. Null after an error.
  static std::unique_ptr<MapProgram> load(const SourceBuffer &source,
                                          DiagnosticEngine &diagnostics);
  /// A program that was read. Requires one.
  static std::unique_ptr<MapProgram> of(std::unique_ptr<Program> read);
  ~MapProgram();

  [[nodiscard]] llvm::StringRef getName() const { return program->name; }
  [[nodiscard]] mlir::ModuleOp getModule() const { return *program->module; }
  /// Module by module, those of the outer one first. Of a module the entry
  /// first, then in the order of the text; what a computation calls its own
  /// (fusions, branches) right after it. The name of one in a nested module
  /// begins with the path of that, `inner/main`.
  [[nodiscard]] const std::vector<Computation> &getComputations() const {
    return computations;
  }
  /// Of each module that has a function with a body: its entry, or else its
  /// first function.
  [[nodiscard]] llvm::SmallVector<const Computation *> getEntries() const;

  /// The name of an instruction within its computation; empty for an operation
  /// that is none.
  [[nodiscard]] std::string nameOf(mlir::Operation *op) const;
  /// The name of the instruction that makes a value.
  [[nodiscard]] std::string nameOf(mlir::Value value) const;

  /// The instruction called `name` or `computation/name`, with or without the
  /// '%' of its text. A bare name means the one in the entry, or else the only
  /// one. None after an error; `option` is what the name was given with.
  [[nodiscard]] std::optional<Instruction>
  find(llvm::StringRef name, llvm::StringRef option,
       DiagnosticEngine &diagnostics) const;

  [[nodiscard]] Root root(const Computation &computation) const;

  /// Calls f on the operations of a computation that are instructions.
  void forEachOperation(const Computation &computation,
                        llvm::function_ref<void(mlir::Operation *)> f) const;

private:
  MapProgram() = default;
  void collect(mlir::ModuleOp module);
  void collect(mlir::Region &region);
  void refuseUnknown(llvm::StringRef name, llvm::StringRef flag,
                     DiagnosticEngine &diagnostics) const;
  void forEachInstruction(
      llvm::function_ref<void(Instruction, std::string)> f) const;

  std::unique_ptr<Program> program;
  std::vector<Computation> computations;
  std::vector<size_t> entries; ///< which of these
  llvm::StringSet<> computationNames;
};

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_MAPPROGRAM_H
