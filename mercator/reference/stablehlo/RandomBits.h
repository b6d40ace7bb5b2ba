// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random bits from an explicit state.

#ifndef MERCATOR_REFERENCE_STABLEHLO_RANDOMBITS_H
#define MERCATOR_REFERENCE_STABLEHLO_RANDOMBITS_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// Sets result 0 to the state after operand 0, and result 1 to bits of this
/// shape.
llvm::LogicalResult generateBits(Step &step, stablehlo::RngAlgorithm algorithm,
                                 llvm::ArrayRef<int64_t> shape);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_STABLEHLO_RANDOMBITS_H
