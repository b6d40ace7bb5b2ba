// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Splats.h"
#include "mercator/dialects/flow/Flow.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferUtils.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mercator;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The elements of a constant that is a splat; null for others.
static DenseElementsAttr splatOf(Operation *op) {
  DenseElementsAttr elements;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  else if (auto constant = dyn_cast<flow::TensorConstantOp>(op))
    elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!elements || !elements.isSplat() ||
      elements.getType() != op->getResult(0).getType())
    return {};
  // The count may not fit in 64 bits only if no tensor of it can exist.
  int64_t bytes = cpu::elementBytes(elements.getElementType());
  for (int64_t extent : elements.getType().getShape())
    if (llvm::MulOverflow(bytes, extent, bytes))
      return {};
  return bytes >= cpu::kLeastSplatBytes ? elements : DenseElementsAttr();
}

static mlir::Value scalarOf(OpBuilder &builder, Location loc,
                            DenseElementsAttr elements) {
  Type type = elements.getElementType();
  auto value = elements.getSplatValue<Attribute>();
  if (isa<ComplexType>(type))
    return complex::ConstantOp::create(builder, loc, type,
                                       cast<ArrayAttr>(value));
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(value));
}

/// The same elements in another shape; null if that is not known.
static mlir::Value reshaped(OpBuilder &builder, Location loc,
                            DenseElementsAttr elements, mlir::Value result) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !type.hasStaticShape() ||
      type.getElementType() != elements.getElementType())
    return {};
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, elements.getSplatValue<Attribute>()));
}

/// Replaces the operations that take a part of the constant, or reshape it, by
/// constants.
template <typename... Parts>
static void foldParts(Operation *constant, DenseElementsAttr elements,
                      SmallVectorImpl<Operation *> &more) {
  for (Operation *user : llvm::make_early_inc_range(constant->getUsers())) {
    if (!isa<Parts...>(user))
      continue;
    OpBuilder builder(user);
    mlir::Value part =
        reshaped(builder, user->getLoc(), elements, user->getResult(0));
    if (!part)
      continue;
    user->getResult(0).replaceAllUsesWith(part);
    user->erase();
    more.push_back(part.getDefiningOp());
  }
}

static SmallVector<Operation *> constantsIn(func::FuncOp function) {
  SmallVector<Operation *> found;
  function.walk([&](Operation *op) {
    if (isa<arith::ConstantOp, flow::TensorConstantOp>(op))
      found.push_back(op);
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Host programs
//===----------------------------------------------------------------------===//

/// Whether the operation neither updates the tensor nor passes it on.
static bool onlyReads(OpOperand &use,
                      llvm::function_ref<mlir::Value(OpResult)> updated) {
  Operation *op = use.getOwner();
  return !op->hasTrait<OpTrait::IsTerminator>() &&
         llvm::none_of(op->getResults(), [&](OpResult result) {
           return isa<RankedTensorType>(result.getType()) &&
                  updated(result) == use.get();
         });
}

/// Each operation that updates a tensor of equal elements, or an empty one, or passes it
/// on, has one of its own. To fill it takes less than to copy it.
static void splitFills(func::FuncOp host,
                       llvm::function_ref<mlir::Value(OpResult)> updated) {
  SmallVector<Operation *> fills;
  host.walk([&](Operation *op) {
    if (isa<flow::TensorSplatOp, flow::TensorEmptyOp>(op))
      fills.push_back(op);
  });
  for (Operation *fill : fills)
    for (OpOperand &use : llvm::make_early_inc_range(fill->getUses()))
      if (!fill->hasOneUse() && !onlyReads(use, updated))
        use.set(OpBuilder(use.getOwner()).clone(*fill)->getResult(0));
}

void cpu::fillSplats(func::FuncOp host,
                     llvm::function_ref<mlir::Value(OpResult)> updated) {
  splitFills(host, updated);
  SmallVector<Operation *> open = constantsIn(host);
  while (!open.empty()) {
    Operation *constant = open.pop_back_val();
    DenseElementsAttr elements = splatOf(constant);
    if (!elements)
      continue;
    foldParts<flow::TensorReshapeOp, flow::TensorSliceOp>(constant, elements,
                                                          open);
    auto fill = [&](OpBuilder builder) -> mlir::Value {
      Location loc = constant->getLoc();
      return flow::TensorSplatOp::create(
          builder, loc, cast<RankedTensorType>(elements.getType()),
          scalarOf(builder, loc, elements), ValueRange());
    };
    SmallVector<OpOperand *> reads;
    for (OpOperand &use : llvm::make_early_inc_range(constant->getUses()))
      if (onlyReads(use, updated))
        reads.push_back(&use);
      else
        use.set(fill(OpBuilder(use.getOwner())));
    if (!reads.empty()) {
      // Before the first of them, or before all loops.
      Block &entry = host.getBody().front();
      Operation *first = reads.front()->getOwner();
      for (OpOperand *use : reads)
        if (use->getOwner()->getBlock() != &entry)
          first = &entry.front();
        else if (first->getBlock() == &entry &&
                 use->getOwner()->isBeforeInBlock(first))
          first = use->getOwner();
      if (first->getBlock() != &entry)
        first = &entry.front();
      mlir::Value tensor = fill(OpBuilder(first));
      for (OpOperand *use : reads)
        use->set(tensor);
    }
    constant->erase();
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Whether the operation writes to the buffer of the tensor, or passes it on.
static bool needsBuffer(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
    return style.isDpsInit(&use);
  return isa<LoopLikeOpInterface, flow::DispatchTensorStoreOp>(op) ||
         op->hasTrait<OpTrait::IsTerminator>();
}

LogicalResult cpu::viewSplats(func::FuncOp kernel) {
  SymbolTableCollection symbols;
  SmallVector<Operation *> open = constantsIn(kernel);
  while (!open.empty()) {
    Operation *constant = open.pop_back_val();
    DenseElementsAttr elements = splatOf(constant);
    if (!elements)
      continue;
    foldParts<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
              tensor::ExpandShapeOp>(constant, elements, open);
    Location loc = constant->getLoc();
    auto type = cast<RankedTensorType>(elements.getType());
    for (OpOperand &use : llvm::make_early_inc_range(constant->getUses())) {
      if (!needsBuffer(use))
        continue;
      OpBuilder builder(use.getOwner());
      mlir::Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                                  type.getElementType());
      use.set(linalg::FillOp::create(builder, loc,
                                     scalarOf(builder, loc, elements), empty)
                  .getResult(0));
    }
    if (!constant->use_empty()) {
      OpBuilder builder(constant);
      auto one = arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(
              RankedTensorType::get({}, type.getElementType()),
              elements.getSplatValue<Attribute>()));
      FailureOr<memref::GlobalOp> global =
          bufferization::getGlobalFor(one, symbols, /*alignment=*/64);
      one.erase();
      if (failed(global))
        return failure();
      mlir::Value element = memref::GetGlobalOp::create(
          builder, loc, global->getType(), global->getSymName());
      SmallVector<int64_t> strides(size_t(type.getRank()), 0);
      auto view = MemRefType::get(
          type.getShape(), type.getElementType(),
          StridedLayoutAttr::get(builder.getContext(), 0, strides));
      element = memref::ReinterpretCastOp::create(
          builder, loc, view, element, /*offset=*/0, type.getShape(), strides);
      mlir::Value tensor = bufferization::ToTensorOp::create(
          builder, loc, type, element, /*restrict=*/true, /*writable=*/false);
      constant->replaceAllUsesWith(ValueRange(tensor));
    }
    constant->erase();
  }
  return success();
}
