// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operations of other dialects that exported programs hold between those of
// StableHLO. Their branches the Evaluator follows itself.

#include "mercator/reference/Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mercator::reference {

static LogicalResult evaluateConstant(arith::ConstantOp op, Step &step) {
  auto elements = dyn_cast<ElementsAttr>(op.getValue());
  if (!elements && op.getType().isIntOrIndexOrFloat())
    elements = DenseElementsAttr::get(RankedTensorType::get({}, op.getType()),
                                      op.getValue());
  if (!elements)
    return step.unsupported("the constant is no tensor and no number");
  FailureOr<Tensor> value =
      Tensor::from(elements, [&] { return step.error(); });
  if (failed(value))
    return failure();
  step.results[0] = *value;
  return success();
}

static LogicalResult evaluateExtract(tensor::ExtractOp op, Step &step) {
  const Tensor &from = step.tensor(0);
  SmallVector<int64_t> index;
  for (auto [i, extent] : llvm::enumerate(from.shape())) {
    index.push_back(step.tensor(i + 1).scalar().integer);
    if (index.back() < 0 || index.back() >= extent)
      return step.error() << "expected an index below " << extent << ", got "
                          << index.back();
  }
  FailureOr<Tensor> number = Tensor::zeros(
      RankedTensorType::get({}, op.getType()), [&] { return step.error(); });
  if (failed(number))
    return failure();
  number->copy(0, from, from.linear(index));
  step.results[0] = *number;
  return success();
}

void addOtherDialectRules(Rules &rules) {
  rules.add<arith::ConstantOp, evaluateConstant>();
  rules.add<tensor::ExtractOp, evaluateExtract>();
}

} // namespace mercator::reference
