// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sort, as a merge sort in loops. It is stable, takes n log n comparisons for
// any comparator, and always gives a permutation.
//
// For each row along the dimension, runs of w elements are merged into runs of
// 2 w elements in a second row of storage, and those into runs of 4 w elements
// back in the tensor. A merge of a single run is a copy, so the elements always
// end up in the tensor.

#include "mercator/transforms/stablehlo/lowering/Loops.h"
#include "mercator/transforms/stablehlo/rules/Selection.h"
#include "mercator/transforms/stablehlo/scalars/Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {
class MergeSort {
public:
  MergeSort(SortOp op, Lowering &l, int64_t dim)
      : op(op), l(l), dim(dim), inputs(operandsOf(l)), count(inputs.size()) {}

  FailureOr<Values> run();

private:
  FailureOr<Values> sortRow(ImplicitLocOpBuilder &b, ValueRange row,
                            ValueRange carried);
  FailureOr<Values> mergeRuns(ImplicitLocOpBuilder &b, ValueRange row,
                              Value width, ValueRange carried, bool isBack);
  FailureOr<Values> merge(ImplicitLocOpBuilder &b, ValueRange row, Value begin,
                          Value width, ValueRange carried, bool isBack);
  FailureOr<Value> takesRight(ImplicitLocOpBuilder &b, Value leftIsDone,
                              Value rightIsDone, ValueRange left,
                              ValueRange right);
  Value countRounds();

  SortOp op;
  Lowering &l;
  int64_t dim;
  Values inputs;
  size_t count;
  /// The extent of the dimension.
  Value extent;
};
} // namespace

static Value smaller(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::MinSIOp::create(b, x, y);
}

/// The index of element `i` of a row: in the tensor, or in the second storage.
static Values indexIn(ValueRange row, int64_t dim, Value i, bool inStorage) {
  if (inStorage)
    return {i};
  Values index(row);
  index[dim] = i;
  return index;
}

/// Each round merges twice: half of the logarithm of the extent.
Value MergeSort::countRounds() {
  ImplicitLocOpBuilder &b = l.b;
  int64_t known = l.type().getDimSize(unsigned(dim));
  if (!ShapedType::isDynamic(known))
    return indexConstant(
        b, known < 2 ? 0 : (llvm::Log2_64_Ceil(uint64_t(known)) + 1) / 2);
  Value one = indexConstant(b, 1);
  Value last =
      arith::SubIOp::create(b, arith::MaxSIOp::create(b, extent, one), one);
  Value zeros = math::CountLeadingZerosOp::create(
      b, arith::IndexCastOp::create(b, b.getI64Type(), last));
  Value bits = arith::SubIOp::create(
      b, indexConstant(b, 65),
      arith::IndexCastOp::create(b, b.getIndexType(), zeros));
  return arith::ShRUIOp::create(b, bits, one);
}

FailureOr<Values> MergeSort::run() {
  ImplicitLocOpBuilder &b = l.b;
  Sizes sizes = extentsOf(b, inputs.front());
  extent = valueOf(b, sizes[dim]);
  Values carried = inputs;
  for (Value input : inputs)
    carried.push_back(
        empty(b, {sizes[dim]},
              cast<RankedTensorType>(input.getType()).getElementType()));
  Value rounds = countRounds();
  sizes[dim] = b.getIndexAttr(1);
  FailureOr<Values> sorted = forEach(
      b, sizes, carried,
      [&](ImplicitLocOpBuilder &b, ValueRange row, ValueRange carried) {
        return loop(
            b, indexConstant(b, 0), rounds, indexConstant(b, 1), carried,
            [&](ImplicitLocOpBuilder &b, Value round,
                ValueRange carried) -> FailureOr<Values> {
              Value one = indexConstant(b, 1);
              Value width = arith::ShLIOp::create(
                  b, one, arith::ShLIOp::create(b, round, one));
              FailureOr<Values> there =
                  mergeRuns(b, row, width, carried, /*isBack=*/false);
              if (failed(there))
                return failure();
              return mergeRuns(b, row, arith::ShLIOp::create(b, width, one),
                               *there, /*isBack=*/true);
            });
      });
  if (failed(sorted))
    return failure();
  sorted->truncate(count);
  for (auto [i, value] : llvm::enumerate(*sorted))
    value = castTo(b, value, l.type(unsigned(i)));
  return sorted;
}

/// Merges each two neighboring runs of `width` elements.
FailureOr<Values> MergeSort::mergeRuns(ImplicitLocOpBuilder &b, ValueRange row,
                                       Value width, ValueRange carried,
                                       bool isBack) {
  Value both = arith::ShLIOp::create(b, width, indexConstant(b, 1));
  return loop(b, indexConstant(b, 0), extent, both, carried,
              [&](ImplicitLocOpBuilder &b, Value begin, ValueRange carried) {
                return merge(b, row, begin, width, carried, isBack);
              });
}

/// Merges the runs at `begin` and at `begin` + `width`.
FailureOr<Values> MergeSort::merge(ImplicitLocOpBuilder &b, ValueRange row,
                                   Value begin, Value width, ValueRange carried,
                                   bool isBack) {
  Value middle = smaller(b, arith::AddIOp::create(b, begin, width), extent);
  Value end = smaller(b, arith::AddIOp::create(b, middle, width), extent);
  // The next elements of both runs, then the tensors.
  Values start = {begin, middle};
  llvm::append_range(start, carried);
  FailureOr<Values> merged = loop(
      b, begin, end, indexConstant(b, 1), start,
      [&](ImplicitLocOpBuilder &b, Value to,
          ValueRange carried) -> FailureOr<Values> {
        Value left = carried[0], right = carried[1];
        ValueRange tensors = carried.slice(2, count),
                   storage = carried.slice(2 + count, count),
                   from = isBack ? storage : tensors;
        using Is = arith::CmpIPredicate;
        Value leftIsDone = arith::CmpIOp::create(b, Is::eq, left, middle);
        Value rightIsDone = arith::CmpIOp::create(b, Is::eq, right, end);
        Value either = arith::OrIOp::create(b, leftIsDone, rightIsDone);
        FailureOr<Values> isRight = conditional(
            b, either,
            [&](ImplicitLocOpBuilder &) -> FailureOr<Values> {
              return Values{leftIsDone};
            },
            [&](ImplicitLocOpBuilder &b) -> FailureOr<Values> {
              Values ofLeft =
                         extractAll(b, from, indexIn(row, dim, left, isBack)),
                     ofRight =
                         extractAll(b, from, indexIn(row, dim, right, isBack));
              // Equal elements keep their order.
              Values numbers;
              for (auto [x, y] : llvm::zip(ofRight, ofLeft))
                numbers.append({x, y});
              return emitBody(l, b, op.getComparator().front(), numbers);
            });
        if (failed(isRight))
          return failure();
        Value taken = arith::SelectOp::create(b, isRight->front(), right, left);
        Values numbers = extractAll(b, from, indexIn(row, dim, taken, isBack));
        Value next = arith::AddIOp::create(b, taken, indexConstant(b, 1));
        Values result = {
            arith::SelectOp::create(b, isRight->front(), left, next),
            arith::SelectOp::create(b, isRight->front(), next, right)};
        Values updated = insertAll(b, numbers, isBack ? tensors : storage,
                                   indexIn(row, dim, to, !isBack));
        if (isBack) {
          llvm::append_range(result, updated);
          llvm::append_range(result, storage);
        } else {
          llvm::append_range(result, tensors);
          llvm::append_range(result, updated);
        }
        return result;
      });
  if (failed(merged))
    return failure();
  return Values(ArrayRef(*merged).drop_front(2));
}

static FailureOr<Values> lowerSort(SortOp op, SortOp::Adaptor in, Lowering &l) {
  int64_t rank = l.type().getRank(), dim = int64_t(op.getDimension());
  if (dim < 0)
    dim += rank;
  if (rank != 0)
    if (std::optional<int64_t> selected = selectedOf(op, dim))
      return lowerSelection(op, l, dim, *selected);
  if (rank != 0 && l.type().getDimSize(unsigned(dim)) > 1)
    return MergeSort(op, l, dim).run();
  if (rank != 0 && l.type().isDynamicDim(unsigned(dim)))
    return MergeSort(op, l, dim).run();
  Values same;
  for (auto [i, input] : llvm::enumerate(in.getInputs()))
    same.push_back(castTo(l.b, input, l.type(unsigned(i))));
  return same;
}

void addSortRules(LoweringRules &rules) { rules.add<SortOp, lowerSort>(); }

} // namespace mercator::stablehlo
