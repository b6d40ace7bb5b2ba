// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A sort of which only the first elements are used, such as that of a top_k.
///
///   %s:2 = stablehlo.sort %x, %places ..     descending, 64 x 32,000
///   %v = stablehlo.slice %s#0 [0:64, 0:50]   all uses of %s are like this
///   %p = stablehlo.slice %s#1 [0:64, 0:50]
///
/// The best 50 elements so far are kept in their order. A further element goes
/// before the first one that it precedes, and the last one leaves. Most elements
/// precede none, so a row of n elements takes about n comparisons, not n log n.
/// Equal elements keep their order, as in a stable sort.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_RULES_SELECTION_H
#define MERCATOR_TRANSFORMS_STABLEHLO_RULES_SELECTION_H

#include "mercator/transforms/stablehlo/lowering/Loops.h"

#include <optional>

namespace mercator::stablehlo {

/// How many elements along the dimension are used, if these are so few that a
/// selection is faster than a sort.
[[nodiscard]] std::optional<int64_t> selectedOf(SortOp op, int64_t dim);

/// The sorted tensors; only the first `selected` elements along the dimension are
/// defined.
[[nodiscard]] llvm::FailureOr<Values>
lowerSelection(SortOp op, Lowering &l, int64_t dim, int64_t selected);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_RULES_SELECTION_H
