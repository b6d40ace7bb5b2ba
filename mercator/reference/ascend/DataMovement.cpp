// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The operators of GE that move elements, and those that create tensors from a
// few numbers.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/ascend/Operands.h"
#include "mercator/reference/ascend/Rules.h"

#include <cmath>

using namespace mlir;
using namespace mercator::ascend;

namespace mercator::reference {

/// The result; `from` gives the position in `x` of each element.
static LogicalResult
copyFrom(Step &step, const Tensor &x, ArrayRef<int64_t> shape,
         llvm::function_ref<int64_t(ArrayRef<int64_t>)> from) {
  FailureOr<Tensor> result = makeOf(step, shape);
  if (failed(result))
    return failure();
  int64_t place = 0;
  for (Index d(shape); d; ++d)
    result->copy(place++, x, from(*d));
  step.results[0] = *result;
  return success();
}

//===--- Order and shape --------------------------------------------------===//

static LogicalResult evaluate(TransposeOp, Step &step) {
  const Tensor &x = step.tensor(0);
  Ints axes = integersOf(step.tensor(1)), sorted(axes), shape;
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, x.rank())))
    return step.error() << "expected perm to hold each axis of x once";
  for (int64_t axis : axes)
    shape.push_back(x.dim(axis));
  return copyFrom(step, x, shape, [&](ArrayRef<int64_t> index) {
    Ints from(x.rank());
    for (auto [i, axis] : llvm::zip_equal(index, axes))
      from[axis] = i;
    return x.linear(from);
  });
}

static LogicalResult evaluate(ReverseV2Op, Step &step) {
  const Tensor &x = step.tensor(0);
  SmallVector<bool> reversed(x.rank());
  for (int64_t given : integersOf(step.tensor(1))) {
    FailureOr<int64_t> axis = axisOf(step, given, x.rank());
    if (failed(axis))
      return failure();
    if (reversed[*axis])
      return step.error() << "expected each axis once, got " << *axis
                          << " again";
    reversed[*axis] = true;
  }
  return copyFrom(step, x, x.shape(), [&](ArrayRef<int64_t> index) {
    Ints from(index);
    for (auto [i, extent, flip] : llvm::zip_equal(from, x.shape(), reversed))
      i = flip ? extent - 1 - i : i;
    return x.linear(from);
  });
}

static LogicalResult evaluate(ReshapeOp op, Step &step) {
  if (op.getAxis() != 0 || int64_t(op.getNumAxes()) != -1)
    return step.unsupported("only some of the axes are reshaped");
  const Tensor &x = step.tensor(0);
  Ints shape = integersOf(step.tensor(1));
  if (llvm::count(shape, -1) > 1)
    return step.error() << "expected a shape with at most one -1";
  int64_t rest = x.size(), *free = nullptr;
  for (int64_t &extent : shape) {
    if (extent == -1) {
      free = &extent;
      continue;
    }
    if (extent == 0 && llvm::is_contained(shape, -1))
      return step.error() << "expected no -1 in a shape with an extent of 0";
    rest = extent == 0 ? 0 : rest / extent;
  }
  if (free)
    *free = rest;
  FailureOr<Tensor> result = makeOf(step, shape);
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

static LogicalResult evaluate(BroadcastToOp, Step &step) {
  const Tensor &x = step.tensor(0);
  Ints shape = integersOf(step.tensor(1));
  if (int64_t(shape.size()) < x.rank())
    return step.error() << "expected a shape of at least " << x.rank()
                        << " dimensions, got " << shape.size();
  for (auto [from, to] :
       llvm::zip_equal(x.shape(), ArrayRef(shape).take_back(x.rank())))
    if (from != 1 && from != to)
      return step.error() << "expected a dimension of 1 or " << to << ", got "
                          << from;
  return copyFrom(step, x, shape, [&](ArrayRef<int64_t> index) {
    return broadcastPlace(x, index);
  });
}

//===--- Parts ------------------------------------------------------------===//

static LogicalResult evaluate(SliceOp, Step &step) {
  const Tensor &x = step.tensor(0);
  Ints offsets = integersOf(step.tensor(1)), sizes = integersOf(step.tensor(2));
  int64_t rank = x.rank();
  if (int64_t(offsets.size()) != rank || int64_t(sizes.size()) != rank)
    return step.error() << "expected " << rank
                        << " offsets and sizes, one for each dimension, got "
                        << offsets.size() << " and " << sizes.size();
  for (int64_t i = 0; i < rank; ++i) {
    bool isInside = 0 <= offsets[i] && offsets[i] <= x.dim(i);
    if (isInside && sizes[i] == -1)
      sizes[i] = x.dim(i) - offsets[i];
    if (!isInside || sizes[i] < 0 || sizes[i] > x.dim(i) - offsets[i])
      return step.error() << "expected a slice inside dimension " << i << " of "
                          << x.dim(i) << ", got " << sizes[i]
                          << " elements from " << offsets[i];
  }
  return copyFrom(step, x, sizes, [&](ArrayRef<int64_t> index) {
    Ints from(index);
    for (auto [i, offset] : llvm::zip_equal(from, offsets))
      i += offset;
    return x.linear(from);
  });
}

static LogicalResult evaluate(StridedSliceOp op, Step &step) {
  if (op.getEllipsisMask() || op.getNewAxisMask() || op.getShrinkAxisMask())
    return step.unsupported("its masks add or remove dimensions");
  const Tensor &x = step.tensor(0);
  Ints begins = integersOf(step.tensor(1)), ends = integersOf(step.tensor(2)),
       strides = integersOf(step.tensor(3)), shape;
  size_t rank = x.rank();
  if (begins.size() != rank || ends.size() != rank || strides.size() != rank)
    return step.error() << "expected " << rank << " begins, ends and strides";
  for (size_t i = 0; i < rank; ++i) {
    if (strides[i] <= 0)
      return step.error() << "expected strides above 0, got " << strides[i];
    if (op.getBeginMask() >> i & 1)
      begins[i] = 0;
    if (op.getEndMask() >> i & 1)
      ends[i] = x.dim(i);
    if (begins[i] < 0 || ends[i] < begins[i] || ends[i] > x.dim(i))
      return step.error() << "expected a range inside [0, " << x.dim(i)
                          << "], got [" << begins[i] << ", " << ends[i] << ")";
    int64_t extent = ends[i] - begins[i];
    shape.push_back(extent / strides[i] + (extent % strides[i] != 0));
  }
  return copyFrom(step, x, shape, [&](ArrayRef<int64_t> index) {
    Ints from(index);
    for (auto [i, begin, stride] : llvm::zip_equal(from, begins, strides))
      i = begin + i * stride;
    return x.linear(from);
  });
}

//===--- Concatenations ---------------------------------------------------===//

static LogicalResult evaluate(ConcatV2Op op, Step &step) {
  size_t count = op.getX().size();
  const Tensor &first = step.tensor(0);
  FailureOr<int64_t> given = scalarOf(step, count);
  if (failed(given))
    return failure();
  FailureOr<int64_t> place = axisOf(step, *given, first.rank());
  if (failed(place))
    return failure();
  int64_t axis = *place;
  Ints shape(first.shape());
  shape[axis] = 0;
  for (size_t k = 0; k < count; ++k) {
    Ints own(step.tensor(k).shape()), others(shape);
    if (own.size() == shape.size())
      own[axis] = others[axis] = 0;
    if (own != others)
      return step.error()
             << "expected inputs of the same shape except along axis " << axis
             << ", got " << first.type() << " and " << step.tensor(k).type();
    shape[axis] += step.tensor(k).dim(axis);
  }
  FailureOr<Tensor> result = makeOf(step, shape);
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
  Ints shape(step.tensor(0).shape());
  for (const Value &operand : step.operands)
    if (operand.tensor()->shape() != ArrayRef<int64_t>(shape))
      return step.error() << "expected inputs of the same shape, got "
                          << step.tensor(0).type() << " and "
                          << operand.tensor()->type();
  FailureOr<int64_t> axis =
      axisOf(step, op.getAxis(), int64_t(shape.size()) + 1);
  if (failed(axis))
    return failure();
  shape.insert(shape.begin() + *axis, op.getX().size());
  FailureOr<Tensor> result = makeOf(step, shape);
  if (failed(result))
    return failure();
  for (Index d(shape); d; ++d) {
    Ints from(*d);
    from.erase(from.begin() + *axis);
    const Tensor &x = step.tensor(d[*axis]);
    result->copy(result->linear(*d), x, x.linear(from));
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluate(PadV2Op, Step &step) {
  const Tensor &x = step.tensor(0), &value = step.tensor(2);
  Ints paddings = integersOf(step.tensor(1)), shape(x.shape());
  if (paddings.size() != 2 * shape.size())
    return step.error() << "expected " << shape.size()
                        << " pairs of paddings, got " << paddings.size()
                        << " numbers";
  if (value.size() != 1)
    return step.error() << "expected one number for constant_values, got "
                        << value.type();
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t low = paddings[2 * i], high = paddings[2 * i + 1];
    if (low < 0 || high < 0)
      return step.error() << "expected paddings of at least 0, got " << low
                          << " and " << high;
    if (llvm::AddOverflow(shape[i], low, shape[i]) ||
        llvm::AddOverflow(shape[i], high, shape[i]))
      return step.error() << "expected paddings of fewer than 2^63 elements";
  }
  FailureOr<Tensor> result = makeOf(step, shape);
  if (failed(result))
    return failure();
  int64_t place = 0;
  for (Index d(shape); d; ++d, ++place) {
    Ints from(*d);
    bool isInside = true;
    for (auto [i, index] : llvm::enumerate(from)) {
      index -= paddings[2 * i];
      isInside &= 0 <= index && index < x.dim(i);
    }
    if (isInside)
      result->copy(place, x, x.linear(from));
    else
      result->copy(place, value, 0);
  }
  step.results[0] = *result;
  return success();
}

//===--- Creation from numbers --------------------------------------------===//

/// callGraph has put it where results are.
static LogicalResult evaluate(DataOp op, Step &step) {
  const Value *given = step.evaluator.lookup(op.getResult());
  if (!given)
    return step.error() << "expected to be evaluated as an input of its graph";
  step.results[0] = *given;
  return success();
}

static LogicalResult evaluate(ConstOp op, Step &step) {
  FailureOr<Tensor> value = step.constant(op.getValue());
  if (failed(value))
    return failure();
  step.results[0] = *value;
  return success();
}

static LogicalResult evaluate(ShapeOp, Step &step) {
  const Tensor &x = step.tensor(0);
  FailureOr<Tensor> result = makeOf(step, {x.rank()});
  if (failed(result))
    return failure();
  for (int64_t i = 0; i < x.rank(); ++i)
    result->set(i, Scalar::whole(x.dim(i)));
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluate(FillOp, Step &step) {
  const Tensor &value = step.tensor(1);
  if (value.size() != 1)
    return step.error() << "expected one number for value, got "
                        << value.type();
  return copyFrom(step, value, integersOf(step.tensor(0)),
                  [](ArrayRef<int64_t>) { return 0; });
}

/// The number of elements start, start + delta, .. before the limit.
static LogicalResult range(Step &step, int64_t start, int64_t limit,
                           int64_t delta) {
  if (delta == 0)
    return step.error() << "expected a delta other than 0";
  int64_t reach = 0;
  if (delta > 0 ? llvm::SubOverflow(limit, start, reach)
                : llvm::SubOverflow(start, limit, reach))
    return step.error() << "expected a range of fewer than 2^63 numbers";
  uint64_t by = delta > 0 ? uint64_t(delta) : 0 - uint64_t(delta);
  uint64_t count =
      reach <= 0 ? 0 : uint64_t(reach) / by + (uint64_t(reach) % by != 0);
  FailureOr<Tensor> result = makeOf(step, {int64_t(count)});
  if (failed(result))
    return failure();
  for (int64_t i = 0; i < result->size(); ++i)
    result->set(i, Scalar::whole(start + i * delta));
  step.results[0] = *result;
  return success();
}

/// The same for floats. GE does not say whether element i is start + i * delta
/// or a sum of i steps. It is an error if the two differ.
static LogicalResult rangeOfFloats(Step &step, double start, double limit,
                                   double delta) {
  if (!(delta < 0) && !(delta > 0))
    return step.error() << "expected a delta other than 0";
  double count = std::ceil((limit - start) / delta);
  if (!(count <= 0x1p40))
    return step.error() << "expected a range with an end";
  FailureOr<Tensor> result = makeOf(step, {count > 0 ? int64_t(count) : 0});
  if (failed(result))
    return failure();
  const Element &element = result->element();
  double sum = start;
  for (int64_t i = 0; i < result->size(); ++i) {
    double value = element.round(Scalar::real(start + double(i) * delta)).re;
    if (value != sum)
      return step.error() << "expected a range of numbers that "
                          << result->type().getElementType()
                          << " has without rounding";
    result->set(i, Scalar::real(value));
    sum = element.round(Scalar::real(sum + delta)).re;
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluate(RangeOp, Step &step) {
  for (size_t i = 0; i < 3; ++i)
    if (step.tensor(i).size() != 1)
      return step.error() << "expected one number for operand #" << i
                          << ", got " << step.tensor(i).type();
  Scalar start = step.tensor(0).scalar(), limit = step.tensor(1).scalar(),
         delta = step.tensor(2).scalar();
  return step.tensor(0).element().isReal()
             ? rangeOfFloats(step, start.re, limit.re, delta.re)
             : range(step, start.integer, limit.integer, delta.integer);
}

template <typename Op>
static LogicalResult evaluateDataMovementOp(Op op, Step &step) {
  return evaluate(op, step);
}
template <typename... Ops>
static void addDataMovementOps(EvaluationRules &rules) {
  (rules.add<Ops, evaluateDataMovementOp<Ops>>(), ...);
}

void addAscendDataMovementRules(EvaluationRules &rules) {
  addDataMovementOps<TransposeOp, ReverseV2Op, ReshapeOp, BroadcastToOp,
                     SliceOp, StridedSliceOp, ConcatV2Op, PackOp, PadV2Op,
                     DataOp, ConstOp, FillOp, RangeOp, ShapeOp>(rules);
}

} // namespace mercator::reference
