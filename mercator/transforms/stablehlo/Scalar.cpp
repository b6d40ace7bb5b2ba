// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/Scalar.h"
#include "mercator/transforms/stablehlo/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace mercator::stablehlo {

bool hasScalarForm(Operation *op) { return isa<AddOp>(op); }

FailureOr<Value> emitScalar(ImplicitLocOpBuilder &b, Operation *op,
                            ValueRange x) {
  Kind kind = kindOf(op->getOperand(0));
  switch (kind) {
  case Kind::boolean:
    return Value(arith::OrIOp::create(b, x[0], x[1]));
  case Kind::signedInt:
  case Kind::unsignedInt:
    return Value(arith::AddIOp::create(b, x[0], x[1]));
  case Kind::real:
    return Value(arith::AddFOp::create(b, x[0], x[1]));
  case Kind::complex:
    return Value(complex::AddOp::create(b, x[0], x[1]));
  }
  llvm_unreachable("all kinds are handled");
}

} // namespace mercator::stablehlo
