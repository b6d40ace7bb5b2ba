// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A program as a file of machine code, and the header of C that declares it.
///
///   CpuOptions options{.emit = "so", .cpu = "x86-64-v3", .path = "mlp.so"};
///   compilation->compileToCpu(options, os);
///
/// writes mlp.so to os, and the file mlp.h. The header has the function and, for a program whose
/// extents are all known, another one that takes an array for each tensor:
///
///   static inline int32_t mlp_run(mercator_context *context,
///       const float x[2 * 4], const float w[4 * 8], float result0[2 * 8]);

#ifndef MERCATOR_COMPILER_COMPILE_CPU_H
#define MERCATOR_COMPILER_COMPILE_CPU_H

#include "mercator/compiler/program/Inputs.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/support/Phases.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mercator {

struct CpuOptions {
  /// so, obj, llvm or asm. The MLIR before them: schedule, kernels or llvm-dialect.
  std::string emit = "so";
  std::string cpu = "host";
  bool preciseMath = false;  ///< as in NativeOptions
  uint64_t scheduleSeed = 0; ///< the same
  std::string function = {};
  std::string path = {}; ///< of the result; the header lies beside it
  /// Draws the elements of constants that the text leaves out.
  std::optional<RandomElements> fillSeed = {};
  LoweringOptions lowering = {};
  Phases *phases = nullptr; ///< how long what took
};

/// What the header of C declares.
struct CHeader {
  std::string name;    ///< of the function in C
  std::string program; ///< the title
  struct Tensor {
    std::string name;
    mlir::RankedTensorType type;
  };
  std::vector<Tensor> inputs = {}, results = {};
  int64_t arenaBytes = 0;
};
[[nodiscard]] std::string textOf(const CHeader &header);

/// A name of C from a name of any characters: `my-model.v2` is my_model_v2.
[[nodiscard]] std::string nameOfC(llvm::StringRef name);

} // namespace mercator

#endif // MERCATOR_COMPILER_COMPILE_CPU_H
