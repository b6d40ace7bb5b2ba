// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The function of a dispatch that is not formed yet. The program is unchanged.
///
///   %1 = matmul(%x, %w)       func.func @dispatch(%x: readonly, %w: readonly,
///   %v = expand_shape %1                          %r: writeonly) {
///   %2 = exp(%v)                load %x, %w; matmul, expand_shape, exp; store %r
///
/// of the members %1 and %2. Formation, then outlining would make the same function,
/// but for the order of its parameters: views between members and small producers
/// are cloned, and a result that updates a tensor from outside is stored there.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_CANDIDATE_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_CANDIDATE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mercator::flow {

/// A module with the function alone. Null if an extent is not known, or if a value
/// cannot be a parameter. Requires: the members are in one block, in its order.
/// Complexity: linear in the members and what is cloned.
[[nodiscard]] mlir::OwningOpRef<mlir::ModuleOp>
makeCandidate(llvm::ArrayRef<mlir::Operation *> members);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_CANDIDATE_H
