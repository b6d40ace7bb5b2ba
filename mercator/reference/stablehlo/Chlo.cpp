// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The operations of the chlo dialect that are more than elementwise functions:
// broadcasts, constants, ragged dots, scans.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/reference/core/Indices.h"
#include "mercator/reference/core/Strides.h"
#include "mercator/reference/core/SumOfProducts.h"
#include "mercator/reference/stablehlo/ElementwiseFunction.h"
#include "mercator/reference/stablehlo/Rules.h"

using namespace mlir;
using namespace mercator::chlo;

namespace mercator::reference {

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

static LogicalResult broadcast(Step &step,
                               std::optional<ArrayRef<int64_t>> given) {
  std::optional<ElementFunction> function = elementFunction(step.op);
  if (!function)
    return step.unsupported("it is not defined for these element types");
  SmallVector<Tensor> operands = step.tensors(0, step.operands.size());
  int64_t rank = 0;
  for (const Tensor &operand : operands)
    rank = std::max(rank, operand.rank());
  SmallVector<int64_t> shape(rank, 1);
  SmallVector<Ints> strides;
  for (const Tensor &operand : operands) {
    // An extent of 1 is always read at 0.
    Ints own = stridesOf(operand.shape()), along(rank, 0);
    for (auto [d, dim] :
         llvm::enumerate(broadcastDims(operand.rank(), rank, given))) {
      int64_t extent = operand.dim(d);
      if (extent == 1)
        continue;
      if (shape[dim] != 1 && shape[dim] != extent)
        return step.error() << "expected extents of " << shape[dim]
                            << " or 1, got " << operand.type();
      shape[dim] = extent;
      along[dim] = own[d];
    }
    strides.push_back(along);
  }
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  int64_t place = 0;
  for (Index index(shape); index; ++index) {
    Scalar scalars[3];
    for (size_t k = 0; k < operands.size(); ++k)
      scalars[k] = operands[k].at(offset(*index, strides[k]));
    result->set(place++, (*function)(scalars));
  }
  step.results[0] = *result;
  return success();
}

template <typename Op>
static LogicalResult evaluateBroadcast(Op op, Step &step) {
  return broadcast(step, op.getBroadcastDimensions());
}

static LogicalResult evaluateBroadcastSelect(BroadcastSelectOp, Step &step) {
  return broadcast(step, std::nullopt);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static LogicalResult evaluateConstant(ConstantOp op, Step &step) {
  FailureOr<Tensor> value =
      Tensor::from(op.getValue(), [&] { return step.error(); });
  if (failed(value))
    return failure();
  step.results[0] = *value;
  return success();
}

static LogicalResult evaluateConstantLike(ConstantLikeOp op, Step &step) {
  if (!isa<IntegerAttr, FloatAttr>(op.getValue()))
    return step.unsupported("its value is no integer and no float");
  auto emitError = [&] { return step.error(); };
  FailureOr<Tensor> value = Tensor::from(
      DenseElementsAttr::get(RankedTensorType::get({}, op.getValue().getType()),
                             op.getValue()),
      emitError);
  FailureOr<Tensor> result = step.make(0, step.tensor(0).shape());
  if (failed(value) || failed(result))
    return failure();
  if (result->element() != value->element())
    return step.error() << "expected a result of elements "
                        << op.getValue().getType() << ", got "
                        << result->type();
  for (int64_t i = 0; i < result->size(); ++i)
    result->copy(i, *value, 0);
  step.results[0] = *result;
  return success();
}

//===----------------------------------------------------------------------===//
// ragged_dot
//===----------------------------------------------------------------------===//

/// result[b, m, n] = the sum over k of lhs[b, m, k] rhs[b, k, n]. Grouped rows
/// use the right operand of their group; grouped contracting indices give one
/// result for each group.
static LogicalResult evaluateRaggedDot(RaggedDotOp op, Step &step) {
  using Mode = RaggedDotShapes::Mode;
  const Tensor &lhs = step.tensor(0), &rhs = step.tensor(1),
               &sizes = step.tensor(2);
  RaggedDotDimensionNumbersAttr dims = op.getRaggedDotDimensionNumbers();
  RaggedDotShapes shapes = raggedDotShapes(op);
  ArrayRef<int64_t> lhsBatch = dims.getLhsBatchingDimensions(),
                    rhsBatch = dims.getRhsBatchingDimensions(),
                    lhsSummed = dims.getLhsContractingDimensions(),
                    rhsSummed = dims.getRhsContractingDimensions();
  int64_t ragged = dims.getLhsRaggedDimensions().front(),
          groups = sizes.shape().back();
  bool byGroup = shapes.mode == Mode::Contracting;

  Ints batch = pick(lhs.shape(), lhsBatch),
       rows = pick(lhs.shape(), shapes.lhsFree),
       columns = pick(rhs.shape(), shapes.rhsFree),
       summed = pick(lhs.shape(), lhsSummed);
  if (batch != pick(rhs.shape(), rhsBatch) ||
      summed != pick(rhs.shape(), rhsSummed))
    return step.error() << "expected paired dimensions of the same extent, got "
                        << lhs.type() << " and " << rhs.type();
  for (int64_t dim : dims.getRhsGroupDimensions())
    if (rhs.dim(dim) != groups)
      return step.error() << "expected " << groups << " groups, got "
                          << rhs.type();
  bool hasPrefix = sizes.rank() > 1;
  if (hasPrefix &&
      pick(lhs.shape(), shapes.prefix) != Ints(sizes.shape().drop_back()))
    return step.error() << "expected group_sizes for each index before the "
                           "ragged dimension, got "
                        << sizes.type();
  SmallVector<int64_t> shape;
  if (byGroup)
    shape.push_back(groups);
  for (const Ints &part : {batch, rows, columns})
    llvm::append_range(shape, part);
  FailureOr<Tensor> result = step.make(0, shape);
  SmallVector<int64_t> work(shape);
  llvm::append_range(work, summed);
  if (failed(result) || failed(step.charge(work)))
    return failure();
  FailureOr<SumOfProducts> sum = SumOfProducts::make(
      step, lhs.element(), rhs.element(), result->element());
  if (failed(sum))
    return failure();

  // The group of an index of the left operand; `groups` if it has none.
  auto groupOf = [&](ArrayRef<int64_t> lhsIndex) {
    Ints at;
    if (hasPrefix)
      at = pick(lhsIndex, shapes.prefix);
    at.push_back(0);
    int64_t left = lhsIndex[ragged];
    for (; at.back() < groups; ++at.back()) {
      int64_t size = indexAt(sizes, sizes.linear(at));
      if (left < size)
        break;
      left -= size;
    }
    return at.back();
  };

  Ints lhsIndex(lhs.rank(), 0), rhsIndex(rhs.rank(), 0);
  int64_t place = 0;
  for (Index index(shape); index; ++index, ++place) {
    ArrayRef<int64_t> rest = *index;
    int64_t group = byGroup ? rest.consume_front() : groups;
    for (size_t i = 0; i < lhsBatch.size(); ++i)
      lhsIndex[lhsBatch[i]] = rhsIndex[rhsBatch[i]] = rest.consume_front();
    for (int64_t dim : shapes.lhsFree)
      lhsIndex[dim] = rest.consume_front();
    for (int64_t dim : shapes.rhsFree)
      rhsIndex[dim] = rest.consume_front();
    if (shapes.mode == Mode::Rows) {
      int64_t own = groupOf(lhsIndex);
      if (own == groups)
        continue;
      rhsIndex[dims.getRhsGroupDimensions().front()] = own;
    }
    sum->start();
    for (Index k(summed); k; ++k) {
      for (size_t i = 0; i < lhsSummed.size(); ++i)
        lhsIndex[lhsSummed[i]] = rhsIndex[rhsSummed[i]] = k[i];
      if (!byGroup || groupOf(lhsIndex) == group)
        sum->add(lhs.at(lhsIndex), rhs.at(rhsIndex));
    }
    result->set(place, sum->value());
  }
  step.results[0] = *result;
  return success();
}

//===----------------------------------------------------------------------===//
// scan
//===----------------------------------------------------------------------===//

/// Iterates over the positions of slice `at` of a tensor along `dim`, in
/// row-major order.
template <typename Each>
static void forSlice(ArrayRef<int64_t> shape, int64_t dim, int64_t at,
                     Each each) {
  SmallVector<int64_t> slice(shape);
  slice.erase(slice.begin() + dim);
  Ints strides = stridesOf(shape), others = strides;
  others.erase(others.begin() + dim);
  for (Index index(slice); index; ++index)
    each(at * strides[dim] + offset(*index, others));
}

static LogicalResult evaluateScan(ScanOp op, Step &step) {
  auto emitError = [&] { return step.error(); };
  int64_t dim = op.getDimension();
  size_t inputCount = op.getInputs().size(),
         outputCount = op.getOutputs().size();
  int64_t steps = inputCount ? step.tensor(0).dim(dim) : op.getStepCount();
  if (ShapedType::isDynamic(steps))
    return step.unsupported("its number of steps is known only at run time");
  for (size_t i = 0; i < inputCount; ++i)
    if (step.tensor(i).dim(dim) != steps)
      return step.error() << "expected inputs of " << steps << " slices, got "
                          << step.tensor(i).type();

  SmallVector<Value> carries(step.operands.drop_front(inputCount));
  SmallVector<std::optional<Tensor>> outputs(outputCount);
  if (steps == 0)
    for (size_t i = 0; i < outputCount; ++i) {
      FailureOr<Tensor> output = step.make(i);
      if (failed(output))
        return failure();
      outputs[i] = *output;
    }
  for (int64_t count = 0; count < steps; ++count) {
    int64_t at = op.getIsReverse() ? steps - 1 - count : count;
    SmallVector<Value> arguments;
    for (size_t i = 0; i < inputCount; ++i) {
      const Tensor &input = step.tensor(i);
      SmallVector<int64_t> shape(input.shape());
      shape.erase(shape.begin() + dim);
      FailureOr<Tensor> slice = Tensor::zeros(
          RankedTensorType::get(shape, input.type().getElementType()),
          emitError);
      if (failed(slice))
        return failure();
      int64_t place = 0;
      forSlice(input.shape(), dim, at,
               [&](int64_t from) { slice->copy(place++, input, from); });
      arguments.push_back(*slice);
    }
    llvm::append_range(arguments, carries);
    FailureOr<std::vector<Value>> returned =
        step.evaluator.region(op.getBody(), arguments);
    if (failed(returned))
      return failure();
    for (size_t i = 0; i < outputCount; ++i) {
      const Tensor &slice = *(*returned)[i].tensor();
      SmallVector<int64_t> shape(slice.shape());
      shape.insert(shape.begin() + dim, steps);
      if (!outputs[i]) {
        FailureOr<Tensor> output = step.make(i, shape);
        if (failed(output))
          return failure();
        outputs[i] = *output;
      }
      if (outputs[i]->shape() != ArrayRef(shape) ||
          outputs[i]->element() != slice.element())
        return step.error() << "expected slices of the same type, got "
                            << slice.type() << " for " << outputs[i]->type();
      int64_t place = 0;
      forSlice(shape, dim, at,
               [&](int64_t to) { outputs[i]->copy(to, slice, place++); });
    }
    carries.assign(returned->begin() + outputCount, returned->end());
  }
  for (size_t i = 0; i < outputCount; ++i)
    step.results[i] = *outputs[i];
  llvm::copy(carries, step.results.begin() + outputCount);
  return success();
}

template <typename... Ops> static void addBroadcasts(EvaluationRules &rules) {
  (rules.add<Ops, evaluateBroadcast<Ops>>(), ...);
}

void addChloRules(EvaluationRules &rules) {
  addBroadcasts<BroadcastAddOp, BroadcastAndOp, BroadcastAtan2Op,
                BroadcastCompareOp, BroadcastComplexOp, BroadcastDivOp,
                BroadcastMaxOp, BroadcastMinOp, BroadcastMulOp,
                BroadcastNextAfterOp, BroadcastOrOp, BroadcastPolygammaOp,
                BroadcastPowOp, BroadcastRemOp, BroadcastShiftLeftOp,
                BroadcastShiftRightArithmeticOp, BroadcastShiftRightLogicalOp,
                BroadcastSubOp, BroadcastXorOp, BroadcastZetaOp>(rules);
  rules.add<BroadcastSelectOp, evaluateBroadcastSelect>();
  rules.add<ConstantOp, evaluateConstant>();
  rules.add<ConstantLikeOp, evaluateConstantLike>();
  rules.add<RaggedDotOp, evaluateRaggedDot>();
  rules.add<ScanOp, evaluateScan>();
}

} // namespace mercator::reference
