// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/values/AscendValues.h"

#include "mercator/dialects/ascend/Ascend.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;
using indexing::Interval;

static constexpr int kDepth = 6;
static constexpr int64_t kElements = 4096;

std::optional<Interval> ascend::rangeOf(Type element) {
  auto type = dyn_cast<IntegerType>(element);
  if (!type || (type.isUnsigned() && type.getWidth() >= 64))
    return std::nullopt;
  unsigned width = type.getWidth();
  if (width == 1 || type.isUnsigned())
    return Interval{0, int64_t((uint64_t(1) << width) - 1)};
  return Interval{llvm::minIntN(width), llvm::maxIntN(width)};
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

static std::optional<Interval> constantRange(Value value) {
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !isShort(elements) ||
      elements.empty())
    return std::nullopt;
  auto type = cast<IntegerType>(elements.getElementType());
  bool isSigned = !type.isUnsigned() && type.getWidth() > 1;
  Interval range = Interval::empty();
  for (const APInt &element : elements) {
    if (!isSigned && element.getActiveBits() > 63)
      return std::nullopt;
    int64_t number =
        isSigned ? element.getSExtValue() : int64_t(element.getZExtValue());
    range = range.hull({number, number});
    if (elements.isSplat())
      break;
  }
  return range;
}

static std::optional<Interval> knownRange(Value value, int depth);

/// For x shifted right by a constant count.
static std::optional<Interval> shiftedRange(RightShiftOp op, int depth) {
  std::optional<Interval> places = knownRange(op.getY(), depth);
  auto type = cast<IntegerType>(getElementTypeOrSelf(op.getX()));
  if (!places || places->lower < 1 || places->upper >= type.getWidth())
    return std::nullopt;
  std::optional<Interval> x = knownRange(op.getX(), depth);
  if (!x && type.isUnsigned()) // numbers that only uint64 can hold
    return Interval{0, int64_t(~uint64_t(0) >> places->lower)};
  if (!x || x->lower < 0)
    return std::nullopt;
  return Interval{0, x->upper >> places->lower};
}

/// For a constant and bits below all of its set bits.
static std::optional<Interval> unitedRange(BitwiseOrOp op, int depth) {
  std::optional<Interval> x = knownRange(op.getX1(), depth),
                          y = knownRange(op.getX2(), depth);
  if (!x || !y || x->lower < 0 || y->lower < 0)
    return std::nullopt;
  if (x->lower != x->upper)
    std::swap(x, y);
  if (x->lower != x->upper || llvm::countr_zero(uint64_t(x->lower)) <
                                  llvm::bit_width(uint64_t(y->upper)))
    return std::nullopt;
  return Interval{x->lower + y->lower, x->lower + y->upper};
}

static std::optional<Interval> knownRange(Value value, int depth) {
  std::optional<Interval> all = rangeOf(getElementTypeOrSelf(value));
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0 || !getElementTypeOrSelf(value).isInteger())
    return all;
  if (Value source = sourceOf(op))
    return knownRange(source, depth - 1);
  if (std::optional<Interval> constant = constantRange(value))
    return constant;
  if (isa<CastOp>(op)) {
    std::optional<Interval> from = knownRange(op->getOperand(0), depth - 1);
    bool isKept = from && (!all || all->contains(*from));
    return isKept && (all || from->lower >= 0) ? from : all;
  }
  if (isa<RangeOp>(op)) {
    std::optional<Interval> start = constantRange(op->getOperand(0)),
                            limit = constantRange(op->getOperand(1));
    if (start && limit && start->lower < limit->upper)
      return Interval{start->lower, limit->upper - 1};
  }
  if (isa<ClipByValueOp>(op)) {
    std::optional<Interval> least = constantRange(op->getOperand(1)),
                            most = constantRange(op->getOperand(2));
    if (least && most && least->lower <= most->upper)
      return Interval{least->lower, most->upper};
  }
  std::optional<Interval> ofBits;
  if (auto shift = dyn_cast<RightShiftOp>(op))
    ofBits = shiftedRange(shift, depth - 1);
  if (auto either = dyn_cast<BitwiseOrOp>(op))
    ofBits = unitedRange(either, depth - 1);
  if (ofBits)
    return ofBits;
  if (isa<BitwiseAndOp>(op))
    for (Value operand : op->getOperands())
      if (std::optional<Interval> mask = constantRange(operand);
          mask && mask->lower >= 0)
        return Interval{0, mask->upper};
  return all;
}

std::optional<Interval> ascend::knownRange(Value value) {
  return ::knownRange(value, kDepth);
}

/// The interval widened to floats of the type; none where integers are rounded.
static std::optional<Interval> asFloats(std::optional<Interval> range,
                                        Type element) {
  auto type = dyn_cast<FloatType>(element);
  if (!range || !type)
    return std::nullopt;
  unsigned digits = llvm::APFloat::semanticsPrecision(type.getFloatSemantics());
  int64_t most = int64_t(1) << digits;
  if (range->lower < -most || range->upper > most)
    return std::nullopt;
  return range;
}

static std::optional<Interval> floatConstantRange(Value value) {
  DenseFPElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !isShort(elements) ||
      elements.empty())
    return std::nullopt;
  constexpr double kMost = double(int64_t(1) << 53);
  Interval range = Interval::empty();
  for (const APFloat &element : elements) {
    bool isInexact = false;
    APFloat wide = element;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &isInexact);
    double number = wide.convertToDouble();
    if (!(std::fabs(number) <= kMost)) // also a NaN
      return std::nullopt;
    range =
        range.hull({int64_t(std::floor(number)), int64_t(std::ceil(number))});
    if (elements.isSplat())
      break;
  }
  return range;
}

std::optional<Interval> ascend::knownFloatRange(Value value) {
  for (int depth = kDepth; depth > 0; --depth) {
    if (std::optional<Interval> constant = floatConstantRange(value))
      return constant;
    Operation *op = value.getDefiningOp();
    if (!op)
      return std::nullopt;
    Value operand = sourceOf(op);
    if (isa<CastOp>(op) && getElementTypeOrSelf(op->getOperand(0)).isInteger())
      return asFloats(knownRange(op->getOperand(0)),
                      getElementTypeOrSelf(value));
    if (isa<FloorOp, CeilOp, RintOp>(op))
      operand = op->getOperand(0);
    if (!operand)
      return std::nullopt;
    value = operand;
  }
  return std::nullopt;
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
