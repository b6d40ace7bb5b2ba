// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that hand values on unchanged: copies, barriers, annotations of
// shardings, and what puts tuples and futures together and takes them apart.
//
//   %b = stablehlo.optimization_barrier %a       %b is %a
//   %t = stablehlo.tuple %x, %b                  leaf 1 of %t is %b
//   %y = stablehlo.get_tuple_element %t[1]       %y is leaf 1 of %t
//
// A layout is no part of a value: hlo.copy changes it, and hands the elements
// on. Types may differ in their encoding alone.

#ifndef MERCATOR_ANALYSIS_FORWARDING_H
#define MERCATOR_ANALYSIS_FORWARDING_H

#include "mercator/analysis/Leaves.h"

namespace mercator::maps {

/// The operand that a result is, element by element; null where the operation
/// does anything else. Tuples are not taken apart.
[[nodiscard]] mlir::Value forwardedOperand(mlir::OpResult result);

/// The leaf of an operand that a leaf of a result is; none where the operation
/// does more than hand values on, or the value is a block argument.
[[nodiscard]] std::optional<Leaf> forwardedLeaf(Leaf leaf, Leaves &leaves);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_FORWARDING_H
