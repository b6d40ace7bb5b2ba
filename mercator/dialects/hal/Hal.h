// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `hal` dialect: the inputs and outputs of a program. Names and syntax are
/// IREE's, so IREE's text loads.
///
///   func.func @f(%view: !hal.buffer_view) -> !hal.buffer_view {
///     %d = hal.buffer_view.dim<%view : !hal.buffer_view>[0] : index
///     %0 = hal.tensor.import %view : !hal.buffer_view -> tensor<?xf32>{%d}
///     %1 = hal.tensor.export %0 : tensor<?xf32>{%d} -> !hal.buffer_view
///     return %1 : !hal.buffer_view
///   }

#ifndef MERCATOR_DIALECTS_HAL_HAL_H
#define MERCATOR_DIALECTS_HAL_HAL_H

#include "mercator/dialects/util/UtilInterfaces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "mercator/dialects/hal/HalDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "mercator/dialects/hal/HalAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "mercator/dialects/hal/HalTypes.h.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/hal/HalOps.h.inc"

#endif // MERCATOR_DIALECTS_HAL_HAL_H
