// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// An elementwise operation prepared for application to elements: the types are
/// examined once, not for every element.
///
/// ```cpp (mlir::Operation *addOp, Scalar a, Scalar b)
/// std::optional<ElementFunction> add = elementFunction(addOp);
/// Scalar operands[] = {a, b};
/// if (add)
///   (void)(*add)(operands); // the sum, rounded to the result type
/// ```

#ifndef MERCATOR_REFERENCE_CORE_ELEMENTFUNCTION_H
#define MERCATOR_REFERENCE_CORE_ELEMENTFUNCTION_H

#include "mercator/reference/core/Element.h"

#include "mlir/IR/Operation.h"

namespace mercator::reference {

struct ElementFunction {
  using Call = Scalar (*)(const ElementFunction &self, const Scalar *operands);

  Call call = nullptr;
  /// The operand that determines how values are read: the first; for `select`
  /// and `clamp` the second.
  Element operand;
  Element result;
  /// Attributes of the operation: the direction of a comparison, the bits of
  /// exponent and mantissa of reduce_precision.
  int64_t detail[2] = {0, 0};

  /// Ensures: the value is rounded to the element type of the result.
  Scalar operator()(const Scalar *operands) const {
    return call(*this, operands);
  }
};

/// Nothing if the operation is not elementwise or is not defined for an element
/// type. For an operation on quantized tensors it is the function of the
/// expressed floats (see Quantize.h).
[[nodiscard]] std::optional<ElementFunction>
elementFunction(mlir::Operation *op);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_ELEMENTFUNCTION_H
