// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/gather/Cost.h"

#include "mercator/support/Saturating.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mercator;
using namespace mercator::gather;

namespace {
struct Sum {
  uint64_t value = 0;
  void add(uint64_t more) { value = SaturatingAdd(value, more); }
  void add(uint64_t count, uint64_t each) {
    value = SaturatingMultiplyAdd(count, each, value);
  }
  int64_t signedValue() const { return std::min<uint64_t>(value, INT64_MAX); }
};
} // namespace

/// How many pieces of the operand the gather picks.
static int64_t piecesOf(const Plan &plan, const PlanStep &gather) {
  if (gather.kind == StepKind::IndexByTensor) {
    // The dimensions after the last indexed one are contiguous.
    int64_t each = product(ArrayRef(plan.steps[gather.inputs[0]].shape)
                               .drop_front(gather.ints.back() + 1))
                       .estimate();
    return gather.size() / std::max<int64_t>(1, each);
  }
  const PlanStep &indices = plan.steps[gather.inputs[1]];
  int64_t entries = indices.size();
  if (gather.kind == StepKind::GatherNd)
    return entries / std::max<int64_t>(1, indices.shape.back().estimate());
  if (gather.kind == StepKind::GatherElements)
    return entries;
  // Each axis before the indexed one repeats the rows; those of the batch are
  // axes of the indices too.
  int64_t axis = gather.ints[0], batches = gather.ints[1];
  SymbolicExtent repeats = product(ArrayRef(plan.steps[gather.inputs[0]].shape)
                                       .slice(batches, axis - batches));
  return saturatingMul(entries, repeats.estimate());
}

static uint64_t bytesOf(const PlanStep &step, const GatherProblem &problem) {
  int64_t each =
      step.indexBits ? (step.indexBits + 7) / 8 : problem.elementBytes;
  return SaturatingMultiply<uint64_t>(step.size(), each);
}

/// Whether the step casts booleans to bytes and back, to slice them.
static bool isSliceOfBooleans(const PlanStep &step,
                              const GatherProblem &problem) {
  bool isSlice =
      step.kind == StepKind::Slice || step.kind == StepKind::DynamicSlice;
  return isSlice && problem.isBoolean && !step.indexBits;
}

int64_t gather::bytesMovedBy(const Plan &plan, size_t place,
                             const GatherProblem &problem) {
  const PlanStep &step = plan.steps[place];
  auto input = [&](size_t k) {
    return bytesOf(plan.steps[step.inputs[k]], problem);
  };
  uint64_t written = bytesOf(step, problem);
  Sum bytes;
  switch (step.kind) {
  case StepKind::Operand:
  case StepKind::Starts:
  case StepKind::Constant:
  case StepKind::Empty:
  case StepKind::Reshape:
    break;
  case StepKind::GatherV2:
  case StepKind::GatherElements:
  case StepKind::GatherNd:
  case StepKind::IndexByTensor:
    // It reads as much of the operand as it writes, and the indices.
    bytes.add(2, written);
    for (size_t k = 1; k < step.inputs.size(); ++k)
      bytes.add(input(k));
    break;
  case StepKind::Slice:
  case StepKind::DynamicSlice:
    bytes.add(2, written);
    if (isSliceOfBooleans(step, problem)) {
      bytes.add(2, input(0));
      bytes.add(2, written);
    }
    break;
  default:
    bytes.add(written);
    for (size_t k = 0; k < step.inputs.size(); ++k)
      bytes.add(input(k));
  }
  return bytes.signedValue();
}

Cost gather::costOf(const Plan &plan, const GatherProblem &problem) {
  // Steps whose elements are those of the operand, moved or not.
  SmallVector<bool> isOperand(plan.steps.size());
  Sum bytes, rounding;
  Cost cost;
  for (auto [i, step] : enumerate(plan.steps)) {
    bool fromOperand = !step.inputs.empty() && isOperand[step.inputs[0]];
    bytes.add(bytesMovedBy(plan, i, problem));
    switch (step.kind) {
    case StepKind::Operand:
      isOperand[i] = true;
      continue;
    case StepKind::Starts:
    case StepKind::Constant:
    case StepKind::Empty:
      continue;
    case StepKind::Reshape:
      isOperand[i] = fromOperand;
      continue;
    case StepKind::GatherV2:
    case StepKind::GatherElements:
    case StepKind::GatherNd:
    case StepKind::IndexByTensor: {
      for (unsigned indices : drop_begin(step.inputs))
        cost.indexEntries = SaturatingAdd<uint64_t>(cost.indexEntries,
                                                    plan.steps[indices].size());
      uint64_t pieces = piecesOf(plan, step);
      uint64_t each = pieces ? bytesOf(step, problem) / pieces : 0;
      if (each < ascend::kPieceBytes)
        rounding.add(pieces, 2 * (ascend::kPieceBytes - each));
      // Moving the operand before it is gathered from is what costs.
      cost.movesOperand |=
          isOperand[step.inputs[0]] &&
          any_of(ArrayRef(plan.steps).take_front(i),
                 [&](const PlanStep &before) {
                   return !before.indexBits &&
                          (before.kind == StepKind::Transpose ||
                           before.kind == StepKind::Slice);
                 });
      break;
    }
    case StepKind::Slice:
    case StepKind::DynamicSlice:
      isOperand[i] = fromOperand;
      if (isSliceOfBooleans(step, problem))
        cost.nodes += 2; // casts to bytes and back
      break;
    default:
      isOperand[i] = fromOperand && step.kind == StepKind::Transpose;
    }
    ++cost.nodes;
  }
  cost.bytes = bytes.signedValue();
  bytes.add(rounding.value);
  bytes.add(cost.nodes, ascend::kNodeBytes);
  cost.weight = bytes.signedValue();
  return cost;
}
