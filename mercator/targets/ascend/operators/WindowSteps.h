// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The attributes of sliding windows, and the operations of StableHLO around
/// them. An operation that would change nothing is not created.
///
///   WindowSteps steps(op);                  // inserts before `op`
///   Value y = steps.transpose(x, {0, 1});   // x

#ifndef MERCATOR_TARGETS_ASCEND_OPERATORS_WINDOWSTEPS_H
#define MERCATOR_TARGETS_ASCEND_OPERATORS_WINDOWSTEPS_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mercator::ascend {

using WindowInts = llvm::SmallVector<int64_t, 8>;

[[nodiscard]] inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

/// The values of an attribute, or a 1 for each dimension.
[[nodiscard]] WindowInts orOnes(std::optional<llvm::ArrayRef<int64_t>> values,
                                size_t rank);

/// The pairs of a padding, as low and high ones.
[[nodiscard]] std::pair<WindowInts, WindowInts>
paddingOf(std::optional<mlir::DenseIntElementsAttr> attr, size_t rank);

/// The operation that combines two elements of a window: a sum, a product,
/// a maximum, a minimum, an and, an or. Null if the body computes more, or if
/// a shape is unknown or has no elements.
[[nodiscard]] mlir::Operation *combinerOf(stablehlo::ReduceWindowOp op);

class WindowSteps {
public:
  explicit WindowSteps(mlir::Operation *op) : b(op->getLoc(), op) {}

  [[nodiscard]] stablehlo::I64ArrayAttr array(llvm::ArrayRef<int64_t> values) {
    return stablehlo::I64ArrayAttr::get(b.getContext(), values);
  }
  [[nodiscard]] static mlir::RankedTensorType
  like(mlir::Value x, llvm::ArrayRef<int64_t> shape) {
    return llvm::cast<mlir::RankedTensorType>(x.getType()).clone(shape);
  }

  /// A scalar 0 of the element type.
  mlir::Value zero(mlir::Type element);
  /// `dilations` are the distances of the elements of `x` in the result.
  mlir::Value pad(mlir::Value x, mlir::Value value, llvm::ArrayRef<int64_t> low,
                  llvm::ArrayRef<int64_t> high,
                  llvm::ArrayRef<int64_t> dilations);
  mlir::Value slice(mlir::Value x, llvm::ArrayRef<int64_t> begin,
                    llvm::ArrayRef<int64_t> end,
                    llvm::ArrayRef<int64_t> strides);
  mlir::Value transpose(mlir::Value x, llvm::ArrayRef<int64_t> order);
  mlir::Value reshape(mlir::Value x, llvm::ArrayRef<int64_t> shape);
  mlir::Value reverse(mlir::Value x, llvm::ArrayRef<int64_t> dims);

  mlir::ImplicitLocOpBuilder b;
};

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_OPERATORS_WINDOWSTEPS_H
