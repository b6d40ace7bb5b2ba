// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Verify.h"

#include "llvm/ADT/SmallSet.h"

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

static bool elementsAgree(Type a, Type b) {
  return a == b || isa<quant::QuantizedType>(a) || isa<quant::QuantizedType>(b);
}

bool typesAgree(Type a, Type b) {
  if (a == b)
    return true;
  auto left = dyn_cast<RankedTensorType>(a),
       right = dyn_cast<RankedTensorType>(b);
  if (left && right)
    return elementsAgree(left.getElementType(), right.getElementType()) &&
           shapesAgree(left.getShape(), right.getShape());
  auto leftTuple = dyn_cast<TupleType>(a), rightTuple = dyn_cast<TupleType>(b);
  // Types nest as deep as the text that named them, which its parser limits.
  return leftTuple && rightTuple && leftTuple.size() == rightTuple.size() &&
         llvm::all_of(llvm::zip(leftTuple.getTypes(), rightTuple.getTypes()),
                      [](auto pair) {
                        return typesAgree(std::get<0>(pair), std::get<1>(pair));
                      });
}

//===----------------------------------------------------------------------===//
// Traits
//===----------------------------------------------------------------------===//

LogicalResult detail::verifyElementwise(Operation *op) {
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!result)
    return success(); // the type constraint complains
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes())) {
    auto operand = dyn_cast<RankedTensorType>(type);
    if (operand && operand.getRank() != 0 &&
        !shapesAgree(operand.getShape(), result.getShape()))
      return op->emitOpError() << "expected operand #" << i
                               << " of rank 0 or of the result's shape "
                               << result << ", got " << operand;
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

LogicalResult expectDims(Operation *op, StringRef name, ArrayRef<int64_t> dims,
                         int64_t rank) {
  llvm::SmallSet<int64_t, 8> seen;
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError() << "expected " << name << " within [0, " << rank
                               << "), got " << dim;
    if (!seen.insert(dim).second)
      return op->emitOpError() << "expected " << name
                               << " without repetition, got [" << dims << "]";
  }
  return success();
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

LogicalResult expectElement(Operation *op, StringRef what, RankedTensorType got,
                            RankedTensorType expected) {
  if (elementsAgree(got.getElementType(), expected.getElementType()))
    return success();
  return op->emitOpError() << "expected " << what << " of element type "
                           << expected.getElementType() << ", got "
                           << got.getElementType();
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

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

int64_t windowExtent(int64_t extent, const WindowSpec &window) {
  if (ShapedType::isDynamic(extent))
    return ShapedType::kDynamic;
  // Every factor is an int64, so these cannot overflow.
  using Wide = __int128;
  auto dilated = [](int64_t size, int64_t by) -> Wide {
    return size == 0 ? Wide(0) : (Wide(size) - 1) * by + 1;
  };
  Wide base = dilated(extent, window.baseDilation) + window.low + window.high;
  Wide size = dilated(window.size, window.windowDilation);
  if (base <= 0 || base < size)
    return 0;
  Wide places = (base - size) / window.stride + 1;
  return places > Wide(INT64_MAX) ? ShapedType::kDynamic : int64_t(places);
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
  if (failed(read("window dimensions", sizes, &WindowSpec::size, 0)) ||
      failed(read("window strides", strides, &WindowSpec::stride, 1)) ||
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
