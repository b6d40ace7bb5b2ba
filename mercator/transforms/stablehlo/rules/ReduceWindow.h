// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_RULES_REDUCEWINDOW_H
#define MERCATOR_TRANSFORMS_STABLEHLO_RULES_REDUCEWINDOW_H

#include "mercator/transforms/stablehlo/rules/Windows.h"

namespace mercator::stablehlo {

/// Whether the initial values, of StableHLO, may be identity elements of the
/// body. Of a body with several operations only constants are required: such a
/// body and its initial values must be a monoid for a result that does not
/// depend on the implementation.
[[nodiscard]] bool mayBeMonoid(mlir::ValueRange initialValues,
                               mlir::Block &body);

/// Windows along one dimension that all begin at its first element, or all end
/// at its last. Each extends the previous one by one element:
///
///   window 3, low 2     [. . 0] [. 0 1] [0 1 2]     cumsum and the like
///   window 3, high 2    [0 1 2] [1 2 .] [2 . .]     in reverse
struct Cumulative {
  int64_t dim = 0;
  bool isReversed = false;
};

/// Nothing if the windows are others, or if folding them one element at a time
/// may give another result: the initial value may not be the identity element
/// of the body.
std::optional<Cumulative> findCumulative(ReduceWindowOp op,
                                         llvm::ArrayRef<Window> windows);

/// The results, in time linear in the elements. `inputs` and `initial` have
/// the element types of the body.
llvm::FailureOr<Values> lowerCumulative(ReduceWindowOp op, Lowering &l,
                                        const Cumulative &how,
                                        mlir::ValueRange inputs,
                                        mlir::ValueRange initial);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_RULES_REDUCEWINDOW_H
