// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Scratch.h"
#include "mercator/targets/cpu/machine/Arena.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

/// The first and the last operation of the block, by position, that may use a
/// buffer.
static Lifetime lifetimeOf(memref::AllocOp alloc, int64_t bytes, Block &block,
                           const DenseMap<Operation *, int64_t> &position) {
  Lifetime life{.first = int64_t(position.size()),
                .last = position.lookup(alloc),
                .bytes = bytes};
  SmallVector<mlir::Value> aliases = {alloc.getResult()};
  while (!aliases.empty())
    for (Operation *user : aliases.pop_back_val().getUsers()) {
      int64_t at = position.lookup(block.findAncestorOpInBlock(*user));
      life.first = std::min(life.first, at);
      life.last = std::max(life.last, at);
      for (mlir::Value result : user->getResults())
        if (isa<MemRefType>(result.getType())) {
          aliases.push_back(result);
          // Other operations that give a buffer may give this one later.
          if (!isa<ViewLikeOpInterface>(user))
            life.last = int64_t(position.size());
        }
    }
  life.first = std::min(life.first, life.last);
  return life;
}

SmallVector<MemRefType> cpu::takeScratch(func::FuncOp kernel) {
  constexpr int64_t kLarge = 4096, kStack = 32 * 1024;
  Block &entry = kernel.getBody().front();
  DenseMap<Operation *, int64_t> position;
  for (auto [i, op] : llvm::enumerate(entry))
    position[&op] = int64_t(i);
  int64_t stack = 0;
  SmallVector<memref::AllocOp> large;
  std::vector<Lifetime> lifetimes;
  for (Operation &op : llvm::make_early_inc_range(entry)) {
    auto alloc = dyn_cast<memref::AllocOp>(op);
    if (!alloc || !alloc.getType().hasStaticShape() ||
        !alloc.getType().getLayout().isIdentity())
      continue;
    int64_t bytes = alloc.getType().getNumElements() *
                    elementBytes(alloc.getType().getElementType());
    if (bytes <= kLarge && stack + bytes <= kStack) {
      stack += bytes;
      OpBuilder builder(alloc);
      alloc.replaceAllUsesWith(
          memref::AllocaOp::create(builder, alloc.getLoc(), alloc.getType(),
                                   builder.getI64IntegerAttr(kAlignment))
              .getResult());
      alloc.erase();
      continue;
    }
    lifetimes.push_back(lifetimeOf(alloc, bytes, entry, position));
    large.push_back(alloc);
  }
  if (large.empty())
    return {};
  ArenaPlan plan = planArena(lifetimes);
  auto type =
      MemRefType::get({plan.bytes}, IntegerType::get(kernel.getContext(), 8));
  mlir::Value memory = entry.addArgument(type, kernel.getLoc());
  for (auto [alloc, offset] : llvm::zip_equal(large, plan.offsets)) {
    OpBuilder builder(alloc);
    mlir::Value at =
        arith::ConstantIndexOp::create(builder, alloc.getLoc(), offset);
    alloc.replaceAllUsesWith(memref::ViewOp::create(builder, alloc.getLoc(),
                                                    alloc.getType(), memory, at,
                                                    ValueRange())
                                 .getResult());
    alloc.erase();
  }
  kernel.setType(FunctionType::get(
      kernel.getContext(), entry.getArgumentTypes(), kernel.getResultTypes()));
  return {type};
}
