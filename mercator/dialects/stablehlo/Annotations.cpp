// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Annotations.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// Whether both types have the same elements, in layouts that may differ.
static bool haveSameElements(Type from, Type to) {
  if (from == to)
    return true;
  auto x = dyn_cast<RankedTensorType>(from), y = dyn_cast<RankedTensorType>(to);
  return x && y && x.getShape() == y.getShape() &&
         x.getElementType() == y.getElementType();
}

bool mercator::stablehlo::isAnnotation(CustomCallOp op) {
  static constexpr StringLiteral names[] = {
      // The division of a tensor among devices.
      "Sharding", "xla.sdy.FuncResultSharding", "xla.sdy.ShardingGroup",
      "xla.sdy.PropagationBarrier",
      // The same, if the tensor is not divided: its type is that of a part.
      "SPMDFullToShardShape", "SPMDShardToFullShape",
      "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape",
      // Its place: the memory of the host or of a device, or a layout.
      "annotate_device_placement", "MoveToHost", "MoveToDevice", "PinToDevice",
      "PinToDeviceSram", "LayoutConstraint", "AwsNeuronTransferWithStaticRing",
      // A promise about its elements.
      "AssumeGatherIndicesInBound"};
  StringRef target = op.getCallTargetName();
  if (!llvm::is_contained(names, target))
    return false;
  // A sharding group has no result.
  return op->getNumResults() == 0 ||
         llvm::equal(op->getOperandTypes(), op->getResultTypes(),
                     haveSameElements);
}
