// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/FlatLoops.h"
#include "mercator/targets/cpu/kernels/SumCode.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mercator;

/// How many of the last dimensions of a buffer are one line of elements.
static int64_t lineDims(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return 0;
  int64_t next = 1, count = 0;
  for (int64_t d = type.getRank() - 1; d >= 0; --d, ++count) {
    if (strides[size_t(d)] != next)
      break;
    // The outermost of them may have an unknown extent.
    if (type.isDynamicDim(unsigned(d)))
      return count + 1;
    next *= type.getDimSize(unsigned(d));
  }
  return count;
}

/// Iterations of an innermost loop that is worth it.
static constexpr int64_t kShort = 128;

/// How many of the last loops can be one; at most 1 if none can be joined.
static int64_t joinableLoops(linalg::GenericOp op) {
  auto loops = int64_t(op.getNumLoops());
  int64_t count = loops;
  if (loops < 2 || op.getNumReductionLoops() != 0 ||
      !op.hasPureBufferSemantics() || op.hasIndexSemantics())
    return 1;
  int64_t innermost = op.getStaticLoopRanges().back();
  if (ShapedType::isDynamic(innermost) || innermost >= kShort)
    return 1;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type || type.getRank() == 0)
      continue;
    if (!op.getMatchingIndexingMap(&operand).isIdentity())
      return 1;
    count = std::min(count, lineDims(type));
  }
  return count;
}

static void flatten(linalg::GenericOp op, int64_t count) {
  OpBuilder builder(op);
  auto loops = int64_t(op.getNumLoops()), kept = loops - count;
  SmallVector<ReassociationIndices> groups;
  for (int64_t loop = 0; loop < kept; ++loop)
    groups.push_back({loop});
  groups.emplace_back(llvm::to_vector(llvm::seq<int64_t>(kept, loops)));
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type || type.getRank() == 0) {
      AffineMap none = AffineMap::get(unsigned(kept + 1), 0, op.getContext());
      maps.push_back(none);
      continue;
    }
    operand.set(memref::CollapseShapeOp::create(builder, op.getLoc(),
                                                operand.get(), groups));
    maps.push_back(builder.getMultiDimIdentityMap(unsigned(kept + 1)));
  }
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  SmallVector<Attribute> kinds(
      size_t(kept + 1), linalg::IteratorTypeAttr::get(
                            op.getContext(), utils::IteratorType::parallel));
  op.setIteratorTypesAttr(builder.getArrayAttr(kinds));
}

void cpu::flattenColumns(func::FuncOp kernel) {
  SmallVector<linalg::GenericOp> operations;
  kernel.walk([&](linalg::GenericOp op) { operations.push_back(op); });
  IRRewriter rewriter(kernel.getContext());
  for (linalg::GenericOp op : operations)
    for (;;) {
      std::optional<unsigned> columns = cpu::columnsOf(op);
      int64_t extent =
          columns ? op.getStaticLoopRanges()[*columns] : ShapedType::kDynamic;
      if (ShapedType::isDynamic(extent) || extent >= kShort || *columns == 0 ||
          op.getIteratorTypesArray()[*columns - 1] !=
              utils::IteratorType::parallel)
        break;
      ReassociationIndices both = {int64_t(*columns) - 1, *columns};
      rewriter.setInsertionPoint(op);
      if (!linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), {both}))
        break;
      auto made = linalg::collapseOpIterationDims(op, {both}, rewriter);
      if (failed(made))
        break;
      rewriter.eraseOp(op);
      op = cast<linalg::GenericOp>(made->collapsedOp);
    }
}

void cpu::flattenLoops(func::FuncOp kernel) {
  SmallVector<linalg::GenericOp> operations;
  kernel.walk([&](linalg::GenericOp op) { operations.push_back(op); });
  for (linalg::GenericOp op : operations)
    if (int64_t count = joinableLoops(op); count > 1)
      flatten(op, count);
}
