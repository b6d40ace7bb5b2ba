// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Materializes attributes as operations. Internal.

#ifndef MERCATOR_TRANSFORMS_UTIL_CONSTANTS_H
#define MERCATOR_TRANSFORMS_UTIL_CONSTANTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mercator::util {

/// The result of a new operation with this value; null if no dialect can create
/// one.
inline mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::TypedAttr value) {
  mlir::Type type = value.getType();
  if (mlir::arith::ConstantOp::isBuildableWith(value, type))
    return mlir::arith::ConstantOp::create(builder, loc, value);
  for (mlir::Dialect *dialect : {&value.getDialect(), &type.getDialect()})
    if (mlir::Operation *op =
            dialect->materializeConstant(builder, value, type, loc))
      return op->getResult(0);
  return {};
}

} // namespace mercator::util

#endif // MERCATOR_TRANSFORMS_UTIL_CONSTANTS_H
