// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of control, tuples and collectives: what goes into a region and
// what comes out of it.

#include "mercator/dialects/stablehlo/Verify.h"

using namespace mlir;
using namespace mercator::stablehlo;

/// A region without arguments that returns the results of the operation.
static LogicalResult verifyBranch(Operation *op, StringRef name,
                                  Region &region) {
  return failure(
      failed(expectRegion(op, name, region, 0, op->getNumResults())) ||
      failed(expectTypes(op, "returned values",
                         region.front().back().getOperandTypes(),
                         op->getResultTypes())));
}

LogicalResult IfOp::verify() {
  return failure(failed(verifyBranch(*this, "true_branch", getTrueBranch())) ||
                 failed(verifyBranch(*this, "false_branch", getFalseBranch())));
}

LogicalResult CaseOp::verify() {
  if (getBranches().empty())
    return emitOpError() << "expected at least one branch, got none";
  for (Region &branch : getBranches())
    if (failed(verifyBranch(*this, "branch", branch)))
      return failure();
  return success();
}

LogicalResult WhileOp::verify() {
  size_t count = getNumOperands();
  TypeRange types = getOperandTypes();
  if (failed(expectTypes(*this, "results", getResultTypes(), types)) ||
      failed(expectRegion(*this, "cond", getCond(), count, 1)) ||
      failed(expectRegion(*this, "body", getBody(), count, count)) ||
      failed(expectTypes(*this, "cond arguments", getCond().getArgumentTypes(),
                         types)) ||
      failed(expectTypes(*this, "body arguments", getBody().getArgumentTypes(),
                         types)) ||
      failed(expectTypes(*this, "values returned from body",
                         getBody().front().back().getOperandTypes(), types)))
    return failure();
  Type condition = getCond().front().back().getOperand(0).getType();
  auto tensor = dyn_cast<RankedTensorType>(condition);
  if (!tensor || tensor.getRank() != 0 || !tensor.getElementType().isInteger(1))
    return emitOpError() << "expected cond that returns tensor<i1>, got "
                         << condition;
  return success();
}

LogicalResult TupleOp::verify() {
  return expectTypes(*this, "operands", getOperandTypes(),
                     cast<TupleType>(getResult().getType()).getTypes());
}

LogicalResult GetTupleElementOp::verify() {
  auto types = cast<TupleType>(getOperand().getType()).getTypes();
  int64_t index = int32_t(getIndex());
  if (index < 0 || index >= int64_t(types.size()))
    return emitOpError() << "expected index within [0, " << types.size()
                         << "), got " << index;
  return expectTypes(*this, "results", getResult().getType(), types[index]);
}

LogicalResult AllGatherOp::verify() {
  if (failed(expectCount(*this, "results", getNumResults(), getNumOperands())))
    return failure();
  int64_t dim = getAllGatherDim();
  for (auto [operand, result] : llvm::zip(getOperands(), getResults())) {
    auto from = cast<RankedTensorType>(operand.getType());
    auto to = cast<RankedTensorType>(result.getType());
    if (failed(expectElement(*this, "result", to, from)) ||
        failed(expectDims(*this, "all_gather_dim", {dim}, from.getRank())))
      return failure();
    SmallVector<int64_t> expected(from.getShape());
    if (to.getRank() == from.getRank())
      expected[dim] = to.getDimSize(dim);
    if (failed(expectShape(*this, "result", to, expected)))
      return failure();
    if (from.getDimSize(dim) > 0 &&
        !ShapedType::isDynamic(to.getDimSize(dim)) &&
        to.getDimSize(dim) % from.getDimSize(dim))
      return emitOpError() << "expected a multiple of " << from.getDimSize(dim)
                           << " along dimension " << dim << ", got "
                           << to.getDimSize(dim);
  }
  return success();
}

LogicalResult AllReduceOp::verify() {
  return failure(
      failed(
          expectTypes(*this, "results", getResultTypes(), getOperandTypes())) ||
      failed(expectScalarRegion(*this, "computation", getComputation(), 2, 1)));
}
