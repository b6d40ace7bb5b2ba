// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `flow` dialect: the partition of a program into dispatches. Names and
/// syntax are IREE's, so IREE's text loads.
///
///   %r = flow.dispatch.workgroups[%n](%a) : (tensor<4xf32>) -> tensor<4xf32> =
///       (%in: !flow.dispatch.tensor<readonly:tensor<4xf32>>,
///        %out: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
///     %0 = flow.dispatch.tensor.load %in, offsets = [0], sizes = [4],
///         strides = [1] : !flow.dispatch.tensor<readonly:tensor<4xf32>>
///         -> tensor<4xf32>
///     %1 = math.exp %0 : tensor<4xf32>
///     flow.dispatch.tensor.store %1, %out, offsets = [0], sizes = [4],
///         strides = [1] : tensor<4xf32>
///         -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
///     flow.return
///   }
///
/// Beyond types and counts, the verifiers refuse a dispatch that writes a
/// `readonly` tensor or reads a `writeonly` one, also through other values; a
/// dispatch that certainly writes an element of a result twice or never; and a
/// count region with side effects.

#ifndef MERCATOR_DIALECTS_FLOW_FLOW_H
#define MERCATOR_DIALECTS_FLOW_FLOW_H

#include "mercator/dialects/util/UtilInterfaces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallBitVector.h"

#include "mercator/dialects/flow/FlowDialect.h.inc"
#include "mercator/dialects/flow/FlowEnums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "mercator/dialects/flow/FlowTypes.h.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/flow/FlowOps.h.inc"

namespace mercator::flow {

/// Patterns that turn an extract_slice of a load into a load, and a store of an
/// insert_slice into the stored tensor into a store of the slice. They are not
/// canonicalizations; the pass that forms tiles runs them.
void populateTensorSliceOpWithDispatchTensorOpFoldingPatterns(
    mlir::RewritePatternSet &patterns);

} // namespace mercator::flow

#endif // MERCATOR_DIALECTS_FLOW_FLOW_H
