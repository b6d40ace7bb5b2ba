// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums whose terms lie on several devices: products and reductions. Internal.
//
//   reduce(%x init: %v) applies add         each device sums its terms from 0, the
//                                           sums are added, then %v once
//
// A reduction can be divided if its body is one operation that is associative,
// commutative and has an identity element: add, multiply, minimum, maximum, and,
// or, xor.

#ifndef MERCATOR_TRANSFORMS_SPMD_SUMS_H
#define MERCATOR_TRANSFORMS_SPMD_SUMS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mercator::spmd {

/// The operation that a region of two scalars applies; nothing if it applies
/// another function, or one without an identity element.
[[nodiscard]] std::optional<mlir::OperationName>
combinationOf(mlir::Region &body);

/// combine(identity, x) = x. Null if there is none for the type.
[[nodiscard]] mlir::Attribute identityOf(mlir::OperationName combine,
                                         mlir::Type element);

/// Whether the terms of the operation may lie on several devices.
[[nodiscard]] bool canDivideSum(mlir::Operation *op);
/// Whether a completed sum needs nothing else, so that it may be scattered.
[[nodiscard]] bool canScatterSum(mlir::Operation *op);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_SUMS_H
