// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/fusion/FusionGroups.h"

#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace mercator::flow;

bool mercator::flow::isElementwise(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op.isAllParallelLoops() &&
         llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
           return isMemoryEffectFree(&inner);
         });
}

AffineMap mercator::flow::loopsOfProducer(OpResult result, AffineMap map) {
  auto producer = cast<linalg::GenericOp>(result.getOwner());
  AffineMap written = producer.getIndexingMapMatchingResult(result);
  if (!written.isPermutation() || map.getNumResults() != producer.getNumLoops())
    return {};
  return inversePermutation(written).compose(map);
}

bool ExecutionCounts::runsOnce(Region *region) {
  auto [it, isNew] = once.try_emplace(region, false);
  if (!isNew)
    return it->second;
  auto branch = dyn_cast<RegionBranchOpInterface>(region->getParentOp());
  if (!branch)
    return false;
  SmallVector<Attribute> unknown(branch->getNumOperands());
  SmallVector<InvocationBounds> bounds;
  branch.getRegionInvocationBounds(unknown, bounds);
  if (region->getRegionNumber() >= bounds.size())
    return false;
  std::optional<unsigned> most =
      bounds[region->getRegionNumber()].getUpperBound();
  return once[region] = most && *most <= 1;
}

bool ExecutionCounts::isInCycle(Block *block) {
  Region *region = block->getParent();
  if (region->hasOneBlock() && block->hasNoSuccessors())
    return false;
  auto [it, isNew] = cycles.try_emplace(region);
  if (isNew)
    for (auto scc = llvm::scc_begin(region); !scc.isAtEnd(); ++scc)
      if (scc.hasCycle())
        it->second.insert((*scc).begin(), (*scc).end());
  return it->second.contains(block);
}

bool ExecutionCounts::isNoMoreOften(Block *from, Block *to) {
  while (to->getParent() != from->getParent()) {
    Operation *parent = to->getParentOp();
    if (!parent || !parent->getBlock() || !runsOnce(to->getParent()) ||
        isInCycle(to))
      return false;
    to = parent->getBlock();
  }
  return to == from || !isInCycle(to);
}
