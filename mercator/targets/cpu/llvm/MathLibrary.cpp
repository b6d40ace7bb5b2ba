// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mercator;

/// The function of the C library for f64; empty if instructions do it.
static StringRef libraryFunction(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh"}, name)
      .Cases({"cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp2"}, name)
      .Cases({"expm1", "log", "log10", "log1p", "log2", "sin"}, name)
      .Cases({"sinh", "tan", "tanh"}, name)
      .Case("powf", "pow")
      .Default("");
}

/// Powers of integers are computed with 64 bits and cut off.
static void callPower(math::IPowIOp op, OpBuilder &builder) {
  constexpr llvm::StringLiteral name = "mercator_power_int";
  auto module = op->getParentOfType<ModuleOp>();
  Type word = builder.getI64Type();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    func::FuncOp::create(builder, op.getLoc(), name,
                         builder.getFunctionType({word, word}, word))
        .setPrivate();
  }
  builder.setInsertionPoint(op);
  bool isNarrow = op.getType() != word;
  SmallVector<mlir::Value> operands(op->getOperands());
  for (mlir::Value &operand : operands)
    if (isNarrow)
      operand = arith::ExtSIOp::create(builder, op.getLoc(), word, operand);
  mlir::Value power =
      func::CallOp::create(builder, op.getLoc(), name, word, operands)
          .getResult(0);
  if (isNarrow)
    power = arith::TruncIOp::create(builder, op.getLoc(), op.getType(), power);
  op.getResult().replaceAllUsesWith(power);
  op.erase();
}

/// A number that the processor takes for zero, as a zero. Any other number stays:
/// if subnormal numbers are kept, zero alone equals zero.
static mlir::Value flushed(mlir::Value x, OpBuilder &builder) {
  Location loc = x.getLoc();
  mlir::Value zero = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(x.getType(), 0));
  mlir::Value isZero =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x, zero);
  mlir::Value withSign = math::CopySignOp::create(builder, loc, zero, x);
  return arith::SelectOp::create(builder, loc, isZero, withSign, x);
}

/// The library tells a zero by its bits, and scales other operands: cbrt of a
/// subnormal number would have any value.
static void flushOperands(Operation *op, OpBuilder &builder) {
  for (OpOperand &operand : op->getOpOperands())
    operand.set(flushed(operand.get(), builder));
}

/// fmod of the library is arithmetic on integers, which makes subnormal numbers.
static void flushRemainders(ModuleOp module) {
  SmallVector<arith::RemFOp> ops;
  module.walk([&](arith::RemFOp op) {
    if (op.getType().isF32() || op.getType().isF64())
      ops.push_back(op);
  });
  for (arith::RemFOp op : ops) {
    OpBuilder builder(op);
    flushOperands(op, builder);
    mlir::Value rest =
        arith::RemFOp::create(builder, op.getLoc(), op.getLhs(), op.getRhs());
    op.getResult().replaceAllUsesWith(flushed(rest, builder));
    op.erase();
  }
}

void cpu::callMathLibrary(ModuleOp module) {
  flushRemainders(module);
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<math::MathDialect>(op->getDialect()))
      ops.push_back(op);
  });
  OpBuilder builder(module.getContext());
  for (Operation *op : ops) {
    Type type = op->getResult(0).getType();
    if (auto power = dyn_cast<math::IPowIOp>(op)) {
      callPower(power, builder);
      continue;
    }
    if (!type.isF32() && !type.isF64())
      continue;
    builder.setInsertionPoint(op);
    if (auto root = dyn_cast<math::RsqrtOp>(op)) {
      mlir::Value one = arith::ConstantOp::create(
          builder, op->getLoc(), builder.getFloatAttr(type, 1));
      mlir::Value square =
          math::SqrtOp::create(builder, op->getLoc(), root.getOperand());
      op->getResult(0).replaceAllUsesWith(
          arith::DivFOp::create(builder, op->getLoc(), one, square));
      op->erase();
      continue;
    }
    std::string name = libraryFunction(op->getName().stripDialect()).str();
    if (name.empty())
      continue;
    if (type.isF32())
      name += "f";
    flushOperands(op, builder);
    SmallVector<Type> operands(op->getOperandTypes());
    if (!module.lookupSymbol(name)) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      auto function = func::FuncOp::create(
          builder, op->getLoc(), name, builder.getFunctionType(operands, type));
      function.setPrivate();
      function->setAttr("llvm.readnone", builder.getUnitAttr());
    }
    op->getResult(0).replaceAllUsesWith(
        func::CallOp::create(builder, op->getLoc(), name, type,
                             op->getOperands())
            .getResult(0));
    op->erase();
  }
}
