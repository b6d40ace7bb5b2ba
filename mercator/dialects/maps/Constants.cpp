// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/maps/Constants.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/indexing/Interval.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using llvm::ArrayRef;
using llvm::SmallVector;
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
    // A wider signed integer holds every value of the narrower.
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

/// The elements of an integer constant; none where they are not known.
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
  // Too large for int64 is out of range like any number beyond the operand.
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

std::optional<SmallVector<int64_t>> maps::smallConstant(Value value,
                                                        int64_t most) {
  mlir::DenseIntElementsAttr elements = elementsOf(lookThroughCopies(value));
  if (!elements || elements.getNumElements() > most)
    return std::nullopt;
  SmallVector<int64_t> out;
  for (const llvm::APInt &x : elements.getValues<llvm::APInt>())
    out.push_back(toInt64(x, elements.getElementType()));
  return out;
}

/// The progression that the elements at `slot` of dimension `dim` follow.
static std::optional<maps::Progression>
progressionThrough(mlir::DenseIntElementsAttr elements, int64_t dim,
                   int64_t slot) {
  constexpr int64_t kMostElements = int64_t(1) << 16;
  constexpr int64_t kLargest = int64_t(1) << 40;
  ArrayRef<int64_t> sizes = elements.getType().getShape();
  int64_t count = elements.getNumElements(), rank = sizes.size();
  if (count == 0 || (count > kMostElements && !elements.isSplat()))
    return std::nullopt;
  maps::Progression p;
  p.coefficients.assign(rank, 0);
  auto values = elements.getValues<llvm::APInt>();
  auto at = [&](int64_t place) {
    return toInt64(values[place], elements.getElementType());
  };
  SmallVector<int64_t> strides(rank, 1);
  for (int64_t d = rank; d-- > 1;)
    strides[d - 1] = strides[d] * sizes[d];
  int64_t first = dim < rank ? slot * strides[dim] : 0;
  p.constant = at(first);
  if (elements.isSplat())
    return p;
  // Sums of what is this small stay small.
  auto isSmall = [&](int64_t x) { return -kLargest < x && x < kLargest; };
  if (!isSmall(p.constant))
    return std::nullopt;
  for (int64_t d = 0; d < rank; ++d)
    if (d != dim && sizes[d] > 1) {
      int64_t next = at(first + strides[d]);
      if (!isSmall(next))
        return std::nullopt;
      p.coefficients[d] = next - p.constant;
    }
  for (int64_t place = 0; place < count; ++place) {
    int64_t expected = p.constant, left = place, own = 0;
    for (int64_t d = 0; d < rank; ++d) {
      int64_t index = left / strides[d];
      left %= strides[d];
      expected += p.coefficients[d] * index;
      if (d == dim)
        own = index;
    }
    if ((dim >= rank || own == slot) && at(place) != expected)
      return std::nullopt;
  }
  return p;
}

std::optional<maps::Progression> maps::progressionOf(Value value, int64_t dim,
                                                     int64_t slot) {
  auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
  Value origin = lookThroughCopies(value);
  Progression p;
  p.coefficients.assign(type.getRank(), 0);
  if (std::optional<int64_t> splat = splatConstant(origin)) {
    p.constant = *splat;
    return p;
  }
  // A copy into another shape keeps the elements' order, not their indices.
  if (type.getShape() !=
      llvm::cast<mlir::RankedTensorType>(origin.getType()).getShape())
    return std::nullopt;
  if (auto iota = origin.getDefiningOp<stablehlo::IotaOp>()) {
    int64_t along = iota.getIotaDimension();
    if (along == dim)
      p.constant = slot;
    else
      p.coefficients[along] = 1;
    return p;
  }
  mlir::DenseIntElementsAttr elements = elementsOf(origin);
  return elements ? progressionThrough(elements, dim, slot) : std::nullopt;
}
