// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The operators of GE that move elements. An index outside its dimension is an
// error here, whatever a device would do: none of them clamps.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/Rules.h"

using namespace mlir;
using namespace mercator::ascend;

namespace mercator::reference {

using Ints = SmallVector<int64_t, 6>;

/// The integers of a tensor, in row-major order.
static Ints integersOf(const Tensor &tensor) {
  Ints values;
  for (int64_t i = 0; i < tensor.size(); ++i)
    values.push_back(tensor.at(i).integer);
  return values;
}

/// An index along a dimension of `extent` elements; an error outside.
static LogicalResult checkIndex(Step &step, int64_t index, int64_t extent) {
  if (0 <= index && index < extent)
    return success();
  return step.error() << "expected an index in [0, " << extent << "), got "
                      << index;
}

/// An axis of a tensor, counted from the end where it is negative.
static int64_t axisOf(int64_t axis, const Tensor &tensor) {
  return axis < 0 ? axis + tensor.rank() : axis;
}

//===--- Gathers ----------------------------------------------------------===//

static LogicalResult gather(Step &step, int64_t axis, int64_t batches) {
  const Tensor &x = step.tensor(0), &indices = step.tensor(1);
  axis = axisOf(axis, x);
  int64_t middle = indices.rank() - batches;
  Ints shape(x.shape().take_front(axis));
  llvm::append_range(shape, indices.shape().drop_front(batches));
  llvm::append_range(shape, x.shape().drop_front(axis + 1));
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  for (Index d(shape); d; ++d) {
    Ints which((*d).take_front(batches));
    llvm::append_range(which, (*d).slice(axis, middle));
    int64_t index = indices.at(which).integer;
    if (failed(checkIndex(step, index, x.dim(axis))))
      return failure();
    Ints from((*d).take_front(axis));
    from.push_back(index);
    llvm::append_range(from, (*d).drop_front(axis + middle));
    result->copy(result->linear(*d), x, x.linear(from));
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluate(GatherV2Op op, Step &step) {
  return gather(step, step.tensor(2).scalar().integer, op.getBatchDims());
}
static LogicalResult evaluate(GatherV2DOp op, Step &step) {
  return gather(step, op.getAxis(), 0);
}

static LogicalResult evaluate(GatherNdOp, Step &step) {
  const Tensor &x = step.tensor(0), &indices = step.tensor(1);
  int64_t width = indices.shape().back(), outer = indices.rank() - 1;
  Ints shape(indices.shape().drop_back());
  llvm::append_range(shape, x.shape().drop_front(width));
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  for (Index d(shape); d; ++d) {
    Ints from, which((*d).take_front(outer));
    which.push_back(0);
    for (int64_t k = 0; k < width; ++k) {
      which.back() = k;
      from.push_back(indices.at(which).integer);
      if (failed(checkIndex(step, from.back(), x.dim(k))))
        return failure();
    }
    llvm::append_range(from, (*d).drop_front(outer));
    result->copy(result->linear(*d), x, x.linear(from));
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluate(GatherElementsOp op, Step &step) {
  const Tensor &x = step.tensor(0), &index = step.tensor(1);
  int64_t dim = axisOf(op.getDim(), x);
  FailureOr<Tensor> result = step.make(0, index.shape());
  if (failed(result))
    return failure();
  for (Index d(index.shape()); d; ++d) {
    Ints from(*d);
    from[dim] = index.at(*d).integer;
    if (failed(checkIndex(step, from[dim], x.dim(dim))))
      return failure();
    result->copy(result->linear(*d), x, x.linear(from));
  }
  step.results[0] = *result;
  return success();
}

//===--- Shapes -----------------------------------------------------------===//

static LogicalResult evaluate(ConstOp op, Step &step) {
  FailureOr<Tensor> value = step.constant(op.getValue());
  if (failed(value))
    return failure();
  step.results[0] = *value;
  return success();
}

static LogicalResult evaluate(TransposeOp, Step &step) {
  const Tensor &x = step.tensor(0);
  Ints axes = integersOf(step.tensor(1)), shape;
  for (int64_t axis : axes)
    shape.push_back(x.dim(axis));
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  Ints from(x.rank());
  for (Index d(shape); d; ++d) {
    for (auto [i, axis] : llvm::enumerate(axes))
      from[axis] = d[i];
    result->copy(result->linear(*d), x, x.linear(from));
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluate(ReshapeOp op, Step &step) {
  const Tensor &x = step.tensor(0);
  Ints shape = integersOf(step.tensor(1));
  int64_t rest = x.size(), *free = nullptr;
  for (int64_t &extent : shape)
    if (extent == -1)
      free = &extent;
    else if (extent > 0)
      rest /= extent;
  if (free)
    *free = rest;
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  if (result->size() != x.size())
    return step.error() << "expected a shape of " << x.size()
                        << " elements, got " << result->size();
  for (int64_t i = 0; i < x.size(); ++i)
    result->copy(i, x, i);
  step.results[0] = *result;
  return success();
}

/// The place in `x` of an index of what it is broadcast to.
static int64_t broadcastPlace(const Tensor &x, ArrayRef<int64_t> index) {
  Ints from(index.take_back(x.rank()));
  for (auto [i, extent] : llvm::zip_equal(from, x.shape()))
    i = extent == 1 ? 0 : i;
  return x.linear(from);
}

static LogicalResult evaluate(BroadcastToOp, Step &step) {
  const Tensor &x = step.tensor(0);
  FailureOr<Tensor> result = step.make(0, integersOf(step.tensor(1)));
  if (failed(result))
    return failure();
  int64_t place = 0;
  for (Index d(result->shape()); d; ++d)
    result->copy(place++, x, broadcastPlace(x, *d));
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluate(SliceOp, Step &step) {
  const Tensor &x = step.tensor(0);
  Ints offsets = integersOf(step.tensor(1)), sizes = integersOf(step.tensor(2));
  for (int64_t i = 0; i < x.rank(); ++i) {
    if (sizes[i] == -1)
      sizes[i] = x.dim(i) - offsets[i];
    if (offsets[i] < 0 || sizes[i] < 0 || sizes[i] > x.dim(i) - offsets[i])
      return step.error() << "expected a slice inside dimension " << i << " of "
                          << x.dim(i) << ", got " << sizes[i]
                          << " elements from " << offsets[i];
  }
  FailureOr<Tensor> result = step.make(0, sizes);
  if (failed(result))
    return failure();
  for (Index d(sizes); d; ++d) {
    Ints from(*d);
    for (auto [i, offset] : llvm::zip_equal(from, offsets))
      i += offset;
    result->copy(result->linear(*d), x, x.linear(from));
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluate(ConcatV2Op op, Step &step) {
  size_t count = op.getX().size();
  int64_t axis = axisOf(step.tensor(count).scalar().integer, step.tensor(0));
  Ints shape(step.tensor(0).shape());
  for (size_t i = 1; i < count; ++i)
    shape[axis] += step.tensor(i).dim(axis);
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  for (Index d(shape); d; ++d) {
    Ints from(*d);
    size_t part = 0;
    while (from[axis] >= step.tensor(part).dim(axis))
      from[axis] -= step.tensor(part++).dim(axis);
    const Tensor &x = step.tensor(part);
    result->copy(result->linear(*d), x, x.linear(from));
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluate(PackOp op, Step &step) {
  int64_t axis = op.getAxis();
  Ints shape(step.tensor(0).shape());
  axis = axis < 0 ? axis + (int64_t)shape.size() + 1 : axis;
  shape.insert(shape.begin() + axis, op.getX().size());
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  for (Index d(shape); d; ++d) {
    Ints from(*d);
    from.erase(from.begin() + axis);
    const Tensor &x = step.tensor(d[axis]);
    result->copy(result->linear(*d), x, x.linear(from));
  }
  step.results[0] = *result;
  return success();
}

//===--- Arithmetic of indices --------------------------------------------===//

static LogicalResult evaluate(RangeOp op, Step &step) {
  if (!step.tensor(0).type().getElementType().isInteger())
    return step.unsupported("a range of numbers that are not integers");
  int64_t start = step.tensor(0).scalar().integer,
          limit = step.tensor(1).scalar().integer,
          delta = step.tensor(2).scalar().integer;
  if (delta == 0)
    return step.error() << "expected a delta other than 0";
  int64_t reach = delta > 0 ? limit - start : start - limit,
          by = delta > 0 ? delta : -delta;
  FailureOr<Tensor> result =
      step.make(0, {reach <= 0 ? 0 : (reach + by - 1) / by});
  if (failed(result))
    return failure();
  for (int64_t i = 0; i < result->size(); ++i)
    result->set(i, Scalar::whole(start + i * delta));
  step.results[0] = *result;
  return success();
}

/// One element of the result from one of each operand, which are integers, or
/// whose bytes are what is asked for.
using OfIntegers = int64_t (*)(bool isUnsigned, ArrayRef<int64_t> operands);

static LogicalResult evaluateIntegers(Step &step, OfIntegers function) {
  Ints shape;
  for (const Value &operand : step.operands) {
    ArrayRef<int64_t> from = operand.tensor()->shape();
    if (from.size() > shape.size())
      shape.insert(shape.begin(), from.size() - shape.size(), 1);
    for (auto [extent, other] :
         llvm::zip(MutableArrayRef(shape).take_back(from.size()), from))
      extent = extent == 1 ? other : extent;
  }
  for (const Value &operand : step.operands)
    if (!operand.tensor()->type().getElementType().isInteger())
      return step.unsupported("of elements that are not integers");
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  bool isUnsigned = step.tensor(0).type().getElementType().isUnsignedInteger();
  int64_t place = 0;
  for (Index d(shape); d; ++d) {
    Ints values;
    for (const Value &operand : step.operands)
      values.push_back(
          operand.tensor()->at(broadcastPlace(*operand.tensor(), *d)).integer);
    result->set(place++, Scalar::whole(function(isUnsigned, values)));
  }
  step.results[0] = *result;
  return success();
}

static bool isLess(bool isUnsigned, int64_t a, int64_t b) {
  return isUnsigned ? uint64_t(a) < uint64_t(b) : a < b;
}
static int64_t least(bool isUnsigned, ArrayRef<int64_t> x) {
  return isLess(isUnsigned, x[1], x[0]) ? x[1] : x[0];
}
static int64_t greatest(bool isUnsigned, ArrayRef<int64_t> x) {
  return isLess(isUnsigned, x[0], x[1]) ? x[1] : x[0];
}
static int64_t clip(bool isUnsigned, ArrayRef<int64_t> x) {
  return least(isUnsigned, {greatest(isUnsigned, {x[0], x[1]}), x[2]});
}
// The integers of a type wrap around.
static int64_t sum(bool, ArrayRef<int64_t> x) {
  return int64_t(uint64_t(x[0]) + uint64_t(x[1]));
}
static int64_t product(bool, ArrayRef<int64_t> x) {
  return int64_t(uint64_t(x[0]) * uint64_t(x[1]));
}
static int64_t less(bool isUnsigned, ArrayRef<int64_t> x) {
  return isLess(isUnsigned, x[0], x[1]);
}
static int64_t choose(bool, ArrayRef<int64_t> x) { return x[0] ? x[1] : x[2]; }
static int64_t same(bool, ArrayRef<int64_t> x) { return x[0]; }
static int64_t asBoolean(bool, ArrayRef<int64_t> x) { return x[0] != 0; }

static LogicalResult evaluate(CastOp op, Step &step) {
  return evaluateIntegers(
      step, op.getResult().getType().getElementType().isInteger(1) ? asBoolean
                                                                   : same);
}

template <typename Op, OfIntegers function>
static LogicalResult evaluateOf(Op, Step &step) {
  return evaluateIntegers(step, function);
}

template <typename Op> static LogicalResult evaluateOne(Op op, Step &step) {
  return evaluate(op, step);
}
template <typename... Ops> static void addAll(Rules &rules) {
  (rules.add<Ops, evaluateOne<Ops>>(), ...);
}

void addAscendRules(Rules &rules) {
  addAll<GatherV2Op, GatherV2DOp, GatherNdOp, GatherElementsOp, ConstOp,
         TransposeOp, ReshapeOp, BroadcastToOp, SliceOp, ConcatV2Op, PackOp,
         RangeOp, CastOp>(rules);
  rules.add<MinimumOp, evaluateOf<MinimumOp, least>>();
  rules.add<MaximumOp, evaluateOf<MaximumOp, greatest>>();
  rules.add<ClipByValueOp, evaluateOf<ClipByValueOp, clip>>();
  rules.add<AddOp, evaluateOf<AddOp, sum>>();
  rules.add<MulOp, evaluateOf<MulOp, product>>();
  rules.add<LessOp, evaluateOf<LessOp, less>>();
  rules.add<SelectOp, evaluateOf<SelectOp, choose>>();
}

} // namespace mercator::reference
