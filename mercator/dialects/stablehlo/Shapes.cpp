// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Shapes.h"

#include "mercator/dialects/stablehlo/Infer.h"

using namespace mlir;

namespace mercator::stablehlo {

using PerAxis = quant::UniformQuantizedPerAxisType;

LogicalResult expectQuantizedAlike(Operation *op, RankedTensorType operand,
                                   RankedTensorType result) {
  Type expected = operand.getElementType();
  if (auto axis = dyn_cast<PerAxis>(result.getElementType()))
    expected = withQuantizedDimension(expected, axis.getQuantizedDimension());
  return expectSameElement(op, "result", result, expected);
}

//===----------------------------------------------------------------------===//
// broadcast_in_dim
//===----------------------------------------------------------------------===//

/// Scales along a dimension are kept; the single scale of a broadcast dimension
/// applies to all its indices.
static LogicalResult verifyBroadcastScales(Operation *op,
                                           RankedTensorType operand,
                                           RankedTensorType result,
                                           ArrayRef<int64_t> dims) {
  auto from = dyn_cast<PerAxis>(operand.getElementType());
  auto to = dyn_cast<PerAxis>(result.getElementType());
  if (!from || !to)
    return success();
  int64_t dim = from.getQuantizedDimension();
  if (to.getQuantizedDimension() != dims[dim])
    return op->emitOpError()
           << "expected a result quantized along dimension " << dims[dim]
           << ", got " << to.getQuantizedDimension();
  if (operand.getDimSize(dim) != 1)
    return success();
  for (auto [scale, zero] : llvm::zip(to.getScales(), to.getZeroPoints()))
    if (scale != from.getScales()[0] || zero != from.getZeroPoints()[0])
      return op->emitOpError()
             << "expected every scale and zero point to be "
             << from.getScales()[0] << " and " << from.getZeroPoints()[0]
             << ", got " << scale << " and " << zero;
  return success();
}

LogicalResult verifyBroadcastInDim(Operation *op, RankedTensorType operand,
                                   RankedTensorType result,
                                   ArrayRef<int64_t> dims) {
  // (broadcast_in_dim C1), (dynamic_broadcast_in_dim C1)
  Type from = operand.getElementType(), to = result.getElementType();
  bool alike = isa<PerAxis>(from)
                   ? sameBaseline(from, to) ||
                         (isa<PerAxis>(to) &&
                          sameBaseline(withQuantizedDimension(from, 0),
                                       withQuantizedDimension(to, 0)))
                   : from == to;
  if (!alike)
    return op->emitOpError()
           << "expected result of element type " << from << ", got " << to;
  if ( // (broadcast_in_dim C2), (dynamic_broadcast_in_dim C2)
      failed(expectCount(op, "broadcast_dimensions", dims.size(),
                         operand.getRank())) ||
      // (broadcast_in_dim C3), (dynamic_broadcast_in_dim C3)
      failed(
          expectWithin(op, "broadcast_dimensions", dims, result.getRank())) ||
      // (broadcast_in_dim C4), (dynamic_broadcast_in_dim C4)
      failed(expectUnique(op, "broadcast_dimensions", dims)))
    return failure();
  // (broadcast_in_dim C5), (dynamic_broadcast_in_dim C5)
  Extents larger = extentsOf(result);
  // An unknown extent may be 1 when the program runs.
  bool mayBeOne = isa<DynamicBroadcastInDimOp>(op);
  for (auto [i, extent] : llvm::enumerate(extentsOf(operand)))
    if (extent.size != 1 && !agree(extent, larger[dims[i]]) &&
        !(mayBeOne && !extent.isKnown() && extent.bound != 0))
      return op->emitOpError()
             << "expected operand dimension " << i << " of extent 1 or "
             << larger[dims[i]].limit() << ", got " << extent.limit();
  // (broadcast_in_dim C6), (dynamic_broadcast_in_dim C6)
  return verifyBroadcastScales(op, operand, result, dims);
}

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

/// The product of the extents. Nothing if one is unknown; kTooMany if the
/// product does not fit in int64.
constexpr int64_t kTooMany = -1;
static std::optional<int64_t> count(ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t product = 1;
  for (int64_t dim : shape) {
    if (ShapedType::isDynamic(dim))
      return std::nullopt;
    if (product != kTooMany && llvm::MulOverflow(product, dim, product))
      product = kTooMany;
  }
  return product;
}

static bool sameCount(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  std::optional<int64_t> left = count(a), right = count(b);
  return !left || !right || *left == *right;
}

LogicalResult verifyReshape(Operation *op, RankedTensorType operand,
                            RankedTensorType result) {
  // (reshape C1), (dynamic_reshape C1)
  if (failed(expectQuantizedAlike(op, operand, result)))
    return failure();
  // (reshape C2), (dynamic_reshape C2)
  std::optional<int64_t> before = count(operand.getShape()),
                         after = count(result.getShape());
  if (before == kTooMany || after == kTooMany)
    return op->emitOpError() << "expected a number of elements below 2^63";
  if (before && after && *before != *after)
    return op->emitOpError()
           << "expected a result of " << *before << " elements, got " << *after;
  // (reshape C3), (dynamic_reshape C3)
  auto from = dyn_cast<PerAxis>(operand.getElementType());
  auto to = dyn_cast<PerAxis>(result.getElementType());
  if (!from || !to)
    return success();
  int64_t fromDim = from.getQuantizedDimension(),
          toDim = to.getQuantizedDimension();
  ArrayRef<int64_t> shape = operand.getShape(), newShape = result.getShape();
  if (extentsAgree(shape[fromDim], newShape[toDim]) &&
      sameCount(shape.take_front(fromDim), newShape.take_front(toDim)) &&
      sameCount(shape.drop_front(fromDim + 1), newShape.drop_front(toDim + 1)))
    return success();
  return op->emitOpError()
         << "expected dimension " << fromDim
         << " of the operand, along which it is quantized, to become dimension "
         << toDim << " of the result, got " << operand << " and " << result;
}

} // namespace mercator::stablehlo
