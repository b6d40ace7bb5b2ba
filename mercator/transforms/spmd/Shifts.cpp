// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Shifts.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;

/// The slice of what is padded; null if the padding is needed, or used elsewhere.
static Value sliceInside(stablehlo::SliceOp slice) {
  auto pad = slice.getOperand().getDefiningOp<stablehlo::PadOp>();
  auto isOnly = [](ArrayRef<int64_t> list, int64_t number) {
    return llvm::all_of(list, [&](int64_t x) { return x == number; });
  };
  if (!pad || !pad->hasOneUse() || !pad->getDiscardableAttrs().empty() ||
      !isOnly(pad.getInteriorPadding(), 0) || !isOnly(slice.getStrides(), 1))
    return {};
  auto type = dyn_cast<RankedTensorType>(pad.getOperand().getType());
  if (!type || !type.hasStaticShape())
    return {};
  SmallVector<int64_t> begin, end;
  for (auto [start, limit, low, size] :
       llvm::zip_equal(slice.getStartIndices(), slice.getLimitIndices(),
                       pad.getEdgePaddingLow(), type.getShape())) {
    begin.push_back(start - low);
    end.push_back(limit - low);
    if (begin.back() < 0 || end.back() > size)
      return {};
  }
  if (isOnly(begin, 0) && ArrayRef(end) == type.getShape())
    return pad.getOperand();
  ImplicitLocOpBuilder b(slice.getLoc(), slice);
  return stablehlo::SliceOp::create(b, slice.getType(), pad.getOperand(), begin,
                                    end, slice.getStrides());
}

void mercator::spmd::joinShifts(func::FuncOp function) {
  function.walk([](stablehlo::SliceOp slice) {
    // A sharding that is stated stays.
    if (!slice->getDiscardableAttrs().empty())
      return;
    Value inside = sliceInside(slice);
    if (!inside)
      return;
    Operation *pad = slice.getOperand().getDefiningOp();
    slice.replaceAllUsesWith(inside);
    slice.erase();
    pad->erase();
  });
}
