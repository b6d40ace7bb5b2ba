// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Epilogue.h"
#include "mercator/targets/cpu/kernels/ElementBody.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/Masks.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"
#include "mercator/targets/cpu/kernels/RowSchedule.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

//===----------------------------------------------------------------------===//
// What can be an epilogue
//===----------------------------------------------------------------------===//

/// The next operation that accesses c, if it can run with the product: nothing
/// between the two writes what it reads, or accesses what it writes.
static linalg::GenericOp readerOf(const Contraction &own) {
  SmallVector<Operation *> between;
  for (Operation *op = own.op->getNextNode(); op; op = op->getNextNode()) {
    if (isOrderless(op))
      continue;
    bool loads = false;
    op->walk([&](memref::LoadOp) { loads = true; });
    if (!accessesOperandsAlone(op) || loads)
      return {};
    if (!accesses(op, rootOf(own.c))) {
      between.push_back(op);
      continue;
    }
    auto reader = dyn_cast<linalg::GenericOp>(op);
    if (!reader || reader.getNumDpsInits() != 1 || reader->hasAttr(kRows))
      return {};
    mlir::Value result = rootOf(reader.getDpsInits()[0]);
    for (Operation *other : between) {
      if (accesses(other, result))
        return {};
      for (mlir::Value written : writtenBy(other))
        if (accesses(reader, rootOf(written)))
          return {};
    }
    return reader;
  }
  return {};
}

/// Whether the body is arithmetic of this type alone.
static bool isArithmeticOf(linalg::GenericOp op, Type element) {
  auto isOwn = [&](Type type) { return type == element || type.isInteger(1); };
  return isVectorArithmetic(op) &&
         llvm::all_of(op.getBlock()->without_terminator(),
                      [&](Operation &inner) {
                        return llvm::all_of(inner.getOperandTypes(), isOwn) &&
                               llvm::all_of(inner.getResultTypes(), isOwn);
                      });
}

std::optional<Epilogue> Epilogue::of(const Contraction &own,
                                     const ContractionLoop &row,
                                     const ContractionLoop &column) {
  if (own.isPart || own.op->hasAttr(kColumnsBegin) ||
      own.op->hasAttr(kColumnsEnd))
    return std::nullopt;
  auto type = cast<MemRefType>(own.c.getType());
  auto stridesOfC = stridesOf(own.c);
  linalg::GenericOp reader = readerOf(own);
  if (!reader || !stridesOfC || !isa<FloatType>(type.getElementType()) ||
      !type.hasStaticShape() || reader.getNumReductionLoops() != 0 ||
      reader.hasIndexSemantics() ||
      !isArithmeticOf(reader, type.getElementType()))
    return std::nullopt;
  OpOperand *sum = nullptr, *init = reader.getDpsInitOperand(0);
  for (OpOperand *input : reader.getDpsInputOperands())
    if (input->get() == own.c) {
      if (sum)
        return std::nullopt;
      sum = input;
    }
  if (!sum || !isPlainWrite(reader, *init))
    return std::nullopt;
  AffineMap map = reader.getMatchingIndexingMap(sum);
  mlir::Value result = init->get();
  if (!map.isPermutation() ||
      !reader.getMatchingIndexingMap(init).isPermutation())
    return std::nullopt;
  bool isInPlace =
      areSame(result, own.c) && reader.getMatchingIndexingMap(init) == map;
  // Tiles are finished one after another, and rows of some are computed twice.
  for (OpOperand &other : reader->getOpOperands())
    if (&other != sum && &other != init &&
        isa<MemRefType>(other.get().getType()) &&
        (rootOf(other.get()) == rootOf(result) ||
         rootOf(other.get()) == rootOf(own.c)))
      return std::nullopt;
  if (!isInPlace && rootOf(result) == rootOf(own.c))
    return std::nullopt;
  if (rootOf(result) == rootOf(own.a) || rootOf(result) == rootOf(own.b))
    return std::nullopt;

  Epilogue epilogue;
  epilogue.op = reader;
  ArrayRef<int64_t> extents = type.getShape();
  auto operandOf = [&](OpOperand &operand) -> std::optional<Operand> {
    Operand made;
    if (&operand == sum)
      return made;
    made.buffer = operand.get();
    auto buffer = dyn_cast<MemRefType>(operand.get().getType());
    if (!buffer)
      return operand.get().getType() == type.getElementType()
                 ? std::optional(made)
                 : std::nullopt;
    auto strides = stridesOf(operand.get());
    if (!strides || buffer.getElementType() != type.getElementType())
      return std::nullopt;
    auto address =
        addressStrides(reader.getMatchingIndexingMap(&operand), *strides);
    if (!address)
      return std::nullopt;
    for (unsigned d = 0; d < extents.size(); ++d)
      made.strides.push_back((*address)[map.getDimPosition(d)]);
    if (!isLinear(row.extent, row.c, extents, *stridesOfC, made.strides,
                  made.row) ||
        !isLinear(column.extent, column.c, extents, *stridesOfC, made.strides,
                  made.column) ||
        (made.column != 0 && made.column != 1))
      return std::nullopt;
    return made;
  };
  for (OpOperand *input : reader.getDpsInputOperands()) {
    std::optional<Operand> operand = operandOf(*input);
    if (!operand)
      return std::nullopt;
    epilogue.inputs.push_back(std::move(*operand));
  }
  std::optional<Operand> written = operandOf(*init);
  if (!written || (written->column != 1 && column.extent != 1))
    return std::nullopt;
  epilogue.result = std::move(*written);
  mlir::Value root = rootOf(own.c);
  bool isOwn = bool(root.getDefiningOp<memref::AllocOp>()) && root == own.c;
  epilogue.storesSum =
      !isInPlace &&
      !(isOwn && llvm::all_of(root.getUsers(), [&](Operation *user) {
          return user == own.op || user == reader || isa<linalg::FillOp>(user);
        }));
  return epilogue;
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

void Epilogue::moveOperandsBefore(Operation *product) const {
  std::function<void(mlir::Value)> move = [&](mlir::Value value) {
    Operation *made = value.getDefiningOp();
    if (!made || made->getBlock() != product->getBlock() ||
        made->isBeforeInBlock(product))
      return;
    for (mlir::Value operand : made->getOperands())
      move(operand);
    made->moveBefore(product);
  };
  for (mlir::Value operand : mlir::linalg::GenericOp(op)->getOperands())
    move(operand);
}
