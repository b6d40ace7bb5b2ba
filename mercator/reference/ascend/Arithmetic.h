// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What an operator of GE makes of one element of each operand, and of which
/// elements GE does not say what it makes.
///
///   std::optional<Arithmetic> divide = ascendArithmetic(divOp, i32, i32);
///   divide->whyNot(divide->function, {7, 0})    // "a division by zero"

#ifndef MERCATOR_REFERENCE_ASCEND_ARITHMETIC_H
#define MERCATOR_REFERENCE_ASCEND_ARITHMETIC_H

#include "mercator/reference/core/ElementFunction.h"

namespace mercator::reference {

struct Arithmetic {
  ElementFunction function;
  /// What is wrong with these operands; empty where nothing is. Null where
  /// nothing can be.
  using WhyNot = llvm::StringRef (*)(const ElementFunction &self,
                                     const Scalar *operands);
  WhyNot whyNot = nullptr;
};

/// Nothing where the operator has no meaning for such elements.
[[nodiscard]] std::optional<Arithmetic> ascendArithmetic(mlir::Operation *op,
                                                         const Element &operand,
                                                         const Element &result);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_ASCEND_ARITHMETIC_H
