// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/flow/VerifyWrites.h"

#include <numeric>

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

/// The stores to `tensor`, also through other values. None unless every use is
/// a store of a static slice that runs exactly once.
static std::optional<SmallVector<DispatchTensorStoreOp>>
findStaticStores(BlockArgument tensor) {
  SmallVector<DispatchTensorStoreOp> stores;
  SmallVector<Value> names = {tensor};
  while (!names.empty()) {
    for (Operation *user : names.pop_back_val().getUsers()) {
      if (auto tie = dyn_cast<DispatchTieShapeOp>(user)) {
        names.push_back(tie);
        continue;
      }
      auto store = dyn_cast<DispatchTensorStoreOp>(user);
      if (!store || store->getBlock() != tensor.getOwner() ||
          !store.getOffsets().empty() || !store.getSizes().empty() ||
          !store.getStrides().empty())
        return std::nullopt;
      stores.push_back(store);
    }
  }
  return stores;
}

/// Whether {offset + i * stride | i < size} of both sides certainly have a
/// common number. Unknown counts as no.
static bool surelyMeet(int64_t lhsOffset, int64_t lhsSize, int64_t lhsStride,
                       int64_t rhsOffset, int64_t rhsSize, int64_t rhsStride) {
  if (lhsSize <= 0 || rhsSize <= 0 || lhsStride < 1 || rhsStride < 1)
    return false;
  // If one side is a single number or contiguous, it contains those numbers of
  // the other side that lie between its ends.
  if (lhsSize != 1 && lhsStride != 1) {
    std::swap(lhsOffset, rhsOffset);
    std::swap(lhsSize, rhsSize);
    std::swap(lhsStride, rhsStride);
  }
  int64_t lhsLast, rhsLast;
  if (llvm::MulOverflow(lhsSize - 1, lhsStride, lhsLast) ||
      llvm::AddOverflow(lhsLast, lhsOffset, lhsLast) ||
      llvm::MulOverflow(rhsSize - 1, rhsStride, rhsLast) ||
      llvm::AddOverflow(rhsLast, rhsOffset, rhsLast))
    return false;
  int64_t first = std::max(lhsOffset, rhsOffset);
  int64_t last = std::min(lhsLast, rhsLast);
  if (first > last)
    return false;
  if (lhsSize == 1 || lhsStride == 1) {
    int64_t step = (first - rhsOffset + rhsStride - 1) / rhsStride;
    return rhsOffset + step * rhsStride <= last;
  }
  return lhsStride == rhsStride && (lhsOffset - rhsOffset) % lhsStride == 0;
}

static bool surelyOverlap(DispatchTensorStoreOp lhs,
                          DispatchTensorStoreOp rhs) {
  for (unsigned dim = 0; dim < lhs.getStaticSizes().size(); ++dim)
    if (!surelyMeet(lhs.getStaticOffsets()[dim], lhs.getStaticSizes()[dim],
                    lhs.getStaticStrides()[dim], rhs.getStaticOffsets()[dim],
                    rhs.getStaticSizes()[dim], rhs.getStaticStrides()[dim]))
      return false;
  return true;
}

/// The number of elements, if it fits in 64 bits.
static std::optional<int64_t> countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(count, size, count))
      return std::nullopt;
  return count;
}

/// Whether a body is one block that certainly runs once.
static bool runsOnce(Region &body) {
  if (!body.hasOneBlock())
    return false;
  return !body.walk([](Operation *op) {
                return isa<DispatchWorkgroupIDOp>(op) ||
                               op->getName().getStringRef() ==
                                   "hal.interface.workgroup.id"
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

LogicalResult flow::verifyWritesOnce(Region &body) {
  // More stores to one tensor are not compared in pairs.
  constexpr size_t kMostStores = 64;
  std::optional<bool> once;
  for (BlockArgument argument : body.getArguments()) {
    auto type = dyn_cast<DispatchTensorType>(argument.getType());
    if (!type || type.getAccess() != TensorAccess::WriteOnly)
      continue;
    auto stores = findStaticStores(argument);
    // A body without stores is not written yet.
    if (!stores || stores->empty() || stores->size() > kMostStores)
      continue;
    if (!once)
      once = runsOnce(body);
    if (!*once)
      return success();

    int64_t written = 0;
    bool counted = true;
    for (auto [index, store] : llvm::enumerate(*stores)) {
      for (DispatchTensorStoreOp other : ArrayRef(*stores).take_front(index)) {
        if (!surelyOverlap(store, other))
          continue;
        InFlightDiagnostic error =
            other.emitOpError()
            << "expected each element of the result to be written once, got a "
               "second store to some";
        error.attachNote(store.getLoc()) << "the other is here";
        return error;
      }
      std::optional<int64_t> count = countElements(store.getStaticSizes());
      counted =
          counted && count && !llvm::AddOverflow(written, *count, written);
    }
    std::optional<int64_t> all = countElements(type.getShape());
    if (counted && all && written < *all)
      return stores->front().emitOpError()
             << "expected all " << *all
             << " elements of the result to be written, got stores to "
             << written;
  }
  return success();
}
