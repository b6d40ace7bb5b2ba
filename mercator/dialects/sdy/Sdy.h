// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `sdy` dialect: the shardings that JAX writes into its programs.
///
///   sdy.mesh @mesh = <["a"=2, "b"=4]>
///   func.func @f(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh,
///                                                                [{"a"}]>}) {
///     %0 = sdy.sharding_constraint %x <@mesh, [{"b"}]> : tensor<8xf32>
///
/// The text round-trips. For most operations the result is known to equal the
/// operand. The text of an attribute is kept as written, except for spaces and
/// comments. Division.h reads its meaning.

#ifndef MERCATOR_DIALECTS_SDY_SDY_H
#define MERCATOR_DIALECTS_SDY_SDY_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "mercator/dialects/sdy/SdyDialect.h.inc"
#include "mercator/dialects/sdy/SdyEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "mercator/dialects/sdy/SdyAttrs.h.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/sdy/SdyOps.h.inc"

namespace mercator::sdy {

/// Whether an operation only states the placement of a tensor: its result
/// equals its operand.
[[nodiscard]] bool isSameValue(mlir::Operation *op);

} // namespace mercator::sdy

#endif // MERCATOR_DIALECTS_SDY_SDY_H
