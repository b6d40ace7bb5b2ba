// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/Cloneable.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mercator;

static bool isCloneableConstant(arith::ConstantOp op, int64_t maxBytes) {
  if (op.getType().isIntOrIndexOrFloat() ||
      isa<SplatElementsAttr>(op.getValue()))
    return true;
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense)
    return false;
  Type type = dense.getElementType();
  int64_t factor = 1;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    type = complex.getElementType();
    factor = 2;
  }
  if (!type.isIntOrIndexOrFloat())
    return false;
  int64_t bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  int64_t total = 0;
  return !llvm::MulOverflow(dense.getNumElements(), bits * factor, total) &&
         total / 8 <= maxBytes;
}

/// Whether the tensor is unwritten: a tensor.empty in some shape.
static bool isEmpty(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<tensor::EmptyOp>(op);
}

bool flow::isCloneable(Operation *op, int64_t maxConstantBytes) {
  // Other reshapes could be cloned, but would hide from the dispatch that its
  // operand is a whole tensor.
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return isEmpty(op->getResult(0));
  if (isa<affine::AffineApplyOp, arith::IndexCastOp, tensor::EmptyOp,
          tensor::CastOp, tensor::ExtractOp, tensor::ExtractSliceOp,
          tensor::PadOp>(op))
    return true;
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return fill.hasPureTensorSemantics();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isCloneableConstant(constant, maxConstantBytes);
  auto isNumber = [](Type type) -> bool {
    return type.isIntOrFloat() || isa<ComplexType>(type);
  };
  return op->getNumRegions() == 0 && op->getNumSuccessors() == 0 &&
         isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperandTypes(), isNumber) &&
         llvm::all_of(op->getResultTypes(), isNumber);
}
