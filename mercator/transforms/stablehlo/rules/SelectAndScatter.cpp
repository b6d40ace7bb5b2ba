// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Select_and_scatter, as loops: for each window, the element that `select`
// chooses, then an update of the result at its index.

#include "mercator/transforms/stablehlo/lowering/Loops.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"
#include "mercator/transforms/stablehlo/rules/Windows.h"
#include "mercator/transforms/stablehlo/scalars/Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {
class SelectAndScatter {
public:
  SelectAndScatter(SelectAndScatterOp op, SelectAndScatterOp::Adaptor in,
                   Lowering &l)
      : op(op), in(in), l(l), windows(readWindows(size_t(l.type().getRank()),
                                                  {op.getWindowDimensions(),
                                                   op.getWindowStrides(),
                                                   {},
                                                   {},
                                                   op.getPadding()})),
        extents(extentsOf(l.b, in.getOperand())) {}

  FailureOr<Value> run();

private:
  FailureOr<Values> visit(ImplicitLocOpBuilder &b, ValueRange position,
                          Value result);
  FailureOr<Values> choose(ImplicitLocOpBuilder &b, ValueRange position,
                           ValueRange offset, ValueRange best);
  FailureOr<Values> scatter(ImplicitLocOpBuilder &b, Value number, Value result,
                            ValueRange index);

  SelectAndScatterOp op;
  SelectAndScatterOp::Adaptor in;
  Lowering &l;
  SmallVector<Window> windows;
  Sizes extents;
};
} // namespace

FailureOr<Value> SelectAndScatter::run() {
  Type element = elementOf(op.getScatter().front().getArgument(0));
  FailureOr<Value> initial = promote(l, l.b, scalarOf(l.b, in.getInitValue()),
                                     elementOf(op.getInitValue()), element);
  if (failed(initial))
    return failure();
  FailureOr<Values> result = forEach(
      l.b, extentsOf(l.b, in.getSource()), {filled(l.b, extents, *initial)},
      [&](ImplicitLocOpBuilder &b, ValueRange position, ValueRange carried)
          -> FailureOr<Values> { return visit(b, position, carried.front()); });
  if (failed(result))
    return failure();
  return castTo(l.b, result->front(), l.type());
}

/// One window. The chosen element is carried as: whether there is one, its
/// value, its index.
FailureOr<Values> SelectAndScatter::visit(ImplicitLocOpBuilder &b,
                                          ValueRange position, Value result) {
  Sizes sizes;
  for (const Window &window : windows)
    sizes.push_back(b.getIndexAttr(window.size));
  Values none = {integer(b, b.getI1Type(), 0),
                 zero(b, elementOf(in.getOperand()))};
  none.append(windows.size(), indexConstant(b, 0));
  FailureOr<Values> best =
      forEach(b, sizes, none,
              [&](ImplicitLocOpBuilder &b, ValueRange offset,
                  ValueRange best) -> FailureOr<Values> {
                return choose(b, position, offset, best);
              });
  if (failed(best))
    return failure();
  Value number = extractAll(b, {in.getSource()}, position).front();
  return conditional(
      b, best->front(),
      [&](ImplicitLocOpBuilder &b) {
        return scatter(b, number, result, ArrayRef(*best).drop_front(2));
      },
      [&](ImplicitLocOpBuilder &) -> FailureOr<Values> {
        return Values{result};
      });
}

/// The chosen element after the one at `offset` of the window. Padding is
/// never chosen.
FailureOr<Values> SelectAndScatter::choose(ImplicitLocOpBuilder &b,
                                           ValueRange position,
                                           ValueRange offset, ValueRange best) {
  Values index;
  for (auto [window, at, i] : llvm::zip(windows, position, offset)) {
    Value first =
        b.createOrFold<arith::MulIOp>(at, indexConstant(b, window.stride));
    Value padded = b.createOrFold<arith::AddIOp>(first, i);
    index.push_back(
        b.createOrFold<arith::SubIOp>(padded, indexConstant(b, window.low)));
  }
  auto keep = [&](ImplicitLocOpBuilder &) -> FailureOr<Values> {
    return Values(best);
  };
  auto compare = [&](ImplicitLocOpBuilder &b) -> FailureOr<Values> {
    Value number = extractAll(b, {in.getOperand()}, index).front();
    auto take = [&](ImplicitLocOpBuilder &b) -> FailureOr<Values> {
      Values next = {integer(b, b.getI1Type(), 1), number};
      next.append(index);
      return next;
    };
    FailureOr<Values> isKept = conditional(
        b, best.front(),
        [&](ImplicitLocOpBuilder &b) {
          return emitBody(l, b, op.getSelect().front(), {best[1], number});
        },
        [&](ImplicitLocOpBuilder &b) -> FailureOr<Values> {
          return Values{integer(b, b.getI1Type(), 0)};
        });
    if (failed(isKept))
      return failure();
    return conditional(b, isKept->front(), keep, take);
  };
  return conditional(b, isWithin(b, index, extents), compare, keep);
}

FailureOr<Values> SelectAndScatter::scatter(ImplicitLocOpBuilder &b,
                                            Value number, Value result,
                                            ValueRange index) {
  Block &body = op.getScatter().front();
  Value old = extractAll(b, {result}, index).front();
  FailureOr<Value> update = promote(l, b, number, elementOf(op.getSource()),
                                    elementOf(body.getArgument(1)));
  if (failed(update))
    return failure();
  FailureOr<Values> sum = emitBody(l, b, body, {old, *update});
  if (failed(sum))
    return failure();
  return insertAll(b, *sum, {result}, index);
}

static FailureOr<Value> lowerSelectAndScatter(SelectAndScatterOp op,
                                              SelectAndScatterOp::Adaptor in,
                                              Lowering &l) {
  return SelectAndScatter(op, in, l).run();
}

void addSelectAndScatterRules(LoweringRules &rules) {
  rules.add<SelectAndScatterOp, lowerSelectAndScatter>();
}

} // namespace mercator::stablehlo
