// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/Tiles.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

namespace {
constexpr int64_t kRows = 16, kWords = 16;

/// What both kinds of code are made with.
class TileLowering {
public:
  explicit TileLowering(func::FuncOp function)
      : function(function), b(function.getLoc(), function.getContext()) {}
  virtual ~TileLowering() = default;

  void run() {
    SmallVector<Operation *> operations;
    function.walk([&](Operation *op) {
      if (isa<amx::AMXDialect>(op->getDialect()))
        operations.push_back(op);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            retype(argument);
      for (mlir::Value result : op->getResults())
        if (!isa<amx::AMXDialect>(op->getDialect()))
          retype(result);
    });
    for (Operation *op : operations) {
      b.setInsertionPoint(op);
      b.setLoc(op->getLoc());
      if (auto zero = dyn_cast<amx::TileZeroOp>(op))
        zero.getRes().replaceAllUsesWith(this->zero(zero.getTileType()));
      else if (auto load = dyn_cast<amx::TileLoadOp>(op))
        load.getRes().replaceAllUsesWith(this->load(load));
      else if (auto store = dyn_cast<amx::TileStoreOp>(op))
        this->store(store);
      else
        op->getResult(0).replaceAllUsesWith(multiply(op));
      op->erase();
    }
  }

protected:
  virtual Type typeOf(amx::TileType type) = 0;
  virtual mlir::Value zero(amx::TileType type) = 0;
  virtual mlir::Value load(amx::TileLoadOp op) = 0;
  virtual void store(amx::TileStoreOp op) = 0;
  virtual mlir::Value multiply(Operation *op) = 0;

  /// What is stored: of another type than the operation expects.
  static mlir::Value valueOf(amx::TileStoreOp op) {
    return op.getODSOperands(2).front();
  }
  mlir::Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }

  func::FuncOp function;
  ImplicitLocOpBuilder b;

private:
  void retype(mlir::Value value) {
    if (auto type = dyn_cast<amx::TileType>(value.getType()))
      value.setType(typeOf(type));
  }
};

/// Instructions.
class TileInstructions : public TileLowering {
public:
  using TileLowering::TileLowering;

private:
  Type typeOf(amx::TileType) final {
    return LLVM::LLVMX86AMXType::get(b.getContext());
  }
  mlir::Value i16(int64_t value) {
    return LLVM::ConstantOp::create(b, b.getI16Type(),
                                    b.getI16IntegerAttr(int16_t(value)));
  }
  Operation *call(StringRef name, TypeRange results, ValueRange operands) {
    auto text = b.getStringAttr("llvm.x86." + name + ".internal");
    if (results.empty())
      return LLVM::CallIntrinsicOp::create(b, text, operands);
    return LLVM::CallIntrinsicOp::create(b, results[0], text, operands);
  }
  mlir::Value zero(amx::TileType type) final {
    return call("tilezero", typeOf(type), {i16(kRows), i16(4 * kWords)})
        ->getResult(0);
  }
  /// The address and the stride of rows, in bytes.
  std::pair<mlir::Value, mlir::Value> placeOf(mlir::Value buffer, ValueRange at,
                                              mlir::Value stride) {
    Type word = b.getI64Type();
    auto bytes = index(
        elementBytes(cast<MemRefType>(buffer.getType()).getElementType()));
    auto metadata = memref::ExtractStridedMetadataOp::create(b, buffer);
    mlir::Value base =
        memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
    mlir::Value first =
        arith::AddIOp::create(b, metadata.getOffset(), at.front());
    mlir::Value address =
        arith::AddIOp::create(b, base, arith::MulIOp::create(b, first, bytes));
    mlir::Value next = arith::MulIOp::create(b, stride, bytes);
    mlir::Value number = arith::IndexCastOp::create(b, word, address);
    return {LLVM::IntToPtrOp::create(
                b, LLVM::LLVMPointerType::get(b.getContext()), number),
            arith::IndexCastOp::create(b, word, next)};
  }
  mlir::Value load(amx::TileLoadOp op) final {
    auto [address, stride] =
        placeOf(op.getBase(), op.getIndices(), op.getStride());
    return call("tileloadd64", typeOf(op.getTileType()),
                {i16(kRows), i16(4 * kWords), address, stride})
        ->getResult(0);
  }
  void store(amx::TileStoreOp op) final {
    auto [address, stride] =
        placeOf(op.getBase(), op.getIndices(), op.getStride());
    call("tilestored64", {},
         {i16(kRows), i16(4 * kWords), address, stride, valueOf(op)});
  }
  mlir::Value multiply(Operation *op) final {
    std::string name = "tdpbf16ps";
    if (auto integers = dyn_cast<amx::TileMulIOp>(op))
      name = std::string("tdpb") + (integers.getIsZextLhs() ? "u" : "s") +
             (integers.getIsZextRhs() ? "u" : "s") + "d";
    return call(name, typeOf({}),
                {i16(kRows), i16(4 * kWords), i16(4 * kWords),
                 op->getOperand(2), op->getOperand(0), op->getOperand(1)})
        ->getResult(0);
  }
};

/// The same in loops. A tile is rows of words: vector<16x16xi32>.
class TileEmulation : public TileLowering {
public:
  using TileLowering::TileLowering;

private:
  VectorType row(Type element) { return VectorType::get({kWords}, element); }
  Type elementOf(amx::TileType type) {
    return type.getElementType().isF32() ? Type(b.getF32Type())
                                         : Type(b.getI32Type());
  }
  Type typeOf(amx::TileType type) final {
    return VectorType::get({kRows, kWords}, elementOf(type));
  }
  mlir::Value zero(amx::TileType type) final { return zeros(typeOf(type)); }
  mlir::Value zeros(Type type) {
    return arith::ConstantOp::create(b, type,
                                     cast<TypedAttr>(b.getZeroAttr(type)));
  }
  mlir::Value placeOf(ValueRange at, mlir::Value stride, int64_t row) {
    return arith::AddIOp::create(b, at.front(),
                                 arith::MulIOp::create(b, stride, index(row)));
  }
  mlir::Value load(amx::TileLoadOp op) final {
    Type inMemory = op.getMemRefType().getElementType();
    auto bytes =
        VectorType::get({4 * kWords / elementBytes(inMemory)}, inMemory);
    VectorType words = row(elementOf(op.getTileType()));
    mlir::Value tile = zero(op.getTileType());
    for (int64_t i = 0; i < kRows; ++i) {
      mlir::Value read = vector::LoadOp::create(
          b, bytes, op.getBase(),
          ValueRange(placeOf(op.getIndices(), op.getStride(), i)));
      if (read.getType() != words)
        read = vector::BitCastOp::create(b, words, read);
      tile = vector::InsertOp::create(b, read, tile, ArrayRef<int64_t>{i});
    }
    return tile;
  }
  void store(amx::TileStoreOp op) final {
    for (int64_t i = 0; i < kRows; ++i) {
      mlir::Value written =
          vector::ExtractOp::create(b, valueOf(op), ArrayRef<int64_t>{i});
      vector::StoreOp::create(
          b, written, op.getBase(),
          ValueRange(placeOf(op.getIndices(), op.getStride(), i)));
    }
  }
  /// Memory for a tile, whose rows are then found by numbers.
  mlir::Value spilled(mlir::Value tile) {
    OpBuilder::InsertionGuard guard(b);
    Operation *here = &*b.getInsertionPoint();
    b.setInsertionPointToStart(&function.getBody().front());
    mlir::Value room = memref::AllocaOp::create(
        b,
        MemRefType::get({kRows * kWords},
                        cast<VectorType>(tile.getType()).getElementType()),
        b.getI64IntegerAttr(64));
    b.setInsertionPoint(here);
    for (int64_t i = 0; i < kRows; ++i) {
      mlir::Value written =
          vector::ExtractOp::create(b, tile, ArrayRef<int64_t>{i});
      vector::StoreOp::create(b, written, room, ValueRange(index(i * kWords)));
    }
    return room;
  }
  /// One of the integers of each word.
  mlir::Value byteOf(mlir::Value words, int64_t place, bool isUnsigned) {
    mlir::Value up = constant(words, 24 - 8 * place),
                down = constant(words, 24);
    mlir::Value high = arith::ShLIOp::create(b, words, up);
    if (isUnsigned)
      return arith::ShRUIOp::create(b, high, down);
    return arith::ShRSIOp::create(b, high, down);
  }
  /// The even or the odd bf16 of each word.
  mlir::Value floatOf(mlir::Value words, bool isOdd) {
    mlir::Value bits =
        isOdd
            ? mlir::Value(arith::AndIOp::create(
                  b, words, constant(words, int32_t(0xFFFF0000))))
            : mlir::Value(arith::ShLIOp::create(b, words, constant(words, 16)));
    return arith::BitcastOp::create(b, row(b.getF32Type()), bits);
  }
  mlir::Value constant(mlir::Value like, int64_t value) {
    auto type = cast<VectorType>(like.getType());
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, b.getI32IntegerAttr(int32_t(value))));
  }
  mlir::Value multiply(Operation *op) final;
};
} // namespace

mlir::Value TileEmulation::multiply(Operation *op) {
  auto integers = dyn_cast<amx::TileMulIOp>(op);
  mlir::Value left = spilled(op->getOperand(0)),
              right = spilled(op->getOperand(1)),
              sums = spilled(op->getOperand(2));
  VectorType words = row(b.getI32Type());
  auto type = cast<VectorType>(op->getOperand(2).getType());
  VectorType sum = row(type.getElementType());
  auto rows = scf::ForOp::create(b, index(0), index(kRows), index(1));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(rows.getBody());
    mlir::Value first =
        arith::MulIOp::create(b, rows.getInductionVar(), index(kWords));
    mlir::Value own = vector::LoadOp::create(b, sum, sums, ValueRange(first));
    // Integers are added to the sum; floats to two sums of their own.
    SmallVector<mlir::Value> start = {own};
    if (!integers)
      start = {zeros(sum), zeros(sum)};
    auto steps =
        scf::ForOp::create(b, index(0), index(kWords), index(1), start);
    {
      OpBuilder::InsertionGuard inner(b);
      b.setInsertionPointToStart(steps.getBody());
      mlir::Value k = steps.getInductionVar();
      mlir::Value factor = memref::LoadOp::create(
          b, left, ValueRange(arith::AddIOp::create(b, first, k)));
      factor = vector::BroadcastOp::create(b, words, factor);
      mlir::Value column = vector::LoadOp::create(
          b, words, right,
          ValueRange(arith::MulIOp::create(b, k, index(kWords))));
      SmallVector<mlir::Value> next(steps.getRegionIterArgs());
      if (integers)
        for (int64_t i = 0; i < 4; ++i)
          next[0] = arith::AddIOp::create(
              b, next[0],
              arith::MulIOp::create(
                  b, byteOf(factor, i, integers.getIsZextLhs()),
                  byteOf(column, i, integers.getIsZextRhs())));
      else
        for (bool isOdd : {false, true})
          next[isOdd ? 1 : 0] = vector::FMAOp::create(b, floatOf(factor, isOdd),
                                                      floatOf(column, isOdd),
                                                      next[isOdd ? 1 : 0]);
      scf::YieldOp::create(b, next);
    }
    mlir::Value total = steps.getResult(0);
    if (!integers)
      total = arith::AddFOp::create(
          b, own, arith::AddFOp::create(b, total, steps.getResult(1)));
    vector::StoreOp::create(b, total, sums, ValueRange(first));
  }
  mlir::Value result = zeros(type);
  for (int64_t i = 0; i < kRows; ++i) {
    mlir::Value read =
        vector::LoadOp::create(b, sum, sums, ValueRange(index(i * kWords)));
    result = vector::InsertOp::create(b, read, result, ArrayRef<int64_t>{i});
  }
  return result;
}

void cpu::lowerTiles(ModuleOp module, bool emulates) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (emulates)
      TileEmulation(function).run();
    else
      TileInstructions(function).run();
  }
}
