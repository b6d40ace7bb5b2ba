// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mercator;

/// sin(a + ib) = sin a cosh b + i cos a sinh b, and
/// cos(a + ib) = cos a cosh b - i sin a sinh b.
/// With u = exp(|b|) - 1 and v = 1 - exp(-|b|), sinh |b| is (u + v) / 2 and cosh b
/// is 1 + (u - v) / 2: a small b keeps its digits.
static mlir::Value sineOrCosine(ImplicitLocOpBuilder &b, mlir::Value z,
                                bool isSine) {
  auto type = cast<ComplexType>(z.getType());
  Type part = type.getElementType();
  auto number = [&](double value) -> mlir::Value {
    return arith::ConstantOp::create(b, b.getFloatAttr(part, value));
  };
  mlir::Value re = complex::ReOp::create(b, part, z),
              im = complex::ImOp::create(b, part, z),
              size = math::AbsFOp::create(b, im);
  mlir::Value u = math::ExpM1Op::create(b, size);
  mlir::Value v = arith::NegFOp::create(
      b, math::ExpM1Op::create(b, arith::NegFOp::create(b, size)));
  mlir::Value half = number(0.5);
  auto halved = [&](mlir::Value x) -> mlir::Value {
    return arith::MulFOp::create(b, x, half);
  };
  mlir::Value cosh = arith::AddFOp::create(
      b, number(1), halved(arith::SubFOp::create(b, u, v)));
  mlir::Value sinh =
      math::CopySignOp::create(b, halved(arith::AddFOp::create(b, u, v)), im);
  mlir::Value sin = math::SinOp::create(b, re),
              cos = math::CosOp::create(b, re);
  if (!isSine) {
    std::swap(sin, cos);
    cos = arith::NegFOp::create(b, cos);
  }
  // 0 stays 0 where the other factor is infinite.
  auto times = [&](mlir::Value x, mlir::Value y) -> mlir::Value {
    mlir::Value isZero =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, number(0));
    return arith::SelectOp::create(b, isZero, x,
                                   arith::MulFOp::create(b, x, y));
  };
  return complex::CreateOp::create(b, type, times(sin, cosh), times(cos, sinh));
}

void cpu::expandComplexMath(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<complex::SinOp, complex::CosOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    op->getResult(0).replaceAllUsesWith(
        sineOrCosine(b, op->getOperand(0), isa<complex::SinOp>(op)));
    op->erase();
  }
}
