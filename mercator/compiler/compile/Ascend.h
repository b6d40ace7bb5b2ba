// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What `mercator compile --target=ascend` is asked.

#ifndef MERCATOR_COMPILER_COMPILE_ASCEND_H
#define MERCATOR_COMPILER_COMPILE_ASCEND_H

#include "mercator/compiler/program/Inputs.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator {

/// A file format for graphs of Ascend's Graph Engine.
struct GraphFormat {
  llvm::StringRef name, suffix; ///< `onnx`, `.onnx`
  bool isBinary;
};
[[nodiscard]] llvm::ArrayRef<GraphFormat> graphFormats();

struct AscendOptions {
  /// The name of one of graphFormats().
  std::string format = "text";
  std::string soc = "910b"; ///< as in ExplainOptions
  std::string way = {};     ///< as in ExplainOptions
  /// Only the graph of this function.
  std::optional<std::string> function = {};
  /// Shapes of inputs, `x:4x8`, or `4x8` for the only input with unknown
  /// extents. All other shapes follow.
  std::vector<std::string> shapes = {};
  /// GatherV2D, which GE deprecates, instead of GatherV2 where that is possible.
  bool gatherV2D = false;
  /// An .npz file: each array is a constant instead of the input of its name.
  std::optional<std::string> weights = {};
  /// Draws the elements of constants that the text leaves out, as for `run`.
  std::optional<RandomElements> fillSeed = {};
  /// Accept operations that cannot be converted. Requires the format `mlir`.
  bool partial = false;
};

} // namespace mercator

#endif // MERCATOR_COMPILER_COMPILE_ASCEND_H
