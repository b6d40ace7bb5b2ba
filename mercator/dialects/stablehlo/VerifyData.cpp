// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the elementwise operations and of those that move data: ranks,
// permutations, slice limits, and the shape of the result.

#include "mercator/dialects/stablehlo/Verify.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mercator::stablehlo;

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  auto value = cast<ShapedType>(getValue().getType());
  if (!isa<RankedTensorType>(value))
    return emitOpError() << "expected a value of tensor type, got " << value;
  return expectShape(*this, "result", getType(), value.getShape());
}

LogicalResult IotaOp::verify() {
  return expectDims(*this, "iota dimension", {int64_t(getIotaDimension())},
                    getType().getRank());
}

LogicalResult ReducePrecisionOp::verify() {
  return failure(failed(expectAtLeast(*this, "exponent bits",
                                      {int32_t(getExponentBits())}, 1)) ||
                 failed(expectAtLeast(*this, "mantissa bits",
                                      {int32_t(getMantissaBits())}, 0)));
}

LogicalResult CompareOp::verify() {
  return expectElement(*this, "rhs", getRhs().getType(), getLhs().getType());
}

LogicalResult SelectOp::verify() {
  return failure(failed(expectElement(*this, "on_true", getOnTrue().getType(),
                                      getType())) ||
                 failed(expectElement(*this, "on_false", getOnFalse().getType(),
                                      getType())));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Bits of an element; 0 where unknown.
static unsigned bitWidth(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * bitWidth(complex.getElementType());
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    return quantized.getStorageTypeIntegralWidth();
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

LogicalResult BitcastConvertOp::verify() {
  auto from = getOperand().getType(), to = getType();
  unsigned fromBits = bitWidth(from.getElementType()),
           toBits = bitWidth(to.getElementType());
  if (!fromBits || !toBits || fromBits == toBits)
    return expectShape(*this, "result", to, from.getShape());
  bool narrows = fromBits > toBits;
  auto wide = narrows ? from : to, narrow = narrows ? to : from;
  unsigned more = std::max(fromBits, toBits),
           fewer = std::min(fromBits, toBits);
  if (more % fewer)
    return emitOpError()
           << "expected bit widths one of which divides the other, got "
           << fromBits << " and " << toBits;
  SmallVector<int64_t> expected(wide.getShape());
  expected.push_back(more / fewer);
  return expectShape(*this, narrows ? "result" : "operand", narrow, expected);
}

LogicalResult BroadcastInDimOp::verify() {
  auto operand = getOperand().getType(), result = getType();
  ArrayRef<int64_t> dims = getBroadcastDimensions();
  if (failed(expectElement(*this, "result", result, operand)) ||
      failed(expectCount(*this, "broadcast_dimensions", dims.size(),
                         operand.getRank())) ||
      failed(expectDims(*this, "broadcast_dimensions", dims, result.getRank())))
    return failure();
  for (auto [i, dim] : llvm::enumerate(dims))
    if (operand.getDimSize(i) != 1 &&
        !extentsAgree(operand.getDimSize(i), result.getDimSize(dim)))
      return emitOpError() << "expected operand dimension " << i
                           << " of extent 1 or " << result.getDimSize(dim)
                           << ", got " << operand.getDimSize(i);
  return success();
}

LogicalResult BroadcastOp::verify() {
  SmallVector<int64_t> expected(getBroadcastSizes());
  llvm::append_range(expected, getOperand().getType().getShape());
  return failure(
      failed(expectAtLeast(*this, "broadcast_sizes", getBroadcastSizes(), 0)) ||
      failed(
          expectElement(*this, "result", getType(), getOperand().getType())) ||
      failed(expectShape(*this, "result", getType(), expected)));
}

LogicalResult ReshapeOp::verify() {
  auto operand = getOperand().getType(), result = getType();
  if (failed(expectElement(*this, "result", result, operand)))
    return failure();
  if (!operand.hasStaticShape() || !result.hasStaticShape())
    return success();
  // Exact even where the product leaves int64: the text may say anything.
  auto count = [](RankedTensorType type) -> std::optional<int64_t> {
    int64_t product = 1;
    if (llvm::is_contained(type.getShape(), 0))
      return 0;
    for (int64_t dim : type.getShape())
      if (llvm::MulOverflow(product, dim, product))
        return std::nullopt;
    return product;
  };
  std::optional<int64_t> from = count(operand), to = count(result);
  if (!from || !to)
    return emitOpError() << "expected a number of elements below 2^63";
  if (*from != *to)
    return emitOpError() << "expected a result of " << *from
                         << " elements, got " << *to;
  return success();
}

LogicalResult TransposeOp::verify() {
  auto operand = getOperand().getType();
  if (failed(expectElement(*this, "result", getType(), operand)) ||
      failed(expectCount(*this, "permutation", getPermutation().size(),
                         operand.getRank())) ||
      failed(expectDims(*this, "permutation", getPermutation(),
                        operand.getRank())))
    return failure();
  SmallVector<int64_t> expected;
  for (int64_t dim : getPermutation())
    expected.push_back(operand.getDimSize(dim));
  return expectShape(*this, "result", getType(), expected);
}

LogicalResult ReverseOp::verify() {
  auto operand = getOperand().getType();
  return failure(
      failed(expectElement(*this, "result", getType(), operand)) ||
      failed(expectDims(*this, "dimensions", getDimensions(),
                        operand.getRank())) ||
      failed(expectShape(*this, "result", getType(), operand.getShape())));
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

LogicalResult SliceOp::verify() {
  auto operand = getOperand().getType();
  size_t rank = operand.getRank();
  if (failed(expectElement(*this, "result", getType(), operand)) ||
      failed(expectCount(*this, "start_indices", getStartIndices().size(),
                         rank)) ||
      failed(expectCount(*this, "limit_indices", getLimitIndices().size(),
                         rank)) ||
      failed(expectCount(*this, "strides", getStrides().size(), rank)) ||
      failed(expectAtLeast(*this, "start_indices", getStartIndices(), 0)) ||
      failed(expectAtLeast(*this, "strides", getStrides(), 1)))
    return failure();
  SmallVector<int64_t> expected;
  for (auto [i, range] : llvm::enumerate(
           llvm::zip(getStartIndices(), getLimitIndices(), getStrides()))) {
    auto [start, limit, stride] = range;
    int64_t extent = operand.getDimSize(i);
    if (limit < start || (!ShapedType::isDynamic(extent) && limit > extent))
      return emitOpError() << "expected limit " << i << " within [" << start
                           << ", "
                           << (ShapedType::isDynamic(extent) ? limit : extent)
                           << "], got " << limit;
    int64_t length = limit - start;
    expected.push_back(length == 0 ? 0 : (length - 1) / stride + 1);
  }
  return expectShape(*this, "result", getType(), expected);
}

/// Sizes fit into the operand; one start index a dimension.
static LogicalResult verifyDynamicWindow(Operation *op,
                                         RankedTensorType operand,
                                         ArrayRef<int64_t> sizes,
                                         OperandRange starts) {
  if (failed(
          expectCount(op, "window sizes", sizes.size(), operand.getRank())) ||
      failed(
          expectCount(op, "start indices", starts.size(), operand.getRank())))
    return failure();
  for (auto [i, size] : llvm::enumerate(sizes)) {
    int64_t extent = operand.getDimSize(i);
    if (!ShapedType::isDynamic(size) &&
        (size < 0 || (!ShapedType::isDynamic(extent) && size > extent)))
      return op->emitOpError() << "expected size " << i << " within [0, "
                               << extent << "], got " << size;
  }
  return success();
}

LogicalResult DynamicSliceOp::verify() {
  auto operand = getOperand().getType();
  return failure(
      failed(expectElement(*this, "result", getType(), operand)) ||
      failed(verifyDynamicWindow(*this, operand, getSliceSizes(),
                                 getStartIndices())) ||
      failed(expectShape(*this, "result", getType(), getSliceSizes())));
}

LogicalResult DynamicUpdateSliceOp::verify() {
  auto operand = getOperand().getType(), update = getUpdate().getType();
  return failure(
      failed(expectElement(*this, "update", update, operand)) ||
      failed(verifyDynamicWindow(*this, operand, update.getShape(),
                                 getStartIndices())) ||
      failed(expectShape(*this, "result", getType(), operand.getShape())));
}

LogicalResult PadOp::verify() {
  auto operand = getOperand().getType();
  size_t rank = operand.getRank();
  if (failed(
          expectScalar(*this, "padding_value", getPaddingValue().getType())) ||
      failed(expectElement(*this, "padding_value", getPaddingValue().getType(),
                           operand)) ||
      failed(expectCount(*this, "low", getEdgePaddingLow().size(), rank)) ||
      failed(expectCount(*this, "high", getEdgePaddingHigh().size(), rank)) ||
      failed(
          expectCount(*this, "interior", getInteriorPadding().size(), rank)) ||
      failed(expectAtLeast(*this, "interior", getInteriorPadding(), 0)))
    return failure();
  SmallVector<int64_t> expected;
  for (auto [i, extent] : llvm::enumerate(operand.getShape())) {
    if (ShapedType::isDynamic(extent)) {
      expected.push_back(extent);
      continue;
    }
    // Each factor is an int64, so this cannot overflow.
    __int128 between =
        extent == 0 ? 0 : __int128(extent - 1) * getInteriorPadding()[i];
    __int128 padded =
        between + extent + getEdgePaddingLow()[i] + getEdgePaddingHigh()[i];
    if (padded < 0 || padded > INT64_MAX)
      return emitOpError()
             << "expected padding of dimension " << i
             << " that leaves an extent of at least 0 and below 2^63";
    expected.push_back(int64_t(padded));
  }
  return expectShape(*this, "result", getType(), expected);
}

LogicalResult ConcatenateOp::verify() {
  if (getInputs().empty())
    return emitOpError() << "expected at least one input, got none";
  auto first = cast<RankedTensorType>(getInputs()[0].getType());
  int64_t dim = getDimension();
  if (failed(expectDims(*this, "dimension", {dim}, first.getRank())))
    return failure();
  SmallVector<int64_t> expected(first.getShape());
  for (Value input : getInputs().drop_front()) {
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> shape(first.getShape());
    if (type.getRank() == first.getRank())
      shape[dim] = type.getDimSize(dim);
    if (failed(expectElement(*this, "input", type, first)) ||
        failed(expectShape(*this, "input", type, shape)))
      return failure();
    int64_t &sum = expected[dim];
    if (ShapedType::isDynamic(sum) || ShapedType::isDynamic(shape[dim]))
      sum = ShapedType::kDynamic;
    else if (llvm::AddOverflow(sum, shape[dim], sum))
      return emitOpError() << "expected extents that add up to less than 2^63";
  }
  return failure(failed(expectElement(*this, "result", getType(), first)) ||
                 failed(expectShape(*this, "result", getType(), expected)));
}
