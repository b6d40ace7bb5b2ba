// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The strategies. Each is a function that creates the steps or says why not.

#include "mercator/targets/ascend/gather/Strategies.h"

using namespace llvm;
using namespace mercator;
using namespace mercator::gather;

StrategyBuilder::Result StrategyBuilder::constant(std::string &why) {
  if (isEmpty()) {
    b.note("the result has no elements");
    return b.empty(problem.resultShape);
  }
  bool hasStart = any_of(problem.columns, [&](const Column &column) {
    return !problem.isWhole(column.dim);
  });
  if (problem.batchSize() != 1 || !hasStart || !indexed.empty()) {
    why = "the result has elements and is no slice at a constant position";
    return std::nullopt;
  }
  Ints offsets;
  for (int64_t dim = 0; dim < rank(); ++dim)
    offsets.push_back(problem.fixedStart(dim).value_or(0));
  return b.reshape(b.slice(b.operand(), offsets, problem.sliceSizes),
                   problem.resultShape);
}

StrategyBuilder::Result StrategyBuilder::noGather(std::string &why) {
  if (!indexed.empty()) {
    why = "dimension " + std::to_string(indexed[0]) + " is indexed";
    return std::nullopt;
  }
  // The axes of the result; each comes from a dimension of the operand or is
  // repeated.
  Ints order;
  Extents shape;
  SmallVector<bool> used(rank());
  int64_t batchAxis = 0, next = 0;
  for (int64_t i = 0, e = problem.resultShape.size(); i < e; ++i) {
    int64_t dim = -1;
    if (is_contained(problem.offsetDims, i)) {
      while (!problem.isOffset(next))
        ++next;
      dim = next++;
      // It takes the coordinate of a batch axis; its own axis has one element.
      if (roles[dim] == Role::Batching)
        dim = -1;
    } else {
      for (int64_t other : batching)
        if (paired[other] == batchAxis)
          dim = other;
      ++batchAxis;
    }
    shape.push_back(dim < 0 ? SymbolicExtent(1) : problem.resultShape[i]);
    if (dim >= 0) {
      order.push_back(dim);
      used[dim] = true;
    }
  }
  for (int64_t dim = 0; dim < rank(); ++dim)
    if (!used[dim])
      order.push_back(dim); // of one element
  unsigned moved = b.transpose(trimmedOperand(), order);
  return b.broadcast(b.reshape(moved, shape), problem.resultShape);
}

StrategyBuilder::Result StrategyBuilder::slice(std::string &why) {
  if (indexed.empty()) {
    why = "no dimension is indexed";
    return std::nullopt;
  }
  if (problem.batchSize() != 1) {
    why = "there are " + problem.batchSize().str() + " slices";
    return std::nullopt;
  }
  unsigned starts = b.reshape(startsOf(indexed), {(int64_t)indexed.size()});
  unsigned bits = b[starts].indexBits;
  SmallVector<unsigned> parts;
  // Runs of these dimensions and of others alternate.
  for (int64_t dim = 0, k = 0; dim < rank();) {
    bool isMoving = is_contained(indexed, dim);
    SmallVector<int64_t> fixed;
    int64_t end = dim;
    for (; end < rank() && is_contained(indexed, end) == isMoving; ++end)
      fixed.push_back(problem.fixedStart(end).value_or(0));
    int64_t count = end - dim;
    if (isMoving)
      parts.push_back(b.slice(starts, {k}, {count}));
    else
      parts.push_back(b.constant({count}, fixed, bits));
    k += isMoving ? count : 0;
    dim = end;
  }
  unsigned sliced =
      b.dynamicSlice(b.operand(), b.concat(parts), problem.sliceSizes);
  return b.reshape(sliced, problem.resultShape);
}

StrategyBuilder::Result StrategyBuilder::gatherV2(std::string &why) {
  if (indexed.size() != 1) {
    why = std::to_string(indexed.size()) +
          " dimensions are indexed, it supports one";
    return std::nullopt;
  }
  int64_t dim = indexed[0];
  bool isWindow = roles[dim] == Role::Window;
  // Batching dimensions first, in the order of their axes.
  Ints order(batching);
  for (int64_t d = 0; d < rank(); ++d)
    if (roles[d] != Role::Batching)
      order.push_back(d);
  unsigned x = transposedOperand(order);
  int64_t axis = find(order, dim) - order.begin();

  unsigned starts = startsOf(indexed); // the batch axes, and one column
  Ints axesOrder;
  for (int64_t d : batching)
    axesOrder.push_back(paired[d]);
  for (int64_t i = 0, e = batch.size(); i < e; ++i)
    if (!is_contained(paired, i))
      axesOrder.push_back(i);
  Axes axes;
  for (auto [i, d] : enumerate(ArrayRef(order).take_front(axis)))
    axes.push_back(i < batching.size() ? Axis{true, paired[d]}
                                       : Axis{false, d});
  for (int64_t i : ArrayRef(axesOrder).drop_front(batching.size()))
    axes.push_back({true, i});
  if (isWindow) {
    axes.push_back({false, dim});
    axesOrder.push_back(batch.size());
    starts = b.transpose(starts, axesOrder);
    size_t rank = axesOrder.size();
    starts = b.add(starts, b.range(problem.sliceSizes[dim], rank - 1, rank,
                                   b[starts].indexBits));
  } else {
    starts = b.transpose(b.reshape(starts, batch), axesOrder);
  }
  for (int64_t d : ArrayRef(order).drop_front(axis + 1))
    axes.push_back({false, d});
  return finish(b.gatherV2(x, starts, axis, batching.size()), axes);
}

StrategyBuilder::Result StrategyBuilder::gatherElements(std::string &why) {
  if (indexed.size() != 1 || roles[indexed[0]] != Role::Point) {
    why = "it supports one dimension, indexed by single elements";
    return std::nullopt;
  }
  if (batching.empty()) {
    why = "no dimension follows the batch";
    return std::nullopt;
  }
  int64_t dim = indexed[0];
  Ints order(batching);
  Extents shape;
  order.push_back(dim);
  for (int64_t d : order)
    shape.push_back(roles[d] == Role::Batching ? batch[paired[d]]
                                               : problem.operandShape[d]);
  for (int64_t d = 0; d < rank(); ++d)
    if (!is_contained(order, d)) {
      if (problem.sliceSizes[d] != 1) {
        why = "dimension " + std::to_string(d) + " is taken " +
              problem.sliceSizes[d].str() + " elements at a time";
        return std::nullopt;
      }
      order.push_back(d);
    }
  unsigned x = b.reshape(b.transpose(trimmedOperand(), order), shape);
  // All axes without their own dimension are merged to the last one.
  Ints axesOrder;
  Extents indexShape;
  Axes axes;
  for (int64_t d : batching) {
    axesOrder.push_back(paired[d]);
    indexShape.push_back(batch[paired[d]]);
    axes.push_back({true, paired[d]});
  }
  Extents outShape(indexShape);
  SymbolicExtent last;
  for (int64_t i = 0, e = batch.size(); i < e; ++i)
    if (!is_contained(paired, i)) {
      axesOrder.push_back(i);
      axes.push_back({true, i});
      outShape.push_back(batch[i]);
      last = last * batch[i];
    }
  indexShape.push_back(last);
  unsigned starts = b.reshape(startsOf(indexed), batch);
  starts = b.reshape(b.transpose(starts, axesOrder), indexShape);
  return finish(b.reshape(b.gatherElements(x, starts), outShape), axes);
}

StrategyBuilder::Result StrategyBuilder::gatherNd(std::string &why) {
  if (indexed.empty()) {
    why = "no dimension is indexed";
    return std::nullopt;
  }
  auto [x, axesOfX] = operandPickedFirst();
  Extents sizes = windowSizes();
  unsigned indices = startsOf(indexed);
  if (!sizes.empty() || picked != indexed) {
    unsigned starts = indices, bits = b[starts].indexBits;
    Extents shape(batch);
    shape.append(sizes);
    Extents single(shape);
    single.push_back(1);
    SmallVector<unsigned> parts;
    for (const Axis &axis : ArrayRef(axesOfX).take_front(picked.size())) {
      unsigned part = coordinate(axis.number, starts, bits);
      parts.push_back(b.reshape(b.broadcast(part, shape), single));
    }
    indices = b.concat(parts);
  }
  return finish(b.gatherNd(x, indices),
                pickedAxes(ArrayRef(axesOfX).drop_front(picked.size())));
}

StrategyBuilder::Result StrategyBuilder::flatGatherV2(std::string &why) {
  auto [x, axesOfX] = operandPickedFirst();
  size_t count = picked.size();
  ArrayRef<SymbolicExtent> extents = b.shape(x);
  Ints strides(count, 1);
  Extents flat{1};
  for (size_t i = count; i-- > 0;) {
    if (!flat[0].isKnown()) {
      why =
          "the distance of its indices depends on an extent that is known only "
          "at run time";
      return std::nullopt;
    }
    strides[i] = flat[0].number();
    int64_t known = extents[i].known();
    if (known && strides[i] > INT64_MAX / known) {
      why = "the indexed dimensions have more elements than an index counts";
      return std::nullopt;
    }
    flat[0] = flat[0] * extents[i];
  }
  flat.append(extents.begin() + count, extents.end());
  // An unknown extent does not bound the number of elements.
  bool isLong = !flat[0].isKnown() || flat[0].number() > INT32_MAX;
  unsigned bits = isLong ? 64 : indexBits(), starts = 0;
  if (!indexed.empty())
    starts = startsOf(indexed);
  Extents shape(batch);
  shape.append(windowSizes());
  // If nothing is indexed, the same element is taken repeatedly.
  unsigned index = count ? 0 : b.constant(Extents(shape.size(), 1), {0}, bits);
  for (auto [i, axis] : enumerate(ArrayRef(axesOfX).take_front(count))) {
    unsigned part =
        b.multiply(coordinate(axis.number, starts, bits), strides[i]);
    index = i ? b.add(index, part) : part;
  }
  index = b.broadcast(index, shape);
  return finish(b.gatherV2(b.reshape(x, flat), index, 0, 0),
                pickedAxes(ArrayRef(axesOfX).drop_front(count)));
}

StrategyBuilder::Result StrategyBuilder::indexByTensor(std::string &why) {
  if (indexed.empty()) {
    why = "no dimension is indexed";
    return std::nullopt;
  }
  unsigned x = trimmedOperand();
  for (int64_t dim = 0; dim < rank(); ++dim)
    if (roles[dim] != Role::Full && roles[dim] != Role::Trimmed)
      picked.push_back(dim);
  // It takes indices of 64 bits.
  unsigned starts = b.cast(startsOf(indexed), 64);
  SmallVector<unsigned> indices;
  for (int64_t dim : picked)
    indices.push_back(coordinate(dim, starts, 64));
  // The axes of the indices take the place of neighbors; otherwise they are the
  // first.
  bool areNeighbors =
      picked.back() - picked.front() + 1 == (int64_t)picked.size();
  Axes axes, after;
  for (int64_t dim = 0; dim < rank(); ++dim)
    if (!is_contained(picked, dim))
      (areNeighbors && dim < picked.front() ? axes : after)
          .push_back({false, dim});
  axes.append(pickedAxes(after));
  return finish(b.indexByTensor(x, indices, picked), axes);
}
