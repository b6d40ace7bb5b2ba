// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/host/HostBuilder.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

mlir::Value HostBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

mlir::Value HostBuilder::integer(int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), value);
}

mlir::Value HostBuilder::toInteger(mlir::Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}

Type HostBuilder::pointer() {
  return LLVM::LLVMPointerType::get(builder.getContext());
}

mlir::Value HostBuilder::bytesAt(mlir::Value address) {
  Type word = builder.getI64Type(), one = LLVM::LLVMArrayType::get(word, 1);
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), {pointer(), pointer(), word, one, one});
  mlir::Value descriptor = LLVM::PoisonOp::create(builder, loc, type);
  auto set = [&](mlir::Value value, ArrayRef<int64_t> position) {
    descriptor =
        LLVM::InsertValueOp::create(builder, loc, descriptor, value, position);
  };
  set(address, {0});
  set(address, {1});
  set(integer(0), {2});
  set(integer(INT64_MAX), {3, 0});
  set(integer(1), {4, 0});
  return UnrealizedConversionCastOp::create(
             builder, loc,
             MemRefType::get({ShapedType::kDynamic}, builder.getI8Type()),
             descriptor)
      .getResult(0);
}

mlir::Value HostBuilder::view(MemRefType type, mlir::Value bytes,
                              int64_t offset, ValueRange dims) {
  return memref::ViewOp::create(builder, loc, type, bytes, index(offset), dims);
}

mlir::Value HostBuilder::pointerTo(mlir::Value buffer) {
  mlir::Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
  return LLVM::IntToPtrOp::create(builder, loc, pointer(), toInteger(address));
}

mlir::Value HostBuilder::byteSize(MemRefType type, ValueRange dims) {
  int64_t known = elementBytes(type.getElementType());
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      known *= extent;
  mlir::Value size = index(known);
  for (mlir::Value dim : dims)
    size = arith::MulIOp::create(builder, loc, size, dim);
  return toInteger(size);
}

mlir::Value HostBuilder::addressOf(StringRef symbol) {
  return LLVM::AddressOfOp::create(builder, loc, pointer(), symbol);
}

mlir::Value HostBuilder::at(mlir::Value address, int64_t bytes) {
  if (bytes == 0)
    return address;
  return LLVM::GEPOp::create(builder, loc, pointer(), builder.getI8Type(),
                             address, ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
}

mlir::Value HostBuilder::load(Type type, mlir::Value address, int64_t bytes) {
  auto made = LLVM::LoadOp::create(builder, loc, type, at(address, bytes));
  made.setInvariant(true); // tables of tensors and of extents
  return made;
}

void HostBuilder::store(mlir::Value value, mlir::Value address, int64_t bytes) {
  LLVM::StoreOp::create(builder, loc, value, at(address, bytes));
}

mlir::Value HostBuilder::stack(func::FuncOp function, int64_t bytes) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  return LLVM::AllocaOp::create(builder, loc, pointer(), builder.getI8Type(),
                                integer(std::max<int64_t>(bytes, 8)),
                                /*alignment=*/16);
}

mlir::Value HostBuilder::call(StringRef name, Type result,
                              ValueRange operands) {
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    SmallVector<Type> types(operands.getTypes());
    LLVM::LLVMFuncOp::create(builder, loc, name,
                             LLVM::LLVMFunctionType::get(result, types));
  }
  SmallVector<Type, 1> results;
  if (!isa<LLVM::LLVMVoidType>(result))
    results.push_back(result);
  auto made = LLVM::CallOp::create(builder, loc, results, name, operands);
  return results.empty() ? mlir::Value() : made.getResult();
}

void HostBuilder::check(mlir::Value status) {
  Block *here = builder.getInsertionBlock();
  Block *rest = here->splitBlock(builder.getInsertionPoint());
  Block *leave = new Block;
  leave->insertBefore(rest);
  builder.setInsertionPointToEnd(here);
  mlir::Value zero =
      LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), 0);
  mlir::Value isError =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, status, zero);
  cf::CondBranchOp::create(builder, loc, isError, leave, rest);
  builder.setInsertionPointToEnd(leave);
  func::ReturnOp::create(builder, loc, status);
  builder.setInsertionPointToStart(rest);
}

void HostBuilder::checkMemory(mlir::Value address) {
  constexpr int32_t kNoMemory = 3; // mercator_no_memory
  auto number = [&](int32_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
  };
  mlir::Value null = LLVM::ZeroOp::create(builder, loc, pointer());
  mlir::Value isNull = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::eq, address, null);
  check(LLVM::SelectOp::create(builder, loc, isNull, number(kNoMemory),
                               number(0)));
}
