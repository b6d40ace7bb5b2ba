// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer constants, through copies and conversions.

#include "mercator/analysis/values/Constants.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/indexing/expr/Interval.h"

using namespace mercator;
using mlir::Value;

Value maps::lookThroughCopies(Value value) {
  for (int step = 0; step < 16; ++step) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op || op->getNumOperands() != 1)
      break;
    Value source = op->getOperand(0);
    auto from = llvm::dyn_cast<mlir::RankedTensorType>(source.getType());
    auto to = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
    if (!from || !to)
      break;
    bool sameElements = from.getElementType() == to.getElementType();
    auto fromInt = llvm::dyn_cast<mlir::IntegerType>(from.getElementType());
    auto toInt = llvm::dyn_cast<mlir::IntegerType>(to.getElementType());
    // A wider signed integer has every value of a narrower one.
    bool widens = fromInt && toInt && toInt.getWidth() > fromInt.getWidth() &&
                  !toInt.isUnsigned();
    bool copies =
        (llvm::isa<stablehlo::ConvertOp>(op) && (sameElements || widens)) ||
        (llvm::isa<hlo::CopyOp>(op) && from.getShape() == to.getShape()) ||
        (llvm::isa<stablehlo::ReshapeOp, hlo::BitcastOp>(op) && sameElements &&
         from.hasStaticShape() && from.getNumElements() == 1);
    if (!copies)
      break;
    value = source;
  }
  return value;
}

/// The elements of an integer constant; null for any other value.
static mlir::DenseIntElementsAttr elementsOf(Value value) {
  auto constant = value.getDefiningOp<stablehlo::ConstantOp>();
  if (!constant || constant.isElided())
    return {};
  auto elements =
      llvm::dyn_cast<mlir::DenseIntElementsAttr>(constant.getValue());
  return elements && llvm::isa<mlir::IntegerType>(elements.getElementType())
             ? elements
             : nullptr;
}

static int64_t toInt64(const llvm::APInt &x, mlir::Type type) {
  auto integer = llvm::cast<mlir::IntegerType>(type);
  // A number too large for int64 is out of range of every tensor.
  if (integer.isUnsigned() || integer.getWidth() == 1)
    return x.getActiveBits() > 62 ? indexing::Interval::kMax
                                  : (int64_t)x.getZExtValue();
  return x.getSExtValue();
}

std::optional<int64_t> maps::splatConstant(Value value) {
  mlir::DenseIntElementsAttr elements = elementsOf(value);
  if (!elements || !elements.isSplat())
    return std::nullopt;
  return toInt64(elements.getSplatValue<llvm::APInt>(),
                 elements.getElementType());
}
