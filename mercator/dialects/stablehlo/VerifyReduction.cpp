// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the operations whose region combines or compares elements. Each
// check names its constraint of the specification.

#include "mercator/dialects/stablehlo/Verify.h"

using namespace mlir;
using namespace mercator::stablehlo;

/// Expects one init value and one result for each input, and at least one
/// input.
static LogicalResult expectPairs(Operation *op) {
  size_t operands = op->getNumOperands();
  if (operands == 0 || operands % 2 != 0)
    return op->emitOpError() << "expected as many init values as inputs, got "
                             << operands << " operands";
  return expectCount(op, "results", op->getNumResults(), operands / 2);
}

/// Expects inputs of one shape; returns the extents known from all inputs,
/// without bounds.
static FailureOr<SmallVector<int64_t>> expectOneShape(Operation *op,
                                                      OperandRange inputs) {
  Extents all = extentsOf(inputs.front());
  for (Value input : inputs.drop_front()) {
    if (failed(expectExtents(op, "input", tensorType(input), all)))
      return failure();
    for (auto [known, more] : llvm::zip(all, extentsOf(input)))
      known = meet(known, more);
  }
  return llvm::map_to_vector(all, [](const Extent &e) { return e.size; });
}

static LogicalResult expectInits(Operation *op, OperandRange inits,
                                 OperandRange inputs,
                                 ArrayRef<Type> accumulators) {
  for (auto [init, input, accumulator] : llvm::zip(inits, inputs, accumulators))
    if (failed(expectScalar(op, "init value", init.getType())) ||
        failed(expectCombinable(op, "init value", tensorType(init),
                                tensorType(input), accumulator)))
      return failure();
  return success();
}

static LogicalResult expectResultShapes(Operation *op,
                                        ArrayRef<int64_t> shape) {
  for (Value result : op->getResults())
    if (failed(expectShape(op, "result", tensorType(result), shape)))
      return failure();
  return success();
}

static LogicalResult expectResultElements(Operation *op,
                                          ArrayRef<Type> accumulators) {
  for (auto [result, accumulator] : llvm::zip(op->getResults(), accumulators))
    if (failed(expectBaseline(op, "result", tensorType(result),
                              RankedTensorType::get({}, accumulator))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::verify() {
  // (reduce C3)
  if (failed(expectPairs(*this)))
    return failure();
  // (reduce C1)
  FailureOr<SmallVector<int64_t>> shape = expectOneShape(*this, getInputs());
  if (failed(shape))
    return failure();
  ArrayRef<int64_t> dimensions = getDimensions();
  if ( // (reduce C4)
      failed(expectWithin(*this, "dimensions", dimensions, shape->size())) ||
      // (reduce C5)
      failed(expectUnique(*this, "dimensions", dimensions)))
    return failure();
  // (reduce C6)
  FailureOr<SmallVector<Type>> accumulators =
      expectReducer(*this, "body", getBody(), getInputs().getTypes());
  if (failed(accumulators))
    return failure();
  SmallVector<int64_t> expected = sizesOf(without(known(*shape), dimensions));
  return failure(
      // (reduce C2)
      failed(expectInits(*this, getInitValues(), getInputs(), *accumulators)) ||
      // (reduce C7)
      failed(expectResultShapes(*this, expected)) ||
      // (reduce C8)
      failed(expectResultElements(*this, *accumulators)));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

LogicalResult ReduceWindowOp::verify() {
  // (reduce_window C1)
  if (failed(expectPairs(*this)))
    return failure();
  // (reduce_window C2)
  FailureOr<SmallVector<int64_t>> shape = expectOneShape(*this, getInputs());
  if (failed(shape))
    return failure();
  ArrayRef<int64_t> sizes = getWindowDimensions();
  if ( // (reduce_window C4)
      failed(expectCount(*this, "window_dimensions", sizes.size(),
                         shape->size())) ||
      // (reduce_window C5)
      failed(expectAtLeast(*this, "window_dimensions", sizes, 1)))
    return failure();
  // (reduce_window C6, C7, C8, C9, C10, C11, C12): strides, base dilations,
  // window dilations, padding.
  FailureOr<SmallVector<WindowSpec>> window =
      readWindow(*this, sizes, getWindowStrides(), getBaseDilations(),
                 getWindowDilations(), getPaddingAttr());
  if (failed(window))
    return failure();
  // (reduce_window C13)
  FailureOr<SmallVector<Type>> accumulators =
      expectReducer(*this, "body", getBody(), getInputs().getTypes());
  if (failed(accumulators))
    return failure();
  FailureOr<SmallVector<int64_t>> expected =
      expectWindows(*this, *shape, *window);
  return failure(
      failed(expected) ||
      // (reduce_window C3)
      failed(expectInits(*this, getInitValues(), getInputs(), *accumulators)) ||
      // (reduce_window C14, C15)
      failed(expectResultShapes(*this, *expected)) ||
      // (reduce_window C16)
      failed(expectResultElements(*this, *accumulators)));
}

/// Expects a region that compares two elements of type `element`.
static LogicalResult expectSelector(Operation *op, Region &select,
                                    Type element) {
  if (failed(expectScalarRegion(op, "select", select, 2, 1)))
    return failure();
  for (auto [i, type] : llvm::enumerate(select.getArgumentTypes())) {
    Type argument = cast<RankedTensorType>(type).getElementType();
    if (!sameBaseline(argument, element) &&
        !(isa<FloatType>(argument) && isa<FloatType>(element)))
      return op->emitOpError()
             << "expected select arguments #" << i << " of element type "
             << element << ", got " << argument;
  }
  return expectPredicate(op, "select", select);
}

LogicalResult SelectAndScatterOp::verify() {
  auto operand = getOperand().getType(), source = getSource().getType();
  ArrayRef<int64_t> sizes = getWindowDimensions().value_or(ArrayRef<int64_t>());
  Type element = operand.getElementType();
  // (select_and_scatter C1), except for the precision of floats.
  if (!(isa<FloatType>(element) && isa<FloatType>(source.getElementType())) &&
      failed(expectBaseline(*this, "source", source, operand)))
    return failure();
  if ( // (select_and_scatter C4)
      failed(expectCount(*this, "window_dimensions", sizes.size(),
                         operand.getRank())) ||
      // (select_and_scatter C5)
      failed(expectAtLeast(*this, "window_dimensions", sizes, 1)))
    return failure();
  // (select_and_scatter C6, C7, C8): strides, padding.
  FailureOr<SmallVector<WindowSpec>> window =
      readWindow(*this, sizes, getWindowStrides(), std::nullopt, std::nullopt,
                 getPaddingAttr());
  if (failed(window) ||
      // (select_and_scatter C9)
      failed(expectSelector(*this, getSelect(), element)))
    return failure();
  // (select_and_scatter C10)
  FailureOr<SmallVector<Type>> accumulators =
      expectReducer(*this, "scatter", getScatter(), getOperand().getType());
  if (failed(accumulators))
    return failure();
  FailureOr<SmallVector<int64_t>> places =
      expectWindows(*this, operand.getShape(), *window);
  return failure(
      failed(places) ||
      // (select_and_scatter C2)
      failed(expectShape(*this, "source", source, *places)) ||
      // (select_and_scatter C3)
      failed(expectScalar(*this, "init_value", getInitValue().getType())) ||
      failed(expectCombinable(*this, "init_value", getInitValue().getType(),
                              operand, accumulators->front())) ||
      // (select_and_scatter C11)
      failed(expectResultShapes(*this, operand.getShape())) ||
      // (select_and_scatter C12)
      failed(expectResultElements(*this, *accumulators)));
}

//===----------------------------------------------------------------------===//
// sort and map
//===----------------------------------------------------------------------===//

LogicalResult SortOp::verify() {
  // (sort C1)
  if (getInputs().empty())
    return emitOpError() << "expected at least one input, got none";
  // (sort C3)
  FailureOr<SmallVector<int64_t>> shape = expectOneShape(*this, getInputs());
  if (failed(shape) ||
      // (sort C2)
      failed(expectTypes(*this, "results", getResultTypes(),
                         getInputs().getTypes())) ||
      // (sort C3)
      failed(expectResultShapes(*this, *shape)))
    return failure();
  int64_t rank = shape->size(), dim = int64_t(getDimension());
  // (sort C4)
  if (dim < -rank || dim >= rank)
    return emitOpError() << "expected dimension within [" << -rank << ", "
                         << rank << "), got " << dim;
  // (sort C5)
  if (failed(expectScalarRegion(*this, "comparator", getComparator(),
                                2 * getInputs().size(), 1)))
    return failure();
  for (auto [i, type] : llvm::enumerate(getComparator().getArgumentTypes()))
    if (failed(expectBaseline(*this, "comparator argument",
                              cast<RankedTensorType>(type),
                              tensorType(getInputs()[i / 2]))))
      return failure();
  return expectPredicate(*this, "comparator", getComparator());
}

LogicalResult MapOp::verify() {
  // (map C2)
  if (getInputs().empty())
    return emitOpError() << "expected at least one input, got none";
  // (map C1)
  for (Value input : getInputs())
    if (failed(expectShape(*this, "input", tensorType(input),
                           getType().getShape())))
      return failure();
  // (map C3)
  ArrayRef<int64_t> dimensions = getDimensions();
  if (failed(expectCount(*this, "dimensions", dimensions.size(),
                         tensorType(getInputs().front()).getRank())))
    return failure();
  for (auto [i, dim] : llvm::enumerate(dimensions))
    if (dim != int64_t(i))
      return emitOpError() << "expected dimensions 0, 1, 2, .. in this order, "
                              "got ["
                           << dimensions << "]";
  // (map C4)
  if (failed(expectScalarRegion(*this, "computation", getComputation(),
                                getInputs().size(), 1)))
    return failure();
  for (auto [type, input] :
       llvm::zip(getComputation().getArgumentTypes(), getInputs()))
    if (failed(expectBaseline(*this, "computation argument",
                              cast<RankedTensorType>(type), tensorType(input))))
      return failure();
  return expectBaseline(
      *this, "result", getType(),
      cast<RankedTensorType>(
          getComputation().front().back().getOperand(0).getType()));
}
