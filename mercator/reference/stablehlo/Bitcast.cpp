// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// bitcast_convert: the same bits as elements of another type, least significant
// first.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/stablehlo/Rules.h"

#include <cstring>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

/// The number of bits of a whole element.
static int64_t widthOf(const Element &element) {
  return element.isComplex() ? 2 * element.bits : element.bits;
}

/// The bits of an element of at most 64 bits, without padding bits.
static uint64_t bitsAt(const Tensor &tensor, int64_t place) {
  const Element &element = tensor.element();
  uint64_t word = 0;
  std::memcpy(&word, tensor.data() + place * element.bytes, element.bytes);
  return word & (~uint64_t(0) >> (64 - element.bits));
}

/// The inverse. A narrow integer is sign-extended to the byte.
static void setBits(Tensor &tensor, int64_t place, uint64_t bits) {
  const Element &element = tensor.element();
  if (element.isReal())
    std::memcpy(tensor.data() + place * element.bytes, &bits, element.bytes);
  else
    tensor.set(place, Scalar::whole(int64_t(bits)));
}

static LogicalResult evaluateBitcastConvert(BitcastConvertOp op, Step &step) {
  const Tensor &operand = step.tensor(0);
  std::optional<Element> to =
      Element::of(op.getResult().getType().getElementType());
  if (!to)
    return step.unsupported("it is not defined for these element types");
  int64_t fromWidth = widthOf(operand.element()), toWidth = widthOf(*to);
  // The number of narrow elements in a wide one.
  int64_t ratio = std::max(fromWidth, toWidth) / std::min(fromWidth, toWidth);
  SmallVector<int64_t> shape(operand.shape());
  if (toWidth < fromWidth) {
    shape.push_back(ratio);
  } else if (toWidth > fromWidth) {
    if (shape.empty() || shape.back() != ratio)
      return step.error() << "expected a last dimension of " << ratio
                          << " elements, got " << operand.type();
    shape.pop_back();
  }
  if (std::min(fromWidth, toWidth) * ratio != std::max(fromWidth, toWidth))
    return step.error()
           << "expected widths of which one divides the other, got "
           << fromWidth << " and " << toWidth << " bits";
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();

  if (fromWidth % 8 == 0 && toWidth % 8 == 0) {
    // Whole bytes keep their order.
    std::memcpy(result->data(), operand.data(), operand.byteSize());
  } else if (toWidth < fromWidth) {
    for (int64_t i = 0; i < result->size(); ++i)
      setBits(*result, i, bitsAt(operand, i / ratio) >> (i % ratio * toWidth));
  } else {
    for (int64_t i = 0; i < result->size(); ++i) {
      uint64_t bits = 0;
      for (int64_t k = 0; k < ratio; ++k)
        bits |= bitsAt(operand, i * ratio + k) << (k * fromWidth);
      setBits(*result, i, bits);
    }
  }
  step.results[0] = *result;
  return success();
}

void addBitcastRules(EvaluationRules &rules) {
  rules.add<BitcastConvertOp, evaluateBitcastConvert>();
}

} // namespace mercator::reference
