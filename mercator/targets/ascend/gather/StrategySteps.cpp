// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Steps that several strategies share: starts, clamps, orders of axes.

#include "mercator/targets/ascend/gather/Strategies.h"

using namespace llvm;
using namespace mercator;
using namespace mercator::gather;

/// The index widths that devices support.
unsigned StrategyBuilder::indexBits() const {
  // Even if the starts are small, numbers added to them may be large.
  if (any_of(problem.operandShape, [](const SymbolicExtent &extent) {
        return extent.known() > INT32_MAX;
      }))
    return 64;
  bool fits = problem.indexBits < 32 ||
              (problem.indexBits == 32 && problem.indexIsSigned);
  return fits || problem.constantStarts ? 32 : 64;
}

bool StrategyBuilder::differs(Strategy strategy) const {
  if (layout == Layout::CutFirst)
    return true;
  bool isPicked =
      strategy == Strategy::GatherNd || strategy == Strategy::FlatGatherV2;
  if (isEmpty() || (!isPicked && strategy != Strategy::GatherV2 &&
                    strategy != Strategy::IndexByTensor))
    return false;
  bool hasTrimmed = is_contained(roles, Role::Trimmed);
  if (layout == Layout::CutLast)
    return hasTrimmed;
  if (!isPicked || (indexed.empty() && batching.empty()))
    return false;
  if (layout == Layout::Windows)
    return hasTrimmed;
  // Whether a dimension that no index picks precedes one that an index picks,
  // or the batch needs a part of its dimension.
  bool wasWhole = false;
  for (auto [dim, role] : enumerate(roles)) {
    bool isWhole = role == Role::Full || role == Role::Trimmed;
    if (!isWhole && wasWhole)
      return true;
    if (role == Role::Batching &&
        batch[paired[dim]] != problem.operandShape[dim])
      return true;
    wasWhole |= isWhole && problem.operandShape[dim] != 1;
  }
  return false;
}

/// The operand without elements that no slice takes, as the layout asks.
unsigned StrategyBuilder::trimmedOperand() {
  Extents sizes(problem.operandShape);
  Ints offsets(rank(), 0);
  if (layout == Layout::InPlace || layout == Layout::Windows)
    return b.operand();
  for (int64_t dim = 0; dim < rank(); ++dim)
    if (roles[dim] == Role::Trimmed) {
      if (layout == Layout::CutLast)
        continue;
      sizes[dim] = problem.sliceSizes[dim];
      offsets[dim] = *problem.fixedStart(dim);
    } else if (roles[dim] == Role::Batching) {
      sizes[dim] = batch[paired[dim]];
      offsets[dim] = problem.batchingOffset(dim);
    }
  return b.slice(b.operand(), offsets, sizes);
}

/// The operand with its dimensions in an order, without indexed dimensions of
/// extent 1. So intermediate tensors have at most as many dimensions as the
/// result, and index vectors at most one more. Drops these dimensions from
/// `order` too.
unsigned StrategyBuilder::transposedOperand(Ints &order) {
  unsigned x = b.transpose(trimmedOperand(), order);
  Extents shape;
  Ints kept;
  for (auto [dim, extent] : zip_equal(order, b.shape(x)))
    if (extent != 1 ||
        (roles[dim] != Role::Full && roles[dim] != Role::Trimmed)) {
      kept.push_back(dim);
      shape.push_back(extent);
    }
  order = std::move(kept);
  return b.reshape(x, shape);
}

/// The start indices with the index vectors along the last axis. Requires: they
/// have such an axis.
unsigned StrategyBuilder::indexVectors() {
  Ints axes;
  for (int64_t axis = 0, e = problem.indicesShape.size(); axis < e; ++axis)
    if (axis != problem.indexVectorDim)
      axes.push_back(axis);
  axes.push_back(problem.indexVectorDim);
  return b.transpose(b.starts(), axes);
}

unsigned StrategyBuilder::constantStarts(ArrayRef<int64_t> dims) {
  const GatherProblem &p = problem;
  ArrayRef<SymbolicExtent> after(p.indicesShape);
  after =
      after.drop_front(std::min<size_t>(p.indexVectorDim + 1, after.size()));
  int64_t count = p.batchSize().number(), inner = product(after).number();
  int64_t width = p.startIndexMap.size();
  SmallVector<int64_t> values;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t dim : dims) {
      int64_t k = p.column(dim) - p.columns.begin();
      // The position of component k of vector i in row-major order.
      int64_t place = (i / inner * width + k) * inner + i % inner;
      values.push_back(std::clamp<int64_t>((*p.constantStarts)[place], 0,
                                           *p.lastStart(dim)));
    }
  Extents shape(batch);
  shape.push_back(dims.size());
  return b.constant(shape, values, indexBits());
}

/// Clamps the starts of `dims`, one in each column, unless that cannot change
/// them.
unsigned StrategyBuilder::clampStarts(unsigned starts, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> last;
  bool below = false, above = false, anyInside = false, isWide = false;
  for (int64_t dim : dims) {
    const Column &column = *problem.column(dim);
    // If it is unknown, the caller has clamped the starts.
    int64_t most = problem.lastStart(dim).value_or(INT32_MAX);
    last.push_back(most);
    bool mayBeBelow =
        problem.indexIsSigned &&
        column.starts.lower<0, mayBeAbove = column.starts.upper> most;
    below |= mayBeBelow;
    above |= mayBeAbove;
    anyInside |= !mayBeBelow && !mayBeAbove;
    isWide |= !column.starts.hasUpper();
  }
  if (anyInside || !below || !above)
    noteClamps(dims, below, above);
  if (all_equal(last))
    last.resize(1);
  // Half of the values would become negative, so they are bounded before the
  // cast.
  if (!problem.indexIsSigned && problem.indexBits == 64 && above && isWide) {
    starts = b.minimum(starts, last);
    above = false;
  }
  starts = b.cast(starts, indexBits());
  if (below && above && last.size() == 1)
    return b.clamp(starts, 0, last[0]);
  if (above)
    starts = b.minimum(starts, last);
  return below ? b.maximum(starts, {int64_t(0)}) : starts;
}

/// Notes the facts proved about the starts of `dims`, some of which may be
/// below 0 or above the last start.
void StrategyBuilder::noteClamps(ArrayRef<int64_t> dims, bool below,
                                 bool above) {
  for (int64_t dim : dims) {
    auto [lower, upper] = problem.column(dim)->starts;
    std::optional<int64_t> last = problem.lastStart(dim);
    if (!last)
      continue;
    int64_t most = *last;
    std::string starts = "the starts of dimension " + std::to_string(dim);
    bool isBelowMost = upper <= most,
         isPositive = !problem.indexIsSigned || lower >= 0;
    if (isPositive && isBelowMost)
      b.note(starts + " lie in [" +
             std::to_string(std::max<int64_t>(lower, 0)) + ", " +
             std::to_string(upper) + "], inside [0, " + std::to_string(most) +
             "]: " +
             (below || above ? "only the other dimensions need a clamp"
                             : "no clamp"));
    else if (isPositive && !below)
      b.note(starts + " are not negative: no clamp below");
    else if (isBelowMost && !above)
      b.note(starts + " are at most " + std::to_string(upper) + ", not above " +
             std::to_string(most) + ": no clamp above");
  }
}

/// The clamped starts of `dims`: the batch axes, then one column for each
/// dimension.
unsigned StrategyBuilder::startsOf(ArrayRef<int64_t> dims) {
  if (problem.constantStarts)
    return constantStarts(dims);
  if (problem.indexVectorDim == (int64_t)problem.indicesShape.size()) {
    // Only the shape distinguishes this from vectors of one component.
    Extents shape(batch);
    shape.push_back(1);
    return b.reshape(clampStarts(b.starts(), dims), shape);
  }
  unsigned all = indexVectors();
  SmallVector<unsigned> parts;
  Ints order;
  for (int64_t dim : dims)
    order.push_back(problem.column(dim) - problem.columns.begin());
  Extents sizes(b.shape(all));
  Ints offsets(sizes.size(), 0);
  // Adjacent columns are one part.
  for (size_t i = 0; i < order.size();) {
    size_t end = i + 1;
    while (end < order.size() && order[end] == order[end - 1] + 1)
      ++end;
    offsets.back() = order[i];
    sizes.back() = end - i;
    parts.push_back(b.slice(all, offsets, sizes));
    i = end;
  }
  return clampStarts(b.concat(parts), dims);
}

/// The elements that a slice takes of a picked dimension, if it is a window of
/// several; else none.
std::optional<SymbolicExtent> StrategyBuilder::windowSize(int64_t dim) const {
  bool isOne = roles[dim] == Role::Point || roles[dim] == Role::Batching ||
               problem.sliceSizes[dim] == 1;
  return isOne ? std::nullopt : std::optional(problem.sliceSizes[dim]);
}

/// The sizes of the windows, in the order of their dimensions.
Extents StrategyBuilder::windowSizes() const {
  Extents sizes;
  for (int64_t dim : picked)
    if (std::optional<SymbolicExtent> size = windowSize(dim))
      sizes.push_back(*size);
  return sizes;
}

/// The operand with the dimensions first that an index picks, and its axes.
/// Sets `picked`.
std::pair<unsigned, Axes> StrategyBuilder::operandPickedFirst() {
  auto isWhole = [&](int64_t dim) {
    return roles[dim] == Role::Full || roles[dim] == Role::Trimmed;
  };
  Ints order;
  size_t front = 0;
  if (layout == Layout::InPlace || layout == Layout::Windows) {
    for (int64_t dim = 0; dim < rank(); ++dim) {
      order.push_back(dim);
      if (!isWhole(dim) ||
          (layout == Layout::Windows && roles[dim] == Role::Trimmed))
        front = dim + 1;
    }
  } else {
    for (bool isFront : {true, false})
      for (int64_t dim = 0; dim < rank(); ++dim)
        if (isFront != isWhole(dim))
          order.push_back(dim);
    front = count_if(order, [&](int64_t dim) { return !isWhole(dim); });
  }
  picked.assign(order.begin(), order.begin() + front);
  unsigned x = transposedOperand(order);
  erase_if(picked, [&](int64_t dim) { return !is_contained(order, dim); });
  Axes axes;
  for (int64_t dim : order)
    axes.push_back({false, dim});
  return {x, axes};
}

/// The axes of the gathered elements: those of the batch, the windows, and the
/// rest of the operand.
Axes StrategyBuilder::pickedAxes(ArrayRef<Axis> rest) const {
  Axes axes;
  for (int64_t i = 0, e = batch.size(); i < e; ++i)
    axes.push_back({true, i});
  for (int64_t dim : picked)
    if (windowSize(dim))
      axes.push_back({false, dim});
  axes.append(rest.begin(), rest.end());
  return axes;
}

/// The index into `dim` for each batch and each position in the windows. It has
/// the rank of all these axes, with extent 1 for axes it does not depend on.
/// `starts` are those of `indexed`.
unsigned StrategyBuilder::coordinate(int64_t dim, unsigned starts,
                                     unsigned bits) {
  Extents sizes = windowSizes();
  size_t axes = batch.size() + sizes.size();
  bool isInPlace = layout == Layout::InPlace || layout == Layout::Windows;
  if (roles[dim] == Role::Batching)
    return b.range(batch[paired[dim]], paired[dim], axes, bits,
                   isInPlace ? problem.batchingOffset(dim) : 0);
  size_t before =
      count_if(ArrayRef(picked).take_front(find(picked, dim) - picked.begin()),
               [&](int64_t other) { return windowSize(other).has_value(); });
  std::optional<SymbolicExtent> size = windowSize(dim);
  if (roles[dim] == Role::Full || roles[dim] == Role::Trimmed) {
    int64_t first = *problem.fixedStart(dim);
    return size ? b.range(*size, batch.size() + before, axes, bits, first)
                : b.constant(Extents(axes, 1), {first}, bits);
  }
  size_t k = find(indexed, dim) - indexed.begin();
  Ints offsets(batch.size() + 1, 0);
  Extents part(batch);
  offsets.back() = k;
  part.push_back(1);
  unsigned column = b.slice(starts, offsets, part);
  Extents spread(batch);
  spread.append(sizes.size(), 1);
  column = b.cast(b.reshape(column, spread), bits);
  return size ? b.add(column, b.range(*size, batch.size() + before, axes, bits))
              : column;
}

/// Cuts the trimmed dimensions that are still whole.
unsigned StrategyBuilder::cutTrimmed(unsigned in, const Axes &axes) {
  Extents sizes(b.shape(in));
  Ints offsets(sizes.size(), 0);
  for (auto [axis, size, offset] : zip_equal(axes, sizes, offsets))
    if (!axis.isBatch && roles[axis.number] == Role::Trimmed &&
        size != problem.sliceSizes[axis.number]) {
      size = problem.sliceSizes[axis.number];
      offset = *problem.fixedStart(axis.number);
    }
  return b.slice(in, offsets, sizes);
}

/// Puts the axes in the order of the result, and adds axes of one element.
unsigned StrategyBuilder::finish(unsigned in, Axes axes) {
  in = cutTrimmed(in, axes);
  Axes wanted;
  {
    int64_t batchAxis = 0, dim = 0;
    for (int64_t i = 0, e = problem.resultShape.size(); i < e; ++i) {
      if (!is_contained(problem.offsetDims, i)) {
        wanted.push_back({true, batchAxis++});
        continue;
      }
      while (!problem.isOffset(dim))
        ++dim;
      wanted.push_back({false, dim++});
    }
  }
  // Axes that are not in the result are collapsed: they have one element.
  Extents shape;
  Axes kept;
  for (auto [axis, extent] : zip_equal(axes, b.shape(in)))
    if (is_contained(wanted, axis)) {
      kept.push_back(axis);
      shape.push_back(extent);
    }
  in = b.reshape(in, shape);
  Ints order;
  for (const Axis &axis : wanted)
    if (const auto *found = find(kept, axis); found != kept.end())
      order.push_back(found - kept.begin());
  return b.reshape(b.transpose(in, order), problem.resultShape);
}
