// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The operations that the flow pipeline does not take: those of dialects that
/// must be lowered to linalg first. This is the only list of them.

#ifndef MERCATOR_TRANSFORMS_FLOW_INPUTLEGALITY_H
#define MERCATOR_TRANSFORMS_FLOW_INPUTLEGALITY_H

#include "mlir/IR/Operation.h"

namespace mercator::flow {

/// True for an operation of chlo, hlo, mhlo, sdy, stablehlo, tm_tensor, tosa or
/// vhlo, and for an unrealized cast. The dialect need not be registered.
/// tosa.apply_scale is legal: it is on scalars and has a lowering to arith.
[[nodiscard]] bool isIllegalInput(mlir::OperationName name);

/// Fails after one error, at the first illegal operation in `root`.
llvm::LogicalResult verifyInputLegality(mlir::Operation *root);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_INPUTLEGALITY_H
