// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The gathers of GE. An index outside its dimension is an error here, although
// devices differ. None of them clamps.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/ascend/Operands.h"
#include "mercator/reference/ascend/Rules.h"

using namespace mlir;
using namespace mercator::ascend;

namespace mercator::reference {

/// An index along a dimension of `extent` elements; an error if it is out of
/// range. `fromEnd` says whether negative indices count from the end.
static FailureOr<int64_t> indexOf(Step &step, int64_t index, int64_t extent,
                                  bool fromEnd) {
  if (0 <= index && index < extent)
    return index;
  if (fromEnd && -extent <= index && index < 0)
    return index + extent;
  return step.error() << "expected an index in [" << (fromEnd ? -extent : 0)
                      << ", " << extent << "), got " << index;
}

/// y[b, i, j, k] = x[b, i, indices[b, j], k], where i are the dimensions of x
/// between the batches and the axis.
static LogicalResult gather(Step &step, int64_t givenAxis, int64_t batches,
                            bool fromEnd) {
  const Tensor &x = step.tensor(0), &indices = step.tensor(1);
  FailureOr<int64_t> place = axisOf(step, givenAxis, x.rank());
  if (failed(place))
    return failure();
  int64_t axis = *place;
  if (batches < 0)
    batches += indices.rank();
  if (batches < 0 || batches > axis || batches > indices.rank())
    return step.error() << "expected batch_dims in [0, " << axis
                        << "] and at most the rank of the indices, got "
                        << batches;
  if (x.shape().take_front(batches) != indices.shape().take_front(batches))
    return step.error() << "expected x and the indices to have the same "
                        << batches << " batch dimensions, got " << x.type()
                        << " and " << indices.type();
  int64_t middle = indices.rank() - batches;
  Ints shape(x.shape().take_front(axis));
  llvm::append_range(shape, indices.shape().drop_front(batches));
  llvm::append_range(shape, x.shape().drop_front(axis + 1));
  FailureOr<Tensor> result = makeOf(step, shape);
  if (failed(result))
    return failure();
  for (Index d(shape); d; ++d) {
    Ints which((*d).take_front(batches));
    llvm::append_range(which, (*d).slice(axis, middle));
    FailureOr<int64_t> index =
        indexOf(step, indices.at(which).integer, x.dim(axis), fromEnd);
    if (failed(index))
      return failure();
    Ints from((*d).take_front(axis));
    from.push_back(*index);
    llvm::append_range(from, (*d).drop_front(axis + middle));
    result->copy(result->linear(*d), x, x.linear(from));
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluate(GatherV2Op op, Step &step) {
  FailureOr<int64_t> axis = scalarOf(step, 2);
  if (failed(axis))
    return failure();
  return gather(step, *axis, op.getBatchDims(), op.getNegativeIndexSupport());
}
static LogicalResult evaluate(GatherV2DOp op, Step &step) {
  return gather(step, op.getAxis(), 0, false);
}

static LogicalResult evaluate(GatherNdOp op, Step &step) {
  const Tensor &x = step.tensor(0), &indices = step.tensor(1);
  int64_t width = indices.shape().back(), outer = indices.rank() - 1;
  if (width > x.rank())
    return step.error() << "expected index vectors of at most " << x.rank()
                        << " components, got " << width;
  Ints shape(indices.shape().drop_back());
  llvm::append_range(shape, x.shape().drop_front(width));
  FailureOr<Tensor> result = makeOf(step, shape);
  if (failed(result))
    return failure();
  for (Index d(shape); d; ++d) {
    Ints from, which((*d).take_front(outer));
    which.push_back(0);
    for (int64_t k = 0; k < width; ++k) {
      which.back() = k;
      FailureOr<int64_t> index =
          indexOf(step, indices.at(which).integer, x.dim(k),
                  op.getNegativeIndexSupport());
      if (failed(index))
        return failure();
      from.push_back(*index);
    }
    llvm::append_range(from, (*d).drop_front(outer));
    result->copy(result->linear(*d), x, x.linear(from));
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluate(GatherElementsOp op, Step &step) {
  const Tensor &x = step.tensor(0), &index = step.tensor(1);
  FailureOr<int64_t> dim = axisOf(step, op.getDim(), x.rank());
  if (failed(dim))
    return failure();
  for (int64_t i = 0; i < x.rank(); ++i)
    if (i != *dim && index.dim(i) > x.dim(i))
      return step.error() << "expected dimension " << i
                          << " of the index to be at most " << x.dim(i)
                          << ", got " << index.dim(i);
  FailureOr<Tensor> result = makeOf(step, index.shape());
  if (failed(result))
    return failure();
  for (Index d(index.shape()); d; ++d) {
    FailureOr<int64_t> at =
        indexOf(step, index.at(*d).integer, x.dim(*dim), false);
    if (failed(at))
      return failure();
    Ints from(*d);
    from[*dim] = *at;
    result->copy(result->linear(*d), x, x.linear(from));
  }
  step.results[0] = *result;
  return success();
}

/// The index tensors broadcast to axes I. If the indexed dimensions are
/// neighbors, y[before.., I.., after..]; otherwise y[I.., others..].
static LogicalResult evaluate(IndexByTensorOp op, Step &step) {
  const Tensor &x = step.tensor(0);
  ArrayRef<int64_t> mask = op.getIndicesMask();
  Ints axes, indexed, others;
  for (int64_t d = 0; d < x.rank(); ++d)
    (d < int64_t(mask.size()) && mask[d] == 1 ? indexed : others).push_back(d);
  for (size_t k = 1; k < step.operands.size(); ++k) {
    ArrayRef<int64_t> from = step.tensor(k).shape();
    if (from.size() > axes.size())
      axes.insert(axes.begin(), from.size() - axes.size(), 1);
    for (auto [extent, other] :
         llvm::zip(MutableArrayRef(axes).take_back(from.size()), from)) {
      if (extent != other && extent != 1 && other != 1)
        return step.error() << "expected indices that broadcast, got extents "
                            << extent << " and " << other;
      extent = extent == 1 ? other : extent;
    }
  }
  bool areNeighbors =
      indexed.back() - indexed.front() + 1 == int64_t(indexed.size());
  size_t before = areNeighbors ? size_t(indexed.front()) : 0;
  Ints shape;
  for (int64_t d : others)
    shape.push_back(x.dim(d));
  shape.insert(shape.begin() + before, axes.begin(), axes.end());
  FailureOr<Tensor> result = makeOf(step, shape);
  if (failed(result))
    return failure();
  for (Index d(shape); d; ++d) {
    Ints from(x.rank(), 0);
    ArrayRef<int64_t> at = (*d).slice(before, axes.size());
    for (auto [k, dim] : llvm::enumerate(indexed)) {
      const Tensor &indices = step.tensor(k + 1);
      FailureOr<int64_t> index =
          indexOf(step, indices.at(broadcastPlace(indices, at)).integer,
                  x.dim(dim), false);
      if (failed(index))
        return failure();
      from[dim] = *index;
    }
    for (auto [k, dim] : llvm::enumerate(others))
      from[dim] = (*d)[k < before ? k : k + axes.size()];
    result->copy(result->linear(*d), x, x.linear(from));
  }
  step.results[0] = *result;
  return success();
}

template <typename Op>
static LogicalResult evaluateGatherOp(Op op, Step &step) {
  return evaluate(op, step);
}

void addAscendGatherRules(EvaluationRules &rules) {
  rules.add<GatherV2Op, evaluateGatherOp<GatherV2Op>>();
  rules.add<GatherV2DOp, evaluateGatherOp<GatherV2DOp>>();
  rules.add<GatherNdOp, evaluateGatherOp<GatherNdOp>>();
  rules.add<GatherElementsOp, evaluateGatherOp<GatherElementsOp>>();
  rules.add<IndexByTensorOp, evaluateGatherOp<IndexByTensorOp>>();
}

} // namespace mercator::reference
