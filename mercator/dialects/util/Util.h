// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `util` dialect: the state that a program keeps between calls, its
/// initializers, and hints to the compiler. Names and syntax are IREE's, so
/// IREE's text loads.
///
///   util.global private @weights = dense<0.5> : tensor<4xf32>
///   func.func @f() -> tensor<4xf32> {
///     %p = util.global.address @weights : !util.ptr<tensor<4xf32>>
///     %0 = util.global.load.indirect %p : !util.ptr<tensor<4xf32>> ->
///            tensor<4xf32>
///     return %0 : tensor<4xf32>
///   }

#ifndef MERCATOR_DIALECTS_UTIL_UTIL_H
#define MERCATOR_DIALECTS_UTIL_UTIL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "mercator/dialects/util/UtilDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "mercator/dialects/util/UtilTypes.h.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/util/UtilOps.h.inc"

#endif // MERCATOR_DIALECTS_UTIL_UTIL_H
