// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What an elementwise operation of StableHLO or chlo does with elements.

#ifndef MERCATOR_REFERENCE_STABLEHLO_ELEMENTWISEFUNCTION_H
#define MERCATOR_REFERENCE_STABLEHLO_ELEMENTWISEFUNCTION_H

#include "mercator/reference/core/ElementFunction.h"

#include "mlir/IR/Operation.h"

namespace mercator::reference {

/// Nothing where the operation is not elementwise, or has an element type that
/// it is not defined for. Of an operation on quantized tensors, it is the
/// function of the floats that they stand for (see Quantize.h).
[[nodiscard]] std::optional<ElementFunction>
elementFunction(mlir::Operation *op);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_STABLEHLO_ELEMENTWISEFUNCTION_H
