// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reduce, map.

#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"
#include "mercator/transforms/stablehlo/scalars/Promotion.h"
#include "mercator/transforms/stablehlo/scalars/Scalar.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;

namespace mercator::stablehlo {

/// Fails after an error if the body takes another quantized type: quantized
/// numbers are not promoted.
static LogicalResult expectPromotable(Lowering &l, ValueRange tensors,
                                      Block::BlockArgListType arguments) {
  for (auto [tensor, argument] : llvm::zip_equal(tensors, arguments)) {
    Type from = elementOf(tensor), to = elementOf(argument);
    if (from != to &&
        (isa<quant::QuantizedType>(from) || isa<quant::QuantizedType>(to)))
      return l.refuse("its body takes another quantized type than it has");
  }
  return success();
}

/// The numbers that the body takes, from numbers of the element types of
/// `tensors`.
static Values promoteToBody(ImplicitLocOpBuilder &b, ValueRange numbers,
                            ValueRange tensors,
                            Block::BlockArgListType arguments) {
  Values promoted;
  for (auto [number, tensor, argument] :
       llvm::zip_equal(numbers, tensors, arguments))
    promoted.push_back(
        promoteNumber(b, number, elementOf(tensor), elementOf(argument)));
  return promoted;
}

/// The extents of the inputs without the reduced dimensions. `known` is the
/// type of a result.
static Sizes keptSizes(ImplicitLocOpBuilder &b, RankedTensorType known,
                       ValueRange inputs, ArrayRef<int64_t> kept) {
  Sizes sizes;
  for (auto [extent, dim] : llvm::zip_equal(known.getShape(), kept)) {
    Value best = inputs.front();
    for (Value input : inputs)
      if (!cast<RankedTensorType>(input.getType()).isDynamicDim(unsigned(dim)))
        best = input;
    sizes.push_back(ShapedType::isDynamic(extent)
                        ? extentOf(b, best, dim)
                        : OpFoldResult(b.getIndexAttr(extent)));
  }
  return sizes;
}

/// The initial values fill the results; the body folds the elements into them,
/// in row-major order.
static FailureOr<Values> lowerReduce(ReduceOp op, ReduceOp::Adaptor in,
                                     Lowering &l) {
  ImplicitLocOpBuilder &b = l.b;
  size_t count = in.getInputs().size();
  Block &body = op.getBody().front();
  auto arguments = body.getArguments();
  if (failed(
          expectPromotable(l, op.getInputs(), arguments.drop_front(count))) ||
      failed(
          expectPromotable(l, op.getInitValues(), arguments.take_front(count))))
    return failure();
  auto rank = unsigned(
      cast<RankedTensorType>(in.getInputs().front().getType()).getRank());
  SmallVector<Iterator> iterators(rank, Iterator::parallel);
  for (int64_t dim : op.getDimensions())
    iterators[size_t(dim)] = Iterator::reduction;
  SmallVector<int64_t> kept;
  SmallVector<AffineExpr> keptLoops;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (iterators[dim] == Iterator::parallel) {
      kept.push_back(dim);
      keptLoops.push_back(b.getAffineDimExpr(dim));
    }

  Sizes sizes = keptSizes(b, l.type(), in.getInputs(), kept);
  Values scalars;
  for (Value init : in.getInitValues())
    scalars.push_back(scalarOf(b, init));
  Values inits;
  for (Value number : promoteToBody(b, scalars, op.getInitValues(),
                                    body.getArguments().take_front(count)))
    inits.push_back(filled(b, sizes, number));
  SmallVector<AffineMap> maps(count, b.getMultiDimIdentityMap(rank));
  maps.append(count, AffineMap::get(rank, 0, keptLoops, b.getContext()));

  bool hasFailed = false;
  auto combine = [&](ImplicitLocOpBuilder &inside,
                     ValueRange numbers) -> Values {
    Values arguments(numbers.drop_front(count));
    llvm::append_range(arguments,
                       promoteToBody(inside, numbers.take_front(count),
                                     op.getInputs(),
                                     body.getArguments().drop_front(count)));
    FailureOr<Values> yielded = emitBody(l, inside, body, arguments);
    hasFailed = failed(yielded);
    return hasFailed ? Values() : *yielded;
  };
  // Passes replace inits that a body does not read, which is wrong if the body
  // is never executed.
  bool isOfNothing = llvm::any_of(in.getInputs(), [](Value input) {
    return hasNoElements(cast<RankedTensorType>(input.getType()).getShape());
  });
  Values results =
      isOfNothing ? inits
                  : generic(b, in.getInputs(), inits, maps, iterators, combine);
  if (hasFailed)
    return failure();
  for (auto [i, result] : llvm::enumerate(results))
    result = castTo(b, result, l.type(unsigned(i)));
  return results;
}

static FailureOr<Value> lowerMap(MapOp op, MapOp::Adaptor in, Lowering &l) {
  Block &body = op.getComputation().front();
  if (failed(expectPromotable(l, op.getInputs(), body.getArguments())))
    return failure();
  bool hasFailed = false;
  Value result = computeEach(
      l.b, l.type(), in.getInputs(),
      [&](ImplicitLocOpBuilder &inside, ValueRange numbers) -> Values {
        FailureOr<Values> yielded = emitBody(l, inside, body, numbers);
        hasFailed = failed(yielded);
        return hasFailed ? Values() : *yielded;
      });
  if (hasFailed)
    return failure();
  return result;
}

void addReduceRules(LoweringRules &rules) {
  rules.add<ReduceOp, lowerReduce>();
  rules.add<MapOp, lowerMap>();
}

} // namespace mercator::stablehlo
