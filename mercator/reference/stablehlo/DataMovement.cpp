// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operations that move elements and compute nothing. The shapes of operands are
// their concrete shapes. Constraints that the verifier could not check for
// dynamic types are checked here.

#include "mercator/reference/core/Indices.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Quantize.h"
#include "mercator/reference/stablehlo/Rules.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

/// Computes the index of the operand's element for the element of the result at
/// `index`.
using Source = llvm::function_ref<void(ArrayRef<int64_t> index,
                                       MutableArrayRef<int64_t> source)>;

/// Elements are moved unchanged. An error for different types that the verifier
/// accepts (quantized and float).
static LogicalResult checkElement(Step &step, const Tensor &from,
                                  const Tensor &to) {
  if (from.element() == to.element())
    return success();
  return step.error() << "expected elements of type "
                      << to.type().getElementType() << ", got "
                      << from.type().getElementType();
}

/// A result of this shape whose elements are those of the operand at `source`.
static LogicalResult rearrange(Step &step, ArrayRef<int64_t> shape,
                               Source source) {
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  const Tensor &operand = step.tensor(0);
  if (failed(checkElement(step, operand, *result)))
    return failure();
  SmallVector<int64_t> from(operand.rank());
  int64_t place = 0;
  for (Index index(shape); index; ++index) {
    source(*index, from);
    result->copy(place++, operand, operand.linear(from));
  }
  step.results[0] = *result;
  return success();
}

/// An error if a shape has a negative extent.
static LogicalResult checkShape(Step &step, ArrayRef<int64_t> shape) {
  for (int64_t extent : shape)
    if (extent < 0)
      return step.error() << "expected a shape of extents of at least 0, got "
                          << extent;
  return success();
}

/// The shape of the declared result type.
static FailureOr<ArrayRef<int64_t>> declaredShape(Step &step) {
  auto type = cast<RankedTensorType>(step.op->getResult(0).getType());
  if (type.hasStaticShape())
    return type.getShape();
  return step.unsupported("its shape is known only at run time");
}

//===----------------------------------------------------------------------===//
// Iota
//===----------------------------------------------------------------------===//

static LogicalResult fillIota(Step &step, ArrayRef<int64_t> shape,
                              int64_t dim) {
  if (failed(checkShape(step, shape)))
    return failure();
  if (dim < 0 || dim >= int64_t(shape.size()))
    return step.error() << "expected iota_dimension within [0, " << shape.size()
                        << "), got " << dim;
  FailureOr<RankedTensorType> type = step.type(0, shape);
  if (failed(type))
    return failure();
  auto emitError = [&] { return step.error(); };
  FailureOr<Tensor> result = step.zeros(expressedType(*type));
  if (failed(result))
    return failure();
  const Element &element = result->element();
  bool isFloat = element.isReal() || element.isComplex();
  int64_t place = 0;
  for (Index index(shape); index; ++index)
    result->set(place++, isFloat ? Scalar::real(double(index[dim]))
                                 : Scalar::whole(index[dim]));
  result = quantize(*result, *type, emitError);
  if (failed(result))
    return failure();
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateIota(IotaOp op, Step &step) {
  FailureOr<ArrayRef<int64_t>> shape = declaredShape(step);
  if (failed(shape))
    return failure();
  return fillIota(step, *shape, op.getIotaDimension());
}

static LogicalResult evaluateDynamicIota(DynamicIotaOp op, Step &step) {
  FailureOr<SmallVector<int64_t>> shape =
      indicesOf(step, step.tensor(0), op.getResult().getType().getRank());
  if (failed(shape))
    return failure();
  return fillIota(step, *shape, op.getIotaDimension());
}

//===----------------------------------------------------------------------===//
// Broadcasts and reshapes
//===----------------------------------------------------------------------===//

static LogicalResult evaluateBroadcast(BroadcastOp op, Step &step) {
  const Tensor &operand = step.tensor(0);
  SmallVector<int64_t> shape(op.getBroadcastSizes());
  size_t added = shape.size();
  llvm::append_range(shape, operand.shape());
  if (failed(checkShape(step, shape)))
    return failure();
  return rearrange(step, shape, [&](ArrayRef<int64_t> index, auto source) {
    llvm::copy(index.drop_front(added), source.begin());
  });
}

static LogicalResult broadcastInDim(Step &step, ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> dims) {
  const Tensor &operand = step.tensor(0);
  if (failed(checkShape(step, shape)))
    return failure();
  if (int64_t(dims.size()) != operand.rank())
    return step.error() << "expected broadcast_dimensions of " << operand.rank()
                        << " dimensions, got " << dims.size();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= int64_t(shape.size()))
      return step.error() << "expected broadcast_dimensions within [0, "
                          << shape.size() << "), got " << dim;
    if (operand.dim(i) != 1 && operand.dim(i) != shape[dim])
      return step.error() << "expected dimension " << i
                          << " of the operand to be 1 or " << shape[dim]
                          << ", got " << operand.dim(i);
  }
  return rearrange(step, shape, [&](ArrayRef<int64_t> index, auto source) {
    for (auto [d, dim] : llvm::enumerate(dims))
      source[d] = operand.dim(d) == 1 ? 0 : index[dim];
  });
}

static LogicalResult evaluateBroadcastInDim(BroadcastInDimOp op, Step &step) {
  FailureOr<ArrayRef<int64_t>> shape = declaredShape(step);
  if (failed(shape))
    return failure();
  return broadcastInDim(step, *shape, op.getBroadcastDimensions());
}

static LogicalResult evaluateDynamicBroadcastInDim(DynamicBroadcastInDimOp op,
                                                   Step &step) {
  FailureOr<SmallVector<int64_t>> shape =
      indicesOf(step, step.tensor(1), op.getResult().getType().getRank());
  if (failed(shape))
    return failure();
  return broadcastInDim(step, *shape, op.getBroadcastDimensions());
}

static LogicalResult reshape(Step &step, ArrayRef<int64_t> shape) {
  if (failed(checkShape(step, shape)))
    return failure();
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  const Tensor &operand = step.tensor(0);
  if (failed(checkElement(step, operand, *result)))
    return failure();
  if (result->size() != operand.size())
    return step.error() << "expected a shape of " << operand.size()
                        << " elements, got " << result->type();
  step.results[0] = operand.withType(result->type());
  return success();
}

/// One unknown extent follows from the number of elements.
static LogicalResult evaluateReshape(ReshapeOp op, Step &step) {
  RankedTensorType type = op.getType();
  if (type.getNumDynamicDims() == 1) {
    SmallVector<int64_t> extents(type.getShape());
    int64_t known = 1, *unknown = nullptr;
    for (int64_t &extent : extents)
      if (ShapedType::isDynamic(extent))
        unknown = &extent;
      else
        known *= extent;
    *unknown = known == 0 ? 0 : step.tensor(0).size() / known;
    return reshape(step, extents);
  }
  FailureOr<ArrayRef<int64_t>> shape = declaredShape(step);
  return failed(shape) ? failure() : reshape(step, *shape);
}

static LogicalResult evaluateDynamicReshape(DynamicReshapeOp op, Step &step) {
  FailureOr<SmallVector<int64_t>> shape =
      indicesOf(step, step.tensor(1), op.getResult().getType().getRank());
  return failed(shape) ? failure() : reshape(step, *shape);
}

static LogicalResult evaluateTranspose(TransposeOp op, Step &step) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(step.tensor(0).dim(dim));
  return rearrange(step, shape, [&](ArrayRef<int64_t> index, auto source) {
    for (auto [i, dim] : llvm::enumerate(permutation))
      source[dim] = index[i];
  });
}

static LogicalResult evaluateReverse(ReverseOp op, Step &step) {
  const Tensor &operand = step.tensor(0);
  return rearrange(step, operand.shape(),
                   [&](ArrayRef<int64_t> index, auto source) {
                     llvm::copy(index, source.begin());
                     for (int64_t dim : op.getDimensions())
                       source[dim] = operand.dim(dim) - index[dim] - 1;
                   });
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

static LogicalResult slice(Step &step, ArrayRef<int64_t> starts,
                           ArrayRef<int64_t> limits,
                           ArrayRef<int64_t> strides) {
  const Tensor &operand = step.tensor(0);
  SmallVector<int64_t> shape;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    if (starts[d] < 0 || limits[d] < starts[d] || limits[d] > operand.dim(d) ||
        strides[d] < 1)
      return step.error() << "expected a slice within [0, " << operand.dim(d)
                          << ") in dimension " << d << ", got " << starts[d]
                          << ":" << limits[d] << ":" << strides[d];
    int64_t length = limits[d] - starts[d];
    shape.push_back(length == 0 ? 0 : (length - 1) / strides[d] + 1);
  }
  return rearrange(step, shape, [&](ArrayRef<int64_t> index, auto source) {
    for (size_t d = 0; d < index.size(); ++d)
      source[d] = starts[d] + index[d] * strides[d];
  });
}

static LogicalResult evaluateSlice(SliceOp op, Step &step) {
  return slice(step, op.getStartIndices(), op.getLimitIndices(),
               op.getStrides());
}

static LogicalResult evaluateRealDynamicSlice(RealDynamicSliceOp op,
                                              Step &step) {
  SmallVector<int64_t> ranges[3];
  for (int i = 0; i < 3; ++i) {
    FailureOr<SmallVector<int64_t>> values =
        indicesOf(step, step.tensor(i + 1), step.tensor(0).rank());
    if (failed(values))
      return failure();
    ranges[i] = *values;
  }
  return slice(step, ranges[0], ranges[1], ranges[2]);
}

/// The start indices of a window in `operand`, one scalar each, clamped so that
/// the window is within it; an error if the window is too large.
static FailureOr<SmallVector<int64_t>>
adjustedStarts(Step &step, size_t firstStart, ArrayRef<int64_t> sizes) {
  const Tensor &operand = step.tensor(0);
  SmallVector<int64_t> starts;
  for (auto [d, size] : llvm::enumerate(sizes)) {
    if (size < 0 || size > operand.dim(d)) {
      step.error() << "expected a window of at most " << operand.dim(d)
                   << " in dimension " << d << ", got " << size;
      return failure();
    }
    starts.push_back(std::clamp<int64_t>(
        indexAt(step.tensor(firstStart + d), 0), 0, operand.dim(d) - size));
  }
  return starts;
}

static LogicalResult evaluateDynamicSlice(DynamicSliceOp op, Step &step) {
  ArrayRef<int64_t> sizes = op.getSliceSizes();
  FailureOr<SmallVector<int64_t>> starts = adjustedStarts(step, 1, sizes);
  if (failed(starts))
    return failure();
  return rearrange(step, sizes, [&](ArrayRef<int64_t> index, auto source) {
    for (size_t d = 0; d < index.size(); ++d)
      source[d] = (*starts)[d] + index[d];
  });
}

static LogicalResult evaluateDynamicUpdateSlice(DynamicUpdateSliceOp op,
                                                Step &step) {
  const Tensor &update = step.tensor(1);
  FailureOr<SmallVector<int64_t>> starts =
      adjustedStarts(step, 2, update.shape());
  if (failed(starts) || failed(checkElement(step, update, step.tensor(0))) ||
      failed(step.charge(update.shape())))
    return failure();
  FailureOr<Tensor> result = step.takeForUpdate(0);
  if (failed(result))
    return failure();
  int64_t place = 0;
  for (Index index(update.shape()); index; ++index) {
    SmallVector<int64_t> target(*index);
    for (size_t d = 0; d < target.size(); ++d)
      target[d] += (*starts)[d];
    result->copy(result->linear(target), update, place++);
  }
  step.results[0] = *result;
  return success();
}

//===----------------------------------------------------------------------===//
// Padding and concatenation
//===----------------------------------------------------------------------===//

static LogicalResult pad(Step &step, ArrayRef<int64_t> low,
                         ArrayRef<int64_t> high, ArrayRef<int64_t> interior) {
  const Tensor &operand = step.tensor(0), &padding = step.tensor(1);
  // Any sum of the attributes fits in 128 bits.
  using Wide = __int128;
  SmallVector<int64_t> shape;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    Wide between = std::max<Wide>(operand.dim(d) - 1, 0) * interior[d];
    Wide extent = Wide(operand.dim(d)) + low[d] + between + high[d];
    if (interior[d] < 0 || extent < 0 || extent > INT64_MAX)
      return step.error() << "expected padding of dimension " << d
                          << " that leaves an extent of at least 0 and below "
                             "2^63";
    shape.push_back(int64_t(extent));
  }
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result) || failed(checkElement(step, operand, *result)) ||
      failed(checkElement(step, padding, *result)))
    return failure();
  for (int64_t i = 0; i < result->size(); ++i)
    result->copy(i, padding, 0);
  SmallVector<int64_t> target(operand.rank());
  int64_t place = 0;
  for (Index index(operand.shape()); index; ++index, ++place) {
    bool inside = true;
    for (int64_t d = 0; d < operand.rank(); ++d) {
      Wide at = low[d] + index[d] * (Wide(interior[d]) + 1);
      inside &= 0 <= at && at < shape[d];
      target[d] = int64_t(at);
    }
    if (inside)
      result->copy(result->linear(target), operand, place);
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluatePad(PadOp op, Step &step) {
  return pad(step, op.getEdgePaddingLow(), op.getEdgePaddingHigh(),
             op.getInteriorPadding());
}

static LogicalResult evaluateDynamicPad(DynamicPadOp op, Step &step) {
  SmallVector<int64_t> amounts[3];
  for (int i = 0; i < 3; ++i) {
    FailureOr<SmallVector<int64_t>> values =
        indicesOf(step, step.tensor(i + 2), step.tensor(0).rank());
    if (failed(values))
      return failure();
    amounts[i] = *values;
  }
  return pad(step, amounts[0], amounts[1], amounts[2]);
}

static LogicalResult evaluateConcatenate(ConcatenateOp op, Step &step) {
  int64_t dim = op.getDimension();
  SmallVector<int64_t> shape(step.tensor(0).shape());
  shape[dim] = 0;
  for (const Value &operand : step.operands) {
    SmallVector<int64_t> others(operand.tensor()->shape());
    bool tooLong = llvm::AddOverflow(shape[dim], others[dim], shape[dim]);
    others[dim] = shape[dim];
    if (tooLong || others != shape)
      return step.error()
             << "expected inputs of the same shape except for dimension " << dim
             << ", got " << operand.tensor()->type() << " and "
             << step.tensor(0).type();
  }
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  int64_t before = 0;
  for (const Value &operand : step.operands) {
    const Tensor &input = *operand.tensor();
    if (failed(checkElement(step, input, *result)))
      return failure();
    int64_t place = 0;
    for (Index index(input.shape()); index; ++index) {
      SmallVector<int64_t> target(*index);
      target[dim] += before;
      result->copy(result->linear(target), input, place++);
    }
    before += input.dim(dim);
  }
  step.results[0] = *result;
  return success();
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

static LogicalResult evaluateGetDimensionSize(GetDimensionSizeOp op,
                                              Step &step) {
  const Tensor &operand = step.tensor(0);
  int64_t dim = op.getDimension();
  if (dim < 0 || dim >= operand.rank())
    return step.error() << "expected a dimension within [0, " << operand.rank()
                        << "), got " << dim;
  FailureOr<Tensor> result = step.make();
  if (failed(result))
    return failure();
  result->set(0, Scalar::whole(operand.dim(dim)));
  step.results[0] = *result;
  return success();
}

/// Copies the elements up to the size. The elements beyond it are unspecified.
static LogicalResult evaluateSetDimensionSize(SetDimensionSizeOp op,
                                              Step &step) {
  const Tensor &operand = step.tensor(0);
  int64_t dim = op.getDimension(), size = indexAt(step.tensor(1), 0);
  if (dim < 0 || dim >= operand.rank())
    return step.error() << "expected a dimension within [0, " << operand.rank()
                        << "), got " << dim;
  if (size < 0 || size > operand.dim(dim))
    return step.error() << "expected a size within [0, " << operand.dim(dim)
                        << "], got " << size;
  SmallVector<int64_t> shape(operand.shape());
  shape[dim] = size;
  return rearrange(step, shape, [&](ArrayRef<int64_t> index, auto source) {
    llvm::copy(index, source.begin());
  });
}

void addDataMovementRules(EvaluationRules &rules) {
  rules.add<IotaOp, evaluateIota>();
  rules.add<DynamicIotaOp, evaluateDynamicIota>();
  rules.add<BroadcastOp, evaluateBroadcast>();
  rules.add<BroadcastInDimOp, evaluateBroadcastInDim>();
  rules.add<DynamicBroadcastInDimOp, evaluateDynamicBroadcastInDim>();
  rules.add<ReshapeOp, evaluateReshape>();
  rules.add<DynamicReshapeOp, evaluateDynamicReshape>();
  rules.add<TransposeOp, evaluateTranspose>();
  rules.add<ReverseOp, evaluateReverse>();
  rules.add<SliceOp, evaluateSlice>();
  rules.add<RealDynamicSliceOp, evaluateRealDynamicSlice>();
  rules.add<DynamicSliceOp, evaluateDynamicSlice>();
  rules.add<DynamicUpdateSliceOp, evaluateDynamicUpdateSlice>();
  rules.add<PadOp, evaluatePad>();
  rules.add<DynamicPadOp, evaluateDynamicPad>();
  rules.add<ConcatenateOp, evaluateConcatenate>();
  rules.add<GetDimensionSizeOp, evaluateGetDimensionSize>();
  rules.add<SetDimensionSizeOp, evaluateSetDimensionSize>();
}

} // namespace mercator::reference
