// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/ExpandShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mercator;

static OpFoldResult product(OpBuilder &builder, Location loc, OpFoldResult a,
                            OpFoldResult b) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return builder.getIndexAttr(*x * *y);
  if (x == 1)
    return b;
  if (y == 1)
    return a;
  return arith::MulIOp::create(builder, loc,
                               getValueOrCreateConstantIndexOp(builder, loc, a),
                               getValueOrCreateConstantIndexOp(builder, loc, b))
      .getResult();
}

static void describe(memref::ExpandShapeOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  MemRefType type = op.getResultType();
  auto source =
      memref::ExtractStridedMetadataOp::create(builder, loc, op.getSrc());
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape(),
                            from = source.getConstifiedMixedStrides(),
                            strides(sizes.size());
  for (auto [stride, group] :
       llvm::zip_equal(from, op.getReassociationIndices()))
    for (int64_t d : llvm::reverse(group)) {
      strides[size_t(d)] = stride;
      stride = product(builder, loc, stride, sizes[size_t(d)]);
    }
  // The constants of the type.
  auto [known, offset] = type.getStridesAndOffset();
  for (auto [stride, constant] : llvm::zip_equal(strides, known))
    if (!ShapedType::isDynamic(constant))
      stride = builder.getIndexAttr(constant);
  OpFoldResult begin = source.getConstifiedMixedOffset();
  if (!ShapedType::isDynamic(offset))
    begin = builder.getIndexAttr(offset);
  op.replaceAllUsesWith(
      memref::ReinterpretCastOp::create(
          builder, loc, type, source.getBaseBuffer(), begin, sizes, strides)
          .getResult());
  op.erase();
}

void cpu::describeExpandedShapes(ModuleOp module) {
  SmallVector<memref::ExpandShapeOp> unknown;
  module.walk([&](memref::ExpandShapeOp op) {
    if (!op.getResultType().hasStaticShape())
      unknown.push_back(op);
  });
  llvm::for_each(unknown, describe);
}
