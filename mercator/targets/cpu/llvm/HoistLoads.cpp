// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/HoistLoads.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mercator;

/// The buffer that a view is a part of.
static mlir::Value rootOf(mlir::Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// A parameter of the kernel, or an allocation: two of them do not overlap.
static bool isBuffer(mlir::Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root))
    return isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return isa<memref::AllocOp, memref::AllocaOp>(root.getDefiningOp());
}

static bool hasIteration(scf::ForOp loop) {
  std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound()),
                         end = getConstantIntValue(loop.getUpperBound());
  return begin && end && *begin < *end;
}

namespace {
/// What a loop and the loops in it write.
struct Written {
  llvm::SmallDenseSet<mlir::Value, 4> roots;
  bool isAnything = false; ///< not known, or a buffer of which nothing is known
};
} // namespace

static Written writtenIn(scf::ForOp loop) {
  Written written;
  loop.getBody()->walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return;
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects) {
      written.isAnything |= !isPure(op);
      return;
    }
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &effect : instances) {
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        continue;
      mlir::Value value = effect.getValue();
      mlir::Value root = value ? rootOf(value) : mlir::Value();
      if (root && isBuffer(root))
        written.roots.insert(root);
      else
        written.isAnything = true;
    }
  });
  return written;
}

/// Whether a load moved.
static bool hoistLoadsOf(scf::ForOp loop) {
  moveLoopInvariantCode(loop); // the places of loads
  SmallVector<memref::LoadOp> loads;
  for (auto load : loop.getBody()->getOps<memref::LoadOp>())
    if (llvm::all_of(load->getOperands(), [&](mlir::Value operand) {
          return loop.isDefinedOutsideOfLoop(operand);
        }))
      loads.push_back(load);
  if (loads.empty())
    return false;
  Written written = writtenIn(loop);
  if (written.isAnything)
    return false;
  bool hasMoved = false;
  for (memref::LoadOp load : loads) {
    mlir::Value root = rootOf(load.getMemRef());
    if (isBuffer(root) && !written.roots.contains(root)) {
      load->moveBefore(loop);
      hasMoved = true;
    }
  }
  return hasMoved;
}

void cpu::hoistLoads(func::FuncOp kernel) {
  // Inner loops first: a load moves out of one after the other. Another load may
  // depend on it.
  kernel.walk([](scf::ForOp loop) {
    while (hasIteration(loop) && hoistLoadsOf(loop)) {
    }
  });
}
