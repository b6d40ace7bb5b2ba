// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/gather/Cost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace llvm;
using namespace mercator;
using namespace mercator::gather;

bool Cost::operator<(const Cost &other) const {
  return std::tuple(weight, indexEntries, movesOperand) <
         std::tuple(other.weight, other.indexEntries, other.movesOperand);
}

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
  if (gather.kind == StepKind::indexByTensor) {
    // The dimensions after the last indexed one are contiguous.
    int64_t each = 1;
    for (int64_t extent : ArrayRef(plan.steps[gather.inputs[0]].shape)
                              .drop_front(gather.ints.back() + 1))
      each = SaturatingMultiply<uint64_t>(each, extent);
    return gather.size() / std::max<int64_t>(1, each);
  }
  const PlanStep &indices = plan.steps[gather.inputs[1]];
  int64_t entries = indices.size();
  if (gather.kind == StepKind::gatherNd)
    return entries / std::max<int64_t>(1, indices.shape.back());
  if (gather.kind == StepKind::gatherElements)
    return entries;
  // Each axis before the indexed one repeats the rows; those of the batch are
  // axes of the indices too.
  int64_t axis = gather.ints[0], batches = gather.ints[1];
  for (int64_t extent : ArrayRef(plan.steps[gather.inputs[0]].shape)
                            .slice(batches, axis - batches))
    entries = SaturatingMultiply<uint64_t>(entries, extent);
  return entries;
}

Cost gather::costOf(const Plan &plan, const GatherProblem &problem) {
  auto bytesOf = [&](const PlanStep &step) {
    int64_t each =
        step.indexBits ? (step.indexBits + 7) / 8 : problem.elementBytes;
    return SaturatingMultiply<uint64_t>(step.size(), each);
  };
  // Steps whose elements are those of the operand, moved or not.
  SmallVector<bool> isOperand(plan.steps.size());
  Sum bytes, rounding;
  Cost cost;
  for (auto [i, step] : enumerate(plan.steps)) {
    auto input = [&](size_t k) -> const PlanStep & {
      return plan.steps[step.inputs[k]];
    };
    bool fromOperand = !step.inputs.empty() && isOperand[step.inputs[0]];
    switch (step.kind) {
    case StepKind::operand:
      isOperand[i] = true;
      continue;
    case StepKind::starts:
    case StepKind::constant:
    case StepKind::empty:
      continue;
    case StepKind::reshape:
      isOperand[i] = fromOperand;
      continue;
    case StepKind::gatherV2:
    case StepKind::gatherElements:
    case StepKind::gatherNd:
    case StepKind::indexByTensor: {
      // It reads as much of the operand as it writes, and the indices.
      bytes.add(2, bytesOf(step));
      for (size_t k = 1; k < step.inputs.size(); ++k) {
        cost.indexEntries =
            SaturatingAdd<uint64_t>(cost.indexEntries, input(k).size());
        bytes.add(bytesOf(input(k)));
      }
      uint64_t pieces = piecesOf(plan, step);
      uint64_t each = pieces ? bytesOf(step) / pieces : 0;
      if (each < kPieceBytes)
        rounding.add(pieces, 2 * (kPieceBytes - each));
      // Moving the operand before it is gathered from is what costs.
      cost.movesOperand |=
          isOperand[step.inputs[0]] &&
          any_of(ArrayRef(plan.steps).take_front(i),
                 [&](const PlanStep &before) {
                   return !before.indexBits &&
                          (before.kind == StepKind::transpose ||
                           before.kind == StepKind::slice);
                 });
      break;
    }
    case StepKind::slice:
    case StepKind::dynamicSlice:
      isOperand[i] = fromOperand;
      bytes.add(2, bytesOf(step));
      if (problem.isBoolean && !step.indexBits) {
        // Casts to bytes and back.
        bytes.add(2, bytesOf(input(0)));
        bytes.add(2, bytesOf(step));
        cost.nodes += 2;
      }
      break;
    default:
      isOperand[i] = fromOperand && step.kind == StepKind::transpose;
      bytes.add(bytesOf(step));
      for (unsigned in : step.inputs)
        bytes.add(bytesOf(plan.steps[in]));
    }
    ++cost.nodes;
  }
  cost.bytes = bytes.signedValue();
  bytes.add(rounding.value);
  bytes.add(cost.nodes, kNodeBytes);
  cost.weight = bytes.signedValue();
  return cost;
}
