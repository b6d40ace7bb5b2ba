// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `flow` dialect: what a program is given and gives back. Names and syntax
/// are IREE's, so that its text loads.
///
///   func.func @f(%view: !flow.buffer_view) -> !flow.buffer_view

#ifndef MERCATOR_DIALECTS_FLOW_FLOW_H
#define MERCATOR_DIALECTS_FLOW_FLOW_H

#include "mercator/dialects/util/UtilInterfaces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "mercator/dialects/flow/FlowDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "mercator/dialects/flow/FlowTypes.h.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/flow/FlowOps.h.inc"

#endif // MERCATOR_DIALECTS_FLOW_FLOW_H
