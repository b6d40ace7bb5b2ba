// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The dialect `hlo`: fusions, and operations on layouts.

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/reference/stablehlo/Rules.h"

#include <cstring>

using namespace mlir;
using namespace mercator::hlo;

namespace mercator::reference {

static LogicalResult evaluateFusion(FusionOp op, Step &step) {
  FailureOr<std::vector<Value>> values =
      step.evaluator.regionTaking(op.getBody(), step.takeFrom(0));
  if (failed(values))
    return failure();
  if (values->size() != step.results.size())
    return step.error() << "expected " << step.results.size()
                        << " results, got " << values->size();
  std::move(values->begin(), values->end(), step.results.begin());
  return success();
}

/// The value in another layout. Tensors here have no layout.
template <typename Op> static LogicalResult evaluateSame(Op, Step &step) {
  step.results[0] = step.operands[0];
  return success();
}

namespace {
/// Iterates over the elements of a tensor in the memory order of a type's
/// layout.
class MemoryOrder {
public:
  MemoryOrder(RankedTensorType type, ArrayRef<int64_t> shape)
      : index(slowestFirst(minorToMajor(type), shape)) {
    SmallVector<int64_t> rowMajor(shape.size());
    int64_t stride = 1;
    for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim])
      rowMajor[dim] = stride;
    strides = slowestFirst(minorToMajor(type), rowMajor);
  }

  explicit operator bool() const { return bool(index); }
  MemoryOrder &operator++() {
    ++index;
    return *this;
  }
  /// The position of the element in row-major order.
  int64_t operator*() const {
    int64_t place = 0;
    for (auto [i, stride] : llvm::zip(*index, strides))
      place += i * stride;
    return place;
  }

private:
  static SmallVector<int64_t> slowestFirst(ArrayRef<int64_t> minorToMajor,
                                           ArrayRef<int64_t> ofDims) {
    SmallVector<int64_t> sorted;
    for (int64_t dim : llvm::reverse(minorToMajor))
      sorted.push_back(ofDims[dim]);
    return sorted;
  }

  Index index;
  SmallVector<int64_t> strides;
};
} // namespace

static LogicalResult evaluateBitcast(BitcastOp op, Step &step) {
  const Tensor &from = step.tensor(0);
  FailureOr<Tensor> result = step.make();
  if (failed(result))
    return failure();
  MemoryOrder source(cast<RankedTensorType>(op.getOperand().getType()),
                     from.shape());
  MemoryOrder target(op.getType(), result->shape());
  if (from.element() == result->element() && from.size() == result->size()) {
    for (; target; ++target, ++source)
      result->copy(*target, from, *source);
  } else {
    // Elements of whole bytes are contiguous.
    int64_t wide = from.element().bytes, narrow = result->element().bytes;
    bool isPacked = result->element().bits % 8 != 0 ||
                    (from.element().bits % 8 != 0 && from.element().bits != 1);
    if (isPacked)
      return step.unsupported("how XLA packs elements of less than a byte "
                              "into memory is not defined");
    if (from.size() * wide != result->size() * narrow)
      return step.error() << "expected a result of " << from.size() * wide
                          << " bytes, got " << result->size() * narrow;
    std::vector<std::byte> memory;
    for (; source; ++source)
      memory.insert(memory.end(), from.data() + *source * wide,
                    from.data() + (*source + 1) * wide);
    for (size_t at = 0; target; ++target, at += narrow)
      std::memcpy(result->data() + *target * narrow, memory.data() + at,
                  narrow);
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateOpaque(OpaqueOp op, Step &step) {
  if (op.getOpcode() == "all-to-all" && op->hasAttr("replica_groups"))
    return evaluateTupleAllToAll(step);
  if (op.getOpcode() == "rng-get-and-update-state")
    return step.unsupported("the state of the device's generator is not known");
  if (op.getOpcode() == "rng-bit-generator")
    return step.unsupported("StableHLO defines no generator with a state of "
                            "this size");
  return step.unsupported("StableHLO has no instruction like HLO's " +
                          op.getOpcode());
}

void addHloRules(EvaluationRules &rules) {
  rules.add<BitcastOp, evaluateBitcast>();
  rules.add<CopyOp, evaluateSame<CopyOp>>();
  rules.add<ElementOp, evaluateSame<ElementOp>>();
  rules.add<FusionOp, evaluateFusion>();
  rules.add<OpaqueOp, evaluateOpaque>();
}

} // namespace mercator::reference
