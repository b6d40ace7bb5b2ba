// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scatter, and select_and_scatter, which scatters to the selected element of
// each window.

#include "mercator/analysis/maps/Model.h"
#include "mercator/analysis/maps/RegionReads.h"
#include "mercator/analysis/maps/models/Window.h"
#include "mercator/analysis/values/KnownValues.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

//===--- Scatter ----------------------------------------------------------===//

/// The shape of a scatter, and the known values of its indices.
class ScatterShape {
public:
  /// The limits on windows that are listed, and on indices read at run time.
  static constexpr int64_t kMostWindows = 16, kMostRuntimes = 8;

  ScatterShape(stablehlo::ScatterOp op, Arena &arena)
      : dims(op.getScatterDimensionNumbers()),
        input(sizesOf(op.getInputs().front().getType())),
        indices(sizesOf(op.getScatterIndices().getType())),
        update(sizesOf(op.getUpdates().front().getType())) {
    shape = {.input = input,
             .indices = indices,
             .update = update,
             .updateWindowDims = dims.getUpdateWindowDims(),
             .insertedWindowDims = dims.getInsertedWindowDims(),
             .inputBatchingDims = dims.getInputBatchingDims(),
             .scatterIndicesBatchingDims = dims.getScatterIndicesBatchingDims(),
             .scatterDimsToOperandDims = dims.getScatterDimsToOperandDims(),
             .indexVectorDim = dims.getIndexVectorDim()};
    read = [&arena, value = mlir::Value(op.getScatterIndices())](
               const Domain &domain, ArrayRef<Expr> at) {
      return indexValue(arena, domain, value, at);
    };
    shape.read = read;
    for (int64_t d = 0, e = update.size(); d < e; ++d)
      if (!llvm::is_contained(dims.getUpdateWindowDims(), d))
        scatterSizes.push_back(update[d]);
    SmallVector<int64_t> perBatch = scatterSizes;
    for (int64_t dim : dims.getScatterIndicesBatchingDims())
      perBatch[dim < dims.getIndexVectorDim() ? dim : dim - 1] = -1;
    windows = listWindows(scatterSizes);
    ofElement = listWindows(perBatch);
    if (!startsOf(arena, std::nullopt) && windows)
      isTable = llvm::all_of(*windows, [&](ArrayRef<int64_t> window) {
        return startsOf(arena, window).has_value();
      });
  }
  ScatterShape(const ScatterShape &) = delete;

  Scatter shape;
  using Windows = SmallVector<SmallVector<int64_t>>;
  /// The scatter coordinates of every window, if there are few; and of the
  /// windows that can reach one element, where -1 is its batch coordinate.
  std::optional<Windows> windows, ofElement;
  /// True if the indices are known, but not as one expression.
  bool isTable = false;

  /// True if no two windows can overlap.
  [[nodiscard]] bool areDisjoint(Arena &arena) const {
    if (ofElement && ofElement->size() <= 1)
      return true;
    if (!windows)
      return false;
    SmallVector<SmallVector<Interval>> boxes;
    for (ArrayRef<int64_t> window : *windows) {
      std::optional<SmallVector<Expr>> starts = startsOf(arena, window);
      if (!starts || !llvm::all_of(*starts, [&](Expr start) {
            return arena.isConstant(start);
          }))
        return false;
      boxes.push_back(boxOf(arena, window, *starts));
      for (ArrayRef<Interval> other : ArrayRef(boxes).drop_back())
        if (llvm::all_of(llvm::zip_equal(boxes.back(), other), [](auto pair) {
              return !std::get<0>(pair).intersect(std::get<1>(pair)).isEmpty();
            }))
          return false;
    }
    return true;
  }

private:
  /// All coordinates within the sizes; -1 for a size of -1. Nothing if there
  /// are too many.
  static std::optional<Windows> listWindows(ArrayRef<int64_t> sizes) {
    int64_t count = 1;
    for (int64_t size : sizes)
      if (size == 0 || (size > 0 && count > kMostWindows / size))
        count = size == 0 ? 0 : kMostWindows + 1;
      else
        count *= std::abs(size);
    if (count > kMostWindows)
      return std::nullopt;
    Windows list;
    for (int64_t number = 0; number < count; ++number) {
      SmallVector<int64_t> at(sizes.size(), -1);
      int64_t left = number;
      for (size_t d = at.size(); d-- > 0;)
        if (sizes[d] > 0) {
          at[d] = left % sizes[d];
          left /= sizes[d];
        }
      list.push_back(at);
    }
    return list;
  }

  /// The index vector of a window, or one for all windows, if it is known.
  std::optional<SmallVector<Expr>>
  startsOf(Arena &arena, std::optional<ArrayRef<int64_t>> window) const {
    Domain domain;
    SmallVector<Expr, 2> at;
    for (auto [i, size] : llvm::enumerate(scatterSizes))
      at.push_back(window ? arena.constant((*window)[i])
                          : domain.addRange(arena, Interval::ofSize(size)));
    int64_t vectorDim = dims.getIndexVectorDim();
    bool hasVectorDim = vectorDim < (int64_t)indices.size();
    if (hasVectorDim)
      at.insert(at.begin() + vectorDim, Expr());
    SmallVector<Expr> starts;
    for (size_t slot = 0; slot < dims.getScatterDimsToOperandDims().size();
         ++slot) {
      if (hasVectorDim)
        at[vectorDim] = arena.constant(slot);
      starts.push_back(read(domain, at).exact);
      if (!starts.back())
        return std::nullopt;
    }
    return starts;
  }

  /// The box of the elements that a window covers. Requires: constant starts.
  SmallVector<Interval> boxOf(Arena &arena, ArrayRef<int64_t> window,
                              ArrayRef<Expr> starts) const {
    SmallVector<Interval> box(input.size(), Interval::point(0));
    for (auto [dim, at] : llvm::zip_equal(dims.getInputBatchingDims(),
                                          dims.getScatterIndicesBatchingDims()))
      box[dim] =
          Interval::point(window[at < dims.getIndexVectorDim() ? at : at - 1]);
    size_t next = 0;
    for (int64_t dim = 0, rank = input.size(); dim < rank; ++dim)
      if (!llvm::is_contained(dims.getInsertedWindowDims(), dim) &&
          !llvm::is_contained(dims.getInputBatchingDims(), dim))
        box[dim] = Interval::ofSize(update[dims.getUpdateWindowDims()[next++]]);
    for (auto [start, dim] :
         llvm::zip_equal(starts, dims.getScatterDimsToOperandDims()))
      box[dim] = box[dim] + Interval::point(arena.constantValue(start));
    return box;
  }

  stablehlo::ScatterDimensionNumbersAttr dims;
  SmallVector<int64_t> input, indices, update, scatterSizes;
  std::function<IndexValue(const Domain &, ArrayRef<Expr>)> read;
};

/// True if all shapes are static.
bool isStatic(mlir::Operation *op) {
  return llvm::all_of(op->getOperandTypes(), [](mlir::Type type) {
    return llvm::cast<mlir::RankedTensorType>(type).hasStaticShape();
  });
}

/// True if each element has at most one update, so that their order does not
/// matter.
bool isOnce(stablehlo::ScatterOp op, const ScatterShape &s, Arena &arena) {
  return op.getUniqueIndices() || s.areDisjoint(arena);
}

/// The elements that some update reaches.
MapSet reachedMaps(ScatterShape &s, const Query &q) {
  MapSet maps;
  if (!s.isTable)
    return scatterReached(q.arena, s.shape);
  for (ArrayRef<int64_t> window : *s.windows) {
    s.shape.window = window;
    maps.insert({scatterReached(q.arena, s.shape)});
  }
  return maps.empty() ? MapSet(q.nothing()) : maps;
}

/// An element that no update reaches is that of the input. Others are computed
/// by the body.
MapSet scatterInputMaps(stablehlo::ScatterOp op, const Query &q,
                        const FoldReads &reads) {
  using Of = FoldReads::Of;
  switch (reads.initialOrNone[q.operand]) {
  case Of::None:
    return q.nothing();
  case Of::All:
    return q.identity();
  case Of::Some:
    break;
  }
  bool isOwn = q.operand == q.result;
  if (isStatic(op)) {
    ScatterShape s(op, q.arena);
    Of ifReached = reads.initial[q.operand];
    if (ifReached == Of::Some && isOnce(op, s, q.arena))
      ifReached = !reads.initialOnce[q.operand] ? Of::None
                  : reads.exact                 ? Of::All
                                                : Of::Some;
    if (ifReached == Of::All)
      return isOwn ? MapSet(q.identity()) : reachedMaps(s, q);
    if (ifReached == Of::None && !isOwn)
      return q.nothing();
    if (ifReached == Of::None)
      if (const auto &windows = s.isTable ? s.windows : s.ofElement) {
        Map map = scatterKept(q.arena, s.shape, *windows);
        if (map.domain.runtimes.size() <= ScatterShape::kMostRuntimes)
          return map;
      }
  }
  if (!isOwn)
    return q.approximate(q.identity(), "scatter: only an element that updates "
                                       "reach reads the other inputs");
  return q.approximate(
      q.identity(),
      "scatter: an element that an update replaces does not read the input");
}

MapSet scatterUpdateMaps(stablehlo::ScatterOp op, const Query &q,
                         const FoldReads &reads) {
  using Of = FoldReads::Of;
  unsigned number = q.operand - op.getInputs().size() - 1;
  if (reads.values[number] == Of::None)
    return q.nothing();
  if (!isStatic(op))
    return q.dynamic();
  ScatterShape s(op, q.arena);
  bool once = reads.values[number] != Of::All && isOnce(op, s, q.arena);
  bool exact = reads.exact && (once || reads.values[number] == Of::All);
  if (once && reads.exact && !reads.valuesOnce[number])
    return q.nothing();
  MapSet maps;
  auto add = [&] {
    Map map = scatterUpdate(q.arena, q.direction, s.shape);
    if (exact)
      maps.insert({std::move(map)});
    else
      maps.insert(
          {std::move(map), false,
           "scatter: not all of several updates of one element are read"});
  };
  if (!s.isTable) {
    add();
    return maps;
  }
  for (ArrayRef<int64_t> window : *s.windows) {
    s.shape.window = window;
    add();
  }
  return maps;
}

MapSet scatterMaps(stablehlo::ScatterOp op, const Query &q) {
  unsigned inputs = op.getInputs().size();
  if (q.operand == inputs) {
    if (!isStatic(op))
      return q.dynamic();
    ScatterShape s(op, q.arena);
    return scatterIndices(q.arena, q.direction, s.shape);
  }
  FoldReads reads = foldReads(op.getUpdateComputation(), inputs, q.result,
                              FoldOrder::OneByOne);
  return q.operand < inputs ? scatterInputMaps(op, q, reads)
                            : scatterUpdateMaps(op, q, reads);
}

//===--- Select and scatter -----------------------------------------------===//

MapSet selectAndScatterMaps(stablehlo::SelectAndScatterOp op, const Query &q) {
  enum { Operand, Source, InitialValue };
  using Of = FoldReads::Of;
  FoldReads reads = foldReads(op.getScatter(), 1, 0, FoldOrder::AnyTree);
  if (q.operand == InitialValue) {
    if (reads.initial[0] == Of::All)
      return q.everything();
    return q.everything("select_and_scatter: an element that sources reach "
                        "need not read the initial value");
  }
  if (q.operand == Source && reads.values[0] == Of::None)
    return q.nothing();
  // The selected element depends on all elements that are compared.
  BodyReads selection = bodyReads(op.getSelect(), 0);
  if (q.operand == Operand && selection.arguments.none())
    return q.nothing();
  if (!isStatic(op))
    return q.dynamic();
  SmallVector<int64_t> operand = sizesOf(op.getOperand().getType());
  SmallVector<int64_t> source = sizesOf(op.getSource().getType());
  SmallVector<int64_t> ones(operand.size(), 1);
  SmallVector<int64_t> padding = integersOf(op.getPaddingAttr());
  SmallVector<WindowDim> window =
      windowsOf({.sizes = op.getWindowDimensions().value_or(ones),
                 .strides = op.getWindowStrides(),
                 .padding = padding});
  for (auto [w, in, out] : llvm::zip_equal(window, operand, source))
    if (!windowFits(w, in, out))
      return q.tooLarge();
  if (q.operand == Operand) {
    Map map = sharedWindow(q.arena, operand, source, window);
    if (selection.exact)
      return map;
    return q.approximate(
        std::move(map),
        "select_and_scatter: the reads of the selection are not known exactly");
  }
  // The source relates to the result as the result of a window operation to its
  // operand.
  Map map = reduceWindow(q.arena,
                         q.direction == Direction::OutToIn ? Direction::InToOut
                                                           : Direction::OutToIn,
                         operand, source, window);
  int64_t places = 1;
  for (const WindowDim &w : window)
    if (__builtin_mul_overflow(places, w.size, &places))
      places = Interval::kMax;
  if (places == 1 && reads.values[0] == Of::All)
    return map;
  return q.approximate(std::move(map),
                       "select_and_scatter: the data select one of " +
                           llvm::Twine(places) + " places of a window");
}

} // namespace

void maps::attachScatterMaps(mlir::MLIRContext *context) {
  attach<stablehlo::ScatterOp, scatterMaps>(context);
  attach<stablehlo::SelectAndScatterOp, selectAndScatterMaps>(context);
}
