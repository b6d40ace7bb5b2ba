// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The largest elements of each row: chlo.top_k, and custom calls with that
// meaning.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/reference/core/Indices.h"
#include "mercator/reference/stablehlo/CustomCalls.h"
#include "mercator/reference/stablehlo/Rules.h"
#include "mercator/reference/stablehlo/Sort.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <bit>
#include <numeric>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

/// Orders floats by IEEE 754's totalOrder, so NaN is the largest.
static int64_t orderOf(const Element &element, Scalar value) {
  if (!element.isReal())
    return element.kind == ElementKind::SignedInt
               ? value.integer
               : int64_t(uint64_t(value.integer) ^ (uint64_t(1) << 63));
  auto word = std::bit_cast<int64_t>(value.re);
  return word < 0 ? word ^ INT64_MAX : word;
}

/// The types of values and indices; their rows have `k` elements.
static FailureOr<std::pair<RankedTensorType, RankedTensorType>>
typesOf(Step &step, const Tensor &operand, int64_t k) {
  SmallVector<Type> types = givenTypes(step.op);
  if (operand.element().isComplex())
    return step.unsupported("complex numbers have no order");
  if (operand.rank() == 0 || types.size() != 2 ||
      !isa<RankedTensorType>(types[1]))
    return LogicalResult(step.error()
                         << "expected rows, and values and indices of them");
  if (k < 0 || k > operand.shape().back())
    return LogicalResult(step.error() << "expected rows of at least " << k
                                      << ", got " << operand.type());
  SmallVector<int64_t> shape(operand.shape());
  shape.back() = k;
  auto index = cast<RankedTensorType>(types[1]).getElementType();
  if (!index.isInteger())
    return LogicalResult(step.error()
                         << "expected integers as indices, got " << types[1]);
  return std::pair(
      RankedTensorType::get(shape, operand.type().getElementType()),
      RankedTensorType::get(shape, index));
}

/// The `k` largest elements of each row, the largest first; of equal elements
/// the first.
static LogicalResult giveLargest(Step &step, const Tensor &operand, int64_t k) {
  auto types = typesOf(step, operand, k);
  if (failed(types))
    return failure();
  FailureOr<Tensor> values = step.zeros(types->first),
                    indices = step.zeros(types->second);
  if (failed(values) || failed(indices))
    return failure();
  int64_t length = operand.shape().back();
  std::vector<int64_t> order(length), keys(length);
  for (int64_t row = 0; k > 0 && row < values->size() / k; ++row) {
    for (int64_t i = 0; i < length; ++i)
      keys[i] = orderOf(operand.element(), operand.at(row * length + i));
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](int64_t a, int64_t b) {
      return keys[a] != keys[b] ? keys[a] > keys[b] : a < b;
    });
    for (int64_t i = 0; i < k; ++i) {
      values->copy(row * k + i, operand, row * length + order[i]);
      indices->set(row * k + i, Scalar::whole(order[i]));
    }
  }
  return giveCall(step, {*values, *indices});
}

static LogicalResult evaluateTopK(chlo::TopKOp op, Step &step) {
  return giveLargest(step, step.tensor(0), op.getK());
}

//===----------------------------------------------------------------------===//
// Custom calls
//===----------------------------------------------------------------------===//

static LogicalResult evaluateDynamicTopK(CustomCallOp, Step &step) {
  if (failed(expectTensors(step, 2)))
    return failure();
  return giveLargest(step, step.tensor(0), indexAt(step.tensor(1), 0));
}

/// The first `count` elements of each slice along `dim`.
static FailureOr<Tensor> firstOf(Step &step, const Tensor &tensor, int64_t dim,
                                 int64_t count) {
  SmallVector<int64_t> shape(tensor.shape());
  shape[dim] = count;
  FailureOr<Tensor> part =
      step.zeros(RankedTensorType::get(shape, tensor.type().getElementType()));
  if (failed(part))
    return failure();
  int64_t place = 0;
  for (Index index(shape); index; ++index)
    part->copy(place++, tensor, tensor.linear(*index));
  return part;
}

/// How many parameters the called function has; 0 without a function.
static size_t parameterCount(Step &step) {
  auto called = step.op->getAttrOfType<ArrayAttr>("called_computations");
  auto name = called && !called.empty() ? dyn_cast<FlatSymbolRefAttr>(called[0])
                                        : FlatSymbolRefAttr();
  auto function =
      name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(step.op, name)
           : func::FuncOp();
  return function ? function.getNumArguments() : 0;
}

/// Sorts the inputs along `dim` by the comparator of the call and returns the
/// first `count`.
static LogicalResult giveFirstSorted(Step &step, ArrayRef<Tensor> inputs,
                                     int64_t dim, int64_t count) {
  if (dim < 0 || dim >= inputs[0].rank() || count < 0 ||
      count > inputs[0].dim(dim))
    return step.error() << "expected a dimension of at least " << count
                        << " elements, got " << inputs[0].type();
  // XLA removes unused parameters of the comparator, those of the indices.
  bool isOfValues = parameterCount(step) == 2;
  FailureOr<Region *> comparator =
      calledBody(step, isOfValues ? 2 : 2 * inputs.size(), 1);
  if (failed(comparator))
    return failure();
  FailureOr<SmallVector<Tensor>> all = sorted(step, **comparator, inputs, dim);
  if (failed(all))
    return failure();
  std::vector<Value> values;
  for (const Tensor &tensor : *all) {
    FailureOr<Tensor> part = firstOf(step, tensor, dim, count);
    if (failed(part))
      return failure();
    values.emplace_back(*part);
  }
  return giveCall(step, std::move(values));
}

/// HLO's form: sorts rows by a comparator of two values and their two indices,
/// or takes the largest without a comparator.
static LogicalResult evaluateTopKCall(CustomCallOp op, Step &step) {
  if (failed(expectTensors(step, 1)))
    return failure();
  const Tensor &operand = step.tensor(0);
  SmallVector<Type> given = givenTypes(op);
  auto declared =
      given.empty() ? RankedTensorType() : dyn_cast<RankedTensorType>(given[0]);
  if (!declared || declared.getRank() != operand.rank() ||
      declared.getRank() == 0 || declared.isDynamicDim(declared.getRank() - 1))
    return step.error() << "expected values with as many dimensions as "
                        << operand.type();
  int64_t k = declared.getShape().back();
  if (!op.getCalledComputationsAttr() || op.getCalledComputationsAttr().empty())
    return giveLargest(step, operand, k);
  auto types = typesOf(step, operand, k);
  if (failed(types))
    return failure();
  FailureOr<Tensor> indices = step.zeros(
      RankedTensorType::get(operand.shape(), types->second.getElementType()));
  if (failed(indices))
    return failure();
  for (int64_t i = 0; i < indices->size(); ++i)
    indices->set(i, Scalar::whole(i % operand.shape().back()));
  return giveFirstSorted(step, {operand, *indices}, operand.rank() - 1, k);
}

/// XLA's fallback without hardware support: a sort. The results may have more
/// than `k` elements if the call does not aggregate.
static LogicalResult evaluateApproxTopK(CustomCallOp op, Step &step) {
  size_t count = givenTypes(op).size();
  if (count == 0)
    return step.error() << "expected results, got none";
  if (failed(expectTensors(step, 2 * count)))
    return failure();
  SmallVector<Tensor> inputs = step.tensors(0, count);
  auto attribute = [&](StringRef name) {
    return callAttribute(op, name, "mhlo.backend_config");
  };
  auto dim = dyn_cast_or_null<IntegerAttr>(attribute("reduction_dim"));
  auto top = dyn_cast_or_null<IntegerAttr>(attribute("top_k"));
  auto aggregates = dyn_cast_or_null<BoolAttr>(attribute("aggregate_to_topk"));
  if (!dim)
    return step.error() << "expected `reduction_dim` in its attributes";
  int64_t along = dim.getInt(), k = 0;
  if (along < 0 || along >= inputs[0].rank())
    return step.error() << "expected `reduction_dim` below " << inputs[0].rank()
                        << ", got " << along;
  if (step.operands.size() > 2 * count)
    k = indexAt(step.tensor(2 * count), 0);
  else if (top)
    k = top.getInt();
  else
    return step.error() << "expected `top_k` in its attributes";
  if (aggregates && !aggregates.getValue()) {
    auto declared = dyn_cast<RankedTensorType>(givenTypes(op)[0]);
    if (!declared || declared.getRank() <= along ||
        declared.isDynamicDim(along))
      return step.unsupported("the number of results is known only at "
                              "runs");
    k = declared.getDimSize(along);
  }
  return giveFirstSorted(step, inputs, along, k);
}

void addTopKRules(EvaluationRules &rules) {
  rules.add<chlo::TopKOp, evaluateTopK>();
}

void addTopKCalls(CustomCalls &calls) {
  calls["TopK"] = evaluateTopKCall;
  calls["ApproxTopK"] = evaluateApproxTopK;
  calls["stablehlo.dynamic_top_k"] = evaluateDynamicTopK;
  calls["stablehlo.dynamic_approx_top_k"] = evaluateApproxTopK;
}

} // namespace mercator::reference
