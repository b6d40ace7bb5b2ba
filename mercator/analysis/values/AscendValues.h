// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The range of the elements of a value in a graph of GE.
//
//   %c = ascend.Const dense<7> : tensor<i32>
//   %x = ascend.BroadcastTo(%c, ..)             knownRange(%x) is [7, 7]
//   %y = ascend.Cast(%u8) {dst_type = 3}        knownRange(%y) is [0, 255]
//
// A short look at where the value comes from: a few operators far, and no
// further than constants of a few thousand elements.
//
// Why not KnownValues? The lowering asks for the range of a whole tensor only,
// and of each value that it makes: no expressions, no memory between two
// questions. And it has to tell the numbers that an int64 does not hold from
// those without an upper bound, which are one to an Interval.

#ifndef MERCATOR_ANALYSIS_VALUES_ASCENDVALUES_H
#define MERCATOR_ANALYSIS_VALUES_ASCENDVALUES_H

#include "mercator/indexing/expr/Interval.h"

#include "mlir/IR/Value.h"

#include <optional>

namespace mercator::ascend {

/// All numbers of an integer type. None for ui64, whose numbers an int64 does not
/// hold, and for other element types.
[[nodiscard]] std::optional<indexing::Interval> rangeOf(mlir::Type element);

/// An interval that contains all elements of the value; that of its type if no
/// smaller one is known.
[[nodiscard]] std::optional<indexing::Interval> knownRange(mlir::Value value);

/// The same for floats: an interval of integers that contains all elements. None
/// if an element may be a NaN, or if no interval is known.
[[nodiscard]] std::optional<indexing::Interval>
knownFloatRange(mlir::Value value);

/// Whether no element is a NaN, as in a constant without one.
[[nodiscard]] bool isNeverNaN(mlir::Value value);

} // namespace mercator::ascend

#endif // MERCATOR_ANALYSIS_VALUES_ASCENDVALUES_H
