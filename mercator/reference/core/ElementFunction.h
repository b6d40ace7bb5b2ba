// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// An elementwise operation made ready to be applied to one element of each
/// operand: the types are looked at once, not at every element.
///
///   std::optional<ElementFunction> add = elementFunction(addOp);
///   Scalar sum = (*add)({a, b});

#ifndef MERCATOR_REFERENCE_CORE_ELEMENTFUNCTION_H
#define MERCATOR_REFERENCE_CORE_ELEMENTFUNCTION_H

#include "mercator/reference/core/Element.h"

#include "mlir/IR/Operation.h"

namespace mercator::reference {

struct ElementFunction {
  using Call = Scalar (*)(const ElementFunction &self, const Scalar *operands);

  Call call = nullptr;
  /// Of the operand that decides how values are read: the first; of `select`
  /// and `clamp` the second.
  Element operand;
  Element result;
  /// What else the operation says: the direction of a comparison, the bits of
  /// exponent and mantissa of reduce_precision.
  int64_t detail[2] = {0, 0};

  /// Ensures: the value is rounded to the element type of the result.
  Scalar operator()(const Scalar *operands) const {
    return call(*this, operands);
  }
};

/// Nothing where the operation is not elementwise, or has an element type that
/// it is not defined for. Of an operation on quantised tensors, it is the
/// function of the floats that they stand for (see Quantize.h).
[[nodiscard]] std::optional<ElementFunction>
elementFunction(mlir::Operation *op);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_ELEMENTFUNCTION_H
