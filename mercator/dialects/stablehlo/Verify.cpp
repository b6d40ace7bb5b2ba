// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Verify.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mercator::stablehlo {

//===----------------------------------------------------------------------===//
// Agreement
//===----------------------------------------------------------------------===//

bool extentsAgree(int64_t a, int64_t b) {
  return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
}

bool shapesAgree(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           return extentsAgree(std::get<0>(pair), std::get<1>(pair));
         });
}

/// The float type that a quantized element type expresses; other types
/// unchanged.
static Type expressed(Type element) {
  auto quantized = dyn_cast<quant::QuantizedType>(element);
  return quantized ? quantized.getExpressedType() : element;
}

// Scales may differ: a result has its own. A quantized type agrees with the
// float type that it expresses.
static bool elementsAgree(Type a, Type b) {
  if (a == b)
    return true;
  auto left = dyn_cast<quant::QuantizedType>(a),
       right = dyn_cast<quant::QuantizedType>(b);
  if (left && right && !storedAlike(left, right))
    return false;
  return (left || right) && expressed(a) == expressed(b);
}

bool storedAlike(quant::QuantizedType a, quant::QuantizedType b) {
  return a.getStorageTypeIntegralWidth() == b.getStorageTypeIntegralWidth() &&
         a.isSigned() == b.isSigned();
}

bool typesAgree(Type a, Type b) {
  if (a == b)
    return true;
  auto left = dyn_cast<RankedTensorType>(a),
       right = dyn_cast<RankedTensorType>(b);
  if (left && right)
    return elementsAgree(left.getElementType(), right.getElementType()) &&
           agree(ArrayRef<Extent>(extentsOf(left)), extentsOf(right));
  auto leftTuple = dyn_cast<TupleType>(a), rightTuple = dyn_cast<TupleType>(b);
  // The parser limits the nesting depth of types.
  return leftTuple && rightTuple && leftTuple.size() == rightTuple.size() &&
         llvm::all_of(llvm::zip(leftTuple.getTypes(), rightTuple.getTypes()),
                      [](auto pair) {
                        return typesAgree(std::get<0>(pair), std::get<1>(pair));
                      });
}

//===----------------------------------------------------------------------===//
// Traits
//===----------------------------------------------------------------------===//

/// Whether an operand may have rank 0 although the result has a higher rank:
/// (select C1), (clamp C1), (clamp C2)
static bool mayBeScalar(Operation *op, unsigned operand) {
  return (isa<SelectOp>(op) && operand == 0) ||
         (isa<ClampOp>(op) && operand != 1);
}

LogicalResult detail::verifyElementwise(Operation *op) {
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!result)
    return success(); // the type constraint reports the error
  // Two operands may each agree with a result of unknown extents and still
  // disagree with each other.
  Extents all = extentsOf(result);
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes())) {
    auto operand = dyn_cast<RankedTensorType>(type);
    bool scalarFits = mayBeScalar(op, i);
    if (!operand || (scalarFits && operand.getRank() == 0))
      continue;
    Extents extents = extentsOf(operand);
    if (!agree(ArrayRef<Extent>(all), extents))
      return op->emitOpError()
             << "expected operand #" << i << " of "
             << (scalarFits ? "rank 0 or of " : "") << "the result's shape "
             << tensorOf(all, result.getElementType()) << ", got " << operand;
    for (auto [known, more] : llvm::zip(all, extents))
      known = meet(known, more);
  }
  return success();
}

LogicalResult detail::verifySameElementType(Operation *op) {
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (auto operand = dyn_cast<RankedTensorType>(type);
        operand && result &&
        !elementsAgree(operand.getElementType(), result.getElementType()))
      return op->emitOpError()
             << "expected operand #" << i << " of element type "
             << result.getElementType() << " as the result has, got "
             << operand.getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

LogicalResult expectCount(Operation *op, StringRef name, size_t got,
                          size_t expected) {
  if (got == expected)
    return success();
  return op->emitOpError() << "expected " << name << " of length " << expected
                           << ", got " << got;
}

LogicalResult expectWithin(Operation *op, StringRef name,
                           ArrayRef<int64_t> dims, int64_t rank) {
  for (int64_t dim : dims)
    if (dim < 0 || dim >= rank)
      return op->emitOpError() << "expected " << name << " within [0, " << rank
                               << "), got " << dim;
  return success();
}

LogicalResult expectUnique(Operation *op, StringRef name,
                           ArrayRef<int64_t> dims) {
  SmallVector<int64_t> sorted(dims);
  llvm::sort(sorted);
  if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end())
    return success();
  return op->emitOpError() << "expected " << name
                           << " without repetition, got [" << dims << "]";
}

LogicalResult expectDims(Operation *op, StringRef name, ArrayRef<int64_t> dims,
                         int64_t rank) {
  return failure(failed(expectWithin(op, name, dims, rank)) ||
                 failed(expectUnique(op, name, dims)));
}

LogicalResult expectSorted(Operation *op, StringRef name,
                           ArrayRef<int64_t> dims) {
  if (llvm::is_sorted(dims))
    return success();
  return op->emitOpError() << "expected " << name
                           << " in ascending order, got [" << dims << "]";
}

LogicalResult expectAtLeast(Operation *op, StringRef name,
                            ArrayRef<int64_t> values, int64_t least) {
  for (int64_t value : values)
    if (value < least)
      return op->emitOpError() << "expected " << name << " of at least "
                               << least << ", got " << value;
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static void appendShape(InFlightDiagnostic &error, ArrayRef<int64_t> shape) {
  error << "[";
  llvm::interleaveComma(shape, error, [&](int64_t dim) {
    if (ShapedType::isDynamic(dim))
      error << "?";
    else
      error << dim;
  });
  error << "]";
}

LogicalResult expectShape(Operation *op, StringRef what, RankedTensorType got,
                          ArrayRef<int64_t> expected) {
  if (shapesAgree(got.getShape(), expected))
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "expected " << what << " of shape ";
  appendShape(error, expected);
  error << ", got ";
  appendShape(error, got.getShape());
  return error;
}

LogicalResult expectExtents(Operation *op, StringRef what, RankedTensorType got,
                            ArrayRef<Extent> expected) {
  if (agree(ArrayRef<Extent>(extentsOf(got)), expected))
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "expected " << what << " of shape [";
  auto append = [&](const Extent &extent) {
    if (extent.isKnown())
      error << extent.size;
    else if (extent.isBounded())
      error << "<=" << extent.bound;
    else
      error << "?";
  };
  llvm::interleaveComma(expected, error, append);
  error << "], got [";
  llvm::interleaveComma(extentsOf(got), error, append);
  return error << "]";
}

LogicalResult expectElement(Operation *op, StringRef what, RankedTensorType got,
                            RankedTensorType expected) {
  if (elementsAgree(got.getElementType(), expected.getElementType()))
    return success();
  return op->emitOpError() << "expected " << what << " of element type "
                           << expected.getElementType() << ", got "
                           << got.getElementType();
}

LogicalResult expectSameElement(Operation *op, StringRef what,
                                RankedTensorType got, Type expected) {
  if (got.getElementType() == expected)
    return success();
  return op->emitOpError() << "expected " << what << " of element type "
                           << expected << ", got " << got.getElementType();
}

LogicalResult expectScalar(Operation *op, StringRef what, Type got) {
  if (auto tensor = dyn_cast<RankedTensorType>(got);
      tensor && tensor.getRank() == 0)
    return success();
  return op->emitOpError() << "expected " << what << " of rank 0, got " << got;
}

LogicalResult expectTypes(Operation *op, StringRef what, TypeRange got,
                          TypeRange expected) {
  if (got.size() != expected.size())
    return op->emitOpError() << "expected " << expected.size() << " " << what
                             << ", got " << got.size();
  for (auto [i, pair] : llvm::enumerate(llvm::zip(got, expected)))
    if (!typesAgree(std::get<0>(pair), std::get<1>(pair)))
      return op->emitOpError()
             << "expected " << what << " #" << i << " of type "
             << std::get<1>(pair) << ", got " << std::get<0>(pair);
  return success();
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

LogicalResult expectRegion(Operation *op, StringRef name, Region &region,
                           size_t arguments, size_t returned) {
  Block &block = region.front();
  if (block.getNumArguments() != arguments)
    return op->emitOpError() << "expected " << name << " of " << arguments
                             << " arguments, got " << block.getNumArguments();
  auto last = block.empty() ? ReturnOp() : dyn_cast<ReturnOp>(block.back());
  if (!last)
    return op->emitOpError()
           << "expected " << name << " that ends in stablehlo.return";
  if (last.getNumOperands() != returned)
    return op->emitOpError()
           << "expected " << name << " that returns " << returned
           << " values, got " << last.getNumOperands();
  return success();
}

LogicalResult expectScalarRegion(Operation *op, StringRef name, Region &region,
                                 size_t arguments, size_t returned) {
  if (failed(expectRegion(op, name, region, arguments, returned)))
    return failure();
  for (Type type : region.front().getArgumentTypes())
    if (failed(expectScalar(op, (name + " arguments").str(), type)))
      return failure();
  for (Type type : region.front().back().getOperandTypes())
    if (failed(expectScalar(op, (name + " results").str(), type)))
      return failure();
  return success();
}

LogicalResult expectPredicate(Operation *op, StringRef name, Region &region) {
  Operation &last = region.front().back();
  if (last.getNumOperands() == 1)
    if (auto tensor = dyn_cast<RankedTensorType>(last.getOperand(0).getType());
        tensor && tensor.getRank() == 0 && tensor.getElementType().isInteger(1))
      return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "expected " << name
                             << " that returns tensor<i1>, got ";
  llvm::interleaveComma(last.getOperandTypes(), error);
  return error;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

bool sameBaseline(Type a, Type b) {
  if (a == b)
    return true;
  auto left = dyn_cast<quant::QuantizedType>(a),
       right = dyn_cast<quant::QuantizedType>(b);
  if (!left || !right || !storedAlike(left, right) ||
      left.getStorageTypeMin() != right.getStorageTypeMin() ||
      left.getStorageTypeMax() != right.getStorageTypeMax() ||
      left.getExpressedType() != right.getExpressedType() ||
      left.getTypeID() != right.getTypeID())
    return false;
  auto leftAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(a),
       rightAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(b);
  return !leftAxis ||
         leftAxis.getQuantizedDimension() == rightAxis.getQuantizedDimension();
}

LogicalResult expectBaseline(Operation *op, StringRef what,
                             RankedTensorType got, RankedTensorType expected) {
  if (sameBaseline(got.getElementType(), expected.getElementType()))
    return success();
  return op->emitOpError() << "expected " << what << " of element type "
                           << expected.getElementType() << ", got "
                           << got.getElementType();
}

/// Whether elements of type `from` may be accumulated in `to`. Floats of any
/// width may: XLA changes the precision in reductions, and its programs contain
/// the result.
static bool promotes(Type from, Type to) {
  if (from == to || (isa<FloatType>(from) && isa<FloatType>(to)))
    return true;
  if (isa<IntegerType>(from) && isa<IntegerType>(to))
    return from.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth();
  auto complexFrom = dyn_cast<ComplexType>(from),
       complexTo = dyn_cast<ComplexType>(to);
  if (complexFrom && complexTo)
    return complexFrom.getElementType().getIntOrFloatBitWidth() <=
           complexTo.getElementType().getIntOrFloatBitWidth();
  auto quantFrom = dyn_cast<quant::QuantizedType>(from),
       quantTo = dyn_cast<quant::QuantizedType>(to);
  return quantFrom && quantTo &&
         quantFrom.getExpressedType() == quantTo.getExpressedType() &&
         quantFrom.getStorageTypeIntegralWidth() <=
             quantTo.getStorageTypeIntegralWidth();
}

FailureOr<SmallVector<Type>> expectReducer(Operation *op, StringRef name,
                                           Region &region, TypeRange inputs) {
  size_t count = inputs.size();
  if (failed(expectScalarRegion(op, name, region, 2 * count, count)))
    return failure();
  Block &block = region.front();
  SmallVector<Type> accumulators;
  for (Type type : block.back().getOperandTypes())
    accumulators.push_back(cast<RankedTensorType>(type).getElementType());
  for (auto [i, type] : llvm::enumerate(block.getArgumentTypes())) {
    Type accumulator = accumulators[i % count];
    Type argument = cast<RankedTensorType>(type).getElementType();
    // An element may have another float type than its accumulator.
    bool agrees =
        sameBaseline(argument, accumulator) ||
        (i >= count && isa<FloatType>(argument) && isa<FloatType>(accumulator));
    if (!agrees)
      return op->emitOpError() << "expected " << name << " arguments #" << i
                               << " of element type " << accumulator
                               << ", as it returns, got " << argument;
  }
  for (auto [i, type] : llvm::enumerate(inputs)) {
    Type element = cast<RankedTensorType>(type).getElementType();
    if (!promotes(element, accumulators[i]))
      return op->emitOpError()
             << "expected " << name << " that returns a type " << element
             << " promotes to, got " << accumulators[i];
  }
  return accumulators;
}

LogicalResult expectCombinable(Operation *op, StringRef what,
                               RankedTensorType got, RankedTensorType input,
                               Type accumulator) {
  if (promotes(got.getElementType(), accumulator))
    return success();
  return op->emitOpError() << "expected " << what << " of element type "
                           << input.getElementType()
                           << " as its input has, got " << got.getElementType();
}

std::optional<SmallVector<int64_t>> constantIntegers(Value value) {
  DenseIntElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return std::nullopt;
  SmallVector<int64_t> values;
  // An index list is no longer than the rank of a tensor; a longer splat is not
  // expanded.
  if (attr.getNumElements() > 1 << 20)
    return std::nullopt;
  for (const APInt &entry : attr.getValues<APInt>()) {
    if (entry.getSignificantBits() > 64)
      return std::nullopt;
    values.push_back(entry.getSExtValue());
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> expectWindows(Operation *op,
                                              ArrayRef<int64_t> extents,
                                              ArrayRef<WindowSpec> windows) {
  // Every factor is an int64, so these cannot overflow.
  using Wide = __int128;
  auto dilated = [](int64_t size, int64_t by) -> Wide {
    return size == 0 ? Wide(0) : (Wide(size) - 1) * by + 1;
  };
  SmallVector<int64_t> places;
  for (auto [i, pair] : llvm::enumerate(llvm::zip(extents, windows))) {
    auto [extent, window] = pair;
    if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(window.size)) {
      places.push_back(ShapedType::kDynamic);
      continue;
    }
    Wide base = dilated(extent, window.baseDilation) + window.low + window.high;
    Wide size = dilated(window.size, window.windowDilation);
    for (auto [what, value] :
         {std::pair("padded input", base), std::pair("dilated window", size)})
      if (value > Wide(INT64_MAX) || value < Wide(INT64_MIN))
        return op->emitOpError()
               << "expected a " << what
               << " of fewer than 2^63 elements along dimension " << i;
    // A window has no more positions than the padded input has elements.
    places.push_back(base <= 0 || base < size
                         ? 0
                         : int64_t((base - size) / window.stride + 1));
  }
  return places;
}

FailureOr<SmallVector<WindowSpec>>
readWindow(Operation *op, ArrayRef<int64_t> sizes,
           std::optional<ArrayRef<int64_t>> strides,
           std::optional<ArrayRef<int64_t>> baseDilations,
           std::optional<ArrayRef<int64_t>> windowDilations,
           DenseIntElementsAttr padding) {
  SmallVector<WindowSpec> window(sizes.size());
  auto read = [&](StringRef name, std::optional<ArrayRef<int64_t>> values,
                  int64_t WindowSpec::*field, int64_t least) -> LogicalResult {
    if (!values)
      return success();
    if (failed(expectCount(op, name, values->size(), sizes.size())) ||
        failed(expectAtLeast(op, name, *values, least)))
      return failure();
    for (auto [dim, value] : llvm::zip(window, *values))
      dim.*field = value;
    return success();
  };
  for (auto [dim, size] : llvm::zip(window, sizes))
    dim.size = size;
  if (failed(read("window strides", strides, &WindowSpec::stride, 1)) ||
      failed(read("base dilations", baseDilations, &WindowSpec::baseDilation,
                  1)) ||
      failed(read("window dilations", windowDilations,
                  &WindowSpec::windowDilation, 1)))
    return failure();
  if (padding) {
    int64_t shape[] = {int64_t(sizes.size()), 2};
    if (failed(expectShape(op, "padding",
                           cast<RankedTensorType>(padding.getType()), shape)))
      return failure();
    auto values = padding.getValues<int64_t>();
    for (auto [i, dim] : llvm::enumerate(window)) {
      dim.low = values[2 * i];
      dim.high = values[2 * i + 1];
    }
  }
  return window;
}

} // namespace mercator::stablehlo
