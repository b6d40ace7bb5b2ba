// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dot, dot_general and einsum: sums of products.

#include "mercator/analysis/maps/Model.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

namespace {

MapSet dotGeneralMaps(stablehlo::DotGeneralOp op, const Query &q) {
  stablehlo::DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
  DotDims dims{numbers.getLhsBatchingDimensions(),
               numbers.getRhsBatchingDimensions(),
               numbers.getLhsContractingDimensions(),
               numbers.getRhsContractingDimensions()};
  return dot(q.arena, q.direction, q.operand == 0 ? DotSide::Lhs : DotSide::Rhs,
             sizesOf(op.getLhs().getType()), sizesOf(op.getRhs().getType()),
             dims);
}

/// Contracts the last dimension of the left operand with the first dimension of
/// the right.
MapSet plainDotMaps(stablehlo::DotOp op, const Query &q) {
  SmallVector<int64_t> lhs = sizesOf(op.getLhs().getType());
  SmallVector<int64_t> rhs = sizesOf(op.getRhs().getType());
  if (lhs.empty() || rhs.empty())
    return q.everything("dot: expected vectors or matrices, got a scalar");
  int64_t last = lhs.size() - 1, first = 0;
  return dot(q.arena, q.direction, q.operand == 0 ? DotSide::Lhs : DotSide::Rhs,
             lhs, rhs, {{}, {}, last, first});
}

/// "ab,bc->ac" labels each dimension with a letter; dimensions with the same
/// letter have equal indices. Spaces around a label do not count.
template <typename Op> MapSet einsumMaps(Op op, const Query &q) {
  llvm::StringRef config = op.getEinsumConfig();
  auto [inputs, output] = config.split("->");
  SmallVector<llvm::StringRef> names;
  inputs.split(names, ',');
  auto labelsOf = [](llvm::StringRef name) {
    SmallVector<unsigned> labels;
    for (char letter : name.trim())
      labels.push_back(static_cast<unsigned char>(letter));
    return labels;
  };
  // The verifier has checked the number of labels, except with an ellipsis.
  if (config.contains('.'))
    return q.everything(spelling(op) + ": expected letters, got \"" + config +
                        "\"");
  // A sum over an empty dimension reads nothing of either operand.
  for (mlir::Value operand : op->getOperands())
    if (llvm::is_contained(sizesOf(operand.getType()), 0))
      return q.nothing();
  SmallVector<unsigned> in = labelsOf(names[q.operand]), out = labelsOf(output);
  bool back = q.direction == Direction::OutToIn;
  return byLabels(q.arena, q.from(), back ? out : in, q.to(), back ? in : out);
}

} // namespace

void maps::attachDotMaps(mlir::MLIRContext *context) {
  attach<stablehlo::DotGeneralOp, dotGeneralMaps>(context);
  attach<stablehlo::DotOp, plainDotMaps>(context);
  attach<stablehlo::EinsumOp, einsumMaps<stablehlo::EinsumOp>>(context);
  attach<stablehlo::UnaryEinsumOp, einsumMaps<stablehlo::UnaryEinsumOp>>(
      context);
}
