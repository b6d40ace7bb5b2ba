// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the operations with dynamic shapes. The values of constant
// operands are checked. Each check names its constraint of the specification.

#include "mercator/dialects/stablehlo/Infer.h"
#include "mercator/dialects/stablehlo/Shapes.h"

using namespace mlir;
using namespace mercator::stablehlo;

/// Expects that `shape` has as many elements as the result has dimensions and,
/// if it is constant, equals the shape of the result.
static LogicalResult expectShapeOperand(Operation *op, StringRef what,
                                        Value shape, RankedTensorType result) {
  auto type = cast<RankedTensorType>(shape.getType());
  if (failed(expectCount(op, what, type.getDimSize(0), result.getRank())))
    return failure();
  std::optional<SmallVector<int64_t>> sizes = constantIntegers(shape);
  if (!sizes)
    return success();
  Extents expected;
  for (int64_t size : *sizes)
    expected.push_back(Extent::of(size));
  return failure(failed(expectAtLeast(op, what, *sizes, 0)) ||
                 failed(expectExtents(op, "result", result, expected)));
}

LogicalResult DynamicIotaOp::verify() {
  int64_t count = getOutputShape().getType().getDimSize(0);
  return failure(
      // (dynamic_iota C1)
      failed(expectDims(*this, "iota dimension", {int64_t(getIotaDimension())},
                        count)) ||
      // (dynamic_iota C2)
      failed(expectShapeOperand(*this, "output_shape", getOutputShape(),
                                getType())));
}

LogicalResult DynamicBroadcastInDimOp::verify() {
  auto operand = getOperand().getType();
  if (failed(verifyBroadcastInDim(*this, operand, getType(),
                                  getBroadcastDimensions())) ||
      // (dynamic_broadcast_in_dim C7)
      failed(expectShapeOperand(*this, "output_dimensions",
                                getOutputDimensions(), getType())))
    return failure();
  // The extents of a constant operand are checked too.
  if (std::optional<SmallVector<int64_t>> sizes =
          constantIntegers(getOutputDimensions()))
    for (auto [i, dim] : llvm::enumerate(getBroadcastDimensions()))
      if (operand.getDimSize(i) != 1 &&
          !extentsAgree(operand.getDimSize(i), (*sizes)[dim]))
        return emitOpError()
               << "expected operand dimension " << i << " of extent 1 or "
               << (*sizes)[dim] << ", got " << operand.getDimSize(i);
  SmallVector<int64_t> expanding(
      getKnownExpandingDimensions().value_or(ArrayRef<int64_t>())),
      kept(getKnownNonexpandingDimensions().value_or(ArrayRef<int64_t>()));
  SmallVector<int64_t> both(expanding);
  llvm::append_range(both, kept);
  return failure(
      // (dynamic_broadcast_in_dim C8)
      failed(expectUnique(*this,
                          "known_expanding_dimensions and "
                          "known_nonexpanding_dimensions",
                          both)) ||
      // (dynamic_broadcast_in_dim C9)
      failed(expectWithin(*this, "known_expanding_dimensions", expanding,
                          operand.getRank())) ||
      // (dynamic_broadcast_in_dim C10)
      failed(expectWithin(*this, "known_nonexpanding_dimensions", kept,
                          operand.getRank())));
}

LogicalResult DynamicReshapeOp::verify() {
  if (failed(verifyReshape(*this, getOperand().getType(), getType())) ||
      // (dynamic_reshape C4)
      failed(expectShapeOperand(*this, "output_shape", getOutputShape(),
                                getType())))
    return failure();
  std::optional<SmallVector<int64_t>> sizes =
      constantIntegers(getOutputShape());
  if (!sizes)
    return success();
  auto shape =
      RankedTensorType::get(*sizes, getOperand().getType().getElementType());
  if (isa<quant::UniformQuantizedPerAxisType>(shape.getElementType()))
    return success();
  return verifyReshape(*this, getOperand().getType(), shape);
}

LogicalResult DynamicPadOp::verify() {
  auto operand = getOperand().getType();
  Type element = operand.getElementType();
  int64_t rank = operand.getRank();
  Value low = getEdgePaddingLow(), high = getEdgePaddingHigh(),
        interior = getInteriorPadding();
  auto length = [](Value value) {
    return size_t(cast<RankedTensorType>(value.getType()).getDimSize(0));
  };
  if ( // (dynamic_pad C1)
      failed(expectSameElement(*this, "padding_value",
                               getPaddingValue().getType(), element)) ||
      failed(expectSameElement(*this, "result", getType(), element)) ||
      // (dynamic_pad C2)
      failed(expectCount(*this, "edge_padding_low", length(low), rank)) ||
      failed(expectCount(*this, "edge_padding_high", length(high), rank)) ||
      failed(expectCount(*this, "interior_padding", length(interior), rank)))
    return failure();
  std::optional<SmallVector<int64_t>> lows = constantIntegers(low),
                                      highs = constantIntegers(high),
                                      interiors = constantIntegers(interior);
  // (dynamic_pad C3)
  if (interiors &&
      failed(expectAtLeast(*this, "interior_padding", *interiors, 0)))
    return failure();
  // (dynamic_pad C4)
  Extents expected(rank);
  if (lows && highs && interiors)
    for (auto [i, extent] : llvm::enumerate(extentsOf(operand))) {
      FailureOr<Extent> more =
          padded(extent, (*lows)[i], (*highs)[i], (*interiors)[i]);
      if (failed(more))
        return emitOpError()
               << "expected padding of dimension " << i
               << " that leaves an extent of at least 0 and below 2^63";
      expected[i] = *more;
    }
  return expectExtents(*this, "result", getType(), expected);
}

LogicalResult RealDynamicSliceOp::verify() {
  auto operand = getOperand().getType();
  for (auto [name, value] :
       {std::pair<StringRef, Value>("start_indices", getStartIndices()),
        std::pair<StringRef, Value>("limit_indices", getLimitIndices()),
        std::pair<StringRef, Value>("strides", getStrides())}) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type != getStartIndices().getType())
      return emitOpError() << "expected " << name << " of type "
                           << getStartIndices().getType()
                           << " as start_indices, got " << type;
    if (failed(expectShape(*this, name, type, {operand.getRank()})))
      return failure();
  }
  return failure(failed(expectSameElement(*this, "result", getType(),
                                          operand.getElementType())) ||
                 failed(expectExtents(*this, "result", getType(),
                                      Extents(operand.getRank()))));
}

// (get_dimension_size C1)
LogicalResult GetDimensionSizeOp::verify() {
  return failure(
      failed(expectDims(*this, "dimension", {int64_t(getDimension())},
                        getOperand().getType().getRank())) ||
      failed(expectScalar(*this, "result", getType())));
}

LogicalResult SetDimensionSizeOp::verify() {
  auto operand = getOperand().getType();
  int64_t dim = getDimension();
  if (failed(expectDims(*this, "dimension", {dim}, operand.getRank())) ||
      failed(expectScalar(*this, "size", getSize().getType())) ||
      failed(expectSameElement(*this, "result", getType(),
                               operand.getElementType())))
    return failure();
  // The dimension may get any size up to its capacity.
  Extents expected = extentsOf(operand);
  expected[dim] = Extent::atMost(expected[dim].limit());
  return expectExtents(*this, "result", getType(), expected);
}

LogicalResult TorchIndexSelectOp::verify() {
  auto operand = getOperand().getType();
  auto index = getIndex().getType();
  int64_t dim = getDim(), batchDims = getBatchDims();
  if (failed(expectSameElement(*this, "result", getType(),
                               operand.getElementType())) ||
      failed(expectDims(*this, "dim", {dim}, operand.getRank())))
    return failure();
  if (batchDims < 0 || batchDims > dim || batchDims > index.getRank())
    return emitOpError() << "expected batch_dims within [0, "
                         << std::min(dim, index.getRank()) << "], got "
                         << batchDims;
  // The indices replace the selected dimension; batch dimensions come first.
  Extents expected = extentsOf(operand), selected = extentsOf(index);
  expected.erase(expected.begin() + dim);
  expected.insert(expected.begin() + dim, selected.begin() + batchDims,
                  selected.end());
  return expectExtents(*this, "result", getType(), expected);
}
