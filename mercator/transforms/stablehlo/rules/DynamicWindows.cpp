// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `custom_call @stablehlo.dynamic_reduce_window`, which programs for all sizes
// contain: reduce_window whose attributes are operands.
//
// A loop for each dimension of the result, and one inside for each dimension of
// a window, fold one element at a time. Whether the windows are cumulative is
// known only when the loops run. If they are, a window extends the one before
// it: its fold starts from the result of that one and takes one element more,
// so the time is linear.
//
//   cumulative, forward    size >= extent, low = size - 1, high = 0
//   cumulative, reversed   size >= extent, low = 0, high = size - 1

#include "mercator/transforms/stablehlo/lowering/Loops.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"
#include "mercator/transforms/stablehlo/rules/ReduceWindow.h"
#include "mercator/transforms/stablehlo/scalars/Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {

/// The windows along one dimension, as values of type index.
struct DynamicWindow {
  Value extent, size, stride, low, high, baseDilation, windowDilation;
  /// The extent of the result.
  OpFoldResult count;
  /// Whether the windows are cumulative along this dimension, as an i1.
  Value isForward, isReversed;
};

/// Arithmetic on values of type index, folded where the numbers are known.
struct Indices {
  ImplicitLocOpBuilder &b;

  Value constant(int64_t number) const { return indexConstant(b, number); }
  Value add(Value x, Value y) const {
    return b.createOrFold<arith::AddIOp>(x, y);
  }
  Value sub(Value x, Value y) const {
    return b.createOrFold<arith::SubIOp>(x, y);
  }
  Value mul(Value x, Value y) const {
    return b.createOrFold<arith::MulIOp>(x, y);
  }
  Value max(Value x, Value y) const {
    return b.createOrFold<arith::MaxSIOp>(x, y);
  }
  /// The quotient of numbers that are not negative.
  Value div(Value x, Value y) const {
    return b.createOrFold<arith::DivUIOp>(x, y);
  }
  Value rem(Value x, Value y) const {
    return b.createOrFold<arith::RemUIOp>(x, y);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) const {
    return b.createOrFold<arith::CmpIOp>(predicate, x, y);
  }
  Value equal(Value x, Value y) const {
    return compare(arith::CmpIPredicate::eq, x, y);
  }
  Value both(Value x, Value y) const {
    return b.createOrFold<arith::AndIOp>(x, y);
  }
  Value either(Value x, Value y) const {
    return b.createOrFold<arith::OrIOp>(x, y);
  }
  Value select(Value condition, Value x, Value y) const {
    return b.createOrFold<arith::SelectOp>(condition, x, y);
  }
  Value boolean(bool value) const { return integer(b, b.getI1Type(), value); }
};

} // namespace

/// The function that the call names, if its body has not been lowered yet.
static func::FuncOp calledBy(CustomCallOp op) {
  ArrayAttr called = op.getCalledComputationsAttr();
  auto name = called && !called.empty() ? dyn_cast<FlatSymbolRefAttr>(called[0])
                                        : FlatSymbolRefAttr();
  return name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, name)
              : func::FuncOp();
}

static bool areScalars(TypeRange types) {
  return llvm::all_of(types, [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 0;
  });
}

/// Whether the operands have the form of inputs, equally many initial values,
/// four lists of numbers and the padding.
static bool isDynamicReduceWindow(Operation *op) {
  auto call = dyn_cast<CustomCallOp>(op);
  size_t count = op->getNumResults();
  if (!call || call.getCallTargetName() != "stablehlo.dynamic_reduce_window" ||
      count == 0 || op->getNumOperands() != 2 * count + 5)
    return false;
  func::FuncOp body = calledBy(call);
  if (!body || !body.getBody().hasOneBlock() ||
      body.getNumArguments() != 2 * count || body.getNumResults() != count ||
      !areScalars(body.getArgumentTypes()) ||
      !areScalars(body.getResultTypes()) ||
      !areScalars(op->getOperands().slice(count, count).getTypes()))
    return false;
  auto first = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!first)
    return false;
  for (size_t i = 0; i < count; ++i) {
    auto input = dyn_cast<RankedTensorType>(op->getOperand(i).getType());
    auto result = dyn_cast<RankedTensorType>(op->getResult(i).getType());
    if (!input || !result || input.getRank() != first.getRank() ||
        result.getRank() != first.getRank())
      return false;
  }
  for (size_t i = 0; i < 5; ++i) {
    auto list =
        dyn_cast<RankedTensorType>(op->getOperand(2 * count + i).getType());
    if (!list || !list.getElementType().isInteger() ||
        list.getRank() != (i == 4 ? 2 : 1) ||
        list.getDimSize(0) != first.getRank() ||
        (i == 4 && list.getDimSize(1) != 2))
      return false;
  }
  return true;
}

/// Reads the lists of the operands from `first` on.
static SmallVector<DynamicWindow> readDynamic(Lowering &l, ValueRange operands,
                                              size_t first, Value input) {
  Indices at{l.b};
  int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
  auto isWithoutSign = [&](size_t i) {
    return isUnsigned(getElementTypeOrSelf(l.op->getOperand(i).getType()));
  };
  SmallVector<Value> lists[4];
  for (size_t i = 0; i < 4; ++i)
    for (OpFoldResult number :
         elementsOf(l.b, operands[first + i], rank, isWithoutSign(first + i)))
      lists[i].push_back(valueOf(l.b, number));
  auto padding = [&](int64_t dim, int64_t side) {
    Value number = l.b.createOrFold<tensor::ExtractOp>(
        operands[first + 4], ValueRange{at.constant(dim), at.constant(side)});
    return toIndex(l.b, number, isWithoutSign(first + 4));
  };
  SmallVector<DynamicWindow> windows;
  for (int64_t dim = 0; dim < rank; ++dim)
    windows.push_back({.extent = valueOf(l.b, extentOf(l.b, input, dim)),
                       .size = lists[0][dim],
                       .stride = lists[1][dim],
                       .low = padding(dim, 0),
                       .high = padding(dim, 1),
                       .baseDilation = lists[2][dim],
                       .windowDilation = lists[3][dim],
                       .count = {},
                       .isForward = {},
                       .isReversed = {}});
  return windows;
}

/// The number of windows along a dimension.
static Value countOf(ImplicitLocOpBuilder &b, const DynamicWindow &w) {
  Indices at{b};
  Value zero = at.constant(0), one = at.constant(1);
  Value holes =
      at.mul(at.sub(at.max(w.extent, one), one), at.sub(w.baseDilation, one));
  Value padded = at.add(at.add(w.extent, holes), at.add(w.low, w.high));
  Value reach = at.add(at.mul(at.sub(w.size, one), w.windowDilation), one);
  Value room = at.sub(padded, reach);
  Value isNone = at.compare(arith::CmpIPredicate::slt, room, zero);
  return at.select(isNone, zero,
                   at.add(at.div(at.max(room, zero), w.stride), one));
}

/// Finds which dimension is cumulative: all others must have windows of one
/// element.
static void findCumulativeDims(ImplicitLocOpBuilder &b,
                               MutableArrayRef<DynamicWindow> windows,
                               bool mayBe) {
  Indices at{b};
  Value zero = at.constant(0), one = at.constant(1);
  SmallVector<Value> isSingle;
  for (DynamicWindow &w : windows) {
    Value isPlain =
        at.both(at.equal(w.stride, one), at.equal(w.baseDilation, one));
    Value isNotPadded = at.both(at.equal(w.low, zero), at.equal(w.high, zero));
    isSingle.push_back(
        at.both(isPlain, at.both(at.equal(w.size, one), isNotPadded)));
    Value last = at.sub(w.size, one);
    Value isLong =
        at.both(at.compare(arith::CmpIPredicate::sge, w.size, w.extent),
                at.equal(w.windowDilation, one));
    isLong = at.both(isPlain, isLong);
    w.isForward =
        at.both(isLong, at.both(at.equal(w.low, last), at.equal(w.high, zero)));
    w.isReversed =
        at.both(isLong, at.both(at.equal(w.high, last), at.equal(w.low, zero)));
    // A window of one element is both, and neither is of use.
    Value isWide = at.compare(arith::CmpIPredicate::sgt, w.size, one);
    w.isForward = at.both(w.isForward, isWide);
    w.isReversed = at.both(w.isReversed, isWide);
  }
  for (auto [i, w] : llvm::enumerate(windows)) {
    Value others = at.boolean(mayBe);
    for (auto [k, single] : llvm::enumerate(isSingle))
      if (k != i)
        others = at.both(others, single);
    w.isForward = at.both(w.isForward, others);
    w.isReversed = at.both(w.isReversed, others);
  }
}

namespace {
/// The loops of one call.
class DynamicFold {
public:
  DynamicFold(Lowering &l, Block &body, ArrayRef<DynamicWindow> windows,
              ValueRange inputs, ValueRange initial)
      : l(l), body(body), windows(windows), inputs(inputs), initial(initial) {}

  /// One result element at `point`: `carried` are the results so far.
  FailureOr<Values> element(ImplicitLocOpBuilder &b, ValueRange point,
                            ValueRange carried);

private:
  FailureOr<Values> foldWindow(ImplicitLocOpBuilder &b, Values &offset,
                               ValueRange point, ValueRange numbers);
  FailureOr<Values> fold(ImplicitLocOpBuilder &b, ValueRange offset,
                         ValueRange point, ValueRange numbers);

  Lowering &l;
  Block &body;
  ArrayRef<DynamicWindow> windows;
  ValueRange inputs, initial;
};
} // namespace

FailureOr<Values> DynamicFold::element(ImplicitLocOpBuilder &b,
                                       ValueRange point, ValueRange carried) {
  Indices at{b};
  Value zero = at.constant(0), one = at.constant(1);
  // Reversed windows are visited from the last to the first. Such a dimension
  // has as many windows as elements.
  Values place, before;
  Value extends = at.boolean(false);
  for (auto [i, w] : llvm::zip(point, windows)) {
    Value last = at.sub(valueOf(b, w.count), one);
    place.push_back(at.select(w.isReversed, at.sub(last, i), i));
    Value isLater = at.compare(arith::CmpIPredicate::sgt, i, zero);
    Value back = at.select(
        w.isForward, at.sub(place.back(), one),
        at.select(w.isReversed, at.add(place.back(), one), place.back()));
    before.push_back(at.select(isLater, back, place.back()));
    extends = at.either(extends,
                        at.both(at.either(w.isForward, w.isReversed), isLater));
  }
  Values numbers;
  for (auto [previous, first] :
       llvm::zip(extractAll(b, carried, before), initial))
    numbers.push_back(at.select(extends, previous, first));
  Values offset;
  FailureOr<Values> folded = foldWindow(b, offset, place, numbers);
  if (failed(folded))
    return failure();
  return insertAll(b, *folded, carried, place);
}

/// The loops over the elements of a window, inside of those at `offset`.
FailureOr<Values> DynamicFold::foldWindow(ImplicitLocOpBuilder &b,
                                          Values &offset, ValueRange point,
                                          ValueRange numbers) {
  if (offset.size() == windows.size())
    return fold(b, offset, point, numbers);
  Indices at{b};
  const DynamicWindow &w = windows[offset.size()];
  Value one = at.constant(1);
  Value begin = at.select(w.isForward, at.sub(w.size, one), at.constant(0));
  Value end = at.select(w.isReversed, one, w.size);
  return loop(b, begin, end, one, numbers,
              [&](ImplicitLocOpBuilder &inside, Value i, ValueRange values) {
                offset.push_back(i);
                FailureOr<Values> next =
                    foldWindow(inside, offset, point, values);
                offset.pop_back();
                return next;
              });
}

/// Folds one element of a window. In the padding and in holes the initial value
/// takes its place.
FailureOr<Values> DynamicFold::fold(ImplicitLocOpBuilder &b, ValueRange offset,
                                    ValueRange point, ValueRange numbers) {
  Indices at{b};
  Value zero = at.constant(0), isInside = at.boolean(true),
        isReversed = at.boolean(false);
  Values index;
  for (auto [dim, w] : llvm::enumerate(windows)) {
    Value padded = at.sub(at.add(at.mul(point[dim], w.stride),
                                 at.mul(offset[dim], w.windowDilation)),
                          w.low);
    Value isNatural = at.compare(arith::CmpIPredicate::sge, padded, zero);
    Value safe = at.max(padded, zero);
    Value isElement = at.equal(at.rem(safe, w.baseDilation), zero);
    index.push_back(at.div(safe, w.baseDilation));
    Value isBelow =
        at.compare(arith::CmpIPredicate::slt, index.back(), w.extent);
    isInside =
        at.both(isInside, at.both(isNatural, at.both(isElement, isBelow)));
    isReversed = at.either(isReversed, w.isReversed);
  }
  FailureOr<Values> elements = conditional(
      b, isInside,
      [&](ImplicitLocOpBuilder &b) -> FailureOr<Values> {
        Values found = extractAll(b, inputs, index);
        for (auto [i, number] : llvm::enumerate(found)) {
          FailureOr<Value> wide = promote(
              l, b, number, getElementTypeOrSelf(l.op->getOperand(i).getType()),
              getElementTypeOrSelf(body.getArgument(i).getType()));
          if (failed(wide))
            return failure();
          number = *wide;
        }
        return found;
      },
      [&](ImplicitLocOpBuilder &) -> FailureOr<Values> {
        return Values(initial);
      });
  if (failed(elements))
    return failure();
  // The operands of the body are in the order of the elements.
  Values arguments;
  for (auto [number, element] : llvm::zip(numbers, *elements))
    arguments.push_back(at.select(isReversed, element, number));
  for (auto [number, element] : llvm::zip(numbers, *elements))
    arguments.push_back(at.select(isReversed, number, element));
  return emitBody(l, b, body, arguments);
}

static FailureOr<Values> lowerDynamicReduceWindow(Lowering &l) {
  ImplicitLocOpBuilder &b = l.b;
  Values operands = operandsOf(l);
  size_t count = l.op->getNumResults();
  Block &body = calledBy(cast<CustomCallOp>(l.op)).getBody().front();
  Values inputs(ArrayRef(operands).take_front(count)), initial;
  SmallVector<Value> oldInitial;
  for (size_t i = 0; i < count; ++i) {
    Value old = l.op->getOperand(count + i);
    oldInitial.push_back(old);
    FailureOr<Value> number =
        promote(l, b, scalarOf(b, operands[count + i]),
                getElementTypeOrSelf(old.getType()),
                getElementTypeOrSelf(body.getArgument(i).getType()));
    if (failed(number))
      return failure();
    initial.push_back(*number);
  }
  SmallVector<DynamicWindow> windows =
      readDynamic(l, operands, 2 * count, inputs.front());
  Sizes sizes;
  for (auto [i, extent] : llvm::enumerate(l.type().getShape())) {
    windows[i].count = ShapedType::isStatic(extent)
                           ? OpFoldResult(b.getIndexAttr(extent))
                           : getAsOpFoldResult(countOf(b, windows[i]));
    sizes.push_back(windows[i].count);
  }
  findCumulativeDims(b, windows, mayBeMonoid(oldInitial, body));
  Values results;
  for (Value number : initial)
    results.push_back(filled(b, sizes, number));
  DynamicFold fold(l, body, windows, inputs, initial);
  FailureOr<Values> done = forEach(
      b, sizes, results,
      [&](ImplicitLocOpBuilder &b, ValueRange point, ValueRange carried) {
        return fold.element(b, point, carried);
      });
  if (failed(done))
    return failure();
  for (auto [i, value] : llvm::enumerate(*done))
    value = castTo(b, value, l.type(unsigned(i)));
  return done;
}

void addDynamicWindowRules(LoweringRules &rules) {
  rules.addWhere(isDynamicReduceWindow, lowerDynamicReduceWindow);
}

} // namespace mercator::stablehlo
