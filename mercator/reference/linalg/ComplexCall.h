// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The operations of the `complex` dialect on elements. Only ScalarFunction.cpp
/// includes this.

#ifndef MERCATOR_REFERENCE_LINALG_COMPLEXCALL_H
#define MERCATOR_REFERENCE_LINALG_COMPLEXCALL_H

#include "mercator/reference/core/ElementCalls.h"

#include "mlir/IR/Operation.h"

namespace mercator::reference {

/// Null for an operation of other dialects. `operand` is the first one.
Call complexCall(mlir::Operation *op, const Element &operand);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_LINALG_COMPLEXCALL_H
