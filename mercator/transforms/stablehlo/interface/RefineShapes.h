// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Gives all values of a function the shapes that follow from its inputs.
///
///   %n = stablehlo.get_dimension_size %x, dim = 0        // 4
///   %s = stablehlo.concatenate %n, %c_16, dim = 0        // [4, 16]
///   %y = stablehlo.dynamic_broadcast_in_dim %z, %s, ..   // broadcast_in_dim
///
/// Integers that follow from the shapes become constants. An operation whose
/// operands say its shape becomes its static form. A shape assertion that holds
/// is erased; one that does not is an error.
///
/// Law: the function computes what it computed for inputs of these shapes.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_INTERFACE_REFINESHAPES_H
#define MERCATOR_TRANSFORMS_STABLEHLO_INTERFACE_REFINESHAPES_H

#include "mercator/transforms/stablehlo/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::stablehlo {

/// Evaluations that are left to the caller. Without one, the operations stay.
struct RefineCallbacks {
  /// Evaluates integers that may be extents.
  FoldFn fold = {};
  /// Fails, after an error, if a custom call of @shape_assertion with these
  /// operands does not hold.
  std::function<llvm::LogicalResult(mlir::Operation *op,
                                    llvm::ArrayRef<mlir::ElementsAttr>)>
      check = {};
};

/// Requires: calls of the function are inlined. Fails after an error for an
/// assertion that does not hold, and for shapes that contradict each other.
/// Linear in the size of the function.
llvm::LogicalResult refineShapes(mlir::func::FuncOp function,
                                 const RefineCallbacks &callbacks);

/// The extents as messages and options write them: `4x?x3`.
[[nodiscard]] std::string shapeText(llvm::ArrayRef<int64_t> extents);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_INTERFACE_REFINESHAPES_H
