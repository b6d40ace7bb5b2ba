// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/rules/Selection.h"

#include "mercator/transforms/stablehlo/scalars/Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mercator::stablehlo {

std::optional<int64_t> selectedOf(SortOp op, int64_t dim) {
  // In the worst order each element is inserted, which moves all selected ones.
  constexpr int64_t kMost = 128, kLeastRatio = 8;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t extent = type.getDimSize(unsigned(dim)), selected = 0;
  if (ShapedType::isDynamic(extent))
    return std::nullopt;
  for (Operation *user : op->getUsers()) {
    auto slice = dyn_cast<SliceOp>(user);
    if (!slice)
      return std::nullopt;
    selected = std::max(selected, slice.getLimitIndices()[size_t(dim)]);
  }
  if (selected < 1 || selected > kMost || extent < kLeastRatio * selected)
    return std::nullopt;
  return selected;
}

namespace {
/// The elements that vector code compares with the last one at once. If one of them
/// precedes it, all of them are added one by one.
constexpr int64_t kGroup = 16;

class Selection {
public:
  Selection(SortOp op, Lowering &l, int64_t dim, int64_t selected)
      : op(op), l(l), dim(size_t(dim)), selected(selected),
        inputs(operandsOf(l)) {}

  FailureOr<Values> run();

private:
  FailureOr<Values> selectRow(ImplicitLocOpBuilder &b, ValueRange row,
                              ValueRange best);
  FailureOr<Values> addGroup(ImplicitLocOpBuilder &b, ValueRange row,
                             Value begin, ValueRange best);
  FailureOr<Values> add(ImplicitLocOpBuilder &b, ValueRange row, Value i,
                        ValueRange best);
  FailureOr<Values> insert(ImplicitLocOpBuilder &b, ValueRange row,
                           ValueRange numbers, Value last, ValueRange best);
  FailureOr<Value> precedes(ImplicitLocOpBuilder &b, ValueRange numbers,
                            ValueRange others);
  Values load(ImplicitLocOpBuilder &b, ValueRange row, Value i);
  Values at(ValueRange row, Value i) {
    Values index(row);
    index[dim] = i;
    return index;
  }

  SortOp op;
  Lowering &l;
  size_t dim;
  int64_t selected;
  Values inputs;
};
} // namespace

FailureOr<Value> Selection::precedes(ImplicitLocOpBuilder &b,
                                     ValueRange numbers, ValueRange others) {
  Values pairs;
  for (auto [x, y] : llvm::zip(numbers, others))
    pairs.append({x, y});
  FailureOr<Values> result = emitBody(l, b, op.getComparator().front(), pairs);
  if (failed(result))
    return failure();
  return result->front();
}

/// The numbers at a place of a row. That of an iota along the row needs no tensor.
Values Selection::load(ImplicitLocOpBuilder &b, ValueRange row, Value i) {
  Values numbers;
  for (auto [operand, input] : llvm::zip_equal(op.getInputs(), inputs)) {
    Type element = cast<RankedTensorType>(input.getType()).getElementType();
    auto iota = operand.getDefiningOp<IotaOp>();
    bool isPlace = iota && iota.getIotaDimension() == dim &&
                   element.isSignlessInteger() &&
                   element.getIntOrFloatBitWidth() >= 32;
    numbers.push_back(isPlace ? arith::IndexCastOp::create(b, element, i)
                              : extractAll(b, input, at(row, i)).front());
  }
  return numbers;
}

/// The results have the size of the sort, which nothing reads: the slices are those of
/// the selected elements.
FailureOr<Values> Selection::run() {
  ImplicitLocOpBuilder &b = l.b;
  Sizes whole = extentsOf(b, inputs.front()), sizes = whole;
  sizes[dim] = b.getIndexAttr(selected);
  Sizes narrow = sizes;
  Values best;
  for (Value input : inputs)
    best.push_back(empty(
        b, sizes, cast<RankedTensorType>(input.getType()).getElementType()));
  sizes[dim] = b.getIndexAttr(1);
  FailureOr<Values> all =
      forEach(b, sizes, best,
              [&](ImplicitLocOpBuilder &b, ValueRange row, ValueRange best) {
                return selectRow(b, row, best);
              });
  if (failed(all))
    return failure();
  Sizes offsets(sizes.size(), b.getIndexAttr(0)),
      strides(sizes.size(), b.getIndexAttr(1));
  for (auto [i, value] : llvm::enumerate(*all)) {
    Type element = cast<RankedTensorType>(value.getType()).getElementType();
    value = tensor::InsertSliceOp::create(b, value, empty(b, whole, element),
                                          offsets, narrow, strides);
    value = castTo(b, value, l.type(unsigned(i)));
  }
  return all;
}

/// The first elements are all selected; groups of others; and the rest of them.
FailureOr<Values> Selection::selectRow(ImplicitLocOpBuilder &b, ValueRange row,
                                       ValueRange best) {
  int64_t extent = cast<RankedTensorType>(inputs.front().getType())
                       .getDimSize(unsigned(dim)),
          groupsEnd = extent - (extent - selected) % kGroup;
  Value one = indexConstant(b, 1), first = indexConstant(b, selected),
        rest = indexConstant(b, groupsEnd);
  FailureOr<Values> found =
      loop(b, indexConstant(b, 0), first, one, best,
           [&](ImplicitLocOpBuilder &b, Value i, ValueRange best) {
             return insert(b, row, load(b, row, i), i, best);
           });
  if (failed(found))
    return failure();
  found = loop(b, first, rest, indexConstant(b, kGroup), *found,
               [&](ImplicitLocOpBuilder &b, Value i, ValueRange best) {
                 return addGroup(b, row, i, best);
               });
  if (failed(found))
    return failure();
  return loop(b, rest, indexConstant(b, extent), one, *found,
              [&](ImplicitLocOpBuilder &b, Value i, ValueRange best) {
                return add(b, row, i, best);
              });
}

FailureOr<Values> Selection::addGroup(ImplicitLocOpBuilder &b, ValueRange row,
                                      Value begin, ValueRange best) {
  Value zero = indexConstant(b, 0), one = indexConstant(b, 1),
        size = indexConstant(b, kGroup),
        none = arith::ConstantIntOp::create(b, 0, 1);
  Values last = extractAll(b, best, at(row, indexConstant(b, selected - 1)));
  FailureOr<Values> any =
      loop(b, zero, size, one, none,
           [&](ImplicitLocOpBuilder &b, Value number,
               ValueRange any) -> FailureOr<Values> {
             Value i = arith::AddIOp::create(b, begin, number);
             FailureOr<Value> isBetter = precedes(b, load(b, row, i), last);
             if (failed(isBetter))
               return failure();
             return Values{arith::OrIOp::create(b, any.front(), *isBetter)};
           });
  if (failed(any))
    return failure();
  return conditional(
      b, any->front(),
      [&](ImplicitLocOpBuilder &b) {
        return loop(
            b, zero, size, one, best,
            [&](ImplicitLocOpBuilder &b, Value number, ValueRange best) {
              return add(b, row, arith::AddIOp::create(b, begin, number), best);
            });
      },
      [&](ImplicitLocOpBuilder &) -> FailureOr<Values> {
        return Values(best);
      });
}

/// One more element of a row.
FailureOr<Values> Selection::add(ImplicitLocOpBuilder &b, ValueRange row,
                                 Value i, ValueRange best) {
  Value last = indexConstant(b, selected - 1);
  Values numbers = load(b, row, i);
  FailureOr<Value> isBetter =
      precedes(b, numbers, extractAll(b, best, at(row, last)));
  if (failed(isBetter))
    return failure();
  return conditional(
      b, *isBetter,
      [&](ImplicitLocOpBuilder &b) {
        return insert(b, row, numbers, last, best);
      },
      [&](ImplicitLocOpBuilder &) -> FailureOr<Values> {
        return Values(best);
      });
}

/// Puts an element among those before `last`, whose place becomes free.
FailureOr<Values> Selection::insert(ImplicitLocOpBuilder &b, ValueRange row,
                                    ValueRange numbers, Value last,
                                    ValueRange best) {
  Value zero = indexConstant(b, 0), one = indexConstant(b, 1);
  // The first place whose element it precedes: between `low` and `high`.
  FailureOr<Values> found = loop(
      b, zero,
      indexConstant(b, int64_t(llvm::Log2_64_Ceil(uint64_t(selected) + 1))),
      one, Values{zero, last},
      [&](ImplicitLocOpBuilder &b, Value,
          ValueRange range) -> FailureOr<Values> {
        Value low = range[0], high = range[1];
        Value middle =
            arith::ShRUIOp::create(b, arith::AddIOp::create(b, low, high), one);
        Value isOpen =
            arith::CmpIOp::create(b, arith::CmpIPredicate::ult, low, high);
        FailureOr<Values> isBefore = conditional(
            b, isOpen,
            [&](ImplicitLocOpBuilder &b) -> FailureOr<Values> {
              FailureOr<Value> value =
                  precedes(b, numbers, extractAll(b, best, at(row, middle)));
              if (failed(value))
                return failure();
              return Values{*value};
            },
            [&](ImplicitLocOpBuilder &) -> FailureOr<Values> {
              return Values{isOpen};
            });
        if (failed(isBefore))
          return failure();
        Value next = arith::MinUIOp::create(
            b, arith::AddIOp::create(b, middle, one), high);
        return Values{
            arith::SelectOp::create(b, isBefore->front(), low, next),
            arith::SelectOp::create(b, isBefore->front(), middle, high)};
      });
  if (failed(found))
    return failure();
  Value place = found->front();
  FailureOr<Values> moved =
      loop(b, zero, arith::SubIOp::create(b, last, place), one, best,
           [&](ImplicitLocOpBuilder &b, Value number,
               ValueRange best) -> FailureOr<Values> {
             Value to = arith::SubIOp::create(b, last, number),
                   from = arith::SubIOp::create(b, to, one);
             return insertAll(b, extractAll(b, best, at(row, from)), best,
                              at(row, to));
           });
  if (failed(moved))
    return failure();
  return insertAll(b, numbers, *moved, at(row, place));
}

FailureOr<Values> lowerSelection(SortOp op, Lowering &l, int64_t dim,
                                 int64_t selected) {
  return Selection(op, l, dim, selected).run();
}

} // namespace mercator::stablehlo
