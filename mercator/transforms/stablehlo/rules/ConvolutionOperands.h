// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The operands of a convolution as linalg wants them: lhs with its padding and
/// the zeros between its elements, and a kernel that is not reversed. Then the
/// element of lhs for position p and kernel element k is `p * stride + k *
/// rhsDilation`.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_RULES_CONVOLUTIONOPERANDS_H
#define MERCATOR_TRANSFORMS_STABLEHLO_RULES_CONVOLUTIONOPERANDS_H

#include "mercator/transforms/stablehlo/lowering/Builders.h"

namespace mercator::stablehlo {

/// The window along one spatial dimension.
struct ConvWindow {
  /// The dimensions of lhs, of the kernel and of the result.
  int64_t lhsDim, kernelDim, resultDim;
  /// Negative padding removes elements.
  mlir::OpFoldResult low = {}, high = {};
  int64_t stride = 1, lhsDilation = 1, rhsDilation = 1;
  bool isReversed = false;
};

/// The number of positions of the window.
mlir::OpFoldResult positionsOf(mlir::ImplicitLocOpBuilder &b,
                               const ConvWindow &window, mlir::Value lhs,
                               mlir::Value kernel);

/// Removes padding at the end that no position reads, where all is known. For a
/// single position, removes elements, too.
/// Requires: this is the number of positions, and it is not known to be 0.
void fitPadding(mlir::ImplicitLocOpBuilder &b, ConvWindow &window,
                mlir::Value lhs, mlir::Value kernel,
                mlir::OpFoldResult positions);

/// Requires: no window is known to have no position.
mlir::Value padded(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                   llvm::ArrayRef<ConvWindow> windows);

mlir::Value reversed(mlir::ImplicitLocOpBuilder &b, mlir::Value kernel,
                     llvm::ArrayRef<ConvWindow> windows);

/// Dimension `dim` as two, of which the first has extent `groups`.
mlir::Value splitDim(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                     int64_t dim, int64_t groups);
/// Dimensions `dim` and `dim + 1` as one.
mlir::Value mergeDims(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                      int64_t dim);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_RULES_CONVOLUTIONOPERANDS_H
