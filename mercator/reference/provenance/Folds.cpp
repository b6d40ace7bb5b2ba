// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Access rules of operations that apply a region to elements: folds of
// dimensions and of windows, map, sort; and top_k.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/provenance/Body.h"
#include "mercator/reference/provenance/Window.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

using Set = ProvenanceSets::Id;

namespace {
/// Accumulators that take elements in order.
class Accumulators {
public:
  /// Operands 0 to count - 1 are the inputs, the next ones the initial values.
  Accumulators(Access &access, Region &region, size_t count)
      : access(access), body(region, access.provenance), count(count),
        arguments(2 * count) {}

  void start() {
    for (size_t k = 0; k < count; ++k)
      arguments[k] = initial(k);
  }
  LogicalResult take(int64_t place) {
    for (size_t k = 0; k < count; ++k)
      arguments[count + k] = {access.tensor(k).at(place), access.at(k, place)};
    return fold();
  }
  LogicalResult takeInitial() {
    for (size_t k = 0; k < count; ++k)
      arguments[count + k] = initial(k);
    return fold();
  }
  void store(int64_t place) const {
    for (size_t k = 0; k < count; ++k)
      access.reads(k, place, arguments[k].set);
  }

private:
  Cell initial(size_t k) const {
    return {access.tensor(count + k).scalar(), access.at(count + k, 0)};
  }
  LogicalResult fold() {
    SmallVector<Cell> next(count);
    if (failed(body(arguments, next)))
      return failure();
    llvm::copy(next, arguments.begin());
    return success();
  }

  Access &access;
  ProvenanceBody body;
  size_t count;
  SmallVector<Cell> arguments;
};
} // namespace

static LogicalResult traceReduce(ReduceOp op, Access &access) {
  Accumulators fold(access, op.getBody(), op.getInputs().size());
  ArrayRef<int64_t> shape = access.shape(0);
  auto isReduced = [&](int64_t dim) {
    return llvm::is_contained(op.getDimensions(), dim);
  };
  SmallVector<int64_t> reducedShape;
  for (size_t d = 0; d < shape.size(); ++d)
    reducedShape.push_back(isReduced(int64_t(d)) ? shape[d] : 1);
  int64_t place = 0;
  for (Index index(access.result(0).shape()); index; ++index, ++place) {
    fold.start();
    for (Index along(reducedShape); along; ++along) {
      SmallVector<int64_t> from(*along);
      size_t kept = 0;
      for (size_t d = 0; d < shape.size(); ++d)
        if (!isReduced(int64_t(d)))
          from[d] = index[kept++];
      if (failed(fold.take(access.tensor(0).linear(from))))
        return failure();
    }
    fold.store(place);
  }
  return success();
}

/// The position of an element of a window; nothing for padding.
static std::optional<int64_t> placeIn(const Tensor &tensor,
                                      ArrayRef<WindowAxis> axes,
                                      ArrayRef<int64_t> position,
                                      ArrayRef<int64_t> offset) {
  SmallVector<int64_t> index;
  for (size_t d = 0; d < axes.size(); ++d) {
    std::optional<int64_t> element =
        axes[d].element(position[d], offset[d], tensor.dim(d));
    if (!element)
      return std::nullopt;
    index.push_back(*element);
  }
  return tensor.linear(index);
}

static LogicalResult traceReduceWindow(ReduceWindowOp op, Access &access) {
  Accumulators fold(access, op.getBody(), op.getInputs().size());
  ArrayRef<int64_t> sizes = op.getWindowDimensions();
  SmallVector<WindowAxis> axes =
      windowAxes(sizes, op.getWindowStrides(), lowPadding(op.getPadding()),
                 op.getBaseDilations(), op.getWindowDilations());
  int64_t place = 0;
  for (Index position(access.result(0).shape()); position;
       ++position, ++place) {
    fold.start();
    for (Index offset(sizes); offset; ++offset) {
      std::optional<int64_t> from =
          placeIn(access.tensor(0), axes, *position, *offset);
      if (failed(from ? fold.take(*from) : fold.takeInitial()))
        return failure();
    }
    fold.store(place);
  }
  return success();
}

/// The union of all dependences of comparing any two elements at these
/// positions. `cells` returns the arguments for two positions.
template <typename Cells>
static FailureOr<Set> compareAll(Access &access, Region &region,
                                 ArrayRef<int64_t> places, Cells cells) {
  ProvenanceBody compare(region, access.provenance);
  Set all = ProvenanceSets::kNone;
  for (int64_t left : places)
    for (int64_t right : places) {
      Cell result;
      if (failed(compare(cells(left, right), result)))
        return failure();
      all = access.unite(all, result.set);
    }
  return all;
}

// An element of the result depends on the initial value, on the sources of the
// windows that selected it and, because they might have selected it, on all
// elements that the selection in any window containing it depends on.
static LogicalResult traceSelectAndScatter(SelectAndScatterOp op,
                                           Access &access) {
  const Tensor &operand = access.tensor(0), &source = access.tensor(1);
  SmallVector<int64_t> ones(operand.rank(), 1);
  ArrayRef<int64_t> sizes = op.getWindowDimensions().value_or(ones);
  SmallVector<WindowAxis> axes =
      windowAxes(sizes, op.getWindowStrides(), lowPadding(op.getPadding()),
                 std::nullopt, std::nullopt);
  ProvenanceBody select(op.getSelect(), access.provenance, true),
      scatter(op.getScatter(), access.provenance);
  std::vector<Cell> sums(operand.size(),
                         {access.tensor(2).scalar(), access.at(2, 0)});
  int64_t from = 0;
  for (Index position(source.shape()); position; ++position, ++from) {
    SmallVector<int64_t> places;
    for (Index offset(sizes); offset; ++offset)
      if (std::optional<int64_t> place =
              placeIn(operand, axes, *position, *offset))
        places.push_back(*place);
    if (places.empty())
      continue;
    auto cell = [&](int64_t place) -> Cell {
      return {operand.at(place), access.at(0, place)};
    };
    FailureOr<Set> choice = compareAll(
        access, op.getSelect(), places, [&](int64_t left, int64_t right) {
          return SmallVector<Cell>{cell(left), cell(right)};
        });
    if (failed(choice))
      return failure();
    int64_t chosen = places[0];
    for (int64_t place : ArrayRef(places).drop_front()) {
      Cell keep;
      if (failed(select({cell(chosen), cell(place)}, keep)))
        return failure();
      if (!keep.value.integer)
        chosen = place;
    }
    Cell sum;
    if (failed(scatter({sums[chosen], {source.at(from), access.at(1, from)}},
                       sum)))
      return failure();
    sums[chosen] = sum;
    for (int64_t place : places)
      access.reads(0, place, *choice);
  }
  for (int64_t place = 0; place < operand.size(); ++place)
    access.reads(0, place, sums[place].set);
  return success();
}

static LogicalResult traceMap(MapOp op, Access &access) {
  ProvenanceBody body(op.getComputation(), access.provenance);
  for (int64_t place = 0; place < access.result(0).size(); ++place) {
    SmallVector<Cell> arguments;
    for (size_t i = 0; i < access.operands.size(); ++i) {
      int64_t own = access.tensor(i).rank() == 0 ? 0 : place;
      arguments.push_back({access.tensor(i).at(own), access.at(i, own)});
    }
    Cell value;
    if (failed(body(arguments, value)))
      return failure();
    access.reads(0, place, value.set);
  }
  return success();
}

// Any element of the line may end up anywhere in it. Its position depends on
// all elements that are compared.
static LogicalResult traceSort(SortOp op, Access &access) {
  ArrayRef<int64_t> shape = access.shape(0);
  if (shape.empty()) {
    for (size_t i = 0; i < access.operands.size(); ++i)
      access.reads(i, 0, access.at(i, 0));
    return success();
  }
  auto dim = int64_t(op.getDimension());
  if (dim < 0)
    dim += int64_t(shape.size());
  SmallVector<int64_t> lines(shape);
  lines[dim] = std::min<int64_t>(shape[dim], 1);
  for (Index line(lines); line; ++line) {
    SmallVector<int64_t> places, at(*line);
    for (at[dim] = 0; at[dim] < shape[dim]; ++at[dim])
      places.push_back(access.tensor(0).linear(at));
    FailureOr<Set> order = compareAll(
        access, op.getComparator(), places, [&](int64_t left, int64_t right) {
          SmallVector<Cell> cells;
          for (size_t i = 0; i < access.operands.size(); ++i)
            for (int64_t place : {left, right})
              cells.push_back(
                  {access.tensor(i).at(place), access.at(i, place)});
          return cells;
        });
    if (failed(order))
      return failure();
    for (size_t i = 0; i < access.operands.size(); ++i) {
      Set whole = *order;
      for (int64_t place : places)
        whole = access.unite(whole, access.at(i, place));
      for (int64_t place : places)
        access.reads(i, place, whole);
    }
  }
  return success();
}

static LogicalResult traceTopK(chlo::TopKOp op, Access &access) {
  for (size_t result = 0; result < 2; ++result)
    access.forEach(result, [&](ArrayRef<int64_t> index) {
      Set row = ProvenanceSets::kNone;
      SmallVector<int64_t> from(index);
      for (from.back() = 0; from.back() < access.shape(0).back(); ++from.back())
        row = access.unite(row, access.at(0, from));
      return row;
    });
  return success();
}

void addFoldAccess(AccessRules &rules) {
  rules.add<ReduceOp, traceReduce>();
  rules.add<ReduceWindowOp, traceReduceWindow>();
  rules.add<SelectAndScatterOp, traceSelectAndScatter>();
  rules.add<MapOp, traceMap>();
  rules.add<SortOp, traceSort>();
  rules.add<chlo::TopKOp, traceTopK>();
}

} // namespace mercator::reference
