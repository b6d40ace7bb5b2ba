// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/LargeCopies.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mercator;

/// The bytes of a contiguous buffer of known extents; 0 for others.
static int64_t contiguousBytes(mlir::Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.hasStaticShape() && type.getLayout().isIdentity()
             ? type.getNumElements() * cpu::elementBytes(type.getElementType())
             : 0;
}

static void callCopy(memref::CopyOp op, int64_t bytes, bool streams) {
  constexpr llvm::StringLiteral name = "mercator_copy";
  auto module = op->getParentOfType<ModuleOp>();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(op.getContext());
  auto addressOf = [&](mlir::Value buffer) -> mlir::Value {
    mlir::Value index =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
    mlir::Value address =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
    return LLVM::IntToPtrOp::create(builder, loc, pointer, address);
  };
  mlir::Value operands[] = {
      addressOf(op.getTarget()), addressOf(op.getSource()),
      arith::ConstantIntOp::create(builder, loc, bytes, 64),
      arith::ConstantIntOp::create(builder, loc, streams ? 1 : 0, 32)};
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    SmallVector<Type> types(ValueRange(operands).getTypes());
    func::FuncOp::create(builder, loc, name, builder.getFunctionType(types, {}))
        .setPrivate();
  }
  func::CallOp::create(builder, loc, name, TypeRange(), operands);
  op.erase();
}

void cpu::callLargeCopies(ModuleOp module, const Device &device) {
  constexpr int64_t large = 2 << 20;
  SmallVector<memref::CopyOp> copies;
  module.walk([&](memref::CopyOp op) {
    if (contiguousBytes(op.getSource()) >= large &&
        contiguousBytes(op.getTarget()) >= large)
      copies.push_back(op);
  });
  for (memref::CopyOp op : copies) {
    int64_t bytes = contiguousBytes(op.getTarget());
    callCopy(op, bytes, bytes >= streamedBytes(device));
  }
}
