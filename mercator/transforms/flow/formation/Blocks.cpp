// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/Blocks.h"

#include "mercator/transforms/flow/extents/Extents.h"
#include "mercator/transforms/flow/formation/Cloneable.h"
#include "mercator/transforms/flow/operations/Candidates.h"
#include "mercator/transforms/flow/operations/ScalarLoops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/DepthFirstIterator.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

bool flow::canStart(Operation *op) {
  return llvm::all_of(op->getOperandTypes(), canCross) &&
         llvm::all_of(op->getResultTypes(), canCross) && hasNoEffects(op);
}

/// Whether dispatches are formed in the blocks of the regions of `op`. Loops
/// that are already parallel are excluded: they are dispatches themselves.
static bool isControlFlow(Operation *op) {
  return isa<RegionBranchOpInterface>(op) &&
         !isa<scf::ForallOp, scf::ParallelOp>(op) &&
         !op->hasTrait<OpTrait::IsIsolatedFromAbove>();
}

FormationBlocks::FormationBlocks(FunctionOpInterface function) {
  // Depth first, without recursion.
  SmallVector<Block *> worklist;
  auto add = [&](Region &region) {
    // In unreachable blocks values may be used before their definition.
    llvm::df_iterator_default_set<Block *> reachable;
    if (!region.empty())
      for (Block *block : llvm::depth_first_ext(&region.front(), reachable))
        (void)block;
    for (Block &block : llvm::reverse(region))
      if (reachable.contains(&block))
        worklist.push_back(&block);
  };
  add(function.getFunctionBody());
  while (!worklist.empty()) {
    Block *block = worklist.pop_back_val();
    blocks.push_back(block);
    unsigned next = 0;
    for (Operation &op : *block) {
      position[&op] = next++;
      operations.push_back(&op);
      if (isScalarLoop(&op) && canStart(&op)) {
        scalarLoops.push_back(&op);
        continue;
      }
      if (!isControlFlow(&op))
        continue;
      for (Region &region : llvm::reverse(op.getRegions()))
        add(region);
    }
  }
}

SmallVector<Operation *>
flow::padsOfTheirOwn(const FormationBlocks &blocks,
                     llvm::function_ref<bool(Operation *)> isMember) {
  // The cloneable operations whose results only dispatches need. Users come
  // before the operations they use, except across blocks; such a use counts as
  // a need.
  DenseSet<Operation *> onlyCloned;
  SmallVector<Operation *> pads;
  for (Operation *op : llvm::reverse(blocks.operations)) {
    if (!isCloneable(op))
      continue;
    auto needsIt = [&](Operation *user) {
      if (isResolvableDim(user) || onlyCloned.contains(user))
        return false;
      Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
      return !isMember(inBlock ? inBlock : user);
    };
    if (llvm::none_of(op->getUsers(), needsIt))
      onlyCloned.insert(op);
    else if (isa<tensor::PadOp>(op) && canStart(op))
      pads.push_back(op);
  }
  return pads;
}
