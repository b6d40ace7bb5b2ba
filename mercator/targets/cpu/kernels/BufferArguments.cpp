// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/BufferArguments.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mercator;

/// The address of a buffer: of its first element if the offset of its type is unknown.
static mlir::Value addressOf(OpBuilder &builder, Location loc,
                             const LLVMTypeConverter &types,
                             mlir::Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (auto view = buffer.getDefiningOp<memref::ViewOp>()) {
    // A part of a buffer of bytes. Its own descriptor is not needed.
    mlir::Value bytes = addressOf(builder, loc, types, view.getSource());
    mlir::Value shift =
        UnrealizedConversionCastOp::create(builder, loc, types.getIndexType(),
                                           view.getByteShift())
            .getResult(0);
    return LLVM::GEPOp::create(builder, loc, bytes.getType(),
                               builder.getI8Type(), bytes, shift);
  }
  MemRefDescriptor descriptor(UnrealizedConversionCastOp::create(
                                  builder, loc, types.convertType(type), buffer)
                                  .getResult(0));
  auto [strides, offset] = type.getStridesAndOffset();
  return ShapedType::isDynamic(offset)
             ? descriptor.bufferPtr(builder, loc, types, type)
             : descriptor.alignedPtr(builder, loc);
}

void cpu::passValue(OpBuilder &builder, Location loc,
                    const LLVMTypeConverter &types, mlir::Value value,
                    SmallVectorImpl<mlir::Value> &operands) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type) {
    operands.push_back(value);
    return;
  }
  operands.push_back(addressOf(builder, loc, types, value));
  auto [strides, offset] = type.getStridesAndOffset();
  if (type.hasStaticShape() &&
      !llvm::is_contained(strides, ShapedType::kDynamic))
    return;
  MemRefDescriptor descriptor(UnrealizedConversionCastOp::create(
                                  builder, loc, types.convertType(type), value)
                                  .getResult(0));
  for (auto [i, extent] : llvm::enumerate(type.getShape()))
    if (ShapedType::isDynamic(extent))
      operands.push_back(descriptor.size(builder, loc, unsigned(i)));
  for (auto [i, stride] : llvm::enumerate(strides))
    if (ShapedType::isDynamic(stride))
      operands.push_back(descriptor.stride(builder, loc, unsigned(i)));
}

mlir::Value cpu::receiveValue(OpBuilder &builder, Location loc,
                              const LLVMTypeConverter &types, Type type,
                              ValueRange &arguments) {
  auto next = [&] {
    mlir::Value first = arguments.front();
    arguments = arguments.drop_front();
    return first;
  };
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer)
    return next();
  auto descriptor =
      MemRefDescriptor::poison(builder, loc, types.convertType(buffer));
  mlir::Value address = next();
  descriptor.setAllocatedPtr(builder, loc, address);
  descriptor.setAlignedPtr(builder, loc, address);
  auto [strides, offset] = buffer.getStridesAndOffset();
  descriptor.setConstantOffset(builder, loc,
                               ShapedType::isDynamic(offset) ? 0 : offset);
  for (auto [i, extent] : llvm::enumerate(buffer.getShape()))
    if (ShapedType::isDynamic(extent))
      descriptor.setSize(builder, loc, unsigned(i), next());
    else
      descriptor.setConstantSize(builder, loc, unsigned(i), extent);
  for (auto [i, stride] : llvm::enumerate(strides))
    if (ShapedType::isDynamic(stride))
      descriptor.setStride(builder, loc, unsigned(i), next());
    else
      descriptor.setConstantStride(builder, loc, unsigned(i), stride);
  return UnrealizedConversionCastOp::create(builder, loc, type,
                                            mlir::Value(descriptor))
      .getResult(0);
}

/// The arguments become those that pass their values.
static void receiveBuffers(func::FuncOp kernel,
                           const LLVMTypeConverter &types) {
  Block &entry = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  Location loc = kernel.getLoc();
  unsigned before = entry.getNumArguments();
  auto add = [&](Type type) { entry.addArgument(type, loc); };
  Type number = types.getIndexType();
  for (Type type : kernel.getArgumentTypes()) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (!buffer) {
      add(type);
      continue;
    }
    add(LLVM::LLVMPointerType::get(kernel.getContext()));
    auto [strides, offset] = buffer.getStridesAndOffset();
    for (ArrayRef<int64_t> numbers : {buffer.getShape(), ArrayRef(strides)})
      for (int64_t each : numbers)
        if (ShapedType::isDynamic(each))
          add(number);
  }
  ValueRange arguments = entry.getArguments().drop_front(before);
  for (BlockArgument old : entry.getArguments().take_front(before))
    old.replaceAllUsesWith(
        cpu::receiveValue(builder, loc, types, old.getType(), arguments));
  entry.eraseArguments(0, before);
  kernel.removeArgAttrsAttr();
  kernel.setType(builder.getFunctionType(entry.getArgumentTypes(), {}));
}

void cpu::passBuffersToKernels(ModuleOp module) {
  LLVMTypeConverter types(module.getContext());
  SymbolTable symbols(module);
  SetVector<func::FuncOp> kernels;
  SmallVector<func::CallOp> calls;
  module.walk([&](func::CallOp call) {
    auto kernel = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!kernel || kernel.isExternal() || kernel.getNumResults() != 0)
      return;
    kernels.insert(kernel);
    calls.push_back(call);
  });
  SetVector<memref::ViewOp> views;
  for (func::CallOp call : calls) {
    OpBuilder builder(call);
    SmallVector<mlir::Value> operands;
    for (mlir::Value operand : call.getOperands()) {
      cpu::passValue(builder, call.getLoc(), types, operand, operands);
      if (auto view = operand.getDefiningOp<memref::ViewOp>())
        views.insert(view);
    }
    call->setOperands(operands);
  }
  for (memref::ViewOp view : views)
    if (view->use_empty())
      view.erase();
  for (func::FuncOp kernel : kernels)
    receiveBuffers(kernel, types);
}
