// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reduce_window. The inputs are padded with the initial values; then one
// linalg.generic has a loop for each dimension of the result and one for each
// dimension of a window. The extents of the latter come from an operand that is
// not read, as in linalg's pooling operations. Cumulative.cpp has the windows
// that extend each other.

#include "mercator/transforms/stablehlo/rules/ReduceWindow.h"
#include "mercator/transforms/stablehlo/lowering/Loops.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"
#include "mercator/transforms/stablehlo/scalars/Scalar.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::stablehlo {

/// Inputs and initial values in the element types of the body.
static LogicalResult readOperands(ReduceWindowOp op, ReduceWindowOp::Adaptor in,
                                  Lowering &l, Values &inputs,
                                  Values &initial) {
  Block &body = op.getBody().front();
  for (unsigned i = 0; i < op.getInputs().size(); ++i) {
    Type type = elementOf(body.getArgument(i));
    FailureOr<Value> input =
        promoteTensor(l, in.getInputs()[i], elementOf(op.getInputs()[i]), type);
    FailureOr<Value> number =
        promote(l, l.b, scalarOf(l.b, in.getInitValues()[i]),
                elementOf(op.getInitValues()[i]), type);
    if (failed(input) || failed(number))
      return failure();
    inputs.push_back(*input);
    initial.push_back(*number);
  }
  return success();
}

/// The extents of the results.
static Sizes windowedSizes(ImplicitLocOpBuilder &b, RankedTensorType type,
                           Value input, ArrayRef<Window> windows) {
  Sizes padded = paddedSizes(b, input, windows), sizes;
  for (auto [i, extent] : llvm::enumerate(type.getShape()))
    sizes.push_back(ShapedType::isDynamic(extent)
                        ? countWindows(b, windows[i], padded[i])
                        : OpFoldResult(b.getIndexAttr(extent)));
  return sizes;
}

/// The loops: the dimensions of the result, then those of a window that has
/// more than one element along them.
static void makeMaps(MLIRContext *context, ArrayRef<Window> windows,
                     AffineMap &ofInput, AffineMap &ofWindow,
                     AffineMap &ofResult, SmallVector<int64_t> &shape) {
  unsigned rank = unsigned(windows.size()), loops = rank;
  SmallVector<AffineExpr> input, window, result;
  for (unsigned i = 0; i < rank; ++i) {
    AffineExpr at = getAffineDimExpr(i, context);
    result.push_back(at);
    input.push_back(at * windows[i].stride);
    if (windows[i].size == 1)
      continue;
    AffineExpr offset = getAffineDimExpr(loops++, context);
    input.back() = input.back() + offset * windows[i].windowDilation;
    window.push_back(offset);
    shape.push_back(windows[i].size);
  }
  ofInput = AffineMap::get(loops, 0, input, context);
  ofWindow = AffineMap::get(loops, 0, window, context);
  ofResult = AffineMap::get(loops, 0, result, context);
}

/// The results in their types, which may be less static.
static Values castAll(Lowering &l, ValueRange results) {
  Values typed;
  for (auto [i, result] : llvm::enumerate(results))
    typed.push_back(castTo(l.b, result, l.type(unsigned(i))));
  return typed;
}

static FailureOr<Values>
lowerReduceWindow(ReduceWindowOp op, ReduceWindowOp::Adaptor in, Lowering &l) {
  ImplicitLocOpBuilder &b = l.b;
  Values inputs, initial;
  if (failed(readOperands(op, in, l, inputs, initial)))
    return failure();
  SmallVector<Window> windows = readWindows(
      size_t(l.type().getRank()),
      {op.getWindowDimensions(), op.getWindowStrides(), op.getBaseDilations(),
       op.getWindowDilations(), op.getPadding()});
  if (std::optional<Cumulative> how = findCumulative(op, windows))
    return lowerCumulative(op, l, *how, inputs, initial);

  Sizes sizes = windowedSizes(b, l.type(), inputs.front(), windows);
  Values inits;
  for (Value number : initial)
    inits.push_back(filled(b, sizes, number));
  if (llvm::any_of(
          sizes, [](OpFoldResult size) { return isConstantIntValue(size, 0); }))
    return castAll(l, inits);
  AffineMap ofInput, ofWindow, ofResult;
  SmallVector<int64_t> shape;
  makeMaps(b.getContext(), windows, ofInput, ofWindow, ofResult, shape);
  SmallVector<AffineMap> maps;
  Values operands;
  // linalg infers extents of loops from extents of inputs, so these are exact.
  SmallVector<Window> trimmed(windows.begin(), windows.end());
  trimWindows(cast<RankedTensorType>(inputs.front().getType()).getShape(),
              trimmed);
  for (auto [input, number] : llvm::zip(inputs, initial)) {
    operands.push_back(trimPadded(b, padForWindows(b, input, trimmed, number),
                                  windows, sizes));
    maps.push_back(ofInput);
  }
  size_t count = operands.size();
  if (!shape.empty()) {
    operands.push_back(tensor::EmptyOp::create(b, shape, b.getI1Type()));
    maps.push_back(ofWindow);
  }
  maps.append(count, ofResult);
  SmallVector<Iterator> iterators(windows.size(), Iterator::parallel);
  iterators.append(shape.size(), Iterator::reduction);
  bool hasFailed = false;
  Values results =
      generic(b, operands, inits, maps, iterators,
              [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
                // The accumulators come first.
                Values arguments(numbers.take_back(count));
                llvm::append_range(arguments, numbers.take_front(count));
                FailureOr<Values> next =
                    emitBody(l, b, op.getBody().front(), arguments);
                hasFailed = failed(next);
                return hasFailed ? Values() : *next;
              });
  if (hasFailed)
    return failure();
  return castAll(l, results);
}

void addReduceWindowRules(LoweringRules &rules) {
  rules.add<ReduceWindowOp, lowerReduceWindow>();
}

} // namespace mercator::stablehlo
