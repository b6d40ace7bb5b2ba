// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Operations of StableHLO and its relatives that stay what they are when a
/// program is lowered: other code implements them. These are collectives and
/// communication between devices, custom calls without a known meaning, and the
/// checks of test programs.

#ifndef MERCATOR_TRANSFORMS_KEPTOPERATIONS_H
#define MERCATOR_TRANSFORMS_KEPTOPERATIONS_H

#include "mlir/IR/OperationSupport.h"

namespace mercator {

[[nodiscard]] bool isKept(mlir::OperationName name);

} // namespace mercator

#endif // MERCATOR_TRANSFORMS_KEPTOPERATIONS_H
