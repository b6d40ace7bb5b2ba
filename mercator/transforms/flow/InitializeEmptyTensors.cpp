// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

namespace mercator::flow {
#define GEN_PASS_DEF_INITIALIZEEMPTYTENSORS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// Whether a user takes the tensor as an init, which code generation allocates.
static bool isLinalg(Operation *user) {
  StringRef dialect = user->getName().getDialectNamespace();
  return dialect == "linalg" || dialect == "iree_linalg_ext";
}

/// Code generation handles tensors in dispatches.
static bool isInDispatch(Operation *op) {
  return op->getParentOfType<flow::DispatchRegionOp>() ||
         op->getParentOfType<flow::DispatchWorkgroupsOp>() ||
         op->getParentOfType<flow::ExecutableOp>();
}

/// Null if no operation creates a constant of the type.
static Value zero(OpBuilder &builder, Location loc, Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    TypedAttr part = builder.getZeroAttr(complex.getElementType());
    if (!part)
      return {};
    return complex::ConstantOp::create(builder, loc, complex,
                                       builder.getArrayAttr({part, part}));
  }
  TypedAttr attr = builder.getZeroAttr(type);
  if (!attr || !(isa<FloatType>(type) || type.isSignlessIntOrIndex()))
    return {};
  return arith::ConstantOp::create(builder, loc, attr);
}

namespace {
struct InitializeEmptyTensors
    : flow::impl::InitializeEmptyTensorsBase<InitializeEmptyTensors> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registry.insert<complex::ComplexDialect>();
  }

  void runOnOperation() override {
    getOperation()->walk([&](tensor::EmptyOp op) {
      if (llvm::all_of(op->getUsers(), isLinalg) || isInDispatch(op))
        return;
      OpBuilder builder(op);
      Value value;
      if (zeroFill) {
        Value element =
            zero(builder, op.getLoc(), op.getType().getElementType());
        if (!element)
          return;
        value = flow::TensorSplatOp::create(builder, op.getLoc(), op.getType(),
                                            element, op.getDynamicSizes());
      } else {
        value = flow::TensorEmptyOp::create(builder, op.getLoc(), op.getType(),
                                            op.getDynamicSizes());
      }
      op->replaceAllUsesWith(ValueRange(value));
      op->erase();
    });
  }
};
} // namespace
