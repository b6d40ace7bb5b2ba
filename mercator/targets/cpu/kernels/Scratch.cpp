// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Scratch.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
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

namespace {
/// Buffers that are planned together, with the bytes of each.
struct Planned {
  SmallVector<memref::AllocOp> allocs;
  std::vector<Lifetime> lifetimes;
};
} // namespace

/// The parallel loops that use the buffer; none if something else does, too, or one of
/// them is inside another one.
static SmallVector<scf::ForOp> partsThatUse(memref::AllocOp alloc) {
  llvm::SetVector<Operation *> loops;
  for (Operation *user : alloc->getUsers()) {
    Operation *loop = nullptr;
    for (Operation *at = user->getParentOp(); at; at = at->getParentOp())
      if (at->hasAttr(kParallel)) {
        if (loop)
          return {};
        loop = at;
      }
    if (!loop)
      return {};
    loops.insert(loop);
  }
  return llvm::map_to_vector(
      loops, [](Operation *loop) { return cast<scf::ForOp>(loop); });
}

static int64_t workersOf(memref::AllocOp alloc) {
  auto workers = alloc->getAttrOfType<IntegerAttr>(kWorkers);
  return workers && !partsThatUse(alloc).empty() ? workers.getInt() : 1;
}

static bool isPiece(Operation *user) { return user->hasAttr(kPiece); }

static mlir::Value viewAt(OpBuilder &builder, memref::AllocOp alloc,
                          mlir::Value memory, mlir::Value offset) {
  return memref::ViewOp::create(builder, alloc.getLoc(), alloc.getType(),
                                memory, offset, ValueRange());
}

/// The buffer with its pieces `bytesOfWorker` apart, the first one at `offset`. All uses
/// are views of pieces.
static void placePieces(memref::AllocOp alloc, mlir::Value memory,
                        int64_t offset, int64_t bytesOfWorker) {
  MemRefType type = alloc.getType();
  int64_t apart = bytesOfWorker / elementBytes(type.getElementType());
  SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  strides.front() = apart;
  OpBuilder builder(alloc);
  Location loc = alloc.getLoc();
  auto line =
      MemRefType::get({type.getDimSize(0) * apart}, type.getElementType());
  mlir::Value view = memref::ViewOp::create(
      builder, loc, line, memory,
      arith::ConstantIndexOp::create(builder, loc, offset), ValueRange());
  auto placed =
      MemRefType::get(type.getShape(), type.getElementType(),
                      StridedLayoutAttr::get(type.getContext(), 0, strides));
  alloc->replaceAllUsesWith(memref::ReinterpretCastOp::create(
      builder, loc, placed, view, /*offset=*/0, type.getShape(), strides));
  alloc.erase();
}

/// The same for other uses: in a part, the buffer begins where the piece of the worker is
/// in its place. Other pieces are not used there.
static void placeInParts(memref::AllocOp alloc, mlir::Value memory,
                         int64_t offset, int64_t bytesOfWorker, int64_t piece) {
  Location loc = alloc.getLoc();
  for (scf::ForOp loop : partsThatUse(alloc)) {
    OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
    mlir::Value worker = workerOf(builder, loc, loop.getInductionVar()),
                step = arith::ConstantIndexOp::create(builder, loc,
                                                      bytesOfWorker - piece),
                first = arith::ConstantIndexOp::create(builder, loc, offset);
    mlir::Value at = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, worker, step), first);
    mlir::Value view = viewAt(builder, alloc, memory, at);
    alloc.getResult().replaceUsesWithIf(view, [&](OpOperand &use) {
      return loop->isProperAncestor(use.getOwner());
    });
  }
  alloc.erase();
}

Scratch cpu::takeScratch(func::FuncOp kernel) {
  constexpr int64_t kLarge = 4096, kStack = 32 * 1024;
  Block &entry = kernel.getBody().front();
  DenseMap<Operation *, int64_t> position;
  for (auto [i, op] : llvm::enumerate(entry))
    position[&op] = int64_t(i);
  int64_t stack = 0, workers = 1;
  Planned shared, own;
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
    int64_t pieces = workersOf(alloc);
    workers = std::max(workers, pieces);
    Planned &planned = pieces > 1 ? own : shared;
    planned.allocs.push_back(alloc);
    planned.lifetimes.push_back(
        lifetimeOf(alloc, bytes / pieces, entry, position));
  }
  if (shared.allocs.empty() && own.allocs.empty())
    return {};
  // What one worker uses lies together, in few pages.
  ArenaPlan plan = planArena(shared.lifetimes),
            planOfWorker = planArena(own.lifetimes);
  int64_t first = int64_t(llvm::alignTo(uint64_t(plan.bytes), kAlignment)),
          bytesOfWorker =
              int64_t(llvm::alignTo(uint64_t(planOfWorker.bytes), kAlignment));
  auto type = MemRefType::get({first + workers * bytesOfWorker},
                              IntegerType::get(kernel.getContext(), 8));
  mlir::Value memory = entry.addArgument(type, kernel.getLoc());
  for (auto [alloc, offset] : llvm::zip_equal(shared.allocs, plan.offsets)) {
    OpBuilder builder(alloc);
    alloc.replaceAllUsesWith(viewAt(
        builder, alloc, memory,
        arith::ConstantIndexOp::create(builder, alloc.getLoc(), offset)));
    alloc.erase();
  }
  for (auto [alloc, life, offset] :
       llvm::zip_equal(own.allocs, own.lifetimes, planOfWorker.offsets)) {
    if (llvm::all_of(alloc->getUsers(), isPiece))
      placePieces(alloc, memory, first + offset, bytesOfWorker);
    else
      placeInParts(alloc, memory, first + offset, bytesOfWorker, life.bytes);
  }
  kernel.setType(FunctionType::get(
      kernel.getContext(), entry.getArgumentTypes(), kernel.getResultTypes()));
  return {type, workers, bytesOfWorker};
}
