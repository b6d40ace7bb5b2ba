// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/lowering/Known.h"

#include "mercator/dialects/ascend/Ascend.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <algorithm>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

static constexpr int kDepth = 6;
static constexpr int64_t kElements = 4096;

std::optional<Bounds> ascend::rangeOf(Type element) {
  auto type = dyn_cast<IntegerType>(element);
  if (!type || (type.isUnsigned() && type.getWidth() >= 64))
    return std::nullopt;
  unsigned width = type.getWidth();
  if (width == 1 || type.isUnsigned())
    return Bounds{0, int64_t((uint64_t(1) << width) - 1)};
  return Bounds{llvm::minIntN(width), llvm::maxIntN(width)};
}

/// The operand that has all elements of the result.
static Value sourceOf(Operation *op) {
  if (isa<ReshapeOp, BroadcastToOp, TransposeOp, SliceOp, StridedSliceOp,
          ReverseV2Op, GatherV2Op>(op))
    return op->getOperand(0);
  if (isa<FillOp>(op))
    return op->getOperand(1);
  return nullptr;
}

/// For a constant that is small enough to examine.
static bool isShort(DenseElementsAttr elements) {
  return elements.isSplat() || elements.getNumElements() <= kElements;
}

static std::optional<Bounds> constantRange(Value value) {
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !isShort(elements) ||
      elements.empty())
    return std::nullopt;
  auto type = cast<IntegerType>(elements.getElementType());
  bool isSigned = !type.isUnsigned() && type.getWidth() > 1;
  Bounds range = {INT64_MAX, INT64_MIN};
  for (const APInt &element : elements) {
    if (!isSigned && element.getActiveBits() > 63)
      return std::nullopt;
    int64_t number =
        isSigned ? element.getSExtValue() : int64_t(element.getZExtValue());
    range = {std::min(range.least, number), std::max(range.most, number)};
    if (elements.isSplat())
      break;
  }
  return range;
}

static std::optional<Bounds> knownRange(Value value, int depth);

/// For x shifted right by a constant count.
static std::optional<Bounds> shiftedRange(RightShiftOp op, int depth) {
  std::optional<Bounds> places = knownRange(op.getY(), depth);
  auto type = cast<IntegerType>(getElementTypeOrSelf(op.getX()));
  if (!places || places->least < 1 || places->most >= type.getWidth())
    return std::nullopt;
  std::optional<Bounds> x = knownRange(op.getX(), depth);
  if (!x && type.isUnsigned()) // numbers that only uint64 can hold
    return Bounds{0, int64_t(~uint64_t(0) >> places->least)};
  if (!x || x->least < 0)
    return std::nullopt;
  return Bounds{0, x->most >> places->least};
}

/// For a constant and bits below all of its set bits.
static std::optional<Bounds> unitedRange(BitwiseOrOp op, int depth) {
  std::optional<Bounds> x = knownRange(op.getX1(), depth),
                        y = knownRange(op.getX2(), depth);
  if (!x || !y || x->least < 0 || y->least < 0)
    return std::nullopt;
  if (x->least != x->most)
    std::swap(x, y);
  if (x->least != x->most || llvm::countr_zero(uint64_t(x->least)) <
                                 llvm::bit_width(uint64_t(y->most)))
    return std::nullopt;
  return Bounds{x->least + y->least, x->least + y->most};
}

static std::optional<Bounds> knownRange(Value value, int depth) {
  std::optional<Bounds> all = rangeOf(getElementTypeOrSelf(value));
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0 || !getElementTypeOrSelf(value).isInteger())
    return all;
  if (Value source = sourceOf(op))
    return knownRange(source, depth - 1);
  if (std::optional<Bounds> constant = constantRange(value))
    return constant;
  if (isa<CastOp>(op)) {
    std::optional<Bounds> from = knownRange(op->getOperand(0), depth - 1);
    bool isKept = from && (!all || from->isInside(*all));
    return isKept && (all || from->least >= 0) ? from : all;
  }
  if (isa<RangeOp>(op)) {
    std::optional<Bounds> start = constantRange(op->getOperand(0)),
                          limit = constantRange(op->getOperand(1));
    if (start && limit && start->least < limit->most)
      return Bounds{start->least, limit->most - 1};
  }
  if (isa<ClipByValueOp>(op)) {
    std::optional<Bounds> least = constantRange(op->getOperand(1)),
                          most = constantRange(op->getOperand(2));
    if (least && most && least->least <= most->most)
      return Bounds{least->least, most->most};
  }
  std::optional<Bounds> ofBits;
  if (auto shift = dyn_cast<RightShiftOp>(op))
    ofBits = shiftedRange(shift, depth - 1);
  if (auto either = dyn_cast<BitwiseOrOp>(op))
    ofBits = unitedRange(either, depth - 1);
  if (ofBits)
    return ofBits;
  if (isa<BitwiseAndOp>(op))
    for (Value operand : op->getOperands())
      if (std::optional<Bounds> mask = constantRange(operand);
          mask && mask->least >= 0)
        return Bounds{0, mask->most};
  return all;
}

std::optional<Bounds> ascend::knownRange(Value value) {
  return ::knownRange(value, kDepth);
}

bool ascend::isNeverNaN(Value value) {
  for (int depth = kDepth; depth > 0; --depth) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (isa<CastOp>(op) && getElementTypeOrSelf(op->getOperand(0)).isInteger())
      return true;
    if (Value source = sourceOf(op)) {
      value = source;
      continue;
    }
    DenseFPElementsAttr elements;
    return matchPattern(value, m_Constant(&elements)) && isShort(elements) &&
           llvm::none_of(elements, [](const APFloat &x) { return x.isNaN(); });
  }
  return false;
}
