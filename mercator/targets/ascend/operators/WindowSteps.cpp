// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/operators/WindowSteps.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

using Ints = WindowInts;

//===--- Attributes and bodies --------------------------------------------===//

Ints ascend::orOnes(std::optional<ArrayRef<int64_t>> values, size_t rank) {
  return values ? Ints(*values) : Ints(rank, 1);
}

std::pair<Ints, Ints>
ascend::paddingOf(std::optional<DenseIntElementsAttr> attr, size_t rank) {
  Ints low(rank, 0), high(rank, 0);
  if (attr)
    for (auto [i, value] : llvm::enumerate(attr->getValues<int64_t>()))
      (i % 2 ? high : low)[i / 2] = value;
  return {low, high};
}

Operation *ascend::combinerOf(sh::ReduceWindowOp op) {
  if (op.getInputs().size() != 1)
    return nullptr;
  Value x = op.getInputs()[0], init = op.getInitValues()[0];
  auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
  auto from = dyn_cast<RankedTensorType>(x.getType());
  if (!type || !from || !type.hasStaticShape() || !from.hasStaticShape() ||
      type.getElementType() != from.getElementType() ||
      from.getElementType() !=
          cast<RankedTensorType>(init.getType()).getElementType() ||
      type.getNumElements() == 0 || from.getNumElements() == 0)
    return nullptr;
  Block &body = op.getBody().front();
  Operation *root = body.getTerminator()->getOperand(0).getDefiningOp();
  bool isOne =
      root && root->getBlock() == &body &&
      isa<sh::AddOp, sh::MulOp, sh::MaxOp, sh::MinOp, sh::AndOp, sh::OrOp>(
          root) &&
      llvm::is_contained(root->getOperands(), body.getArgument(0)) &&
      llvm::is_contained(root->getOperands(), body.getArgument(1));
  return isOne ? root : nullptr;
}

//===--- Operations -------------------------------------------------------===//

Value WindowSteps::zero(Type element) {
  return sh::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get({}, element),
                                b.getZeroAttr(element)));
}

Value WindowSteps::pad(Value x, Value value, ArrayRef<int64_t> low,
                       ArrayRef<int64_t> high, ArrayRef<int64_t> dilations) {
  Ints shape(shapeOf(x)), between;
  for (auto [extent, before, after, dilation] :
       llvm::zip_equal(shape, low, high, dilations)) {
    extent = before + after + (extent == 0 ? 0 : (extent - 1) * dilation + 1);
    between.push_back(dilation - 1);
  }
  if (shapeOf(x) == ArrayRef<int64_t>(shape) &&
      llvm::all_of(low, [](int64_t n) { return n == 0; }) &&
      llvm::all_of(high, [](int64_t n) { return n == 0; }))
    return x;
  return sh::PadOp::create(b, like(x, shape), x, value, array(low), array(high),
                           array(between));
}

Value WindowSteps::slice(Value x, ArrayRef<int64_t> begin,
                         ArrayRef<int64_t> end, ArrayRef<int64_t> strides) {
  Ints shape;
  for (auto [from, to, by] : llvm::zip_equal(begin, end, strides))
    shape.push_back((to - from + by - 1) / by);
  if (shapeOf(x) == ArrayRef<int64_t>(shape))
    return x;
  return sh::SliceOp::create(b, like(x, shape), x, array(begin), array(end),
                             array(strides));
}

Value WindowSteps::transpose(Value x, ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order))
    return x;
  Ints shape;
  for (int64_t dim : order)
    shape.push_back(shapeOf(x)[dim]);
  return sh::TransposeOp::create(b, like(x, shape), x, array(order));
}

Value WindowSteps::reshape(Value x, ArrayRef<int64_t> shape) {
  return shapeOf(x) == shape ? x : sh::ReshapeOp::create(b, like(x, shape), x);
}

Value WindowSteps::reverse(Value x, ArrayRef<int64_t> dims) {
  return dims.empty() ? x
                      : sh::ReverseOp::create(b, x.getType(), x, array(dims));
}
