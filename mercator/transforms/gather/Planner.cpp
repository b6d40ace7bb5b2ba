// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/gather/Planner.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mercator;
using namespace mercator::gather;

StringRef gather::name(Way way) {
  switch (way) {
  case Way::constant:
    return "constant";
  case Way::noGather:
    return "no gather";
  case Way::slice:
    return "slice";
  case Way::gatherV2:
    return "GatherV2";
  case Way::gatherElements:
    return "GatherElements";
  case Way::gatherNd:
    return "GatherNd";
  case Way::flatGatherV2:
    return "flat GatherV2";
  }
  return "";
}

const Candidate *Planning::best() const {
  const auto *found = find_if(candidates, [](const Candidate &candidate) {
    return candidate.feasible;
  });
  return found == candidates.end() ? nullptr : found;
}

//===--- Planner ----------------------------------------------------------===//

namespace {
/// What an axis of a tensor on the way is: a batch axis, or the part of a slice
/// that lies in a dimension of the operand.
struct Axis {
  bool isBatch;
  int64_t number;
  bool operator==(const Axis &) const = default;
};
using Axes = SmallVector<Axis, 6>;

class Planner {
public:
  explicit Planner(const GatherProblem &problem)
      : problem(problem), roles(problem.roles()),
        paired(problem.batchingAxes()), batch(problem.batchShape()),
        b(problem) {
    for (auto [dim, role] : enumerate(roles))
      if (role == Role::point || role == Role::window)
        indexed.push_back(dim);
      else if (role == Role::batching)
        batching.push_back(dim);
    // In the order of their axes, as primitives with batches want them.
    sort(batching, [&](int64_t x, int64_t y) { return paired[x] < paired[y]; });
  }

  /// Null after saying why not.
  std::optional<Plan> plan(Way way, std::string &why);

private:
  using Result = std::optional<unsigned>;

  Result constant(std::string &why);
  Result noGather(std::string &why);
  Result slice(std::string &why);
  Result gatherV2(std::string &why);
  Result gatherElements(std::string &why);
  Result gatherNd(std::string &why);
  Result flatGatherV2(std::string &why);

  bool isEmpty() const { return is_contained(problem.resultShape, 0); }
  int64_t rank() const { return roles.size(); }
  unsigned indexBits() const;
  unsigned trimmedOperand();
  unsigned ordered(Ints &order);
  unsigned vectors();
  unsigned startsOf(ArrayRef<int64_t> dims);
  unsigned constantStarts(ArrayRef<int64_t> dims);
  unsigned bounded(unsigned starts, ArrayRef<int64_t> dims);
  void noteClamps(ArrayRef<int64_t> dims, bool below, bool above);
  Ints windows() const;
  std::optional<int64_t> fixedStart(int64_t dim) const;
  std::pair<unsigned, Axes> indexedFirst();
  Axes pickedAxes(ArrayRef<Axis> rest) const;
  unsigned coordinate(int64_t dim, unsigned starts, unsigned bits);
  unsigned finish(unsigned in, Axes axes);

  const GatherProblem &problem;
  SmallVector<Role, 4> roles;
  Ints paired, batch;
  Ints indexed;  ///< points and windows, in their order
  Ints batching; ///< in the order of their batch axes
  PlanBuilder b;
};
} // namespace

//===--- Pieces -----------------------------------------------------------===//

/// Widths that devices index with.
unsigned Planner::indexBits() const {
  // Also where starts are small: what is added to them need not be.
  if (any_of(problem.operandShape,
             [](int64_t extent) { return extent > INT32_MAX; }))
    return 64;
  bool fits = problem.indexBits < 32 ||
              (problem.indexBits == 32 && problem.indexIsSigned);
  return fits || problem.constantStarts ? 32 : 64;
}

/// The operand without what no slice takes.
unsigned Planner::trimmedOperand() {
  Ints sizes(problem.operandShape), offsets(rank(), 0);
  for (int64_t dim = 0; dim < rank(); ++dim)
    if (roles[dim] == Role::trimmed) {
      sizes[dim] = problem.sliceSizes[dim];
    } else if (roles[dim] == Role::batching) {
      sizes[dim] = batch[paired[dim]];
      offsets[dim] = problem.batchingOffset(dim);
    }
  return b.slice(b.operand(), offsets, sizes);
}

/// The operand with its dimensions in an order, without those of which one
/// element is taken from the only place: so no tensor on the way has more
/// dimensions than the result, and the index vectors one more. Drops these from
/// `order`, too.
unsigned Planner::ordered(Ints &order) {
  unsigned x = b.transpose(trimmedOperand(), order);
  Ints shape, kept;
  for (auto [dim, extent] : zip_equal(order, b.shape(x)))
    if (extent != 1 ||
        (roles[dim] != Role::full && roles[dim] != Role::trimmed)) {
      kept.push_back(dim);
      shape.push_back(extent);
    }
  order = std::move(kept);
  return b.reshape(x, shape);
}

/// The start indices with the index vectors along the last axis. Requires: they
/// have such an axis.
unsigned Planner::vectors() {
  Ints axes;
  for (int64_t axis = 0, e = problem.indicesShape.size(); axis < e; ++axis)
    if (axis != problem.indexVectorDim)
      axes.push_back(axis);
  axes.push_back(problem.indexVectorDim);
  return b.transpose(b.starts(), axes);
}

unsigned Planner::constantStarts(ArrayRef<int64_t> dims) {
  const GatherProblem &p = problem;
  int64_t count = p.batchSize(), inner = 1;
  for (size_t i = p.indexVectorDim + 1; i < p.indicesShape.size(); ++i)
    inner *= p.indicesShape[i];
  int64_t width = p.startIndexMap.size();
  SmallVector<int64_t> values;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t dim : dims) {
      int64_t k = p.column(dim) - p.columns.begin();
      // The place of component k of vector i in row-major order.
      int64_t place = (i / inner * width + k) * inner + i % inner;
      values.push_back(
          std::clamp<int64_t>((*p.constantStarts)[place], 0, p.lastStart(dim)));
    }
  Ints shape(batch);
  shape.push_back(dims.size());
  return b.constant(shape, values, indexBits());
}

/// Clamps the starts of `dims`, one a column, where that may change them.
unsigned Planner::bounded(unsigned starts, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> last;
  bool below = false, above = false, anyInside = false, isWide = false;
  for (int64_t dim : dims) {
    const Column &column = *problem.column(dim);
    int64_t most = problem.lastStart(dim);
    last.push_back(most);
    bool mayBeBelow =
             problem.indexIsSigned && !(column.lower && *column.lower >= 0),
         mayBeAbove = !(column.upper && *column.upper <= most);
    below |= mayBeBelow;
    above |= mayBeAbove;
    anyInside |= !mayBeBelow && !mayBeAbove;
    isWide |= !column.upper;
  }
  if (anyInside || !below || !above)
    noteClamps(dims, below, above);
  if (all_equal(last))
    last.resize(1);
  // Half of these would turn negative: bounded before they change their type.
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

/// Says what was proved of the starts of `dims`, of which some may be below 0
/// or above the last start.
void Planner::noteClamps(ArrayRef<int64_t> dims, bool below, bool above) {
  for (int64_t dim : dims) {
    const Column &column = *problem.column(dim);
    int64_t most = problem.lastStart(dim);
    std::string starts = "the starts of dimension " + std::to_string(dim);
    bool isBelowMost = column.upper && *column.upper <= most,
         isPositive =
             !problem.indexIsSigned || (column.lower && *column.lower >= 0);
    if (isPositive && isBelowMost)
      b.note(starts + " lie in [" + std::to_string(column.lower.value_or(0)) +
             ", " + std::to_string(*column.upper) + "], inside [0, " +
             std::to_string(most) + "]: " +
             (below || above ? "only the other dimensions need a clamp"
                             : "no clamp"));
    else if (isPositive && !below)
      b.note(starts + " are not negative: no clamp below");
    else if (isBelowMost && !above)
      b.note(starts + " are at most " + std::to_string(*column.upper) +
             ", not above " + std::to_string(most) + ": no clamp above");
  }
}

/// The starts of `dims`, clamped: the batch axes, then one column for each.
unsigned Planner::startsOf(ArrayRef<int64_t> dims) {
  if (problem.constantStarts)
    return constantStarts(dims);
  if (problem.indexVectorDim == (int64_t)problem.indicesShape.size()) {
    // Nothing but the shape tells this from vectors of one component.
    Ints shape(batch);
    shape.push_back(1);
    return b.reshape(bounded(b.starts(), dims), shape);
  }
  unsigned all = vectors();
  SmallVector<unsigned> parts;
  Ints order;
  for (int64_t dim : dims)
    order.push_back(problem.column(dim) - problem.columns.begin());
  Ints sizes(b.shape(all)), offsets(sizes.size(), 0);
  // Columns that follow one another are one part.
  for (size_t i = 0; i < order.size();) {
    size_t end = i + 1;
    while (end < order.size() && order[end] == order[end - 1] + 1)
      ++end;
    offsets.back() = order[i];
    sizes.back() = end - i;
    parts.push_back(b.slice(all, offsets, sizes));
    i = end;
  }
  return bounded(b.concat(parts), dims);
}

/// The sizes of the windows, in the order of their dimensions.
Ints Planner::windows() const {
  Ints sizes;
  for (int64_t dim : indexed)
    if (roles[dim] == Role::window)
      sizes.push_back(problem.sliceSizes[dim]);
  return sizes;
}

/// The operand with the dimensions that an index vector picks in front, and
/// what its axes are.
std::pair<unsigned, Axes> Planner::indexedFirst() {
  Ints order;
  for (bool front : {true, false})
    for (int64_t dim = 0; dim < rank(); ++dim)
      if (front == (roles[dim] != Role::full && roles[dim] != Role::trimmed))
        order.push_back(dim);
  unsigned x = ordered(order);
  Axes axes;
  for (int64_t dim : order)
    axes.push_back({false, dim});
  return {x, axes};
}

/// The axes of what index vectors pick: those of the batch, the windows, and
/// the rest of the operand.
Axes Planner::pickedAxes(ArrayRef<Axis> rest) const {
  Axes axes;
  for (int64_t i = 0, e = batch.size(); i < e; ++i)
    axes.push_back({true, i});
  for (int64_t dim : indexed)
    if (roles[dim] == Role::window)
      axes.push_back({false, dim});
  axes.append(rest.begin(), rest.end());
  return axes;
}

/// The index into `dim` for each batch and each place in the windows: of the
/// rank of all these axes, one long where it does not depend on one. `starts`
/// are those of `indexed`.
unsigned Planner::coordinate(int64_t dim, unsigned starts, unsigned bits) {
  Ints sizes = windows();
  size_t axes = batch.size() + sizes.size();
  if (roles[dim] == Role::batching)
    return b.range(batch[paired[dim]], paired[dim], axes, bits);
  size_t k = find(indexed, dim) - indexed.begin();
  Ints offsets(batch.size() + 1, 0), part(batch);
  offsets.back() = k;
  part.push_back(1);
  unsigned column = b.slice(starts, offsets, part);
  Ints spread(batch);
  spread.append(sizes.size(), 1);
  column = b.cast(b.reshape(column, spread), bits);
  if (roles[dim] == Role::point)
    return column;
  size_t before = count_if(ArrayRef(indexed).take_front(k), [&](int64_t other) {
    return roles[other] == Role::window;
  });
  return b.add(column, b.range(problem.sliceSizes[dim], batch.size() + before,
                               axes, bits));
}

/// Brings the axes into the order of the result, and adds those of one element.
unsigned Planner::finish(unsigned in, Axes axes) {
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
  // Axes that the result does not have are collapsed: of one element.
  Ints shape;
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

//===--- Ways -------------------------------------------------------------===//

Planner::Result Planner::constant(std::string &why) {
  if (isEmpty()) {
    b.note("the result has no elements");
    return b.empty(problem.resultShape);
  }
  if (problem.batchSize() != 1 || !problem.constantStarts || indexed.empty()) {
    why = "the result has elements, and is no slice at a place known now";
    return std::nullopt;
  }
  Ints offsets(rank(), 0);
  unsigned starts = constantStarts(indexed);
  for (auto [dim, start] : zip_equal(indexed, b[starts].values))
    offsets[dim] = start;
  return b.reshape(b.slice(b.operand(), offsets, problem.sliceSizes),
                   problem.resultShape);
}

Planner::Result Planner::noGather(std::string &why) {
  if (!indexed.empty()) {
    why = "dimension " + std::to_string(indexed[0]) + " is indexed";
    return std::nullopt;
  }
  // The axes of the result, each from a dimension of the operand or repeated.
  Ints order, shape;
  SmallVector<bool> used(rank());
  int64_t batchAxis = 0, next = 0;
  for (int64_t i = 0, e = problem.resultShape.size(); i < e; ++i) {
    int64_t dim = -1;
    if (is_contained(problem.offsetDims, i)) {
      while (!problem.isOffset(next))
        ++next;
      dim = next++;
      // It takes the coordinate of a batch axis: its own axis is of one
      // element.
      if (roles[dim] == Role::batching)
        dim = -1;
    } else {
      for (int64_t other : batching)
        if (paired[other] == batchAxis)
          dim = other;
      ++batchAxis;
    }
    shape.push_back(dim < 0 ? 1 : problem.resultShape[i]);
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

/// Where slices begin in a dimension that is indexed, if that is known now; 0
/// in one that is not.
std::optional<int64_t> Planner::fixedStart(int64_t dim) const {
  const Column *column = problem.column(dim);
  if (!is_contained(indexed, dim))
    return 0;
  if (!column->lower || column->lower != column->upper)
    return std::nullopt;
  return std::clamp<int64_t>(*column->lower, 0, problem.lastStart(dim));
}

Planner::Result Planner::slice(std::string &why) {
  if (indexed.empty()) {
    why = "no dimension is indexed";
    return std::nullopt;
  }
  if (problem.batchSize() != 1) {
    why = "there are " + std::to_string(problem.batchSize()) + " slices";
    return std::nullopt;
  }
  // The dimensions whose start only the running program knows.
  Ints moving;
  for (int64_t dim : indexed)
    if (problem.constantStarts || !fixedStart(dim))
      moving.push_back(dim);
  if (moving.empty())
    moving = indexed;
  unsigned starts = startsOf(moving);
  starts = b.reshape(starts, {(int64_t)moving.size()});
  unsigned bits = b[starts].indexBits;
  SmallVector<unsigned> parts;
  // Runs of these and of other dimensions take turns.
  for (int64_t dim = 0, k = 0; dim < rank();) {
    bool isMoving = is_contained(moving, dim);
    SmallVector<int64_t> fixed;
    int64_t end = dim;
    for (; end < rank() && is_contained(moving, end) == isMoving; ++end)
      fixed.push_back(fixedStart(end).value_or(0));
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

Planner::Result Planner::gatherV2(std::string &why) {
  if (indexed.size() != 1) {
    why = std::to_string(indexed.size()) +
          " dimensions are indexed, it takes one";
    return std::nullopt;
  }
  int64_t dim = indexed[0];
  bool isWindow = roles[dim] == Role::window;
  // Batching dimensions first, in the order of their axes.
  Ints order(batching);
  for (int64_t d = 0; d < rank(); ++d)
    if (roles[d] != Role::batching)
      order.push_back(d);
  unsigned x = ordered(order);
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

Planner::Result Planner::gatherElements(std::string &why) {
  if (indexed.size() != 1 || roles[indexed[0]] != Role::point) {
    why = "it takes one dimension that is indexed by elements";
    return std::nullopt;
  }
  if (batching.empty()) {
    why = "no dimension goes along with the batch";
    return std::nullopt;
  }
  int64_t dim = indexed[0];
  Ints order(batching), shape;
  order.push_back(dim);
  for (int64_t d : order)
    shape.push_back(roles[d] == Role::batching ? batch[paired[d]]
                                               : problem.operandShape[d]);
  for (int64_t d = 0; d < rank(); ++d)
    if (!is_contained(order, d)) {
      if (problem.sliceSizes[d] != 1) {
        why = "dimension " + std::to_string(d) + " is taken " +
              std::to_string(problem.sliceSizes[d]) + " elements at a time";
        return std::nullopt;
      }
      order.push_back(d);
    }
  unsigned x = b.reshape(b.transpose(trimmedOperand(), order), shape);
  // All axes that have no dimension of their own become the last one.
  Ints axesOrder, indexShape;
  Axes axes;
  for (int64_t d : batching) {
    axesOrder.push_back(paired[d]);
    indexShape.push_back(batch[paired[d]]);
    axes.push_back({true, paired[d]});
  }
  Ints outShape(indexShape);
  int64_t last = 1;
  for (int64_t i = 0, e = batch.size(); i < e; ++i)
    if (!is_contained(paired, i)) {
      axesOrder.push_back(i);
      axes.push_back({true, i});
      outShape.push_back(batch[i]);
      last *= batch[i];
    }
  indexShape.push_back(last);
  unsigned starts = b.reshape(startsOf(indexed), batch);
  starts = b.reshape(b.transpose(starts, axesOrder), indexShape);
  return finish(b.reshape(b.gatherElements(x, starts), outShape), axes);
}

Planner::Result Planner::gatherNd(std::string &why) {
  if (indexed.empty()) {
    why = "no dimension is indexed";
    return std::nullopt;
  }
  auto [x, axesOfX] = indexedFirst();
  size_t picked = indexed.size() + batching.size();
  Ints sizes = windows();
  unsigned indices = startsOf(indexed);
  if (!sizes.empty() || !batching.empty()) {
    unsigned starts = indices, bits = b[starts].indexBits;
    Ints shape(batch);
    shape.append(sizes);
    Ints single(shape);
    single.push_back(1);
    SmallVector<unsigned> parts;
    for (const Axis &axis : ArrayRef(axesOfX).take_front(picked)) {
      unsigned part = coordinate(axis.number, starts, bits);
      parts.push_back(b.reshape(b.broadcast(part, shape), single));
    }
    indices = b.concat(parts);
  }
  return finish(b.gatherNd(x, indices),
                pickedAxes(ArrayRef(axesOfX).drop_front(picked)));
}

Planner::Result Planner::flatGatherV2(std::string &why) {
  auto [x, axesOfX] = indexedFirst();
  size_t picked = indexed.size() + batching.size();
  ArrayRef<int64_t> extents = b.shape(x);
  Ints strides(picked, 1), flat{1};
  for (size_t i = picked; i-- > 0;) {
    strides[i] = flat[0];
    if (extents[i] && flat[0] > INT64_MAX / extents[i]) {
      why = "the indexed dimensions have more elements than an index counts";
      return std::nullopt;
    }
    flat[0] *= extents[i];
  }
  flat.append(extents.begin() + picked, extents.end());
  unsigned bits = flat[0] > INT32_MAX ? 64 : indexBits(), starts = 0;
  if (!indexed.empty())
    starts = startsOf(indexed);
  Ints shape(batch);
  shape.append(windows());
  // Where nothing is indexed, one element is taken again and again.
  unsigned index = picked ? 0 : b.constant(Ints(shape.size(), 1), {0}, bits);
  for (auto [i, axis] : enumerate(ArrayRef(axesOfX).take_front(picked))) {
    unsigned part =
        b.multiply(coordinate(axis.number, starts, bits), strides[i]);
    index = i ? b.add(index, part) : part;
  }
  index = b.broadcast(index, shape);
  return finish(b.gatherV2(b.reshape(x, flat), index, 0, 0),
                pickedAxes(ArrayRef(axesOfX).drop_front(picked)));
}

std::optional<Plan> Planner::plan(Way way, std::string &why) {
  if (isEmpty() && way != Way::constant) {
    why = "the result has no elements";
    return std::nullopt;
  }
  for (auto [dim, axis] : enumerate(paired))
    if (axis >= 0 && !is_contained(problem.operandBatchingDims, (int64_t)dim))
      b.note(
          "the starts of dimension " + std::to_string(dim) +
          " count along batch axis " + std::to_string(axis) +
          (problem.batchingOffset(dim)
               ? " from " + std::to_string(problem.batchingOffset(dim)) + " on"
               : "") +
          ": it goes along with the batch");
  for (auto [dim, role] : enumerate(roles))
    if (role == Role::full && problem.column(dim))
      b.note("dimension " + std::to_string(dim) +
             " is taken whole, whatever its starts");
  Result result;
  switch (way) {
  case Way::constant:
    result = constant(why);
    break;
  case Way::noGather:
    result = noGather(why);
    break;
  case Way::slice:
    result = slice(why);
    break;
  case Way::gatherV2:
    result = gatherV2(why);
    break;
  case Way::gatherElements:
    result = gatherElements(why);
    break;
  case Way::gatherNd:
    result = gatherNd(why);
    break;
  case Way::flatGatherV2:
    result = flatGatherV2(why);
    break;
  }
  if (!result)
    return std::nullopt;
  return b.finish(*result);
}

Planning gather::planGather(const GatherProblem &problem, Refuse refuse) {
  Planning planning;
  planning.candidates.reserve(kWays);
  const Planner planner(problem);
  for (unsigned i = 0; i < kWays; ++i) {
    Candidate &candidate =
        planning.candidates.emplace_back(Candidate{.way = Way(i)});
    candidate.plan = Planner(planner).plan(candidate.way, candidate.why);
    candidate.feasible = candidate.plan.has_value();
    if (!candidate.plan || !refuse)
      continue;
    for (const Step &step : candidate.plan->steps)
      if (std::string why = refuse(*candidate.plan, step); !why.empty()) {
        candidate.feasible = false;
        candidate.why = std::move(why);
        break;
      }
  }
  return planning;
}
