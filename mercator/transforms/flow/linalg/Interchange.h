// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MERCATOR_TRANSFORMS_FLOW_LINALG_INTERCHANGE_H
#define MERCATOR_TRANSFORMS_FLOW_LINALG_INTERCHANGE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mercator::flow {

/// Loop i of the operation becomes the former loop `order[i]`; each
/// linalg.index is updated. (linalg::interchangeGenericOp creates an
/// affine.apply of all indices for each of them.)
void interchange(mlir::linalg::GenericOp op, llvm::ArrayRef<unsigned> order);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_LINALG_INTERCHANGE_H
