// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result types of the operations that combine elements.

#include "mercator/dialects/stablehlo/Infer.h"
#include "mercator/dialects/stablehlo/Verify.h"

using namespace mlir;
using namespace mercator::stablehlo;

Type mercator::stablehlo::returnedElement(Region &body, unsigned i,
                                          Type otherwise) {
  if (body.empty() || body.front().empty())
    return otherwise;
  Operation &last = body.front().back();
  if (!isa<ReturnOp>(last) || i >= last.getNumOperands())
    return otherwise;
  auto tensor = dyn_cast<RankedTensorType>(last.getOperand(i).getType());
  return tensor ? tensor.getElementType() : otherwise;
}

/// One tensor of these extents for each input, with the element types that the
/// body returns.
static LogicalResult inferReduced(Types &types, ArrayRef<Extent> extents,
                                  ValueRange inputs, Region &body) {
  for (auto [i, input] : llvm::enumerate(inputs))
    types.push_back(
        tensorOf(extents, returnedElement(body, i, elementOf(input))));
  return success();
}

static LogicalResult infer(ReduceOp::Adaptor op, Types &types) {
  FailureOr<Extents> extents = meetAll(op.getInputs());
  if (failed(extents))
    return failure();
  Extents kept;
  for (auto [i, extent] : llvm::enumerate(*extents))
    if (!llvm::is_contained(op.getDimensions(), int64_t(i)))
      kept.push_back(extent);
  return inferReduced(types, kept, op.getInputs(), op.getBody());
}

FailureOr<Extent> mercator::stablehlo::windowPlaces(Extent n,
                                                    const WindowSpec &window) {
  if (ShapedType::isDynamic(window.size))
    return Extent();
  if (window.size < 0 || window.stride < 1 || window.baseDilation < 1 ||
      window.windowDilation < 1)
    return failure();
  // Every factor is an int64, so these cannot overflow.
  auto dilated = [](int64_t size, int64_t by) -> __int128 {
    return size == 0 ? 0 : (__int128(size) - 1) * by + 1;
  };
  __int128 size = dilated(window.size, window.windowDilation);
  bool fits = true;
  Extent places = map(n, [&](int64_t count) {
    __int128 base =
        dilated(count, window.baseDilation) + window.low + window.high;
    __int128 result =
        base <= 0 || base < size ? 0 : (base - size) / window.stride + 1;
    fits &= result <= INT64_MAX;
    return int64_t(result);
  });
  if (!fits)
    return failure();
  return places;
}

static LogicalResult infer(ReduceWindowOp::Adaptor op, Types &types) {
  FailureOr<Extents> extents = meetAll(op.getInputs());
  ArrayRef<int64_t> sizes = op.getWindowDimensions();
  if (failed(extents) || sizes.size() != extents->size())
    return failure();
  SmallVector<WindowSpec> windows(sizes.size());
  auto read = [&](std::optional<ArrayRef<int64_t>> values,
                  int64_t WindowSpec::*field) {
    if (values && values->size() != windows.size())
      return false;
    if (values)
      for (auto [window, value] : llvm::zip(windows, *values))
        window.*field = value;
    return true;
  };
  if (!read(sizes, &WindowSpec::size) ||
      !read(op.getWindowStrides(), &WindowSpec::stride) ||
      !read(op.getBaseDilations(), &WindowSpec::baseDilation) ||
      !read(op.getWindowDilations(), &WindowSpec::windowDilation))
    return failure();
  if (DenseIntElementsAttr padding = op.getPaddingAttr()) {
    if (padding.getNumElements() != int64_t(2 * windows.size()))
      return failure();
    auto values = padding.getValues<int64_t>();
    for (auto [i, window] : llvm::enumerate(windows)) {
      window.low = values[2 * i];
      window.high = values[2 * i + 1];
    }
  }
  for (auto [extent, window] : llvm::zip(*extents, windows)) {
    FailureOr<Extent> places = windowPlaces(extent, window);
    if (failed(places))
      return failure();
    extent = *places;
  }
  return inferReduced(types, *extents, op.getInputs(), op.getBody());
}

static LogicalResult infer(SelectAndScatterOp::Adaptor op, Types &types) {
  return inferReduced(types, extentsOf(op.getOperand()), op.getOperand(),
                      op.getScatter());
}

static LogicalResult infer(SortOp::Adaptor op, Types &types) {
  FailureOr<Extents> extents = meetAll(op.getInputs());
  if (failed(extents))
    return failure();
  for (Value input : op.getInputs())
    types.push_back(tensorOf(*extents, elementOf(input)));
  return success();
}

static LogicalResult infer(MapOp::Adaptor op, Types &types) {
  FailureOr<Extents> extents = meetAll(op.getInputs());
  if (failed(extents))
    return failure();
  return inferReduced(types, *extents, op.getInputs().take_front(),
                      op.getComputation());
}

//===----------------------------------------------------------------------===//
// Matrices, transforms
//===----------------------------------------------------------------------===//

static LogicalResult inferLike(Types &types, Value operand) {
  return inferred(types, tensorOf(extentsOf(operand), elementOf(operand)));
}

static LogicalResult infer(CholeskyOp::Adaptor op, Types &types) {
  return inferLike(types, op.getA());
}
static LogicalResult infer(TriangularSolveOp::Adaptor op, Types &types) {
  return inferLike(types, op.getB());
}

// For real elements the last dimension has the length of the transform. For
// complex elements of a real transform it has about half: the rest are
// conjugates.
static LogicalResult infer(FftOp::Adaptor op, Types &types) {
  Extents extents = extentsOf(op.getOperand());
  Type element = elementOf(op.getOperand());
  ArrayRef<int64_t> lengths = op.getFftLength();
  if (op.getFftType() == FftType::FFT || op.getFftType() == FftType::IFFT)
    return inferLike(types, op.getOperand());
  if (lengths.empty() || lengths.size() > extents.size() || lengths.back() < 0)
    return failure();
  int64_t last = lengths.back();
  if (op.getFftType() == FftType::RFFT) {
    if (!isa<FloatType>(element))
      return failure();
    extents.back() = Extent::of(last == 0 ? 0 : last / 2 + 1);
    return inferred(types, tensorOf(extents, ComplexType::get(element)));
  }
  auto complex = dyn_cast<ComplexType>(element);
  if (!complex)
    return failure();
  extents.back() = Extent::of(last);
  return inferred(types, tensorOf(extents, complex.getElementType()));
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

/// The operand's type, and that of `vectors` vectors along its feature
/// dimension.
static LogicalResult inferNormalised(Types &types, Value operand,
                                     int64_t feature, unsigned vectors) {
  Extents extents = extentsOf(operand);
  if (feature < 0 || feature >= int64_t(extents.size()))
    return failure();
  types.push_back(tensorOf(extents, elementOf(operand)));
  types.append(vectors, tensorOf(extents[feature], elementOf(operand)));
  return success();
}

static LogicalResult infer(BatchNormInferenceOp::Adaptor op, Types &types) {
  return inferNormalised(types, op.getOperand(), op.getFeatureIndex(), 0);
}
static LogicalResult infer(BatchNormTrainingOp::Adaptor op, Types &types) {
  return inferNormalised(types, op.getOperand(), op.getFeatureIndex(), 2);
}
static LogicalResult infer(BatchNormGradOp::Adaptor op, Types &types) {
  return inferNormalised(types, op.getOperand(), op.getFeatureIndex(), 2);
}

MERCATOR_INFERRED(ReduceOp)
MERCATOR_INFERRED(ReduceWindowOp)
MERCATOR_INFERRED(SelectAndScatterOp)
MERCATOR_INFERRED(SortOp)
MERCATOR_INFERRED(MapOp)
MERCATOR_INFERRED(CholeskyOp)
MERCATOR_INFERRED(TriangularSolveOp)
MERCATOR_INFERRED(FftOp)
MERCATOR_INFERRED(BatchNormInferenceOp)
MERCATOR_INFERRED(BatchNormTrainingOp)
MERCATOR_INFERRED(BatchNormGradOp)
