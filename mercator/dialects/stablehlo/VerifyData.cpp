// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the operations that move elements, except gather and scatter.
// Each check names its constraint of the specification.

#include "mercator/dialects/stablehlo/Infer.h"
#include "mercator/dialects/stablehlo/Shapes.h"

using namespace mlir;
using namespace mercator::stablehlo;

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// The number of bits of an element; 0 if unknown.
static unsigned bitWidth(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * bitWidth(complex.getElementType());
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    return quantized.getStorageTypeIntegralWidth();
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

LogicalResult BitcastConvertOp::verify() {
  auto from = getOperand().getType(), to = getType();
  // (bitcast_convert C2)
  if (isa<ComplexType>(from.getElementType()) !=
      isa<ComplexType>(to.getElementType()))
    return emitOpError()
           << "expected operand and result both complex or neither, got "
           << from.getElementType() << " and " << to.getElementType();
  // (bitcast_convert C1)
  unsigned fromBits = bitWidth(from.getElementType()),
           toBits = bitWidth(to.getElementType());
  if (!fromBits || !toBits || fromBits == toBits)
    return expectExtents(*this, "result", to, extentsOf(from));
  bool narrows = fromBits > toBits;
  auto wide = narrows ? from : to, narrow = narrows ? to : from;
  unsigned more = std::max(fromBits, toBits),
           fewer = std::min(fromBits, toBits);
  if (more % fewer)
    return emitOpError()
           << "expected bit widths one of which divides the other, got "
           << fromBits << " and " << toBits;
  Extents expected = extentsOf(wide);
  expected.push_back(Extent::of(more / fewer));
  return expectExtents(*this, narrows ? "result" : "operand", narrow, expected);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// StableHLO creates no second dimension of unknown extent. HLO does; its
/// bounds are part of its layouts.
static LogicalResult expectOneBound(Operation *op, RankedTensorType result) {
  if (!isa_and_nonnull<TypeExtensionsAttr>(result.getEncoding()) ||
      result.getNumDynamicDims() <= 1)
    return success();
  return op->emitOpError()
         << "expected a result of at most one bounded dimension, got "
         << result;
}

LogicalResult BroadcastInDimOp::verify() {
  return failure(
      failed(expectOneBound(*this, getType())) ||
      failed(verifyBroadcastInDim(*this, getOperand().getType(), getType(),
                                  getBroadcastDimensions())));
}

LogicalResult BroadcastOp::verify() {
  Extents expected;
  for (int64_t size : getBroadcastSizes())
    expected.push_back(Extent::of(size));
  llvm::append_range(expected, extentsOf(getOperand()));
  return failure(
      failed(expectAtLeast(*this, "broadcast_sizes", getBroadcastSizes(), 0)) ||
      failed(
          expectElement(*this, "result", getType(), getOperand().getType())) ||
      failed(expectExtents(*this, "result", getType(), expected)));
}

LogicalResult ReshapeOp::verify() {
  return failure(
      failed(expectOneBound(*this, getType())) ||
      failed(verifyReshape(*this, getOperand().getType(), getType())));
}

LogicalResult TransposeOp::verify() {
  auto operand = getOperand().getType();
  ArrayRef<int64_t> permutation = getPermutation();
  if ( // (transpose C1)
      failed(expectQuantizedAlike(*this, operand, getType())) ||
      // (transpose C2)
      failed(expectCount(*this, "permutation", permutation.size(),
                         operand.getRank())) ||
      failed(
          expectDims(*this, "permutation", permutation, operand.getRank())) ||
      // (transpose C3)
      failed(expectExtents(*this, "result", getType(),
                           *transposed(extentsOf(operand), permutation))))
    return failure();
  // (transpose C4)
  auto from =
      dyn_cast<quant::UniformQuantizedPerAxisType>(operand.getElementType());
  auto to =
      dyn_cast<quant::UniformQuantizedPerAxisType>(getType().getElementType());
  if (!to ||
      permutation[to.getQuantizedDimension()] == from.getQuantizedDimension())
    return success();
  return emitOpError()
         << "expected a result quantized along the dimension that dimension "
         << from.getQuantizedDimension()
         << " of the operand becomes, got dimension "
         << to.getQuantizedDimension();
}

LogicalResult ReverseOp::verify() {
  auto operand = getOperand().getType();
  return failure(
      // (reverse C1)
      failed(expectSameElement(*this, "result", getType(),
                               operand.getElementType())) ||
      failed(expectExtents(*this, "result", getType(), extentsOf(operand))) ||
      // (reverse C3)
      failed(expectWithin(*this, "dimensions", getDimensions(),
                          operand.getRank())) ||
      // (reverse C2)
      failed(expectUnique(*this, "dimensions", getDimensions())));
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

LogicalResult SliceOp::verify() {
  auto operand = getOperand().getType();
  size_t rank = operand.getRank();
  if ( // (slice C1)
      failed(expectSameElement(*this, "result", getType(),
                               operand.getElementType())) ||
      // (slice C2)
      failed(expectCount(*this, "start_indices", getStartIndices().size(),
                         rank)) ||
      failed(expectCount(*this, "limit_indices", getLimitIndices().size(),
                         rank)) ||
      failed(expectCount(*this, "strides", getStrides().size(), rank)) ||
      // (slice C4)
      failed(expectAtLeast(*this, "strides", getStrides(), 1)) ||
      // (slice C3)
      failed(expectAtLeast(*this, "start_indices", getStartIndices(), 0)))
    return failure();
  for (auto [i, range] : llvm::enumerate(llvm::zip(
           getStartIndices(), getLimitIndices(), extentsOf(operand)))) {
    auto [start, limit, extent] = range;
    int64_t most = extent.limit();
    if (limit < start || (most != Extent::kUnknown && limit > most))
      return emitOpError() << "expected limit " << i << " within [" << start
                           << ", " << (most == Extent::kUnknown ? limit : most)
                           << "], got " << limit;
  }
  // (slice C5)
  return expectExtents(
      *this, "result", getType(),
      *sliced(getStartIndices(), getLimitIndices(), getStrides()));
}

/// Expects start indices of one type.
static LogicalResult expectOneType(Operation *op, OperandRange starts) {
  for (auto [i, type] : llvm::enumerate(starts.getTypes()))
    if (!typesAgree(type, starts.front().getType()))
      return op->emitOpError()
             << "expected start indices of the same type, got "
             << starts.front().getType() << " and " << type;
  return success();
}

/// Expects sizes within the operand.
static LogicalResult expectFit(Operation *op, StringRef what,
                               ArrayRef<int64_t> sizes,
                               RankedTensorType operand) {
  for (auto [i, pair] : llvm::enumerate(llvm::zip(sizes, extentsOf(operand)))) {
    auto [size, extent] = pair;
    if (ShapedType::isDynamic(size))
      continue;
    int64_t most = extent.limit();
    if (size < 0 || (most != Extent::kUnknown && size > most))
      return op->emitOpError()
             << "expected " << what << " " << i << " within [0, "
             << (most == Extent::kUnknown ? INT64_MAX : most) << "], got "
             << size;
  }
  return success();
}

LogicalResult DynamicSliceOp::verify() {
  auto operand = getOperand().getType();
  size_t rank = operand.getRank();
  Extents expected;
  for (int64_t size : getSliceSizes())
    expected.push_back(Extent::of(size));
  return failure(
      // (dynamic_slice C1)
      failed(expectSameElement(*this, "result", getType(),
                               operand.getElementType())) ||
      // (dynamic_slice C2)
      failed(expectCount(*this, "start indices", getStartIndices().size(),
                         rank)) ||
      failed(expectCount(*this, "slice_sizes", getSliceSizes().size(), rank)) ||
      // (dynamic_slice C3)
      failed(expectOneType(*this, getStartIndices())) ||
      // (dynamic_slice C4)
      failed(expectAtLeast(*this, "slice_sizes", getSliceSizes(), 0)) ||
      failed(expectFit(*this, "size", getSliceSizes(), operand)) ||
      // (dynamic_slice C5)
      failed(expectExtents(*this, "result", getType(), expected)));
}

LogicalResult DynamicUpdateSliceOp::verify() {
  auto operand = getOperand().getType(), update = getUpdate().getType();
  size_t rank = operand.getRank();
  return failure(
      // (dynamic_update_slice C1)
      failed(expectSameElement(*this, "result", getType(),
                               operand.getElementType())) ||
      failed(expectExtents(*this, "result", getType(), extentsOf(operand))) ||
      // (dynamic_update_slice C2)
      failed(expectSameElement(*this, "update", update,
                               operand.getElementType())) ||
      // (dynamic_update_slice C3)
      failed(expectCount(*this, "update's shape", update.getRank(), rank)) ||
      // (dynamic_update_slice C4)
      failed(expectCount(*this, "start indices", getStartIndices().size(),
                         rank)) ||
      // (dynamic_update_slice C5)
      failed(expectOneType(*this, getStartIndices())) ||
      // (dynamic_update_slice C6)
      failed(expectFit(*this, "size", update.getShape(), operand)));
}

LogicalResult PadOp::verify() {
  auto operand = getOperand().getType();
  Type element = operand.getElementType();
  size_t rank = operand.getRank();
  ArrayRef<int64_t> low = getEdgePaddingLow(), high = getEdgePaddingHigh(),
                    interior = getInteriorPadding();
  if ( // (pad C1)
      failed(expectSameElement(*this, "padding_value",
                               getPaddingValue().getType(), element)) ||
      failed(expectSameElement(*this, "result", getType(), element)) ||
      // (pad C2)
      failed(expectCount(*this, "low", low.size(), rank)) ||
      failed(expectCount(*this, "high", high.size(), rank)) ||
      failed(expectCount(*this, "interior", interior.size(), rank)) ||
      // (pad C3)
      failed(expectAtLeast(*this, "interior", interior, 0)))
    return failure();
  // (pad C4)
  Extents expected;
  for (auto [i, extent] : llvm::enumerate(extentsOf(operand))) {
    FailureOr<Extent> more = padded(extent, low[i], high[i], interior[i]);
    if (failed(more))
      return emitOpError()
             << "expected padding of dimension " << i
             << " that leaves an extent of at least 0 and below 2^63";
    expected.push_back(*more);
  }
  return expectExtents(*this, "result", getType(), expected);
}

LogicalResult ConcatenateOp::verify() {
  // (concatenate C3)
  if (getInputs().empty())
    return emitOpError() << "expected at least one input, got none";
  auto first = cast<RankedTensorType>(getInputs()[0].getType());
  Type element = first.getElementType();
  int64_t dim = getDimension();
  // (concatenate C4)
  if (failed(expectDims(*this, "dimension", {dim}, first.getRank())))
    return failure();
  Extents common = extentsOf(first);
  for (Value input : getInputs().drop_front()) {
    auto type = cast<RankedTensorType>(input.getType());
    Extents extents = extentsOf(type), expected = common;
    if (extents.size() == expected.size())
      expected[dim] = extents[dim];
    if ( // (concatenate C1)
        failed(expectSameElement(*this, "input", type, element)) ||
        // (concatenate C2)
        failed(expectExtents(*this, "input", type, expected)))
      return failure();
    for (auto [known, more] : llvm::zip(common, extents))
      known = meet(known, more);
  }
  FailureOr<Extents> expected = concatenated(getInputs(), dim);
  if (failed(expected))
    return emitOpError() << "expected inputs that are below 2^63 long together";
  return failure(
      // (concatenate C5)
      failed(expectSameElement(*this, "result", getType(), element)) ||
      // (concatenate C6)
      failed(expectExtents(*this, "result", getType(), *expected)));
}
