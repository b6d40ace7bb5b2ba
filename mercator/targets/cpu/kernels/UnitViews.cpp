// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/UnitViews.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mercator;

namespace {
/// A read of a buffer behind a view.
struct UnitRead {
  mlir::Value buffer;
  AffineMap map;
};
} // namespace

static bool isWholeBuffer(mlir::Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.hasStaticShape() && type.getLayout().isIdentity();
}

/// The same read, of the buffer that an operation makes a view of; none if the view does
/// more than add or drop dimensions of extent 1.
static std::optional<UnitRead> readBehind(mlir::Value view, AffineMap map) {
  Operation *op = view.getDefiningOp();
  if (!isa_and_nonnull<memref::CollapseShapeOp, memref::ExpandShapeOp>(op))
    return std::nullopt;
  mlir::Value buffer = op->getOperand(0);
  if (!isWholeBuffer(view) || !isWholeBuffer(buffer))
    return std::nullopt;
  auto collapse = dyn_cast<memref::CollapseShapeOp>(op);
  SmallVector<ReassociationIndices> groups =
      collapse ? collapse.getReassociationIndices()
               : cast<memref::ExpandShapeOp>(op).getReassociationIndices();
  // The shape with more dimensions.
  ArrayRef<int64_t> many =
      cast<MemRefType>((collapse ? buffer : view).getType()).getShape();
  AffineExpr zero = getAffineConstantExpr(0, map.getContext());
  SmallVector<AffineExpr> indices(
      size_t(cast<MemRefType>(buffer.getType()).getRank()), zero);
  for (auto [one, group] : llvm::enumerate(groups)) {
    unsigned longDims = 0;
    for (int64_t dim : group) {
      if (many[size_t(dim)] == 1)
        continue;
      ++longDims;
      if (collapse)
        indices[size_t(dim)] = map.getResult(unsigned(one));
      else
        indices[one] = map.getResult(unsigned(dim));
    }
    if (longDims > 1)
      return std::nullopt;
  }
  return UnitRead{
      buffer, AffineMap::get(map.getNumDims(), 0, indices, map.getContext())};
}

void cpu::readThroughUnitViews(Block &block) {
  IRRewriter rewriter(block.getParentOp()->getContext());
  SmallVector<linalg::LinalgOp> operations(block.getOps<linalg::LinalgOp>());
  for (linalg::LinalgOp op : operations) {
    if (!op.hasPureBufferSemantics() || isa<linalg::FillOp>(op))
      continue;
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<mlir::Value> operands(op->getOperands());
    bool isChanged = false;
    for (OpOperand *input : op.getDpsInputOperands()) {
      unsigned number = input->getOperandNumber();
      while (isa<MemRefType>(operands[number].getType())) {
        auto behind = readBehind(operands[number], maps[number]);
        if (!behind)
          break;
        operands[number] = behind->buffer;
        maps[number] = behind->map;
        isChanged = true;
      }
    }
    // Each loop has its extent from some operand.
    if (!isChanged ||
        !inversePermutation(concatAffineMaps(maps, rewriter.getContext())))
      continue;
    auto generic = dyn_cast<linalg::GenericOp>(*op);
    if (!generic) {
      rewriter.setInsertionPoint(op);
      DictionaryAttr kept = op->getDiscardableAttrDictionary(); // its schedule
      FailureOr<linalg::GenericOp> made =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(made))
        continue;
      generic = *made;
      generic->setDiscardableAttrs(kept);
    }
    generic->setOperands(operands);
    generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  }
  // A view that nothing reads is no use of its buffer.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(op) &&
        op.use_empty())
      op.erase();
}
