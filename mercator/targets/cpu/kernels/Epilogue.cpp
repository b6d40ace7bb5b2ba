// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Epilogue.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/Masks.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"
#include "mercator/targets/cpu/kernels/RowSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

//===----------------------------------------------------------------------===//
// What can be an epilogue
//===----------------------------------------------------------------------===//

/// Whether two values are views of the same elements.
static bool areSame(mlir::Value x, mlir::Value y) {
  if (x == y)
    return true;
  auto first = x.getDefiningOp<memref::SubViewOp>(),
       second = y.getDefiningOp<memref::SubViewOp>();
  return first && second && first.getType() == second.getType() &&
         first->getOperands() == second->getOperands() &&
         first->getAttrs() == second->getAttrs();
}

static bool accesses(Operation *op, mlir::Value root) {
  return llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
    return isa<MemRefType>(operand.getType()) && rootOf(operand) == root;
  });
}

/// The buffers that a copy or an operation writes.
static SmallVector<mlir::Value> writtenBy(Operation *op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return {copy.getTarget()};
  return cast<linalg::LinalgOp>(op).getDpsInits();
}

/// The next operation that accesses c, if it can run with the product: nothing
/// between the two writes what it reads, or accesses what it writes.
static linalg::GenericOp readerOf(const Contraction &own) {
  SmallVector<Operation *> between;
  for (Operation *op = own.op->getNextNode(); op; op = op->getNextNode()) {
    if (isOrderless(op))
      continue;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    bool isKnown = isa<memref::CopyOp>(op) ||
                   (linalgOp && linalgOp.hasPureBufferSemantics());
    bool loads = false;
    op->walk([&](memref::LoadOp) { loads = true; });
    if (!isKnown || loads)
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

/// Whether the body is arithmetic that vectors compute in the same way.
static bool isArithmetic(linalg::GenericOp op, Type element) {
  constexpr int64_t kMostOperations = 12;
  int64_t count = 0;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::CmpFOp,
             arith::SelectOp>(inner) ||
        ++count > kMostOperations)
      return false;
    Type type = inner.getResult(0).getType();
    if (type != element && !type.isInteger(1))
      return false;
    for (mlir::Value operand : inner.getOperands())
      if (operand.getType() != element && !operand.getType().isInteger(1))
        return false;
  }
  return count > 0;
}

/// Whether the addresses of an operand are linear along a loop of a tile, which may
/// pass over several dimensions of c. Sets the stride.
static bool isLinear(const ContractionLoop &loop, ArrayRef<int64_t> extents,
                     ArrayRef<int64_t> ofC, ArrayRef<int64_t> own,
                     int64_t &stride) {
  std::optional<int64_t> found;
  int64_t covered = 1;
  for (size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] == 1 || ofC[d] < loop.c || ofC[d] >= loop.c * loop.extent)
      continue;
    if (ofC[d] % loop.c != 0 || own[d] % (ofC[d] / loop.c) != 0)
      return false;
    int64_t step = own[d] / (ofC[d] / loop.c);
    if (found && *found != step)
      return false;
    found = step;
    covered *= extents[d];
  }
  stride = found.value_or(0);
  return loop.extent == 1 || covered >= loop.extent;
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
      !isArithmetic(reader, type.getElementType()))
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
    if (!isLinear(row, extents, *stridesOfC, made.strides, made.row) ||
        !isLinear(column, extents, *stridesOfC, made.strides, made.column) ||
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

std::string Epilogue::names() const {
  std::string text;
  mlir::linalg::GenericOp own = op;
  for (Operation &inner : own.getBlock()->without_terminator())
    text += (text.empty() ? "" : ", ") + inner.getName().stripDialect().str();
  return text;
}

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

mlir::Value Epilogue::emit(OpBuilder &builder, Location loc,
                           ArrayRef<mlir::Value> values,
                           VectorType type) const {
  mlir::linalg::GenericOp own = op;
  Block &body = *own.getBlock();
  IRMapping mapping;
  for (auto [argument, value] : llvm::zip(body.getArguments(), values))
    mapping.map(argument, value);
  auto vectorOf = [&](mlir::Value value) -> mlir::Value {
    if (mlir::Value known = mapping.lookupOrNull(value))
      return known;
    auto own = VectorType::get(type.getShape(), value.getType());
    mlir::Value made = vector::BroadcastOp::create(builder, loc, own, value);
    mapping.map(value, made);
    return made;
  };
  for (Operation &inner : body.without_terminator()) {
    OperationState state(loc, inner.getName());
    for (mlir::Value operand : inner.getOperands())
      state.operands.push_back(vectorOf(operand));
    state.addTypes(
        VectorType::get(type.getShape(), inner.getResult(0).getType()));
    state.addAttributes(inner.getAttrs());
    mapping.map(inner.getResult(0), builder.create(state)->getResult(0));
  }
  return vectorOf(body.getTerminator()->getOperand(0));
}
