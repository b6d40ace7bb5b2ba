// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/ElementBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

/// Elements that a vector has no code for are refused: narrow floats but as operands of
/// a conversion, and integers that are not whole bytes.
static bool hasVectors(Type type) {
  return type.isF32() || type.isF64() || type.isInteger(1) ||
         type.isInteger(8) || type.isInteger(16) || type.isInteger(32) ||
         type.isInteger(64);
}

bool cpu::isVectorArithmetic(linalg::GenericOp op) {
  constexpr int64_t kMostOperations = 12;
  int64_t count = 0;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<arith::ConstantOp>(inner) &&
        hasVectors(inner.getResult(0).getType()))
      continue;
    if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::CmpFOp, arith::SelectOp,
             arith::ExtFOp, arith::SIToFPOp, arith::UIToFPOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::BitcastOp, arith::AddIOp, arith::SubIOp,
             arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::ShLIOp,
             arith::ShRUIOp, arith::ShRSIOp>(inner) ||
        ++count > kMostOperations || !hasVectors(inner.getResult(0).getType()))
      return false;
    bool isConversion = isa<arith::ExtFOp, arith::BitcastOp>(inner);
    for (Type type : inner.getOperandTypes())
      if (!hasVectors(type) &&
          !(isConversion && (type.isBF16() || type.isF16())))
        return false;
  }
  return count > 0;
}

std::string cpu::namesOfBody(linalg::GenericOp op) {
  std::string text;
  for (Operation &inner : op.getBlock()->without_terminator())
    if (!isa<arith::ConstantOp>(inner))
      text += (text.empty() ? "" : ", ") + inner.getName().stripDialect().str();
  return text;
}

mlir::Value cpu::emitBody(OpBuilder &builder, Location loc,
                          linalg::GenericOp op, ArrayRef<mlir::Value> values,
                          int64_t lanes) {
  Block &body = *op.getBlock();
  IRMapping mapping;
  for (auto [argument, value] : llvm::zip(body.getArguments(), values))
    mapping.map(argument, value);
  auto vectorOf = [&](mlir::Value value) -> mlir::Value {
    if (mlir::Value known = mapping.lookupOrNull(value))
      return known;
    auto own = VectorType::get({lanes}, value.getType());
    mlir::Value made = vector::BroadcastOp::create(builder, loc, own, value);
    mapping.map(value, made);
    return made;
  };
  for (Operation &inner : body.without_terminator()) {
    if (isa<arith::ConstantOp>(inner)) {
      mapping.map(inner.getResult(0),
                  vectorOf(builder.clone(inner)->getResult(0)));
      continue;
    }
    OperationState state(loc, inner.getName());
    for (mlir::Value operand : inner.getOperands())
      state.operands.push_back(vectorOf(operand));
    state.addTypes(VectorType::get({lanes}, inner.getResult(0).getType()));
    state.addAttributes(inner.getAttrs());
    mapping.map(inner.getResult(0), builder.create(state)->getResult(0));
  }
  return vectorOf(body.getTerminator()->getOperand(0));
}

bool cpu::isLinear(int64_t extent, int64_t stride, ArrayRef<int64_t> extents,
                   ArrayRef<int64_t> strides, ArrayRef<int64_t> own,
                   int64_t &found) {
  std::optional<int64_t> first;
  int64_t covered = 1;
  for (size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] == 1 || strides[d] < stride || strides[d] >= stride * extent)
      continue;
    if (strides[d] % stride != 0 || own[d] % (strides[d] / stride) != 0)
      return false;
    int64_t step = own[d] / (strides[d] / stride);
    if (first && *first != step)
      return false;
    first = step;
    covered *= extents[d];
  }
  found = first.value_or(0);
  return extent == 1 || covered >= extent;
}
