// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/host/ComputedLate.h"
#include "mercator/dialects/flow/Flow.h"
#include "mercator/targets/cpu/host/InPlace.h"
#include "mercator/targets/cpu/machine/Buffers.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

/// Whether the operation computes tensors in buffers of their own, and nothing else.
static bool computesTensors(Operation &op) {
  return isa<flow::TensorSplatOp, flow::TensorEmptyOp, flow::DispatchOp>(op) &&
         llvm::all_of(op.getResults(), [](OpResult result) {
           return bytesOf(result) >= 0 && !updatedTensor(result);
         });
}

/// Calls `body` with the users of a tensor in any shape, other than reshapes.
static void forEachUser(Value tensor,
                        llvm::function_ref<void(Operation *)> body) {
  for (Operation *user : tensor.getUsers()) {
    bool isView = false;
    for (OpResult result : user->getResults())
      if (tensorType(result) && sameElements(result)) {
        isView = true;
        forEachUser(result, body);
      }
    if (!isView)
      body(user);
  }
}

/// The operation before which `op` can stand at the latest; null if it stays.
static Operation *latestPlace(Operation *op, bool usesDonations) {
  Operation *place = nullptr;
  bool stays = false;
  auto before = [&](Operation *other) {
    stays |= other->getBlock() != op->getBlock();
    if (!stays && (!place || other->isBeforeInBlock(place)))
      place = other;
  };
  for (OpResult result : op->getResults())
    for (Operation *user : result.getUsers())
      before(user);
  for (Value operand : op->getOperands()) {
    if (!tensorType(operand))
      continue;
    while (auto result = dyn_cast<OpResult>(operand)) {
      Value source = sameElements(result);
      if (!source)
        break;
      operand = source;
    }
    if (isFixed(operand, usesDonations))
      continue;
    Operation *last = nullptr;
    forEachUser(operand, [&](Operation *user) {
      stays |= user->getBlock() != op->getBlock();
      if (!stays && user != op && (!last || last->isBeforeInBlock(user)))
        last = user;
    });
    stays |= !last || !op->isBeforeInBlock(last);
    if (!stays)
      before(last);
  }
  bool isAtEnd = place && place->hasTrait<OpTrait::IsTerminator>();
  return stays || isAtEnd ? nullptr : place;
}

void cpu::computeLate(func::FuncOp source, bool usesDonations) {
  for (Block &block : source.getBody())
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (computesTensors(op))
        if (Operation *place = latestPlace(&op, usesDonations))
          op.moveBefore(place);
}
