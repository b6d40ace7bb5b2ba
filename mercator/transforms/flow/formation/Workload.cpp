// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/Regions.h"
#include "mercator/transforms/flow/operations/Candidates.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

/// From 0 to each of the sizes.
static SmallVector<Range> rangesOf(Builder &builder,
                                   ArrayRef<OpFoldResult> sizes) {
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  return llvm::map_to_vector(
      sizes, [&](OpFoldResult size) { return Range{zero, size, one}; });
}

/// The extents of a tensor.
static SmallVector<OpFoldResult> sizesOf(ExtentResolver &extents, Value value) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t i = 0, e = cast<RankedTensorType>(value.getType()).getRank();
       i < e; ++i)
    sizes.push_back(extents.get(value, i));
  return sizes;
}

/// The number of iterations of each parallel loop, from the operands that the
/// loop indexes directly: a static extent if there is one, else the first;
/// nothing without such an operand.
static std::optional<SmallVector<OpFoldResult>>
sizesOfLoops(ExtentResolver &extents, linalg::LinalgOp op, Value one) {
  struct Place {
    Value operand;
    int64_t dimension = 0;
    bool isStatic = false;
  };
  SmallVector<Place> places(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    for (auto [i, result] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(result);
      if (!loop)
        continue;
      Place &place = places[loop.getPosition()];
      bool isStatic = !type.isDynamicDim(i);
      if (!place.operand || (isStatic && !place.isStatic))
        place = {operand.get(), static_cast<int64_t>(i), isStatic};
    }
  }
  SmallVector<OpFoldResult> sizes;
  for (auto [place, iterator] :
       llvm::zip_equal(places, op.getIteratorTypesArray())) {
    if (iterator == utils::IteratorType::reduction)
      sizes.push_back(one);
    else if (!place.operand)
      return std::nullopt;
    else
      sizes.push_back(extents.get(place.operand, place.dimension));
  }
  return sizes;
}

static FailureOr<SmallVector<Range>> loopsOf(ExtentResolver &extents,
                                             Operation *op) {
  OpBuilder &builder = extents.getBuilder();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return rangesOf(builder, sizesOf(extents, slice.getResult()));
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return rangesOf(builder, sizesOf(extents, slice.getSource()));
  auto tiling = dyn_cast<TilingInterface>(op);
  if (!tiling)
    return failure();
  Value one = arith::ConstantIndexOp::create(builder, op->getLoc(), 1);
  if (linalg::LinalgOp linalgOp = asLinalgOnTensors(op))
    if (auto sizes = sizesOfLoops(extents, linalgOp, one))
      return rangesOf(builder, *sizes);
  SmallVector<Range> ranges = tiling.getIterationDomain(builder);
  for (auto [range, iterator] :
       llvm::zip_equal(ranges, tiling.getLoopIteratorTypes()))
    if (iterator == utils::IteratorType::reduction)
      range.size = one;
  return ranges;
}

FailureOr<SmallVector<Value>> flow::buildWorkload(ExtentResolver &extents,
                                                  Operation *op) {
  OpBuilder &builder = extents.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  FailureOr<SmallVector<Range>> ranges = loopsOf(extents, op);
  if (failed(ranges))
    return failure();
  AffineExpr begin, end, step;
  bindSymbols(builder.getContext(), begin, end, step);
  AffineMap count = AffineMap::get(0, 3, (end - begin).ceilDiv(step));
  Location loc = op->getLoc();
  SmallVector<Value> workload;
  for (Range range : *ranges) {
    SmallVector<Value> operands;
    for (OpFoldResult bound : {range.offset, range.size, range.stride})
      operands.push_back(getValueOrCreateConstantIndexOp(builder, loc, bound));
    workload.push_back(
        affine::AffineApplyOp::create(builder, loc, count, operands));
  }
  return workload;
}

void flow::buildWorkgroupCount(OpBuilder &builder, DispatchRegionOp region) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = region.getLoc();
  SmallVector<Type> types(region.getWorkload().getTypes());
  SmallVector<Location> locs(types.size(), loc);
  Block *body =
      builder.createBlock(&region.getWorkgroupCount(), {}, types, locs);
  auto counts = DispatchWorkgroupCountFromDagRootOp::create(
      builder, loc, body->getArguments());
  ReturnOp::create(builder, loc, counts->getResults());
}
