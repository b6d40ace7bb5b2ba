// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The function of a GE operator on one element of each operand, and the
/// operands for which GE does not define the result.
///
///   std::optional<Arithmetic> divide = ascendArithmetic(divOp, i32, i32);
///   divide->whyNot(divide->function, {7, 0})    // "a division by zero"

#ifndef MERCATOR_REFERENCE_ASCEND_ARITHMETIC_H
#define MERCATOR_REFERENCE_ASCEND_ARITHMETIC_H

#include "mercator/reference/core/ElementFunction.h"

namespace mercator::reference {

struct Arithmetic {
  ElementFunction function;
  /// The reason why the result is undefined for these operands; empty if it is
  /// defined. Null if it is always defined.
  using WhyNot = llvm::StringRef (*)(const ElementFunction &self,
                                     const Scalar *operands);
  WhyNot whyNot = nullptr;
};

/// Nothing if the operator is not defined for this element type.
[[nodiscard]] std::optional<Arithmetic> ascendArithmetic(mlir::Operation *op,
                                                         const Element &operand,
                                                         const Element &result);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_ASCEND_ARITHMETIC_H
