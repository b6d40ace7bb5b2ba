// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/lowering/Loops.h"
#include "mercator/transforms/stablehlo/rules/ReduceWindow.h"
#include "mercator/transforms/stablehlo/scalars/Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mercator::stablehlo {

//===----------------------------------------------------------------------===//
// Identity elements
//===----------------------------------------------------------------------===//

/// The value of a constant of rank 0; null for another value.
static Attribute constantNumber(Value value) {
  // Frontends broadcast initial values from rank 0 to rank 0.
  while (auto broadcast = value.getDefiningOp<BroadcastInDimOp>())
    value = broadcast->getOperand(0);
  auto constant = value.getDefiningOp<ConstantOp>();
  auto dense =
      constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  return dense && dense.isSplat() ? dense.getSplatValue<Attribute>()
                                  : Attribute();
}

static bool isIntegerIdentity(Operation *op, const APInt &value,
                              bool isUnsigned) {
  if (isa<AddOp, OrOp, XorOp>(op))
    return value.isZero();
  if (isa<MulOp>(op))
    return value.isOne();
  if (isa<AndOp>(op))
    return value.isAllOnes();
  if (isa<MaxOp>(op))
    return isUnsigned ? value.isMinValue() : value.isMinSignedValue();
  if (isa<MinOp>(op))
    return isUnsigned ? value.isMaxValue() : value.isMaxSignedValue();
  return false;
}

static bool isRealIdentity(Operation *op, const APFloat &value) {
  if (isa<AddOp>(op))
    return value.isZero();
  if (isa<MulOp>(op))
    return value.isExactlyValue(1.0);
  if (isa<MaxOp>(op))
    return value.isInfinity() && value.isNegative();
  if (isa<MinOp>(op))
    return value.isInfinity() && !value.isNegative();
  return false;
}

static bool isIdentity(Operation *op, Attribute value) {
  if (auto whole = dyn_cast<IntegerAttr>(value))
    return isIntegerIdentity(op, whole.getValue(),
                             whole.getType().isUnsignedInteger() ||
                                 whole.getType().isInteger(1));
  if (auto real = dyn_cast<FloatAttr>(value))
    return isRealIdentity(op, real.getValue());
  auto parts = dyn_cast<ArrayAttr>(value);
  if (!parts || parts.size() != 2)
    return false;
  auto re = dyn_cast<FloatAttr>(parts[0]), im = dyn_cast<FloatAttr>(parts[1]);
  return re && im && isa<AddOp, MulOp>(op) &&
         isRealIdentity(op, re.getValue()) && im.getValue().isZero();
}

bool mayBeMonoid(ValueRange initialValues, Block &body) {
  SmallVector<Attribute> initial;
  for (Value value : initialValues)
    initial.push_back(constantNumber(value));
  if (llvm::is_contained(initial, Attribute()))
    return false;
  if (!llvm::hasNItems(body, 2))
    return !llvm::hasSingleElement(body);
  Operation &only = body.front();
  return initial.size() == 1 && only.getNumOperands() == 2 &&
         only.getOperand(0) != only.getOperand(1) &&
         llvm::all_of(only.getOperands(),
                      [&](Value value) {
                        return llvm::is_contained(body.getArguments(), value);
                      }) &&
         body.getTerminator()->getOperands() == only.getResults() &&
         isIdentity(&only, initial.front());
}

//===----------------------------------------------------------------------===//
// Recognition
//===----------------------------------------------------------------------===//

std::optional<Cumulative> findCumulative(ReduceWindowOp op,
                                         ArrayRef<Window> windows) {
  std::optional<Cumulative> found;
  for (auto [i, window] : llvm::enumerate(windows)) {
    if (window.stride != 1 || window.baseDilation != 1)
      return std::nullopt;
    if (window.size == 1 && window.low == 0 && window.high == 0)
      continue;
    int64_t extent =
        cast<RankedTensorType>(op.getInputs().front().getType()).getDimSize(i);
    bool isForward = window.low == window.size - 1 && window.high == 0,
         isReversed = window.high == window.size - 1 && window.low == 0;
    if (found || ShapedType::isDynamic(extent) || window.size < extent ||
        window.size < 2 || window.windowDilation != 1 ||
        !(isForward || isReversed))
      return std::nullopt;
    found = Cumulative{int64_t(i), isReversed};
  }
  return found && mayBeMonoid(op.getInitValues(), op.getBody().front())
             ? found
             : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// The type in which a cumulative sum of floats is accumulated: a wider one, since
/// the sum is one chain of additions. Null for other bodies and types.
static FloatType wideType(ReduceWindowOp op, Type type) {
  Block &body = op.getBody().front();
  if (!llvm::hasNItems(body, 2) || !isa<AddOp>(body.front()) ||
      !isa<FloatType>(type) || type.getIntOrFloatBitWidth() > 32)
    return {};
  MLIRContext *context = op.getContext();
  return type.isF32() ? FloatType(Float64Type::get(context))
                      : FloatType(Float32Type::get(context));
}

FailureOr<Values> lowerCumulative(ReduceWindowOp op, Lowering &l,
                                  const Cumulative &how, ValueRange inputs,
                                  ValueRange initial) {
  ImplicitLocOpBuilder &b = l.b;
  Sizes extents = extentsOf(b, inputs.front()), others = extents;
  others[how.dim] = b.getIndexAttr(1);
  size_t count = inputs.size();
  Values results;
  for (Value number : initial)
    results.push_back(empty(b, extents, number.getType()));
  Value begin = indexConstant(b, 0), step = indexConstant(b, 1);
  Value end = valueOf(b, extents[how.dim]);
  Value last = arith::SubIOp::create(b, end, step);

  FloatType wide = wideType(op, initial.front().getType());

  // The accumulators, then the results.
  auto accumulate = [&](ImplicitLocOpBuilder &b, ValueRange others, Value i,
                        ValueRange carried) -> FailureOr<Values> {
    Values at(others);
    at[how.dim] = how.isReversed ? Value(arith::SubIOp::create(b, last, i)) : i;
    Values numbers(carried.take_front(count));
    Values elements = extractAll(b, inputs, at);
    if (wide) {
      Value element = arith::ExtFOp::create(b, wide, elements.front());
      Value sum = arith::AddFOp::create(b, numbers.front(), element);
      Value number =
          arith::TruncFOp::create(b, elements.front().getType(), sum);
      Values next{sum};
      next.append(insertAll(b, number, carried.drop_front(count), at));
      return next;
    }
    // The operands of the body are in the order of the elements.
    numbers.insert(how.isReversed ? numbers.begin() : numbers.end(),
                   elements.begin(), elements.end());
    FailureOr<Values> next = emitBody(l, b, op.getBody().front(), numbers);
    if (failed(next))
      return failure();
    next->append(insertAll(b, *next, carried.drop_front(count), at));
    return next;
  };
  FailureOr<Values> filled =
      forEach(b, others, results,
              [&](ImplicitLocOpBuilder &b, ValueRange others,
                  ValueRange carried) -> FailureOr<Values> {
                Values start(initial);
                if (wide)
                  start.front() = arith::ExtFOp::create(b, wide, start.front());
                llvm::append_range(start, carried);
                FailureOr<Values> next = loop(
                    b, begin, end, step, start,
                    [&](ImplicitLocOpBuilder &b, Value i, ValueRange carried) {
                      return accumulate(b, others, i, carried);
                    });
                if (failed(next))
                  return failure();
                return Values(ArrayRef(*next).drop_front(count));
              });
  if (failed(filled))
    return failure();
  for (auto [i, value] : llvm::enumerate(*filled))
    value = castTo(b, value, l.type(i));
  return filled;
}

} // namespace mercator::stablehlo
