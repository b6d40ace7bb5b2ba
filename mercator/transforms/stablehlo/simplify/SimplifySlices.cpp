// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equations between operations that take parts of tensors and join them.

#include "mercator/transforms/stablehlo/simplify/Simplify.h"

using namespace mlir;

namespace mercator::stablehlo {

using Builder = ImplicitLocOpBuilder;
using Dims = SmallVector<int64_t>;

/// The number that a scalar constant is; none if it does not fit.
static std::optional<int64_t> numberOf(Value scalar) {
  auto element = dyn_cast_or_null<IntegerAttr>(splatOf(scalar));
  if (!element)
    return std::nullopt;
  const APInt &bits = element.getValue();
  if (element.getType().isUnsignedInteger())
    return bits.isIntN(63) ? std::optional(int64_t(bits.getZExtValue()))
                           : std::nullopt;
  return bits.isSignedIntN(64) ? std::optional(bits.getSExtValue())
                               : std::nullopt;
}

static bool areZero(ArrayRef<int64_t> numbers) {
  return llvm::all_of(numbers, [](int64_t number) { return number == 0; });
}

//===--- Slice ------------------------------------------------------------===//

// a slice of all
static Value sliceAll(SliceOp op, Builder &) {
  return isStatic(op.getType()) && op.getOperand().getType() == op.getType()
             ? op.getOperand()
             : Value();
}
// a slice of a slice is one slice
static Value sliceTwice(SliceOp op, Builder &b) {
  auto inner = op.getOperand().getDefiningOp<SliceOp>();
  if (!inner || !isStatic(op.getType()) ||
      !isStatic(inner.getOperand().getType()))
    return {};
  Dims starts, limits, strides;
  for (int64_t dim = 0; dim < tensorOf(op).getRank(); ++dim) {
    int64_t by = inner.getStrides()[dim], stride = 0, length = 0;
    int64_t start = 0;
    if (llvm::MulOverflow(op.getStrides()[dim], by, stride) ||
        llvm::MulOverflow(op.getStartIndices()[dim], by, start))
      return {};
    start += inner.getStartIndices()[dim];
    int64_t extent = tensorOf(op).getDimSize(dim);
    if (llvm::MulOverflow(std::max<int64_t>(extent - 1, 0), stride, length))
      return {};
    starts.push_back(extent == 0 ? 0 : start);
    limits.push_back(extent == 0 ? 0 : start + length + 1);
    strides.push_back(stride);
  }
  return SliceOp::create(b, op.getType(), inner.getOperand(), starts, limits,
                         strides);
}
// a slice within one part of a concatenation is a slice of the part
static Value sliceConcatenation(SliceOp op, Builder &b) {
  auto whole = op.getOperand().getDefiningOp<ConcatenateOp>();
  if (!whole || !isStatic(op.getType()) || tensorOf(op).getNumElements() == 0)
    return {};
  int64_t dim = whole.getDimension(), offset = 0;
  int64_t start = op.getStartIndices()[dim];
  int64_t last =
      start + (tensorOf(op).getDimSize(dim) - 1) * op.getStrides()[dim];
  for (Value part : whole.getInputs()) {
    if (!isStatic(part.getType()))
      return {};
    int64_t extent = tensorOf(part).getDimSize(dim);
    if (start < offset + extent) {
      if (last >= offset + extent)
        return {};
      Dims starts(op.getStartIndices()), limits(op.getLimitIndices());
      starts[dim] = start - offset;
      limits[dim] = last - offset + 1;
      return SliceOp::create(b, op.getType(), part, starts, limits,
                             op.getStrides());
    }
    offset += extent;
  }
  return {};
}

//===--- Dynamic slices ---------------------------------------------------===//

/// The start indices, if they are constants, within the operand.
static std::optional<Dims> clampedStarts(OperandRange starts, Type operand,
                                         ArrayRef<int64_t> sizes) {
  Dims numbers;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(operand).getShape();
  for (auto [start, extent, size] : llvm::zip_equal(starts, shape, sizes)) {
    std::optional<int64_t> number = numberOf(start);
    if (!number)
      return std::nullopt;
    numbers.push_back(std::max<int64_t>(0, std::min(*number, extent - size)));
  }
  return numbers;
}

// a dynamic_slice of all
static Value dynamicSliceAll(DynamicSliceOp op, Builder &) {
  return isStatic(op.getType()) && op.getOperand().getType() == op.getType()
             ? op.getOperand()
             : Value();
}
// a dynamic_slice at constant indices is a slice
static Value dynamicSliceKnown(DynamicSliceOp op, Builder &b) {
  if (!isStatic(op.getType()) || !isStatic(op.getOperand().getType()))
    return {};
  std::optional<Dims> starts = clampedStarts(
      op.getStartIndices(), op.getOperand().getType(), tensorOf(op).getShape());
  if (!starts)
    return {};
  Dims limits, strides(starts->size(), 1);
  for (auto [start, extent] : llvm::zip_equal(*starts, tensorOf(op).getShape()))
    limits.push_back(start + extent);
  return SliceOp::create(b, op.getType(), op.getOperand(), *starts, limits,
                         strides);
}
// a dynamic_update_slice of all
static Value updateAll(DynamicUpdateSliceOp op, Builder &) {
  return isStatic(op.getType()) && op.getUpdate().getType() == op.getType()
             ? op.getUpdate()
             : Value();
}

//===--- Concatenate and pad ----------------------------------------------===//

// a concatenation of one tensor
static Value concatenateOne(ConcatenateOp op, Builder &) {
  return op.getInputs().size() == 1 ? op.getInputs().front() : Value();
}
// empty parts of a concatenation are dropped
static Value concatenateEmpty(ConcatenateOp op, Builder &b) {
  SmallVector<Value> parts;
  for (Value part : op.getInputs())
    if (tensorOf(part).getDimSize(op.getDimension()) != 0)
      parts.push_back(part);
  if (parts.empty() || parts.size() == op.getInputs().size())
    return {};
  return ConcatenateOp::create(b, op.getType(), parts, op.getDimension());
}
// a pad by nothing
static Value padNothing(PadOp op, Builder &) {
  return areZero(op.getEdgePaddingLow()) && areZero(op.getEdgePaddingHigh()) &&
                 areZero(op.getInteriorPadding())
             ? op.getOperand()
             : Value();
}

//===--- Gather -----------------------------------------------------------===//

/// The only start of a gather whose indices are 0, 1, .. plus a number; none if
/// an index would be clamped.
static std::optional<int64_t> firstOfRun(DenseIntElementsAttr indices,
                                         int64_t extent) {
  std::optional<int64_t> first;
  int64_t next = 0;
  for (const APInt &bits : indices.getValues<APInt>()) {
    if (!bits.isSignedIntN(64))
      return std::nullopt;
    int64_t index = bits.getSExtValue();
    if (index < 0 || index >= extent || (first && index != next))
      return std::nullopt;
    if (!first)
      first = index;
    next = index + 1;
  }
  return first;
}

// a gather of rows i, i + 1, .. is a slice
static Value gatherRun(GatherOp op, Builder &b) {
  auto numbers = op.getDimensionNumbers();
  auto constant = op.getStartIndices().getDefiningOp<ConstantOp>();
  auto operand = tensorOf(op.getOperand()), result = tensorOf(op);
  if (!constant || !isStatic(operand) || !isStatic(result) ||
      operand.getRank() == 0 || result.getRank() != operand.getRank())
    return {};
  auto indices = dyn_cast<DenseIntElementsAttr>(constant.getValue());
  auto type = tensorOf(op.getStartIndices());
  // One batch dimension, which is the first of the operand and of the result.
  Dims offsets = llvm::to_vector(llvm::seq<int64_t>(1, result.getRank()));
  bool isRow =
      indices && type.getElementType().isSignlessInteger() &&
      (type.getRank() == 1 ||
       (type.getRank() == 2 && type.getDimSize(1) == 1)) &&
      numbers.getIndexVectorDim() == 1 &&
      numbers.getCollapsedSliceDims() == ArrayRef<int64_t>{0} &&
      numbers.getStartIndexMap() == ArrayRef<int64_t>{0} &&
      numbers.getOperandBatchingDims().empty() &&
      numbers.getOffsetDims() == ArrayRef<int64_t>(offsets) &&
      op.getSliceSizes().drop_front() == operand.getShape().drop_front();
  if (!isRow)
    return {};
  std::optional<int64_t> first = firstOfRun(indices, operand.getDimSize(0));
  if (!first)
    return {};
  Dims starts(operand.getRank(), 0), strides(operand.getRank(), 1);
  Dims limits(result.getShape());
  starts[0] = *first;
  limits[0] += *first;
  return SliceOp::create(b, result, op.getOperand(), starts, limits, strides);
}

void addSliceEquations(Equations &e) {
  e.add<SliceOp, sliceAll>();
  e.add<SliceOp, sliceTwice>();
  e.add<SliceOp, sliceConcatenation>();
  e.add<DynamicSliceOp, dynamicSliceAll>();
  e.add<DynamicSliceOp, dynamicSliceKnown>();
  e.add<DynamicUpdateSliceOp, updateAll>();
  e.add<ConcatenateOp, concatenateOne>();
  e.add<ConcatenateOp, concatenateEmpty>();
  e.add<PadOp, padNothing>();
  e.add<GatherOp, gatherRun>();
}

} // namespace mercator::stablehlo
