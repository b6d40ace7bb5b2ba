// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reduce, map.

#include "mercator/dialects/stablehlo/ExtremeSearch.h"
#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"
#include "mercator/transforms/stablehlo/scalars/Promotion.h"
#include "mercator/transforms/stablehlo/scalars/Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
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

//===--- Searches of an extreme -------------------------------------------===//

/// Whether all elements of a constant are this number.
static bool isConstantOf(Value value, const APFloat &real,
                         const APInt &integer) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                        : SplatElementsAttr();
  if (!splat)
    return false;
  auto element = splat.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(element))
    return number.getValue().bitwiseIsEqual(real);
  auto number = dyn_cast<IntegerAttr>(element);
  return number && number.getValue() == integer;
}

/// Whether the initial element loses against any other one, and the initial place is 0.
static bool beginsWithNothing(ReduceOp op, Extreme extreme) {
  Value first = op.getInitValues()[0], place = op.getInitValues()[1];
  Type type = elementOf(first);
  bool isGreatest = extreme == Extreme::Greatest;
  unsigned bits = type.getIntOrFloatBitWidth();
  auto real = dyn_cast<FloatType>(type);
  const llvm::fltSemantics &semantics =
      real ? real.getFloatSemantics() : APFloat::IEEEsingle();
  APInt least = isUnsigned(type) ? APInt::getMinValue(bits)
                                 : APInt::getSignedMinValue(bits);
  return isConstantOf(first, APFloat::getInf(semantics, isGreatest),
                      isGreatest ? least : ~least) &&
         isConstantOf(place, APFloat::getZero(semantics),
                      APInt::getZero(elementOf(place).getIntOrFloatBitWidth()));
}

/// The extreme that is searched in long rows. Short rows have code in vectors side by
/// side, and columns too.
static std::optional<Extreme> searchInRows(ReduceOp op) {
  constexpr int64_t kLong = 64;
  std::optional<Extreme> extreme = searchedExtreme(op);
  if (!extreme || op.getDimensions().size() != 1)
    return std::nullopt;
  Value x = op.getInputs()[0];
  auto places = op.getInputs()[1].getDefiningOp<IotaOp>();
  auto type = cast<RankedTensorType>(x.getType());
  int64_t dim = op.getDimensions()[0];
  if (!places || int64_t(places.getIotaDimension()) != dim ||
      !type.hasStaticShape() || dim + 1 != type.getRank() ||
      type.getDimSize(dim) < kLong)
    return std::nullopt;
  Type element = type.getElementType();
  auto integer = dyn_cast<IntegerType>(element),
       place = dyn_cast<IntegerType>(elementOf(places));
  bool hasCode = element.isF16() || element.isBF16() || element.isF32() ||
                 element.isF64() || (integer && integer.getWidth() > 1);
  bool fits =
      place && (place.getWidth() > 63 ||
                type.getDimSize(dim) <= int64_t(1) << (place.getWidth() - 1));
  for (auto [input, argument] : llvm::zip(
           op.getInputs(), op.getBody().front().getArguments().take_back(2)))
    hasCode &= elementOf(input) == elementOf(argument);
  return hasCode && fits && beginsWithNothing(op, *extreme) ? extreme
                                                            : std::nullopt;
}

/// First the extreme, then the first place that has it: a loop that keeps both has no
/// vectors, since each term waits for a comparison with the one before.
static Values lowerSearch(Extreme extreme, ReduceOp op, ReduceOp::Adaptor in,
                          Lowering &l, ArrayRef<AffineMap> maps,
                          ArrayRef<Iterator> iterators, const Sizes &sizes) {
  ImplicitLocOpBuilder &b = l.b;
  Value x = in.getInputs()[0];
  Type element = elementOf(x), place = elementOf(in.getInputs()[1]);
  bool isGreatest = extreme == Extreme::Greatest,
       isFloat = isa<FloatType>(element),
       isWithoutSign = isUnsigned(elementOf(op.getInputs()[0]));
  AffineMap all = maps.front(), kept = maps.back();
  auto further = [&](ImplicitLocOpBuilder &b, Value x, Value y) -> Value {
    if (isFloat)
      return isGreatest ? Value(arith::MaximumFOp::create(b, x, y))
                        : Value(arith::MinimumFOp::create(b, x, y));
    if (isWithoutSign)
      return isGreatest ? Value(arith::MaxUIOp::create(b, x, y))
                        : Value(arith::MinUIOp::create(b, x, y));
    return isGreatest ? Value(arith::MaxSIOp::create(b, x, y))
                      : Value(arith::MinSIOp::create(b, x, y));
  };
  Value init = filled(b, sizes, scalarOf(b, in.getInitValues()[0]));
  Value most =
      generic(b, {x}, {init}, {all, kept}, iterators,
              [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
                return {further(b, numbers[1], numbers[0])};
              })
          .front();
  auto dim = unsigned(op.getDimensions()[0]);
  int64_t extent = cast<RankedTensorType>(x.getType()).getDimSize(dim);
  auto find = [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
    Value isIt;
    if (isFloat) {
      isIt = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, numbers[0],
                                   numbers[1]);
      Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO,
                                          numbers[0], numbers[0]);
      isIt = arith::OrIOp::create(b, isIt, isNaN);
    } else {
      isIt = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, numbers[0],
                                   numbers[1]);
    }
    Value own =
        arith::IndexCastOp::create(b, place, linalg::IndexOp::create(b, dim));
    own = arith::SelectOp::create(b, isIt, own, integer(b, place, extent - 1));
    return {arith::MinSIOp::create(b, numbers[2], own)};
  };
  Value last = filled(b, sizes, integer(b, place, extent - 1));
  Value first =
      generic(b, {x, most}, {last}, {all, kept, kept}, iterators, find).front();
  return {castTo(b, most, l.type(0)), castTo(b, first, l.type(1))};
}

//===--- Any body ---------------------------------------------------------===//

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
  SmallVector<AffineMap> maps(count, b.getMultiDimIdentityMap(rank));
  maps.append(count, AffineMap::get(rank, 0, keptLoops, b.getContext()));
  if (std::optional<Extreme> extreme = searchInRows(op))
    return lowerSearch(*extreme, op, in, l, maps, iterators, sizes);
  Values scalars;
  for (Value init : in.getInitValues())
    scalars.push_back(scalarOf(b, init));
  Values inits;
  for (Value number : promoteToBody(b, scalars, op.getInitValues(),
                                    body.getArguments().take_front(count)))
    inits.push_back(filled(b, sizes, number));

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
