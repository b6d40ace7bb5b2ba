// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The words after `--shape`: inputs get a shape, and all values the shapes that
/// follow (transforms/stablehlo/interface/RefineShapes.h). Internal.
///
///   std::optional<ShapeChoice> choice = parseShape("x:4x8", diagnostics);
///   refineShapes(function, {*choice}, diagnostics)

#ifndef MERCATOR_COMPILER_COMPILE_INPUTSHAPES_H
#define MERCATOR_COMPILER_COMPILE_INPUTSHAPES_H

#include "mercator/support/Diagnostic.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace mercator {

/// `x:4x8`, or `4x8` for the only input with unknown extents.
struct ShapeChoice {
  std::optional<std::string> name;
  llvm::SmallVector<int64_t> extents;
};

/// None after an error.
[[nodiscard]] std::optional<ShapeChoice>
parseShape(llvm::StringRef word, DiagnosticEngine &diagnostics);

/// A choice that makes the inputs of the function static, as words after
/// `--shape=`: each unknown extent is 8, or its bound. Empty if they are static.
[[nodiscard]] std::vector<std::string>
suggestShapes(mlir::func::FuncOp function);

/// Requires: calls of the function are inlined. Fails after an error for an
/// unknown input, a rank or an extent that contradicts the type, and an
/// assertion that does not hold. Linear in the size of the function.
llvm::LogicalResult refineShapes(mlir::func::FuncOp function,
                                 llvm::ArrayRef<ShapeChoice> choices,
                                 DiagnosticEngine &diagnostics);

} // namespace mercator

#endif // MERCATOR_COMPILER_COMPILE_INPUTSHAPES_H
