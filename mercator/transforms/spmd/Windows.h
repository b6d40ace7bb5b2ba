// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of an operand that consecutive elements of a result read.
//
//   convolution, window 3, stride 2, padding 1     start -1, stride 2, size 3
//   slice [5:20:3]                                 start 5, stride 3, size 1
//   the second operand of a concatenate, behind 4  start -4, stride 1, size 1
//
// Element i of the result reads [start + stride * i, .. + size). Indices outside
// the operand stand for padding, or for elements of other operands. Internal.

#ifndef MERCATOR_TRANSFORMS_SPMD_WINDOWS_H
#define MERCATOR_TRANSFORMS_SPMD_WINDOWS_H

#include "mlir/IR/Operation.h"

namespace mercator::spmd {

struct Window {
  int64_t start = 0, stride = 1, size = 1;
  bool isReversed = false; ///< element i reads `start` - i

  /// Element i reads element i.
  [[nodiscard]] bool isSame() const { return *this == Window(); }
  bool operator==(const Window &) const = default;
};

/// The dimension of an operand that slides along dimension `dim` of the result; -1 if
/// there is none, or if the operation has no windows. The maps do not say this of
/// a window that has one place inside its operand.
[[nodiscard]] int windowedDim(mlir::Operation *op, unsigned operand, int dim);

/// The window along a dimension of the result. Requires: windowedDim is not -1.
[[nodiscard]] Window windowOf(mlir::Operation *op, unsigned operand, int dim);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_WINDOWS_H
